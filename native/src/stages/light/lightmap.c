/* lightmap.c - writes the luxels of all lit surfaces to lightmap sets. One set holds the steady light. Each further
 * style, direction or bump vector has a set of its own. All sets have the same layout. Luxels are copied only once,
 * from the file directly to their pages. */
#include "stages/light/light.h"

#include <string.h>

#include "base/page_luxels.h"
#include "base/prefetch.h"
#include "stages/light/sparse_pages.h"

#define KINDS (BSPSCENE_LIGHTMAP_SET_BUMP_2 + 1)
#define STYLES 256
#define TILES_IN_A_THREAD 1024
#define LAST_BIT 63                    /* sets after the first 63 share this bit */
#define SHARE_PLACED 0.6               /* progress (0..1) when all tiles have a place */
/* Limit for wasted luxels. If rare tiles are on the same pages as common tiles, the luxels of the common tiles are
 * black in all lightmap sets but the first. If there would be more such luxels than this, rare tiles get pages of
 * their own. */
#define LARGEST_WASTE ((uint64_t)8 << 20)

typedef struct page_writer {
	bspi_build *build;
	bspi_tiles tiles;
	bspi_light_encoders encoders;
	uint16_t set_of[KINDS][STYLES];    /* index of the set plus 1; 0: none */
	uint8_t bit_of[KINDS][STYLES];     /* for each set, its bit in bspi_tile.sets; bits are numbered in the order in
	                                    * which sets are found */
	uint32_t met;
	float intensities[KINDS][STYLES];
	bspscene_lightmap_set *sets;
	bspscene_lightmap_page **pages;    /* for each set, its pages; bspscene_lightmap_set.pages is the same array, but
	                                    * read-only */
	uint32_t set_count;
} page_writer;

static uint32_t list_sources(const page_writer *writer, const bspi_tile *tile,
                             bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES])
{
	return bspi_list_luxels(writer->build, &writer->encoders, tile->face, &tile->box, out);
}

/* ---- Sets ------------------------------------------------------------------------------------------------- */

static float intensity_of(const page_writer *writer, const bspi_luxel_source *source)
{
	if (source->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION) return 1;
	const bspi_build *build = writer->build;
	return bspi_page_intensity(&build->map->rules, build->light->encoding, source->overbright,
	                           build->ctx->options.lightmap_encoding);
}

static void meet_set(page_writer *writer, const bspi_luxel_source *source)
{
	writer->set_of[source->kind][source->style] = 1;
	writer->intensities[source->kind][source->style] = intensity_of(writer, source);
	writer->bit_of[source->kind][source->style] = (uint8_t)writer->met;
	if (writer->met < LAST_BIT) writer->met++;
}

/* Finds all sets. Marks a tile as rare if it has light in a set that few tiles use. */
static void find_sets(page_writer *writer)
{
	bspi_luxel_source lead = { .kind = BSPSCENE_LIGHTMAP_SET_LIGHT,
		                       .overbright = writer->build->map->rules.overbright };
	meet_set(writer, &lead);
	for (uint32_t i = 0; i < writer->tiles.count; i++) {
		bspi_luxel_source sources[BSPI_MOST_LUXEL_SOURCES];
		bspi_tile *tile = &writer->tiles.tiles[i];
		if (i + BSPI_AHEAD < writer->tiles.count) bspi_prefetch(tile[BSPI_AHEAD].face);
		uint32_t count = list_sources(writer, tile, sources);
		tile->rare = false;
		tile->sets = 0;
		for (uint32_t k = 0; k < count; k++) {
			uint16_t *set = &writer->set_of[sources[k].kind][sources[k].style];
			bool common =
				sources[k].kind == BSPSCENE_LIGHTMAP_SET_LIGHT || sources[k].kind == BSPSCENE_LIGHTMAP_SET_DIRECTION;
			if (sources[k].style || !common) tile->rare = true;
			if (!*set) meet_set(writer, &sources[k]);
			tile->sets |= (uint64_t)1 << writer->bit_of[sources[k].kind][sources[k].style];
		}
	}
	/* Sets are numbered by kind, then by style, so the set with the light of style 0 is set 0. */
	for (uint32_t kind = 0; kind < KINDS; kind++) {
		for (uint32_t style = 0; style < STYLES; style++) {
			if (writer->set_of[kind][style]) writer->set_of[kind][style] = (uint16_t)++writer->set_count;
		}
	}
}

static uint32_t set_index(const page_writer *writer, bspscene_lightmap_set_kind kind, uint32_t style)
{
	return writer->set_of[kind][style] - 1u;
}

static bool make_set(page_writer *writer, bspscene_lightmap_set_kind kind, uint32_t style)
{
	const bspi_build *build = writer->build;
	const bspi_atlas *atlas = &build->light->atlas;
	uint32_t index = set_index(writer, kind, style);
	bool directions = kind == BSPSCENE_LIGHTMAP_SET_DIRECTION;
	bspscene_lightmap_page *pages =
		bspi_push(build->ctx, &build->ctx->result, bspscene_lightmap_page, atlas->page_count);
	BSPI_TRY(pages);
	bspscene_lightmap_page_format format =
		directions ? writer->encoders.directions.format : writer->encoders.light.format;
	for (uint32_t i = 0; i < atlas->page_count; i++) {
		pages[i] = (bspscene_lightmap_page){
			.width = atlas->pages[i].width, .height = atlas->pages[i].height, .format = format,
		};
	}
	/* Directions of .lux files (Quake) are in tangent space. */
	bool blocks = build->map->rules.light_storage == BSPI_STORAGE_BLOCKS;
	writer->pages[index] = pages;
	writer->sets[index] = (bspscene_lightmap_set){
		.kind = kind, .style = style, .intensity = writer->intensities[kind][style],
		.tangent_space = directions && (blocks || build->light->tangent_space), .pages = pages,
	};
	return true;
}

static bool make_sets(page_writer *writer)
{
	bspi_ctx *ctx = writer->build->ctx;
	writer->sets = bspi_push(ctx, &ctx->result, bspscene_lightmap_set, writer->set_count);
	writer->pages = bspi_push(ctx, &ctx->stage, bspscene_lightmap_page *, writer->set_count);
	BSPI_TRY(writer->sets && writer->pages);
	for (uint32_t kind = 0; kind < KINDS; kind++) {
		for (uint32_t style = 0; style < STYLES; style++) {
			if (writer->set_of[kind][style]) BSPI_TRY(make_set(writer, (bspscene_lightmap_set_kind)kind, style));
		}
	}
	return true;
}

/* ---- Packing ---------------------------------------------------------------------------------------------- */

/* Chooses a page and a position for each tile. Every set has all pages, at the same sizes. So if a page has tiles with
 * steady and with switched light, most of it is black in the sets of the switched light. If that would waste too much,
 * rare tiles get pages of their own. On common pages, rare tiles are kept together if there are many tiles. Black parts
 * are then whole rows, which are never written and take no memory. */
static bool place_tiles(page_writer *writer)
{
	bspi_ctx *ctx = writer->build->ctx;
	uint32_t count = writer->tiles.count, common = 0, rare = count;
	uint64_t common_area = 0;
	bspi_tile **order = bspi_push(ctx, &ctx->stage, bspi_tile *, count);
	BSPI_TRY(order);
	for (uint32_t i = 0; i < count; i++) {
		bspi_tile *tile = &writer->tiles.tiles[i];
		if (tile->rare) {
			order[--rare] = tile;
		} else {
			order[common++] = tile;
			common_area += (uint64_t)tile->box.width * tile->box.height;
		}
	}
	bspi_atlas *atlas = &writer->build->light->atlas;
	bool apart = common < count && common_area * (writer->set_count - 1) > LARGEST_WASTE;
	if (!apart) return bspi_pack_tiles(ctx, order, count, atlas);
	return bspi_pack_tiles(ctx, order, common, atlas) && bspi_pack_tiles(ctx, order + common, count - common, atlas);
}

static void place_surfaces(page_writer *writer)
{
	bspi_plan *plan = &writer->build->plan;
	bool pages = writer->build->map->rules.light_storage == BSPI_STORAGE_PAGES;
	for (uint32_t i = 0; i < plan->surface_count; i++) {
		bspi_surface *surface = &plan->surfaces[i];
		surface->page = BSPSCENE_NO_INDEX;
		if (writer->tiles.of_surface[i] == BSPSCENE_NO_INDEX) continue;
		const bspi_tile *tile = &writer->tiles.tiles[writer->tiles.of_surface[i]];
		surface->page = tile->page;
		surface->page_x = tile->x + (pages ? (uint32_t)(surface->luxel_x - tile->box.x) : 0);
		surface->page_y = tile->y + (pages ? (uint32_t)(surface->luxel_y - tile->box.y) : 0);
	}
}

/* ---- Luxels ----------------------------------------------------------------------------------------------- */

/* Repeats a luxel. Most luxels have three bytes, so this size has a fast path. */
static inline void repeat(uint8_t *out, const uint8_t *luxel, size_t size, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, out += size) {
		if (size == 3) memcpy(out, luxel, 3);
		else memcpy(out, luxel, size);
	}
}

/* Writes a tile, and repeats its border luxels in the gutter around it, so that bilinear filtering at the edge reads
 * what the engine would. */
static void write_luxels(const bspi_tile *tile, const bspi_luxel_source *source, uint32_t gutter, uint32_t page_width,
                         uint8_t *page)
{
	size_t size = source->encoder->out_size, row_size = page_width * size, width = tile->box.width;
	uint8_t *first = page + tile->y * row_size + tile->x * size;
	for (uint32_t y = 0; y < tile->box.height; y++) {
		uint8_t *row = first + y * row_size;
		if (source->solid) {
			source->encoder->row(source->encoder, source->luxels, 1, row);
			repeat(row + size, row, size, tile->box.width - 1);
		} else {
			source->encoder->row(source->encoder, source->luxels + y * source->stride, tile->box.width, row);
		}
		repeat(row - gutter * size, row, size, gutter);
		repeat(row + width * size, row + (width - 1) * size, size, gutter);
	}
	uint8_t *last = first + (tile->box.height - 1) * row_size;
	size_t padded = (width + 2 * gutter) * size;
	for (uint32_t i = 1; i <= gutter; i++) {
		memcpy(first - i * row_size - gutter * size, first - gutter * size, padded);
		memcpy(last + i * row_size - gutter * size, last - gutter * size, padded);
	}
}

/* Allocates a lightmap page. Nearly all luxels of the first set are written, so its pages are zeroed at once; the
 * system can then use large memory pages (large_pages.h). Pages of other sets come from calloc, so that their
 * untouched parts take no memory. */
static uint8_t *make_page(bspi_ctx *ctx, const bspscene_lightmap_page *page, uint32_t set, size_t luxel_size)
{
	size_t count = (size_t)page->width * page->height;
	if (set) return bspi_push_zeroed(ctx, &ctx->result, count, luxel_size);
	uint8_t *data = bspi_push_unset(ctx, &ctx->result, count, luxel_size);
	if (data) memset(data, 0, count * luxel_size);
	return data;
}

static bspscene_lightmap_page *page_of(const page_writer *writer, const bspi_tile *tile,
                                       const bspi_luxel_source *source)
{
	return &writer->pages[set_index(writer, source->kind, source->style)][tile->page];
}

static bool make_pages_of(page_writer *writer, const bspi_tile *tile)
{
	bspi_luxel_source sources[BSPI_MOST_LUXEL_SOURCES];
	uint32_t count = list_sources(writer, tile, sources);
	for (uint32_t i = 0; i < count; i++) {
		bspscene_lightmap_page *page = page_of(writer, tile, &sources[i]);
		uint32_t set = set_index(writer, sources[i].kind, sources[i].style);
		if (bspi_page_has_light(page)) continue;
		page->data = make_page(writer->build->ctx, page, set, sources[i].encoder->out_size);
		BSPI_TRY(page->data);
	}
	return true;
}

/* Stores pages that are mostly black as blocks (sparse pages). */
static bool make_sparse_pages(page_writer *writer)
{
	bspi_ctx *ctx = writer->build->ctx;
	const uint32_t page_count = writer->build->light->atlas.page_count;
	bspi_block_plan *plans = bspi_push(ctx, &ctx->stage, bspi_block_plan, (size_t)writer->set_count * page_count);
	BSPI_TRY(plans);
	for (uint32_t i = 0; i < writer->tiles.count; i++) {
		bspi_luxel_source sources[BSPI_MOST_LUXEL_SOURCES];
		const bspi_tile *tile = &writer->tiles.tiles[i];
		if (!(tile->sets >> 1)) continue;
		uint32_t count = list_sources(writer, tile, sources);
		for (uint32_t k = 0; k < count; k++) {
			uint32_t set = set_index(writer, sources[k].kind, sources[k].style);
			bspi_block_plan *plan = &plans[(size_t)set * page_count + tile->page];
			const bspscene_lightmap_page *page = page_of(writer, tile, &sources[k]);
			if (set) BSPI_TRY(bspi_mark_blocks(ctx, plan, page, tile, &sources[k]));
		}
	}
	for (size_t i = 0; i < (size_t)writer->set_count * page_count; i++) {
		BSPI_TRY(bspi_make_blocks(ctx, &plans[i], &writer->pages[i / page_count][i % page_count]));
	}
	return true;
}

/* Makes each page of each set, if some tile has luxels on it. */
static bool make_pages(page_writer *writer)
{
	bspi_ctx *ctx = writer->build->ctx;
	uint64_t *made = bspi_push(ctx, &ctx->stage, uint64_t, writer->build->light->atlas.page_count);
	BSPI_TRY(made);
	if (ctx->options.sparse_lightmaps && writer->set_count > 1) BSPI_TRY(make_sparse_pages(writer));
	for (uint32_t i = 0; i < writer->tiles.count; i++) {
		const bspi_tile *tile = &writer->tiles.tiles[i];
		if (!(tile->sets & ~made[tile->page])) continue;
		BSPI_TRY(make_pages_of(writer, tile));
		made[tile->page] |= tile->sets & ~((uint64_t)1 << LAST_BIT);
	}
	return true;
}

static void write_tile(const page_writer *writer, const bspi_tile *tile)
{
	bspi_luxel_source sources[BSPI_MOST_LUXEL_SOURCES];
	uint32_t count = list_sources(writer, tile, sources);
	for (uint32_t i = 0; i < count; i++) {
		const bspscene_lightmap_page *page = page_of(writer, tile, &sources[i]);
		const uint32_t gutter = writer->build->ctx->options.lightmap_gutter;
		if (page->blocks) bspi_write_blocks(tile, &sources[i], gutter, page->blocks);
		else write_luxels(tile, &sources[i], gutter, page->width, (uint8_t *)page->data);
	}
}

static void write_tiles(void *user, uint32_t first, uint32_t end)
{
	const page_writer *writer = user;
	for (uint32_t i = first; i < end; i++) {
		const bspi_tile *tile = &writer->tiles.tiles[i];
		if (i + BSPI_AHEAD < end) bspi_prefetch(tile[BSPI_AHEAD].face);
		write_tile(writer, tile);
	}
}

static bool has_unclamped_light(const bspi_map *map)
{
	return map->lighting_hdr.size || (map->lighting.size && map->rules.light_encoding == BSPI_LIGHT_RGBEXP32);
}

/* Returns the value for bspscene_scene.light_clamp. Engines do not clamp light that is stored as floats. */
static float light_limit(const bspi_build *build)
{
	bspi_light_encoding encoding = build->light->encoding;
	bool bytes = encoding == BSPI_LIGHT_GRAY8 || encoding == BSPI_LIGHT_RGB8;
	return bytes && build->ctx->options.lightmap_encoding != BSPSCENE_LIGHTMAP_ENCODING_HDR
	           ? build->map->rules.light_limit
	           : 0;
}

bool bspi_build_lightmaps(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	page_writer *writer = bspi_push(ctx, &ctx->stage, page_writer, 1);
	BSPI_TRY(writer);
	writer->build = build;
	build->scene->lightmap_encoding = ctx->options.lightmap_encoding;
	build->scene->overbright = build->map->rules.overbright;
	build->scene->lightmap_mode_white = build->map->rules.lightmaps_alone_white && build->light->blocks.size;
	build->scene->lightmap_mode_opaque = build->map->rules.lightmaps_alone_opaque;
	build->scene->light_clamp = light_limit(build);
	build->scene->linear_luxels = build->map->rules.linear_luxels;
	build->scene->has_hdr_light = has_unclamped_light(build->map);
	BSPI_TRY(bspi_make_tiles(build, &writer->tiles));
	if (!writer->tiles.count) {
		place_surfaces(writer);
		return true;
	}
	bspi_init_encoders(build, &writer->encoders);
	find_sets(writer);
	const bspi_fraction stage = ctx->fraction;
	bspi_fraction_part_of(&ctx->fraction, &stage, 0, SHARE_PLACED);
	BSPI_TRY(place_tiles(writer));
	bspi_fraction_part_of(&ctx->fraction, &stage, SHARE_PLACED, 1);
	place_surfaces(writer);
	BSPI_TRY(make_sets(writer));
	BSPI_TRY(make_pages(writer));
	const bspi_ranges ranges = { writer->tiles.count, TILES_IN_A_THREAD, write_tiles, writer, "lightmaps" };
	BSPI_TRY(bspi_run_ranges(ctx, &ranges));
	build->scene->lightmap_sets = writer->sets;
	build->scene->lightmap_set_count = writer->set_count;
	build->scene->lightmap_page_count = build->light->atlas.page_count;
	return true;
}
