/* test_dxt.c - blocks of DXT decode to the pixels that libsquish 1.15 makes of them, to the last bit. Any bytes are a
 * valid block, so blocks are random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/binding.h>

#include "images/blocks/dxt.h"

enum { BLOCKS = 65536, BLOCK_SIZE = 16, PIXELS_SIZE = 64 };

/* Makes a block whose first two bytes are the index, so that all pairs of bytes occur. These pairs cover all values of
 * a channel and nearly all colors. The other bytes are random. */
static void make_block(uint32_t index, uint64_t *noise, uint8_t block[BLOCK_SIZE])
{
	for (int i = 0; i < BLOCK_SIZE; i++) {
		*noise = *noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		block[i] = (uint8_t)(*noise >> 56);
	}
	block[0] = (uint8_t)index;
	block[1] = (uint8_t)(index >> 8);
}

static void all_kinds_are_as_libsquish_has_them(void **state)
{
	static const char *const hashes[] = {
		[BSPI_DXT1] = "3e134a54f4aa19942f8c7cd5988a25d74900bd29f8907318ed5a4f7988f0c7f2",
		[BSPI_DXT3] = "b306ee1dbdde3ccde0fd64312888bdea8b5fc4a4458c250c244df8f3cad4a687",
		[BSPI_DXT5] = "a316b2e0fd285b2656298bfef091ed3d534b1ce357715bc982262ba1a7607fc0",
		[BSPI_DXT_ONE] = "c3a0b5861e24041f16e37837b20a48a63677e5aa1bc3d00758fab0eaa3475486",
		[BSPI_DXT_TWO] = "f23f284b535232607d3d70f8eae9980660a01bb4b8003d34be820e2af67eb516",
		[BSPI_DXT_TWO_SWAPPED] = "acf869c45ea6bcd21236f5dd26e7a0d71394fe3f90fb64e714d492d25b6346c0",
	};
	uint8_t *pixels = malloc((size_t)BLOCKS * PIXELS_SIZE);
	(void)state;
	assert_non_null(pixels);
	for (int kind = BSPI_DXT1; kind <= BSPI_DXT_TWO_SWAPPED; kind++) {
		uint8_t block[BLOCK_SIZE];
		uint64_t noise = 1;
		char hash[65];
		for (uint32_t i = 0; i < BLOCKS; i++) {
			make_block(i, &noise, block);
			bspi_dxt_decode((bspi_dxt_kind)kind, block, pixels + (size_t)i * PIXELS_SIZE);
		}
		bspscene_hash_bytes(pixels, (size_t)BLOCKS * PIXELS_SIZE, hash);
		if (strcmp(hash, hashes[kind])) fail_msg("kind %d: %s", kind, hash);
	}
	free(pixels);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_kinds_are_as_libsquish_has_them) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
