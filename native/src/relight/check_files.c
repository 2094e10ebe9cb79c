/* check_files.c - checks the new files before they are handed out. Only bytes of light may have changed. The files are
 * loaded as an engine loads them. They must have the same luxel rectangles as the old map, and the requested light. */
#include "relight/relight_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lumps that share bytes ------------------------------------------------------------------------------- */

/* A byte offset in the file at which a lump begins or ends. */
typedef struct lump_edge {
	size_t at;
	int step; /* 1: a lump begins here; -1: a lump ends here */
} lump_edge;

static int compare_edges(const void *x, const void *y)
{
	const lump_edge *a = x, *b = y;
	if (a->at != b->at) return a->at < b->at ? -1 : 1;
	return a->step - b->step;
}

static bool fail_shared(bspi_relight *r, size_t at)
{
	const bspi_map *map = &r->map;
	const char *names[2] = { "", "" };
	uint32_t found = 0;
	for (uint32_t i = 0; i < map->lump_span_count && found < 2; i++) {
		size_t begin = (size_t)(map->lump_spans[i].bytes.data - map->file.data);
		if (at >= begin && at - begin < map->lump_spans[i].bytes.size) names[found++] = map->lump_spans[i].name;
	}
	return bspi_fail(r->build.ctx, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP_AT(names[0], at),
	                 "it shares bytes with \"%s\", so its light cannot be changed alone", names[1]);
}

bool bspi_check_shared_bytes(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspi_map *map = &r->map;
	const bspi_relit_file *file = &r->files[0];
	size_t count = 2 * (size_t)map->lump_span_count;
	lump_edge *edges = bspi_push_unset(ctx, &ctx->stage, count, sizeof *edges);
	BSPI_TRY(edges);
	for (uint32_t i = 0; i < map->lump_span_count; i++) {
		size_t begin = (size_t)(map->lump_spans[i].bytes.data - map->file.data);
		edges[2 * i] = (lump_edge) { begin, 1 };
		edges[2 * i + 1] = (lump_edge) { begin + map->lump_spans[i].bytes.size, -1 };
	}
	if (count) qsort(edges, count, sizeof *edges, compare_edges);
	int lumps = 0;
	for (size_t i = 0; i + 1 < count; i++) {
		lumps += edges[i].step;
		size_t at = edges[i].at, size = edges[i + 1].at - at;
		if (lumps > 1 && memcmp(file->old.data + at, file->new + at, size)) return fail_shared(r, at);
	}
	return true;
}

/* ---- The new files, loaded again -------------------------------------------------------------------------- */

typedef struct new_files {
	const bspi_relight *relight;
	bspscene_open_file_fn *open; /* the caller's function, which opens all files except the new ones */
	bspscene_list_files_fn *list;
	void *user;
} new_files;

static bool ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), wanted = strlen(ending);
	return length >= wanted && !strcmp(path + length - wanted, ending);
}

static bool open_new(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const new_files *files = user;
	const bspi_relight *r = files->relight;
	for (uint32_t i = 1; i < r->file_count; i++) {
		const bspi_relit_file *file = &r->files[i];
		if (!bspi_is_written(r, file) || !ends_in(path, file->name ? file->name : file->ending)) continue;
		stream->data = file->new;
		stream->size = file->new_size;
		return true;
	}
	return files->open && files->open(files->user, stream, path, kind);
}

static void list_old(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                     void *found_user)
{
	const new_files *files = user;
	files->list(files->user, prefix, suffix, found, found_user);
}

static bool fail_check(bspi_relight *r, const char *what)
{
	return bspi_fail(
		r->build.ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_NOWHERE,
		"nothing was written: when the new map was read again, %s differed from the atlas; please report this map",
		what);
}

static bool same_bytes(bspi_bytes a, const uint8_t *b, size_t size)
{
	return b && a.size == size && !memcmp(a.data, b, size);
}

/* Fails unless each encoding of the map has the bytes that were written. If a new .lit was made, it must be found
 * too. */
static bool check_stores(bspi_relight *r, const bspi_relight *again)
{
	for (uint32_t i = 0; i < r->map.light_store_count; i++) {
		const bspi_light_store *old = &r->map.light_stores[i];
		uint32_t k = 0;
		while (k < again->map.light_store_count && strcmp(again->map.light_stores[k].name, old->name)) k++;
		bool same =
			k < again->map.light_store_count &&
			same_bytes(again->map.light_stores[k].luxels, bspi_relit_bytes(r, old, old->luxels), old->luxels.size);
		if (!same) return r->build.ctx->error.status ? false : fail_check(r, old->name);
	}
	bool made = false;
	for (uint32_t i = 0; i < r->file_count; i++) made = made || (r->files[i].made && bspi_is_written(r, &r->files[i]));
	return !made || same_bytes(again->build.light->blocks, r->blocks->new, r->blocks->old.size) ||
	       fail_check(r, "the .lit file");
}

static bool check_pictures(const bspi_map_page *old, const bspi_map_page *new, uint8_t *const *written, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const bspi_map_page *was = &old[i], *is = &new[i];
		bool same = was->width == is->width && was->height == is->height && !was->rgb == !is->rgb;
		if (!same || (was->rgb && memcmp(is->rgb, written[i], (size_t)was->width * was->height * 3))) return false;
	}
	return true;
}

static bool check_pages(bspi_relight *r, const bspi_relight *again)
{
	const bspi_light *old = r->build.light, *new = again->build.light;
	if (old->page_count != new->page_count || old->picture_count != new->picture_count) {
		return fail_check(r, "the number of pages");
	}
	bool same = check_pictures(old->pictures, new->pictures, r->named, old->picture_count) &&
	            (!old->external || check_pictures(old->pages, new->pages, r->pictures, old->page_count));
	if (!same) return fail_check(r, "a picture");
	const bspi_luxel_span *span = &r->spans[0];
	bspi_bytes pages =
		old->external || !old->page_count ? BSPI_NO_BYTES : bspi_bytes_of(again->map.lighting.data, span->old.size);
	return !pages.size || same_bytes(pages, span->new, span->old.size) || fail_check(r, "pages");
}

static bool has_same_luxels(const bspi_relight *r, const bspi_relight *again, uint32_t index)
{
	const bspi_face *a = &r->map.faces[index], *b = &again->map.faces[index];
	const bspi_face_light *lit_a = &r->build.light->faces[index], *lit_b = &again->build.light->faces[index];
	bspi_luxel_box box = { 0, 0, 0, 0 }, new_box = box;
	bool lit = bspi_find_luxels(&r->build, a, &box);
	if (bspi_find_luxels(&again->build, b, &new_box) != lit) return false;
	return box.x == new_box.x && box.y == new_box.y && box.width == new_box.width && box.height == new_box.height &&
	       a->light_offset == b->light_offset && a->light_sets == b->light_sets &&
	       !memcmp(lit_a->pages, lit_b->pages, sizeof lit_a->pages) &&
	       !memcmp(lit_a->styles, lit_b->styles, sizeof lit_a->styles) &&
	       !memcmp(a->more_styles, b->more_styles, sizeof a->more_styles) &&
	       !memcmp(a->far_styles, b->far_styles, sizeof a->far_styles);
}

static bool compare_loads(bspi_relight *r, const bspi_relight *again)
{
	bool same = r->map.faces_count == again->map.faces_count;
	for (uint32_t i = 0; same && i < r->map.faces_count; i++) same = has_same_luxels(r, again, i);
	if (!same) return fail_check(r, "the luxels of faces");
	bspi_bytes directions = r->map.light_directions;
	if (directions.size) {
		const uint8_t *written = bspi_relit_bytes(r, NULL, directions);
		if (written && !same_bytes(again->map.light_directions, written, directions.size)) {
			return fail_check(r, "the light's directions");
		}
	}
	if (!bspi_same_lists(r, again) || !bspi_same_probes(r, again))
		return fail_check(r, "the light of vertices or of the light grid");
	return r->blocks ? check_stores(r, again) : check_pages(r, again);
}

bool bspi_check_relit_files(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspi_relit_file *map = &r->files[0];
	new_files files = { r, ctx->options.open_file, ctx->options.list_files, ctx->options.file_user };
	bspi_relight *again = bspi_push(ctx, &ctx->scratch, bspi_relight, 1);
	BSPI_TRY(again);
	again->build.ctx = ctx;
	/* The map is loaded a second time, which may take as much memory as the first time. */
	bspi_budget_read(&ctx->budget, map->new_size);
	ctx->options.open_file = open_new;
	if (files.list) ctx->options.list_files = list_old;
	ctx->options.file_user = &files;
	bool loaded = bspi_load_relit_map(again, bspi_bytes_of(map->new, map->new_size));
	ctx->options.open_file = files.open;
	ctx->options.list_files = files.list;
	ctx->options.file_user = files.user;
	return loaded ? compare_loads(r, again)
	              : bspi_fail_again(ctx, "nothing was written: the new map cannot be loaded, because its light shares "
	                                     "bytes with other data");
}
