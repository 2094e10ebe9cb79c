/* source_facts.c - prints what the library reads from a Source model, as lines of text for second_source_reader.py:
 *
 *     source_facts FOLDER FILE
 *
 * FILE, with its sibling files, is in FOLDER. The lines are "skin FAMILY SLOT NAME" for each material, and for each
 * triangle "triangle SLOT", then position, normal and coordinates of three corners as stored, then their positions in
 * the model's pose. If the model is refused, the reason is printed and the exit code is 3. */
#include <stdio.h>
#include <stdlib.h>

#include "models/model.h"
#include "support/bspt.h"

enum { REFUSED = 3 };

typedef struct posed_model {
	bspi_ctx ctx;
	bspi_prop_model model;
} posed_model;

static void read_posed(bspscene_file_system *files, const char *path, bspi_bytes bytes, bool is_static,
                       posed_model *out)
{
	const bspi_model_state look = { .is_static = is_static };
	const char *why = "";
	*out = (posed_model) { .ctx.budget.limit = (uint64_t)1 << 30 };
	out->ctx.options.open_file = bspscene_file_system_open;
	out->ctx.options.file_user = files;
	bspi_begin_memory(&out->ctx);
	if (bspi_read_model(&out->ctx, path, bytes, &look, &out->model, &why)) return;
	fprintf(stderr, "%s: %s\n", path, out->ctx.error.status ? out->ctx.error.message : why);
	exit(REFUSED);
}

static void put_floats(const float *values, int count)
{
	for (int i = 0; i < count; i++) printf(" %.9g", (double)values[i]);
}

static void print_triangles(const bspi_prop_model *stored, const bspi_prop_model *posed)
{
	for (uint32_t s = 0; s < stored->section_count; s++) {
		const bspi_model_section *section = &stored->sections[s];
		const uint32_t *corners = stored->indices + section->first_index;
		for (uint32_t i = 0; i < section->index_count; i += 3, corners += 3) {
			printf("triangle %u", section->slot);
			for (int k = 0; k < 3; k++) {
				put_floats(stored->positions + 3 * (size_t)corners[k], 3);
				put_floats(stored->normals + 3 * (size_t)corners[k], 3);
				put_floats(stored->uvs + 2 * (size_t)corners[k], 2);
			}
			for (int k = 0; k < 3; k++) put_floats(posed->positions + 3 * (size_t)corners[k], 3);
			printf("\n");
		}
	}
}

int main(int argc, char **argv)
{
	posed_model stored, posed;
	bspscene_error error;
	char path[1024];
	if (argc != 3) return 2;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!files || !bspscene_file_system_mount_game(files, argv[1], &error)) bspt_die("mount", argv[1]);
	snprintf(path, sizeof path, "%s/%s", argv[1], argv[2]);
	bspt_bytes file = bspt_read_file(path);
	bspi_bytes bytes = bspi_bytes_of(file.data, file.size);
	read_posed(files, argv[2], bytes, true, &stored);
	read_posed(files, argv[2], bytes, false, &posed);
	const bspi_prop_model *model = &stored.model;
	for (uint32_t i = 0; i < model->skin_count * model->slot_count; i++) {
		printf("skin %u %u %s\n", i / model->slot_count, i % model->slot_count, model->materials[model->skins[i]].name);
	}
	if (posed.model.index_count != model->index_count) bspt_die("pose", argv[2]);
	print_triangles(model, &posed.model);
	bspi_end_memory(&stored.ctx);
	bspi_end_memory(&posed.ctx);
	bspscene_file_system_free(files);
	free(file.data);
	return 0;
}
