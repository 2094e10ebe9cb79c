/* check_model.c - makes a valid model from what a reader found. Checks indices, positions, normals, coordinates and
 * skins of all formats. Reverses triangles, so that they are counter-clockwise. */
#include "models/model.h"

#include "base/vec.h"
#include "models/rig/model_rig.h"

/* How much the squared length of a stored normal may differ from 1. */
#define UNIT_SLACK 1e-3f

/* The arrays of the scene, while they are filled from the reader's vertices. */
typedef struct filling {
	float *positions, *normals, *uvs;
	uint8_t *light; /* light of each vertex as stored in the model; NULL: none */
	uint32_t *numbers; /* for each vertex, the index of its color in a file of stored light; NULL: none */
	uint32_t *origins; /* for each vertex, its index in the reader's vertices; NULL: the model has no rig */
	uint32_t *indices;
	uint32_t vertex_count, index_count;
	bspi_model_section *sections;
	uint32_t section_count;
	uint32_t dropped; /* number of dropped triangles */
} filling;

/* True if all corners of a triangle exist and are finite. */
static bool is_usable(const bspi_model_vertex *vertices, uint32_t count, const uint32_t corners[3])
{
	for (int i = 0; i < 3; i++) {
		if (corners[i] >= count || !bspi_is_position(vertices[corners[i]].position)) return false;
	}
	return true;
}

/* True if two corners of a triangle are the same vertex. Such a triangle is not drawn, and it is not an error. */
static bool is_flat(const uint32_t corners[3])
{
	return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

static void copy_vertex(filling *out, const bspi_model_vertex *vertex)
{
	size_t i = out->vertex_count++;
	bspi_copy3(out->positions + 3 * i, vertex->position);
	bspi_copy3(out->normals + 3 * i, vertex->normal);
	if (!bspi_normalize(out->normals + 3 * i)) memset(out->normals + 3 * i, 0, 3 * sizeof(float));
	for (size_t k = 0; k < 2; k++) out->uvs[2 * i + k] = isfinite(vertex->uv[k]) ? vertex->uv[k] : 0;
	if (out->numbers) out->numbers[i] = vertex->number;
	if (out->light) memcpy(out->light + 4 * i, vertex->light, sizeof vertex->light);
}

/* Copies a section: its triangles, and the vertices that they use, in the order of the file. A section without
 * triangles gets no arrays. */
static void copy_section(const bspi_model_reader *reader, const bspi_model_section *from, uint32_t *numbers,
                         filling *out)
{
	if (!from->vertex_count || !from->index_count) return;
	const bspi_model_vertex *vertices = reader->vertices + from->first_vertex;
	const uint32_t *indices = reader->indices + from->first_index;
	uint32_t first_vertex = out->vertex_count, first_index = out->index_count;
	memset(numbers, 0xff, from->vertex_count * sizeof *numbers);
	for (uint32_t i = 0; i + 2 < from->index_count; i += 3) {
		if (!is_usable(vertices, from->vertex_count, indices + i) || is_flat(indices + i)) continue;
		for (uint32_t k = 0; k < 3; k++) numbers[indices[i + k]] = 0;
	}
	for (uint32_t i = 0; i < from->vertex_count; i++) {
		if (numbers[i]) continue;
		numbers[i] = out->vertex_count;
		if (out->origins) out->origins[out->vertex_count] = from->first_vertex + i;
		copy_vertex(out, &vertices[i]);
	}
	for (uint32_t i = 0; i + 2 < from->index_count; i += 3) {
		bool usable = is_usable(vertices, from->vertex_count, indices + i);
		out->dropped += !usable;
		if (!usable || is_flat(indices + i)) continue;
		out->indices[out->index_count++] = numbers[indices[i]];
		out->indices[out->index_count++] = numbers[indices[i + 2]];
		out->indices[out->index_count++] = numbers[indices[i + 1]];
	}
	if (out->index_count == first_index) {
		out->vertex_count = first_vertex;
		return;
	}
	out->sections[out->section_count++] = (bspi_model_section) {
		from->slot, first_vertex, out->vertex_count - first_vertex, first_index, out->index_count - first_index,
	};
}

static bool allocate(const bspi_model_reader *reader, filling *out)
{
	bspi_ctx *ctx = reader->ctx;
	out->positions = bspi_push(ctx, &ctx->result, float, 3 * (size_t)reader->vertex_count);
	out->normals = bspi_push(ctx, &ctx->result, float, 3 * (size_t)reader->vertex_count);
	out->uvs = bspi_push(ctx, &ctx->result, float, 2 * (size_t)reader->vertex_count);
	out->indices = bspi_push(ctx, &ctx->result, uint32_t, reader->index_count);
	if (reader->model.lit) {
		out->light = bspi_push(ctx, &ctx->result, uint8_t, 4 * (size_t)reader->vertex_count);
		BSPI_TRY(out->light);
	}
	if (reader->model.number_count) {
		out->numbers = bspi_push(ctx, &ctx->scratch, uint32_t, reader->vertex_count);
		BSPI_TRY(out->numbers);
	}
	if (reader->rig) {
		out->origins = bspi_push(ctx, &ctx->scratch, uint32_t, reader->vertex_count);
		BSPI_TRY(out->origins);
	}
	out->sections = bspi_push(ctx, &ctx->scratch, bspi_model_section, reader->section_count);
	return out->positions && out->normals && out->uvs && out->indices && out->sections;
}

/* Gives vertices without a normal the mean of their triangles' normals. */
static bool mend_normals(bspi_ctx *ctx, filling *f)
{
	static const float up[3] = { 0, 0, 1 };
	float *sums = bspi_push(ctx, &ctx->scratch, float, 3 * (size_t)f->vertex_count);
	BSPI_TRY(sums);
	for (uint32_t i = 0; i < f->index_count; i += 3) {
		const float *at = f->positions + 3 * (size_t)f->indices[i];
		float u[3], v[3], normal[3];
		bspi_sub(u, f->positions + 3 * (size_t)f->indices[i + 1], at);
		bspi_sub(v, f->positions + 3 * (size_t)f->indices[i + 2], at);
		bspi_cross(normal, u, v);
		for (uint32_t k = 0; k < 9; k++) sums[3 * (size_t)f->indices[i + k / 3] + k % 3] += normal[k % 3];
	}
	for (size_t i = 0; i < f->vertex_count; i++) {
		float *normal = f->normals + 3 * i;
		if (fabsf(bspi_dot(normal, normal) - 1) <= UNIT_SLACK) continue;
		bspi_copy3(normal, bspi_normalize(sums + 3 * i) ? sums + 3 * i : up);
	}
	return true;
}

/* Checks the table of skins. A model without materials gets one without name and image. An invalid index of a material
 * becomes 0. */
static bool check_skins(bspi_model_reader *reader)
{
	static const bspi_model_material none[1] = {
		{ .name = "", .pixels = { bspi_no_bytes, 0 }, .palette = { bspi_no_bytes, 0 } }
	};
	bspi_prop_model *model = &reader->model;
	if (!model->material_count) {
		model->materials = none;
		model->material_count = 1;
	}
	uint32_t rows = model->skin_count ? model->skin_count : 1, slots = model->slot_count ? model->slot_count : 1;
	uint32_t *checked = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, (size_t)rows * slots);
	BSPI_TRY(checked);
	for (size_t i = 0; i < (size_t)model->skin_count * model->slot_count; i++) {
		checked[i] = model->skins[i] < model->material_count ? model->skins[i] : 0;
	}
	model->skins = checked;
	model->skin_count = rows;
	model->slot_count = slots;
	return true;
}

bool bspi_check_model(bspi_model_reader *reader, bspi_prop_model *out)
{
	bspi_ctx *ctx = reader->ctx;
	filling f = { .dropped = 0 };
	uint32_t *numbers = bspi_push(ctx, &ctx->scratch, uint32_t, reader->vertex_count);
	BSPI_TRY(numbers && allocate(reader, &f));
	for (uint32_t i = 0; i < reader->section_count; i++) copy_section(reader, &reader->sections[i], numbers, &f);
	BSPI_TRY(mend_normals(ctx, &f) && check_skins(reader));
	for (uint32_t i = 0; i < f.section_count; i++) {
		if (f.sections[i].slot >= reader->model.slot_count) f.sections[i].slot = 0;
	}
	if (f.dropped) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_MODEL_BAD, BSPI_LUMP("models"),
		                   "%s: %u triangles are left out, because they name vertices that do not exist", reader->path,
		                   f.dropped));
	}
	*out = reader->model;
	out->positions = f.positions;
	out->normals = f.normals;
	out->uvs = f.uvs;
	out->light = f.light;
	out->numbers = f.numbers;
	out->indices = f.indices;
	out->vertex_count = f.vertex_count;
	out->index_count = f.index_count;
	out->sections = f.sections;
	out->section_count = f.section_count;
	out->bounds = f.vertex_count ? BSPI_EMPTY_BOUNDS : BSPI_NO_BOUNDS;
	for (size_t i = 0; i < f.vertex_count; i++) bspi_bounds_add(&out->bounds, f.positions + 3 * i);
	if (!bspi_is_position(out->light_point)) memset(out->light_point, 0, sizeof out->light_point);
	return !f.origins || bspi_check_rig(reader, f.origins, out);
}
