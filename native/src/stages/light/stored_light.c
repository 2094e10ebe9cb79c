/* stored_light.c - what tells the light of a map from that of another map, and where it is: for who writes it back. */
#include "base/sha256.h"
#include "stages/light/light.h"

#define NO_OFFSET UINT64_MAX

/* ---- Hashes ----------------------------------------------------------------------------------------------- */

static void add_numbers(bspi_sha256 *hash, const int64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t bytes[8];
		for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)((uint64_t)numbers[i] >> 8 * k);
		bspi_sha256_add(hash, bytes, sizeof bytes);
	}
}

static void add_page(bspi_sha256 *hash, const bspi_stored_page *page)
{
	const int64_t size[] = { page->width, page->height, page->rgb != NULL };
	add_numbers(hash, size, sizeof size / sizeof *size);
	if (page->rgb) bspi_sha256_add(hash, page->rgb, (size_t)page->width * page->height * 3);
}

static void add_colors(bspi_sha256 *hash, const bspi_stored_colors *colors)
{
	for (uint32_t i = 0; i < colors->count; i++) bspi_sha256_add(hash, colors->first + i * colors->stride, 3);
}

void bspi_hash_luxels(const bspi_build *build, char out[BSPI_SHA256_TEXT_SIZE])
{
	const bspi_light *light = build->light;
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	bspi_sha256_add(&hash, light->blocks.data, light->blocks.size);
	bspi_sha256_add(&hash, build->map->light_directions.data, build->map->light_directions.size);
	for (uint32_t i = 0; i < light->page_count; i++) add_page(&hash, &light->pages[i]);
	for (uint32_t i = 0; i < light->picture_count; i++) add_page(&hash, &light->pictures[i]);
	bspi_light_list lists[BSPI_MOST_LIGHT_LISTS];
	uint32_t count = bspi_find_light_lists(build->map, lists);
	for (uint32_t i = 0; i < count; i++) add_colors(&hash, &lists[i].colors);
	bspi_sha256_end_text(&hash, out);
}

static void add_face(bspi_sha256 *hash, const bspi_build *build, uint32_t index, const bspi_luxel_box *box)
{
	const bspi_face *face = &build->map->faces[index];
	const int64_t numbers[] = {
		index, box->width, box->height, box->x, box->y, face->light_sets, face->light_offset,
		face->lightmap[0], face->lightmap[1], face->lightmap[2], face->lightmap[3],
	};
	add_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
	bspi_sha256_add(hash, face->styles, sizeof face->styles);
	bspi_sha256_add(hash, face->more_styles, sizeof face->more_styles);
}

uint64_t bspi_hash_layout(const bspi_build *build, char out[BSPI_SHA256_TEXT_SIZE])
{
	const bspi_map *map = build->map;
	uint64_t luxels = 0;
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_luxel_box box;
		if (!bspi_find_luxels(build, &map->faces[i], &box)) continue;
		add_face(&hash, build, i, &box);
		luxels += (uint64_t)box.width * box.height;
	}
	bspi_sha256_end_text(&hash, out);
	return luxels;
}

/* ---- Places ----------------------------------------------------------------------------------------------- */

const char *bspi_light_name(const bspi_light *light)
{
	if (light->store) return light->store->name;
	return light->external ? "pictures" : "pages";
}

static void find_on_pages(const bspi_build *build, const bspi_face *face, const bspi_luxel_box *box,
                          bspscene_luxel_source *out)
{
	const bspi_light *light = build->light;
	for (uint32_t slot = 0; slot < BSPI_MAX_STYLES; slot++) {
		out->pages[slot] = -1;
		if (!bspi_slot_used(build->map, light, face, slot)) continue;
		const bspi_slot *at = slot ? &light->slots[face - build->map->faces][slot - 1] : &(bspi_slot){ 0, 0, false };
		out->pages[slot] = face->lightmap[slot];
		out->x[slot] = at->x + (at->solid ? 0 : box->x);
		out->y[slot] = at->y + (at->solid ? 0 : box->y);
		out->solid[slot] = at->solid;
	}
}

static void find_sources(const bspi_build *build, bool *seen, bspscene_luxel_source *out)
{
	const bspscene_scene *scene = build->scene;
	bool blocks = build->map->rules.light_storage == BSPI_STORAGE_BLOCKS;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		out[i].offset = NO_OFFSET;
		if (scene->faces[i].page == BSPSCENE_NO_INDEX) continue;
		const bspi_face *face = &build->map->faces[scene->faces[i].source];
		bspi_luxel_box box;
		seen[scene->faces[i].source] = true;
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
	if (!ctx->options.stored_light || !build->scene->page_count) return true;
	bspscene_stored_light *stored = bspi_push(ctx, &ctx->result, bspscene_stored_light, 1);
	bspscene_luxel_source *sources = bspi_push(ctx, &ctx->result, bspscene_luxel_source, build->scene->face_count);
	bool *seen = bspi_push(ctx, &ctx->stage, bool, build->map->faces_count);
	BSPI_TRY(stored && sources && seen);
	find_sources(build, seen, sources);
	bspi_hash_luxels(build, stored->light_hash);
	stored->luxel_count = bspi_hash_layout(build, stored->layout_hash);
	stored->hidden_count = count_hidden(build, seen);
	stored->name = bspi_light_name(build->light);
	stored->clamps_hue = build->map->rules.light_clamp == BSPI_CLAMP_HUE;
	stored->gutter = ctx->options.page_gutter;
	stored->sources = sources;
	BSPI_TRY(bspi_encode_light_lists(build, stored));
	build->scene->stored_light = stored;
	return true;
}
