/* fuzz_packed.c - the input is a map compressed by gzip or bzip2, or the beginning of one. Unpacking never exceeds the
 * size of the largest map or the memory limit, and all memory is freed. */
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "io/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)8 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspi_ctx ctx = { .file = "map", .budget.limit = MEMORY };
	bspi_bytes file = bspi_bytes_of(data, size), unpacked;
	uint8_t head[512];
	size_t got = bspi_unpack_head(file, head, sizeof head);
	if (got > sizeof head) abort();
	bspi_begin_memory(&ctx);
	bool whole = bspi_unpack_map(&ctx, &ctx.scratch, file, &unpacked);
	if (whole == (ctx.error.status != BSPSCENE_OK) || (!whole && !ctx.error.message[0])) abort();
	if (whole && bspi_packing_of(file) == BSPI_PACKING_NONE && unpacked.data != file.data) abort();
	/* The head, which is unpacked separately, must equal the beginning of the unpacked map. */
	bool packed = whole && bspi_packing_of(file) != BSPI_PACKING_NONE;
	if (packed && got <= unpacked.size && got && memcmp(head, unpacked.data, got)) abort();
	if (ctx.budget.peak > MEMORY) abort();
	bspi_end_memory(&ctx);
	if (ctx.budget.used) abort();
	return 0;
}
