/* shapes.c - lists the functions for each kind of face. Also has the functions for kinds whose triangles are stored in
 * the file (lists, projected lists and foliage). */
#include "stages/geometry/geometry.h"

#include <bspscene/material.h>
#include "stages/light/light.h"

uint32_t bspi_source_vertex_of(const bspi_build *build, uint32_t draw_vertex)
{
	const bspi_map *map = build->map;
	return map->vertex_color_count && draw_vertex < map->vertex_colors[0].count ? draw_vertex : BSPSCENE_NO_INDEX;
}

void bspi_draw_corner(const bspi_build *build, uint32_t draw_vertex, bspi_corner *out)
{
	const bspi_map *map = build->map;
	const bspi_draw_vertex *vertex = &map->draw_vertices[draw_vertex];
	const float *lightmap = bspi_lead_uv(build, draw_vertex);
	*out = (bspi_corner){
		.lightmap = { lightmap[0], lightmap[1] },
		.source = bspi_source_vertex_of(build, draw_vertex),
	};
	memcpy(out->position, vertex->position, sizeof out->position);
	memcpy(out->normal, vertex->normal, sizeof out->normal);
	memcpy(out->uv, vertex->uv, sizeof out->uv);
	bspi_encode_vertex_light(build, vertex->color, out->colors[0]);
	if (draw_vertex < map->draw_vertex_styles_count) {
		for (int i = 1; i < BSPI_MAX_STYLES; i++) {
			bspi_encode_vertex_light(build, map->draw_vertex_styles[draw_vertex].color[i - 1], out->colors[i]);
		}
	}
}

/* Writes stored triangles. An index 0 refers to the vertex `first_corner` of the surface. */
static void write_indexed(bspi_mesh_writer *writer, const bspi_face *face, uint32_t first_corner)
{
	const bspi_index *indices = writer->build->map->draw_indices + face->first_index;
	for (int32_t i = 0; i + 2 < face->index_count; i += 3) {
		bspi_write_triangle(writer, first_corner + indices[i].value, first_corner + indices[i + 1].value,
		                    first_corner + indices[i + 2].value);
	}
}

static bspi_shape_size measure_triangles(const bspi_build *build, const bspi_face *face)
{
	(void)build;
	return (bspi_shape_size){ (uint32_t)face->vertex_count, (uint32_t)face->index_count };
}

static void write_triangles(bspi_mesh_writer *writer, const bspi_face *face)
{
	for (int32_t i = 0; i < face->vertex_count; i++) {
		bspi_corner corner;
		bspi_draw_corner(writer->build, (uint32_t)(face->first_vertex + i), &corner);
		bspi_write_corner(writer, &corner);
	}
	write_indexed(writer, face, 0);
}

static void write_projected(bspi_mesh_writer *writer, const bspi_face *face)
{
	const bspi_texel_place texels = bspi_find_texels(writer->build, face);
	for (int32_t i = 0; i < face->vertex_count; i++) {
		bspi_corner corner;
		bspi_draw_corner(writer->build, (uint32_t)(face->first_vertex + i), &corner);
		bspi_texinfo_uv(&texels, corner.position, corner.uv);
		bspi_write_corner(writer, &corner);
	}
	write_indexed(writer, face, 0);
}

static bspi_shape_size measure_foliage(const bspi_build *build, const bspi_face *face)
{
	(void)build;
	uint64_t instances = (uint32_t)face->patch_width;
	return (bspi_shape_size){ instances * (uint32_t)face->patch_height, instances * (uint32_t)face->index_count };
}

/* Writes the plants of a foliage face. Its first patch_height vertices are the mesh of a plant. Its next patch_width
 * vertices are the places of the plants. A plant has the color of its place and is never rotated (Enemy Territory:
 * ParseFoliage, tr_bsp.c). */
static void write_foliage(bspi_mesh_writer *writer, const bspi_face *face)
{
	uint32_t vertex_count = (uint32_t)face->patch_height;
	for (int32_t i = 0; i < face->patch_width; i++) {
		bspi_corner place, corner;
		bspi_draw_corner(writer->build, (uint32_t)face->first_vertex + vertex_count + (uint32_t)i, &place);
		uint32_t first_corner = (uint32_t)i * vertex_count;
		for (uint32_t j = 0; j < vertex_count; j++) {
			bspi_draw_corner(writer->build, (uint32_t)face->first_vertex + j, &corner);
			for (int k = 0; k < 3; k++) corner.position[k] += place.position[k];
			memcpy(corner.colors, place.colors, sizeof corner.colors);
			corner.source = place.source;
			bspi_write_corner(writer, &corner);
		}
		write_indexed(writer, face, first_corner);
	}
}

static const bspi_shape triangles_shape = { measure_triangles, write_triangles };
static const bspi_shape projected_shape = { measure_triangles, write_projected };
static const bspi_shape foliage_shape = { measure_foliage, write_foliage };

const bspi_shape *bspi_find_shape(bspi_face_kind kind)
{
	static const bspi_shape *const shapes[] = {
		[BSPI_FACE_POLYGON] = &bspi_polygon_shape,
		[BSPI_FACE_TRIANGLES] = &triangles_shape,
		[BSPI_FACE_PATCH] = &bspi_patch_shape,
		[BSPI_FACE_FOLIAGE] = &foliage_shape,
		[BSPI_FACE_DISPLACEMENT] = &bspi_displacement_shape,
		[BSPI_FACE_PROJECTED] = &projected_shape,
		[BSPI_FACE_TERRAIN] = &triangles_shape,
	};
	return (size_t)kind < sizeof shapes / sizeof *shapes ? shapes[kind] : NULL;
}

const bspi_shape *bspi_surface_shape(const bspi_build *build, const bspi_surface *surface)
{
	if (surface->overlay != BSPSCENE_NO_INDEX) return &bspi_overlay_shape;
	return bspi_find_shape(build->map->faces[surface->face].kind);
}

bool bspi_is_drawn(const bspi_build *build, const bspi_face *face)
{
	if (!bspi_find_shape(face->kind)) return false;
	bspscene_surface_kind kind = build->scene->materials[bspi_face_material(build, face)]->surface_kind;
	return kind == BSPSCENE_SURFACE_VISIBLE || (build->ctx->options.include_mask & (uint32_t)kind);
}
