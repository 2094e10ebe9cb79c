/* decals.c - makes overlays of decals. Entities place a decal at a point; this file finds its texture, size and
 * rotation, as the game does when the map starts (r_decal). decal_faces.c finds the faces. */
#include "stages/geometry/geometry.h"

#include <math.h>

#include <bspscene/material.h>

#include "base/text.h"
#include "base/vec.h"

/* Sine of 45 degrees. Decals on faces that are steeper than this are upright. */
#define STEEP 0.7071f
#define UNKNOWN_SIZE 64.0f

/* Returns the texture of a decal entity, or NULL if the entity is not a decal. */
static const char *decal_texture(const bspi_build *build, uint32_t entity)
{
	const char *classname = build->map->rules.entities->decal;
	if (!classname || !bspi_text_equal(build->scene->entities[entity]->classname, classname)) return NULL;
	const char *texture = bspi_entity_value(build, entity, "texture");
	return texture && *texture ? texture : NULL;
}

static bool add_decal(bspi_build *build, bspi_texture *textures, uint32_t entity, const char *name)
{
	bspi_texture *texture = &textures[build->texture_count];
	if (strlen(name) >= sizeof texture->name) {
		return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_ENTITY(entity),
		                 "decal left out: the name of its texture has %zu bytes, and at most %zu are supported",
		                 strlen(name), sizeof texture->name - 1);
	}
	*texture = (bspi_texture){ .miptex = BSPI_NO_BYTES };
	for (size_t k = 0; name[k]; k++) texture->name[k] = (char)(name[k] == '\\' ? '/' : name[k]);
	bspi_overlay *decal = &build->decals[build->decal_count++];
	decal->texture = (int32_t)build->texture_count++;
	decal->entity = (int32_t)entity;
	bspi_copy3(decal->origin, build->scene->entities[entity]->origin);
	return true;
}

bool bspi_add_decals(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	uint32_t count = 0;
	if (ctx->options.parts != BSPSCENE_PARTS_ALL) return true;
	for (uint32_t i = 0; i < build->scene->entity_count; i++) count += decal_texture(build, i) != NULL;
	if (!count) return true;
	build->decals = bspi_push(ctx, &ctx->scratch, bspi_overlay, count);
	uint32_t before = bspi_texture_total(build);
	bspi_texture *textures = bspi_push(ctx, &ctx->scratch, bspi_texture, (size_t)before + count);
	BSPI_TRY(build->decals && textures);
	for (uint32_t i = 0; i < before; i++) textures[i] = *bspi_texture_at(build, i);
	build->textures = textures;
	build->texture_count = before;
	for (uint32_t i = 0; i < build->scene->entity_count; i++) {
		const char *name = decal_texture(build, i);
		if (name) BSPI_TRY(add_decal(build, textures, i, name));
	}
	return true;
}

void bspi_decal_axes(const float normal[3], float u[3], float v[3])
{
	static const float down[3] = { 0, 0, -1 }, east[3] = { 1, 0, 0 };
	if (fabsf(normal[2]) > STEEP) {
		bspi_cross(v, east, normal);
		bspi_normalize(v);
		bspi_cross(u, normal, v);
	} else {
		bspi_cross(u, normal, down);
		bspi_normalize(u);
		bspi_cross(v, u, normal);
	}
	bspi_normalize(u);
	bspi_normalize(v);
}

/* Sets the corners of a decal in game units, around its position. The material states the size of a texel
 * ($decalscale). */
void bspi_size_decal(const bspi_build *build, bspi_overlay *decal)
{
	const bspscene_material *material = build->scene->materials[build->texture_materials[decal->texture]];
	const uint32_t sides[2] = { material->width, material->height };
	float half[2];
	for (int k = 0; k < 2; k++) half[k] = (sides[k] ? (float)sides[k] : UNKNOWN_SIZE) / 2 * material->decal_scale;
	for (int k = 0; k < 4; k++) {
		decal->points[k][0] = k < 2 ? -half[0] : half[0];
		decal->points[k][1] = k == 0 || k == 3 ? -half[1] : half[1];
	}
	decal->u_range[1] = decal->v_range[1] = 1;
}
