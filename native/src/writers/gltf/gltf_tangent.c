/* gltf_tangent.c - computes tangents for normal maps from the texture coordinates of triangles. Hosts would compute
 * different ones, and the validator warns if there are none. */
#include "writers/gltf/gltf.h"

#include <math.h>

#include "writers/light/place_uv.h"

/* Directions at a vertex in which u and v grow. They are sums over its triangles, weighted by area. They are doubles,
 * so that products of any floats are finite. */
typedef struct frame {
	double u[3], v[3];
} frame;

static void add_triangle(const bspscene_mesh *mesh, const bspscene_material *material, const uint32_t *corners,
                         frame *frames, uint32_t first_vertex)
{
	double edge[2][3], step[2][2];
	float uv[3][2];
	for (int c = 0; c < 3; c++) bspi_place_uv(material, mesh->uvs + 2 * (size_t)corners[c], uv[c]);
	for (int e = 0; e < 2; e++) {
		const float *from = mesh->positions + 3 * (size_t)corners[0];
		const float *to = mesh->positions + 3 * (size_t)corners[e + 1];
		for (int i = 0; i < 3; i++) edge[e][i] = (double)to[i] - (double)from[i];
		for (int i = 0; i < 2; i++) step[e][i] = (double)uv[e + 1][i] - (double)uv[0][i];
	}
	double mirrored = step[0][0] * step[1][1] < step[1][0] * step[0][1] ? -1 : 1;
	for (int c = 0; c < 3; c++) {
		frame *at = &frames[corners[c] - first_vertex];
		for (int i = 0; i < 3; i++) {
			at->u[i] += mirrored * (edge[0][i] * step[1][1] - edge[1][i] * step[0][1]);
			at->v[i] += mirrored * (edge[1][i] * step[0][0] - edge[0][i] * step[1][0]);
		}
	}
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool normalize(double v[3])
{
	double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
	if (!(largest > 0) || !isfinite(largest)) return false;
	for (int i = 0; i < 3; i++) v[i] /= largest;
	double length = sqrt(dot(v, v));
	for (int i = 0; i < 3; i++) v[i] /= length;
	return true;
}

static void make_perpendicular(const double normal[3], double v[3])
{
	double along = dot(normal, v);
	for (int i = 0; i < 3; i++) v[i] -= normal[i] * along;
}

/* Chooses any direction along the surface. It is used where the texture coordinates define no direction. */
static void choose(const double normal[3], double out[3])
{
	for (int i = 0; i < 3; i++) out[i] = 0;
	out[fabs(normal[0]) < 0.7 ? 0 : 1] = 1;
	make_perpendicular(normal, out);
	normalize(out);
}

/* Computes the tangent and its sign w: bitangent = cross(normal, tangent) * w. The bitangent points up in the picture,
 * but v grows downward. */
static void finish(const frame *sum, const double normal[3], float out[4])
{
	double tangent[3] = { sum->u[0], sum->u[1], sum->u[2] };
	if (normalize(tangent)) make_perpendicular(normal, tangent);
	if (!(dot(tangent, tangent) > 1e-12) || !normalize(tangent)) choose(normal, tangent);
	double across = 0;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		across += (normal[j] * tangent[k] - normal[k] * tangent[j]) * sum->v[i];
	}
	out[0] = (float)tangent[0];
	out[1] = (float)tangent[2];
	out[2] = (float)-tangent[1];
	out[3] = across > 0 ? -1 : 1;
}

static void read_normal(const bspscene_mesh *mesh, uint32_t vertex, bool flip, double out[3])
{
	const float *normal = mesh->normals + 3 * (size_t)vertex;
	for (int i = 0; i < 3; i++) out[i] = flip ? -(double)normal[i] : (double)normal[i];
	if (normalize(out)) return;
	out[0] = out[1] = 0;               /* without a direction, the normal is straight up, as in y_up.h */
	out[2] = 1;
}

bool bspi_gltf_make_tangents(bspi_gltf *gltf, bspi_gltf_source *source)
{
	const bspscene_mesh *mesh = gltf->scene->meshes[source->mesh];
	const bspscene_section *section = mesh->sections[source->section];
	const bspscene_material *material = gltf->scene->materials[section->material];
	float *tangents = bspi_writer_push(gltf->writer, float, 4 * (size_t)section->vertex_count);
	BSPI_TRY(tangents);
	uint64_t size = section->vertex_count * (uint64_t)sizeof(frame);
	BSPI_TRY(bspi_writer_take(gltf->writer, size));
	frame *frames = bspi_heap_take_zeroed(&gltf->writer->budget.heap, (size_t)size);
	if (!frames) {
		bspi_writer_give(gltf->writer, size);
		return bspi_writer_fail_memory(gltf->writer);
	}
	for (uint32_t i = 0; i < section->index_count; i += 3) {
		add_triangle(mesh, material, mesh->indices + section->first_index + i, frames, section->first_vertex);
	}
	for (uint32_t v = 0; v < section->vertex_count; v++) {
		double normal[3];
		read_normal(mesh, section->first_vertex + v, source->flip, normal);
		finish(&frames[v], normal, tangents + 4 * (size_t)v);
	}
	bspi_heap_give(&gltf->writer->budget.heap, frames);
	bspi_writer_give(gltf->writer, size);
	source->tangents = tangents;
	return true;
}
