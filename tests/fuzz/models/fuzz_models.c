/* fuzz_models.c - the input is a model and the files beside it: for each the ending of its name in ten bytes, its
 * size in four, its bytes. The first is read as models/a.ENDING; the last byte of the input chooses the look. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "models/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 4, ENDING = 10, HEAD = ENDING + 4 };

typedef struct set {
	struct {
		char path[16 + ENDING];
		bspi_bytes bytes;
	} files[MOST_FILES];
	uint32_t count;
} set;

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const set *s = user;
	(void)kind;
	for (uint32_t i = 0; i < s->count; i++) {
		if (!bspi_text_equal(s->files[i].path, path)) continue;
		stream->data = s->files[i].bytes.data;
		stream->size = s->files[i].bytes.size;
		return true;
	}
	return false;
}

static void split(bspi_bytes input, set *out)
{
	while (out->count < MOST_FILES && input.size > HEAD) {
		uint32_t size = bspi_load_u32(input.data + ENDING);
		if (size > input.size - HEAD) size = (uint32_t)(input.size - HEAD);
		char *path = out->files[out->count].path;
		memcpy(path, "models/a", 8);
		memcpy(path + 8, input.data, ENDING);
		path[8 + ENDING] = 0;
		if (!bspi_slice(input, HEAD, size, &out->files[out->count++].bytes)) abort();
		input = bspi_bytes_of(input.data + HEAD + size, input.size - HEAD - size);
	}
}

static void check(const bspi_prop_model *model)
{
	for (uint32_t i = 0; i < model->index_count; i++) {
		if (model->indices[i] >= model->vertex_count) abort();
	}
	for (size_t i = 0; i < model->vertex_count; i++) {
		float length = bspi_dot(model->normals + 3 * i, model->normals + 3 * i);
		if (!bspi_is_position(model->positions + 3 * i) || !(fabsf(length - 1) < 1e-3f)) abort();
	}
	for (uint32_t i = 0; i < model->skin_count * model->slot_count; i++) {
		if (model->skins[i] >= model->material_count) abort();
	}
	for (uint32_t i = 0; i < model->material_count; i++) {
		const bspi_model_material *m = &model->materials[i];
		uint64_t size = (uint64_t)m->width * m->height * (m->rgba ? 4 : 1);
		if (!m->name || (m->pixels.size && m->pixels.size != size)) abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	set files = { .count = 0 };
	bspi_ctx ctx = { .file = "fuzz", .name = "fuzz", .budget.limit = 64u << 20 };
	bspi_prop_model model;
	const char *why = NULL;
	split(bspi_bytes_of(data, size), &files);
	if (!files.count) return 0;
	uint8_t choice = data[size - 1];
	bspi_model_state look = { .body = choice & 7, .frame = choice >> 3 & 1, .is_static = choice & 16 };
	if (choice & 32) look.sequence = choice & 64 ? "1" : "idle";
	ctx.options.open_file = open_file;
	ctx.options.file_user = &files;
	bspi_begin_memory(&ctx);
	if (bspi_read_model(&ctx, files.files[0].path, files.files[0].bytes, &look, &model, &why)) check(&model);
	else if (!ctx.error.status && !(why && *why)) abort();
	bspi_end_memory(&ctx);
	if (ctx.budget.used) abort();
	return 0;
}
