/* validate_textures.c - checks names of textures, and the numbers that place textures on faces. See validate.c. */
#include "map/validate.h"

#include <inttypes.h>

#include "base/text.h"
#include "base/vec.h"

bool bspi_check_name(bspi_ctx *ctx, bspi_map *map, bspi_array_id array, uint32_t i, char *name, size_t capacity)
{
	bool repaired = false;
	name[capacity - 1] = 0;
	const char *text = bspi_text_copy(ctx, bspi_bytes_of(name, strlen(name)), &repaired);
	BSPI_TRY(text);
	if (!repaired) return true;
	BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_TEXT, bspi_record_location(map, array, i),
	                   "the name \"%s\" is not UTF-8: it was read as Windows-1252", text));
	size_t size = strlen(text);
	if (size >= capacity) size = capacity - 1;
	while (size && ((uint8_t)text[size] & 0xC0) == 0x80) size--;
	memcpy(name, text, size);
	name[size] = 0;
	return true;
}

static bool check_textures(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->textures_count; i++) {
		bspi_texture *texture = &map->textures[i];
		BSPI_TRY(bspi_check_name(ctx, map, BSPI_ARRAY_textures, i, texture->name, sizeof texture->name));
		if (!texture->miptex.data) texture->miptex = BSPI_NO_BYTES;
		if (!(texture->subdivisions >= 0 && texture->subdivisions <= BSPI_LARGEST_COORDINATE)) {
			texture->subdivisions = 0;
		}
		if (!bspi_are_finite(texture->reflectivity, 3)) texture->has_reflectivity = false;
	}
	return true;
}

static bool check_effects(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->effects_count; i++) {
		BSPI_TRY(bspi_check_name(ctx, map, BSPI_ARRAY_effects, i, map->effects[i].name, sizeof map->effects[i].name));
	}
	for (uint32_t i = 0; i < map->textures_count; i++) {
		bspi_texture *texture = &map->textures[i];
		if (!map->effects_count) texture->effect = -1;
		if (texture->effect == -1 || bspi_is_index(texture->effect, map->effects_count)) continue;
		BSPI_REPAIR(textures, i, REFERENCE,
		            "it uses material %" PRId32 ", but there are %" PRIu32 ": it gets none", texture->effect,
		            map->effects_count);
		texture->effect = -1;
	}
	return true;
}

static bool check_texinfos(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->texinfos_count; i++) {
		bspi_texinfo *info = &map->texinfos[i];
		if (!bspi_are_finite(info->texture_vectors[0], 8)) {
			BSPI_REPAIR(texinfos, i, REFERENCE, "its texture's projection is not finite: set to 0");
			memset(info->texture_vectors, 0, sizeof info->texture_vectors);
		}
		if (info->next > 0 && !bspi_is_index(info->next, map->texinfos_count)) {
			BSPI_REPAIR(texinfos, i, REFERENCE,
			            "the next frame of its animation is texinfo %" PRId32 ", but there are %" PRIu32
			            ": the animation ends there",
			            info->next, map->texinfos_count);
			info->next = 0;
		}
	}
	return true;
}

static bool check_light_projections(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->light_projections_count; i++) {
		bspi_light_projection *projection = &map->light_projections[i];
		if (bspi_are_finite(projection->vectors[0], 8)) continue;
		BSPI_REPAIR(light_projections, i, LIGHTMAP, "its lightmap's projection is not finite: set to 0");
		memset(projection, 0, sizeof *projection);
	}
	return true;
}

bool bspi_validate_textures(bspi_ctx *ctx, bspi_map *map)
{
	return check_textures(ctx, map) && check_effects(ctx, map) && check_texinfos(ctx, map) &&
	       check_light_projections(ctx, map);
}
