/* mesh_writer.c - writes vertices and triangles into the arrays of a mesh. Reverses the winding of triangles, and
 * computes missing normals. */
#include "stages/geometry/geometry.h"

#include "base/vec.h"

/* A stored normal is scaled to length 1 only if its squared length differs from 1 by more than this. */
#define UNIT_SLACK 1e-5f

void bspi_begin_surface(bspi_mesh_writer *writer, const bspi_surface *surface)
{
	writer->surface = surface;
	if (writer->lightmap_uvs) writer->place = bspi_find_page_place(writer->build, surface);
	writer->first_vertex = writer->vertex_count;
	writer->first_index = writer->index_count;
	writer->normals_missing = false;
	writer->tags = 0;
}

void bspi_write_corner(bspi_mesh_writer *writer, const bspi_corner *corner)
{
	size_t i = writer->vertex_count++;
	float *normal = writer->normals + 3 * i;
	bspi_copy3(writer->positions + 3 * i, corner->position);
	memcpy(writer->uvs + 2 * i, corner->uv, sizeof corner->uv);
	bspi_copy3(normal, corner->normal);
	if (!(fabsf(bspi_dot(normal, normal) - 1) <= UNIT_SLACK) && !bspi_normalize(normal)) {
		memset(normal, 0, 3 * sizeof *normal);
		writer->normals_missing = true;
	}
	if (writer->lightmap_uvs) {
		bspi_page_uv(&writer->place, corner->position, corner->lightmap, writer->lightmap_uvs + 2 * i);
	}
	if (writer->page_uvs) memcpy(writer->page_uvs + 2 * i, corner->lightmap, sizeof corner->lightmap);
	if (writer->blend_alphas) writer->blend_alphas[i] = corner->blend_alpha;
	if (writer->blend_weights) {
		memcpy(writer->blend_weights + 4 * i, corner->blend_weights, sizeof corner->blend_weights);
	}
	if (writer->colors) memcpy(writer->colors + 4 * i, corner->colors[0], 4);
	if (writer->vertex_records) writer->vertex_records[i] = corner->source;
	for (int slot = 1; slot < BSPI_MAX_STYLES; slot++) {
		if (writer->slot_colors[slot]) memcpy(writer->slot_colors[slot] + 4 * i, corner->colors[slot], 4);
	}
}

void bspi_write_triangle(bspi_mesh_writer *writer, uint32_t a, uint32_t b, uint32_t c)
{
	if (a == b || b == c || c == a) return;
	uint32_t *out = writer->indices + writer->index_count;
	if (writer->triangle_tags) writer->triangle_tags[writer->index_count / 3] = writer->tags;
	out[0] = writer->first_vertex + a;
	out[1] = writer->first_vertex + c;
	out[2] = writer->first_vertex + b;
	writer->index_count += 3;
}

/* Adds the normal of a triangle, with a length of twice its area, to the sums of its three corners. */
static void add_triangle_normal(bspi_mesh_writer *writer, const uint32_t *triangle)
{
	const float *at = writer->positions + 3 * (size_t)triangle[0];
	float u[3], v[3], normal[3];
	bspi_sub(u, writer->positions + 3 * (size_t)triangle[1], at);
	bspi_sub(v, writer->positions + 3 * (size_t)triangle[2], at);
	bspi_cross(normal, u, v);
	for (int corner = 0; corner < 3; corner++) {
		float *sum = writer->normal_sums + 3 * (size_t)(triangle[corner] - writer->first_vertex);
		for (int i = 0; i < 3; i++) sum[i] += normal[i];
	}
}

static bool make_normal_sums(bspi_mesh_writer *writer, size_t count)
{
	if (count > writer->normal_room) {
		writer->normal_room = 2 * count;
		writer->normal_sums = bspi_arena_alloc_unset(writer->arena, writer->normal_room, 3 * sizeof(float));
		if (!writer->normal_sums) return false;
	}
	memset(writer->normal_sums, 0, 3 * count * sizeof(float));
	return true;
}

/* Gives each vertex without a normal the mean of the normals of its triangles. A vertex without triangles gets
 * +Z. */
static bool mend_normals(bspi_mesh_writer *writer)
{
	static const float up[3] = { 0, 0, 1 };
	size_t count = writer->vertex_count - writer->first_vertex;
	BSPI_TRY(make_normal_sums(writer, count));
	for (uint32_t i = writer->first_index; i < writer->index_count; i += 3) {
		add_triangle_normal(writer, writer->indices + i);
	}
	for (size_t i = 0; i < count; i++) {
		float *normal = writer->normals + 3 * (writer->first_vertex + i), *sum = writer->normal_sums + 3 * i;
		if (bspi_dot(normal, normal) > 0) continue;
		bspi_copy3(normal, bspi_normalize(sum) ? sum : up);
	}
	return true;
}

bool bspi_end_surface(bspi_mesh_writer *writer)
{
	if (writer->index_count == writer->first_index) {
		writer->vertex_count = writer->first_vertex;
		return true;
	}
	return !writer->normals_missing || mend_normals(writer);
}
