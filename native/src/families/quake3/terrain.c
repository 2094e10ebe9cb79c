/* terrain.c - makes a face from each height field of 9 x 9 points. Faces have full detail, as in the lightmap compiler;
 * the engine simplifies flat parts while it draws (openmohaa, tr_terrain.c). See terrain.h. */
#include "families/quake3/terrain.h"

enum { SIDE = 9, POINTS = SIDE * SIDE, QUADS = SIDE - 1, INDICES = QUADS * QUADS * 6 };
enum { QUAD_SIZE = 64, HEIGHT_STEP = 2, FROM_BELOW = 0x40 };

/* Interpolates between the texture coordinates of the corners (0,0), (0,1), (1,0) and (1,1). */
static float between(const float uvs[4][2], int axis, float x, float y)
{
	float left = uvs[0][axis] * (1 - y) + uvs[1][axis] * y, right = uvs[2][axis] * (1 - y) + uvs[3][axis] * y;
	return left * (1 - x) + right * x;
}

static void make_points(const bspi_terrain *terrain, float page_size, bspi_draw_vertex *out)
{
	for (int32_t i = 0; i < POINTS; i++) {
		int32_t x = i % SIDE, y = i / SIDE;
		bspi_draw_vertex *vertex = &out[i];
		vertex->position[0] = (float)((terrain->x + x) * QUAD_SIZE);
		vertex->position[1] = (float)((terrain->y + y) * QUAD_SIZE);
		vertex->position[2] = (float)(terrain->z + HEIGHT_STEP * terrain->heights[i]);
		for (int axis = 0; axis < 2; axis++) {
			vertex->uv[axis] = between(terrain->uvs, axis, (float)x / QUADS, (float)y / QUADS);
		}
		vertex->lightmap[0] = ((float)(terrain->lightmap_x + terrain->luxels * x) + 0.5f) / page_size;
		vertex->lightmap[1] = ((float)(terrain->lightmap_y + terrain->luxels * y) + 0.5f) / page_size;
		for (int c = 0; c < 4; c++) vertex->color[c] = 255;
	}
}

/* Makes two triangles per quad. Corners are clockwise as seen from above, or from below for ceilings. The diagonals of
 * neighboring quads meet at points where x + y is even, as in the engine, which splits triangles at their longest
 * side. */
static void make_indices(bool from_below, bspi_index *out)
{
	for (uint32_t i = 0; i < QUADS * QUADS; i++) {
		uint32_t x = i % QUADS, y = i / QUADS, corner = y * SIDE + x;
		uint32_t ring[4] = { corner, corner + SIDE, corner + SIDE + 1, corner + 1 };   /* clockwise from above */
		uint32_t first = (x + y) % 2, next = from_below ? 3 : 1, last = from_below ? 1 : 3;
		const uint32_t order[6] = { 0, next, 2, 0, 2, last };
		for (int k = 0; k < 6; k++) out[6 * i + (uint32_t)k].value = ring[(first + order[k]) % 4];
	}
}

static bspi_face make_face(const bspi_terrain *terrain, uint32_t first_vertex, uint32_t first_index)
{
	int32_t luxels = terrain->luxels * QUADS + 1;
	bool from_below = terrain->flags & FROM_BELOW;
	bspi_face face = {
		.kind = BSPI_FACE_TERRAIN, .texture = terrain->texture, .texinfo = -1, .plane = -1, .fog = -1, .dispinfo = -1,
		.light_offset = -1, .light_projection = -1,
		.first_vertex = (int32_t)first_vertex, .vertex_count = POINTS,
		.first_index = (int32_t)(first_index + (from_below ? INDICES : 0)), .index_count = INDICES,
		.lightmap = { terrain->lightmap, BSPI_PAGE_BY_VERTEX, BSPI_PAGE_BY_VERTEX, BSPI_PAGE_BY_VERTEX },
		.lightmap_x = { terrain->lightmap_x }, .lightmap_y = { terrain->lightmap_y },
		.lightmap_width = luxels, .lightmap_height = luxels,
	};
	for (int slot = 1; slot < BSPI_MAX_STYLES; slot++) face.styles[slot] = face.vertex_styles[slot] = 255;
	return face;
}

static void *grow(bspi_ctx *ctx, const void *items, uint32_t count, size_t more, size_t size)
{
	void *grown = bspi_push_zeroed(ctx, &ctx->scratch, count + more, size);
	if (grown && count) memcpy(grown, items, count * size);
	return grown;
}

bool bspi_add_terrain(bspi_ctx *ctx, bspi_map *map)
{
	uint32_t count = map->terrain_count, first_vertex = map->draw_vertices_count, first_index = map->draw_indices_count;
	if (!count) return true;
	/* These sums cannot overflow. Lumps are smaller than 2 GiB. So 81 points for each record of 388 bytes, and the
	 * vertices of the file, are less than 2^30 vertices together. */
	bspi_draw_vertex *vertices = grow(ctx, map->draw_vertices, first_vertex, (size_t)count * POINTS, sizeof *vertices);
	bspi_index *indices = grow(ctx, map->draw_indices, first_index, 2 * INDICES, sizeof *indices);
	bspi_face *faces = grow(ctx, map->faces, map->faces_count, count, sizeof *faces);
	BSPI_TRY(vertices && indices && faces);
	make_indices(false, indices + first_index);
	make_indices(true, indices + first_index + INDICES);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t vertex = first_vertex + i * POINTS;
		make_points(&map->terrain[i], (float)map->rules.lightmap_page_size, vertices + vertex);
		faces[map->faces_count + i] = make_face(&map->terrain[i], vertex, first_index);
	}
	map->draw_vertices = vertices;
	map->draw_vertices_count += count * POINTS;
	map->draw_indices = indices;
	map->draw_indices_count += 2 * INDICES;
	if (map->models_count) {
		map->models[0].first_added = (int32_t)map->faces_count;
		map->models[0].added_count = (int32_t)count;
	}
	map->faces = faces;
	map->faces_count += count;
	return true;
}
