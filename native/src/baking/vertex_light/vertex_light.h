/* vertex_light.h - puts all light of a scene into the vertices of its meshes, which are divided where that needs more
 * vertices.
 *
 *     vertex_light.c   the pass over all meshes
 *     within_limit.c   the errors with which all triangles fit a limit
 *     light_levels.c   the light of a section at a point of it
 *     shared_edges.c   the edges of a mesh, and which triangles meet there
 *     edge_points.c    divides the edges between charts
 *     charts.c         groups faces into charts
 *     divide_charts.c  divides each chart on its own
 *     chart_*.c        one chart: see chart.h
 *     split_mesh.c     builds the new mesh with its light
 *
 * Hosts interpolate linear light between vertices. A mesh is divided where that differs from the game's light by more
 * than an error, which is a difference of display values. A chart is a face whose triangles lie on one piece of a page.
 * An edge between charts is divided once for all of them, by the light on all sides, so that no gaps open. The inside
 * of a chart depends on nothing outside of it. */
#ifndef BSPI_VERTEX_LIGHT_H
#define BSPI_VERTEX_LIGHT_H

#include "baking/baking.h"
#include "baking/vertex_light/light_levels.h"

typedef enum bspi_chart_kind {
	BSPI_CHART_MAPPED,                 /* on a page: divided by its luxels */
	BSPI_CHART_PLAIN                   /* a single triangle, divided along its edges only */
} bspi_chart_kind;

/* A run of a mesh's triangles: one face, or one triangle. */
typedef struct bspi_light_chart {
	bspi_chart_kind kind;
	uint32_t section;
	uint32_t first_triangle, triangle_count;
	uint32_t last_vertex;              /* the mesh's vertex after which the chart's new vertices are stored */
	bool mirrored;                     /* the triangles are mirrored on the page */
	uint8_t part;                      /* the part to which this chart belongs, if all charts are divided in parts:
	                                    * 0 to total->part_count - 1 (within_limit.c) */
	uint32_t size;                     /* number of half luxels in its bounding rectangle; 0: the inside is not
	                                    * scanned */
} bspi_light_chart;

/* All sides of triangles that link the same two positions. The side number 3 * triangle + edge stands for edge `edge`
 * of a triangle, which links its corners `edge` and `edge` + 1. */
typedef struct bspi_shared_edge {
	uint32_t low, high;                /* the two ends: for each, the first vertex at its position (see `places`) */
	uint32_t first_side, side_count;   /* the first side; next_sides links it to the others */
	const float *points;               /* points that divide the edge: weights of the end `high`, ascending, between 0
	                                    * and 1 */
	uint32_t point_count;
	bool inner;                        /* exactly two triangles of one chart meet there */
} bspi_shared_edge;

/* A vertex of the new mesh. It is interpolated between three vertices of the old mesh. */
typedef struct bspi_light_vertex {
	uint32_t parents[3];
	float shares[2];                   /* weights of the second and the third parent */
	uint16_t levels[3];
} bspi_light_vertex;

typedef struct bspi_light_triangle {
	uint32_t corners[3];               /* indices of vertices: those of the old mesh come first, then the new ones of
	                                    * this chart */
	uint32_t origin;                   /* the triangle of the old mesh of which this one is a part */
} bspi_light_triangle;

/* The vertices and triangles of a divided chart. Without triangles, the chart is unchanged. */
typedef struct bspi_divided_chart {
	bspi_light_vertex *vertices; uint32_t vertex_count;
	bspi_light_triangle *triangles; uint32_t triangle_count;
} bspi_divided_chart;

/* Histogram of light errors over half luxels, in tenths of a step of 255. */
enum { BSPI_MEASURE_BINS = 2561 };
typedef struct bspi_light_measure {
	uint64_t counts[BSPI_MEASURE_BINS], count;
	float most_on_edges;               /* largest error along edges, in the same unit */
} bspi_light_measure;

/* A mesh that is being divided. */
typedef struct bspi_light_mesh {
	const bspscene_mesh *mesh;
	const bspscene_face *faces;        /* the scene's faces */
	bspi_light_source *sources;        /* per section */
	float error;                       /* allowed difference of display values */
	uint16_t *levels;                  /* three levels for each vertex */
	uint32_t *places;                  /* for each vertex, the first vertex at the same position */
	bspi_shared_edge *edges; uint32_t edge_count;
	uint32_t *edges_of_sides;          /* the edge of each side, or NO_INDEX */
	uint32_t *next_sides;
	bspi_light_chart *charts; uint32_t chart_count;
	uint32_t charts_before;            /* number of charts in the meshes before this one */
	uint32_t *charts_of_triangles;
	bspi_divided_chart *divided;       /* per chart */
	bool left_out;                     /* some chart was not scanned, because the work budget was used up */
} bspi_light_mesh;

/* Returns the estimated work for a chart: its half luxels and a constant. */
static inline double bspi_chart_size(const bspi_light_chart *chart) { return (double)chart->size + 64; }

/* Sums over all meshes so far, with one error. */
typedef struct bspi_light_total {
	uint64_t triangles, limit;
	double added;                      /* estimated number of added triangles of all charts so far; exact if all were
	                                    * divided */
	double size;                       /* work of the charts that `added` counts, by bspi_chart_size */
	double sampling_rate;              /* a chart is sampled with this probability per unit of work; 0: all charts are
	                                    * divided */
	uint32_t part, part_count;         /* the part of the charts that is divided; the number of parts (1: all charts
	                                    * are divided) */
	bool divides;
	bool over;                         /* the triangle limit was exceeded, and the work stopped there */
	bool left_out;                     /* some mesh has a part that was not scanned */
	double charts;                     /* charts of all meshes, for progress */
	bspi_light_measure measure;
} bspi_light_total;

/* Returns the probability that a chart is in the sample; 1 if all charts are divided. It is proportional to the work
 * of the chart, because charts with more work add more triangles. */
static inline double bspi_chart_chance(const bspi_light_chart *chart, double sampling_rate)
{
	double chance = bspi_chart_size(chart) * sampling_rate;
	return sampling_rate > 0 && chance < 1 ? chance : 1;
}

/* True if a chart is in the sample. The pseudo-random choice (Fibonacci hashing) is evenly spread and the same for all
 * errors. */
static inline bool bspi_is_chart_sampled(const bspi_light_mesh *mesh, uint32_t chart, double sampling_rate)
{
	double lot = (mesh->charts_before + chart + 1) * UINT32_C(0x9e3779b1) / 4294967296.0;
	return lot < bspi_chart_chance(&mesh->charts[chart], sampling_rate);
}

static inline bool bspi_is_chart_in_part(const bspi_light_chart *chart, const bspi_light_total *total)
{
	return total->part_count == 1 || chart->part == total->part;
}

/* Returns the error that this share of all half luxels does not exceed, in display values times 255. chart_measure.c */
float bspi_measure_quantile(const bspi_light_measure *measure, double share);

/* ---- shared_edges.c --------------------------------------------------------------------------------------- */

/* Fills mesh->places and mesh->levels, in the scratch arena. */
bool bspi_find_places(bspi_ctx *ctx, bspi_light_mesh *mesh);
/* Fills mesh->edges. Needs mesh->places. */
bool bspi_find_edges(bspi_ctx *ctx, bspi_light_mesh *mesh);

/* ---- edge_points.c ---------------------------------------------------------------------------------------- */

/* Finds the points that divide the edges of sampled charts, and subtracts their samples along edges from *luxels_left.
 * Edges for which too few are left are not divided; mesh->left_out is then set. */
bool bspi_find_edge_points(bspi_ctx *ctx, bspi_light_mesh *mesh, double sampling_rate, uint64_t *luxels_left);

/* ---- divide_charts.c -------------------------------------------------------------------------------------- */

/* Divides the charts of a mesh. If the triangles exceed total->limit, stops, sets total->over and returns true.
 * Returns false if memory is out. */
bool bspi_divide_charts(bspi_ctx *ctx, bspi_light_mesh *mesh, bspi_light_total *total);

/* ---- split_mesh.c ----------------------------------------------------------------------------------------- */

/* Replaces `mesh` by the divided one, in the result arena, and updates its faces. */
bool bspi_split_mesh(bspi_ctx *ctx, const bspi_light_mesh *from, bspscene_mesh *mesh, bspscene_face *faces);

/* ---- charts.c --------------------------------------------------------------------------------------------- */

/* Fills mesh->charts and marks inner edges. Subtracts the half luxels of the charts from *luxels_left. */
bool bspi_find_charts(bspi_ctx *ctx, bspi_light_mesh *mesh, uint64_t *luxels_left);
/* Returns the position of a vertex of a section on its page, in half luxels. */
void bspi_place_on_page(const bspi_light_mesh *mesh, const bspi_light_source *source, uint32_t vertex, float out[2]);
void bspi_color_of_vertex(const bspi_light_mesh *mesh, uint32_t vertex, float out[3]);

#endif
