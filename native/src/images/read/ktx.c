/* ktx.c - decodes KTX 1, which QFusion's games use for textures and skies (Khronos KTX File Format Specification 1).
 * Reads the largest mipmap of one face, by default the first. QFusion reads plain bytes, shorts and ETC1 (r_image.c
 * R_LoadKTX). S3TC is supported for files from other sources. */
#include "images/codecs.h"

#include "images/blocks/texels.h"

#define HEADER 64u
#define KEY_VALUES_AT 60u
#define BYTE_TYPE 0x1401u              /* GL_UNSIGNED_BYTE */

#define BITS BSPI_TEXEL_BITS
#define ETC1 BSPI_TEXEL_ETC1
#define DXT BSPI_TEXEL_DXT

typedef struct pixel_format {
	uint32_t type, format;             /* glType and glFormat; for compressed blocks, 0 and glInternalFormat */
	bspi_texel_format texels;
} pixel_format;

static const pixel_format formats[] = {
	{ BYTE_TYPE, 0x1908, { BITS, 4, 0, { { 0, 8 }, { 8, 8 }, { 16, 8 }, { 24, 8 } } } },  /* RGBA */
	{ BYTE_TYPE, 0x80e1, { BITS, 4, 0, { { 16, 8 }, { 8, 8 }, { 0, 8 }, { 24, 8 } } } },  /* BGRA */
	{ BYTE_TYPE, 0x1907, { BITS, 3, 0, { { 0, 8 }, { 8, 8 }, { 16, 8 } } } },             /* RGB */
	{ BYTE_TYPE, 0x80e0, { BITS, 3, 0, { { 16, 8 }, { 8, 8 }, { 0, 8 } } } },             /* BGR */
	{ BYTE_TYPE, 0x190a, { BITS, 2, 0, { { 0, 8 }, { 0, 8 }, { 0, 8 }, { 8, 8 } } } },    /* LUMINANCE_ALPHA */
	{ BYTE_TYPE, 0x1909, { BITS, 1, 0, { { 0, 8 }, { 0, 8 }, { 0, 8 } } } },              /* LUMINANCE */
	{ BYTE_TYPE, 0x1906, { BITS, 1, 0, { { 0 }, { 0 }, { 0 }, { 0, 8 } } } },             /* ALPHA */
	{ 0x8033, 0x1908, { BITS, 2, 0, { { 12, 4 }, { 8, 4 }, { 4, 4 }, { 0, 4 } } } },      /* SHORT_4_4_4_4 */
	{ 0x8034, 0x1908, { BITS, 2, 0, { { 11, 5 }, { 6, 5 }, { 1, 5 }, { 0, 1 } } } },      /* SHORT_5_5_5_1 */
	{ 0x8363, 0x1907, { BITS, 2, 0, { { 11, 5 }, { 5, 6 }, { 0, 5 } } } },                /* SHORT_5_6_5 */
	{ 0, 0x8d64, { ETC1, 8, 0, { { 0 } } } },
	{ 0, 0x83f0, { DXT, 8, BSPI_DXT1, { { 0 } } } },
	{ 0, 0x83f1, { DXT, 8, BSPI_DXT1, { [3] = { 0, 1 } } } },
	{ 0, 0x83f2, { DXT, 16, BSPI_DXT3, { [3] = { 0, 4 } } } },
	{ 0, 0x83f3, { DXT, 16, BSPI_DXT5, { [3] = { 0, 8 } } } },
};

typedef struct ktx_header {
	bool big_endian;
	uint32_t type, format, internal_format, width, height, depth, layers, faces, key_values;
} ktx_header;

static uint32_t number(const uint8_t *p, bool big_endian)
{
	return big_endian ? bspi_load_u32_be(p) : bspi_load_u32(p);
}

static bool read_header(bspi_bytes bytes, ktx_header *h)
{
	static const uint8_t magic[12] = { 0xab, 'K', 'T', 'X', ' ', '1', '1', 0xbb, '\r', '\n', 0x1a, '\n' };
	const uint8_t *p = bytes.data;
	if (bytes.size < HEADER || memcmp(p, magic, sizeof magic)) return false;
	bool big = bspi_load_u32(p + 12) == 0x01020304;
	*h = (ktx_header){
		.big_endian = big, .type = number(p + 16, big), .format = number(p + 24, big),
		.internal_format = number(p + 28, big), .width = number(p + 36, big), .height = number(p + 40, big),
		.depth = number(p + 44, big), .layers = number(p + 48, big), .faces = number(p + 52, big),
		.key_values = number(p + KEY_VALUES_AT, big),
	};
	return true;
}

/* Returns the pixel format that the header states, or NULL if it is not supported. */
static const pixel_format *find_format(const ktx_header *h)
{
	uint32_t format = h->type ? h->format : h->internal_format;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (formats[i].type == h->type && formats[i].format == format) return &formats[i];
	}
	return NULL;
}

/* Returns the number of bytes that a row takes in the file. Rows of pixels are padded to 4 bytes. For blocks, a row is
 * a row of blocks. */
static uint32_t stride_of(const ktx_header *h, const pixel_format *format)
{
	return (bspi_texel_stride(&format->texels, h->width) + 3) / 4 * 4;
}

/* Finds the rows of a face. After the key/value data and the size of the mipmap, the faces follow each other. */
static bool find_rows(bspi_bytes bytes, const ktx_header *h, const pixel_format *format, uint32_t face,
                      bspi_bytes *out)
{
	uint64_t size = (uint64_t)stride_of(h, format) * bspi_texel_rows(&format->texels, h->height);
	return bspi_slice(bytes, (uint64_t)HEADER + h->key_values + 4 + face * size, size, out);
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	ktx_header h;
	if (!read_header(bytes, &h)) return false;
	const pixel_format *format = find_format(&h);
	info->width = h.width;
	info->height = h.height;
	info->has_alpha = format && format->texels.channels[3].bits;
	return true;
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	ktx_header h;
	bspi_bytes rows;
	(void)info;
	if (!read_header(bytes, &h)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the values in the header contradict each other");
	}
	const pixel_format *format = find_format(&h);
	if (!format || h.depth > 1 || h.layers > 1) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "OpenGL type 0x%x with format 0x%x, depth %u and %u layers is not supported", h.type,
		                      h.type ? h.format : h.internal_format, h.depth, h.layers);
	}
	BSPI_TRY(bspi_check_size(h.width, h.height, bytes, 0, error));
	if (find_rows(bytes, &h, format, 0, &rows)) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends before the last of its %u x %u pixels",
	                      h.width, h.height);
}

bool bspi_ktx_face(bspi_bytes file, uint32_t face, uint8_t *room, bspi_bytes *out)
{
	ktx_header h;
	bspi_bytes rows;
	bspi_image_info info;
	bspscene_error error;
	if (!check(file, &info, &error) || !read_header(file, &h) || h.faces != 6 ||
	    !find_rows(file, &h, find_format(&h), face, &rows)) {
		return false;
	}
	memcpy(room, file.data, HEADER);
	memset(room + KEY_VALUES_AT, 0, HEADER - KEY_VALUES_AT + 4);
	memcpy(room + HEADER + 4, rows.data, rows.size);
	*out = bspi_bytes_of(room, HEADER + 4 + rows.size);
	return true;
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)wanted;
	ktx_header h;
	bspi_bytes rows;
	BSPI_TRY(read_header(bytes, &h));
	const pixel_format *format = find_format(&h);
	BSPI_TRY(find_rows(bytes, &h, format, 0, &rows) && bspi_pixels_create(heap, h.width, h.height, out, error));
	bool swapped = h.big_endian && h.type != BYTE_TYPE;
	bspi_texels_decode(&format->texels, rows.data, stride_of(&h, format), swapped, out);
	return true;
}

const bspi_codec bspi_ktx_codec = { BSPSCENE_IMAGE_KTX, "KTX", probe, check, decode, NULL };
