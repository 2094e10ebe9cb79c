/* decal_faces.c - finds the faces that a decal is on. These are the faces near its position that belong to the world
 * or to one brush entity, whichever has the nearest face. The position is converted to the space of that entity. The
 * distance to a displacement is that to its surface, not to its flat quad. */
#include "stages/geometry/geometry.h"

#include <math.h>

#include <bspscene/material.h>

#include "base/vec.h"

/* A decal is on faces that are closer to its position than this, in game units (r_decal: DECAL_DISTANCE). */
#define REACH 4.0f
/* A decal's position may be this far outside of the outline of a face, in game units. */
#define SLACK 1.0f
/* Limit for the boxes, faces and triangles that are tested. When it is reached, further decals are left out, with a
 * warning. Real maps need less than a hundredth of it. */
#define MOST_WORK ((uint64_t)1 << 28)

/* The world or a brush entity that can have decals, with the transform of its space. */
typedef struct carrier {
	uint32_t model, entity;
	float transform[12];
} carrier;

typedef struct search {
	const bspi_build *build;
	bspscene_bounds *bounds;           /* bounds of each face; for a displacement, those of its surface */
	carrier *carriers; uint32_t carrier_count; /* carriers[0] is the world */
	uint64_t work;
} search;

/* ---- Distances -------------------------------------------------------------------------------------------- */

static float to_plane(const bspi_map *map, const bspi_face *face, const float point[3])
{
	const bspi_plane *plane = &map->planes[face->plane];
	return fabsf(bspi_dot(plane->normal, point) - plane->distance);
}

/* True if a position is above or below a polygon, seen along the normal of its face. It may be up to `slack` game units
 * outside of the outline. The corners run clockwise. */
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

static float to_segment(const float point[3], const float a[3], const float b[3])
{
	float along[3], to[3];
	bspi_sub(along, b, a);
	bspi_sub(to, point, a);
	float length = bspi_dot(along, along), way = length > 0 ? fminf(fmaxf(bspi_dot(to, along) / length, 0), 1) : 0;
	for (int k = 0; k < 3; k++) to[k] -= along[k] * way;
	return sqrtf(bspi_dot(to, to));
}

static float to_triangle(const float point[3], const float *const corners[3])
{
	float ab[3], ac[3], normal[3], to[3], nearest = INFINITY;
	bspi_sub(ab, corners[1], corners[0]);
	bspi_sub(ac, corners[2], corners[0]);
	bspi_cross(normal, ab, ac);
	bool inside = bspi_normalize(normal);
	for (int k = 0; k < 3; k++) {
		float along[3], across[3];
		bspi_sub(along, corners[(k + 1) % 3], corners[k]);
		bspi_sub(to, point, corners[k]);
		bspi_cross(across, normal, along);
		inside = inside && bspi_dot(across, to) >= 0;
		nearest = fminf(nearest, to_segment(point, corners[k], corners[(k + 1) % 3]));
	}
	return inside ? fabsf(bspi_dot(normal, to)) : nearest;
}

static float to_displacement(search *s, const bspi_face *face, const float point[3])
{
	const bspi_build *build = s->build;
	const float (*all)[3] = (const float (*)[3])build->disp_positions;
	const float (*positions)[3] = all + build->map->dispinfos[face->dispinfo].first_vertex;
	uint32_t count = bspi_disp_triangle_count(build, face);
	float nearest = INFINITY;
	s->work += count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at[3];
		if (!bspi_disp_triangle_corners(build, face, i, at)) continue;
		const float *const corners[3] = { positions[at[0]], positions[at[1]], positions[at[2]] };
		nearest = fminf(nearest, to_triangle(point, corners));
	}
	return nearest;
}

/* ---- Finding faces ---------------------------------------------------------------------------------------- */

static bool takes_decals(const bspi_build *build, const bspi_face *face)
{
	const bspi_map *map = build->map;
	if (face->kind != BSPI_FACE_POLYGON && face->kind != BSPI_FACE_DISPLACEMENT) return false;
	if (map->texinfos[face->texinfo].flags & map->rules.entities->no_decal_flags) return false;
	return build->scene->materials[bspi_face_material(build, face)]->surface_kind == BSPSCENE_SURFACE_VISIBLE;
}

static bool is_near(const bspscene_bounds *bounds, const float point[3], float distance)
{
	for (int k = 0; k < 3; k++) {
		if (!(point[k] > bounds->min[k] - distance && point[k] < bounds->max[k] + distance)) return false;
	}
	return true;
}

/* Returns the distance in game units from the position to the nearest face of the model that takes decals, and stores
 * the face in *found. Returns REACH if no face is closer than REACH. */
static float find_nearest(search *s, uint32_t model, const float point[3], const bspi_face **found)
{
	const bspi_map *map = s->build->map;
	int32_t first = map->models[model].first_face, count = map->models[model].face_count;
	float nearest = REACH;
	s->work += (uint32_t)count;
	for (int32_t i = first; i < first + count; i++) {
		const bspi_face *face = &map->faces[i];
		if (!is_near(&s->bounds[i], point, REACH) || !takes_decals(s->build, face)) continue;
		bool flat = face->kind == BSPI_FACE_POLYGON;
		s->work += flat ? (uint32_t)face->edge_count : 0;
		float distance = flat ? to_plane(map, face, point) : to_displacement(s, face, point);
		if (!(distance < nearest) || (flat && !is_over(map, face, point, SLACK))) continue;
		nearest = distance;
		*found = face;
	}
	return nearest;
}

/* Finds the entity whose face is nearest to the decal, and converts the decal's position to that entity's space.
 * Returns the face, or NULL if none is near. */
static const bspi_face *find_carrier(search *s, bspi_overlay *decal)
{
	const bspi_face *best = NULL;
	float nearest = REACH, origin[3];
	bspi_copy3(origin, decal->origin);
	for (uint32_t i = 0; i < s->carrier_count; i++) {
		const carrier *c = &s->carriers[i];
		const float *m = c->transform;
		const bspi_face *face = NULL;
		float d[3] = { origin[0] - m[3], origin[1] - m[7], origin[2] - m[11] }, point[3];
		for (int k = 0; k < 3; k++) point[k] = m[k] * d[0] + m[4 + k] * d[1] + m[8 + k] * d[2];
		float distance = find_nearest(s, c->model, point, &face);
		if (!face || !(distance < nearest)) continue;
		nearest = distance;
		best = face;
		decal->model = c->model;
		decal->owner = c->entity;
		bspi_copy3(decal->origin, point);
	}
	return best;
}

/* True if the decal is on `face`. The plane of a polygon, or the surface of a displacement, must be closer than
 * REACH. But if `on`, the nearest face, is a displacement, other displacements need only be closer than `radius` game
 * units. */
static bool is_on(search *s, const bspi_overlay *decal, const bspi_face *on, const bspi_face *face, float radius)
{
	if (face->kind == BSPI_FACE_POLYGON) return to_plane(s->build->map, face, decal->origin) < REACH;
	return to_displacement(s, face, decal->origin) < (on->kind == BSPI_FACE_DISPLACEMENT ? radius : REACH);
}

static bool list_faces(search *s, bspi_overlay *decal, const bspi_face *on)
{
	const bspi_map *map = s->build->map;
	const bspi_model *model = &map->models[decal->model];
	float radius = (float)hypot(decal->points[2][0], decal->points[2][1]);
	s->work += (uint32_t)model->face_count;
	for (int32_t i = model->first_face; i < model->first_face + model->face_count; i++) {
		const bspi_face *face = &map->faces[i];
		if (!is_near(&s->bounds[i], decal->origin, radius) || !takes_decals(s->build, face)) continue;
		if (!is_on(s, decal, on, face, radius)) continue;
		if (decal->face_count == BSPI_MOST_OVERLAY_FACES) {
			return bspi_warn(s->build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_ENTITY((uint32_t)decal->entity),
			                 "the decal lies on more than %d faces: it is left out on the others",
			                 BSPI_MOST_OVERLAY_FACES);
		}
		decal->faces[decal->face_count++] = i;
	}
	return true;
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

static void find_bounds(const bspi_build *build, const bspi_face *face, bspscene_bounds *bounds)
{
	const bspi_map *map = build->map;
	*bounds = BSPI_EMPTY_BOUNDS;
	if (face->kind == BSPI_FACE_DISPLACEMENT) {
		const bspi_dispinfo *info = &map->dispinfos[face->dispinfo];
		uint32_t side = (1u << info->power) + 1;
		for (uint32_t i = 0; i < side * side; i++) {
			bspi_bounds_add(bounds, build->disp_positions[(uint32_t)info->first_vertex + i]);
		}
	} else if (face->kind == BSPI_FACE_POLYGON) {
		for (int32_t i = 0; i < face->edge_count; i++) {
			bspi_bounds_add(bounds, bspi_surfedge_position(map, face->first_edge + i));
		}
	}
}

static bool begin_search(search *s)
{
	const bspi_build *build = s->build;
	const bspi_map *map = build->map;
	const bspscene_scene *scene = build->scene;
	s->bounds = bspi_push(build->ctx, &build->ctx->stage, bspscene_bounds, map->faces_count);
	s->carriers = bspi_push(build->ctx, &build->ctx->stage, carrier, (size_t)scene->entity_count + 1);
	BSPI_TRY(s->bounds && s->carriers);
	for (uint32_t i = 0; i < map->faces_count; i++) find_bounds(build, &map->faces[i], &s->bounds[i]);
	carrier *world = &s->carriers[s->carrier_count++];
	bspi_transform_identity(world->transform);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		if (entity->model == BSPSCENE_NO_INDEX || !entity->model || bspi_is_hidden(build, i)) continue;
		carrier *c = &s->carriers[s->carrier_count++];
		c->model = entity->model;
		c->entity = i;
		bspi_place_brush(build, i, c->transform);
	}
	return true;
}

static bool place_decal(search *s, bspi_overlay *decal)
{
	const bspi_face *on = find_carrier(s, decal);
	if (!on) {
		return bspi_warn(s->build->ctx, BSPSCENE_WARNING_REFERENCE, BSPI_ENTITY((uint32_t)decal->entity),
		                 "decal left out: there is no face near it");
	}
	bspi_size_decal(s->build, decal);
	return list_faces(s, decal, on);
}

bool bspi_place_decals(bspi_build *build)
{
	search s = { .build = build };
	if (!build->decal_count || !build->map->models_count) return true;
	BSPI_TRY(begin_search(&s));
	for (uint32_t i = 0; i < build->decal_count; i++) {
		if (s.work > MOST_WORK) {
			return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("entities"),
			                 "the map has too many decals for its faces: %u are left out", build->decal_count - i);
		}
		BSPI_TRY(place_decal(&s, &build->decals[i]));
	}
	return true;
}
