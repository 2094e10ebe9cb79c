/* bptc.c - see bptc.h. A block has up to three pairs of endpoints, and a partition that assigns one of the pairs to
 * each pixel. Each pixel has an index that selects a value between the endpoints of its pair. Modes differ in the
 * number of bits of each part. The tables are those of the Khronos Data Format Specification, chapters "BPTC Compressed
 * Texture Image Formats". */
#include "images/blocks/bptc.h"

#include "base/bytes.h"

enum { PIXELS = BSPI_BPTC_PIXELS };

/* ---- Shared by both formats ------------------------------------------------------------------------------- */

/* The bits of a block that are not read yet. The next one is the lowest. */
typedef struct bits {
	uint64_t low, high;
} bits;

static bits bits_of(const uint8_t block[BSPI_BPTC_SIZE])
{
	return (bits){
		bspi_load_u32(block) | (uint64_t)bspi_load_u32(block + 4) << 32,
		bspi_load_u32(block + 8) | (uint64_t)bspi_load_u32(block + 12) << 32,
	};
}

static uint32_t take(bits *b, uint32_t count)
{
	if (!count) return 0;
	uint32_t value = (uint32_t)(b->low & ((UINT64_C(1) << count) - 1));
	b->low = b->low >> count | b->high << (64 - count);
	b->high >>= count;
	return value;
}

/* Partitions of a block into two pairs of endpoints. Bit i of a partition is the number of pixel i's pair. */
static const uint16_t halves[64] = {
	0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00,
	0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c,
	0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8,
	0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
	0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

/* Partitions of a block into three pairs of endpoints. Bits 2i and 2i + 1 of a partition are the number of pixel i's
 * pair. */
static const uint32_t thirds[64] = {
	0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
	0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
	0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
	0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
	0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
	0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
	0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
	0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* Anchors. Each pair has one pixel whose index is stored without its highest bit, because this bit is 0. For the first
 * pair it is pixel 0. */
static const uint8_t anchor_of_half[64] = {
	15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
	15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
};
static const uint8_t anchor_of_second_third[64] = {
	3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
	8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
};
static const uint8_t anchor_of_last_third[64] = {
	15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
	15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
};

static uint32_t pair_of(uint32_t pairs, uint32_t partition, uint32_t pixel)
{
	if (pairs == 2) return halves[partition] >> pixel & 1;
	return pairs == 3 ? thirds[partition] >> 2 * pixel & 3 : 0;
}

static bool is_anchor(uint32_t pairs, uint32_t partition, uint32_t pixel)
{
	if (!pixel) return true;
	if (pairs == 2) return pixel == anchor_of_half[partition];
	return pairs == 3 && (pixel == anchor_of_second_third[partition] || pixel == anchor_of_last_third[partition]);
}

/* For each index, the weight of the second endpoint, in 1/64. */
static const uint8_t weights_of_2_bits[] = { 0, 21, 43, 64 };
static const uint8_t weights_of_3_bits[] = { 0, 9, 18, 27, 37, 46, 55, 64 };
static const uint8_t weights_of_4_bits[] = { 0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64 };

static void take_weights(bits *b, uint32_t pairs, uint32_t partition, uint32_t index_bits, uint8_t out[PIXELS])
{
	const uint8_t *weights = weights_of_4_bits;
	if (index_bits == 2) weights = weights_of_2_bits;
	if (index_bits == 3) weights = weights_of_3_bits;
	for (uint32_t i = 0; i < PIXELS; i++) out[i] = weights[take(b, index_bits - is_anchor(pairs, partition, i))];
}

static int32_t mix(int32_t first, int32_t second, int32_t weight)
{
	return (first * (64 - weight) + second * weight + 32) >> 6;
}

/* ---- BC7 -------------------------------------------------------------------------------------------------- */

/* Numbers of bits in a mode of BC7. A low bit is shared by all channels of an endpoint (own_low_bits) or of both
 * endpoints of a pair (shared_low_bits). */
typedef struct bc7_mode {
	uint8_t pairs, partition_bits, rotation_bits, swap_bits, color_bits, alpha_bits, own_low_bits, shared_low_bits,
		index_bits, second_index_bits;
} bc7_mode;

/* The number of zero bits before the first one bit of a block is its mode. */
static const bc7_mode bc7_modes[8] = {
	{ 3, 4, 0, 0, 4, 0, 1, 0, 3, 0 }, { 2, 6, 0, 0, 6, 0, 0, 1, 3, 0 }, { 3, 6, 0, 0, 5, 0, 0, 0, 2, 0 },
	{ 2, 6, 0, 0, 7, 0, 1, 0, 2, 0 }, { 1, 0, 2, 1, 5, 6, 0, 0, 2, 3 }, { 1, 0, 2, 0, 7, 8, 0, 0, 2, 2 },
	{ 1, 0, 0, 0, 7, 7, 1, 0, 4, 0 }, { 2, 6, 0, 0, 5, 5, 1, 0, 2, 0 },
};

static const bc7_mode *take_bc7_mode(bits *b)
{
	for (uint32_t i = 0; i < 8; i++) {
		if (take(b, 1)) return &bc7_modes[i];
	}
	return NULL;
}

/* Expands a value to 8 bits. Repeats its highest bits in the low ones. */
static uint8_t widen(uint32_t value, uint32_t bit_count)
{
	value <<= 8 - bit_count;
	return (uint8_t)(value | value >> bit_count);
}

static void take_bc7_endpoints(bits *b, const bc7_mode *mode, uint8_t endpoints[6][4])
{
	uint32_t count = 2u * mode->pairs, low_bits = mode->own_low_bits + mode->shared_low_bits, low = 0;
	for (uint32_t k = 0; k < 4; k++) {
		uint32_t stored = k < 3 ? mode->color_bits : mode->alpha_bits;
		for (uint32_t i = 0; i < count; i++) endpoints[i][k] = (uint8_t)take(b, stored);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (mode->own_low_bits || !(i & 1)) low = take(b, low_bits);
		for (uint32_t k = 0; k < 4; k++) {
			uint32_t stored = k < 3 ? mode->color_bits : mode->alpha_bits;
			endpoints[i][k] = stored ? widen((uint32_t)endpoints[i][k] << low_bits | low, stored + low_bits) : 255;
		}
	}
}

void bspi_bc7_decode(const uint8_t block[BSPI_BPTC_SIZE], uint8_t rgba[4 * PIXELS])
{
	bits b = bits_of(block);
	const bc7_mode *mode = take_bc7_mode(&b);
	uint8_t endpoints[6][4], weights[2][PIXELS];
	if (!mode) {
		memset(rgba, 0, 4 * PIXELS);
		return;
	}
	uint32_t partition = take(&b, mode->partition_bits);
	uint32_t rotation = take(&b, mode->rotation_bits), swap = take(&b, mode->swap_bits);
	take_bc7_endpoints(&b, mode, endpoints);
	take_weights(&b, mode->pairs, partition, mode->index_bits, weights[0]);
	if (mode->second_index_bits) take_weights(&b, 1, 0, mode->second_index_bits, weights[1]);
	const uint8_t *color = weights[swap], *alpha = weights[mode->second_index_bits ? !swap : 0];
	for (uint32_t i = 0; i < PIXELS; i++, rgba += 4) {
		const uint8_t (*ends)[4] = (const uint8_t (*)[4])endpoints + 2 * pair_of(mode->pairs, partition, i);
		for (int k = 0; k < 3; k++) rgba[k] = (uint8_t)mix(ends[0][k], ends[1][k], color[i]);
		rgba[3] = (uint8_t)mix(ends[0][3], ends[1][3], alpha[i]);
		if (!rotation) continue;
		/* Rotation swaps one color channel with alpha, because alpha has more precision. */
		uint8_t opacity = rgba[rotation - 1];
		rgba[rotation - 1] = rgba[3];
		rgba[3] = opacity;
	}
}

/* ---- BC6H ------------------------------------------------------------------------------------------------- */

/* Red, green and blue of each of the four endpoints. */
enum { R0, G0, B0, R1, G1, B1, R2, G2, B2, R3, G3, B3, CHANNELS };

/* The meaning of the next bits of a block: they are `count` bits of a channel, from bit `lowest` up. */
typedef struct piece {
	uint8_t channel, lowest, count;
} piece;

enum { MOST_PIECES = 24 };

typedef struct bc6h_mode {
	uint8_t number, pairs;
	bool differences;                  /* true: the other endpoints are stored as differences from the first */
	uint8_t bit_count, further_bits[3];
	piece pieces[MOST_PIECES];
} bc6h_mode;

static const bc6h_mode bc6h_modes[] = {
	{ 0, 2, true, 10, { 5, 5, 5 }, {
		{ G2, 4, 1 }, { B2, 4, 1 }, { B3, 4, 1 }, { R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 5 },
		{ G3, 4, 1 }, { G2, 0, 4 }, { G1, 0, 5 }, { B3, 0, 1 }, { G3, 0, 4 }, { B1, 0, 5 }, { B3, 1, 1 }, { B2, 0, 4 },
		{ R2, 0, 5 }, { B3, 2, 1 }, { R3, 0, 5 }, { B3, 3, 1 } } },
	{ 1, 2, true, 7, { 6, 6, 6 }, {
		{ G2, 5, 1 }, { G3, 4, 2 }, { R0, 0, 7 }, { B3, 0, 2 }, { B2, 4, 1 }, { G0, 0, 7 }, { B2, 5, 1 }, { B3, 2, 1 },
		{ G2, 4, 1 }, { B0, 0, 7 }, { B3, 3, 1 }, { B3, 5, 1 }, { B3, 4, 1 }, { R1, 0, 6 }, { G2, 0, 4 }, { G1, 0, 6 },
		{ G3, 0, 4 }, { B1, 0, 6 }, { B2, 0, 4 }, { R2, 0, 6 }, { R3, 0, 6 } } },
	{ 2, 2, true, 11, { 5, 4, 4 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 5 }, { R0, 10, 1 }, { G2, 0, 4 }, { G1, 0, 4 },
		{ G0, 10, 1 }, { B3, 0, 1 }, { G3, 0, 4 }, { B1, 0, 4 }, { B0, 10, 1 }, { B3, 1, 1 }, { B2, 0, 4 },
		{ R2, 0, 5 }, { B3, 2, 1 }, { R3, 0, 5 }, { B3, 3, 1 } } },
	{ 6, 2, true, 11, { 4, 5, 4 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 4 }, { R0, 10, 1 }, { G3, 4, 1 }, { G2, 0, 4 },
		{ G1, 0, 5 }, { G0, 10, 1 }, { G3, 0, 4 }, { B1, 0, 4 }, { B0, 10, 1 }, { B3, 1, 1 }, { B2, 0, 4 },
		{ R2, 0, 4 }, { B3, 0, 1 }, { B3, 2, 1 }, { R3, 0, 4 }, { G2, 4, 1 }, { B3, 3, 1 } } },
	{ 10, 2, true, 11, { 4, 4, 5 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 4 }, { R0, 10, 1 }, { B2, 4, 1 }, { G2, 0, 4 },
		{ G1, 0, 4 }, { G0, 10, 1 }, { B3, 0, 1 }, { G3, 0, 4 }, { B1, 0, 5 }, { B0, 10, 1 }, { B2, 0, 4 },
		{ R2, 0, 4 }, { B3, 1, 2 }, { R3, 0, 4 }, { B3, 4, 1 }, { B3, 3, 1 } } },
	{ 14, 2, true, 9, { 5, 5, 5 }, {
		{ R0, 0, 9 }, { B2, 4, 1 }, { G0, 0, 9 }, { G2, 4, 1 }, { B0, 0, 9 }, { B3, 4, 1 }, { R1, 0, 5 }, { G3, 4, 1 },
		{ G2, 0, 4 }, { G1, 0, 5 }, { B3, 0, 1 }, { G3, 0, 4 }, { B1, 0, 5 }, { B3, 1, 1 }, { B2, 0, 4 }, { R2, 0, 5 },
		{ B3, 2, 1 }, { R3, 0, 5 }, { B3, 3, 1 } } },
	{ 18, 2, true, 8, { 6, 5, 5 }, {
		{ R0, 0, 8 }, { G3, 4, 1 }, { B2, 4, 1 }, { G0, 0, 8 }, { B3, 2, 1 }, { G2, 4, 1 }, { B0, 0, 8 }, { B3, 3, 2 },
		{ R1, 0, 6 }, { G2, 0, 4 }, { G1, 0, 5 }, { B3, 0, 1 }, { G3, 0, 4 }, { B1, 0, 5 }, { B3, 1, 1 }, { B2, 0, 4 },
		{ R2, 0, 6 }, { R3, 0, 6 } } },
	{ 22, 2, true, 8, { 5, 6, 5 }, {
		{ R0, 0, 8 }, { B3, 0, 1 }, { B2, 4, 1 }, { G0, 0, 8 }, { G2, 5, 1 }, { G2, 4, 1 }, { B0, 0, 8 }, { G3, 5, 1 },
		{ B3, 4, 1 }, { R1, 0, 5 }, { G3, 4, 1 }, { G2, 0, 4 }, { G1, 0, 6 }, { G3, 0, 4 }, { B1, 0, 5 }, { B3, 1, 1 },
		{ B2, 0, 4 }, { R2, 0, 5 }, { B3, 2, 1 }, { R3, 0, 5 }, { B3, 3, 1 } } },
	{ 26, 2, true, 8, { 5, 5, 6 }, {
		{ R0, 0, 8 }, { B3, 1, 1 }, { B2, 4, 1 }, { G0, 0, 8 }, { B2, 5, 1 }, { G2, 4, 1 }, { B0, 0, 8 }, { B3, 5, 1 },
		{ B3, 4, 1 }, { R1, 0, 5 }, { G3, 4, 1 }, { G2, 0, 4 }, { G1, 0, 5 }, { B3, 0, 1 }, { G3, 0, 4 }, { B1, 0, 6 },
		{ B2, 0, 4 }, { R2, 0, 5 }, { B3, 2, 1 }, { R3, 0, 5 }, { B3, 3, 1 } } },
	{ 30, 2, false, 6, { 6, 6, 6 }, {
		{ R0, 0, 6 }, { G3, 4, 1 }, { B3, 0, 2 }, { B2, 4, 1 }, { G0, 0, 6 }, { G2, 5, 1 }, { B2, 5, 1 }, { B3, 2, 1 },
		{ G2, 4, 1 }, { B0, 0, 6 }, { G3, 5, 1 }, { B3, 3, 1 }, { B3, 5, 1 }, { B3, 4, 1 }, { R1, 0, 6 }, { G2, 0, 4 },
		{ G1, 0, 6 }, { G3, 0, 4 }, { B1, 0, 6 }, { B2, 0, 4 }, { R2, 0, 6 }, { R3, 0, 6 } } },
	{ 3, 1, false, 10, { 10, 10, 10 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 10 }, { G1, 0, 10 }, { B1, 0, 10 } } },
	{ 7, 1, true, 11, { 9, 9, 9 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 9 }, { R0, 10, 1 }, { G1, 0, 9 }, { G0, 10, 1 },
		{ B1, 0, 9 }, { B0, 10, 1 } } },
	/* In the following two modes, the highest bits of the first endpoint are stored in reverse order. */
	{ 11, 1, true, 12, { 8, 8, 8 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 8 }, { R0, 11, 1 }, { R0, 10, 1 }, { G1, 0, 8 },
		{ G0, 11, 1 }, { G0, 10, 1 }, { B1, 0, 8 }, { B0, 11, 1 }, { B0, 10, 1 } } },
	{ 15, 1, true, 16, { 4, 4, 4 }, {
		{ R0, 0, 10 }, { G0, 0, 10 }, { B0, 0, 10 }, { R1, 0, 4 }, { R0, 15, 1 }, { R0, 14, 1 }, { R0, 13, 1 },
		{ R0, 12, 1 }, { R0, 11, 1 }, { R0, 10, 1 }, { G1, 0, 4 }, { G0, 15, 1 }, { G0, 14, 1 }, { G0, 13, 1 },
		{ G0, 12, 1 }, { G0, 11, 1 }, { G0, 10, 1 }, { B1, 0, 4 }, { B0, 15, 1 }, { B0, 14, 1 }, { B0, 13, 1 },
		{ B0, 12, 1 }, { B0, 11, 1 }, { B0, 10, 1 } } },
};

/* Reads the mode of a block. Its number has two bits; if these are larger than 1, three more follow. */
static const bc6h_mode *take_bc6h_mode(bits *b)
{
	uint32_t number = take(b, 2);
	if (number > 1) number |= take(b, 3) << 2;
	for (size_t i = 0; i < sizeof bc6h_modes / sizeof *bc6h_modes; i++) {
		if (bc6h_modes[i].number == number) return &bc6h_modes[i];
	}
	return NULL;
}

static int32_t extend_sign(int32_t value, uint32_t bit_count)
{
	int32_t sign = (int32_t)(1u << (bit_count - 1));
	return (value ^ sign) - sign;
}

static void take_bc6h_endpoints(bits *b, const bc6h_mode *mode, bool is_signed, int32_t out[CHANNELS])
{
	for (int i = 0; i < CHANNELS; i++) out[i] = 0;
	for (const piece *p = mode->pieces; p < mode->pieces + MOST_PIECES && p->count; p++) {
		out[p->channel] |= (int32_t)(take(b, p->count) << p->lowest);
	}
	for (int i = 0; i < 6 * mode->pairs; i++) {
		if (i >= R1 && mode->differences) {
			int32_t sum = out[i % 3] + extend_sign(out[i], mode->further_bits[i % 3]);
			out[i] = sum & (int32_t)((1u << mode->bit_count) - 1);
		}
		if (is_signed) out[i] = extend_sign(out[i], mode->bit_count);
	}
}

/* Expands a value to 16 bits. The smallest and the largest values become exactly 0 and 0xffff. */
static int32_t spread_unsigned(int32_t value, uint32_t bit_count)
{
	if (bit_count >= 15 || !value) return value;
	if (value == (int32_t)(1u << bit_count) - 1) return 0xffff;
	return ((value << 16) + 0x8000) >> bit_count;
}

static int32_t spread_signed(int32_t value, uint32_t bit_count)
{
	if (bit_count >= 16 || !value) return value;
	int32_t size = value < 0 ? -value : value, most = (int32_t)(1u << (bit_count - 1)) - 1;
	size = size >= most ? 0x7fff : ((size << 15) + 0x4000) >> (bit_count - 1);
	return value < 0 ? -size : size;
}

/* Converts an interpolated value to a half float. Values were interpolated as integers that stand for the bits of half
 * floats, which is nearly logarithmic. The factor 31 / 32 or 31 / 64 keeps the result below infinity. */
static uint16_t finish_half(int32_t value, bool is_signed)
{
	int32_t size = (value < 0 ? -value : value) * 31 >> (is_signed ? 5 : 6);
	return (uint16_t)(value < 0 && size ? 0x8000 | size : size);
}

void bspi_bc6h_decode(const uint8_t block[BSPI_BPTC_SIZE], bool is_signed, uint16_t rgb[3 * PIXELS])
{
	bits b = bits_of(block);
	const bc6h_mode *mode = take_bc6h_mode(&b);
	int32_t endpoints[CHANNELS];
	uint8_t weights[PIXELS];
	if (!mode) {
		memset(rgb, 0, 3 * PIXELS * sizeof *rgb);
		return;
	}
	take_bc6h_endpoints(&b, mode, is_signed, endpoints);
	for (int i = 0; i < CHANNELS; i++) {
		int32_t value = endpoints[i];
		endpoints[i] = is_signed ? spread_signed(value, mode->bit_count) : spread_unsigned(value, mode->bit_count);
	}
	bool two = mode->pairs == 2;
	uint32_t partition = take(&b, two ? 5 : 0);
	take_weights(&b, mode->pairs, partition, two ? 3 : 4, weights);
	for (uint32_t i = 0; i < PIXELS; i++, rgb += 3) {
		const int32_t *ends = endpoints + 6 * pair_of(mode->pairs, partition, i);
		for (int k = 0; k < 3; k++) rgb[k] = finish_half(mix(ends[k], ends[3 + k], weights[i]), is_signed);
	}
}
