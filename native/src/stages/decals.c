/* decals.c - decals that entities place at a point become overlays of the faces around it. The game does this when the map
 * starts; a decal hangs straight on walls and lies along x on floors (source.md 7.5, r_decal). */
#include "stages/geometry.h"

#include <math.h>

#include "base/text.h"
#include "base/vec.h"

/* Faces nearer than this get their part of a decal, game units; the game's trace looks a little further. */
#define REACH 5.0f
/* Steeper than this, a decal hangs: the sine of 45 degrees. */
#define STEEP 0.7071f
/* Of the faces around a point, those that look the same way as the nearest. */
#define SAME_WAY 0.7f
#define UNKNOWN_SIZE 64.0f
/* Decals times faces that are looked at; beyond this decals are left out, counted. */
#define MOST_WORK ((uint64_t)1 << 28)

static const char *decal_texture(const bspi_build *build, uint32_t entity)
{
	const char *classname = build->map->rules.entities->decal;
	if (!classname || !bspi_text_equal(build->scene->entities[entity].classname, classname)) return NULL;
	const char *texture = bspi_entity_value(build, entity, "texture");
	return texture && *texture ? texture : NULL;
}

bool bspi_add_decals(bspi_build *build)
{
	bspi_map *map = build->map;
	bspi_ctx *ctx = build->ctx;
	uint32_t count = 0;
	for (uint32_t i = 0; i < build->scene->entity_count; i++) count += decal_texture(build, i) != NULL;
	if (!count) return true;
	build->decals = bspi_push(ctx, &ctx->scratch, bspi_overlay, count);
	bspi_texture *textures = bspi_push(ctx, &ctx->scratch, bspi_texture, (size_t)map->textures_count + count);
	BSPI_TRY(build->decals && textures);
	memcpy(textures, map->textures, map->textures_count * sizeof *textures);
	map->textures = textures;
	for (uint32_t i = 0; i < build->scene->entity_count; i++) {
		const char *name = decal_texture(build, i);
		if (!name) continue;
		bspi_texture *texture = &textures[map->textures_count];
		*texture = (bspi_texture){ .miptex = BSPI_NO_BYTES };
		for (size_t k = 0; name[k] && k + 1 < sizeof texture->name; k++) texture->name[k] = (char)(name[k] == '\\' ? '/' : name[k]);
		bspi_overlay *decal = &build->decals[build->decal_count++];
		decal->texture = (int32_t)map->textures_count++;
		decal->entity = (int32_t)i;
		bspi_copy3(decal->origin, build->scene->entities[i].origin);
	}
	return true;
}

static float distance_to(const bspi_plane *plane, const float point[3])
{
	return bspi_dot(plane->normal, point) - plane->distance;
}

/* Is a point, seen along the face's normal, inside of its polygon, or this near to it? Corners run clockwise. */
static bool is_over(const bspi_map *map, const bspi_face *face, const float point[3], float slack)
{
	const bspi_plane *plane = &map->planes[face->plane];
	for (int32_t i = 0; i < face->edge_count; i++) {
		const float *a = bspi_surfedge_position(map, face->first_edge + i);
		const float *b = bspi_surfedge_position(map, face->first_edge + (i + 1) % face->edge_count);
		float along[3], outward[3], to[3];
		bspi_sub(along, b, a);
		bspi_cross(outward, plane->normal, along);
		if (!bspi_normalize(outward)) continue;
		bspi_sub(to, point, a);
		if (bspi_dot(outward, to) > slack) return false;
	}
	return true;
}

static bool takes_decals(const bspi_build *build, const bspi_face *face)
{
	if (face->kind != BSPI_FACE_POLYGON) return false;
	return build->scene->materials[build->map->textures[face->texture].material].include == BSPSCENE_VISIBLE;
}

/* The face of the world that the decal is on. */
static const bspi_face *find_face(const bspi_build *build, const bspi_overlay *decal)
{
	const bspi_map *map = build->map;
	const bspi_face *best = NULL;
	float nearest = REACH;
	for (int32_t i = 0; i < map->models[0].face_count; i++) {
		const bspi_face *face = &map->faces[map->models[0].first_face + i];
		if (!takes_decals(build, face)) continue;
		float distance = fabsf(distance_to(&map->planes[face->plane], decal->origin));
		if (distance >= nearest || !is_over(map, face, decal->origin, 1)) continue;
		nearest = distance;
		best = face;
	}
	return best;
}

static void orient(bspi_overlay *decal, const bspi_plane *plane)
{
	bspi_copy3(decal->normal, plane->normal);
	float down[3] = { 0, 0, -1 }, east[3] = { 1, 0, 0 };
	if (fabsf(plane->normal[2]) > STEEP) {
		bspi_cross(decal->v, east, plane->normal);
		bspi_normalize(decal->v);
		bspi_cross(decal->u, plane->normal, decal->v);
	} else {
		bspi_cross(decal->u, plane->normal, down);
		bspi_normalize(decal->u);
		bspi_cross(decal->v, decal->u, plane->normal);
	}
	bspi_normalize(decal->u);
	bspi_normalize(decal->v);
	float distance = distance_to(plane, decal->origin);
	for (int k = 0; k < 3; k++) decal->origin[k] -= plane->normal[k] * distance;
}

static void size_decal(const bspi_build *build, bspi_overlay *decal)
{
	const bspscene_material *material = &build->scene->materials[build->map->textures[decal->texture].material];
	float half[2] = { material->width ? (float)material->width / 2 : UNKNOWN_SIZE / 2,
	                  material->height ? (float)material->height / 2 : UNKNOWN_SIZE / 2 };
	for (int k = 0; k < 4; k++) {
		decal->points[k][0] = k < 2 ? -half[0] : half[0];
		decal->points[k][1] = k == 0 || k == 3 ? -half[1] : half[1];
	}
	decal->u_range[1] = decal->v_range[1] = 1;
}

/* Every face that it reaches and that looks about the same way. */
static void list_faces(const bspi_build *build, bspi_overlay *decal)
{
	const bspi_map *map = build->map;
	float radius = hypotf(decal->points[2][0], decal->points[2][1]);
	for (int32_t i = 0; i < map->models[0].face_count && decal->face_count < BSPI_MOST_OVERLAY_FACES; i++) {
		int32_t index = map->models[0].first_face + i;
		const bspi_face *face = &map->faces[index];
		const bspi_plane *plane = &map->planes[face->plane];
		if (!takes_decals(build, face) || fabsf(distance_to(plane, decal->origin)) >= REACH) continue;
		if (bspi_dot(plane->normal, decal->normal) < SAME_WAY || !is_over(map, face, decal->origin, radius)) continue;
		decal->faces[decal->face_count++] = index;
	}
}

bool bspi_place_decals(bspi_build *build)
{
	const bspi_map *map = build->map;
	uint64_t work = (uint64_t)build->decal_count * (uint32_t)map->models[0].face_count;
	if (work > MOST_WORK) {
		build->decal_count = 0;
		return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("entities"), "too many decals for so many faces: left out");
	}
	for (uint32_t i = 0; i < build->decal_count; i++) {
		bspi_overlay *decal = &build->decals[i];
		const bspi_face *face = find_face(build, decal);
		if (!face) continue;
		orient(decal, &map->planes[face->plane]);
		size_decal(build, decal);
		list_faces(build, decal);
	}
	return true;
}
