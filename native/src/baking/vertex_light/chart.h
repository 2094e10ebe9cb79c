/* chart.h - one chart while it is divided: triangles in the plane of its page, in half luxels.
 *
 *     chart_build.c    makes the chart's triangles from the mesh, with the points of their edges
 *     chart_store.c    stores them for the new mesh
 *     chart_mesh.c     splits and flips triangles
 *     chart_rows.h     rasterizes a triangle to rows of half luxels
 *     chart_scan.c     finds where a triangle's light is furthest from the game's
 *     chart_refine.c   inserts vertices there until it is close enough
 *     chart_thin.c     removes inner vertices that are not needed any more
 *     chart_measure.c  measures the remaining error
 *
 * The method is greedy insertion (Garland and Heckbert, Fast Polygonal Approximation of Terrains and Height Fields,
 * 1995) into a data-dependent triangulation (Dyn, Levin and Rippa, Data Dependent Triangulations for Piecewise Linear
 * Interpolation, 1990), followed by the removal of vertices that later insertions made needless. Of the two diagonals
 * of a quadrilateral, the one with the smaller error is kept, so that edges follow the borders of shadows. If both are
 * about equal, the Delaunay one is kept. This takes a sixth fewer triangles than Delaunay triangulation alone.
 * Borders stay as they are: their points were chosen together with all charts that share them. Edges may be flipped
 * inside a group: triangles of one plane on which all vertex attributes are affine. Edges between groups are folds,
 * which are split but never flipped. */
#ifndef BSPI_CHART_H
#define BSPI_CHART_H

#include "baking/vertex_light/vertex_light.h"

typedef struct bspi_chart_vertex {
	double x, y;
	float light[3];
	uint16_t levels[3];
	bool stays;                        /* true: thinning does not remove it, because it is a vertex of the mesh, lies
	                                    * on the border or on a fold, or was removed already */
	uint32_t origin;                   /* vertex of the mesh, or NO_INDEX */
	uint32_t group;                    /* for a new vertex whose `share` is 0: the group in which its attributes are
	                                    * interpolated */
	uint32_t parents[2];
	float share;                       /* for a new vertex between two vertices of the mesh, its parents: weight of
	                                    * parents[1], above 0; for others, 0 */
	uint32_t triangle;                 /* one triangle that has this vertex */
	uint32_t number;                   /* index among the stored vertices */
} bspi_chart_vertex;

/* A triangle of a chart. Edge k lies opposite of vertex k. */
typedef struct bspi_chart_triangle {
	uint32_t v[3], n[3];               /* corners, counter-clockwise; the triangle beyond each edge, or NO_INDEX at the
	                                    * border */
	float worst;                       /* largest error, in units of the allowed error: up to 1 is good enough */
	double x, y;                       /* where the largest error is */
	float squares;                     /* sum of the squared errors */
	bool scanned;                      /* true: the errors above were computed for the present corners */
	uint32_t group;
	uint32_t version;                  /* how often the triangle was changed */
	bool folds[3];
	bool looked_at[3];                 /* per edge: its light was scanned and is close enough to the game's */
	bool touched;                      /* the triangle waits to be scanned again */
	bool gone;
} bspi_chart_triangle;

/* A part of the chart on which all vertex attributes are affine functions of the position. The edges inside the part
 * may be flipped. */
typedef struct bspi_chart_group {
	uint32_t triangle;                 /* the mesh's triangle that defines the attributes */
	double corners[3][2], area;        /* of that triangle: positions of its corners in the chart; twice its area */
} bspi_chart_group;

/* An entry of the queue of triangles to refine. It is stale if the triangle's version differs. */
typedef struct bspi_chart_entry {
	float worst;
	uint32_t triangle, version;
} bspi_chart_entry;

/* Numbers that `game` has for each half luxel: three vectors, each of RGB and a 0. The first is the game's light, L.
 * For a light above L, the error is the difference from L times the second vector. For a light below L, it is the
 * (negative) difference times the third vector, which is negative too. An error of 1 is the allowed one. */
#define BSPI_GAME_WIDTH 12u

/* Least height of triangles, in half luxels. A flip makes a triangle lower than this only if the new edge is Delaunay.
 * Thinning makes a triangle lower than this only if a triangle that it replaces was at least as low. */
#define BSPI_CHART_LOWEST 0.7

/* An error above this, in units of the allowed error, is urgent. The new vertex may then be close to an edge or a
 * corner. */
#define BSPI_CHART_URGENT 2.0f
/* Marks in the fourth number of a half luxel of `levels`, where no vertex could be inserted. NOT_URGENT: the error was
 * not urgent then, and insertion is tried again if it becomes urgent. GIVEN_UP: it was urgent; no further try. */
enum { BSPI_NOT_URGENT = 1, BSPI_GIVEN_UP };

/* Memory that is reused for each chart. */
typedef struct bspi_chart {
	bspi_task *task;                   /* the arrays below are in its arena */
	const bspi_light_mesh *mesh;
	const bspi_light_chart *light;
	const bspi_light_source *source;
	bspi_chart_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	bspi_chart_triangle *triangles; uint32_t triangle_count, triangle_capacity;
	bspi_chart_group *groups; uint32_t group_count, group_capacity;
	uint32_t first_inner;              /* vertices from this one on were inserted */
	bool has_flipped;                  /* an edge of the mesh was flipped to the other diagonal */
	bool has_inside;                   /* the chart has half luxels to scan; they are in the arrays below */
	/* The half luxels of the bounding rectangle, row by row. */
	uint16_t *levels;                  /* BSPI_GRID_WIDTH numbers for each */
	float *game;                       /* BSPI_GAME_WIDTH numbers for each, computed from `levels` */
	size_t capacity;
	int32_t first[2]; uint32_t size[2];
	uint32_t *locals, local_capacity;  /* index of the chart's vertex for each vertex of the mesh in the chart's face,
	                                    * relative to the first of them; or NO_INDEX */
	uint32_t *stack, stack_count, stack_capacity;
	uint32_t *touched, touched_count, touched_capacity;
	bspi_chart_entry *queue; uint32_t queue_count, queue_capacity;
	int32_t step;                      /* half luxels between two samples: 1 or 2; 0 before the first scan */
	int64_t samples_left;              /* half luxels that may still be scanned */
	uint64_t most_inner;               /* limit for inner vertices; with more, the triangles of this chart alone exceed
	                                    * the limit for all charts */
} bspi_chart;

/* Makes room for one more element of a growing array. */
bool bspi_chart_grow(bspi_chart *chart, void *array, uint32_t count, uint32_t *capacity, size_t size);

/* Builds the triangles of chart->light. Like all bool functions of this header, it returns false if memory is out,
 * unless its comment says otherwise. chart_build.c */
bool bspi_chart_build(bspi_chart *chart);
/* Stores the present triangles in `out`. chart_store.c */
bool bspi_chart_store(bspi_chart *chart, bspi_divided_chart *out);

/* Functions of chart_mesh.c: */
/* Returns twice the area of a triangle, negative if its vertices are clockwise. */
static inline double bspi_chart_area(const bspi_chart *chart, uint32_t a, uint32_t b, uint32_t c)
{
	const bspi_chart_vertex *v = chart->vertices;
	return (v[b].x - v[a].x) * (v[c].y - v[a].y) - (v[c].x - v[a].x) * (v[b].y - v[a].y);
}
static inline double bspi_chart_squared_length(const bspi_chart *chart, uint32_t a, uint32_t b)
{
	double dx = chart->vertices[b].x - chart->vertices[a].x, dy = chart->vertices[b].y - chart->vertices[a].y;
	return dx * dx + dy * dy;
}
bool bspi_chart_add_vertex(bspi_chart *chart, double x, double y, uint32_t *out);
/* Inserts a vertex into the edge opposite of corner k, which is at the border. The triangle keeps the first part of
 * this edge. *last becomes the triangle that has the rest, opposite of its corner 0. */
bool bspi_chart_split_border(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t vertex, uint32_t *last);
/* bspi_chart_split_inside splits a triangle into three. bspi_chart_split_edge splits the triangles on both sides of
 * edge k, which makes four of two. */
bool bspi_chart_split_inside(bspi_chart *chart, uint32_t triangle, uint32_t vertex);
bool bspi_chart_split_edge(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t vertex);
/* Sets a triangle's corners and neighbors, and updates its neighbors. */
void bspi_chart_replace(bspi_chart *chart, uint32_t triangle, const uint32_t v[3], const uint32_t n[3],
                        const bool folds[3]);
/* Returns the number of edge k in the triangle beyond it. 3: there is no such triangle. */
static inline uint32_t bspi_chart_edge_back(const bspi_chart *chart, uint32_t triangle, uint32_t k)
{
	const bspi_chart_triangle *t = &chart->triangles[triangle];
	if (t->n[k] == BSPSCENE_NO_INDEX) return 3;
	const bspi_chart_triangle *other = &chart->triangles[t->n[k]];
	uint32_t b = t->v[(k + 1) % 3], c = t->v[(k + 2) % 3];
	for (uint32_t j = 0; j < 3; j++) {
		if (other->n[j] == triangle && other->v[(j + 1) % 3] == c && other->v[(j + 2) % 3] == b) return j;
	}
	return 3;
}
/* Flips the edges on the stack where this lowers the error or, at about the same error, makes them Delaunay. Edges
 * around a flipped edge are then pushed to the stack. With `whole`, these are all four edges of the two triangles.
 * Otherwise corner 0 of the triangles is a new vertex, and only the two edges opposite of it are pushed. */
bool bspi_chart_flip(bspi_chart *chart, bool whole);
bool bspi_chart_push(bspi_chart *chart, uint32_t triangle, uint32_t k);
bool bspi_chart_touch(bspi_chart *chart, uint32_t triangle);

/* Computes the errors at the half luxels inside of a triangle, unless they are known. chart_scan.c */
void bspi_chart_scan_inside(bspi_chart *chart, bspi_chart_triangle *triangle);
/* Computes a triangle's largest error. If chart->step is 2, tests only the centers of luxels; if it is 1, tests all
 * half luxels and the inner edges. */
void bspi_chart_scan(bspi_chart *chart, bspi_chart_triangle *triangle);
/* True if the error at some half luxel of the triangle of three vertices is above 1. */
bool bspi_chart_exceeds(bspi_chart *chart, const uint32_t v[3]);
/* Returns the largest error on the line between two vertices, and its position. */
float bspi_chart_scan_line(bspi_chart *chart, uint32_t a, uint32_t b, double *x, double *y);

/* Returns the game's light at a position. */
void bspi_chart_levels_at(const bspi_chart *chart, double x, double y, uint16_t out[3]);
float bspi_chart_error(const bspi_chart *chart, const uint16_t levels[3], const float light[3]);

/* bspi_chart_refine is in chart_refine.c, bspi_chart_thin in chart_thin.c. */
bool bspi_chart_refine(bspi_chart *chart, int32_t step);
bool bspi_chart_thin(bspi_chart *chart);
/* True if the chart alone exceeds the triangle limit of all charts; then its result is dropped. */
static inline bool bspi_chart_is_over(const bspi_chart *chart)
{
	return chart->vertex_count - chart->first_inner > chart->most_inner;
}

/* Adds the light errors at half luxels and along edges to a histogram. chart_measure.c */
void bspi_chart_measure(bspi_chart *chart, bspi_light_measure *out);

#endif
