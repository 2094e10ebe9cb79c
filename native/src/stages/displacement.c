/* displacement.c - displacements to triangles: the face's quad cut into cells, every vertex moved by what the file says,
 * diagonals in a diamond pattern (source.md 6). Texture coordinates are those of the flat quad, luxels follow the grid. */
#include "stages/geometry.h"

#include "base/vec.h"

enum { LARGEST_SIDE = 17, LARGEST_COUNT = LARGEST_SIDE * LARGEST_SIDE };

/* A displacement on its way; vertex [i * side + j] is row i from corner 0 to 1, column j from corner 0 to 3. */
typedef struct grid {
	uint32_t side;                     /* vertices */
	const float *corners[4];
	float positions[LARGEST_COUNT][3];
} grid;

static float distance_squared(const float a[3], const float b[3])
{
	float d[3];
	bspi_sub(d, a, b);
	return bspi_dot(d, d);
}

/* Row 0 begins at the corner nearest to the stated one. */
static void find_corners(const bspi_map *map, const bspi_face *face, const float start[3], const float *corners[4])
{
	const float *given[4];
	uint32_t first = 0;
	for (uint32_t i = 0; i < 4; i++) {
		given[i] = bspi_surfedge_position(map, face->first_edge + (int32_t)i);
		if (distance_squared(given[i], start) < distance_squared(given[first], start)) first = i;
	}
	for (uint32_t i = 0; i < 4; i++) corners[i] = given[(first + i) % 4];
}

static void flat_position(const grid *g, uint32_t row, uint32_t column, float out[3])
{
	float down = (float)row / (float)(g->side - 1), along = (float)column / (float)(g->side - 1);
	for (int k = 0; k < 3; k++) {
		float left = g->corners[0][k] + (g->corners[1][k] - g->corners[0][k]) * down;
		float right = g->corners[3][k] + (g->corners[2][k] - g->corners[3][k]) * down;
		out[k] = left + (right - left) * along;
	}
}

static void make_grid(const bspi_map *map, const bspi_face *face, grid *g)
{
	const bspi_dispinfo *info = &map->dispinfos[face->dispinfo];
	const bspi_disp_vertex *moves = &map->disp_vertices[info->first_vertex];
	g->side = (1u << info->power) + 1;
	find_corners(map, face, info->start, g->corners);
	for (uint32_t i = 0; i < g->side * g->side; i++) {
		flat_position(g, i / g->side, i % g->side, g->positions[i]);
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
}

static bspi_shape_size measure_displacement(const bspi_build *build, const bspi_face *face)
{
	uint64_t cells = 1u << build->map->dispinfos[face->dispinfo].power;
	return (bspi_shape_size){ (cells + 1) * (cells + 1), cells * cells * 6 };
}

static void write_vertices(bspi_mesh_writer *writer, const bspi_face *face, const grid *g)
{
	const bspi_map *map = writer->build->map;
	const bspi_disp_vertex *moves = &map->disp_vertices[map->dispinfos[face->dispinfo].first_vertex];
	for (uint32_t i = 0; i < g->side * g->side; i++) {
		bspi_corner corner = { .colors = { { 255, 255, 255, 255 } } };
		uint32_t row = i / g->side, column = i % g->side;
		float flat[3];
		flat_position(g, row, column, flat);
		bspi_texinfo_uv(writer->build, face, flat, corner.uv);
		corner.lightmap[0] = (float)(face->lightmap_width - 1) * (float)column / (float)(g->side - 1);
		corner.lightmap[1] = (float)(face->lightmap_height - 1) * (float)row / (float)(g->side - 1);
		/* Real maps have from -2112 to 256; NaN becomes 0. */
		corner.blend_alpha = fminf(fmaxf(moves[i].alpha / 255, 0), 1);
		bspi_copy3(corner.position, g->positions[i]);
		find_normal(g, row, column, corner.normal);
		bspi_write_corner(writer, &corner);
	}
}

static void write_displacement(bspi_mesh_writer *writer, const bspi_face *face)
{
	grid g;
	make_grid(writer->build->map, face, &g);
	write_vertices(writer, face, &g);
	for (uint32_t i = 0; i + 1 < g.side; i++) {
		for (uint32_t j = 0; j + 1 < g.side; j++) {
			uint32_t at = i * g.side + j, below = at + g.side;
			bool even = at % 2 == 0;
			bspi_write_triangle(writer, at, below, even ? below + 1 : at + 1);
			bspi_write_triangle(writer, even ? at : at + 1, even ? below + 1 : below, even ? at + 1 : below + 1);
		}
	}
}

const bspi_shape bspi_displacement_shape = { measure_displacement, write_displacement };
