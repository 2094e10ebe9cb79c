/* chart.h - one chart while it is divided: triangles in the plane of its page, in half luxels.
 *
 *     chart_build.c    a chart of a mesh -> its triangles here, with the points of their edges
 *     chart_store.c    and back
 *     chart_mesh.c     changing triangles: splitting, flipping
 *     chart_rows.h     a triangle as rows of half luxels
 *     chart_scan.c     where the light of a triangle is furthest from the game's
 *     chart_refine.c   new vertices there, until it is near enough
 *     chart_thin.c     inner vertices that are not needed after all
 *     chart_measure.c  how near it is in the end
 *
 * Greedy insertion (Garland and Heckbert, Fast Polygonal Approximation of Terrains and Height Fields, 1995) into a
 * constrained Delaunay triangulation, then removal of what later insertions made needless. Borders stay as they are:
 * their points were decided with all who share them. Triangles of one plane, on which all that a vertex has is affine,
 * may exchange edges; the edges between such groups are folds, which are split but never flipped. */
#ifndef BSPI_CHART_H
#define BSPI_CHART_H

#include "baking/vertex_light/vertex_light.h"

typedef struct bspi_chart_vertex {
	double x, y;
	float light[3];
	uint16_t levels[3];
	bool stays;                        /* at the border or on a fold */
	uint32_t origin;                   /* vertex of the mesh, or NO_INDEX */
	uint32_t group;                    /* without one: affine over its triangle, or between two vertices of the mesh: */
	uint32_t parents[2];
	float share;                       /* of the second one; 0: by its group */
	uint32_t triangle;                 /* one that has it */
	uint32_t number;                   /* among the vertices that are stored */
} bspi_chart_vertex;

/* Edge k is opposite of vertex k. */
typedef struct bspi_chart_triangle {
	uint32_t v[3], n[3];               /* counter-clockwise; the triangle beyond each edge, NO_INDEX at the border */
	float worst;                       /* error, where 1 is what is allowed */
	double x, y;                       /* and where */
	uint32_t group;
	uint32_t version;                  /* counts its changes */
	bool folds[3];
	bool looked_at[3];                 /* along the edge, and found near enough */
	bool touched;                      /* is in the list of those to be looked at again */
	bool gone;
} bspi_chart_triangle;

/* Triangles that may exchange edges; what new vertices have is affine over one of the mesh's. */
typedef struct bspi_chart_group {
	uint32_t triangle;                 /* of the mesh */
	double corners[3][2], area;        /* twice */
} bspi_chart_group;

typedef struct bspi_chart_wish {
	float worst;
	uint32_t triangle, version;
} bspi_chart_wish;

/* Three groups of four numbers, each a channel and the last 0: the game's light; how many errors one more is; and one
 * less, with a minus. */
#define BSPI_GAME_WIDTH 12u

/* Where light is off by more than this, what is near does not count. */
#define BSPI_CHART_URGENT 2.0f
/* The fourth number of a half luxel's levels, where no vertex could be. */
enum { BSPI_NOT_URGENT = 1, BSPI_GIVEN_UP };

/* Used for one chart after the other. */
typedef struct bspi_chart {
	bspi_task *task;                   /* whose arena has the arrays */
	const bspi_light_mesh *mesh;
	const bspi_light_chart *light;
	const bspi_light_source *source;
	bspi_chart_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	bspi_chart_triangle *triangles; uint32_t triangle_count, triangle_capacity;
	bspi_chart_group *groups; uint32_t group_count, group_capacity;
	uint32_t first_inner;              /* vertices from here on were inserted */
	bool has_flipped;                  /* some edge that the mesh has */
	bool has_inside;                   /* that is looked at: */
	/* Half luxels from first on, row after row. */
	uint16_t *levels;                  /* BSPI_GRID_WIDTH each */
	float *game;                       /* BSPI_GAME_WIDTH each: what `levels` stand for */
	size_t capacity;
	int32_t first[2]; uint32_t size[2];
	uint32_t *locals, local_capacity;  /* of a run of the mesh's vertices, in vertices */
	uint32_t *stack, stack_count, stack_capacity;
	uint32_t *touched, touched_count, touched_capacity;
	bspi_chart_wish *wishes; uint32_t wish_count, wish_capacity;
	int64_t looks_left;                /* half luxels that may still be looked at */
	uint64_t most_inner;               /* vertices inside: with more, this chart alone has too many triangles */
} bspi_chart;

/* Room for one more element in an array that grows. */
bool bspi_chart_grow(bspi_chart *chart, void *array, uint32_t count, uint32_t *capacity, size_t size);

/* chart_build.c; like all of these, false when memory is out */
bool bspi_chart_build(bspi_chart *chart);
/* chart_store.c: the triangles as they are now. */
bool bspi_chart_store(bspi_chart *chart, bspi_divided_chart *out);

/* chart_mesh.c */
/* Twice. */
static inline double bspi_chart_area(const bspi_chart *chart, uint32_t a, uint32_t b, uint32_t c)
{
	const bspi_chart_vertex *v = chart->vertices;
	return (v[b].x - v[a].x) * (v[c].y - v[a].y) - (v[c].x - v[a].x) * (v[b].y - v[a].y);
}
bool bspi_chart_add_vertex(bspi_chart *chart, double x, double y, uint32_t *out);
/* Puts a point of the border, opposite of vertex k. The triangle keeps the first part of the edge, and *last has the
 * rest of it, opposite of its vertex 0. */
bool bspi_chart_split_border(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t vertex, uint32_t *last);
/* One triangle becomes three, or with its neighbor beyond edge k, two become four. */
bool bspi_chart_split_inside(bspi_chart *chart, uint32_t triangle, uint32_t vertex);
bool bspi_chart_split_edge(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t vertex);
/* Makes a triangle anew, and its neighbors know it. */
void bspi_chart_replace(bspi_chart *chart, uint32_t triangle, const uint32_t v[3], const uint32_t n[3],
                        const bool folds[3]);
/* Which edge of a triangle is beyond edge k of another: 3 if none. */
uint32_t bspi_chart_edge_back(const bspi_chart *chart, uint32_t triangle, uint32_t k);
/* Flips until the edges on the stack are Delaunay, and those that this changes: all of them, or only those opposite of
 * a new vertex, which is the first one of all triangles on the stack. */
bool bspi_chart_flip(bspi_chart *chart, bool whole);
bool bspi_chart_push(bspi_chart *chart, uint32_t triangle, uint32_t k);
bool bspi_chart_touch(bspi_chart *chart, uint32_t triangle);

/* chart_scan.c: step 2 looks at the middles of luxels alone, step 1 at half luxels and along inner edges. */
void bspi_chart_scan(bspi_chart *chart, bspi_chart_triangle *triangle, int32_t step);
/* Of three vertices, at half luxels: is any error above 1? */
bool bspi_chart_exceeds(bspi_chart *chart, const uint32_t v[3]);
/* Along the line between two vertices; where it is largest. */
float bspi_chart_scan_line(bspi_chart *chart, uint32_t a, uint32_t b, double *x, double *y);

/* The game's light at a place. */
void bspi_chart_levels_at(const bspi_chart *chart, double x, double y, uint16_t out[3]);
float bspi_chart_error(const bspi_chart *chart, const uint16_t levels[3], const float light[3]);

/* chart_refine.c, chart_thin.c */
bool bspi_chart_refine(bspi_chart *chart, int32_t step);
bool bspi_chart_thin(bspi_chart *chart);
/* True if the chart alone has more triangles than all charts may have, so that nothing of it is kept. */
static inline bool bspi_chart_is_over(const bspi_chart *chart)
{
	return chart->vertex_count - chart->first_inner > chart->most_inner;
}

/* chart_measure.c: adds how far the light between the vertices is from the game's, at half luxels and along edges. */
void bspi_chart_measure(bspi_chart *chart, bspi_light_measure *out);

#endif
