/* stored_light.c - computes what identifies the light of a map: its name, hashes of its luxels and of their locations,
 * and the location of each face's luxels. */
#include <inttypes.h>
#include <stdio.h>

#include <lzma.h>

#include "stages/light/light.h"

#define NO_OFFSET UINT64_MAX

/* ---- Hashes ----------------------------------------------------------------------------------------------- */

/* Adds bytes to a hash, which is liblzma's CRC-64. It detects mistakes, not attacks. A cryptographic hash would take
 * longer than all other work on the luxels. */
static void add_bytes(uint64_t *hash, const void *data, size_t size)
{
	if (size) *hash = lzma_crc64(data, size, *hash);
}

static void add_numbers(uint64_t *hash, const int64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t bytes[8];
		for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)((uint64_t)numbers[i] >> 8 * k);
		add_bytes(hash, bytes, sizeof bytes);
	}
}

static void add_block(uint64_t *hash, bspi_bytes block)
{
	const int64_t size = (int64_t)block.size;
	add_numbers(hash, &size, 1);
	add_bytes(hash, block.data, block.size);
}

static void add_page(uint64_t *hash, const bspi_map_page *page)
{
	const int64_t size[] = { page->width, page->height, page->rgb != NULL };
	add_numbers(hash, size, sizeof size / sizeof *size);
	if (page->rgb) add_bytes(hash, page->rgb, (size_t)page->width * page->height * 3);
}

static void add_colors(uint64_t *hash, const bspi_stored_colors *colors)
{
	uint8_t some[BSPI_COLORS_AT_ONCE][3];
	for (uint32_t first = 0, count; first < colors->count; first += count) {
		count = bspi_gather_colors(colors, first, some);
		add_bytes(hash, some, count * sizeof *some);
	}
}

static void write_hash(uint64_t hash, char out[BSPI_LIGHT_HASH_SIZE])
{
	snprintf(out, BSPI_LIGHT_HASH_SIZE, "%016" PRIx64, hash);
}

void bspi_hash_luxels(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE])
{
	const bspi_light *light = build->light;
	uint64_t hash = 0;
	add_block(&hash, light->blocks);
	add_block(&hash, build->map->light_directions);
	for (uint32_t i = 0; i < light->page_count; i++) add_page(&hash, &light->pages[i]);
	for (uint32_t i = 0; i < light->picture_count; i++) add_page(&hash, &light->pictures[i]);
	bspi_light_list lists[BSPI_MOST_LIGHT_LISTS];
	uint32_t count = bspi_find_light_lists(build->map, lists);
	for (uint32_t i = 0; i < count; i++) add_colors(&hash, &lists[i].colors);
	write_hash(hash, out);
}

static void add_face(uint64_t *hash, const bspi_build *build, uint32_t index, const bspi_luxel_box *box)
{
	const bspi_face *face = &build->map->faces[index];
	const bspi_face_light *lit = bspi_light_of(build, face);
	const int64_t numbers[] = {
		index, box->width, box->height, box->x, box->y, face->light_sets, face->light_offset,
		lit->pages[0], lit->pages[1], lit->pages[2], lit->pages[3],
	};
	add_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
	add_bytes(hash, lit->styles, sizeof lit->styles);
	add_bytes(hash, face->more_styles, sizeof face->more_styles);
	if (face->style_slots > 2 * BSPI_MAX_STYLES) add_bytes(hash, face->far_styles, sizeof face->far_styles);
}

uint64_t bspi_hash_layout(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE])
{
	const bspi_map *map = build->map;
	uint64_t hash = 0, luxels = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_luxel_box box;
		if (!bspi_find_luxels(build, &map->faces[i], &box)) continue;
		add_face(&hash, build, i, &box);
		luxels += (uint64_t)box.width * box.height;
	}
	write_hash(hash, out);
	return luxels;
}

/* ---- Layout ----------------------------------------------------------------------------------------------- */

const char *bspi_light_name(const bspi_light *light)
{
	if (light->store) return light->store->name;
	return light->external ? "pictures" : "pages";
}

static void find_on_pages(const bspi_build *build, const bspi_face *face, const bspi_luxel_box *box,
                          bspscene_luxel_location *out)
{
	const bspi_light *light = build->light;
	for (uint32_t slot = 0; slot < BSPI_MAX_STYLES; slot++) {
		out->pages[slot] = -1;
		if (!bspi_slot_used(build, face, slot)) continue;
		const bspi_slot *at = slot ? &light->slots[face - build->map->faces][slot - 1] : &(bspi_slot){ 0, 0, false };
		out->pages[slot] = bspi_light_of(build, face)->pages[slot];
		out->x[slot] = at->x + (at->solid ? 0 : box->x);
		out->y[slot] = at->y + (at->solid ? 0 : box->y);
		out->solid[slot] = at->solid;
	}
}

static void find_sources(const bspi_build *build, bool *seen, bspscene_luxel_location *out)
{
	const bspscene_scene *scene = build->scene;
	bool blocks = build->map->rules.light_storage == BSPI_STORAGE_BLOCKS;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		out[i].offset = NO_OFFSET;
		if (scene->faces[i].lightmap_page == BSPSCENE_NO_INDEX) continue;
		const bspi_face *face = &build->map->faces[scene->faces[i].record];
		bspi_luxel_box box;
		seen[scene->faces[i].record] = true;
		if (blocks) out[i].offset = (uint64_t)bspi_block_offset(build->map, build->light, face);
		else if (bspi_find_luxels(build, face, &box)) find_on_pages(build, face, &box, &out[i]);
	}
}

static uint64_t count_hidden(const bspi_build *build, const bool *seen)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < build->map->faces_count; i++) {
		bspi_luxel_box box;
		if (!seen[i] && bspi_find_luxels(build, &build->map->faces[i], &box)) count += (uint64_t)box.width * box.height;
	}
	return count;
}

bool bspi_describe_stored_light(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	if (!ctx->options.keep_map_light || !build->scene->lightmap_page_count) return true;
	bspscene_map_light *stored = bspi_push(ctx, &ctx->result, bspscene_map_light, 1);
	bspscene_luxel_location *sources = bspi_push(ctx, &ctx->result, bspscene_luxel_location, build->scene->face_count);
	bool *seen = bspi_push(ctx, &ctx->stage, bool, build->map->faces_count);
	BSPI_TRY(stored && sources && seen);
	find_sources(build, seen, sources);
	bspi_hash_luxels(build, stored->light_hash);
	stored->luxel_count = bspi_hash_layout(build, stored->layout_hash);
	stored->hidden_count = count_hidden(build, seen);
	stored->name = bspi_light_name(build->light);
	stored->clamps_hue = build->map->rules.light_clamp == BSPI_CLAMP_HUE;
	stored->gutter = ctx->options.lightmap_gutter;
	stored->luxel_locations = sources;
	BSPI_TRY(bspi_encode_light_lists(build, stored));
	build->scene->map_light = stored;
	return true;
}
