/* displacement_seams.c - joins displacements to their neighbors. If one has more vertices on an edge, they are moved
 * onto the neighbor's edge. Vertices at the same position get the same normal. */
#include "stages/geometry/displacement.h"

#include "base/vec.h"

/* In game units. Vertices of neighbors that are closer than this count as the same vertex. */
#define SAME_PLACE 0.1f

enum { EDGES = 4, NEIGHBORS = 8, CORNERS = 4 };

/* Returns the index of vertex n of an edge, counted from the end with the lower row or column. Edge 0 is left (column
 * 0), 1 is top (last row), 2 is right (last column), and 3 is bottom (row 0). */
static uint32_t edge_vertex(uint32_t side, uint32_t edge, uint32_t n)
{
	switch (edge) {
	case 0: return n * side;
	case 1: return (side - 1) * side + n;
	case 2: return n * side + side - 1;
	default: return n;
	}
}

/* Returns the index of the vertex at a corner. Corner 0 is lower left, 1 is upper left, 2 is upper right, and 3 is
 * lower right. */
static uint32_t corner_vertex(uint32_t side, uint32_t corner)
{
	const uint32_t last = side - 1, corners[CORNERS] = { 0, last * side, last * side + last, last };
	return corners[corner];
}

/* ---- Edges ------------------------------------------------------------------------------------------------ */

/* Returns the number of cells along an edge, or along the half of it that a neighbor touches. */
static uint32_t span_cells(uint32_t side, uint8_t span)
{
	return span == BSPI_SPAN_ALL ? side - 1 : (side - 1) / 2;
}

/* Moves the vertices that the neighbor does not have onto straight lines between the vertices that it has. The engine
 * does not draw these vertices (allowedVerts). */
static void settle_edge(const bspi_disp_grid *g, uint32_t edge, uint8_t span, uint32_t own, uint32_t theirs,
                        float (*values)[3])
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

/* Calls settle_edge for each edge of a drawn displacement that has more vertices than the neighbor there. `values`
 * are either the positions or the normals of all vertices. */
static void settle_edges(const bspi_build *build, const bool *drawn, float (*values)[3])
{
	for (uint32_t i = 0; i < build->map->dispinfos_count; i++) {
		if (!drawn[i]) continue;
		bspi_disp_grid g = bspi_disp_grid_of(build, i);
		for (uint32_t k = 0; k < NEIGHBORS; k++) {
			const bspi_disp_neighbor *neighbor = &g.info->neighbors[k];
			if (neighbor->dispinfo < 0 || !drawn[neighbor->dispinfo]) continue;
			bspi_disp_grid other = bspi_disp_grid_of(build, (uint32_t)neighbor->dispinfo);
			uint32_t own = span_cells(g.side, neighbor->span), theirs = span_cells(other.side, neighbor->their_span);
			if (own > theirs) settle_edge(&g, k / 2, neighbor->span, own, theirs, values + g.info->first_vertex);
		}
	}
}

void bspi_close_disp_seams(const bspi_build *build, const bool *drawn)
{
	settle_edges(build, drawn, build->disp_positions);
}

/* ---- Vertices at the same position ------------------------------------------------------------------------- */

/* Sets of vertices that are at the same position (union-find). Each vertex refers to an earlier one of its set, and the
 * first one refers to itself. So it does not matter which displacement lists which one as its neighbor. */
typedef struct meeting {
	const bspi_build *build;
	const bool *drawn;
	uint32_t *sets;
	float (*sums)[3];                  /* for the first vertex of each set, the sum of the normals of all its
	                                    * vertices */
} meeting;

static uint32_t first_of(const meeting *m, uint32_t vertex)
{
	uint32_t *sets = m->sets;
	while (sets[vertex] != vertex) vertex = sets[vertex] = sets[sets[vertex]];
	return vertex;
}

static void join(meeting *m, const bspi_disp_grid *a, uint32_t vertex_a, const bspi_disp_grid *b, uint32_t vertex_b)
{
	if (bspi_distance_squared(a->positions[vertex_a], b->positions[vertex_b]) > SAME_PLACE * SAME_PLACE) return;
	uint32_t first_a = first_of(m, (uint32_t)a->info->first_vertex + vertex_a);
	uint32_t first_b = first_of(m, (uint32_t)b->info->first_vertex + vertex_b);
	if (first_a < first_b) m->sets[first_b] = first_a;
	else m->sets[first_a] = first_b;
}

static void join_edges(meeting *m, const bspi_disp_grid *g, uint32_t edge, const bspi_disp_neighbor *neighbor)
{
	if (neighbor->dispinfo < 0 || !m->drawn[neighbor->dispinfo]) return;
	bspi_disp_grid other = bspi_disp_grid_of(m->build, (uint32_t)neighbor->dispinfo);
	uint32_t their_edge = (edge + 2 + neighbor->orientation) % EDGES;
	for (uint32_t i = 0; i < g->side; i++) {
		for (uint32_t k = 0; k < other.side; k++) {
			join(m, g, edge_vertex(g->side, edge, i), &other, edge_vertex(other.side, their_edge, k));
		}
	}
}

static void join_corners(meeting *m, const bspi_disp_grid *g, uint32_t corner, int32_t neighbor)
{
	if (neighbor < 0 || !m->drawn[neighbor]) return;
	bspi_disp_grid other = bspi_disp_grid_of(m->build, (uint32_t)neighbor);
	for (uint32_t i = 0; i < CORNERS; i++) {
		join(m, g, corner_vertex(g->side, corner), &other, corner_vertex(other.side, i));
	}
}

static void join_neighbors(meeting *m, uint32_t dispinfo)
{
	bspi_disp_grid g = bspi_disp_grid_of(m->build, dispinfo);
	for (uint32_t k = 0; k < NEIGHBORS; k++) join_edges(m, &g, k / 2, &g.info->neighbors[k]);
	for (uint32_t k = 0; k < CORNERS; k++) {
		const bspi_disp_corner_neighbors *corner = &g.info->corners[k];
		for (uint32_t i = 0; i < corner->count; i++) join_corners(m, &g, k, corner->dispinfos[i]);
	}
}

static bool is_border(uint32_t side, uint32_t vertex)
{
	uint32_t row = vertex / side, column = vertex % side;
	return !row || !column || row == side - 1 || column == side - 1;
}

static void sum_normals(meeting *m, uint32_t dispinfo)
{
	bspi_disp_grid g = bspi_disp_grid_of(m->build, dispinfo);
	for (uint32_t v = 0; v < g.side * g.side; v++) {
		if (!is_border(g.side, v)) continue;
		float *sum = m->sums[first_of(m, (uint32_t)g.info->first_vertex + v)];
		for (int k = 0; k < 3; k++) sum[k] += g.normals[v][k];
	}
}

/* Gives all vertices of a set the mean of their normals. If that is zero, because the normals are opposite, each vertex
 * keeps its own. */
static void share_normals(meeting *m, uint32_t dispinfo)
{
	bspi_disp_grid g = bspi_disp_grid_of(m->build, dispinfo);
	for (uint32_t v = 0; v < g.side * g.side; v++) {
		float mean[3];
		if (!is_border(g.side, v)) continue;
		bspi_copy3(mean, m->sums[first_of(m, (uint32_t)g.info->first_vertex + v)]);
		if (bspi_normalize(mean)) bspi_copy3(g.normals[v], mean);
	}
}

bool bspi_smooth_disp_seams(bspi_build *build, const bool *drawn)
{
	bspi_ctx *ctx = build->ctx;
	uint32_t vertices = build->map->disp_vertices_count, count = build->map->dispinfos_count;
	meeting m = { build, drawn, bspi_push(ctx, &ctx->stage, uint32_t, vertices),
	              bspi_push_zeroed(ctx, &ctx->stage, vertices, sizeof *m.sums) };
	BSPI_TRY(m.sets && m.sums);
	for (uint32_t i = 0; i < vertices; i++) m.sets[i] = i;
	for (uint32_t i = 0; i < count; i++) if (drawn[i]) join_neighbors(&m, i);
	for (uint32_t i = 0; i < count; i++) if (drawn[i]) sum_normals(&m, i);
	for (uint32_t i = 0; i < count; i++) if (drawn[i]) share_normals(&m, i);
	settle_edges(build, drawn, build->disp_normals);
	return true;
}
