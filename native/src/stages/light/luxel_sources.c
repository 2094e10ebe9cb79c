/* luxel_sources.c - finds where the luxels of a rectangle are stored, for each light style and kind of data. Pages are
 * filled from there, and changed light is written back there. */
#include "stages/light/light.h"

#include <assert.h>

void bspi_init_encoders(const bspi_build *build, bspi_light_encoders *out)
{
	const bspi_rules *rules = &build->map->rules;
	const bspi_light *light = build->light;
	bspscene_lightmap_encoding encoding = build->ctx->options.lightmap_encoding;
	bspi_init_encoder(&out->light, rules, light->encoding, rules->overbright, encoding);
	bspi_init_copier(&out->directions, light->encoding);
	if (light->picture_count) {
		bspi_init_encoder(&out->pictures, rules, BSPI_LIGHT_RGB8, light->pictures[0].overbright, encoding);
	}
}

static bspi_luxel_source source_in_page(const bspi_luxel_box *box, const bspi_map_page *page, const bspi_slot *slot)
{
	int64_t x = slot->solid ? slot->x : (int64_t)box->x + slot->x;
	int64_t y = slot->solid ? slot->y : (int64_t)box->y + slot->y;
	uint32_t width = slot->solid ? 1 : box->width, height = slot->solid ? 1 : box->height;
	assert(x >= 0 && y >= 0 && x + width <= page->width && y + height <= page->height);
	(void)width;
	(void)height;
	return (bspi_luxel_source){
		.solid = slot->solid, .overbright = page->overbright,
		.luxels = page->rgb + ((size_t)y * page->width + (size_t)x) * 3, .stride = (size_t)page->width * 3,
	};
}

static uint32_t list_page_sources(const bspi_build *build, const bspi_light_encoders *encoders, const bspi_face *face,
                                  const bspi_luxel_box *box, bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES])
{
	const bspi_map *map = build->map;
	const bspi_light *light = build->light;
	const bspi_face_light *lit = bspi_light_of(build, face);
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < BSPI_MAX_STYLES; slot++) {
		static const bspi_slot lead = { 0, 0, false };
		if (!bspi_slot_used(build, face, slot)) continue;
		const bspi_slot *at = slot ? &light->slots[face - map->faces][slot - 1] : &lead;
		const bspi_map_page *page = bspi_find_page(light, lit->pages[slot]);
		bspi_luxel_source source = source_in_page(box, page, at);
		source.kind = BSPSCENE_LIGHTMAP_SET_LIGHT;
		source.slot = (uint8_t)slot;
		source.style = slot ? lit->styles[slot] : bspi_lead_style(lit);
		source.encoder = page->overbright == map->rules.overbright ? &encoders->light : &encoders->pictures;
		out[count++] = source;

		const bspi_map_page *directions = light->deluxe ? bspi_find_page(light, lit->pages[slot] + 1) : NULL;
		if (!directions || directions->width != page->width || directions->height != page->height) continue;
		source = source_in_page(box, directions, at);
		source.kind = BSPSCENE_LIGHTMAP_SET_DIRECTION;
		source.slot = (uint8_t)slot;
		source.style = out[count - 1].style;
		source.encoder = &encoders->directions;
		out[count++] = source;
	}
	return count;
}

static uint32_t list_block_sources(const bspi_build *build, const bspi_light_encoders *encoders, const bspi_face *face,
                                   const bspi_luxel_box *box, bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES])
{
	const bspi_map *map = build->map;
	const bspi_light *light = build->light;
	size_t area = (size_t)box->width * box->height, offset = (size_t)bspi_block_offset(map, light, face);
	uint32_t count = 0, blocks = bspi_block_count(face), sets = face->light_sets > 1 ? (uint32_t)face->light_sets : 1;
	bspi_bytes directions = BSPI_NO_BYTES;
	bool both = light->encoding == BSPI_LIGHT_RGB8_FROM;
	bool directed = both || bspi_slice(map->light_directions, offset / light->luxel_size * 3,
	                                   (uint64_t)area * blocks * 3, &directions);
	for (uint32_t block = 0; block < blocks && count + 2 <= BSPI_MOST_LUXEL_SOURCES; block++) {
		uint32_t set = block % sets;
		bspi_luxel_source source = {
			.kind = set ? BSPSCENE_LIGHTMAP_SET_BUMP_0 + (set - 1) : BSPSCENE_LIGHTMAP_SET_LIGHT,
			.style = bspi_block_style(face, block / sets), .slot = (uint8_t)(block / sets),
			.encoder = &encoders->light, .overbright = map->rules.overbright,
			.luxels = light->blocks.data + offset + block * area * light->luxel_size,
			.stride = (size_t)box->width * light->luxel_size,
		};
		if (source.kind > BSPSCENE_LIGHTMAP_SET_BUMP_2) continue;
		out[count++] = source;
		if (set || !directed) continue;
		source.kind = BSPSCENE_LIGHTMAP_SET_DIRECTION;
		source.encoder = &encoders->directions;
		source.luxels = both ? source.luxels + BSPI_DIRECTION_AT : directions.data + block * area * 3;
		source.stride = (size_t)box->width * encoders->directions.in_size;
		out[count++] = source;
	}
	return count;
}

uint32_t bspi_list_luxels(const bspi_build *build, const bspi_light_encoders *encoders, const bspi_face *face,
                          const bspi_luxel_box *box, bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES])
{
	bool blocks = build->map->rules.light_storage == BSPI_STORAGE_BLOCKS;
	return (blocks ? list_block_sources : list_page_sources)(build, encoders, face, box, out);
}
