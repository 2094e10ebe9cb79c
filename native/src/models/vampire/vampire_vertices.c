/* vampire_vertices.c - reads the three kinds of vertices in Bloodlines' models. One kind is uncompressed and has bones.
 * The other two are compressed: positions are relative to the model's bounds, and a normal is an index in a table of
 * directions. The directions are arranged in rings around the Z axis. */
#include "models/vampire/vampire_mdl.h"

#include <math.h>

#include "base/vec.h"

enum { KIND_WHOLE, KIND_WORDS, KIND_BYTES };
/* Number of steps from -Z to +Z in the two tables of directions. The tables have 5314 and 202 directions. */
enum { WORD_STEPS = 64, BYTE_STEPS = 12, MOST_STEPS = WORD_STEPS };
/* Size in bytes of a direction (three floats) in the table of KIND_WORDS. In that kind, a normal is stored as the
 * byte offset of its direction in the table. */
enum { DIRECTION_SIZE = 12 };

typedef struct whole_vertex {
	uint8_t weights[3];
	int32_t bones[3];
	float position[3], normal[3], uv[2];
} whole_vertex;

typedef struct packed_vertex {
	uint32_t position[3], normal, uv[2];
} packed_vertex;

static const bspi_field whole_rows[] = {
	FIELD(whole_vertex, weights, 0, U8),    SKIP("unknown", 3, 1),
	FIELD(whole_vertex, bones, 4, I16),     SKIP("unknown", 10, 2),
	FIELD(whole_vertex, position, 12, F32), FIELD(whole_vertex, normal, 24, F32),
	FIELD(whole_vertex, uv, 36, F32),
};
static const bspi_field word_rows[] = {
	FIELD(packed_vertex, position, 0, U16),
	FIELD(packed_vertex, normal, 6, U16),
	FIELD(packed_vertex, uv, 8, U16),
};
static const bspi_field byte_rows[] = {
	FIELD(packed_vertex, position, 0, U8),
	FIELD(packed_vertex, normal, 3, U8),
	FIELD(packed_vertex, uv, 4, U16),
};
static const bspi_layout whole_layout = LAYOUT("vertices", whole_vertex, whole_rows, 44);
static const bspi_layout word_layout = LAYOUT("compressed vertices", packed_vertex, word_rows, 12);
static const bspi_layout byte_layout = LAYOUT("small vertices", packed_vertex, byte_rows, 8);
const bspi_layout *const bspi_vampire_vertex_layouts[] = { &whole_layout, &word_layout, &byte_layout, NULL };

/* The directions with the same Z. */
typedef struct ring {
	uint32_t first, count;
	double across, down; /* the directions' distance from the Z axis; their Z, negated */
} ring;

/* Computes the rings from -Z to +Z. The number of directions in a ring is a multiple of four, large enough that they
 * are not farther apart than the rings. The first and the last ring are the poles. */
static void measure_rings(uint32_t steps, ring *out)
{
	const double pi = 3.14159265358979323846;
	for (uint32_t i = 0, first = 0; i <= steps; i++) {
		bool pole = i == 0 || i == steps;
		out[i].across = pole ? 0 : sin(pi * i / steps);
		out[i].down = cos(pi * i / steps);
		out[i].first = first;
		out[i].count = pole ? 1 : 4 * (uint32_t)ceil(round(2 * steps * out[i].across) / 4);
		first += out[i].count;
	}
}

/* Computes the direction with this number. Directions are numbered ring by ring. A number that is too large leaves
 * `out` at 0, so that the normal is computed from the triangles later. */
static void find_direction(const ring *rings, uint32_t steps, uint32_t number, float out[3])
{
	const double turn = 2 * 3.14159265358979323846;
	uint32_t i = 0;
	while (i <= steps && number >= rings[i].first + rings[i].count) i++;
	if (i > steps) return;
	double phi = turn * (number - rings[i].first) / rings[i].count;
	out[0] = (float)(rings[i].across * cos(phi));
	out[1] = (float)(rings[i].across * sin(phi));
	out[2] = (float)-rings[i].down;
}

static void unpack_whole(const whole_vertex *from, bspi_source_vertex *out)
{
	float sum = 0;
	for (int i = 0; i < 3; i++) sum += (float)from->weights[i];
	out->bone_count = sum > 0 ? 3 : 1;
	for (int i = 0; i < 3; i++) {
		bool known = from->bones[i] >= 0 && from->bones[i] < (int32_t)BSPI_MODEL_MAX_BONES;
		out->bones[i] = known ? (uint8_t)from->bones[i] : 0;
		out->weights[i] = sum > 0 ? (float)from->weights[i] / sum : 0;
	}
	bspi_copy3(out->position, from->position);
	bspi_copy3(out->normal, from->normal);
	memcpy(out->uv, from->uv, sizeof out->uv);
}

/* Unpacks a compressed vertex. Its position is the model's bias plus a factor times the model's scale. In KIND_WORDS,
 * the factor is the stored number. In KIND_BYTES, it is the stored number divided by 255. */
static void unpack_packed(const bspi_source_model *model, const packed_vertex *from, const ring *rings,
                          bspi_source_vertex *out)
{
	bool bytes = model->kind == KIND_BYTES;
	uint32_t number = bytes ? from->normal : from->normal / DIRECTION_SIZE;
	out->bone_count = 1;
	for (int i = 0; i < 3; i++) {
		float part = (float)from->position[i] / (bytes ? 255.0f : 1);
		out->position[i] = model->bias[i] + part * model->scale[i];
	}
	find_direction(rings, bytes ? BYTE_STEPS : WORD_STEPS, number, out->normal);
	for (int i = 0; i < 2; i++) out->uv[i] = (float)from->uv[i] / 65535;
}

static bool take_packed(bspi_model_reader *reader, const bspi_source_model *model, int64_t at, bspi_source_vertex *out)
{
	bool bytes = model->kind == KIND_BYTES;
	ring rings[MOST_STEPS + 1];
	const packed_vertex *all = bspi_take_records(reader, reader->file, bytes ? &byte_layout : &word_layout, at,
	                                             model->vertex_count, BSPI_MODEL_MAX_VERTICES);
	BSPI_TRY(all);
	measure_rings(bytes ? BYTE_STEPS : WORD_STEPS, rings);
	for (int32_t i = 0; i < model->vertex_count; i++) unpack_packed(model, &all[i], rings, &out[i]);
	return true;
}

bool bspi_take_vampire_vertices(bspi_model_reader *reader, bspi_studio *studio, int64_t model_at,
                                const bspi_source_model *model)
{
	int64_t at = model_at + model->vertices_at;
	if (model->vertex_count < 0 || (uint32_t)model->vertex_count > BSPI_MODEL_MAX_VERTICES) {
		return bspi_refuse_model(reader, "a model claims %d vertices, which is not possible", model->vertex_count);
	}
	if (model->kind > KIND_BYTES)
		return bspi_refuse_model(reader, "its vertices are of kind %u, which is not supported", model->kind);
	bspi_bytes view;
	uint64_t smallest = (uint64_t)model->vertex_count * byte_layout.file_size;
	BSPI_TRY(bspi_take_bytes(reader, reader->file, model->vertex_count ? at : 0, smallest, "vertices", &view));
	bspi_source_vertex *out =
		bspi_push(reader->ctx, &reader->ctx->scratch, bspi_source_vertex, (size_t)model->vertex_count);
	BSPI_TRY(out);
	studio->vertices = out;
	studio->vertex_count = (uint32_t)model->vertex_count;
	if (model->kind != KIND_WHOLE) return take_packed(reader, model, at, out);
	const whole_vertex *all =
		bspi_take_records(reader, reader->file, &whole_layout, at, model->vertex_count, BSPI_MODEL_MAX_VERTICES);
	BSPI_TRY(all);
	for (int32_t i = 0; i < model->vertex_count; i++) unpack_whole(&all[i], &out[i]);
	return true;
}
