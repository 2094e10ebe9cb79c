/* Promise: compressed data is unpacked completely in reads of any size. A truncated or damaged stream is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <cmocka.h>

#include "io/inflate.h"
#include "io/unpack.h"
#include "support/make/build_archive.h"

static const char verse[] = "The same verse, the same verse, the same verse and another one at last.";
enum { SIZE = sizeof verse - 1, ROOM = 2 * SIZE };

/* A source of packed bytes. Reads that begin before byte `first` end there at the latest. Later reads give as many
 * bytes as requested. */
typedef struct source {
	bspt_bytes packed;
	size_t at, first;
} source;

static size_t give(void *user, void *data, size_t size)
{
	source *s = user;
	size_t left = s->packed.size - s->at, count = size < left ? size : left;
	if (s->at < s->first && count > s->first - s->at) count = s->first - s->at;
	memcpy(data, s->packed.data + s->at, count);
	s->at += count;
	return count;
}

static void expect_verse(bspi_packing packing, bspt_bytes packed, size_t first, size_t portion)
{
	char out[ROOM];
	source s = { packed, 0, first };
	size_t done = 0, got;
	bspi_charge charge = { .heap = &bspi_system_heap };
	bspi_unpacker *u = bspi_unpacker_create(&charge, packing, SIZE, give, &s);
	assert_non_null(u);
	while ((got = bspi_unpacker_read(u, out + done, done + portion < ROOM ? portion : ROOM - done)) > 0) {
		if (got == SIZE_MAX) fail_msg("packing %d, %zu bytes first, by %zu", (int)packing, first, portion);
		done += got;
	}
	bspi_unpacker_free(u);
	assert_int_equal(done, SIZE);
	assert_memory_equal(out, verse, SIZE);
}

static void bytes_come_in_any_portions(void **state)
{
	(void)state;
	const bspt_bytes deflated = bspt_deflate(verse, SIZE), lzma = bspt_lzma(verse, SIZE, false);
	static const size_t portions[] = { 1, 7, ROOM };
	for (size_t first = 0; first < 16; first++) {
		for (size_t p = 0; p < sizeof portions / sizeof *portions; p++) {
			expect_verse(BSPI_PACKING_DEFLATE, deflated, first, portions[p]);
			expect_verse(BSPI_PACKING_ZIP_LZMA, lzma, first, portions[p]);
		}
	}
	free(deflated.data);
	free(lzma.data);
}

static bool inflate_to(const uint8_t *packed, size_t packed_size, size_t size, char *out, bool *ended)
{
	return bspi_inflate(&bspi_system_heap, (bspi_bytes){ packed, packed_size }, out, size, ended);
}

static void a_stream_ends_goes_on_or_is_damaged(void **state)
{
	(void)state;
	uint8_t packed[256];
	uLongf size = sizeof packed;
	char out[ROOM];
	bool ended;
	assert_int_equal(compress(packed, &size, (const Bytef *)verse, SIZE), Z_OK);
	assert_true(inflate_to(packed, size, SIZE, out, &ended) && ended);
	assert_memory_equal(out, verse, SIZE);
	memset(out, 0, sizeof out);
	assert_true(inflate_to(packed, size, SIZE / 2, out, &ended) && !ended);
	assert_memory_equal(out, verse, SIZE / 2);
	assert_false(inflate_to(packed, size, SIZE + 1, out, &ended));
	assert_false(inflate_to(packed, size / 2, SIZE, out, &ended));
	packed[0] ^= 0xff;
	assert_false(inflate_to(packed, size, SIZE, out, &ended));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_come_in_any_portions),
		cmocka_unit_test(a_stream_ends_goes_on_or_is_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
