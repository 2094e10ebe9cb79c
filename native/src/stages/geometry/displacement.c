/* displacement.c - makes the triangles of displacements. The quad of the face is divided into cells, and a diagonal
 * divides each cell. The diagonals form a diamond pattern (docs/formats/source.md, "Displacements"). Texture
 * coordinates are those of the flat quad. Lightmap coordinates follow the rows and columns. displacement_grid.c
 * computes the positions and normals. */
#include "stages/geometry/geometry.h"
#include "stages/light/light.h"

#include <math.h>

#include <bspscene/material.h>

#include "base/vec.h"

static uint32_t side_of(const bspi_dispinfo *info)
{
	return (1u << info->power) + 1;
}

/* Returns the tags that the map's compiler stored for a triangle, as bits of bspscene_triangle_tag. */
static uint8_t tags_of(const bspi_build *build, const bspi_dispinfo *info, uint32_t triangle)
{
	if (info->first_triangle < 0) return 0;
	return (uint8_t)build->map->disp_triangles[(uint32_t)info->first_triangle + triangle].tags;
}

/* True if the map's author removed the triangle in the editor. If the caller asked for SURFACE_NODRAW, such triangles
 * are shown, so this is false. */
static bool is_removed(const bspi_build *build, const bspi_dispinfo *info, uint32_t triangle)
{
	if (build->ctx->options.include_mask & BSPSCENE_SURFACE_NODRAW) return false;
	return tags_of(build, info, triangle) & BSPSCENE_TRIANGLE_TAG_REMOVED;
}

/* Limits an alpha, which was already divided by 255, to 0..1. The alphas in real files are from -2112 to 256. NaN
 * becomes 0. */
static float share(float value)
{
	return fminf(fmaxf(value, 0), 1);
}

static void find_blend(const bspi_build *build, const bspi_face *face, uint32_t vertex, bspi_corner *corner)
{
	const bspi_map *map = build->map;
	const bspi_dispinfo *info = &map->dispinfos[face->dispinfo];
	const bspscene_material *material = build->scene->materials[bspi_face_material(build, face)];
	corner->blend_alpha = share(map->disp_vertices[(uint32_t)info->first_vertex + vertex].alpha / 255);
	if (info->first_blend < 0) return;
	const float *weights = map->disp_blends[(uint32_t)info->first_blend + vertex].weights;
	for (int i = 0; i < 4; i++) corner->blend_weights[i] = share(weights[i]);
	if (material->layer_count) corner->blend_alpha = corner->blend_weights[1];
}

bspi_corner bspi_disp_corner(const bspi_build *build, const bspi_face *face, uint32_t vertex)
{
	const bspi_dispinfo *info = &build->map->dispinfos[face->dispinfo];
	uint32_t side = side_of(info), row = vertex / side, column = vertex % side,
	         at = (uint32_t)info->first_vertex + vertex;
	bspi_corner corner = { .colors = { { 255, 255, 255, 255 } } };
	const bspi_face_light *lit = bspi_light_of(build, face);
	const float *corners[4];
	float flat[3];
	bspi_find_disp_corners(build->map, face, corners);
	bspi_flat_disp_position(corners, side, row, column, flat);
	const bspi_texel_place texels = bspi_find_texels(build, face);
	bspi_texinfo_uv(&texels, flat, corner.uv);
	corner.lightmap[0] = (float)(lit->width - 1) * (float)column / (float)(side - 1);
	corner.lightmap[1] = (float)(lit->height - 1) * (float)row / (float)(side - 1);
	find_blend(build, face, vertex, &corner);
	bspi_copy3(corner.position, build->disp_positions[at]);
	bspi_copy3(corner.normal, build->disp_normals[at]);
	return corner;
}

bool bspi_disp_triangle_corners(const bspi_build *build, const bspi_face *face, uint32_t triangle, uint32_t out[3])
{
	const bspi_dispinfo *info = &build->map->dispinfos[face->dispinfo];
	uint32_t side = side_of(info), cell = triangle / 2, at = cell / (side - 1) * side + cell % (side - 1),
	         below = at + side;
	bool even = at % 2 == 0, second = triangle % 2;
	out[0] = even || !second ? at : at + 1;
	out[1] = !second ? below : even ? below + 1 : below;
	out[2] = !second ? (even ? below + 1 : at + 1) : (even ? at + 1 : below + 1);
	return !is_removed(build, info, triangle);
}

uint32_t bspi_disp_triangle_count(const bspi_build *build, const bspi_face *face)
{
	return 2u << 2 * build->map->dispinfos[face->dispinfo].power;
}

bool bspi_disp_has_tags(const bspi_build *build, const bspi_face *face)
{
	const bspi_dispinfo *info = &build->map->dispinfos[face->dispinfo];
	for (uint32_t i = 0; i < bspi_disp_triangle_count(build, face); i++) {
		if (tags_of(build, info, i)) return true;
	}
	return false;
}

static bspi_shape_size measure_displacement(const bspi_build *build, const bspi_face *face)
{
	uint64_t side = side_of(&build->map->dispinfos[face->dispinfo]);
	return (bspi_shape_size){ side * side, 3 * (uint64_t)bspi_disp_triangle_count(build, face) };
}

static void write_displacement(bspi_mesh_writer *writer, const bspi_face *face)
{
	const bspi_build *build = writer->build;
	const bspi_dispinfo *info = &build->map->dispinfos[face->dispinfo];
	uint32_t side = side_of(info), triangles = bspi_disp_triangle_count(build, face);
	for (uint32_t i = 0; i < side * side; i++) {
		bspi_corner corner = bspi_disp_corner(build, face, i);
		bspi_write_corner(writer, &corner);
	}
	for (uint32_t i = 0; i < triangles; i++) {
		uint32_t corners[3];
		writer->tags = tags_of(build, info, i);
		if (bspi_disp_triangle_corners(build, face, i, corners)) {
			bspi_write_triangle(writer, corners[0], corners[1], corners[2]);
		}
	}
}

const bspi_shape bspi_displacement_shape = { measure_displacement, write_displacement };
