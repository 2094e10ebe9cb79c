/* displacement_grid.c - positions and normals of all displacements' vertices, before any is drawn: neighbours of different
 * power must meet on the coarser one's edge, and vertices that lie together must share a normal (source.md 6). */
#include "stages/geometry.h"

#include "base/vec.h"

/* Vertices of neighbours nearer than this are the same one, game units. */
#define SAME_PLACE 0.1f

enum { MOST_MEETING = 24 };

/* ---- The quad and its grid -------------------------------------------------------------------------------- */

static float distance_squared(const float a[3], const float b[3])
{
	float d[3];
	bspi_sub(d, a, b);
	return bspi_dot(d, d);
}

/* Row 0 begins at the corner nearest to the stated one. */
void bspi_find_disp_corners(const bspi_map *map, const bspi_face *face, const float *corners[4])
{
	const float *start = map->dispinfos[face->dispinfo].start, *given[4];
	uint32_t first = 0;
	for (uint32_t i = 0; i < 4; i++) {
		given[i] = bspi_surfedge_position(map, face->first_edge + (int32_t)i);
		if (distance_squared(given[i], start) < distance_squared(given[first], start)) first = i;
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

/* A displacement on its way; vertex [row * side + column], rows from corner 0 to 1, columns from corner 0 to 3. */
typedef struct grid {
	const bspi_dispinfo *info;
	uint32_t side;                     /* vertices */
	float (*positions)[3], (*normals)[3];
} grid;

static grid grid_of(const bspi_build *build, uint32_t dispinfo)
{
	const bspi_dispinfo *info = &build->map->dispinfos[dispinfo];
	return (grid){ info, (1u << info->power) + 1, build->disp_positions + info->first_vertex,
	               build->disp_normals + info->first_vertex };
}

static void place_vertices(const bspi_map *map, const bspi_face *face, const grid *g)
{
	const bspi_disp_vertex *moves = &map->disp_vertices[g->info->first_vertex];
	const float *corners[4];
	bspi_find_disp_corners(map, face, corners);
	for (uint32_t i = 0; i < g->side * g->side; i++) {
		bspi_flat_disp_position(corners, g->side, i / g->side, i % g->side, g->positions[i]);
		for (int k = 0; k < 3; k++) g->positions[i][k] += moves[i].direction[k] * moves[i].distance;
	}
}

/* Unit normal of a triangle, or nothing where it has no area. */
static void add_normal(const grid *g, uint32_t a, uint32_t b, uint32_t c, float sum[3])
{
	float row[3], column[3], normal[3];
	bspi_sub(row, g->positions[b], g->positions[a]);
	bspi_sub(column, g->positions[c], g->positions[a]);
	bspi_cross(normal, column, row);
	if (!bspi_normalize(normal)) return;
	for (int k = 0; k < 3; k++) sum[k] += normal[k];
}

/* The mean of both triangles of every cell around the vertex. Cells are cut by the same diagonal here, unlike the drawn ones
 * (builddisp.cpp CalcNormals). */
static void find_normal(const grid *g, uint32_t row, uint32_t column, float out[3])
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

/* ---- Edges ------------------------------------------------------------------------------------------------ */

/* Vertex n of an edge, counted from the corner with the lower row or column. Edges are left (column 0), top (last row),
 * right and bottom, as seen with rows going up. */
static uint32_t edge_vertex(uint32_t side, uint32_t edge, uint32_t n)
{
	switch (edge) {
	case 0: return n * side;
	case 1: return (side - 1) * side + n;
	case 2: return n * side + side - 1;
	default: return n;
	}
}

/* Cells along the part of an edge that a neighbour meets. */
static uint32_t span_cells(uint32_t side, uint8_t span)
{
	return span == BSPI_SPAN_ALL ? side - 1 : (side - 1) / 2;
}

/* A finer edge bends where the coarser one beside it does not: its vertices in between go onto the coarser's line. */
static void settle_edge(const grid *g, uint32_t edge, uint8_t span, uint32_t own, uint32_t theirs, float (*values)[3])
{
	uint32_t step = own / theirs, first = span == BSPI_SPAN_SECOND_HALF ? (g->side - 1) / 2 : 0;
	for (uint32_t n = 0; n < own; n++) {
		uint32_t part = n % step, before = first + n - part;
		if (!part) continue;
		const float *a = values[edge_vertex(g->side, edge, before)];
		const float *b = values[edge_vertex(g->side, edge, before + step)];
		float *p = values[edge_vertex(g->side, edge, first + n)], way = (float)part / (float)step;
		for (int k = 0; k < 3; k++) p[k] = a[k] + (b[k] - a[k]) * way;
	}
}

/* `values` are positions or normals of all displacements. */
static void settle_edges(const bspi_build *build, const bool *drawn, uint32_t dispinfo, float (*values)[3])
{
	grid g = grid_of(build, dispinfo);
	for (uint32_t k = 0; k < 8; k++) {
		const bspi_disp_neighbor *neighbor = &g.info->neighbors[k];
		if (neighbor->dispinfo < 0 || !drawn[neighbor->dispinfo]) continue;
		grid other = grid_of(build, (uint32_t)neighbor->dispinfo);
		uint32_t own = span_cells(g.side, neighbor->span), theirs = span_cells(other.side, neighbor->their_span);
		if (own > theirs) settle_edge(&g, k / 2, neighbor->span, own, theirs, values + g.info->first_vertex);
	}
}

/* ---- Normals that meet ------------------------------------------------------------------------------------ */

/* The vertices, one of each displacement at most, that lie at a place. */
typedef struct meeting {
	uint32_t dispinfos[MOST_MEETING], count;
	float sum[3];
} meeting;

static bool join(meeting *m, uint32_t dispinfo, const float at[3], const float position[3], const float normal[3])
{
	if (distance_squared(at, position) > SAME_PLACE * SAME_PLACE) return false;
	for (uint32_t i = 0; i < m->count; i++) {
		if (m->dispinfos[i] == dispinfo) return true;
	}
	if (m->count == MOST_MEETING) return true;
	m->dispinfos[m->count++] = dispinfo;
	for (int k = 0; k < 3; k++) m->sum[k] += normal[k];
	return true;
}

static void meet_edge(const bspi_build *build, meeting *m, const bspi_disp_neighbor *neighbor, uint32_t edge, const float at[3])
{
	grid other = grid_of(build, (uint32_t)neighbor->dispinfo);
	uint32_t their_edge = (edge + 2 + neighbor->orientation) & 3;
	for (uint32_t n = 0; n < other.side; n++) {
		uint32_t i = edge_vertex(other.side, their_edge, n);
		if (join(m, (uint32_t)neighbor->dispinfo, at, other.positions[i], other.normals[i])) return;
	}
}

static void meet_corners(const bspi_build *build, meeting *m, uint32_t dispinfo, const float at[3])
{
	grid other = grid_of(build, dispinfo);
	uint32_t last = other.side - 1;
	const uint32_t corners[4] = { 0, last * other.side, last * other.side + last, last };
	for (int i = 0; i < 4; i++) {
		if (join(m, dispinfo, at, other.positions[corners[i]], other.normals[corners[i]])) return;
	}
}

/* All that meets at one of the displacement's border vertices; `out` is another array than what is read. */
static void meet(const bspi_build *build, const bool *drawn, uint32_t dispinfo, uint32_t vertex, float out[3])
{
	grid g = grid_of(build, dispinfo);
	uint32_t row = vertex / g.side, column = vertex % g.side, last = g.side - 1;
	const bool on_edge[4] = { column == 0, row == last, column == last, row == 0 };
	const bool at_corner[4] = { !row && !column, row == last && !column, row == last && column == last, !row && column == last };
	const float *at = g.positions[vertex];
	meeting m = { .count = 0 };
	join(&m, dispinfo, at, at, g.normals[vertex]);
	for (uint32_t k = 0; k < 8; k++) {
		const bspi_disp_neighbor *neighbor = &g.info->neighbors[k];
		bool here = on_edge[k / 2] && neighbor->dispinfo >= 0 && drawn[neighbor->dispinfo];
		if (here) meet_edge(build, &m, neighbor, k / 2, at);
	}
	for (int k = 0; k < 4; k++) {
		const bspi_disp_corner_neighbors *corner = &g.info->corners[k];
		for (int i = 0; at_corner[k] && i < corner->count; i++) {
			int32_t other = corner->dispinfos[i];
			if (other >= 0 && drawn[other]) meet_corners(build, &m, (uint32_t)other, at);
		}
	}
	bspi_copy3(out, g.normals[vertex]);
	if (m.count > 1 && bspi_normalize(m.sum)) bspi_copy3(out, m.sum);
}

static bool smooth_borders(bspi_build *build, const bool *drawn)
{
	const bspi_map *map = build->map;
	float (*smooth)[3] = bspi_push_zeroed(build->ctx, &build->ctx->scratch, map->disp_vertices_count, sizeof *smooth);
	BSPI_TRY(smooth);
	memcpy(smooth, build->disp_normals, map->disp_vertices_count * sizeof *smooth);
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		if (!drawn[i]) continue;
		grid g = grid_of(build, i);
		for (uint32_t n = 0; n < g.side; n++) {
			for (uint32_t edge = 0; edge < 4; edge++) {
				uint32_t vertex = edge_vertex(g.side, edge, n);
				meet(build, drawn, i, vertex, smooth[(uint32_t)g.info->first_vertex + vertex]);
			}
		}
	}
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		if (drawn[i]) settle_edges(build, drawn, i, smooth);
	}
	build->disp_normals = smooth;
	return true;
}

bool bspi_build_displacements(bspi_build *build)
{
	bspi_map *map = build->map;
	bspi_ctx *ctx = build->ctx;
	if (!map->dispinfos_count) return true;
	bool *drawn = bspi_push(ctx, &ctx->stage, bool, map->dispinfos_count);
	build->disp_positions = bspi_push_zeroed(ctx, &ctx->scratch, map->disp_vertices_count, sizeof *build->disp_positions);
	build->disp_normals = bspi_push_zeroed(ctx, &ctx->scratch, map->disp_vertices_count, sizeof *build->disp_normals);
	BSPI_TRY(drawn && build->disp_positions && build->disp_normals);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		if (face->kind != BSPI_FACE_DISPLACEMENT) continue;
		grid g = grid_of(build, (uint32_t)face->dispinfo);
		drawn[face->dispinfo] = true;
		place_vertices(map, face, &g);
	}
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		if (drawn[i]) settle_edges(build, drawn, i, build->disp_positions);
	}
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		if (!drawn[i]) continue;
		grid g = grid_of(build, i);
		for (uint32_t v = 0; v < g.side * g.side; v++) find_normal(&g, v / g.side, v % g.side, g.normals[v]);
	}
	return smooth_borders(build, drawn);
}
