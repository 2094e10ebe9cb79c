/* polygon.c - convex polygons of surfedges to triangles, uvs from the texinfo, normals from the plane, or the corners'
 * own where the map smooths them. Compilers leave vertices in the middle of straight sides, where neighbours meet
 * (T-junctions): all of them are kept, for without them pixels would flicker through, and none becomes a triangle
 * without area if there is another way. */
#include "stages/geometry/geometry.h"

#include "base/vec.h"

/* A corner nearer than this to the line between its neighbours is no corner, game units. */
#define STRAIGHT 0.02
/* Games stop at 64 (MAXEDGES, Quake's qbsp); what has more than this is cut as a plain fan, in linear time. */
#define LARGEST_POLYGON 256
/* Size of a texture that nobody knows, as the engines assume. */
#define UNKNOWN_SIZE 64
/* Beyond this a texture coordinate has no fraction left. */
#define LARGEST_UV 16777216.0

static uint32_t surfedge_vertex(const bspi_map *map, int32_t index)
{
	int32_t edge = map->surfedges[index].value;
	return edge >= 0 ? map->edges[edge].vertices[0] : map->edges[-edge].vertices[1];
}

const float *bspi_surfedge_position(const bspi_map *map, int32_t index)
{
	return map->vertices[surfedge_vertex(map, index)].position;
}

/* ---- Corners ---- */

void bspi_texinfo_uv(const bspi_build *build, const bspi_face *face, const float p[3], float uv[2])
{
	const bspi_texinfo *texinfo = &build->map->texinfos[face->texinfo];
	const bspscene_material *material = &build->scene->materials[build->map->textures[face->texture].material];
	uint32_t size[2] = { material->width, material->height };
	for (int i = 0; i < 2; i++) {
		const float *v = texinfo->texture_vectors[i];
		double texel = (double)p[0] * (double)v[0] + (double)p[1] * (double)v[1] + (double)p[2] * (double)v[2] +
		               (double)v[3];
		double value = texel / (size[i] ? size[i] : UNKNOWN_SIZE);
		uv[i] = fabs(value) <= LARGEST_UV ? (float)value : 0;
	}
}

static void face_normal(const bspi_map *map, const bspi_face *face, float out[3])
{
	const bspi_plane *plane = &map->planes[face->plane];
	for (int i = 0; i < 3; i++) out[i] = face->side ? -plane->normal[i] : plane->normal[i];
}

/* The normal of a smoothed face at its corner `k`, or NULL: the face's own. */
static const float *smooth_normal(const bspi_map *map, const bspi_face *face, int32_t k)
{
	const float *normal = NULL;
	if (map->corner_normals_count && face->first_normal >= 0) {
		normal = map->normals[map->corner_normals[face->first_normal + k].value].normal;
	}
	else if (face->smooth) normal = map->vertex_normals[surfedge_vertex(map, face->first_edge + k)].normal;
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
	return size;
}

/* ---- Triangles ---- */

static double distance_squared(const float *a, const float *b)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) sum += ((double)b[i] - (double)a[i]) * ((double)b[i] - (double)a[i]);
	return sum;
}

/* Twice the triangle's area, squared: also the square of a side times that of the height on it. */
static double area_squared(const float *a, const float *b, const float *c)
{
	double u[3], v[3], sum = 0;
	for (int i = 0; i < 3; i++) {
		u[i] = (double)b[i] - (double)a[i];
		v[i] = (double)c[i] - (double)a[i];
	}
	for (int i = 0; i < 3; i++) {
		double side = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
		sum += side * side;
	}
	return sum;
}

/* Is some corner as good as on the opposite side? */
static bool is_sliver(const float *a, const float *b, const float *c)
{
	double longest = fmax(distance_squared(a, b), fmax(distance_squared(b, c), distance_squared(c, a)));
	return area_squared(a, b, c) <= STRAIGHT * STRAIGHT * longest;
}

static bool fan_has_slivers(const float *const *corners, uint32_t count)
{
	for (uint32_t i = 1; i + 1 < count; i++) {
		if (is_sliver(corners[0], corners[i], corners[i + 1])) return true;
	}
	return false;
}

static void write_fan(bspi_mesh_writer *writer, uint32_t count)
{
	for (uint32_t i = 1; i + 1 < count; i++) bspi_write_triangle(writer, 0, i, i + 1);
}

/* The smallest ear with an area comes first: had we cut the only corner off a straight line, the rest would have no
 * area left, and its ear is never the smallest. Without any ear the rest is straight, and its order does not matter. */
static uint32_t choose_ear(const float *const *corners, const uint8_t *left, uint32_t count)
{
	uint32_t best = 1;
	double smallest = INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		const float *before = corners[left[(i + count - 1) % count]], *after = corners[left[(i + 1) % count]];
		double area = area_squared(before, corners[left[i]], after);
		if (area > STRAIGHT * STRAIGHT * distance_squared(before, after) && area < smallest) {
			smallest = area;
			best = i;
		}
	}
	return best;
}

static void write_ears(bspi_mesh_writer *writer, const float *const *corners, uint32_t count)
{
	uint8_t left[LARGEST_POLYGON];
	for (uint32_t i = 0; i < count; i++) left[i] = (uint8_t)i;
	for (; count > 3; count--) {
		uint32_t ear = choose_ear(corners, left, count);
		bspi_write_triangle(writer, left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]);
		memmove(left + ear, left + ear + 1, count - ear - 1);
	}
	bspi_write_triangle(writer, left[0], left[1], left[2]);
}

static void write_corner(bspi_mesh_writer *writer, const bspi_face *face, const float position[3], bspi_corner *corner)
{
	bspi_copy3(corner->position, position);
	bspi_texinfo_uv(writer->build, face, position, corner->uv);
	bspi_write_corner(writer, corner);
}

/* `first_corner` is the corner that index `base` stands for. Every other triangle of a strip is turned; its degenerate
 * ones count (bsplib.cpp). */
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

/* Lists cut the face's own corners so that no triangle is without area; strips, with vertices of their own, are water
 * that was divided for its waves. */
static void write_primitives(bspi_mesh_writer *writer, const bspi_face *face)
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
			write_corner(writer, face, map->primitive_vertices[primitive->first_vertex + k].position, &corner);
		}
		write_primitive(writer, primitive, (uint32_t)primitive->first_vertex, written);
		written += (uint32_t)primitive->vertex_count;
	}
}

static void write_polygon(bspi_mesh_writer *writer, const bspi_face *face)
{
	const bspi_map *map = writer->build->map;
	uint32_t count = (uint32_t)face->edge_count;
	bspi_corner corner = { .colors = { { 255, 255, 255, 255 } } };
	const float *corners[LARGEST_POLYGON];
	float flat[3];
	face_normal(map, face, flat);
	for (uint32_t i = 0; i < count; i++) {
		const float *smooth = smooth_normal(map, face, (int32_t)i);
		bspi_copy3(corner.normal, smooth ? smooth : flat);
		const float *position = bspi_surfedge_position(map, face->first_edge + (int32_t)i);
		if (i < LARGEST_POLYGON) corners[i] = position;
		write_corner(writer, face, position, &corner);
	}
	if (face->primitive_count) write_primitives(writer, face);
	else if (count > LARGEST_POLYGON || !fan_has_slivers(corners, count)) write_fan(writer, count);
	else write_ears(writer, corners, count);
}

const bspi_shape bspi_polygon_shape = { measure_polygon, write_polygon };
