/* vbsp_disp_tables.c - records of Source's displacements (docs/formats/source.md, "Displacements"). Games differ in the
 * fields that come before the neighbors, and in the width of indices. */
#include "families/vbsp/vbsp_tables.h"

/* Fields of a displacement before its neighbors. (The mask of used vertices, after the neighbors, only matters for the
 * engine's levels of detail.) */
#define DISPINFO_ROWS \
	FIELD(bspi_dispinfo, start, 0, F32), \
	FIELD(bspi_dispinfo, first_vertex, 12, I32), \
	FIELD(bspi_dispinfo, first_triangle, 16, I32), \
	FIELD(bspi_dispinfo, power, 20, I32), \
	FIELD(bspi_dispinfo, flags, 24, U32)
#define NEIGHBOR_ROWS(n, at, file, size) \
	FIELD(bspi_dispinfo, neighbors[n].dispinfo, (at), file), \
	FIELD(bspi_dispinfo, neighbors[n].orientation, (at) + (size), U8), \
	FIELD(bspi_dispinfo, neighbors[n].span, (at) + (size) + 1, U8), \
	FIELD(bspi_dispinfo, neighbors[n].their_span, (at) + (size) + 2, U8), \
	SKIP("padding", (at) + (size) + 3, 1)
#define CORNER_ROWS(n, at, file, size, padding) \
	FIELD(bspi_dispinfo, corners[n].dispinfos, (at), file), \
	FIELD(bspi_dispinfo, corners[n].count, (at) + 4 * (size), U8), \
	SKIP("padding", (at) + 4 * (size) + 1, (padding))

/* Neighbors of a displacement with 16-bit indices, and the mask of its used vertices. */
#define AROUND_ROWS(at) \
	NEIGHBOR_ROWS(0, (at) + 0, U16, 2), NEIGHBOR_ROWS(1, (at) + 6, U16, 2), NEIGHBOR_ROWS(2, (at) + 12, U16, 2), \
	NEIGHBOR_ROWS(3, (at) + 18, U16, 2), NEIGHBOR_ROWS(4, (at) + 24, U16, 2), NEIGHBOR_ROWS(5, (at) + 30, U16, 2), \
	NEIGHBOR_ROWS(6, (at) + 36, U16, 2), NEIGHBOR_ROWS(7, (at) + 42, U16, 2), \
	CORNER_ROWS(0, (at) + 48, U16, 2, 1), CORNER_ROWS(1, (at) + 58, U16, 2, 1), CORNER_ROWS(2, (at) + 68, U16, 2, 1), \
	CORNER_ROWS(3, (at) + 78, U16, 2, 1), \
	SKIP("vertices in use", (at) + 88, 40)

static const bspi_field dispinfo_rows[] = {
	DISPINFO_ROWS,
	SKIP("smoothing angle, contents, face, luxels", 28, 20),
	AROUND_ROWS(48),
};
const bspi_layout bspi_vbsp_dispinfo = LAYOUT("dispinfo", bspi_dispinfo, dispinfo_rows, 176);

/* Displacements of the beta that was leaked in 2003. They have no triangle tags. */
static const bspi_field dispinfo2003_rows[] = {
	FIELD(bspi_dispinfo, start, 0, F32),
	FIELD(bspi_dispinfo, first_vertex, 12, I32),
	FIELD(bspi_dispinfo, power, 16, I32),
	FIELD(bspi_dispinfo, flags, 20, U32),
	SKIP("smoothing angle, contents, face, luxels", 24, 20),
	AROUND_ROWS(44),
};
const bspi_layout bspi_vbsp_dispinfo2003 = LAYOUT("dispinfo (2003)", bspi_dispinfo, dispinfo2003_rows, 172);

/* The same as AROUND_ROWS, but with 32-bit indices. */
#define WIDE_AROUND_ROWS \
	NEIGHBOR_ROWS(0, 48, I32, 4), NEIGHBOR_ROWS(1, 56, I32, 4), NEIGHBOR_ROWS(2, 64, I32, 4), \
	NEIGHBOR_ROWS(3, 72, I32, 4), NEIGHBOR_ROWS(4, 80, I32, 4), NEIGHBOR_ROWS(5, 88, I32, 4), \
	NEIGHBOR_ROWS(6, 96, I32, 4), NEIGHBOR_ROWS(7, 104, I32, 4), \
	CORNER_ROWS(0, 112, I32, 4, 3), CORNER_ROWS(1, 132, I32, 4, 3), CORNER_ROWS(2, 152, I32, 4, 3), \
	CORNER_ROWS(3, 172, I32, 4, 3), \
	SKIP("vertices in use", 192, 40)

static const bspi_field dispinfo25_rows[] = {
	DISPINFO_ROWS,
	SKIP("smoothing angle, contents, face, luxels", 28, 20),
	WIDE_AROUND_ROWS,
};
const bspi_layout bspi_vbsp_dispinfo25 = LAYOUT("dispinfo (25)", bspi_dispinfo, dispinfo25_rows, 232);

/* Vindictus is said to store a smoothing angle where other games store the flags. */
static const bspi_field vindictus_dispinfo_rows[] = {
	FIELD(bspi_dispinfo, start, 0, F32),
	FIELD(bspi_dispinfo, first_vertex, 12, I32),
	FIELD(bspi_dispinfo, first_triangle, 16, I32),
	FIELD(bspi_dispinfo, power, 20, I32),
	SKIP("smoothing angle, unknown, contents, face, luxels", 24, 24),
	WIDE_AROUND_ROWS,
};
const bspi_layout bspi_vbsp_dispinfo_vindictus =
	LAYOUT("dispinfo (Vindictus)", bspi_dispinfo, vindictus_dispinfo_rows, 232);

static const bspi_field dota22_dispinfo_rows[] = {
	DISPINFO_ROWS,
	SKIP("smoothing angle, contents, face, luxels, unknown", 28, 24),
	AROUND_ROWS(52),
};
const bspi_layout bspi_vbsp_dispinfo_dota22 = LAYOUT("dispinfo (Dota 2, 22)", bspi_dispinfo, dota22_dispinfo_rows, 180);

static const bspi_field dota23_dispinfo_rows[] = {
	DISPINFO_ROWS,
	SKIP("smoothing angle, contents, unknown, face, luxels, unknown", 28, 28),
	AROUND_ROWS(56),
};
const bspi_layout bspi_vbsp_dispinfo_dota23 = LAYOUT("dispinfo (Dota 2, 23)", bspi_dispinfo, dota23_dispinfo_rows, 184);

static const bspi_field disp_vertex_rows[] = {
	FIELD(bspi_disp_vertex, direction, 0, F32),
	FIELD(bspi_disp_vertex, distance, 12, F32),
	FIELD(bspi_disp_vertex, alpha, 16, F32),
};
const bspi_layout bspi_vbsp_disp_vertex = LAYOUT("displacement vertex", bspi_disp_vertex, disp_vertex_rows, 20);

static const bspi_field disp_triangle_rows[] = { FIELD(bspi_disp_triangle, tags, 0, U16) };
const bspi_layout bspi_vbsp_disp_triangle = LAYOUT("displacement triangle", bspi_disp_triangle, disp_triangle_rows, 2);

/* The other fields belong to the MultiBlend shader of Alien Swarm, which no game uses. */
static const bspi_field disp_blend_rows[] = {
	FIELD(bspi_disp_blend, weights, 0, F32),
	SKIP("alphas and colors", 16, 64),
};
const bspi_layout bspi_vbsp_disp_blend = LAYOUT("displacement blend", bspi_disp_blend, disp_blend_rows, 80);
