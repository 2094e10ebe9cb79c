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
	bool stays;                        /* on the border or on a fold */
	uint32_t origin;                   /* vertex of the mesh, or NO_INDEX */
	uint32_t group;                    /* if it is new: affine over its triangle, or between two vertices of the mesh */
	uint32_t parents[2];
	float share;                       /* weight of the second parent; 0: the vertex is interpolated in its group */
	uint32_t triangle;                 /* one triangle that has this vertex */
	uint32_t number;                   /* index among the stored vertices */
} bspi_chart_vertex;

/* A triangle of a chart. Edge k lies opposite of vertex k. */
typedef struct bspi_chart_triangle {
	uint32_t v[3], n[3];               /* counter-clockwise; the triangle beyond each edge, NO_INDEX at the border */
	float worst;                       /* its largest error, in units of the allowed error: up to 1 is good enough */
	double x, y;                       /* where the largest error is */
	float squares;                     /* sum of the squared errors */
	bool scanned;                      /* the errors belong to the present corners */
	uint32_t group;
	uint32_t version;                  /* number of its changes */
	bool folds[3];
	bool looked_at[3];                 /* per edge: the light on it was scanned and is close enough */
	bool touched;                      /* it waits to be scanned again */
	bool gone;
} bspi_chart_triangle;

/* A part of the chart on which all vertex attributes are affine functions of the position. Edges inside of it may be
 * flipped. */
typedef struct bspi_chart_group {
	uint32_t triangle;                 /* the mesh's triangle that defines the attributes */
	double corners[3][2], area;        /* twice its area */
} bspi_chart_group;

/* An entry of the queue of triangles to refine. It is stale if the triangle's version differs. */
typedef struct bspi_chart_entry {
	float worst;
	uint32_t triangle, version;
} bspi_chart_entry;

/* Numbers for each half luxel: the game's light, the errors per unit of light above it, and the errors per unit below
 * it, negated. Each is RGB and a 0. */
#define BSPI_GAME_WIDTH 12u

/* Least height of triangles, in half luxels. Thinning makes a triangle lower than this only if a lower one was there
 * before, and a flip only if the new edge is Delaunay. */
#define BSPI_CHART_LOWEST 0.7

/* If the error exceeds this many times the allowed one, the new vertex may be close to an edge or a corner. */
#define BSPI_CHART_URGENT 2.0f
/* Marks in the fourth number of a half luxel of `levels` at which no vertex could be inserted: for small errors, or for
 * urgent ones too. */
enum { BSPI_NOT_URGENT = 1, BSPI_GIVEN_UP };

/* Memory that is reused for each chart. */
typedef struct bspi_chart {
	bspi_task *task;                   /* its arena holds the arrays */
	const bspi_light_mesh *mesh;
	const bspi_light_chart *light;
	const bspi_light_source *source;
	bspi_chart_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	bspi_chart_triangle *triangles; uint32_t triangle_count, triangle_capacity;
	bspi_chart_group *groups; uint32_t group_count, group_capacity;
	uint32_t first_inner;              /* vertices from this one on were inserted */
	bool has_flipped;                  /* an edge of the mesh was flipped */
	bool has_inside;                   /* it has half luxels to scan, in the arrays below */
	/* The half luxels of the bounding rectangle, row by row. */
	uint16_t *levels;                  /* BSPI_GRID_WIDTH numbers for each */
	float *game;                       /* BSPI_GAME_WIDTH numbers for each, computed from `levels` */
	size_t capacity;
	int32_t first[2]; uint32_t size[2];
	uint32_t *locals, local_capacity;  /* maps vertices of the mesh to vertices of the chart, for the run of vertices of
	                                    * its face */
	uint32_t *stack, stack_count, stack_capacity;
	uint32_t *touched, touched_count, touched_capacity;
	bspi_chart_entry *queue; uint32_t queue_count, queue_capacity;
	int32_t step;                      /* half luxels between two samples: 1 or 2; 0 before the first scan */
	int64_t samples_left;              /* half luxels that may still be scanned */
	uint64_t most_inner;               /* limit of inner vertices: with more, this chart alone exceeds the triangle
	                                    * limit */
} bspi_chart;

/* Makes room for one more element of a growing array. */
bool bspi_chart_grow(bspi_chart *chart, void *array, uint32_t count, uint32_t *capacity, size_t size);

/* Builds the triangles of chart->light. Like all bool functions of this header, it returns false if memory is out,
 * unless its comment says otherwise. chart_build.c */
bool bspi_chart_build(bspi_chart *chart);
/* Stores the present triangles in `out`. chart_store.c */
bool bspi_chart_store(bspi_chart *chart, bspi_divided_chart *out);

/* chart_mesh.c */
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
/* Inserts a point into the border edge opposite of vertex k. The triangle keeps the first part of the edge; *last gets
 * the rest, opposite of its vertex 0. */
bool bspi_chart_split_border(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t vertex, uint32_t *last);
/* Splits one triangle into three, or with its neighbor across edge k two into four. */
bool bspi_chart_split_inside(bspi_chart *chart, uint32_t triangle, uint32_t vertex);
bool bspi_chart_split_edge(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t vertex);
/* Sets a triangle's corners and neighbors, and updates its neighbors. */
void bspi_chart_replace(bspi_chart *chart, uint32_t triangle, const uint32_t v[3], const uint32_t n[3],
                        const bool folds[3]);
/* Returns the edge of a triangle that borders edge k of another one, or 3. */
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
/* Flips the edges on the stack where that lowers the error, and pushes the edges around each flip. Unless `whole`,
 * these are only edges opposite of a new vertex, which is the first vertex of all triangles on the stack. */
bool bspi_chart_flip(bspi_chart *chart, bool whole);
bool bspi_chart_push(bspi_chart *chart, uint32_t triangle, uint32_t k);
bool bspi_chart_touch(bspi_chart *chart, uint32_t triangle);

/* Computes the errors at the half luxels inside of a triangle, unless they are known. chart_scan.c */
void bspi_chart_scan_inside(bspi_chart *chart, bspi_chart_triangle *triangle);
/* Computes a triangle's largest error. With chart->step 2 only centers of luxels are tested, with 1 half luxels and
 * inner edges too. */
void bspi_chart_scan(bspi_chart *chart, bspi_chart_triangle *triangle);
/* True if the error at some half luxel of the triangle of three vertices is above 1. */
bool bspi_chart_exceeds(bspi_chart *chart, const uint32_t v[3]);
/* Returns the largest error on the line between two vertices, and its position. */
float bspi_chart_scan_line(bspi_chart *chart, uint32_t a, uint32_t b, double *x, double *y);

/* Returns the game's light at a position. */
void bspi_chart_levels_at(const bspi_chart *chart, double x, double y, uint16_t out[3]);
float bspi_chart_error(const bspi_chart *chart, const uint16_t levels[3], const float light[3]);

/* chart_refine.c, chart_thin.c */
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
