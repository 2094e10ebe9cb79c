/* vertex_light.h - all light of a scene in the vertices of its meshes, which are divided where that takes more of them.
 *
 *     vertex_light.c   the pass: meshes one after the other, within a limit on triangles
 *     light_at.c       the light of a section at a point of it: pages, vertex colours, or nothing
 *     subdivide.c      which edges are split, round by round
 *     split_mesh.c     the triangles that are left -> a mesh with light
 *
 * Hosts interpolate linear light between vertices. Divided is where that differs from the game's light by more than
 * `error`, a difference of display values. Whether an edge is split depends on the edge's place and what lies along it
 * in any of the faces that meet there, so both sides are split alike and nothing opens. */
#ifndef BSPI_VERTEX_LIGHT_H
#define BSPI_VERTEX_LIGHT_H

#include "passes/passes.h"

/* ---- light_at.c: the light of sections -------------------------------------------------------------------- */

#define BSPI_CURVE_STEPS 4096

/* The sRGB curve both ways, as tables: it is asked for at some ten points of every edge. */
typedef struct bspi_curves {
	float linear[BSPI_CURVE_STEPS + 1], display[BSPI_CURVE_STEPS + 1];
} bspi_curves;

/* Where the light of a section is. */
typedef struct bspi_light_rule {
	const bspscene_scene *scene;
	const float *brightness;           /* of all styles; NULL: each is 1 */
	const bspi_curves *curves;
	uint32_t page;                     /* or NO_INDEX */
	bool colors, black;                /* in the vertices' colours; nowhere */
	bool stop_at_white;
	float page_intensity, color_intensity; /* factors of display values */
} bspi_light_rule;

void bspi_make_curves(bspi_curves *curves);
float bspi_curve_display(const bspi_curves *curves, float linear);
bspi_light_rule bspi_light_rule_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                   const bspscene_section *section, const float *brightness,
                                   const bspi_curves *curves);
/* The same light at every point. */
bool bspi_light_is_even(const bspi_light_rule *rule);
/* Linear light, 1 shows a texture as it is, at a place of the page where the mesh has a colour (0..1, display
 * space). */
void bspi_light_at(const bspi_light_rule *rule, const float uv[2], const float color[3], float out[3]);
/* The same as games multiply it with a texture, in display space; needs no curves. */
void bspi_displayed_light_at(const bspi_light_rule *rule, const float uv[2], const float color[3], float out[3]);
/* Length of a step across the page, in luxels. */
float bspi_luxels_between(const bspi_light_rule *rule, const float a[2], const float b[2]);

/* ---- subdivide.c ------------------------------------------------------------------------------------------ */

typedef struct bspi_lit_vertex {
	float position[3], uv[2], color[3]; /* uv of the page, colour of the mesh (0..1) */
	float light[3];
	uint32_t parents[2];               /* it is between these; both NO_INDEX: one of the mesh's own */
	uint32_t place;                    /* equal for all vertices of one position */
	uint32_t after;                    /* vertex of the mesh behind which it is stored */
} bspi_lit_vertex;

typedef struct bspi_lit_triangle {
	uint32_t corners[3];
	uint32_t origin;                   /* triangle of the mesh that it is a part of */
	bool settled;                      /* nothing more to ask of it but whether its neighbours split an edge */
} bspi_lit_triangle;

/* A mesh while it is divided; the mesh's own vertices come first and in order. */
typedef struct bspi_division {
	bspi_lit_vertex *vertices; uint32_t vertex_count, vertex_capacity;
	bspi_lit_triangle *triangles; uint32_t triangle_count;
	uint32_t place_count;
	const bspi_light_rule *rules;      /* per section */
	const uint32_t *sections;          /* per triangle of the mesh */
} bspi_division;

/* For progress: triangles that were looked at, as they count, and those of meshes whose turn has not come. */
typedef struct bspi_light_work {
	double done, waiting;
} bspi_light_work;

typedef enum bspi_division_result {
	BSPI_DIVIDED,
	BSPI_DIVISION_TOO_LARGE,           /* would be more than `most` triangles; the division is of no use any more */
	BSPI_DIVISION_FAILED               /* ctx->error is set */
} bspi_division_result;

/* The mesh as it is, with its light. */
bool bspi_begin_division(bspi_ctx *ctx, const bspscene_mesh *mesh, const bspi_light_rule *rules, bspi_division *out);
bspi_division_result bspi_divide(bspi_ctx *ctx, bspi_division *division, float error, uint32_t most,
                                 bspi_light_work *work);

/* ---- split_mesh.c ----------------------------------------------------------------------------------------- */

/* Puts the divided mesh, in the result arena, in the place of what `mesh` was, and brings its faces up to date. */
bool bspi_split_mesh(bspi_ctx *ctx, const bspi_division *division, bspscene_mesh *mesh, bspscene_face *faces);

#endif
