/* picture_files.c - writes Quake III's light in picture files. The files next to the map are all written. Those that
 * shaders name are written if they changed. In a plain TGA file the pixels are replaced. Any other changed file becomes
 * a new TGA file, which engines prefer. */
#include "relight/relight_parts.h"

#include <string.h>

#include "base/text.h"
#include "io/io.h"

enum { TGA_HEADER = 18, TGA_PLAIN = 2, TGA_FROM_RIGHT = 0x10, TGA_FROM_TOP = 0x20, TGA_INTERLEAVED = 0xc0 };

typedef struct plain_tga {
	size_t data, pixel_size;
	bool from_top;
} plain_tga;

/* Reads the header of an uncompressed TGA. Returns false if the picture does not have the width and height of the
 * page, or if its pixels are not stored row by row from left to right. */
static bool read_header(bspi_bytes file, const bspi_map_page *page, plain_tga *out)
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

static void put_pixels(const plain_tga *tga, const bspi_map_page *page, const uint8_t *luxels, uint8_t *file)
{
	for (uint32_t y = 0; y < page->height; y++) {
		size_t row = tga->from_top ? y : page->height - 1 - y;
		uint8_t *out = file + tga->data + row * page->width * tga->pixel_size;
		for (uint32_t x = 0; x < page->width; x++, out += tga->pixel_size, luxels += 3) {
			for (int i = 0; i < 3; i++) out[i] = luxels[2 - i];
		}
	}
}

/* Makes a TGA of the page, with the bottom row first. Engines assume this order, whatever the
 * header says. */
static bspi_relit_file *make_tga(bspi_relight *r, const bspi_map_page *page, const uint8_t *luxels)
{
	bspi_ctx *ctx = r->build.ctx;
	const plain_tga tga = { TGA_HEADER, 3, false };
	size_t size = TGA_HEADER + (size_t)page->width * page->height * 3;
	uint8_t *bytes = bspi_push(ctx, &ctx->scratch, uint8_t, size);
	if (!bytes) return NULL;
	bytes[2] = TGA_PLAIN;
	bytes[12] = (uint8_t)page->width;
	bytes[13] = (uint8_t)(page->width >> 8);
	bytes[14] = (uint8_t)page->height;
	bytes[15] = (uint8_t)(page->height >> 8);
	bytes[16] = 24;
	put_pixels(&tga, page, luxels, bytes);
	const bspi_relit_file file = { .old = BSPI_NO_BYTES, .new = bytes, .new_size = size };
	r->files[r->file_count] = file;
	return &r->files[r->file_count++];
}

static bool is_changed(const bspi_map_page *page, const uint8_t *luxels)
{
	return memcmp(page->rgb, luxels, (size_t)page->width * page->height * 3) != 0;
}

/* Adds a file with the luxels that the page has now. `found` is the old file. Sets *ending to the extension of the new
 * one. Returns NULL if memory is out. */
static bspi_relit_file *add_changed(bspi_relight *r, bspi_bytes found, const char *path, const bspi_map_page *page,
                                    const uint8_t *luxels, const char **ending)
{
	plain_tga tga = { 0 };
	const char *dot = strrchr(path, '.');
	bool changed = is_changed(page, luxels), plain = read_header(found, page, &tga);
	*ending = changed && !plain ? ".tga" : dot ? dot : "";
	if (changed && !plain) return make_tga(r, page, luxels);
	bspi_relit_file *file = bspi_add_relit_file(r, NULL, found);
	if (file && changed) put_pixels(&tga, page, luxels, file->new);
	return file;
}

static bool add_picture(bspi_relight *r, uint32_t number)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_sibling found;
	const char *ending;
	bool there = bspi_open_picture(&r->build, &ctx->scratch, number, &found);
	BSPI_TRY(there || ctx->error.status ||
	         bspi_fail(ctx, BSPSCENE_ERROR_NOT_FOUND, BSPI_NOWHERE,
	                   "the picture lm_%04u, which holds its light, is not there any more", (unsigned)number));
	BSPI_TRY(there);
	bspi_relit_file *file =
		add_changed(r, found.bytes, found.path, &r->build.light->pages[number], r->pictures[number], &ending);
	BSPI_TRY(file);
	file->ending = bspi_text_format(ctx, &ctx->scratch, "/lm_%04u%s", (unsigned)number, ending);
	return file->ending != NULL;
}

/* Adds a picture under its old name, because the shader refers to that name. So it keeps its name even if the new map
 * is named differently or other maps show the picture. */
static bool add_named(bspi_relight *r, uint32_t index)
{
	static const char folder[] = "maps/";
	enum { FOLDER = sizeof folder - 1 };
	bspi_ctx *ctx = r->build.ctx;
	const bspi_picture_page *picture = &r->build.shader_light->pictures[index];
	const bspi_map_page *page = &r->build.light->pictures[index];
	const char *ending;
	if (!is_changed(page, r->named[index])) return true;
	BSPI_CHECK(ctx, !strncmp(picture->path, folder, FOLDER), BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_LUMP("atlas"),
	           "the changed light is in the picture \"%s\" of a shader: only pictures below maps/ can be written",
	           picture->path);
	bspi_relit_file *file = add_changed(r, picture->file, picture->path, page, r->named[index], &ending);
	BSPI_TRY(file);
	const char *dot = strrchr(picture->path, '.');
	size_t stem = dot ? (size_t)(dot - picture->path) : strlen(picture->path);
	file->name = bspi_text_format(ctx, &ctx->scratch, "%.*s%s", (int)(stem - FOLDER), picture->path + FOLDER, ending);
	return file->name != NULL;
}

bool bspi_add_picture_files(bspi_relight *r)
{
	for (uint32_t i = 0; r->pictures && i < r->build.light->page_count; i++) {
		BSPI_TRY(!r->pictures[i] || add_picture(r, i));
	}
	for (uint32_t i = 0; r->named && i < r->build.light->picture_count; i++) {
		BSPI_TRY(!r->named[i] || add_named(r, i));
	}
	return true;
}
