/* render_modes.c - entities that draw their models blended (rendermode, renderamt) get copies of the textures of those
 * models, so that everything behind still sees one material per texture. */
#include "stages/stages.h"

#include "base/text.h"

#define MOST_VARIANTS 4096u            /* copies in one map; beyond this models stay opaque, counted */

static float number(const bspi_build *build, uint32_t entity, const char *key, float otherwise)
{
	const char *text = bspi_entity_value(build, entity, key);
	float value;
	return text && bspi_text_numbers(text, &value, 1) ? value : otherwise;
}

static int32_t mode_of(const bspi_build *build, uint32_t entity)
{
	float mode = number(build, entity, "rendermode", 0);
	return mode >= 1 && mode <= 10 ? (int32_t)mode : 0;
}

static bool is_same_texture(const bspi_texture *a, const bspi_texture *b)
{
	return a->surface_flags == b->surface_flags && a->effect == b->effect && !strcmp(a->name, b->name);
}

/* The copy of a texture for this mode and amount; made when there is none yet among those after `first`. */
static int32_t variant_of(bspi_map *map, uint32_t first, int32_t texture, int32_t mode, float amount)
{
	for (uint32_t i = first; i < map->textures_count; i++) {
		const bspi_texture *t = &map->textures[i];
		if (t->render_mode == mode && t->render_amount == amount && is_same_texture(t, &map->textures[texture])) {
			return (int32_t)i;
		}
	}
	bspi_texture *copy = &map->textures[map->textures_count];
	*copy = map->textures[texture];
	copy->render_mode = mode;
	copy->render_amount = amount;
	return (int32_t)map->textures_count++;
}

static void blend_model(bspi_map *map, uint32_t first, uint32_t capacity, const bspi_model *model, int32_t mode,
                        float amount)
{
	for (int32_t i = 0; i < model->face_count; i++) {
		bspi_face *face = &map->faces[model->first_face + i];
		if (face->kind != BSPI_FACE_DROPPED && map->textures_count < capacity) {
			face->texture = variant_of(map, first, face->texture, mode, amount);
		}
	}
}

bool bspi_apply_render_modes(bspi_build *build)
{
	bspi_map *map = build->map;
	const bspscene_scene *scene = build->scene;
	uint32_t first = map->textures_count, blended = 0;
	if (!map->rules.entities->render_modes) return true;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (scene->entities[i].model != BSPSCENE_NO_INDEX && scene->entities[i].model && mode_of(build, i)) blended++;
	}
	if (!blended) return true;
	bspi_texture *textures = bspi_push(build->ctx, &build->ctx->scratch, bspi_texture, (size_t)first + MOST_VARIANTS);
	BSPI_TRY(textures);
	memcpy(textures, map->textures, first * sizeof *textures);
	map->textures = textures;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		uint32_t model = scene->entities[i].model;
		int32_t mode = model != BSPSCENE_NO_INDEX && model ? mode_of(build, i) : 0;
		float amount = number(build, i, "renderamt", 255) / 255;
		if (mode) {
			blend_model(map, first, first + MOST_VARIANTS, &map->models[model], mode,
			            amount > 0 ? amount < 1 ? amount : 1 : 0);
		}
	}
	if (map->textures_count < first + MOST_VARIANTS) return true;
	return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("textures"),
	                 "more than %u blended textures: the rest stays opaque", MOST_VARIANTS);
}
