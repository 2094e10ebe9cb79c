/* displacement_grid.c - computes positions and normals of the vertices of all displacements. This happens before
 * triangles are made, because neighbors change each other's borders (docs/formats/source.md, "Displacements"). */
#include "stages/geometry/displacement.h"

#include "base/vec.h"

/* ---- The quad and its grid -------------------------------------------------------------------------------- */

/* Finds the corners of the quad. The first one is the corner that is nearest to the start position in the file. Row 0
 * begins there. */
void bspi_find_disp_corners(const bspi_map *map, const bspi_face *face, const float *corners[4])
{
	const float *start = map->dispinfos[face->dispinfo].start, *given[4];
	uint32_t first = 0;
	for (uint32_t i = 0; i < 4; i++) {
		given[i] = bspi_surfedge_position(map, face->first_edge + (int32_t)i);
		if (bspi_distance_squared(given[i], start) < bspi_distance_squared(given[first], start)) first = i;
	}
	for (uint32_t i = 0; i < 4; i++) corners[i] = given[(first + i) % 4];
}

void bspi_flat_disp_position(const float *const corners[4], uint32_t side, uint32_t row, uint32_t column, float out[3])
{
	float down = (float)row / (float)(side - 1), along = (float)column / (float)(side - 1);
	for (int k = 0; k < 3; k++) {
		float left = corners[0][k] + (corners[1][k] - corners[0][k]) * down;
		float right = corners[3][k] + (corners[2][k] - corners[3][k]) * down;
		out[k] = left + (right - left) * along;
	}
}

static void place_vertices(const bspi_map *map, const bspi_face *face, const bspi_disp_grid *g)
{
	const bspi_disp_vertex *moves = &map->disp_vertices[g->info->first_vertex];
	const float *corners[4];
	bspi_find_disp_corners(map, face, corners);
	for (uint32_t i = 0; i < g->side * g->side; i++) {
		bspi_flat_disp_position(corners, g->side, i / g->side, i % g->side, g->positions[i]);
		for (int k = 0; k < 3; k++) g->positions[i][k] += moves[i].direction[k] * moves[i].distance;
	}
}

/* Adds the normal of a triangle with length 1. Adds nothing if the triangle has no area. */
static void add_normal(const bspi_disp_grid *g, uint32_t a, uint32_t b, uint32_t c, float sum[3])
{
	float row[3], column[3], normal[3];
	bspi_sub(row, g->positions[b], g->positions[a]);
	bspi_sub(column, g->positions[c], g->positions[a]);
	bspi_cross(normal, column, row);
	if (!bspi_normalize(normal)) return;
	for (int k = 0; k < 3; k++) sum[k] += normal[k];
}

/* Computes the normal of a vertex: the mean of the normals of both triangles in each cell around it. The diagonals of
 * these triangles have the same direction in all cells, unlike those of the drawn triangles (builddisp.cpp
 * CalcNormals). */
static void find_normal(const bspi_disp_grid *g, uint32_t row, uint32_t column, float out[3])
{
	out[0] = out[1] = out[2] = 0;
	uint32_t first_row = row ? row - 1 : 0, last_row = row + 1 < g->side ? row : row - 1;
	uint32_t first_column = column ? column - 1 : 0, last_column = column + 1 < g->side ? column : column - 1;
	for (uint32_t i = first_row; i <= last_row; i++) {
		for (uint32_t j = first_column; j <= last_column; j++) {
			uint32_t at = i * g->side + j, below = at + g->side;
			add_normal(g, at, below, at + 1, out);
			add_normal(g, below + 1, at + 1, below, out);
		}
	}
	bspi_normalize(out);
}

bool bspi_build_displacements(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspi_ctx *ctx = build->ctx;
	if (!map->dispinfos_count) return true;
	bool *drawn = bspi_push(ctx, &ctx->stage, bool, map->dispinfos_count);
	uint32_t vertices = map->disp_vertices_count;
	build->disp_positions = bspi_push_zeroed(ctx, &ctx->scratch, vertices, sizeof *build->disp_positions);
	build->disp_normals = bspi_push_zeroed(ctx, &ctx->scratch, vertices, sizeof *build->disp_normals);
	BSPI_TRY(drawn && build->disp_positions && build->disp_normals);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		if (face->kind != BSPI_FACE_DISPLACEMENT) continue;
		bspi_disp_grid g = bspi_disp_grid_of(build, (uint32_t)face->dispinfo);
		drawn[face->dispinfo] = true;
		place_vertices(map, face, &g);
	}
	bspi_close_disp_seams(build, drawn);
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		if (!drawn[i]) continue;
		bspi_disp_grid g = bspi_disp_grid_of(build, i);
		for (uint32_t v = 0; v < g.side * g.side; v++) find_normal(&g, v / g.side, v % g.side, g.normals[v]);
	}
	return bspi_smooth_disp_seams(build, drawn);
}
