/* tiles.c - makes the tiles of the atlas from the rectangles of luxels that surfaces need. Each tile is copied to the
 * atlas once. Map compilers let neighboring surfaces share luxels, and fill their pages well. So overlapping rectangles
 * are joined to one tile if it has no more luxels than they have together. A tile may become as large as the used
 * part of a stored page. */
#include "stages/light/light.h"

#include <stdlib.h>
#include <string.h>

#include "base/prefetch.h"
#include "base/radix_sort.h"

/* Number of earlier items, in sorted order, that are tried as partners of an item. On 113 maps of OpenArena, this finds
 * as many partners as trying all items. */
#define WINDOW 8

typedef struct tile_item {
	/* The first sort key. Its upper 32 bits are the number of the stored page or, in maps without pages, the offset
	 * of the face's light. In maps with pages but without slots, the lower bits are the position on the page. */
	uint64_t key;
	const bspi_face *face;
	const bspi_face_light *lit;        /* light of `face` */
	bool variants;                     /* true if faces with the same key can have different styles, slots or
	                                    * sets */
	const bspi_slot *slots;            /* slots of `face`; NULL: none */
	bspi_luxel_box box;
	uint32_t surface;
	uint32_t next;                     /* index of the next item of the same cluster, or NO_INDEX */
} tile_item;

typedef struct tile_cluster {
	bspi_luxel_box box;
	uint32_t first, last;              /* first and last item of the cluster, which `next` links */
} tile_cluster;

typedef struct tile_maker {
	bspi_build *build;
	tile_item *items;
	tile_cluster *clusters;
	uint32_t cluster_count;
	uint32_t padding, page_size;       /* luxels that the gutters on both sides add to a tile; largest width of a
	                                    * page */
} tile_maker;

/* ---- Order ------------------------------------------------------------------------------------------------ */

#define COMPARE(a, b) \
	do { \
		if ((a) != (b)) return (a) < (b) ? -1 : 1; \
	} while (0)

static int compare_slots(const tile_item *a, const tile_item *b)
{
	for (int i = 0; i < BSPI_MAX_STYLES; i++) {
		COMPARE(a->lit->pages[i], b->lit->pages[i]);
		COMPARE(a->lit->styles[i], b->lit->styles[i]);
		COMPARE(a->face->more_styles[i], b->face->more_styles[i]);
	}
	for (size_t i = 0; i < sizeof a->face->far_styles; i++) {
		COMPARE(a->face->far_styles[i], b->face->far_styles[i]);
	}
	for (int i = 0; a->slots && i < BSPI_MAX_STYLES - 1; i++) {
		COMPARE(a->slots[i].x, b->slots[i].x);
		COMPARE(a->slots[i].y, b->slots[i].y);
		COMPARE(a->slots[i].solid, b->slots[i].solid);
	}
	return 0;
}

/* Compares the sources of two items' luxels. Returns 0 if they are the same, so that one copy can serve both. */
static int compare_sources(const tile_item *a, const tile_item *b)
{
	COMPARE(a->key >> 32, b->key >> 32);
	if (!a->variants) return 0;
	COMPARE(a->face->light_sets, b->face->light_sets);
	return compare_slots(a, b);
}

/* Compares two items so that items whose luxels have the same source become neighbors. */
static int compare_items(const void *x, const void *y)
{
	const tile_item *a = x, *b = y;
	int order = compare_sources(a, b);
	if (order) return order;
	COMPARE(a->box.y, b->box.y);
	COMPARE(a->box.x, b->box.x);
	COMPARE(b->box.height, a->box.height);
	COMPARE(b->box.width, a->box.width);
	COMPARE(a->surface, b->surface);
	return 0;
}

static bool is_same_source(bspi_light_storage storage, const tile_item *a, const tile_item *b)
{
	if (compare_sources(a, b)) return false;
	return storage == BSPI_STORAGE_PAGES || (a->box.width == b->box.width && a->box.height == b->box.height);
}

/* ---- Joining ---------------------------------------------------------------------------------------------- */

static bspi_luxel_box join(const bspi_luxel_box *a, const bspi_luxel_box *b)
{
	int32_t x = a->x < b->x ? a->x : b->x, y = a->y < b->y ? a->y : b->y;
	int64_t right_a = (int64_t)a->x + a->width, right_b = (int64_t)b->x + b->width;
	int64_t bottom_a = (int64_t)a->y + a->height, bottom_b = (int64_t)b->y + b->height;
	return (bspi_luxel_box){ x, y, (uint32_t)((right_a > right_b ? right_a : right_b) - x),
	                         (uint32_t)((bottom_a > bottom_b ? bottom_a : bottom_b) - y) };
}

static bool is_same_box(const bspi_luxel_box *a, const bspi_luxel_box *b)
{
	return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

static uint64_t padded_area(const tile_maker *maker, const bspi_luxel_box *box)
{
	return (uint64_t)(box->width + maker->padding) * (box->height + maker->padding);
}

static bool fits_page(const tile_maker *maker, const bspi_luxel_box *box)
{
	return box->width + maker->padding <= maker->page_size && box->height + maker->padding <= maker->page_size;
}

static bool is_worth_joining(const tile_maker *maker, const bspi_luxel_box *a, const bspi_luxel_box *b,
                             bspi_luxel_box *out)
{
	*out = join(a, b);
	if (is_same_box(out, a) || is_same_box(out, b)) return true;
	return fits_page(maker, out) && padded_area(maker, out) <= padded_area(maker, a) + padded_area(maker, b);
}

/* Moves all items of `other` to `cluster`. */
static void absorb(tile_maker *maker, tile_cluster *cluster, const tile_cluster *other)
{
	maker->items[cluster->last].next = other->first;
	cluster->last = other->last;
}

static bool absorb_neighbor(tile_maker *maker, uint32_t base, tile_cluster *cluster)
{
	tile_cluster *clusters = maker->clusters;
	for (uint32_t back = 1; back <= WINDOW && back <= maker->cluster_count - base; back++) {
		uint32_t at = maker->cluster_count - back;
		bspi_luxel_box joined;
		if (!is_worth_joining(maker, &clusters[at].box, &cluster->box, &joined)) continue;
		absorb(maker, cluster, &clusters[at]);
		cluster->box = joined;
		memmove(&clusters[at], &clusters[at + 1], (back - 1) * sizeof *clusters);
		maker->cluster_count--;
		return true;
	}
	return false;
}

/* Joins all clusters from `base` on to one, if the rectangle around them has no more luxels than they have together. So
 * the atlas is never larger than the map's own pages. */
static void join_all(tile_maker *maker, uint32_t base)
{
	tile_cluster all = maker->clusters[base];
	uint64_t area = padded_area(maker, &all.box);
	for (uint32_t i = base + 1; i < maker->cluster_count; i++) {
		area += padded_area(maker, &maker->clusters[i].box);
		all.box = join(&all.box, &maker->clusters[i].box);
	}
	if (padded_area(maker, &all.box) > area || !fits_page(maker, &all.box)) return;
	for (uint32_t i = base + 1; i < maker->cluster_count; i++) absorb(maker, &all, &maker->clusters[i]);
	maker->clusters[base] = all;
	maker->cluster_count = base + 1;
}

static void cluster_source(tile_maker *maker, uint32_t first, uint32_t end)
{
	uint32_t base = maker->cluster_count;
	for (uint32_t i = first; i < end; i++) {
		tile_cluster cluster = { maker->items[i].box, i, i };
		while (absorb_neighbor(maker, base, &cluster)) { }
		maker->clusters[maker->cluster_count++] = cluster;
	}
	join_all(maker, base);
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

/* Returns the first sort key for the item of a surface. */
static uint64_t key_of(const bspi_build *build, const bspi_surface *surface, bool pages)
{
	/* In maps without pages, the offset of a face's light alone identifies the source of its luxels. */
	if (!pages) return (uint64_t)build->map->faces[surface->face].light_offset << 32;
	uint64_t key = (uint64_t)surface->source_page << 32;
	return build->light->slots ? key : key | (uint64_t)surface->luxel_y << 16 | (uint64_t)surface->luxel_x;
}

static tile_item make_item(const bspi_build *build, const bspi_keyed *keyed, bool pages)
{
	const bspi_light *light = build->light;
	const bspi_surface *surface = &build->plan.surfaces[keyed->index];
	tile_item item = {
		.key = keyed->key, .face = &build->map->faces[surface->face], .lit = &light->faces[surface->face],
		.variants = !pages || light->slots, .surface = keyed->index, .next = BSPSCENE_NO_INDEX,
	};
	item.box = (bspi_luxel_box){ 0, 0, surface->luxel_width, surface->luxel_height };
	if (pages) {
		item.box.x = surface->luxel_x;
		item.box.y = surface->luxel_y;
		if (light->slots) item.slots = light->slots[surface->face];
	}
	return item;
}

/* Collects the items and sorts them. First only their keys are sorted, which is fast because these records are small.
 * Only items with the same key need a full comparison. */
static bool collect_items(tile_maker *maker, uint32_t *count)
{
	const bspi_build *build = maker->build;
	bspi_ctx *ctx = build->ctx;
	uint32_t most = build->plan.surface_count;
	bool pages = build->map->rules.light_storage == BSPI_STORAGE_PAGES;
	bspi_keyed *keyed = bspi_push_unset(ctx, &ctx->stage, most, sizeof *keyed);
	bspi_keyed *room = bspi_push_unset(ctx, &ctx->stage, most, sizeof *room);
	BSPI_TRY(keyed && room);
	*count = 0;
	for (uint32_t i = 0; i < most; i++) {
		const bspi_surface *surface = &build->plan.surfaces[i];
		if (surface->luxel_width) keyed[(*count)++] = (bspi_keyed){ key_of(build, surface, pages), i };
	}
	keyed = bspi_radix_sort(keyed, room, *count);
	maker->items = bspi_push_unset(ctx, &ctx->stage, *count, sizeof *maker->items);
	maker->clusters = bspi_push_unset(ctx, &ctx->stage, *count, sizeof *maker->clusters);
	BSPI_TRY(maker->items && maker->clusters);
	for (uint32_t i = 0; i < *count; i++) {
		if (i + BSPI_AHEAD < *count) bspi_prefetch(&build->plan.surfaces[keyed[i + BSPI_AHEAD].index]);
		maker->items[i] = make_item(build, &keyed[i], pages);
	}
	return true;
}

static void sort_equal_keys(tile_item *items, uint32_t count)
{
	for (uint32_t first = 0, end; first < count; first = end) {
		end = first + 1;
		while (end < count && items[end].key == items[first].key) end++;
		if (end - first > 1) qsort(items + first, end - first, sizeof *items, compare_items);
	}
}

static bool write_tiles(tile_maker *maker, bspi_tiles *out)
{
	bspi_ctx *ctx = maker->build->ctx;
	uint32_t surface_count = maker->build->plan.surface_count;
	out->count = maker->cluster_count;
	out->tiles = bspi_push_unset(ctx, &ctx->stage, out->count, sizeof *out->tiles);
	out->of_surface = bspi_push_unset(ctx, &ctx->stage, surface_count, sizeof *out->of_surface);
	BSPI_TRY(out->tiles && out->of_surface);
	for (uint32_t i = 0; i < surface_count; i++) out->of_surface[i] = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < out->count; i++) {
		const tile_cluster *cluster = &maker->clusters[i];
		out->tiles[i] = (bspi_tile){ .face = maker->items[cluster->first].face, .box = cluster->box };
		for (uint32_t k = cluster->first; k != BSPSCENE_NO_INDEX; k = maker->items[k].next) {
			out->of_surface[maker->items[k].surface] = i;
		}
	}
	return true;
}

bool bspi_make_tiles(bspi_build *build, bspi_tiles *out)
{
	bspi_ctx *ctx = build->ctx;
	tile_maker maker = { .build = build,
		                 .padding = 2 * ctx->options.lightmap_gutter,
		                 .page_size = ctx->options.lightmap_page_size };
	uint32_t count;
	BSPI_TRY(collect_items(&maker, &count));
	sort_equal_keys(maker.items, count);
	for (uint32_t first = 0, end; first < count; first = end) {
		end = first + 1;
		while (end < count && is_same_source(build->map->rules.light_storage, &maker.items[first], &maker.items[end])) {
			end++;
		}
		cluster_source(&maker, first, end);
	}
	return write_tiles(&maker, out);
}
