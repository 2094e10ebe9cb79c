/* xmodel_strips.c - reads surfaces of Call of Duty's models, version 14: triangle strips, then vertices. If the surface
 * has no bone of its own, each vertex has a first bone. Further bones and weights follow all vertices. They change
 * nothing at rest, so they are skipped. */
#include "models/xmodel/xmodel.h"

enum { INDEX = 2, WEIGHT = 18, FIRST_WEIGHT = 4 };

typedef struct strip_vertex {
	float normal[3], uv[2];
} strip_vertex;

static const bspi_field vertex_rows[] = { FIELD(strip_vertex, normal, 0, F32), FIELD(strip_vertex, uv, 12, F32) };
const bspi_layout bspi_xmodel_strip_vertex = LAYOUT("xmodel vertices of strips", strip_vertex, vertex_rows, 20);

typedef struct surface_head {
	uint32_t vertices, triangles, strips, bone, weights;
} surface_head;

static bool read_head(bspi_cursor *at, surface_head *out)
{
	bspi_take(at, 1);                  /* texture wrapping */
	out->vertices = bspi_take_u16(at);
	out->triangles = bspi_take_u16(at);
	out->strips = bspi_take_u16(at);
	out->bone = bspi_take_u16(at);
	out->weights = out->bone == BSPI_XMODEL_BONES ? bspi_take_u16(at) : 0;
	if (out->bone == BSPI_XMODEL_BONES) bspi_take(at, 2); /* number of vertices that have only one bone */
	return !at->failed;
}

static uint32_t index_at(const uint8_t *indices, uint32_t i) { return bspi_load_u16(indices + (size_t)INDEX * i); }

/* Adds the triangles of a strip. Every other triangle is reversed. Triangles without area only connect strips, and are
 * skipped. */
static bool add_strip(bspi_model_reader *reader, const uint8_t *indices, uint32_t count)
{
	for (uint32_t i = 2; i < count; i++) {
		uint32_t a = index_at(indices, i - 2), b = index_at(indices, i - 1), c = index_at(indices, i);
		if (a == b || b == c || a == c) continue;
		BSPI_TRY(bspi_add_triangle(reader, i % 2 ? b : a, i % 2 ? a : b, c));
	}
	return true;
}

/* Adds the strips. They are stored before the vertices to which they refer. So they are added after the vertices were
 * read, from the earlier position `at`. */
static bool add_strips(bspi_model_reader *reader, bspi_cursor at, uint32_t strips)
{
	for (uint32_t i = 0; i < strips; i++) {
		uint32_t count = bspi_take_u8(&at);
		BSPI_TRY(add_strip(reader, bspi_take(&at, (size_t)INDEX * count), count));
	}
	return true;
}

static bool read_vertex(bspi_model_reader *reader, bspi_cursor *at, const bspi_xmodel_bones *bones, uint32_t bone)
{
	strip_vertex read = { .uv = { 0 } };
	float place[3];
	uint32_t weights = 0;
	const uint8_t *bytes = bspi_take(at, bspi_xmodel_strip_vertex.file_size);
	if (bytes) bspi_layout_decode(&bspi_xmodel_strip_vertex, bytes, 1, &read);
	if (bone == BSPI_XMODEL_BONES) {
		weights = bspi_take_u16(at);
		bone = bspi_take_u16(at);
	}
	for (int i = 0; i < 3; i++) place[i] = bspi_take_f32(at);
	if (weights) bspi_take(at, FIRST_WEIGHT);
	if (at->failed) return bspi_refuse_model(reader, "its surfaces file ends inside the vertices of a surface");
	return bspi_add_xmodel_vertex(reader, bones, bone, place, read.normal, read.uv);
}

bool bspi_read_xmodel_strips(bspi_model_reader *reader, bspi_cursor *at, const bspi_xmodel_bones *bones)
{
	surface_head head;
	if (!read_head(at, &head))
		return bspi_refuse_model(reader, "its surfaces file ends inside the header of a surface");
	bspi_cursor strips = *at;
	for (uint32_t i = 0; i < head.strips; i++) bspi_take(at, (size_t)INDEX * bspi_take_u8(at));
	if (at->failed) return bspi_refuse_model(reader, "its surfaces file ends inside the strips of a surface");
	for (uint32_t i = 0; i < head.vertices; i++) BSPI_TRY(read_vertex(reader, at, bones, head.bone));
	bspi_take(at, (size_t)WEIGHT * head.weights);
	if (at->failed) return bspi_refuse_model(reader, "its surfaces file ends inside the weights of a surface");
	return add_strips(reader, strips, head.strips);
}
