/* model_reader.c - functions that the readers of models share: they check ranges of the file before they return them,
 * and collect vertices, triangles and sections in growing arrays. */
#include "models/model.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "io/io.h"

bool bspi_refuse_model(bspi_model_reader *reader, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reader->why, sizeof reader->why, format, arguments);
	va_end(arguments);
	return false;
}

bool bspi_take_bytes(bspi_model_reader *reader, bspi_bytes file, int64_t offset, uint64_t size, const char *what,
                     bspi_bytes *out)
{
	if (offset >= 0 && bspi_slice(file, (uint64_t)offset, size, out)) return true;
	return bspi_refuse_model(reader, "%s: %llu bytes at offset %lld reach past the end of the file of %zu bytes", what,
	                         (unsigned long long)size, (long long)offset, file.size);
}

bool bspi_take_rest(bspi_model_reader *reader, bspi_bytes file, int64_t offset, const char *what, bspi_bytes *out)
{
	uint64_t size = offset >= 0 && (uint64_t)offset <= file.size ? file.size - (uint64_t)offset : 0;
	return bspi_take_bytes(reader, file, offset, size, what, out);
}

void *bspi_take_records(bspi_model_reader *reader, bspi_bytes file, const bspi_layout *layout, int64_t offset,
                        int64_t count, uint32_t most)
{
	bspi_bytes view = BSPI_NO_BYTES;
	if (count < 0 || count > most) {
		bspi_refuse_model(reader, "%s: the file claims %lld of them, and at most %u are supported", layout->name,
		                  (long long)count, most);
		return NULL;
	}
	if (!count) offset = 0; /* no range to check: an empty array may have any offset */
	if (!bspi_take_bytes(reader, file, offset, (uint64_t)count * layout->file_size, layout->name, &view)) return NULL;
	void *records = bspi_push_zeroed(reader->ctx, &reader->ctx->scratch, (size_t)count, layout->memory_size);
	if (records) bspi_layout_decode(layout, view.data, (uint32_t)count, records);
	return records;
}

const char *bspi_take_text(bspi_model_reader *reader, bspi_bytes file, int64_t offset)
{
	bspi_bytes rest;
	if (offset < 0 || !bspi_slice(file, (uint64_t)offset, 0, &rest)) return "";
	rest.size = file.size - (size_t)offset;
	if (rest.size > BSPI_PATH_SIZE) rest.size = BSPI_PATH_SIZE;
	return bspi_text_copy(reader->ctx, rest, NULL);
}

bool bspi_open_part(bspi_model_reader *reader, const char *path, bspi_bytes *out, bool *found)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_sibling file = { .bytes = BSPI_NO_BYTES };
	*found = bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_MODEL, &file);
	*out = file.bytes;
	return *found || !ctx->error.status;
}

bool bspi_open_model_sibling(bspi_model_reader *reader, const char *ending, bspi_bytes *out, bool *found)
{
	bspi_ctx *ctx = reader->ctx;
	const char *dot = strrchr(reader->path, '.');
	size_t stem = dot ? (size_t)(dot - reader->path) : strlen(reader->path);
	const char *path = bspi_text_format(ctx, &ctx->scratch, "%.*s%s", (int)stem, reader->path, ending);
	return path && bspi_open_part(reader, path, out, found);
}

bool bspi_begin_section(bspi_model_reader *reader, uint32_t slot)
{
	if (reader->section_count == BSPI_MODEL_MAX_SECTIONS) {
		return bspi_refuse_model(reader, "it has more than %u meshes", BSPI_MODEL_MAX_SECTIONS);
	}
	BSPI_TRY(bspi_reserve(reader->ctx, (void **)&reader->sections, reader->section_count, &reader->section_capacity,
	                      sizeof *reader->sections));
	reader->sections[reader->section_count++] = (bspi_model_section) {
		.slot = slot,
		.first_vertex = reader->vertex_count,
		.first_index = reader->index_count,
	};
	return true;
}

bool bspi_add_vertex(bspi_model_reader *reader, const bspi_model_vertex *vertex)
{
	if (reader->vertex_count == BSPI_MODEL_MAX_VERTICES) {
		return bspi_refuse_model(reader, "it has more than %u vertices", BSPI_MODEL_MAX_VERTICES);
	}
	BSPI_TRY(bspi_reserve(reader->ctx, (void **)&reader->vertices, reader->vertex_count, &reader->vertex_capacity,
	                      sizeof *vertex));
	reader->vertices[reader->vertex_count++] = *vertex;
	reader->sections[reader->section_count - 1].vertex_count++;
	return true;
}

bool bspi_add_triangle(bspi_model_reader *reader, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t corners[3] = { a, b, c };
	if (reader->index_count >= 3 * BSPI_MODEL_MAX_TRIANGLES) {
		return bspi_refuse_model(reader, "it has more than %u triangles", BSPI_MODEL_MAX_TRIANGLES);
	}
	for (int i = 0; i < 3; i++) {
		BSPI_TRY(bspi_reserve(reader->ctx, (void **)&reader->indices, reader->index_count, &reader->index_capacity,
		                      sizeof *reader->indices));
		reader->indices[reader->index_count++] = corners[i];
	}
	reader->sections[reader->section_count - 1].index_count += 3;
	return true;
}

/* Sets the materials, and a table of skins that contains the material indices 0, 1, 2, ... Before that, the caller
 * sets skin_count and slot_count: either one skin with `count` slots, or `count` skins with one slot each. */
static bool number_materials(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count)
{
	uint32_t *numbers = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, count);
	BSPI_TRY(numbers);
	for (uint32_t i = 0; i < count; i++) numbers[i] = i;
	reader->model.materials = materials;
	reader->model.material_count = count;
	reader->model.skins = numbers;
	return true;
}

bool bspi_set_materials(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count)
{
	reader->model.skin_count = 1;
	reader->model.slot_count = count;
	return number_materials(reader, materials, count);
}

bool bspi_set_skins(bspi_model_reader *reader, const bspi_model_material *materials, uint32_t count)
{
	reader->model.skin_count = count;
	reader->model.slot_count = 1;
	return number_materials(reader, materials, count);
}

float *bspi_smooth_normals(bspi_model_reader *reader, const float *positions, uint32_t count, const uint32_t *corners,
                           uint32_t triangle_count)
{
	float *sums = bspi_push(reader->ctx, &reader->ctx->scratch, float, 3 * (size_t)count);
	if (!sums) return NULL;
	for (uint32_t i = 0; i < triangle_count; i++, corners += 3) {
		const float *at = positions + 3 * (size_t)corners[0];
		float u[3], v[3], normal[3];
		bspi_sub(u, positions + 3 * (size_t)corners[1], at);
		bspi_sub(v, positions + 3 * (size_t)corners[2], at);
		bspi_cross(normal, v, u);
		for (uint32_t k = 0; k < 9; k++) sums[3 * (size_t)corners[k / 3] + k % 3] += normal[k % 3];
	}
	return sums;
}
