/* atlas.c - packs tiles on the pages of the atlas. Up to SKYLINE_TILES tiles are packed by the skyline algorithm of
 * stb_rect_pack, more tiles on shelves. Packing on shelves takes linear time. With so many tiles, it wastes no more
 * space than a skyline, because there are tiles of all sizes to fill the gaps. */
#include "stages/light/light.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Keeps stb_rect_pack from sorting the tiles. They are already sorted by height, then by width; equal ones are in the
 * caller's order. qsort may order equal tiles differently in each C library, so the layout would depend on the
 * library. */
#define STBRP_SORT(rects, count, size, compare) ((void)(compare))
#define STBRP_STATIC
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb/stb_rect_pack.h>

#define SIDE_MULTIPLE 4u               /* width and height of pages are multiples of this, which block compression
                                        * requires */
#define LARGEST_SIDE 16384u

/* Page widths are tried from that of a square page to one and a half times as much. The search ends if the tiles fill
 * GOOD_SHARE percent of a page. It also ends if all tries together have placed LARGEST_WORK tiles. */
#define MOST_WIDTHS 13u
#define WIDTH_STEPS 24u
#define GOOD_SHARE 97u
#define LARGEST_WORK 20000u
/* More than SKYLINE_TILES tiles are packed on shelves. If a tile does not fit at the end of a shelf, up to LOOK_AHEAD
 * later tiles are tried. */
#define SKYLINE_TILES 768u
#define LOOK_AHEAD 48u

typedef struct atlas_packer {
	bspi_ctx *ctx;
	bspi_atlas *atlas;
	bspi_tile **tiles;                 /* tiles that have no position yet, the largest first */
	uint32_t tile_count;
	stbrp_rect *rects;
	stbrp_node *nodes;
	uint32_t gutter, page_size;
} atlas_packer;

static uint32_t padded_width(const atlas_packer *packer, const bspi_tile *tile)
{
	return tile->box.width + 2 * packer->gutter;
}

static uint32_t padded_height(const atlas_packer *packer, const bspi_tile *tile)
{
	return tile->box.height + 2 * packer->gutter;
}

static uint32_t is_common(const atlas_packer *packer, const bspi_tile *tile)
{
	(void)packer;
	return !tile->rare;
}

static uint32_t round_side(uint32_t side)
{
	return (side + SIDE_MULTIPLE - 1) / SIDE_MULTIPLE * SIDE_MULTIPLE;
}

static bool add_page(atlas_packer *packer, uint32_t width, uint32_t height)
{
	bspi_atlas *atlas = packer->atlas;
	if (atlas->page_count == atlas->capacity) {
		uint32_t capacity = atlas->capacity ? 2 * atlas->capacity : 8;
		bspi_page_size *pages = bspi_push(packer->ctx, &packer->ctx->scratch, bspi_page_size, capacity);
		BSPI_TRY(pages);
		if (atlas->page_count) memcpy(pages, atlas->pages, atlas->page_count * sizeof *pages);
		atlas->pages = pages;
		atlas->capacity = capacity;
	}
	atlas->pages[atlas->page_count++] = (bspi_page_size){ round_side(width), round_side(height) };
	return true;
}
/* Sorts the tiles by their width or height, the largest first. A counting sort keeps the order of equal ones. */
static bool sort_by(atlas_packer *packer, uint32_t (*side_of)(const atlas_packer *, const bspi_tile *))
{
	uint32_t largest = 0;
	for (uint32_t i = 0; i < packer->tile_count; i++) {
		uint32_t side = side_of(packer, packer->tiles[i]);
		if (side > largest) largest = side;
	}
	assert(largest <= LARGEST_SIDE);
	uint32_t *starts = bspi_push(packer->ctx, &packer->ctx->stage, uint32_t, largest + 2);
	bspi_tile **sorted = bspi_push(packer->ctx, &packer->ctx->stage, bspi_tile *, packer->tile_count);
	BSPI_TRY(starts && sorted);
	for (uint32_t i = 0; i < packer->tile_count; i++) starts[largest - side_of(packer, packer->tiles[i]) + 1]++;
	for (uint32_t i = 1; i <= largest; i++) starts[i] += starts[i - 1];
	for (uint32_t i = 0; i < packer->tile_count; i++) {
		sorted[starts[largest - side_of(packer, packer->tiles[i])]++] = packer->tiles[i];
	}
	memcpy(packer->tiles, sorted, packer->tile_count * sizeof *sorted);
	return true;
}

static void place(const atlas_packer *packer, bspi_tile *tile, uint32_t x, uint32_t y)
{
	tile->page = packer->atlas->page_count;
	tile->x = x + packer->gutter;
	tile->y = y + packer->gutter;
}

/* Puts each tile that is larger than a page on a page of its own. */
static bool place_large_tiles(atlas_packer *packer)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < packer->tile_count; i++) {
		bspi_tile *tile = packer->tiles[i];
		uint32_t width = padded_width(packer, tile), height = padded_height(packer, tile);
		if (width <= packer->page_size && height <= packer->page_size) {
			packer->tiles[kept++] = tile;
			continue;
		}
		place(packer, tile, 0, 0);
		BSPI_TRY(add_page(packer, width, height));
		BSPI_TRY(bspi_warn(packer->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("lightmaps"),
		                   "a lightmap of %u x %u luxels does not fit into a page of %u x %u: it gets a larger page",
		                   (unsigned)tile->box.width, (unsigned)tile->box.height, (unsigned)packer->page_size,
		                   (unsigned)packer->page_size));
	}
	packer->tile_count = kept;
	return true;
}

/* Packs one shelf, beginning with tile `first`. No later tile is higher than that. Returns how many tiles were
 * packed. */
static uint32_t fill_shelf(const atlas_packer *packer, uint32_t first, uint32_t count, uint32_t width, uint32_t y)
{
	uint32_t x = 0, placed = 0, misfits = 0;
	bool rare = packer->tiles[first]->rare;
	for (uint32_t i = first; i < count && misfits < LOOK_AHEAD; i++) {
		stbrp_rect *rect = &packer->rects[i];
		if (packer->tiles[i]->rare != rare) break;
		if (rect->was_packed) continue;
		if ((uint32_t)rect->w > width - x) {
			misfits++;
			continue;
		}
		rect->x = (stbrp_coord)x;
		rect->y = (stbrp_coord)y;
		rect->was_packed = 1;
		x += (uint32_t)rect->w;
		placed++;
	}
	return placed;
}

static bool fill_shelves(const atlas_packer *packer, uint32_t count, uint32_t width)
{
	uint32_t y = 0, left = count;
	for (uint32_t first = 0; first < count; first++) {
		const stbrp_rect *rect = &packer->rects[first];
		if (rect->was_packed || (uint32_t)rect->h > packer->page_size - y) continue;
		left -= fill_shelf(packer, first, count, width, y);
		y += (uint32_t)rect->h;
	}
	return !left;
}

/* Packs as many of the first `count` tiles as possible into a page of this width. Returns true if all were packed. */
static bool fill(const atlas_packer *packer, uint32_t count, uint32_t width)
{
	stbrp_context context;
	for (uint32_t i = 0; i < count; i++) {
		packer->rects[i] = (stbrp_rect){
			.w = (stbrp_coord)padded_width(packer, packer->tiles[i]),
			.h = (stbrp_coord)padded_height(packer, packer->tiles[i]),
		};
	}
	if (count > SKYLINE_TILES) return fill_shelves(packer, count, width);
	stbrp_init_target(&context, (int)width, (int)packer->page_size, packer->nodes, (int)width);
	return stbrp_pack_rects(&context, packer->rects, (int)count) != 0;
}

/* Returns the area in luxels of a page that is just large enough for the packed tiles. */
static uint64_t used_area(const atlas_packer *packer, uint32_t count)
{
	uint32_t right = 0, bottom = 0;
	for (uint32_t i = 0; i < count; i++) {
		const stbrp_rect *rect = &packer->rects[i];
		if ((uint32_t)(rect->x + rect->w) > right) right = (uint32_t)(rect->x + rect->w);
		if ((uint32_t)(rect->y + rect->h) > bottom) bottom = (uint32_t)(rect->y + rect->h);
	}
	return (uint64_t)round_side(right) * round_side(bottom);
}

/* Tries several widths of a page. The first is that of a square. If tiles are few or large, they leave gaps, which
 * another width may avoid. */
static bool fill_tightly(const atlas_packer *packer, uint32_t count, uint32_t square, uint64_t area)
{
	uint32_t best_width = 0, last_width = 0;
	uint64_t best = UINT64_MAX, good = area * 100 / GOOD_SHARE, work = 0;
	for (uint32_t i = 0; i < MOST_WIDTHS && best > good && work <= LARGEST_WORK; i++, work += count) {
		uint32_t width = round_side(square + square * i / WIDTH_STEPS);
		if (width > packer->page_size) break;
		last_width = width;
		if (!fill(packer, count, width)) continue;
		uint64_t used = used_area(packer, count);
		if (used >= best) continue;
		best = used;
		best_width = width;
	}
	return best_width && (best_width == last_width || fill(packer, count, best_width));
}

/* Packs a page. If all tiles fit, it is about as wide as high; otherwise it has the largest allowed size. Returns how
 * many tiles were tried. Together they have up to about one and a half times the area of a page. So small tiles can
 * fill gaps, but the time stays linear. */
static uint32_t fill_page(const atlas_packer *packer)
{
	uint64_t area = 0, page_area = (uint64_t)packer->page_size * packer->page_size;
	uint32_t widest = 0, count = 0;
	while (count < packer->tile_count && area < page_area * 3 / 2) {
		const bspi_tile *tile = packer->tiles[count++];
		area += (uint64_t)padded_width(packer, tile) * padded_height(packer, tile);
		if (padded_width(packer, tile) > widest) widest = padded_width(packer, tile);
	}
	uint32_t square = (uint32_t)ceil(sqrt((double)area));
	if (square < widest) square = widest;
	if (area >= page_area || !fill_tightly(packer, count, square, area)) fill(packer, count, packer->page_size);
	return count;
}

/* Finishes a page. Tiles that were tried, but did not fit, are the first ones to be tried for the next page. */
static bool take_page(atlas_packer *packer, uint32_t tried)
{
	uint32_t first_kept = tried, right = 0, bottom = 0;
	for (uint32_t i = tried; i-- > 0;) {
		bspi_tile *tile = packer->tiles[i];
		const stbrp_rect *rect = &packer->rects[i];
		if (!rect->was_packed) {
			packer->tiles[--first_kept] = tile;
			continue;
		}
		place(packer, tile, (uint32_t)rect->x, (uint32_t)rect->y);
		if ((uint32_t)(rect->x + rect->w) > right) right = (uint32_t)(rect->x + rect->w);
		if ((uint32_t)(rect->y + rect->h) > bottom) bottom = (uint32_t)(rect->y + rect->h);
	}
	packer->tiles += first_kept;
	packer->tile_count -= first_kept;
	return add_page(packer, right, bottom);
}

bool bspi_pack_tiles(bspi_ctx *ctx, bspi_tile **tiles, uint32_t count, bspi_atlas *atlas)
{
	atlas_packer packer = { .ctx = ctx, .atlas = atlas, .tiles = tiles, .tile_count = count };
	packer.gutter = ctx->options.lightmap_gutter;
	packer.page_size = ctx->options.lightmap_page_size / SIDE_MULTIPLE * SIDE_MULTIPLE;
	packer.rects = bspi_push(ctx, &ctx->stage, stbrp_rect, count);
	/* Memory for the skyline is not set to 0, so it costs nothing if no page uses it. */
	packer.nodes = bspi_push_unset(ctx, &ctx->stage, packer.page_size, sizeof *packer.nodes);
	BSPI_TRY(packer.rects && packer.nodes);
	BSPI_TRY(sort_by(&packer, padded_width) && sort_by(&packer, padded_height));
	if (count > SKYLINE_TILES) BSPI_TRY(sort_by(&packer, is_common));
	BSPI_TRY(place_large_tiles(&packer));
	while (packer.tile_count) {
		BSPI_TRY(bspi_progress(ctx, "lightmaps", count - packer.tile_count, count));
		BSPI_TRY(take_page(&packer, fill_page(&packer)));
	}
	return true;
}
