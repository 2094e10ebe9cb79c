/* iwi.c - decodes IWi, the textures of Call of Duty 2 (version 5) and Call of Duty 4 (version 6). Reads the largest
 * mipmap, which is the last one in the file, and of cube maps the first face (docs/formats/callofduty.md, "IWi"). */
#include "images/codecs.h"

#include "images/blocks/texels.h"

enum { HEADER = 28, CUBE = 4, CUBE_FACES = 6 };

static const struct { uint8_t number; bspi_texel_format texels; } formats[] = {
	{ 0x01, { BSPI_TEXEL_BITS, 4, 0, { { 16, 8 }, { 8, 8 }, { 0, 8 }, { 24, 8 } } } },
	{ 0x02, { BSPI_TEXEL_BITS, 3, 0, { { 16, 8 }, { 8, 8 }, { 0, 8 } } } },
	{ 0x03, { BSPI_TEXEL_BITS, 2, 0, { { 0, 8 }, { 0, 8 }, { 0, 8 }, { 8, 8 } } } },
	{ 0x04, { BSPI_TEXEL_BITS, 1, 0, { [3] = { 0, 8 } } } },
	{ 0x0b, { BSPI_TEXEL_DXT, 8, BSPI_DXT1, { [3] = { 0, 1 } } } },
	{ 0x0c, { BSPI_TEXEL_DXT, 16, BSPI_DXT3, { [3] = { 0, 4 } } } },
	{ 0x0d, { BSPI_TEXEL_DXT, 16, BSPI_DXT5, { [3] = { 0, 8 } } } },
};

typedef struct iwi_header {
	uint8_t version, number, usage;
	uint32_t width, height;
	const bspi_texel_format *texels;   /* NULL: the format is not supported */
} iwi_header;

static bool read_header(bspi_bytes bytes, iwi_header *h)
{
	const uint8_t *p = bytes.data;
	if (bytes.size < HEADER || memcmp(p, "IWi", 3)) return false;
	*h = (iwi_header){
		.version = p[3], .number = p[4], .usage = p[5], .width = bspi_load_u16(p + 6), .height = bspi_load_u16(p + 8),
	};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (formats[i].number == h->number) h->texels = &formats[i].texels;
	}
	return true;
}

static bool find_rows(bspi_bytes bytes, const iwi_header *h, bspi_bytes *out)
{
	uint64_t face = (uint64_t)bspi_texel_stride(h->texels, h->width) * bspi_texel_rows(h->texels, h->height);
	uint64_t level = face * (h->usage & CUBE ? CUBE_FACES : 1);
	if (level > bytes.size - HEADER) return false;
	return bspi_slice(bytes, bytes.size - level, face, out);
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	iwi_header h;
	if (!read_header(bytes, &h)) return false;
	info->width = h.width;
	info->height = h.height;
	info->has_alpha = h.texels && h.texels->channels[3].bits;
	return true;
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	iwi_header h;
	bspi_bytes rows;
	(void)info;
	if (!read_header(bytes, &h)) return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the header is cut off");
	if (h.version != 5 && h.version != 6) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "version %u is not supported", h.version);
	}
	if (!h.texels) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "pixel format %u is not supported", h.number);
	}
	BSPI_TRY(bspi_check_size(h.width, h.height, bytes, 0, error));
	if (find_rows(bytes, &h, &rows)) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends before the last of its %u x %u pixels",
	                      h.width, h.height);
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	iwi_header h;
	bspi_bytes rows;
	(void)wanted;
	BSPI_TRY(read_header(bytes, &h) && find_rows(bytes, &h, &rows));
	BSPI_TRY(bspi_pixels_create(heap, h.width, h.height, out, error));
	bspi_texels_decode(h.texels, rows.data, bspi_texel_stride(h.texels, h.width), false, out);
	return true;
}

const bspi_codec bspi_iwi_codec = { BSPSCENE_IMAGE_IWI, "IWi", probe, check, decode, NULL };
