/* genesis3d_faces.c - makes faces of Genesis3D. A face stores vertex indices and its size in luxels, but not the
 * position of its first luxel. Some faces have colors at their corners instead of luxels. */
#include "families/genesis3d/genesis3d.h"

#include <inttypes.h>
#include <math.h>

/* Limit for the corners of all lit faces together. Faces of real maps share no vertex indices. In hostile files all
 * faces may use the same ones. */
#define MOST_CORNERS ((int64_t)1 << 24)

enum { COLOR_SIZE = 12 };

/* ---- Polygons and luxels ------------------------------------------------------------------------------------ */

static bool is_unlit(uint32_t flags)
{
	return flags & GENESIS3D_SKY || (flags & GENESIS3D_NO_LIGHTMAP && !(flags & GENESIS3D_BY_VERTEX));
}

static bool has_corners(const bspi_map *map, const bspi_face *f)
{
	return f->first_edge >= 0 && f->edge_count >= 0 &&
	       (int64_t)f->first_edge + f->edge_count <= (int64_t)map->edges_count;
}

uint32_t bspi_genesis3d_flags(const bspi_map *map, const bspi_face *f)
{
	return (uint32_t)f->texinfo < map->texinfos_count ? map->texinfos[f->texinfo].flags : 0;
}

/* Computes a projection with the floats, the axes and the order of operations of the compiler, because another order
 * may round differently. Each step is a separate statement, because within one statement a C compiler may fuse
 * operations. */
static float project(const float position[3], const float vector[4])
{
	float x = position[0] * vector[0];
	float y = position[1] * vector[1];
	float z = position[2] * vector[2];
	float sum = x + y;
	return sum + z;
}

/* Computes the position of a face's first luxel, which the file does not store. Returns false if the position cannot be
 * computed. */
static bool find_first_luxel(const bspi_map *map, bspi_face *f)
{
	const float farthest = 16777216;   /* from this number on, floats have no fractions */
	float min[2] = { INFINITY, INFINITY };
	for (int32_t i = 0; i < f->edge_count; i++) {
		uint32_t vertex = map->edges[f->first_edge + i].vertices[0];
		if (vertex >= map->vertices_count) return false;
		for (int k = 0; k < 2; k++) {
			float at = project(map->vertices[vertex].position, map->light_projections[f->texinfo].vectors[k]);
			min[k] = at < min[k] ? at : min[k];
		}
	}
	for (int k = 0; k < 2; k++) {
		if (!(fabsf(min[k]) < farthest)) return false;
	}
	f->lightmap_x[0] = (int32_t)floorf(min[0] / 16);
	f->lightmap_y[0] = (int32_t)floorf(min[1] / 16);
	return true;
}

/* Moves light offsets past the format byte that precedes each face's luxels. This byte has the same value in all
 * files. */
static bool settle_light(bspi_ctx *ctx, bspi_map *map)
{
	int64_t corners = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *f = &map->faces[i];
		bool sized = f->lightmap_width > 0 && f->lightmap_height > 0;
		if (f->light_offset >= 0 && !sized) {
			BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LIGHTMAP, bspi_record_location(map, BSPI_ARRAY_faces, i),
			                   "a lightmap of %" PRId32 " x %" PRId32 " luxels is not possible: it gets none",
			                   f->lightmap_width, f->lightmap_height));
		}
		bool placed = sized && f->light_offset >= 0 && f->light_offset < INT32_MAX &&
		              (uint32_t)f->texinfo < map->texinfos_count && has_corners(map, f);
		if (placed) corners += f->edge_count;
		placed = placed && corners <= MOST_CORNERS && find_first_luxel(map, f);
		f->light_offset = placed ? f->light_offset + 1 : -1;
		f->light_projection = placed ? f->texinfo : -1;
	}
	return true;
}

bool bspi_genesis3d_faces(bspi_ctx *ctx, bspi_map *map)
{
	map->surfedges = bspi_push(ctx, &ctx->scratch, bspi_surfedge, map->edges_count);
	BSPI_TRY(map->surfedges);
	map->surfedges_count = map->edges_count;
	for (uint32_t i = 0; i < map->edges_count; i++) map->surfedges[i].value = (int32_t)i;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *f = &map->faces[i];
		f->kind = BSPI_FACE_POLYGON;
		f->texture = (uint32_t)f->texinfo < map->texinfos_count ? f->texinfo : -1;
		f->fog = f->dispinfo = f->first_normal = -1;
		f->fullbright = is_unlit(bspi_genesis3d_flags(map, f));
	}
	return settle_light(ctx, map);
}

/* ---- Vertex light ------------------------------------------------------------------------------------------- */

/* True if all indices of a face are valid. Faces with invalid indices stay polygons, and validation drops them. */
static bool is_whole(const bspi_map *map, const bspi_face *f)
{
	if (!has_corners(map, f) || (uint32_t)f->plane >= map->planes_count) return false;
	for (int32_t i = 0; i < f->edge_count; i++) {
		if (map->edges[f->first_edge + i].vertices[0] >= map->vertices_count) return false;
	}
	return true;
}

/* Fills in a draw vertex from a corner. Its color is three floats from 0 to 255. */
static void set_vertex(const bspi_map *map, bspi_bytes colors, uint32_t corner)
{
	bspi_draw_vertex *out = &map->draw_vertices[corner];
	memcpy(out->position, map->vertices[map->edges[corner].vertices[0]].position, sizeof out->position);
	for (size_t k = 0; k < 3; k++) {
		float value = bspi_load_f32(colors.data + (size_t)corner * COLOR_SIZE + 4 * k);
		out->color[k] = (uint8_t)(value > 0 ? fminf(value, 255) : 0);
	}
	out->color[3] = 255;
}

/* Turns a polygon into a fan of triangles that are lit by vertex colors, as the engine does. */
static void light_by_vertices(bspi_map *map, bspi_bytes colors, bspi_face *f)
{
	float sign = f->side ? -1.0f : 1.0f;
	f->kind = BSPI_FACE_PROJECTED;
	f->vertex_lit = true;
	f->light_offset = -1;
	f->first_vertex = f->first_edge;
	f->vertex_count = f->edge_count;
	f->first_index = (int32_t)map->draw_indices_count;
	for (int k = 0; k < 3; k++) f->normal[k] = sign * map->planes[f->plane].normal[k];
	for (int32_t i = 0; i < f->edge_count; i++) set_vertex(map, colors, (uint32_t)(f->first_edge + i));
	for (int32_t i = 2; i < f->edge_count; i++) {
		const uint32_t fan[3] = { 0, (uint32_t)i - 1, (uint32_t)i };
		for (int k = 0; k < 3; k++) map->draw_indices[map->draw_indices_count++].value = fan[k];
	}
	f->index_count = (int32_t)map->draw_indices_count - f->first_index;
}

/* See genesis3d.h. The engine lights these faces by the colors at their corners (Surface.cpp GetRGBVerts). */
bool bspi_genesis3d_vertex_light(bspi_ctx *ctx, bspi_bytes colors, bspi_map *map)
{
	int64_t corners = 0;
	bool any = false, stored = colors.size / COLOR_SIZE >= map->edges_count && map->edges_count <= MOST_CORNERS;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		any |= (bspi_genesis3d_flags(map, &map->faces[i]) & GENESIS3D_BY_VERTEX) != 0;
	}
	if (!any || !stored) return true;
	map->draw_vertices = bspi_push(ctx, &ctx->scratch, bspi_draw_vertex, map->edges_count);
	map->draw_indices = bspi_push(ctx, &ctx->scratch, bspi_index, 3 * (size_t)map->edges_count);
	BSPI_TRY(map->draw_vertices && map->draw_indices);
	map->draw_vertices_count = map->edges_count;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *f = &map->faces[i];
		if (!(bspi_genesis3d_flags(map, f) & GENESIS3D_BY_VERTEX) || !has_corners(map, f)) continue;
		corners += f->edge_count;
		if (corners <= (int64_t)map->edges_count && is_whole(map, f)) light_by_vertices(map, colors, f);
	}
	return true;
}
