/* picture_files.c - light in pictures beside a map of Quake III: the files as they were found, but for the luxels that
 * changed. Of plain TGA those are put in place; other pictures that changed become TGA, which engines prefer. */
#include "relight/relight_parts.h"

#include <string.h>

#include "base/text.h"
#include "io/io.h"

enum { TGA_HEADER = 18, TGA_PLAIN = 2, TGA_FROM_RIGHT = 0x10, TGA_FROM_TOP = 0x20, TGA_INTERLEAVED = 0xc0 };

typedef struct plain_tga {
	size_t data, pixel_size;
	bool from_top;
} plain_tga;

/* False: it has other pixels than the page, or they do not stand there one after the other. */
static bool read_header(bspi_bytes file, const bspi_stored_page *page, plain_tga *out)
{
	const uint8_t *p = file.data;
	if (file.size < TGA_HEADER || p[1] || p[2] != TGA_PLAIN || (p[16] != 24 && p[16] != 32)) return false;
	if (p[17] & (TGA_FROM_RIGHT | TGA_INTERLEAVED)) return false;
	const plain_tga tga = { TGA_HEADER + (size_t)p[0], p[16] / 8u, p[17] & TGA_FROM_TOP };
	*out = tga;
	bspi_bytes pixels;
	return bspi_load_u16(p + 12) == page->width && bspi_load_u16(p + 14) == page->height &&
	       bspi_slice(file, out->data, (uint64_t)page->width * page->height * out->pixel_size, &pixels);
}

static void put_pixels(const plain_tga *tga, const bspi_stored_page *page, const uint8_t *luxels, uint8_t *file)
{
	for (uint32_t y = 0; y < page->height; y++) {
		size_t row = tga->from_top ? y : page->height - 1 - y;
		uint8_t *out = file + tga->data + row * page->width * tga->pixel_size;
		for (uint32_t x = 0; x < page->width; x++, out += tga->pixel_size, luxels += 3) {
			for (int i = 0; i < 3; i++) out[i] = luxels[2 - i];
		}
	}
}

/* A TGA of the page; from the bottom, for engines take the rows so whatever the header says. */
static bool make_tga(bspi_relight *r, uint32_t number, const bspi_stored_page *page)
{
	bspi_ctx *ctx = r->build.ctx;
	const plain_tga tga = { TGA_HEADER, 3, false };
	size_t size = TGA_HEADER + (size_t)page->width * page->height * 3;
	const char *ending = bspi_text_format(ctx, &ctx->scratch, "/lm_%04u.tga", (unsigned)number);
	uint8_t *bytes = bspi_push(ctx, &ctx->scratch, uint8_t, size);
	BSPI_TRY(ending && bytes);
	bytes[2] = TGA_PLAIN;
	bytes[12] = (uint8_t)page->width;
	bytes[13] = (uint8_t)(page->width >> 8);
	bytes[14] = (uint8_t)page->height;
	bytes[15] = (uint8_t)(page->height >> 8);
	bytes[16] = 24;
	put_pixels(&tga, page, r->pictures[number], bytes);
	const bspi_relit_file file = { ending, BSPI_NO_BYTES, bytes, size, false };
	r->files[r->file_count++] = file;
	return true;
}

static bool add_picture(bspi_relight *r, uint32_t number)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspi_stored_page *page = &r->build.light->pages[number];
	bspi_sibling found;
	plain_tga tga;
	bool there = bspi_open_picture(&r->build, &ctx->scratch, number, &found);
	BSPI_TRY(there || ctx->error.status ||
	         bspi_fail(ctx, BSPSCENE_ERROR_NOT_FOUND, BSPI_NOWHERE, "its picture lm_%04u is gone", (unsigned)number));
	BSPI_TRY(there);
	bool changed = memcmp(page->rgb, r->pictures[number], (size_t)page->width * page->height * 3) != 0;
	bool plain = read_header(found.bytes, page, &tga);
	if (changed && !plain) return make_tga(r, number, page);
	const char *dot = strrchr(found.path, '.');
	const char *ending = bspi_text_format(ctx, &ctx->scratch, "/lm_%04u%s", (unsigned)number, dot ? dot : "");
	bspi_relit_file *file = ending ? bspi_add_relit_file(r, ending, found.bytes) : NULL;
	BSPI_TRY(file);
	if (changed) put_pixels(&tga, page, r->pictures[number], file->new);
	return true;
}

bool bspi_add_picture_files(bspi_relight *r)
{
	for (uint32_t i = 0; r->pictures && i < r->build.light->page_count; i++) {
		BSPI_TRY(!r->pictures[i] || add_picture(r, i));
	}
	return true;
}
