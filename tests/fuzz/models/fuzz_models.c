/* fuzz_models.c - the input is a model and its sibling files (bspt_open_model_file); the last byte of the input chooses
 * skin, body, frame and sequence. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "models/model.h"
#include "support/hostile/input_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	bspt_input_files files;
	char path[8 + BSPT_INPUT_ENDING + 1] = "models/a";
	bspi_ctx ctx = { .file = "fuzz", .name = "fuzz", .budget.limit = 64u << 20 };
	bspi_prop_model model;
	const char *why = NULL;
	bspt_split_input(bspi_bytes_of(data, size), &files);
	if (!files.count) return 0;
	strcat(path, files.files[0].ending);
	uint8_t choice = data[size - 1];
	bspi_model_state look = { .body = choice & 7, .frame = choice >> 3 & 1, .is_static = choice & 16 };
	if (choice & 32) look.sequence = choice & 64 ? "1" : "idle";
	ctx.options.open_file = bspt_open_model_file;
	ctx.options.file_user = &files;
	bspi_begin_memory(&ctx);
	if (bspi_read_model(&ctx, path, files.files[0].bytes, &look, &model, &why)) check(&model);
	else if (!ctx.error.status && !(why && *why)) abort();
	bspi_end_memory(&ctx);
	if (ctx.budget.used) abort();
	return 0;
}
