/* validate_placed.c - checks the records that the compiler placed: neighbors of displacements, overlays, props, lights,
 * cubemaps. Records without a valid position or reference are left out. */
#include "map/validate.h"

#include <inttypes.h>

#include "base/vec.h"

/* Removes those records of an array that are not `good`, and counts a warning for each. The others keep their order. */
#define KEEP_GOOD(array, good, ...) \
	do { \
		uint32_t kept = 0; \
		for (uint32_t i = 0; i < map->array##_count; i++) { \
			if (good(map, &map->array[i])) map->array[kept++] = map->array[i]; \
			else BSPI_REPAIR(array, i, REFERENCE, __VA_ARGS__); \
		} \
		map->array##_count = kept; \
	} while (0)

/* ---- Displacements ---------------------------------------------------------------------------------------- */

static bool check_neighbor(bspi_ctx *ctx, bspi_map *map, uint32_t i, int32_t *neighbor)
{
	if (*neighbor == -1 || bspi_is_index(*neighbor, map->dispinfos_count)) return true;
	BSPI_REPAIR(dispinfos, i, REFERENCE,
	            "its neighbor is displacement %" PRId32 ", but there are %" PRIu32 ": it has none on that side",
	            *neighbor, map->dispinfos_count);
	*neighbor = -1;
	return true;
}

/* Checks a range of triangles or vertices of a displacement. The range may be missing. */
static bool check_run(bspi_ctx *ctx, bspi_map *map, uint32_t i, const char *what, int32_t *first, int32_t count,
                      uint32_t of)
{
	if (*first == -1 || BSPI_TAKE_RANGE(*first, count, of)) return true;
	BSPI_REPAIR(dispinfos, i, REFERENCE,
	            "it uses %" PRId32 " %s from number %" PRId32 " on, but there are %" PRIu32 ": it gets none", count,
	            what, *first, of);
	*first = -1;
	return true;
}

bool bspi_validate_dispinfos(bspi_ctx *ctx, bspi_map *map)
{
	enum { LARGEST_POWER = 4 };
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		bspi_dispinfo *info = &map->dispinfos[i];
		for (int k = 0; k < 8; k++) {
			bspi_disp_neighbor *neighbor = &info->neighbors[k];
			BSPI_TRY(check_neighbor(ctx, map, i, &neighbor->dispinfo));
			bool known = neighbor->span <= BSPI_SPAN_SECOND_HALF && neighbor->their_span <= BSPI_SPAN_SECOND_HALF;
			if (!known) neighbor->dispinfo = -1;
		}
		for (int k = 0; k < 4; k++) {
			if (info->corners[k].count > 4) info->corners[k].count = 4;
			for (int n = 0; n < info->corners[k].count; n++) {
				BSPI_TRY(check_neighbor(ctx, map, i, &info->corners[k].dispinfos[n]));
			}
		}
		/* If the power is out of range, no cells are counted here. The face of the displacement is dropped
		 * elsewhere. */
		int32_t cells = info->power >= 0 && info->power <= LARGEST_POWER ? 1 << info->power : 0;
		if (!map->disp_triangles_count) info->first_triangle = -1;
		if (!map->disp_blends_count) info->first_blend = -1;
		int32_t triangles = 2 * cells * cells, corners = (cells + 1) * (cells + 1);
		BSPI_TRY(check_run(ctx, map, i, "triangles", &info->first_triangle, triangles, map->disp_triangles_count));
		BSPI_TRY(check_run(ctx, map, i, "weights", &info->first_blend, corners, map->disp_blends_count));
	}
	return true;
}

/* ---- Overlays --------------------------------------------------------------------------------------------- */

/* Computes the axes u and v of an overlay. The third numbers of the first three corners are the direction of u. v is
 * the cross product of the normal and u. If the third number of the last corner is 1, v points the other way (vbsp
 * overlay.cpp). */
static bool find_axes(bspi_overlay *overlay)
{
	if (!bspi_are_finite(overlay->normal, 3) || !bspi_are_finite(overlay->points[0], 12)) return false;
	if (!bspi_is_position(overlay->origin) || !bspi_normalize(overlay->normal)) return false;
	for (int k = 0; k < 3; k++) overlay->u[k] = overlay->points[k][2];
	if (!bspi_normalize(overlay->u)) return false;
	bspi_cross(overlay->v, overlay->normal, overlay->u);
	float across = bspi_dot(overlay->v, overlay->v);
	if (!(across > 0.5f) || !bspi_normalize(overlay->v)) return false;
	for (int k = 0; k < 3 && overlay->points[3][2] == 1; k++) overlay->v[k] = -overlay->v[k];
	return true;
}

/* True if the four corners enclose an area. */
static bool has_area(const bspi_overlay *overlay)
{
	float area = 0;
	for (int k = 0; k < 4; k++) {
		const float *a = overlay->points[k], *b = overlay->points[(k + 1) % 4];
		if (!(fabsf(a[0]) <= BSPI_LARGEST_COORDINATE && fabsf(a[1]) <= BSPI_LARGEST_COORDINATE)) return false;
		area += a[0] * b[1] - a[1] * b[0];
	}
	return fabsf(area) > 1e-3f && bspi_are_finite(overlay->u_range, 2) && bspi_are_finite(overlay->v_range, 2);
}

static bool check_overlay_faces(bspi_ctx *ctx, bspi_map *map, bspi_array_id array, uint32_t i, bspi_overlay *overlay,
                                int32_t most)
{
	int32_t kept = 0;
	if (overlay->face_count > most) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, bspi_record_location(map, array, i),
		                   "it lists %" PRId32 " faces, but has room for %" PRId32 ": the others are left out",
		                   overlay->face_count, most));
		overlay->face_count = most;
	}
	for (int32_t k = 0; k < overlay->face_count; k++) {
		int32_t face = overlay->faces[k];
		if (bspi_is_index(face, map->faces_count)) {
			overlay->faces[kept++] = face;
			continue;
		}
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, bspi_record_location(map, array, i),
		                   "it names face %" PRId32 ", but the map has %" PRIu32 " faces: that face is ignored",
		                   face, map->faces_count));
	}
	overlay->face_count = kept;
	return true;
}

static bool check_overlay_list(bspi_ctx *ctx, bspi_map *map, bspi_array_id array, bspi_overlay *overlays,
                               uint32_t count, int32_t most_faces)
{
	for (uint32_t i = 0; i < count; i++) {
		bspi_overlay *overlay = &overlays[i];
		BSPI_TRY(check_overlay_faces(ctx, map, array, i, overlay, most_faces));
		if (!(overlay->fade_near >= 0 && overlay->fade_far >= overlay->fade_near && isfinite(overlay->fade_far))) {
			overlay->fade_near = overlay->fade_far = 0;
		}
		bool usable = bspi_is_index(overlay->texture, map->textures_count) && find_axes(overlay) && has_area(overlay);
		if (usable || !overlay->face_count) continue;
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, bspi_record_location(map, array, i),
		                   "overlay left out: its position or its texture is not valid"));
		overlay->face_count = 0;
	}
	return true;
}

bool bspi_validate_overlays(bspi_ctx *ctx, bspi_map *map)
{
	enum { OVERLAY_FACES = 64 };
	return check_overlay_list(ctx, map, BSPI_ARRAY_overlays, map->overlays, map->overlays_count, OVERLAY_FACES) &&
	       check_overlay_list(ctx, map, BSPI_ARRAY_water_overlays, map->water_overlays, map->water_overlays_count,
	                          BSPI_MOST_OVERLAY_FACES);
}

/* ---- Props ------------------------------------------------------------------------------------------------ */

static bool is_scale(float scale)
{
	return scale > 0 && scale <= BSPI_LARGEST_COORDINATE;
}

static bool is_static_prop(const bspi_map *map, const bspi_static_prop *prop)
{
	(void)map;
	return bspi_is_position(prop->origin) && bspi_is_position(prop->angles) && is_scale(prop->scale) &&
	       bspi_is_position(prop->stretch) && prop->model[0];
}

static bool is_detail_prop(const bspi_map *map, const bspi_detail_prop *prop)
{
	(void)map;
	return bspi_is_position(prop->origin) && bspi_is_position(prop->angles) && is_scale(prop->scale) &&
	       bspi_are_finite(prop->size, 4) && bspi_are_finite(prop->uv, 4) && bspi_are_finite(prop->light, 3) &&
	       (unsigned)prop->kind <= BSPSCENE_DETAIL_PROP_TRIANGLE &&
	       (prop->kind != BSPSCENE_DETAIL_PROP_MODEL || prop->model[0]);
}

/* Limits a prop's range of leaves to the list. In released maps, ranges may exceed it. */
static void clamp_leafs(const bspi_map *map, bspi_static_prop *prop)
{
	bool known = prop->leaf_count > 0 && bspi_is_index(prop->first_leaf, map->prop_leafs_count);
	int64_t most = known ? (int64_t)map->prop_leafs_count - prop->first_leaf : 0;
	if (prop->leaf_count > most) prop->leaf_count = (int32_t)most;
	if (prop->leaf_count <= 0) prop->first_leaf = prop->leaf_count = 0;
}

static bool check_static_prop(bspi_ctx *ctx, bspi_map *map, uint32_t i)
{
	bspi_static_prop *prop = &map->static_props[i];
	BSPI_TRY(bspi_check_name(ctx, map, BSPI_ARRAY_static_props, i, prop->model, sizeof prop->model));
	BSPI_TRY(bspi_check_name(ctx, map, BSPI_ARRAY_static_props, i, prop->name, sizeof prop->name));
	clamp_leafs(map, prop);
	if (!bspi_are_finite(&prop->fade_near, 3)) {
		BSPI_REPAIR(static_props, i, REFERENCE, "the fade distance is not finite: it never fades");
		prop->fade_near = prop->fade_far = 0;
		prop->fade_scale = 1;
	}
	if (prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN && !bspi_is_position(prop->lighting_origin)) {
		BSPI_REPAIR(static_props, i, REFERENCE, "the lighting origin is not finite: the prop's own origin is used");
		prop->flags &= ~(uint32_t)BSPSCENE_PROP_LIGHTING_ORIGIN;
	}
	return true;
}

bool bspi_validate_props(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->prop_leafs_count; i++) {
		if (bspi_is_index(map->prop_leafs[i].value, map->leafs_count)) continue;
		BSPI_REPAIR(prop_leafs, i, REFERENCE, "it names leaf %" PRIu32 ", but there are %" PRIu32 ": left out",
		            map->prop_leafs[i].value, map->leafs_count);
		map->prop_leafs[i].value = BSPSCENE_NO_INDEX;
	}
	for (uint32_t i = 0; i < map->static_props_count; i++) BSPI_TRY(check_static_prop(ctx, map, i));
	for (uint32_t i = 0; i < map->detail_props_count; i++) {
		bspi_detail_prop *prop = &map->detail_props[i];
		BSPI_TRY(bspi_check_name(ctx, map, BSPI_ARRAY_detail_props, i, prop->model, sizeof prop->model));
		if (!bspi_is_index(prop->leaf, map->leafs_count)) prop->leaf = -1;
	}
	KEEP_GOOD(static_props, is_static_prop, "a prop without a valid position or model is left out");
	KEEP_GOOD(detail_props, is_detail_prop, "a detail prop without a valid position, model or picture is left out");
	return true;
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

static bool is_world_light(const bspi_map *map, const bspi_world_light *light)
{
	(void)map;
	return bspi_is_position(light->origin) && bspi_are_finite(light->intensity, 3) &&
	       bspi_are_finite(light->normal, 3) && bspi_are_finite(&light->inner_cosine, 2) &&
	       bspi_are_finite(&light->radius, 4) && bspi_are_finite(&light->exponent, 1) &&
	       light->kind >= BSPI_WORLD_LIGHT_SURFACE && light->kind <= BSPI_WORLD_LIGHT_SKY_AMBIENT;
}

static bool is_ambient(const bspi_map *map, const bspi_ambient *ambient)
{
	return bspi_is_index(ambient->leaf, map->leafs_count) && bspi_is_position(ambient->origin) &&
	       bspi_are_finite(ambient->cube[0], 18);
}

static bool is_cubemap(const bspi_map *map, const bspi_cubemap *cubemap)
{
	(void)map;
	float origin[3];
	for (int k = 0; k < 3; k++) origin[k] = (float)cubemap->origin[k];
	return bspi_is_position(origin);
}

/* Removes invalid ambient cubes of the other light range. This counts no warnings, because they were counted for the
 * range that is shown. */
static void keep_other_ambients(bspi_map *map)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < map->other_ambient_count; i++) {
		if (is_ambient(map, &map->other_ambients[i])) map->other_ambients[kept++] = map->other_ambients[i];
	}
	map->other_ambient_count = kept;
}

bool bspi_validate_lights(bspi_ctx *ctx, bspi_map *map)
{
	keep_other_ambients(map);
	KEEP_GOOD(world_lights, is_world_light, "a light without a valid position or color is left out");
	KEEP_GOOD(ambients, is_ambient, "a light sample without a valid position or color is left out");
	KEEP_GOOD(cubemaps, is_cubemap, "its position is too far away for a map: left out");
	return true;
}
