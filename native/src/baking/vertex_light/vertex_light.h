/* vertex_light.h - all light of a scene in the vertices of its meshes, which are divided where that takes more of them.
 *
 *     vertex_light.c   the pass: meshes one after the other, within a limit on triangles
 *     light_levels.c   the light of a section at a point of it
 *     shared_edges.c   the edges of a mesh, and which triangles meet there
 *     edge_points.c    where edges between charts are divided
 *     charts.c         faces -> charts
 *     divide_charts.c  charts, each divided by itself
 *     chart_*.c        one chart: see chart.h
 *     split_mesh.c     the triangles that are left -> a mesh with light
 *
 * Hosts interpolate linear light between vertices. Divided is where that differs from the game's light by more than
 * an error, a difference of display values. A chart is a face whose triangles lie on one piece of a page. Where charts
 * meet, it is decided once for all of them where the edge is divided, by the light on all sides, so that nothing opens;
 * what is inside of a chart depends on nothing outside of it. */
#ifndef BSPI_VERTEX_LIGHT_H
#define BSPI_VERTEX_LIGHT_H

#include "baking/baking.h"
#include "baking/vertex_light/light_levels.h"

typedef enum bspi_chart_kind {
	BSPI_CHART_MAPPED,                 /* on a page: divided by its luxels */
	BSPI_CHART_PLAIN                   /* one triangle, divided at its edges alone */
} bspi_chart_kind;

/* A run of a mesh's triangles, of one face or single ones. */
typedef struct bspi_light_chart {
	bspi_chart_kind kind;
	uint32_t section;
	uint32_t first_triangle, triangle_count;
	uint32_t last_vertex;              /* of the mesh, behind which new ones are stored */
	bool mirrored;                     /* the other way round on the page */
	uint32_t size;                     /* half luxels around it; 0: nothing inside is looked at */
} bspi_light_chart;

/* All triangles whose ends are at two places. A side is 3 * triangle + edge; edge k is between corners k and k + 1. */
typedef struct bspi_shared_edge {
	uint32_t low, high;                /* places */
	uint32_t first_side, side_count;   /* and on by next_sides */
	const float *points;               /* where it is divided: shares from low to high, ascending */
	uint32_t point_count;
	bool inner;                        /* two triangles of one chart meet there, and no others */
} bspi_shared_edge;

/* A vertex of the new mesh, between three of the old one. */
typedef struct bspi_light_vertex {
	uint32_t parents[3];
	float shares[2];                   /* of the second and third one */
	uint16_t levels[3];
} bspi_light_vertex;

typedef struct bspi_light_triangle {
	uint32_t corners[3];               /* of the old mesh, and from its vertex_count on, of the chart's vertices */
	uint32_t origin;                   /* triangle of the old mesh that it is a part of */
} bspi_light_triangle;

/* What became of a chart; without triangles, it is as it was. */
typedef struct bspi_divided_chart {
	bspi_light_vertex *vertices; uint32_t vertex_count;
	bspi_light_triangle *triangles; uint32_t triangle_count;
} bspi_divided_chart;

/* How many half luxels differ by how much; by tenths of a step of 255. */
enum { BSPI_MEASURE_BINS = 2561 };
typedef struct bspi_light_measure {
	uint64_t counts[BSPI_MEASURE_BINS], count;
	float most_on_edges;               /* tenths too */
} bspi_light_measure;

/* A mesh while it is divided. */
typedef struct bspi_light_mesh {
	const bspscene_mesh *mesh;
	const bspscene_face *faces;        /* of the scene */
	bspi_light_source *sources;        /* per section */
	float error;                       /* difference of display values that is allowed */
	uint16_t *levels;                  /* three per vertex */
	uint32_t *places;                  /* per vertex, the first one at its position */
	bspi_shared_edge *edges; uint32_t edge_count;
	uint32_t *edges_of_sides;          /* per side; NO_INDEX: no edge */
	uint32_t *next_sides;
	bspi_light_chart *charts; uint32_t chart_count;
	uint32_t charts_before;            /* of the meshes before it */
	uint32_t *charts_of_triangles;
	bspi_divided_chart *divided;       /* per chart */
	bool left_out;                     /* something that nobody looked at, for want of work that may be done */
} bspi_light_mesh;

/* How much work a chart is: half luxels, and what each takes besides. */
static inline double bspi_chart_size(const bspi_light_chart *chart) { return (double)chart->size + 64; }

/* Of all meshes, so far, with one error. */
typedef struct bspi_light_total {
	uint64_t triangles, limit;
	double added;                      /* triangles that all charts up to here would add, by those that were asked */
	double size;                       /* of the charts up to here */
	double asked;                      /* charts for each unit of size, by lot, that tell what all would add; 0: all */
	bool divides;
	bool over;                         /* there are more triangles than may be: it ended there */
	bool left_out;                     /* in some mesh */
	double charts;                     /* of all meshes, for progress */
	bspi_light_measure measure;
} bspi_light_total;

/* How likely a chart is asked: the larger, the more, as it adds more. */
static inline double bspi_chart_chance(const bspi_light_chart *chart, double asked)
{
	double chance = bspi_chart_size(chart) * asked;
	return asked > 0 && chance < 1 ? chance : 1;
}

/* The lot is the same for all errors, and spread evenly. */
static inline bool bspi_is_chart_asked(const bspi_light_mesh *mesh, uint32_t chart, double asked)
{
	double lot = (mesh->charts_before + chart + 1) * UINT32_C(0x9e3779b1) / 4294967296.0;
	return lot < bspi_chart_chance(&mesh->charts[chart], asked);
}

/* In steps of 255: no more than this in so many of all half luxels. chart_measure.c */
float bspi_measure_quantile(const bspi_light_measure *measure, double share);

/* ---- shared_edges.c --------------------------------------------------------------------------------------- */

/* Fills places and levels of vertices, in the scratch arena. */
bool bspi_find_places(bspi_ctx *ctx, bspi_light_mesh *mesh);
/* Fills edges, once there are places. */
bool bspi_find_edges(bspi_ctx *ctx, bspi_light_mesh *mesh);

/* ---- edge_points.c ---------------------------------------------------------------------------------------- */

/* Decides where the edges of charts that are asked are divided. *luxels_left bounds how much may be looked at. */
bool bspi_find_edge_points(bspi_ctx *ctx, bspi_light_mesh *mesh, double asked, uint64_t *luxels_left);

/* ---- divide_charts.c -------------------------------------------------------------------------------------- */

/* True with total->over, too: it ends where triangles are beyond the limit. */
bool bspi_divide_charts(bspi_ctx *ctx, bspi_light_mesh *mesh, bspi_light_total *total);

/* ---- split_mesh.c ----------------------------------------------------------------------------------------- */

/* Puts the divided mesh, in the result arena, in the place of what `mesh` was, and brings its faces up to date. */
bool bspi_split_mesh(bspi_ctx *ctx, const bspi_light_mesh *from, bspscene_mesh *mesh, bspscene_face *faces);

/* ---- charts.c --------------------------------------------------------------------------------------------- */

/* Fills charts, and tells inner edges. */
bool bspi_find_charts(bspi_ctx *ctx, bspi_light_mesh *mesh, uint64_t *luxels_left);
/* Where a vertex of a section is on its page, in half luxels. */
void bspi_place_on_page(const bspi_light_mesh *mesh, const bspi_light_source *source, uint32_t vertex, float out[2]);
void bspi_color_of_vertex(const bspi_light_mesh *mesh, uint32_t vertex, float out[3]);

#endif
