/* validate_faces.c - checks vertices and faces: numbers must be finite, and vertices, textures and fogs must exist. A
 * face that cannot be drawn safely becomes BSPI_FACE_DROPPED. */
#include "map/validate.h"

#include <inttypes.h>

#include "base/vec.h"

/* Limits for all faces together. Faces may share lists of indices, as in maps of q3map2. Hostile files could multiply
 * their size in this way. The largest real maps are far below these limits. */
#define MOST_VERTICES ((uint64_t)1 << 24)
#define MOST_INDICES ((uint64_t)1 << 26)

/* From this number on, a texture coordinate stored as a float has no fraction. */
#define LARGEST_UV 16777216.0f

/* Smallest and largest number of control points per side of a patch. Widths and heights are odd. The engine's limit is
 * 32 (tr_local.h MAX_PATCH_SIZE). */
enum { SMALLEST_PATCH = 3, LARGEST_PATCH = 31 };

/* State while faces are checked: what is known about vertices, and sums over all faces. */
typedef struct validation {
	bspi_ctx *ctx;
	bspi_map *map;
	uint32_t *bad_before;              /* for each draw vertex: how many draw vertices before it have invalid positions;
	                                    * NULL: none have */
	bool missing_normals;
	uint64_t vertices, indices;
} validation;

/* ---- Vertices --------------------------------------------------------------------------------------------- */

static bool repair_uvs(bspi_ctx *ctx, bspi_map *map, uint32_t i)
{
	bspi_draw_vertex *v = &map->draw_vertices[i];
	for (int k = 0; k < 2; k++) {
		/* This is not worth a warning: compilers leave the lightmap coordinates of unlit surfaces uninitialized. Many
		 * released maps have NaN there. */
		if (!(fabsf(v->lightmap[k]) <= LARGEST_UV)) v->lightmap[k] = 0;
	}
	if (fabsf(v->uv[0]) <= LARGEST_UV && fabsf(v->uv[1]) <= LARGEST_UV) return true;
	BSPI_REPAIR(draw_vertices, i, REFERENCE, "its texture coordinates %g %g are not finite or too large: set to 0",
	            (double)v->uv[0], (double)v->uv[1]);
	v->uv[0] = v->uv[1] = 0;
	return true;
}

static bool count_bad_position(validation *p, uint32_t i)
{
	if (!p->bad_before) {
		p->bad_before = bspi_push(p->ctx, &p->ctx->stage, uint32_t, (size_t)p->map->draw_vertices_count + 1);
	}
	BSPI_TRY(p->bad_before);
	p->bad_before[i + 1] = 1;
	memset(p->map->draw_vertices[i].position, 0, sizeof p->map->draw_vertices[i].position);
	return true;
}

static bool check_draw_vertices(validation *p)
{
	bspi_map *map = p->map;
	for (uint32_t i = 0; i < map->draw_vertices_count; i++) {
		bspi_draw_vertex *v = &map->draw_vertices[i];
		if (!bspi_is_position(v->position)) BSPI_TRY(count_bad_position(p, i));
		BSPI_TRY(repair_uvs(p->ctx, map, i));
		float square = bspi_dot(v->normal, v->normal);
		if (fabsf(square - 1) <= 1e-3f || bspi_normalize(v->normal)) continue;
		memset(v->normal, 0, sizeof v->normal);
		p->missing_normals = true;
	}
	for (uint32_t i = 0; p->bad_before && i < map->draw_vertices_count; i++) p->bad_before[i + 1] += p->bad_before[i];
	for (uint32_t i = 0; i < map->draw_vertex_styles_count; i++) {
		float *uv = map->draw_vertex_styles[i].lightmap[0];
		for (int k = 0; k < 6; k++) uv[k] = fabsf(uv[k]) <= LARGEST_UV ? uv[k] : 0;
	}
	return true;
}

/* Checks normals. A normal whose length is not 1 becomes zero, and the normal of the plane is used instead. */
static bool check_normals(bspi_ctx *ctx, bspi_map *map, bspi_array_id array, bspi_normal *normals, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		float *normal = normals[i].normal;
		float square = bspi_dot(normal, normal);
		if (square == 0 || fabsf(square - 1) <= 0.01f) continue;
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, bspi_record_location(map, array, i),
		                   "the length of its normal %g %g %g is not 1: the plane's normal is used", (double)normal[0],
		                   (double)normal[1], (double)normal[2]));
		memset(normal, 0, sizeof normals[i].normal);
	}
	return true;
}

static bool check_polygon_normals(bspi_ctx *ctx, bspi_map *map)
{
	if (map->vertex_normals_count != map->vertices_count) map->vertex_normals_count = 0;
	return check_normals(ctx, map, BSPI_ARRAY_normals, map->normals, map->normals_count) &&
	       check_normals(ctx, map, BSPI_ARRAY_vertex_normals, map->vertex_normals, map->vertex_normals_count);
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

/* Drops face `i`. The other arguments are the warning: a printf format and its values. */
#define DROP(p, i, ...) \
	do { \
		(p)->map->faces[i].kind = BSPI_FACE_DROPPED; \
		return bspi_warn((p)->ctx, BSPSCENE_WARNING_FACE_DROPPED, \
		                 bspi_record_location((p)->map, BSPI_ARRAY_faces, (i)), "left out: " __VA_ARGS__); \
	} while (0)

/* Adds `more` to a sum. If the sum would exceed `most`, returns false and does not change it. */
static bool take(uint64_t *sum, uint64_t more, uint64_t most)
{
	if (more > most - *sum) return false;
	*sum += more;
	return true;
}

static bool is_dropped(const validation *p, uint32_t i)
{
	return p->map->faces[i].kind == BSPI_FACE_DROPPED;
}

static bool check_vertices_of(validation *p, uint32_t i)
{
	bspi_face *face = &p->map->faces[i];
	if (!BSPI_TAKE_RANGE(face->first_vertex, face->vertex_count, p->map->draw_vertices_count)) {
		DROP(p, i, "it uses %" PRId32 " vertices from number %" PRId32 " on, but there are %" PRIu32,
		     face->vertex_count, face->first_vertex, p->map->draw_vertices_count);
	}
	if (p->bad_before && p->bad_before[face->first_vertex + face->vertex_count] != p->bad_before[face->first_vertex]) {
		DROP(p, i, "a position is not finite or too far away");
	}
	if (!take(&p->vertices, (uint32_t)face->vertex_count, MOST_VERTICES)) {
		DROP(p, i, "the faces together have too many vertices");
	}
	return true;
}

static bool check_indices_of(validation *p, uint32_t i, uint32_t limit)
{
	bspi_face *face = &p->map->faces[i];
	if (!BSPI_TAKE_RANGE(face->first_index, face->index_count, p->map->draw_indices_count)) {
		DROP(p, i, "it uses %" PRId32 " indices from number %" PRId32 " on, but there are %" PRIu32,
		     face->index_count, face->first_index, p->map->draw_indices_count);
	}
	if (face->index_count % 3) {
		BSPI_TRY(bspi_warn(p->ctx, BSPSCENE_WARNING_TRIANGLE_DROPPED, bspi_record_location(p->map, BSPI_ARRAY_faces, i),
		                   "its number of indices, %" PRId32 ", is not a multiple of 3: the last ones are left out",
		                   face->index_count));
		face->index_count -= face->index_count % 3;
	}
	if (!take(&p->indices, (uint32_t)face->index_count, MOST_INDICES)) {
		DROP(p, i, "the faces together have too many indices");
	}
	/* Surfaces may share a list of indices. So if an index is invalid, the face is dropped, and the list is not
	 * repaired. */
	const bspi_index *indices = p->map->draw_indices + face->first_index;
	uint32_t largest = 0;
	for (int32_t k = 0; k < face->index_count; k++) largest = indices[k].value > largest ? indices[k].value : largest;
	if (face->index_count && largest >= limit)
		DROP(p, i, "an index names its vertex %" PRIu32 ", but it has %" PRIu32, largest, limit);
	return true;
}

static bool check_triangles(validation *p, uint32_t i)
{
	return check_vertices_of(p, i) &&
	       (is_dropped(p, i) || check_indices_of(p, i, (uint32_t)p->map->faces[i].vertex_count));
}

static bool check_patch(validation *p, uint32_t i)
{
	bspi_face *face = &p->map->faces[i];
	int32_t width = face->patch_width, height = face->patch_height;
	bool regular = width >= SMALLEST_PATCH && width <= LARGEST_PATCH && width % 2 && height >= SMALLEST_PATCH &&
	               height <= LARGEST_PATCH && height % 2;
	if (!regular || width * height != face->vertex_count) {
		DROP(p, i, "a patch of %" PRId32 " x %" PRId32 " points with %" PRId32 " vertices is not possible", width,
		     height, face->vertex_count);
	}
	face->first_index = face->index_count = 0;
	return true;
}

/* Checks foliage: a mesh with patch_height vertices, followed by patch_width instances. */
static bool check_foliage(validation *p, uint32_t i)
{
	const bspi_face *face = &p->map->faces[i];
	int64_t instances = face->patch_width, mesh = face->patch_height;
	if (instances < 0 || mesh < 0 || instances + mesh != face->vertex_count) {
		DROP(p, i, "foliage of %" PRId64 " instances and %" PRId64 " vertices cannot have %" PRId32 " vertices in all",
		     instances, mesh, face->vertex_count);
	}
	if (!take(&p->vertices, (uint64_t)instances * (uint64_t)mesh, MOST_VERTICES)) {
		DROP(p, i, "the faces together have too many vertices");
	}
	BSPI_TRY(check_indices_of(p, i, (uint32_t)mesh));
	if (!take(&p->indices, (uint64_t)instances * (uint32_t)face->index_count, MOST_INDICES)) {
		DROP(p, i, "the faces together have too many indices");
	}
	return true;
}

static bool check_flare(validation *p, uint32_t i)
{
	bspi_face *face = &p->map->faces[i];
	if (!bspi_is_position(face->origin) || !bspi_are_finite(face->color, 3)) {
		DROP(p, i, "the position or color of the flare is not finite");
	}
	for (int k = 0; k < 3; k++) face->color[k] = fminf(fmaxf(face->color[k], 0), 1);
	face->first_vertex = face->vertex_count = face->first_index = face->index_count = 0;
	return true;
}

static bool check_edges_of(validation *p, uint32_t i)
{
	const bspi_map *map = p->map;
	const bspi_face *face = &map->faces[i];
	if (face->edge_count < 3 || !bspi_is_range(face->first_edge, face->edge_count, map->surfedges_count)) {
		DROP(p, i,
		     "it uses %" PRId32 " edges from number %" PRId32 " on, of %" PRIu32 ": a face needs at least 3 that exist",
		     face->edge_count, face->first_edge, map->surfedges_count);
	}
	if (!take(&p->vertices, (uint32_t)face->edge_count, MOST_VERTICES)) {
		DROP(p, i, "the faces together have too many vertices");
	}
	for (int32_t k = 0; k < face->edge_count; k++) {
		int64_t surfedge = map->surfedges[face->first_edge + k].value;
		int64_t edge = surfedge < 0 ? -surfedge : surfedge;
		if (edge >= map->edges_count)
			DROP(p, i, "it uses edge %" PRId64 ", but there are %" PRIu32, edge, map->edges_count);
		uint32_t vertex = map->edges[edge].vertices[surfedge < 0];
		if (vertex >= map->vertices_count)
			DROP(p, i, "it uses vertex %" PRIu32 ", but there are %" PRIu32, vertex, map->vertices_count);
		if (!bspi_is_position(map->vertices[vertex].position)) DROP(p, i, "a position is not finite or too far away");
	}
	return true;
}

static bool check_corner_normals(validation *p, uint32_t i)
{
	bspi_ctx *ctx = p->ctx;
	bspi_map *map = p->map;
	bspi_face *face = &map->faces[i];
	if (!map->vertex_normals_count) face->smooth = false;
	if (!map->corner_normals_count) face->first_normal = -1;
	if (face->first_normal < 0) return true;
	bool fits = bspi_is_range(face->first_normal, face->edge_count, map->corner_normals_count);
	for (int32_t k = 0; fits && k < face->edge_count; k++) {
		fits = map->corner_normals[face->first_normal + k].value < map->normals_count;
	}
	if (fits) return true;
	BSPI_REPAIR(faces, i, REFERENCE,
	            "it uses %" PRId32 " normals from number %" PRId32
	            " on, which do not all exist: the plane's normal is used",
	            face->edge_count, face->first_normal);
	face->first_normal = -1;
	return true;
}

static bool check_texinfo_of(validation *p, uint32_t i)
{
	const bspi_face *face = &p->map->faces[i];
	if (!bspi_is_index(face->texinfo, p->map->texinfos_count)) {
		DROP(p, i, "it uses texinfo %" PRId32 ", but there are %" PRIu32, face->texinfo, p->map->texinfos_count);
	}
	return true;
}

/* True if all indices of a primitive exist: as corners of the face, or as vertices of the primitive. */
static bool is_primitive_usable(const bspi_map *map, const bspi_face *face, bspi_primitive *primitive)
{
	if (!BSPI_TAKE_RANGE(primitive->first_index, primitive->index_count, map->primitive_indices_count)) return false;
	if (primitive->strip ? primitive->index_count < 3 : primitive->index_count % 3 != 0) return false;
	int64_t first = primitive->vertex_count ? primitive->first_vertex : 0;
	int64_t count = primitive->vertex_count ? primitive->vertex_count : face->edge_count;
	if (primitive->vertex_count && !bspi_is_range(first, count, map->primitive_vertices_count)) return false;
	for (int32_t k = 0; k < primitive->index_count; k++) {
		int64_t index = map->primitive_indices[primitive->first_index + k].value;
		if (index < first || index - first >= count) return false;
	}
	for (int64_t k = 0; primitive->vertex_count && k < count; k++) {
		if (!bspi_is_position(map->primitive_vertices[first + k].position)) return false;
	}
	return true;
}

static bool check_primitives_of(validation *p, uint32_t i)
{
	bspi_ctx *ctx = p->ctx;
	bspi_map *map = p->map;
	bspi_face *face = &map->faces[i];
	if (!face->primitive_count) return true;
	bool fits = bspi_is_range(face->first_primitive, face->primitive_count, map->primitives_count);
	for (int32_t k = 0; fits && k < face->primitive_count; k++) {
		bspi_primitive *primitive = &map->primitives[face->first_primitive + k];
		fits = is_primitive_usable(map, face, primitive) &&
		       take(&p->vertices, (uint32_t)primitive->vertex_count, MOST_VERTICES) &&
		       take(&p->indices, 3 * (uint64_t)primitive->index_count, MOST_INDICES);
	}
	if (fits) return true;
	BSPI_REPAIR(faces, i, REFERENCE, "it uses triangles that do not exist: it is triangulated again");
	face->primitive_count = 0;
	return true;
}

static bool check_polygon(validation *p, uint32_t i)
{
	bspi_face *face = &p->map->faces[i];
	if (!bspi_is_index(face->plane, p->map->planes_count)) {
		DROP(p, i, "it uses plane %" PRId32 ", but there are %" PRIu32, face->plane, p->map->planes_count);
	}
	BSPI_TRY(check_texinfo_of(p, i));
	BSPI_TRY(is_dropped(p, i) || check_edges_of(p, i));
	return is_dropped(p, i) || check_corner_normals(p, i);
}

/* True if direction times distance is a valid offset. Only this product is checked, not the direction or the distance
 * alone. */
static bool is_offset(const bspi_disp_vertex *vertex)
{
	float offset[3];
	for (int k = 0; k < 3; k++) offset[k] = vertex->direction[k] * vertex->distance;
	return bspi_is_position(offset);
}

static bool check_displacement(validation *p, uint32_t i)
{
	enum { SMALLEST_POWER = 2, LARGEST_POWER = 4 };
	const bspi_map *map = p->map;
	const bspi_face *face = &map->faces[i];
	if (face->edge_count != 4) DROP(p, i, "a displacement has 4 edges, but it has %" PRId32, face->edge_count);
	if (!bspi_is_index(face->dispinfo, map->dispinfos_count)) {
		DROP(p, i, "it uses dispinfo %" PRId32 ", but there are %" PRIu32, face->dispinfo, map->dispinfos_count);
	}
	const bspi_dispinfo *info = &map->dispinfos[face->dispinfo];
	if (info->power < SMALLEST_POWER || info->power > LARGEST_POWER) {
		DROP(p, i, "the power of a displacement is 2 to 4, but here it is %" PRId32, info->power);
	}
	uint32_t side = (1u << info->power) + 1;
	if (!bspi_is_range(info->first_vertex, side * side, map->disp_vertices_count)) {
		DROP(p, i, "it uses %" PRIu32 " displacement vertices from number %" PRId32 " on, but there are %" PRIu32,
		     side * side, info->first_vertex, map->disp_vertices_count);
	}
	if (!bspi_is_position(info->start)) DROP(p, i, "a displacement's corner is not finite or too far away");
	for (uint32_t k = 0; k < side * side; k++) {
		if (!is_offset(&map->disp_vertices[(uint32_t)info->first_vertex + k])) {
			DROP(p, i, "displacement vertex %" PRIu32 " is not finite or too far away", k);
		}
	}
	if (!take(&p->vertices, (uint64_t)side * side, MOST_VERTICES)) {
		DROP(p, i, "the faces together have too many vertices");
	}
	return true;
}

/* Checks members that describe light. Whether luxels lie in their lump is checked later, by stages/light/luxels.c. */
static bool check_light(validation *p, uint32_t i)
{
	enum { LARGEST_SHIFT = 16, MOST_SETS = 4 };
	bspi_ctx *ctx = p->ctx;
	bspi_map *map = p->map;
	bspi_face *face = &map->faces[i];
	for (int slot = 0; slot < BSPI_MAX_STYLES; slot++) {
		if (face->lightmap[slot] >= BSPI_FIRST_PICTURE_PAGE) {
			BSPI_REPAIR(faces, i, LIGHTMAP,
			            "it uses lightmap %" PRId32 ", which is out of range: it is lit by its vertices",
			            face->lightmap[slot]);
			face->lightmap[slot] = BSPI_PAGE_BY_VERTEX;
		}
		/* The engine treats all other negative numbers as "lit by vertices" (tr_shader.c). */
		if (face->lightmap[slot] < BSPI_PAGE_2D) face->lightmap[slot] = BSPI_PAGE_BY_VERTEX;
	}
	if (face->light_projection >= 0 && !bspi_is_index(face->light_projection, map->light_projections_count)) {
		BSPI_REPAIR(faces, i, LIGHTMAP,
		            "it uses light projection %" PRId32 ", but there are %" PRIu32 ": it gets no lightmap",
		            face->light_projection, map->light_projections_count);
		face->light_projection = face->light_offset = -1;
	}
	if (face->luxel_shift < 0 || face->luxel_shift > LARGEST_SHIFT || face->light_sets < 0 ||
	    face->light_sets > MOST_SETS) {
		BSPI_REPAIR(faces, i, LIGHTMAP,
		            "luxels of 2^%" PRId32 " texels in %" PRId32 " sets are not possible: it gets no lightmap",
		            face->luxel_shift, face->light_sets);
		face->luxel_shift = face->light_sets = 0;
		face->light_offset = -1;
	}
	return true;
}

/* Checks those members that matter for all kinds of faces. */
static bool check_common(validation *p, uint32_t i)
{
	bspi_ctx *ctx = p->ctx;
	bspi_map *map = p->map;
	bspi_face *face = &map->faces[i];
	if (face->fog >= 0 && !bspi_is_index(face->fog, map->fogs_count)) {
		BSPI_REPAIR(faces, i, REFERENCE, "it names fog %" PRId32 ", but there are %" PRIu32 ": it is not fogged",
		            face->fog, map->fogs_count);
		face->fog = -1;
	}
	/* In released maps, surfaces that q3map2 merges have no normal, and flares may have none. */
	if (!bspi_normalize(face->normal)) memset(face->normal, 0, sizeof face->normal);
	if (!(face->subdivisions >= 0 && face->subdivisions <= BSPI_LARGEST_COORDINATE)) face->subdivisions = 0;
	return check_light(p, i);
}

static bool check_face(validation *p, uint32_t i)
{
	BSPI_TRY(check_common(p, i));
	switch (p->map->faces[i].kind) {
	case BSPI_FACE_DROPPED:
		return true;
	case BSPI_FACE_POLYGON:
		return check_polygon(p, i) &&
		       (is_dropped(p, i) || check_primitives_of(p, i));
	case BSPI_FACE_DISPLACEMENT:
		return check_polygon(p, i) && (is_dropped(p, i) || check_displacement(p, i));
	case BSPI_FACE_TRIANGLES:
	case BSPI_FACE_TERRAIN:
		return check_triangles(p, i);
	case BSPI_FACE_PROJECTED:
		return check_texinfo_of(p, i) && (is_dropped(p, i) || check_triangles(p, i));
	case BSPI_FACE_PATCH:
		return check_vertices_of(p, i) && (is_dropped(p, i) || check_patch(p, i));
	case BSPI_FACE_FOLIAGE:
		return check_vertices_of(p, i) && (is_dropped(p, i) || check_foliage(p, i));
	case BSPI_FACE_FLARE:
		return check_flare(p, i);
	}
	return true;
}

/* Gives vertices without a normal the normal of their face. If the face has none either, mesh_writer.c computes normals
 * from the triangles. */
static void fill_normals(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		bool triangles = face->kind == BSPI_FACE_TRIANGLES || face->kind == BSPI_FACE_PROJECTED;
		bool planar = triangles && bspi_dot(face->normal, face->normal) > 0;
		for (int32_t k = 0; planar && k < face->vertex_count; k++) {
			float *normal = map->draw_vertices[face->first_vertex + k].normal;
			if (bspi_dot(normal, normal) == 0) bspi_copy3(normal, face->normal);
		}
	}
}

/* If a face has an invalid texture, gives it a new texture, which is added at the end of the list. */
static bool check_face_textures(bspi_ctx *ctx, bspi_map *map)
{
	uint32_t count = map->textures_count;
	bool missing = false;
	for (uint32_t i = 0; i < map->texinfos_count; i++) {
		if (bspi_is_index(map->texinfos[i].texture, count)) continue;
		BSPI_REPAIR(texinfos, i, REFERENCE,
		            "it uses texture %" PRId32 ", but there are %" PRIu32 ": its texture is missing",
		            map->texinfos[i].texture, count);
		map->texinfos[i].texture = (int32_t)count;
		missing = true;
	}
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		bool known = bspi_is_index(face->texture, count);
		if (!known && face->kind != BSPI_FACE_DROPPED) {
			BSPI_REPAIR(faces, i, REFERENCE,
			            "it uses texture %" PRId32 ", but there are %" PRIu32 ": its texture is missing", face->texture,
			            count);
		}
		if (!known) face->texture = (int32_t)count;
		missing = missing || !known;
	}
	if (!missing) return true;
	bspi_texture *textures = bspi_push(ctx, &ctx->scratch, bspi_texture, (size_t)count + 1);
	BSPI_TRY(textures);
	if (count) memcpy(textures, map->textures, count * sizeof *textures);
	memcpy(textures[count].name, "missing", sizeof "missing");
	textures[count].miptex = BSPI_NO_BYTES;
	textures[count].effect = -1;
	map->textures = textures;
	map->textures_count = count + 1;
	return true;
}

bool bspi_validate_faces(bspi_ctx *ctx, bspi_map *map)
{
	validation p = { .ctx = ctx, .map = map };
	BSPI_TRY(check_draw_vertices(&p) && check_polygon_normals(ctx, map));
	for (uint32_t i = 0; i < map->faces_count; i++) BSPI_TRY(check_face(&p, i));
	if (p.missing_normals) fill_normals(map);
	return check_face_textures(ctx, map);
}
