/* counted_memory.c - see counted_memory.h. Each allocation begins with its size and owner. */
#include "support/hostile/counted_memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"

typedef union head {
	struct {
		const bspt_counted *owner;
		size_t size;
	} of;
	max_align_t aligned;
} head;

static void *allocate(void *user, size_t size)
{
	bspt_counted *counted = user;
	counted->calls++;
	if (counted->fail_at && counted->calls >= counted->fail_at) return NULL;
	if (!size) bspt_die("allocate", "0 bytes");
	head *piece = malloc(sizeof *piece + size);
	if (!piece) return NULL;
	piece->of.owner = counted;
	piece->of.size = size;
	memset(piece + 1, 0xa5, size);     /* fills the memory, so that no code relies on zeros */
	counted->pieces++;
	counted->bytes += size;
	if (counted->bytes > counted->most_bytes) counted->most_bytes = counted->bytes;
	return piece + 1;
}

static void release(void *user, void *data)
{
	bspt_counted *counted = user;
	head *piece = (head *)data - 1;
	if (!data || piece->of.owner != counted) bspt_die("release", "what was never allocated");
	counted->pieces--;
	counted->bytes -= piece->of.size;
	piece->of.owner = NULL;
	free(piece);
}

bspscene_allocator bspt_counted_allocator(bspt_counted *counted)
{
	return (bspscene_allocator){ allocate, release, counted };
}
