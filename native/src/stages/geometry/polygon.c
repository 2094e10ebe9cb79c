/* polygon.c - makes triangles of convex polygons, whose corners are surfedges. The texinfo of the face gives the uvs.
 * All corners have the normal of the face's plane, except those for which the map stores a smoothed normal.
 * polygon_cut.c chooses the triangles. */
#include "stages/geometry/geometry.h"

#include <bspscene/material.h>

#include "base/vec.h"

/* Width and height that engines assume for a texture of unknown size. */
#define UNKNOWN_SIZE 64
/* Largest texture coordinate in texels; a larger float has no fraction. */
#define LARGEST_UV 16777216.0

/* ---- Corners ---- */

bspi_texel_place bspi_find_texels(const bspi_build *build, const bspi_face *face)
{
	const bspscene_material *material = build->scene->materials[bspi_face_material(build, face)];
	bspi_texel_place out = {
		.size = {
			material->width ? material->width : UNKNOWN_SIZE, material->height ? material->height : UNKNOWN_SIZE,
		},
	};
	bspi_widen_vectors((const float (*)[4])build->map->texinfos[face->texinfo].texture_vectors, out.vectors);
	return out;
}

void bspi_texinfo_uv(const bspi_texel_place *texels, const float p[3], float uv[2])
{
	for (int i = 0; i < 2; i++) {
		double value = bspi_project_texel(texels->vectors[i], p) / texels->size[i];
		uv[i] = fabs(value) <= LARGEST_UV ? (float)value : 0;
	}
}

static void face_normal(const bspi_map *map, const bspi_face *face, float out[3])
{
	const bspi_plane *plane = &map->planes[face->plane];
	for (int i = 0; i < 3; i++) out[i] = face->side ? -plane->normal[i] : plane->normal[i];
}

/* Returns the smoothed normal of corner `k` of a face. Returns NULL if the corner has the normal of the plane. */
static const float *smooth_normal(const bspi_map *map, const bspi_face *face, int32_t k)
{
	const float *normal = NULL;
	if (map->corner_normals_count && face->first_normal >= 0) {
		normal = map->normals[map->corner_normals[face->first_normal + k].value].normal;
	}
	else if (face->smooth) normal = map->vertex_normals[bspi_surfedge_vertex(map, face->first_edge + k)].normal;
	return normal && bspi_dot(normal, normal) > 0 ? normal : NULL;
}

static uint64_t count_primitive_indices(const bspi_primitive *primitive)
{
	uint64_t count = (uint32_t)primitive->index_count;
	return primitive->strip ? 3 * (count - 2) : count;
}

static bspi_shape_size measure_polygon(const bspi_build *build, const bspi_face *face)
{
	uint64_t count = (uint32_t)face->edge_count;
	if (!face->primitive_count) return (bspi_shape_size){ count, 3 * (count - 2) };
	bspi_shape_size size = { count, 0 };
	for (int32_t i = 0; i < face->primitive_count; i++) {
		const bspi_primitive *primitive = &build->map->primitives[face->first_primitive + i];
		size.vertices += (uint32_t)primitive->vertex_count;
		size.indices += count_primitive_indices(primitive);
	}
	/* room for the polygon's own triangles, if they replace the stored ones */
	if (size.indices < 3 * (count - 2)) size.indices = 3 * (count - 2);
	return size;
}

/* ---- Triangles ---- */

static void write_corner(bspi_mesh_writer *writer, const bspi_texel_place *texels, const float position[3],
                         bspi_corner *corner)
{
	bspi_copy3(corner->position, position);
	bspi_texinfo_uv(texels, position, corner->uv);
	bspi_write_corner(writer, corner);
}

/* Writes the triangles of a stored primitive. The stored index `base` becomes the vertex `first_corner` of the
 * surface. In a strip, every second triangle gets the reverse winding, and triangles without area are counted too
 * (bsplib.cpp). */
static void write_primitive(bspi_mesh_writer *writer, const bspi_primitive *primitive, uint32_t base,
                            uint32_t first_corner)
{
	const bspi_index *indices = &writer->build->map->primitive_indices[primitive->first_index];
	uint32_t step = primitive->strip ? 1 : 3, count = (uint32_t)primitive->index_count;
	for (uint32_t i = 0; i + 2 < count; i += step) {
		uint32_t corners[3];
		for (uint32_t k = 0; k < 3; k++) corners[k] = indices[i + k].value - base + first_corner;
		bool turned = primitive->strip && i % 2;
		bspi_write_triangle(writer, corners[turned], corners[!turned], corners[2]);
	}
}

/* Writes the stored triangles of a face. A list of triangles uses the corners of the face. A strip has vertices of
 * its own; the map's compiler stores strips for water surfaces, which it divided for waves. */
static void write_primitives(bspi_mesh_writer *writer, const bspi_face *face, const bspi_texel_place *texels)
{
	const bspi_map *map = writer->build->map;
	bspi_corner corner = { .colors = { { 255, 255, 255, 255 } } };
	uint32_t written = (uint32_t)face->edge_count;
	face_normal(map, face, corner.normal);
	for (int32_t i = 0; i < face->primitive_count; i++) {
		const bspi_primitive *primitive = &map->primitives[face->first_primitive + i];
		if (!primitive->vertex_count) {
			write_primitive(writer, primitive, 0, 0);
			continue;
		}
		for (int32_t k = 0; k < primitive->vertex_count; k++) {
			write_corner(writer, texels, map->primitive_vertices[primitive->first_vertex + k].position, &corner);
		}
		write_primitive(writer, primitive, (uint32_t)primitive->first_vertex, written);
		written += (uint32_t)primitive->vertex_count;
	}
}

/* True if the stored triangles can be used. Some face backward or have no area, because of the compiler's repair of
 * T-junctions. Then the polygon is divided into triangles again. */
static bool primitives_are_sound(const bspi_map *map, const bspi_face *face, const float *const *corners,
                                 const double front[3])
{
	for (int32_t i = 0; i < face->primitive_count; i++) {
		const bspi_primitive *primitive = &map->primitives[face->first_primitive + i];
		const bspi_index *indices = &map->primitive_indices[primitive->first_index];
		if (primitive->vertex_count || primitive->strip) return true;
		for (int32_t k = 0; k + 2 < primitive->index_count; k += 3) {
			const bspi_index *t = indices + k;
			if (!bspi_looks_along(front, corners[t[0].value], corners[t[1].value], corners[t[2].value])) return false;
		}
	}
	return true;
}

/* Reverses the triangles of a polygon if, because of rounding errors, they face away from the plane's normal. */
static void turn_to_front(bspi_mesh_writer *writer, const double front[3], const float normal[3])
{
	/* Corners are stored clockwise. So the normal that was computed from them points backward if the polygon is
	 * correct. */
	if (front[0] * (double)normal[0] + front[1] * (double)normal[1] + front[2] * (double)normal[2] <= 0) return;
	for (uint32_t i = writer->first_index; i < writer->index_count; i += 3) {
		uint32_t *triangle = writer->indices + i, second = triangle[1];
		triangle[1] = triangle[2];
		triangle[2] = second;
	}
}

static void write_polygon(bspi_mesh_writer *writer, const bspi_face *face)
{
	const bspi_map *map = writer->build->map;
	uint32_t count = (uint32_t)face->edge_count;
	bspi_corner corner = { .colors = { { 255, 255, 255, 255 } } };
	const float *corners[BSPI_LARGEST_CUT];
	const bspi_texel_place texels = bspi_find_texels(writer->build, face);
	bspi_polygon_fan fan;
	float flat[3];
	face_normal(map, face, flat);
	for (uint32_t i = 0; i < count; i++) {
		const float *smooth = smooth_normal(map, face, (int32_t)i);
		bspi_copy3(corner.normal, smooth ? smooth : flat);
		const float *position = bspi_surfedge_position(map, face->first_edge + (int32_t)i);
		if (i < BSPI_LARGEST_CUT) corners[i] = position;
		write_corner(writer, &texels, position, &corner);
	}
	bool large = count > BSPI_LARGEST_CUT;
	if (!large) bspi_polygon_front(corners, count, &fan);
	bool stored = face->primitive_count && (large || primitives_are_sound(map, face, corners, fan.front));
	if (stored) write_primitives(writer, face, &texels);
	else bspi_cut_polygon(writer, corners, count, &fan);
	if (!large) turn_to_front(writer, fan.front, flat);
}

const bspi_shape bspi_polygon_shape = { measure_polygon, write_polygon };
