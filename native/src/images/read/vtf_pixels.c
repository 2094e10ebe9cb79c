/* vtf_pixels.c - see vtf_pixels.h. Format numbers up to 29 mean the same in all branches of the engine. From 30 on, SDK
 * 2013 has depth buffers, which are never stored, then ATI2N and ATI1N. Branches since Alien Swarm have another list
 * from 30 on. Strata adds its own numbers from 69 on. */
#include "images/read/vtf_pixels.h"

#include <math.h>

#include "images/blocks/bptc.h"
#include "images/blocks/dxt.h"

/* How pixels are stored. The kinds from KIND_DXT on consist of blocks. */
typedef enum pixel_kind {
	KIND_UNREAD, KIND_BITS, KIND_BLUE_SCREEN, KIND_HALF, KIND_LINEAR16, KIND_FLOAT, KIND_DXT, KIND_BC7, KIND_BC6H,
	KIND_UNSIGNED_BC6H
} pixel_kind;

/* Position of a channel in a little-endian pixel. A channel with 0 bits is not stored. */
typedef struct channel {
	uint8_t shift, bits;
} channel;

struct bspi_vtf_format {
	uint8_t number;
	const char *name;
	pixel_kind kind;
	uint8_t size;                      /* bytes of a pixel, or of a block of 4 x 4 pixels */
	channel channels[4];               /* KIND_BITS: red, green, blue, alpha; other kinds: only whether alpha exists */
	bspi_dxt_kind blocks;
};

#define BYTES(r, g, b, a) { { r, 8 }, { g, 8 }, { b, 8 }, { a, 8 } }
#define OPAQUE_BYTES(r, g, b) { { r, 8 }, { g, 8 }, { b, 8 }, { 0, 0 } }

static const bspi_vtf_format formats[] = {
	{ 0, "RGBA8888", KIND_BITS, 4, BYTES(0, 8, 16, 24), 0 },
	{ 1, "ABGR8888", KIND_BITS, 4, BYTES(24, 16, 8, 0), 0 },
	{ 2, "RGB888", KIND_BITS, 3, OPAQUE_BYTES(0, 8, 16), 0 },
	{ 3, "BGR888", KIND_BITS, 3, OPAQUE_BYTES(16, 8, 0), 0 },
	{ 4, "RGB565", KIND_BITS, 2, { { 0, 5 }, { 5, 6 }, { 11, 5 }, { 0, 0 } }, 0 },
	{ 5, "I8", KIND_BITS, 1, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 6, "IA88", KIND_BITS, 2, BYTES(0, 0, 0, 8), 0 },
	{ 7, "P8", KIND_UNREAD, 1, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 8, "A8", KIND_BITS, 1, { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 8 } }, 0 },
	{ 9, "RGB888 with a blue screen", KIND_BLUE_SCREEN, 3, BYTES(0, 8, 16, 0), 0 },
	{ 10, "BGR888 with a blue screen", KIND_BLUE_SCREEN, 3, BYTES(16, 8, 0, 0), 0 },
	{ 11, "ARGB8888", KIND_BITS, 4, BYTES(8, 16, 24, 0), 0 },
	{ 12, "BGRA8888", KIND_BITS, 4, BYTES(16, 8, 0, 24), 0 },
	{ 13, "DXT1", KIND_DXT, 8, BYTES(0, 0, 0, 0), BSPI_DXT1 },
	{ 14, "DXT3", KIND_DXT, 16, BYTES(0, 0, 0, 0), BSPI_DXT3 },
	{ 15, "DXT5", KIND_DXT, 16, BYTES(0, 0, 0, 0), BSPI_DXT5 },
	{ 16, "BGRX8888", KIND_BITS, 4, OPAQUE_BYTES(16, 8, 0), 0 },
	{ 17, "BGR565", KIND_BITS, 2, { { 11, 5 }, { 5, 6 }, { 0, 5 }, { 0, 0 } }, 0 },
	{ 18, "BGRX5551", KIND_BITS, 2, { { 10, 5 }, { 5, 5 }, { 0, 5 }, { 0, 0 } }, 0 },
	{ 19, "BGRA4444", KIND_BITS, 2, { { 8, 4 }, { 4, 4 }, { 0, 4 }, { 12, 4 } }, 0 },
	{ 20, "DXT1 with one bit of alpha", KIND_DXT, 8, BYTES(0, 0, 0, 0), BSPI_DXT1 },
	{ 21, "BGRA5551", KIND_BITS, 2, { { 10, 5 }, { 5, 5 }, { 0, 5 }, { 15, 1 } }, 0 },
	{ 22, "UV88", KIND_BITS, 2, { { 0, 8 }, { 8, 8 }, { 0, 0 }, { 0, 0 } }, 0 },
	{ 23, "UVWQ8888", KIND_BITS, 4, BYTES(0, 8, 16, 24), 0 },
	{ 24, "RGBA16161616F", KIND_HALF, 8, BYTES(0, 0, 0, 0), 0 },
	{ 25, "RGBA16161616", KIND_LINEAR16, 8, BYTES(0, 0, 0, 0), 0 },
	{ 26, "UVLX8888", KIND_BITS, 4, OPAQUE_BYTES(0, 8, 16), 0 },
	{ 27, "R32F", KIND_FLOAT, 4, { { 0, 32 }, { 0, 0 }, { 0, 0 }, { 0, 0 } }, 0 },
	{ 28, "RGB323232F", KIND_FLOAT, 12, { { 0, 32 }, { 0, 32 }, { 0, 32 }, { 0, 0 } }, 0 },
	{ 29, "RGBA32323232F", KIND_FLOAT, 16, { { 0, 32 }, { 0, 32 }, { 0, 32 }, { 0, 32 } }, 0 },
	{ 30, "RG1616F", KIND_HALF, 4, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 31, "RG3232F", KIND_FLOAT, 8, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 32, "RGBX8888", KIND_BITS, 4, OPAQUE_BYTES(0, 8, 16), 0 },
	{ 34, "ATI2N", KIND_DXT, 16, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_TWO_SWAPPED },
	{ 35, "ATI1N", KIND_DXT, 8, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_ONE },
	{ 36, "RGBA1010102", KIND_BITS, 4, { { 0, 10 }, { 10, 10 }, { 20, 10 }, { 30, 2 } }, 0 },
	{ 37, "BGRA1010102", KIND_BITS, 4, { { 20, 10 }, { 10, 10 }, { 0, 10 }, { 30, 2 } }, 0 },
	{ 37, "ATI2N", KIND_DXT, 16, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_TWO_SWAPPED },
	{ 38, "R16F", KIND_HALF, 2, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 38, "ATI1N", KIND_DXT, 8, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_ONE },
	{ 69, "R8", KIND_BITS, 1, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 70, "BC7", KIND_BC7, 16, BYTES(0, 0, 0, 0), 0 },
	{ 71, "BC6H", KIND_BC6H, 16, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 72, "BC6H without signs", KIND_UNSIGNED_BC6H, 16, OPAQUE_BYTES(0, 0, 0), 0 },
	{ 72, "BC4", KIND_DXT, 8, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_ONE },
	{ 73, "BC5", KIND_DXT, 16, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_TWO },
	{ 74, "BC4", KIND_DXT, 8, OPAQUE_BYTES(0, 0, 0), BSPI_DXT_ONE },
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats, NUMBER_DXT1 = 13, BLOCK_SIDE = 4 };
/* RGBA16161616 stores light up to 16 times white. */
#define LINEAR16_RANGE 16.0f

const bspi_vtf_format *bspi_vtf_find_format(uint32_t number)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if (formats[i].number == number) return &formats[i];
	}
	return NULL;
}

const bspi_vtf_format *bspi_vtf_other_format(const bspi_vtf_format *format)
{
	const bspi_vtf_format *next = format + 1;
	return next < formats + FORMAT_COUNT && next->number == format->number ? next : NULL;
}

const char *bspi_vtf_format_name(const bspi_vtf_format *format) { return format->name; }

bool bspi_vtf_format_has_alpha(const bspi_vtf_format *format) { return format->channels[3].bits != 0; }

bool bspi_vtf_alpha_is_optional(const bspi_vtf_format *format) { return format->number == NUMBER_DXT1; }

bool bspi_vtf_format_is_read(const bspi_vtf_format *format)
{
	return format->kind != KIND_UNREAD;
}

uint64_t bspi_vtf_picture_size(const bspi_vtf_format *format, uint32_t width, uint32_t height)
{
	uint64_t columns = width, rows = height;
	if (format->kind >= KIND_DXT) {
		columns = (columns + BLOCK_SIDE - 1) / BLOCK_SIDE;
		rows = (rows + BLOCK_SIDE - 1) / BLOCK_SIDE;
	}
	return columns * rows * format->size;
}

/* ---- Integers --------------------------------------------------------------------------------------------- */

/* Reads a channel as 0..255. The value of a missing channel is `otherwise`. */
static uint8_t take_channel(uint32_t pixel, channel c, uint8_t otherwise)
{
	if (!c.bits) return otherwise;
	uint32_t most = (1u << c.bits) - 1, value = pixel >> c.shift & most;
	return (uint8_t)((value * 255 + most / 2) / most);
}

static void decode_bits(const bspi_vtf_format *format, const uint8_t *data, size_t count, uint8_t *out)
{
	bool alpha_only = !format->channels[0].bits;
	for (size_t i = 0; i < count; i++, data += format->size, out += 4) {
		uint32_t pixel = 0;
		for (uint32_t k = 0; k < format->size; k++) pixel |= (uint32_t)data[k] << 8 * k;
		for (int k = 0; k < 3; k++) out[k] = take_channel(pixel, format->channels[k], alpha_only ? 255 : 0);
		out[3] = take_channel(pixel, format->channels[3], 255);
	}
}

static void decode_blue_screen(const bspi_vtf_format *format, const uint8_t *data, size_t count, uint8_t *out)
{
	for (size_t i = 0; i < count; i++, data += format->size, out += 4) {
		for (int k = 0; k < 3; k++) out[k] = data[format->channels[k].shift / 8];
		bool through = !out[0] && !out[1] && out[2] == 255;
		if (through) out[2] = 0;
		out[3] = through ? 0 : 255;
	}
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

static uint8_t to_byte(float value)
{
	return value > 0 ? (uint8_t)(fminf(value, 1) * 255 + 0.5f) : 0; /* NaN is 0 */
}

static uint8_t light_to_byte(float linear)
{
	const float display_power = 1 / 2.2f;
	return linear > 0 ? to_byte((float)pow(linear, display_power)) : 0;
}

static void write_light(const float light[4], uint8_t out[4])
{
	for (int k = 0; k < 3; k++) out[k] = light_to_byte(light[k]);
	out[3] = to_byte(light[3]);
}

static void decode_linear16(const uint8_t *data, size_t count, uint8_t *out)
{
	for (size_t i = 0; i < count; i++, data += 8, out += 4) {
		float light[4];
		for (int k = 0; k < 4; k++) light[k] = (float)bspi_load_u16(data + 2 * k) / 65535;
		for (int k = 0; k < 3; k++) light[k] *= LINEAR16_RANGE;
		write_light(light, out);
	}
}

/* Decodes halves or floats. Missing channels are 0. If red is the only channel, the other colors are equal to red. */
static void decode_floats(const bspi_vtf_format *format, const uint8_t *data, size_t count, uint8_t *out)
{
	uint32_t size = format->kind == KIND_HALF ? 2 : 4, stored = format->size / size;
	for (size_t i = 0; i < count; i++, data += format->size, out += 4) {
		float light[4] = { 0, 0, 0, 1 };
		for (uint32_t k = 0; k < stored; k++) {
			light[k] = size == 2 ? bspi_half_to_float(bspi_load_u16(data + 2 * k)) : bspi_load_f32(data + 4 * k);
		}
		if (stored == 1) light[1] = light[2] = light[0];
		write_light(light, out);
	}
}

/* ---- Blocks ----------------------------------------------------------------------------------------------- */

enum { BLOCK_PIXELS = BLOCK_SIDE * BLOCK_SIDE };

static void decode_bc6h(bool is_signed, const uint8_t *block, uint8_t *rgba)
{
	uint16_t halves[3 * BLOCK_PIXELS];
	bspi_bc6h_decode(block, is_signed, halves);
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		float light[4] = { 0, 0, 0, 1 };
		for (int k = 0; k < 3; k++) light[k] = bspi_half_to_float(halves[3 * i + k]);
		write_light(light, rgba + 4 * i);
	}
}

static void decode_block(const bspi_vtf_format *format, const uint8_t *block, uint8_t *rgba)
{
	switch (format->kind) {
	case KIND_DXT: bspi_dxt_decode_shown(format->blocks, block, rgba); break;
	case KIND_BC7: bspi_bc7_decode(block, rgba); break;
	case KIND_BC6H: decode_bc6h(true, block, rgba); break;
	case KIND_UNSIGNED_BC6H: decode_bc6h(false, block, rgba); break;
	default: break;
	}
}

static void decode_blocks(const bspi_vtf_format *format, const uint8_t *block, bspscene_pixels *out)
{
	uint8_t pixels[4 * BLOCK_PIXELS] = { 0 };
	for (uint32_t top = 0; top < out->height; top += BLOCK_SIDE) {
		for (uint32_t left = 0; left < out->width; left += BLOCK_SIDE, block += format->size) {
			uint32_t columns = out->width - left, rows = out->height - top;
			if (columns > BLOCK_SIDE) columns = BLOCK_SIDE;
			if (rows > BLOCK_SIDE) rows = BLOCK_SIDE;
			decode_block(format, block, pixels);
			for (uint32_t row = 0; row < rows; row++) {
				uint8_t *to = out->data + 4 * ((size_t)(top + row) * out->width + left);
				memcpy(to, pixels + (size_t)4 * BLOCK_SIDE * row, (size_t)4 * columns);
			}
		}
	}
}

void bspi_vtf_decode_pixels(const bspi_vtf_format *format, const uint8_t *data, bool alpha, bspscene_pixels *out)
{
	size_t count = (size_t)out->width * out->height;
	switch (format->kind) {
	case KIND_BITS: decode_bits(format, data, count, out->data); break;
	case KIND_BLUE_SCREEN: decode_blue_screen(format, data, count, out->data); break;
	case KIND_LINEAR16: decode_linear16(data, count, out->data); break;
	case KIND_HALF:
	case KIND_FLOAT: decode_floats(format, data, count, out->data); break;
	case KIND_DXT:
	case KIND_BC7:
	case KIND_BC6H:
	case KIND_UNSIGNED_BC6H: decode_blocks(format, data, out); break;
	case KIND_UNREAD: break;
	}
	for (size_t i = 0; !alpha && i < count; i++) out->data[4 * i + 3] = 255;
}
