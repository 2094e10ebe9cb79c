/* test_bptc.c - blocks of BC7 and BC6H in every mode and partition decode as by other decoders. The checksums are those
 * of vtfpp 2026.9; Pillow 9.4 agrees, except for signed BC6H. tests/peers compares more blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "images/blocks/bptc.h"
#include "images/images.h"
#include "support/bspt.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { BLOCKS = 512, SIZE = BSPI_BPTC_SIZE, PIXELS = BSPI_BPTC_PIXELS };

/* Makes pseudo-random blocks of one mode. */
static void make_blocks(uint8_t blocks[BLOCKS][SIZE], uint32_t number, uint32_t bit_count)
{
	uint32_t state = number + 1;
	for (int i = 0; i < BLOCKS; i++) {
		for (int k = 0; k < SIZE; k++) blocks[i][k] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
		blocks[i][0] = (uint8_t)((blocks[i][0] & ~((1u << bit_count) - 1)) | number);
	}
}

static void every_mode_of_bc7(void **state)
{
	(void)state;
	/* Expected checksums of the pixels, by mode. */
	static const uint32_t want[8] = {
		0xba1796b3, 0x2d1ada72, 0x95ef04b5, 0x3294e279, 0xf0f17b45, 0x476b8569, 0xca7eed8a, 0xd6e9df08,
	};
	static uint8_t blocks[BLOCKS][SIZE];
	for (uint32_t mode = 0; mode < 8; mode++) {
		uLong sum = crc32(0, NULL, 0);
		make_blocks(blocks, 1u << mode, mode + 1);
		for (int i = 0; i < BLOCKS; i++) {
			uint8_t pixels[4 * PIXELS];
			bspi_bc7_decode(blocks[i], pixels);
			sum = crc32(sum, pixels, sizeof pixels);
		}
		if (sum != want[mode]) fail_msg("mode %u gives 0x%08lx", mode, sum);
	}
}

static void every_mode_of_bc6h(void **state)
{
	(void)state;
	/* Checksums of the decoded half floats in little-endian order. Each mode of BC6H is decoded as unsigned and then as
	 * signed values. */
	static const struct { uint32_t number, bit_count, want[2]; } cases[] = {
		{ 0, 2, { 0xb8c6392c, 0x19aa95ed } },   { 1, 2, { 0x488a6ac4, 0x43b135e4 } },
		{ 2, 5, { 0x820a16e2, 0x79f8049e } },   { 6, 5, { 0x08b70a90, 0x88be0703 } },
		{ 10, 5, { 0x5ee7eeff, 0x8d8ead86 } },  { 14, 5, { 0xe955d048, 0x6ad70881 } },
		{ 18, 5, { 0x254a2bfe, 0xeeb8339f } },  { 22, 5, { 0x0fe83437, 0x98b64b3c } },
		{ 26, 5, { 0xf103fd77, 0x8e527d96 } },  { 30, 5, { 0x762594f5, 0xbeef75f8 } },
		{ 3, 5, { 0x405bed52, 0x3ad14436 } },   { 7, 5, { 0x67df9d77, 0x0e0510f1 } },
		{ 11, 5, { 0xe9560df7, 0x1331228b } },  { 15, 5, { 0x9eb544cb, 0x024a4166 } },
	};
	static uint8_t blocks[BLOCKS][SIZE];
	for (size_t c = 0; c < 2 * COUNT(cases); c++) {
		bool is_signed = c % 2;
		uLong sum = crc32(0, NULL, 0);
		make_blocks(blocks, cases[c / 2].number, cases[c / 2].bit_count);
		for (int i = 0; i < BLOCKS; i++) {
			uint16_t halves[3 * PIXELS];
			bspi_bc6h_decode(blocks[i], is_signed, halves);
			for (size_t k = 0; k < COUNT(halves); k++) {
				uint8_t bytes[2] = { (uint8_t)halves[k], (uint8_t)(halves[k] >> 8) };
				sum = crc32(sum, bytes, 2);
				assert_true((halves[k] & 0x7fff) < 0x7c00);
			}
		}
		if (sum == cases[c / 2].want[is_signed]) continue;
		fail_msg("mode %u, signs %d gives 0x%08lx", cases[c / 2].number, is_signed, sum);
	}
}

/* Blocks whose five mode bits are reserved, and BC7 blocks whose first byte is 0, decode to zeros. */
static void reserved_modes_are_zero(void **state)
{
	(void)state;
	static const uint8_t numbers[] = { 0x13, 0x17, 0x1b, 0x1f };
	uint8_t block[SIZE], pixels[4 * PIXELS], nothing[6 * PIXELS] = { 0 };
	uint16_t halves[3 * PIXELS];
	memset(block, 0xff, sizeof block);
	memset(pixels, 0xee, sizeof pixels);
	block[0] = 0;
	bspi_bc7_decode(block, pixels);
	assert_memory_equal(pixels, nothing, sizeof pixels);
	for (size_t i = 0; i < 2 * COUNT(numbers); i++) {
		block[0] = (uint8_t)(0xe0 | numbers[i / 2]);
		memset(halves, 0xee, sizeof halves);
		bspi_bc6h_decode(block, i % 2, halves);
		assert_memory_equal(halves, nothing, sizeof halves);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mode_of_bc7),
		cmocka_unit_test(every_mode_of_bc6h),
		cmocka_unit_test(reserved_modes_are_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
