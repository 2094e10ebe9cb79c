/* console_vtf.c - see console_vtf.h. The header is big-endian and shorter than that of a PC's VTF. The image is one
 * part of the file. It is compressed by LZMA if that makes it smaller. Its bytes are in the order of the console's
 * graphics chip. Bytes are swapped in units of two in compressed blocks, and in units of four in most 32-bit pixels
 * (docs/formats/source-files.md, "VTF of consoles"). */
#include "materials/vtf/console_vtf.h"

#include "images/read/vtf_pixels.h"
#include "io/lzma.h"

enum {
	FLAGS_AT = 16, WIDTH_AT = 20, HEIGHT_AT = 22, DEPTH_AT = 24, FRAMES_AT = 26, PART_COUNT_AT = 31,
	REFLECTIVITY_AT = 32, BUMP_SCALE_AT = 44, FORMAT_AT = 48, PARTS_AT = 60, PARTS_OF_VTF3_AT = 64, PART_SIZE = 8,
	MOST_LEVELS = 16, SIDES = 6, PC_HEAD = 80
};
#define XBOX360 0x360u
#define PS3 0x333u
#define MINOR 8u
#define PART_IMAGE 0x30u
#define FLAG_ONE_LEVEL 0x100u
#define FLAG_ENVIRONMENT 0x4000u
/* Bytes. 4096 x 4096 pixels with all mipmaps need 90 MB. */
#define LARGEST_TEXTURE (256u << 20)

typedef struct console_vtf {
	bool ps3;
	bool from_the_largest;             /* true: each face has all its mipmaps, the largest first; false: each mipmap
	                                    * has all its faces, the smallest mipmap first */
	uint32_t flags, width, height, depth, frames, faces, levels, number;
	const bspi_vtf_format *format;
	bspi_bytes image;                  /* the image, and everything after it in the file */
} console_vtf;

static uint32_t big_u16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }

static uint32_t big_u32(const uint8_t *p) { return big_u16(p) << 16 | big_u16(p + 2); }

static uint32_t side_of_level(uint32_t side, uint32_t level) { return side >> level ? side >> level : 1; }

static bool refuse(const char **why, const char *reason)
{
	*why = reason;
	return false;
}

bool bspi_is_console_vtf(bspi_bytes file)
{
	return file.size >= 4 && (!memcmp(file.data, "VTFX", 4) || !memcmp(file.data, "VTF3", 4));
}

/* ---- Header ----------------------------------------------------------------------------------------------- */

/* Finds the part with the image. All fields of the file are big-endian, except the tags of the parts. */
static bool find_image(bspi_bytes file, uint64_t parts_at, bspi_bytes *out)
{
	for (uint32_t i = 0; i < file.data[PART_COUNT_AT]; i++) {
		bspi_bytes part;
		if (!bspi_slice(file, parts_at + (uint64_t)PART_SIZE * i, PART_SIZE, &part)) return false;
		uint32_t at = big_u32(part.data + 4);
		if ((bspi_load_u32(part.data) & 0xffffff) != PART_IMAGE) continue;
		return at <= file.size && bspi_slice(file, at, file.size - at, out);
	}
	return false;
}

/* Returns the number of mipmaps. It is not stored, but follows from a flag: either one, or all down to 1 x 1. */
static uint32_t count_levels(const console_vtf *v)
{
	uint32_t largest = v->width > v->height ? v->width : v->height, count = 1;
	if (v->flags & FLAG_ONE_LEVEL) return 1;
	if (v->depth > largest) largest = v->depth;
	while (largest >> count) count++;
	return count;
}

static bool read_head(bspi_bytes file, console_vtf *out, const char **why)
{
	const uint8_t *p = file.data;
	if (file.size < PARTS_OF_VTF3_AT) return refuse(why, "the file ends in its header");
	uint32_t console = big_u32(p + 4);
	if ((console != XBOX360 && console != PS3) || big_u32(p + 8) != MINOR) {
		return refuse(why, "it is for an unknown console, or its version is not 8");
	}
	*out = (console_vtf){
		.ps3 = console == PS3, .from_the_largest = console == PS3 && p[3] == 'X', .flags = big_u32(p + FLAGS_AT),
		.width = big_u16(p + WIDTH_AT), .height = big_u16(p + HEIGHT_AT), .depth = big_u16(p + DEPTH_AT),
		.frames = big_u16(p + FRAMES_AT), .number = big_u32(p + FORMAT_AT),
	};
	out->faces = out->flags & FLAG_ENVIRONMENT ? SIDES : 1;
	out->levels = count_levels(out);
	/* Versions before 7.5 number these block formats with one or two channels differently. */
	if (out->number == 37 || out->number == 38) out->number -= 3;
	out->format = bspi_vtf_find_format(out->number);
	if (!out->format) return refuse(why, "its pixel format is unknown");
	if (!out->width || !out->height || !out->depth || !out->frames || out->levels > MOST_LEVELS) {
		return refuse(why, "its size is not possible");
	}
	return find_image(file, p[3] == '3' ? PARTS_OF_VTF3_AT : PARTS_AT, &out->image) ||
	       refuse(why, "it has no picture in it");
}

/* ---- Image ------------------------------------------------------------------------------------------------ */

static uint64_t face_size(const console_vtf *v, uint32_t level)
{
	uint32_t width = side_of_level(v->width, level), height = side_of_level(v->height, level);
	uint64_t picture = bspi_vtf_picture_size(v->format, width, height);
	return side_of_level(v->depth, level) * picture;
}

/* Returns the size of all mipmaps in bytes, but at most the largest allowed size plus 1. */
static uint64_t whole_size(const console_vtf *v)
{
	uint64_t faces = (uint64_t)v->frames * v->faces, size = 0;
	for (uint32_t level = 0; level < v->levels && size <= LARGEST_TEXTURE; level++) {
		uint64_t face = face_size(v, level);
		size = face > LARGEST_TEXTURE ? face : size + faces * face;
	}
	return size > LARGEST_TEXTURE ? LARGEST_TEXTURE + 1 : size;
}

static bool is_in_blocks(uint32_t number) { return number >= 13 && number <= 15; }

/* Returns the size in bytes of the units in which the Xbox swaps bytes. Sizes of images are multiples of it. */
static uint32_t unit_of(uint32_t number)
{
	switch (number) {
	case 12: case 16: case 23: case 26: return 4;
	case 13: case 14: case 15: case 20: case 22: case 24: case 25: case 34: case 35: return 2;
	default: return 1;
	}
}

/* Unpacks the image. The PS3 does not swap the bytes of compressed blocks. Its other pixels are in an order about which
 * the known descriptions contradict each other, so they are refused. */
static bool unpack(bspi_ctx *ctx, console_vtf *v, uint64_t size, const char **why)
{
	if (v->ps3 && !is_in_blocks(v->number)) return refuse(why, "PS3 textures are read as DXT1, DXT3 and DXT5 only");
	if (size > LARGEST_TEXTURE) return refuse(why, "its size is not possible");
	if (bspi_is_valve_lzma(v->image)) {
		if (bspi_load_u32(v->image.data + 4) != size) return refuse(why, "its packed size does not fit its mip levels");
		BSPI_TRY(bspi_read_valve_lzma(ctx, v->image, BSPI_LUMP("textures"), false, &v->image) && v->image.size);
	}
	return v->image.size >= size || refuse(why, "the file ends before its largest mip level");
}

static void copy_turned(const uint8_t *from, uint64_t size, uint32_t unit, uint8_t *to)
{
	for (uint64_t i = 0; i < size; i += unit) {
		for (uint32_t k = 0; k < unit; k++) to[i + k] = from[i + unit - 1 - k];
	}
}

/* Changes the order. In the file, each face has all its mipmaps, the largest first. In the result, each mipmap has all
 * its faces, the smallest first. */
static void copy_from_the_largest(const console_vtf *v, uint8_t *to)
{
	uint64_t faces = (uint64_t)v->frames * v->faces, one = 0, before = 0;
	for (uint32_t level = 0; level < v->levels; level++) one += face_size(v, level);
	for (uint32_t level = v->levels; level-- > 0;) {
		uint64_t size = face_size(v, level), at = 0;
		for (uint32_t larger = 0; larger < level; larger++) at += face_size(v, larger);
		for (uint64_t i = 0; i < faces; i++) memcpy(to + before + i * size, v->image.data + i * one + at, (size_t)size);
		before += faces * size;
	}
}

static void put(uint8_t *p, uint32_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* Writes the header of VTF 7.2, the last version without parts. In a cube map, 0xffff as the first frame means that
 * there is no sphere map. */
static void write_head(bspi_bytes file, const console_vtf *v, uint8_t out[PC_HEAD])
{
	memcpy(out, "VTF", 4);
	put(out + 4, 7, 4);
	put(out + 8, 2, 4);
	put(out + 12, PC_HEAD, 4);
	put(out + 16, v->width, 2);
	put(out + 18, v->height, 2);
	put(out + 20, v->flags, 4);
	put(out + 24, v->frames, 2);
	put(out + 26, v->faces > 1 ? 0xffff : 0, 2);
	for (int i = 0; i < 3; i++) put(out + 32 + 4 * i, big_u32(file.data + REFLECTIVITY_AT + 4 * i), 4);
	put(out + 48, big_u32(file.data + BUMP_SCALE_AT), 4);
	put(out + 52, v->number, 4);
	put(out + 56, v->levels, 1);
	put(out + 57, UINT32_MAX, 4);      /* no thumbnail */
	put(out + 63, v->depth, 2);
}

bool bspi_turn_console_vtf(bspi_ctx *ctx, bspi_bytes file, bspi_bytes *out, const char **why)
{
	console_vtf v;
	*why = NULL;
	BSPI_TRY(read_head(file, &v, why));
	uint64_t size = whole_size(&v);
	BSPI_TRY(unpack(ctx, &v, size, why));
	uint8_t *whole = bspi_push_zeroed(ctx, &ctx->result, (size_t)size + PC_HEAD, 1);
	BSPI_TRY(whole);
	write_head(file, &v, whole);
	if (v.from_the_largest) copy_from_the_largest(&v, whole + PC_HEAD);
	else copy_turned(v.image.data, size, v.ps3 ? 1 : unit_of(v.number), whole + PC_HEAD);
	*out = bspi_bytes_of(whole, (size_t)size + PC_HEAD);
	return true;
}
