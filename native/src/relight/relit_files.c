/* relit_files.c - copies the files that have luxels, and gives the changed copies to the output. */
#include "relight/relight_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { LIT_HEADER = 8, LIT_VERSION = 1 };

/* ---- Copies ----------------------------------------------------------------------------------------------- */

bspi_relit_file *bspi_add_relit_file(bspi_relight *r, const char *ending, bspi_bytes old)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_relit_file file = { .ending = ending, .old = old, .new_size = old.size };
	file.new = bspi_push_unset(ctx, &ctx->scratch, old.size ? old.size : 1, 1);
	if (!file.new) return NULL;
	if (old.size) memcpy(file.new, old.data, old.size);
	r->files[r->file_count] = file;
	return &r->files[r->file_count++];
}

static bool is_within(bspi_bytes bytes, bspi_bytes whole)
{
	return bytes.data >= whole.data && bytes.data <= whole.data + whole.size &&
	       bytes.size <= (size_t)(whole.data + whole.size - bytes.data);
}

uint8_t *bspi_relit_bytes(bspi_relight *r, const bspi_light_store *store, bspi_bytes bytes)
{
	if (store && store->path) {
		uint32_t i = 0;
		while (i < r->file_count && r->files[i].old.data != store->file.data) i++;
		if (i == r->file_count && !bspi_add_relit_file(r, strrchr(store->path, '.'), store->file)) return NULL;
		return r->files[i].new + (bytes.data - store->file.data);
	}
	if (store && store->packed.size) {
		uint8_t *unpacked = bspi_unpacked_bytes(r, store);
		return unpacked ? unpacked + (bytes.data - store->luxels.data) : NULL;
	}
	return is_within(bytes, r->map.file) ? r->files[0].new + (bytes.data - r->map.file.data) : NULL;
}

/* ---- Spans ------------------------------------------------------------------------------------------------ */

static bool add_span(bspi_relight *r, bspi_bytes old, uint8_t *new, uint32_t luxel_size)
{
	bspi_ctx *ctx = r->build.ctx;
	if (!old.size) return true;
	bspi_luxel_span *span = &r->spans[r->span_count++];
	*span = (bspi_luxel_span){ .old = old, .new = new, .luxel_size = luxel_size, .writable = new != NULL };
	if (!new) return true;
	span->states = bspi_push(ctx, &ctx->scratch, uint8_t, old.size);
	return span->states != NULL;
}

/* Makes a .lit file for a map without colors. At first, all its luxels are gray like the map's. Pages then change the
 * luxels of the .lit file. Later the map's own gray luxels are computed from these. */
static bool make_lit(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_light *light = r->build.light;
	size_t count = light->blocks.size;
	uint8_t *lit = bspi_push_unset(ctx, &ctx->scratch, LIT_HEADER + 3 * count, 1);
	BSPI_TRY(lit);
	memcpy(lit, "QLIT", 4);
	for (int i = 0; i < 4; i++) lit[4 + i] = (uint8_t)(LIT_VERSION >> 8 * i);
	for (size_t i = 0; i < count; i++) memset(lit + LIT_HEADER + 3 * i, light->blocks.data[i], 3);
	bspi_bytes file = bspi_bytes_of(lit, LIT_HEADER + 3 * count);
	bspi_relit_file *made = bspi_add_relit_file(r, ".lit", file);
	BSPI_TRY(made);
	made->made = true;
	light->blocks = bspi_bytes_of(lit + LIT_HEADER, 3 * count);
	light->encoding = BSPI_LIGHT_RGB8;
	light->luxel_size = bspi_luxel_size(BSPI_LIGHT_RGB8);
	light->store = NULL;
	return true;
}

static bool open_blocks(bspi_relight *r)
{
	bspi_light *light = r->build.light;
	if (light->encoding == BSPI_LIGHT_GRAY8 && !r->options.convert_to_gray && r->map.rules.light_offset_in_luxels) {
		BSPI_TRY(make_lit(r));
	}
	bool made = !light->store;
	uint8_t *new = made ? r->files[r->file_count - 1].new + LIT_HEADER
	                    : bspi_relit_bytes(r, light->store, light->blocks);
	BSPI_TRY(new || !r->build.ctx->error.status);
	r->blocks = &r->spans[r->span_count];
	return add_span(r, light->blocks, new, light->luxel_size);
}

static bool open_page(bspi_relight *r, const bspi_map_page *page, uint8_t **copy)
{
	bspi_ctx *ctx = r->build.ctx;
	if (!page->rgb) return true;
	bspi_bytes luxels = bspi_bytes_of(page->rgb, (size_t)page->width * page->height * 3);
	*copy = bspi_push_unset(ctx, &ctx->scratch, luxels.size, 1);
	BSPI_TRY(*copy);
	memcpy(*copy, luxels.data, luxels.size);
	return add_span(r, luxels, *copy, 3);
}

static bool open_pages(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspi_light *light = r->build.light;
	if (light->external) {
		r->pictures = bspi_push(ctx, &ctx->scratch, uint8_t *, light->page_count);
		BSPI_TRY(r->pictures);
	} else {
		size_t page = (size_t)r->map.rules.lightmap_page_size * r->map.rules.lightmap_page_size * 3;
		bspi_bytes pages = bspi_bytes_of(r->map.lighting.data, light->page_count * page);
		BSPI_TRY(add_span(r, pages, bspi_relit_bytes(r, NULL, pages), 3));
	}
	for (uint32_t i = 0; i < light->page_count && light->external; i++) {
		BSPI_TRY(open_page(r, &light->pages[i], &r->pictures[i]));
	}
	r->named = bspi_push(ctx, &ctx->scratch, uint8_t *, light->picture_count);
	BSPI_TRY(r->named);
	for (uint32_t i = 0; i < light->picture_count; i++) BSPI_TRY(open_page(r, &light->pictures[i], &r->named[i]));
	return true;
}

bool bspi_open_relit_files(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspi_light *light = r->build.light;
	enum { BLOCKS_AND_DIRECTIONS = 2 };
	uint32_t most = BLOCKS_AND_DIRECTIONS + light->page_count + light->picture_count + 1;
	r->spans = bspi_push(ctx, &ctx->scratch, bspi_luxel_span, most);
	enum { MAP_AND_LIGHT = 1 + BSPI_MOST_LIGHT_STORES };
	uint32_t most_files = MAP_AND_LIGHT + (light->external ? light->page_count : 0) + light->picture_count;
	r->files = bspi_push(ctx, &ctx->scratch, bspi_relit_file, most_files);
	BSPI_TRY(r->spans && r->files && bspi_add_relit_file(r, NULL, r->map.file));
	if (r->map.rules.light_storage == BSPI_STORAGE_PAGES) return open_pages(r);
	BSPI_TRY(open_blocks(r));
	/* Copies the files next to the map, because they are written even if they did not change. */
	for (uint32_t i = 0; i < r->map.light_store_count; i++) {
		const bspi_light_store *store = &r->map.light_stores[i];
		BSPI_TRY(!store->path || bspi_relit_bytes(r, store, store->luxels));
	}
	bspi_bytes directions = r->map.light_directions;
	return add_span(r, directions, directions.size ? bspi_relit_bytes(r, NULL, directions) : NULL, 3);
}

/* ---- Output ----------------------------------------------------------------------------------------------- */

/* Returns the map's name with another extension: "atrium.lit" for "atrium.bsp" and ".lit". */
static const char *name_beside(bspi_ctx *ctx, const char *map, const char *ending)
{
	const char *dot = strrchr(map, '.');
	return bspi_text_format(ctx, &ctx->scratch, "%.*s%s", (int)(dot ? (size_t)(dot - map) : strlen(map)), map, ending);
}

/* True if a file next to the map stores the map's light. Such a file has colors (HDR light, for example), so a new
 * .lit file is not needed. */
static bool has_file_of_light(const bspi_relight *r)
{
	bool found = false;
	for (uint32_t i = 0; i < r->map.light_store_count; i++) found = found || r->map.light_stores[i].path;
	return found;
}

static bool is_copy(const bspi_relit_file *file)
{
	return !file->made && file->new_size == file->old.size && !memcmp(file->old.data, file->new, file->new_size);
}

bool bspi_is_written(const bspi_relight *r, const bspi_relit_file *file)
{
	return !file->made || (r->colored && !has_file_of_light(r));
}

void bspi_finish_relit_files(bspi_relight *r)
{
	r->report.identical = true;
	for (uint32_t i = 0; i < r->file_count; i++) {
		bool written = bspi_is_written(r, &r->files[i]);
		r->report.file_count += written;
		if (written && !is_copy(&r->files[i])) r->report.identical = false;
	}
}

/* Makes the names of all files, before the first one is written. */
static const char **make_names(const bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const char *map = r->options.file_name;
	const char **names = bspi_push(ctx, &ctx->scratch, const char *, r->file_count);
	if (names && !map) map = bspi_text_format(ctx, &ctx->scratch, "%s.bsp", ctx->name);
	if (!names || !map) return NULL;
	for (uint32_t i = 0; i < r->file_count; i++) {
		const bspi_relit_file *file = &r->files[i];
		names[i] = file->name ? file->name : file->ending ? name_beside(ctx, map, file->ending) : map;
		if (!names[i]) return NULL;
	}
	return names;
}

bool bspi_write_relit_files(bspi_relight *r, const bspscene_output *output)
{
	const char **names = make_names(r);
	BSPI_TRY(names);
	for (uint32_t i = 0; i < r->file_count && output; i++) {
		const bspi_relit_file *file = &r->files[i];
		if (!bspi_is_written(r, file)) continue;
		BSPI_TRY(bspi_output_file(r->build.ctx, output, names[i], bspi_bytes_of(file->new, file->new_size)));
	}
	return true;
}
