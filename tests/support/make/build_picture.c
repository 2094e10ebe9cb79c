/* build_picture.c - see build_picture.h. */
#include "support/make/build_picture.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <zlib.h>

bspi_bytes bspt_view(bspt_bytes bytes)
{
	return bspi_bytes_of(bytes.data, bytes.size);
}

static void append(bspt_bytes *out, const void *data, size_t size)
{
	uint8_t *grown = realloc(out->data, out->size + size + 1);
	if (!grown) bspt_die("allocate", "a picture");
	if (size) memcpy(grown + out->size, data, size);
	*out = (bspt_bytes){ grown, out->size + size };
}

static void append_number(bspt_bytes *out, uint32_t value, unsigned size)
{
	uint8_t bytes[4];
	for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * i);
	append(out, bytes, size);
}

/* ---- PNG -------------------------------------------------------------------------------------------------- */

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
	append(png_get_io_ptr(png), data, size);
}

static void flush(png_structp png)
{
	(void)png;
}

bspt_bytes bspt_encode_png(const bspt_png *p)
{
	static const int channels[] = { 1, 0, 3, 1, 2, 0, 4 };
	bspt_bytes out = { 0 };
	png_color colors[256];
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	if (!info || setjmp(png_jmpbuf(png))) bspt_die("encode", "PNG");
	png_set_write_fn(png, &out, write_bytes, flush);
	png_set_IHDR(png, info, p->width, p->height, p->depth, p->color_type,
	             p->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
	             PNG_FILTER_TYPE_BASE);
	for (int i = 0; i < p->palette_count; i++) {
		colors[i] = (png_color){ p->palette[3 * i], p->palette[3 * i + 1], p->palette[3 * i + 2] };
	}
	if (p->palette_count) png_set_PLTE(png, info, colors, p->palette_count);
	if (p->alpha && p->color_type == PNG_COLOR_TYPE_PALETTE) png_set_tRNS(png, info, p->alpha, p->alpha_count, NULL);
	else if (p->alpha) {
		png_set_tRNS(png, info, NULL, 1,
		             &(png_color_16){
						 .red = p->alpha[0], .green = p->alpha[1], .blue = p->alpha[2], .gray = p->alpha[0] });
	}
	png_write_info(png, info);
	size_t stride = (p->width * (size_t)p->depth * (size_t)channels[p->color_type] + 7) / 8;
	int passes = png_set_interlace_handling(png);
	for (int pass = 0; pass < passes; pass++) {
		for (uint32_t y = 0; y < p->height; y++) png_write_row(png, (png_bytep)(uintptr_t)(p->rows + stride * y));
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return out;
}

static void put_be32(uint8_t *p, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(value >> (24 - 8 * i));
}

bspt_bytes bspt_lying_png(uint32_t width, uint32_t height)
{
	static const uint8_t pixel[4] = { 1, 2, 3, 4 };
	bspt_bytes out = bspt_encode_png(&(bspt_png){
		.width = 1, .height = 1, .color_type = PNG_COLOR_TYPE_RGB_ALPHA, .depth = 8, .rows = pixel });
	put_be32(out.data + 16, width);
	put_be32(out.data + 20, height);
	put_be32(out.data + 29, (uint32_t)crc32(0, out.data + 12, 17));
	return out;
}

/* ---- JPEG ------------------------------------------------------------------------------------------------- */

bspt_bytes bspt_encode_jpeg(uint32_t width, uint32_t height, bspt_jpeg_kind kind, const uint8_t *rgb)
{
	static const int sampling[] = { TJSAMP_444, TJSAMP_420, TJSAMP_GRAY, TJSAMP_444, TJSAMP_420 };
	unsigned char *coded = NULL;
	unsigned long size = 0;
	uint8_t *cmyk = NULL;
	int flags = kind == BSPT_JPEG_PROGRESSIVE ? TJFLAG_PROGRESSIVE : 0;
	tjhandle handle = tjInitCompress();
	if (kind == BSPT_JPEG_CMYK) {
		cmyk = malloc((size_t)width * height * 4);
		if (!cmyk) bspt_die("allocate", "JPEG");
		/* Adobe's programs store CMYK inverted, so R, G and B become C, M and Y unchanged. The fourth channel, black,
		 * is 128 in every pixel, which halves the brightness. */
		for (size_t i = 0; i < (size_t)width * height; i++) {
			memcpy(cmyk + 4 * i, rgb + 3 * i, 3);
			cmyk[4 * i + 3] = 128;
		}
	}
	if (!handle || tjCompress2(handle, cmyk ? cmyk : rgb, (int)width, 0, (int)height, cmyk ? TJPF_CMYK : TJPF_RGB,
	                           &coded, &size, sampling[kind], 95, flags)) {
		bspt_die("encode", "JPEG");
	}
	bspt_bytes out = { 0 };
	append(&out, coded, size);
	tjFree(coded);
	tjDestroy(handle);
	free(cmyk);
	return out;
}

/* ---- TGA, PCX and BMP -------------------------------------------------------------------------------------- */

bspt_bytes bspt_encode_tga(const bspt_tga *t)
{
	bspt_bytes out = { 0 };
	append_number(&out, t->id_size, 1);
	append_number(&out, t->map_count ? 1 : 0, 1);
	append_number(&out, t->type, 1);
	append_number(&out, t->map_first, 2);
	append_number(&out, t->map_count, 2);
	append_number(&out, t->map_bits, 1);
	append_number(&out, 0, 4);
	append_number(&out, t->width, 2);
	append_number(&out, t->height, 2);
	append_number(&out, t->bits, 1);
	append_number(&out, t->descriptor, 1);
	for (unsigned i = 0; i < t->id_size; i++) append(&out, "i", 1);
	append(&out, t->map, (size_t)t->map_count * ((t->map_bits + 7u) / 8));
	append(&out, t->data, t->size);
	return out;
}

bspt_bytes bspt_encode_pcx(uint16_t width, uint16_t height, uint8_t planes, uint16_t line, const void *data,
                           size_t size, const uint8_t *palette)
{
	uint8_t header[128] = { 10, 5, 1, 8 };
	bspt_bytes out = { 0 };
	header[8] = (uint8_t)(width - 1);
	header[9] = (uint8_t)((width - 1) >> 8);
	header[10] = (uint8_t)(height - 1);
	header[11] = (uint8_t)((height - 1) >> 8);
	header[65] = planes;
	header[66] = (uint8_t)line;
	header[67] = (uint8_t)(line >> 8);
	append(&out, header, sizeof header);
	append(&out, data, size);
	if (palette) {
		append(&out, "\x0c", 1);
		append(&out, palette, 768);
	}
	return out;
}

bspt_bytes bspt_encode_bmp(int32_t width, int32_t height, uint16_t bits, const uint8_t *palette, uint32_t color_count,
                           const void *data, size_t size)
{
	uint32_t colors = bits == 8 ? (color_count ? color_count : 256) : 0;
	bspt_bytes out = { 0 };
	append(&out, "BM", 2);
	append_number(&out, (uint32_t)(54 + colors * 4 + size), 4);
	append_number(&out, 0, 4);
	append_number(&out, 54 + colors * 4, 4);
	append_number(&out, 40, 4);
	append_number(&out, (uint32_t)width, 4);
	append_number(&out, (uint32_t)height, 4);
	append_number(&out, 1, 2);
	append_number(&out, bits, 2);
	append_number(&out, 0, 4);             /* the number 0 means no compression */
	append_number(&out, (uint32_t)size, 4);
	append_number(&out, 0, 4);
	append_number(&out, 0, 4);
	append_number(&out, color_count, 4);
	append_number(&out, 0, 4);
	append(&out, palette, colors * 4);
	append(&out, data, size);
	return out;
}
