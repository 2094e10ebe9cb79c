/* render_modes.c - some entities draw their model in a special way. Their models get copies of the textures, so that
 * later stages still have one material for each texture. These entities have the keys rendermode, renderamt and
 * rendercolor, or Quake's key alpha, or they are liquids of GoldSrc. */
#include "stages/stages.h"

#include <math.h>

#include "base/text.h"

#define MOST_VARIANTS 4096u            /* largest number of copies in a map; with more, models stay opaque and a
                                        * warning is counted */
#define MOST_SWELL 1e4f
#define WATER_SIDES 0x4000000u         /* bit of the key `effects`: liquids are drawn at their sides too (xash3d,
                                        * EF_WATERSIDES) */

enum { COLOR_ALONE = 1 };              /* render mode in which a plain color replaces the texture */

/* The way in which an entity draws its model. */
typedef struct drawing {
	int32_t mode;
	float amount, color[3];
	bool water_sides;
	float wave_height;
} drawing;

static float number(const bspi_build *build, uint32_t entity, const char *key, float otherwise)
{
	float value;
	return bspi_entity_numbers(build, entity, key, &value, 1) ? value : otherwise;
}

/* Returns the height of the waves on an entity's liquid: an eighth of the value of its key WaveHeight. The game reads
 * the key only for doors, which include func_water, and for the world (Half-Life SDK: doors.cpp, world.cpp). */
static float wave_height_of(const bspi_build *build, uint32_t entity)
{
	static const char *const swelling[] = { "worldspawn", "func_water", "func_door" };
	const char *classname = build->scene->entities[entity]->classname;
	float height = number(build, entity, "WaveHeight", 0) / 8;
	for (size_t i = 0; i < sizeof swelling / sizeof *swelling; i++) {
		if (bspi_text_equal(classname, swelling[i])) return fminf(fmaxf(height, -MOST_SWELL), MOST_SWELL);
	}
	return 0;
}

/* Reads the key alpha, in 254 steps like engines. 0 means that it is not set, and a negative value that the model is
 * invisible (QuakeSpasm, protocol.h, ENTALPHA_ENCODE). Some classes of Hexen II are translucent by a spawnflag. They
 * have the default opacity of water (r_wateralpha) and get no light. */
static drawing thin_drawing(const bspi_build *build, uint32_t entity)
{
	const float steps = 254, translucency = 0.4f;
	const char *const *classes = build->map->rules.entities->translucent;
	const char *classname = build->scene->entities[entity]->classname;
	float alpha = number(build, entity, "alpha", 0);
	drawing out = { .mode = BSPI_THIN_NOT };
	if (alpha < 0 || alpha > 0) {
		out.mode = BSPI_THIN_LIT;
		out.amount = (float)floor(fminf(fmaxf(alpha, 0), 1) * steps + 0.5f) / steps;
		return out;
	}
	while (classes && *classes && !bspi_text_equal(classname, *classes)) classes++;
	if (classes && *classes && bspi_spawnflags(build, entity) & 1) {
		out.mode = BSPI_THIN_UNLIT;
		out.amount = translucency;
	}
	return out;
}

static drawing drawing_of(const bspi_build *build, uint32_t entity)
{
	if (build->map->rules.entities->alpha_key) return thin_drawing(build, entity);
	float mode = number(build, entity, "rendermode", 0), effects = number(build, entity, "effects", 0);
	drawing out = { .mode = mode >= 1 && mode <= 10 ? (int32_t)mode : 0 };
	if (out.mode) out.amount = fminf(fmaxf(number(build, entity, "renderamt", 255) / 255, 0), 1);
	if (out.mode == COLOR_ALONE) bspi_entity_numbers(build, entity, "rendercolor", out.color, 3);
	for (int i = 0; i < 3; i++) out.color[i] = fminf(fmaxf(out.color[i] / 255, 0), 1);
	out.water_sides = effects >= (float)WATER_SIDES && (uint32_t)fminf(effects, 4e9f) & WATER_SIDES;
	out.wave_height = wave_height_of(build, entity);
	return out;
}

static bool is_same_texture(const bspi_texture *a, const bspi_texture *b)
{
	return a->surface_flags == b->surface_flags && a->effect == b->effect && !strcmp(a->name, b->name);
}

static bool is_same_drawing(const bspi_texture *a, const bspi_texture *b)
{
	return a->render_mode == b->render_mode && a->render_amount == b->render_amount && a->sides == b->sides &&
	       a->wave_height == b->wave_height &&
	       !memcmp(a->render_color, b->render_color, sizeof a->render_color);
}

/* The textures of the map, followed by the copies. */
typedef struct variants {
	bspi_texture *textures; uint32_t count, first, capacity;
	bool full;                         /* `capacity` was reached, so a copy was not made */
	int32_t *of_faces;
} variants;

/* Returns the index of the copy that has the same texture as `wanted` and is drawn in the same way. Makes the copy if
 * there is none yet. If there is no room for another copy, returns `otherwise`. */
static int32_t variant_of(variants *v, const bspi_texture *wanted, int32_t otherwise)
{
	for (uint32_t i = v->first; i < v->count; i++) {
		if (is_same_drawing(&v->textures[i], wanted) && is_same_texture(&v->textures[i], wanted)) return (int32_t)i;
	}
	if (v->count == v->capacity) {
		v->full = true;
		return otherwise;
	}
	v->textures[v->count] = *wanted;
	return (int32_t)v->count++;
}

/* Returns which sides of a face of a liquid are drawn. In a brush entity, these are only horizontal faces above its
 * bottom (xash3d gl_rsurf.c R_DrawBrushModel). */
static bspi_sides liquid_sides(const bspi_map *map, const bspi_model *model, const bspi_face *face, const drawing *l)
{
	const bspi_plane *plane = &map->planes[face->plane];
	bool flat = plane->normal[2] == 1;
	return (flat || l->water_sides) && plane->distance > model->mins[2] ? BSPI_SIDES_BOTH : BSPI_SIDES_NONE;
}

static void dress_model(const bspi_map *map, variants *v, const bspi_model *model, const drawing *l)
{
	for (int32_t i = model->first_face; i < model->first_face + model->face_count; i++) {
		const bspi_face *face = &map->faces[i];
		if (face->kind == BSPI_FACE_DROPPED || v->full) continue;
		bspi_texture wanted = v->textures[v->of_faces[i]];
		bool of_entity = model != map->models;
		if (wanted.is_liquid && of_entity) wanted.sides = liquid_sides(map, model, face, l);
		if (wanted.is_liquid) wanted.wave_height = l->wave_height;
		if (!l->mode && !wanted.sides && wanted.wave_height == 0) continue;
		wanted.render_mode = l->mode;
		wanted.render_amount = l->amount;
		memcpy(wanted.render_color, l->color, sizeof wanted.render_color);
		v->of_faces[i] = variant_of(v, &wanted, v->of_faces[i]);
	}
}

static bool any_liquid(const bspi_map *map)
{
	uint32_t i = 0;
	while (i < map->textures_count && !map->textures[i].is_liquid) i++;
	return i < map->textures_count;
}

static bool has_model(const bspscene_entity *entity) { return entity->model != BSPSCENE_NO_INDEX && entity->model; }

static bool is_world(const bspi_build *build, const bspscene_entity *entity)
{
	return build->map->models_count && bspi_text_equal(entity->classname, "worldspawn");
}

bool bspi_apply_render_modes(bspi_build *build)
{
	const bspi_map *map = build->map;
	const bspscene_scene *scene = build->scene;
	bspi_ctx *ctx = build->ctx;
	uint32_t first = map->textures_count;
	if (!map->rules.entities->render_modes && !map->rules.entities->alpha_key) return true;
	bool needed = any_liquid(map);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		needed = needed || (has_model(scene->entities[i]) && drawing_of(build, i).mode);
	}
	if (!needed) return true;
	variants v = { .count = first, .first = first, .capacity = first + MOST_VARIANTS };
	v.textures = bspi_push(ctx, &ctx->scratch, bspi_texture, v.capacity);
	v.of_faces = bspi_push(ctx, &ctx->scratch, int32_t, map->faces_count);
	BSPI_TRY(v.textures && v.of_faces);
	if (first) memcpy(v.textures, map->textures, first * sizeof *v.textures);
	for (uint32_t i = 0; i < map->faces_count; i++) v.of_faces[i] = map->faces[i].texture;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		drawing l = drawing_of(build, i);
		bool swells = l.wave_height != 0 && is_world(build, entity);
		if (has_model(entity)) dress_model(map, &v, &map->models[entity->model], &l);
		else if (swells) dress_model(map, &v, map->models, &(drawing){ .wave_height = l.wave_height });
	}
	build->textures = v.textures;
	build->texture_count = v.count;
	build->face_textures = v.of_faces;
	if (!v.full) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("textures"),
	                 "more than %u textures of brush models are blended or changed: the others stay opaque",
	                 MOST_VARIANTS);
}
