/* dds.c - decodes the largest mipmap of the first face of a DDS. Direct3D, Call of Duty and later Quake III engines use
 * this format. Based on Microsoft's documentation of DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10. */
#include "images/codecs.h"

#include "images/blocks/texels.h"

#define HEADER 128u
#define LONG_HEADER 148u               /* size of the headers, including the one for Direct3D 10 */
#define FOUR_CC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define DX10 FOUR_CC('D', 'X', '1', '0')

enum { ALPHA_PIXELS = 0x1, ALPHA_ONLY = 0x2, FOUR_CC_IS_VALID = 0x4, RGB = 0x40, LUMINANCE = 0x20000 };

#define BLOCKS(size, kind, alpha) { BSPI_TEXEL_DXT, size, kind, { [3] = { 0, alpha } } }
#define BYTES(size, r, g, b) { BSPI_TEXEL_BITS, size, 0, { { r, 8 }, { g, 8 }, { b, 8 } } }
#define BYTES_WITH_ALPHA(r, g, b, a) { BSPI_TEXEL_BITS, 4, 0, { { r, 8 }, { g, 8 }, { b, 8 }, { a, 8 } } }

typedef struct named_format {
	uint32_t name;
	bspi_texel_format texels;
} named_format;

/* Formats of Direct3D 9. DXT2 and DXT4 have colors that are multiplied by alpha. */
static const named_format four_ccs[] = {
	{ FOUR_CC('D', 'X', 'T', '1'), BLOCKS(8, BSPI_DXT1, 0) },
	{ FOUR_CC('D', 'X', 'T', '2'), BLOCKS(16, BSPI_DXT3, 4) },
	{ FOUR_CC('D', 'X', 'T', '3'), BLOCKS(16, BSPI_DXT3, 4) },
	{ FOUR_CC('D', 'X', 'T', '4'), BLOCKS(16, BSPI_DXT5, 8) },
	{ FOUR_CC('D', 'X', 'T', '5'), BLOCKS(16, BSPI_DXT5, 8) },
	{ FOUR_CC('A', 'T', 'I', '1'), BLOCKS(8, BSPI_DXT_ONE, 0) },
	{ FOUR_CC('B', 'C', '4', 'U'), BLOCKS(8, BSPI_DXT_ONE, 0) },
	{ FOUR_CC('A', 'T', 'I', '2'), BLOCKS(16, BSPI_DXT_TWO_SWAPPED, 0) },
	{ FOUR_CC('B', 'C', '5', 'U'), BLOCKS(16, BSPI_DXT_TWO, 0) },
};

/* DXGI formats. sRGB and linear ones are treated alike, because pictures are used as stored. */
static const named_format dxgi[] = {
	{ 28, BYTES_WITH_ALPHA(0, 8, 16, 24) }, { 29, BYTES_WITH_ALPHA(0, 8, 16, 24) }, { 61, BYTES(1, 0, 0, 0) },
	{ 71, BLOCKS(8, BSPI_DXT1, 1) }, { 72, BLOCKS(8, BSPI_DXT1, 1) }, { 74, BLOCKS(16, BSPI_DXT3, 4) },
	{ 75, BLOCKS(16, BSPI_DXT3, 4) }, { 77, BLOCKS(16, BSPI_DXT5, 8) }, { 78, BLOCKS(16, BSPI_DXT5, 8) },
	{ 80, BLOCKS(8, BSPI_DXT_ONE, 0) }, { 83, BLOCKS(16, BSPI_DXT_TWO, 0) }, { 87, BYTES_WITH_ALPHA(16, 8, 0, 24) },
	{ 88, BYTES(4, 16, 8, 0) }, { 91, BYTES_WITH_ALPHA(16, 8, 0, 24) }, { 93, BYTES(4, 16, 8, 0) },
	{ 98, { BSPI_TEXEL_BC7, 16, 0, { [3] = { 0, 8 } } } }, { 99, { BSPI_TEXEL_BC7, 16, 0, { [3] = { 0, 8 } } } },
};

typedef struct dds_header {
	uint32_t width, height, size;      /* `width`, `height`: in pixels; `size`: number of bytes before the pixels */
	uint32_t flags, name;              /* `flags`: those of DDS_PIXELFORMAT; `name`: a FOUR_CC, or a DXGI format if
	                                    * is_dxgi */
	bool is_dxgi;
	bspi_texel_format texels;          /* size 0: the format is not supported */
} dds_header;

static const bspi_texel_format *find(const named_format *formats, size_t count, uint32_t name)
{
	for (size_t i = 0; i < count; i++) {
		if (formats[i].name == name) return &formats[i].texels;
	}
	return NULL;
}

/* Converts a bit mask to a channel. If the bits of the mask are not contiguous, or there are too many, sets *is_run to
 * false. */
static bspi_channel channel_of(uint32_t mask, bool *is_run)
{
	bspi_channel out = { 0, 0 };
	if (!mask) return out;
	while (!(mask >> out.shift & 1)) out.shift++;
	uint32_t run = mask >> out.shift;
	while (run & 1) {
		run >>= 1;
		out.bits++;
	}
	if (run || out.bits > 16) *is_run = false;
	return out;
}

/* Returns the format of pixels with a mask for each channel. */
static bspi_texel_format masked(const uint8_t *masks, uint32_t flags, uint32_t bits)
{
	bspi_texel_format out = { .kind = BSPI_TEXEL_BITS };
	bool is_run = true;
	uint32_t of[4];
	for (int k = 0; k < 4; k++) of[k] = bspi_load_u32(masks + 4 * k);
	if (flags & LUMINANCE) of[1] = of[2] = of[0];
	if (!(flags & (RGB | LUMINANCE))) of[0] = of[1] = of[2] = 0;
	if (!(flags & (ALPHA_PIXELS | ALPHA_ONLY))) of[3] = 0;
	for (int k = 0; k < 4; k++) out.channels[k] = channel_of(of[k], &is_run);
	bool whole = bits == 8 || bits == 16 || bits == 24 || bits == 32;
	if (is_run && whole) out.size = (uint8_t)(bits / 8);
	return out;
}

static bool read_header(bspi_bytes bytes, dds_header *h)
{
	const uint8_t *p = bytes.data;
	if (bytes.size < HEADER || memcmp(p, "DDS ", 4)) return false;
	*h = (dds_header){
		.width = bspi_load_u32(p + 16), .height = bspi_load_u32(p + 12), .size = HEADER,
		.flags = bspi_load_u32(p + 80), .name = bspi_load_u32(p + 84),
	};
	const bspi_texel_format *known = NULL;
	if (!(h->flags & FOUR_CC_IS_VALID)) {
		h->texels = masked(p + 92, h->flags, bspi_load_u32(p + 88));
		return true;
	}
	h->is_dxgi = h->name == DX10 && bytes.size >= LONG_HEADER;
	if (h->is_dxgi) {
		h->size = LONG_HEADER;
		h->name = bspi_load_u32(p + HEADER);
		known = find(dxgi, sizeof dxgi / sizeof *dxgi, h->name);
	} else {
		known = find(four_ccs, sizeof four_ccs / sizeof *four_ccs, h->name);
	}
	if (known) h->texels = *known;
	/* Any DXT1 can have blocks with transparent pixels. Without this flag, these pixels are meant to be opaque. */
	if (known && h->name == FOUR_CC('D', 'X', 'T', '1') && h->flags & ALPHA_PIXELS) h->texels.channels[3].bits = 1;
	return true;
}

static bool find_rows(bspi_bytes bytes, const dds_header *h, bspi_bytes *out)
{
	uint64_t rows = bspi_texel_rows(&h->texels, h->height);
	return bspi_slice(bytes, h->size, rows * bspi_texel_stride(&h->texels, h->width), out);
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	dds_header h;
	if (!read_header(bytes, &h)) return false;
	info->width = h.width;
	info->height = h.height;
	info->has_alpha = h.texels.channels[3].bits;
	return true;
}

static bool refuse_format(const dds_header *h, bspscene_error *error)
{
	if (!(h->flags & FOUR_CC_IS_VALID)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "its channel masks are not supported");
	}
	if (h->is_dxgi) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "DXGI_FORMAT %u is not supported", h->name);
	}
	char name[5] = "";
	for (int i = 0; i < 4; i++) {
		char c = (char)(h->name >> 8 * i & 0xff);
		name[i] = c >= ' ' && c <= '~' ? c : '?';
	}
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "pixel format %s is not supported", name);
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	dds_header h;
	bspi_bytes rows;
	(void)info;
	if (!read_header(bytes, &h)) return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the header is cut off");
	if (!h.texels.size) return refuse_format(&h, error);
	BSPI_TRY(bspi_check_size(h.width, h.height, bytes, 0, error));
	if (find_rows(bytes, &h, &rows)) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends before the last of its %u x %u pixels",
	                      h.width, h.height);
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	dds_header h;
	bspi_bytes rows;
	(void)wanted;
	BSPI_TRY(read_header(bytes, &h) && find_rows(bytes, &h, &rows));
	BSPI_TRY(bspi_pixels_create(heap, h.width, h.height, out, error));
	bspi_texels_decode(&h.texels, rows.data, bspi_texel_stride(&h.texels, h.width), false, out);
	return true;
}

const bspi_codec bspi_dds_codec = { BSPSCENE_IMAGE_DDS, "DDS", probe, check, decode, NULL };
