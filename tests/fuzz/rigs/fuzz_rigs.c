/* fuzz_rigs.c - loads a model without a map, with its bones and sequences, and writes it. As in fuzz_models.c, the
 * input has the model and its sibling files. Its last four bytes choose the options and the writer. */
#include <string.h>

#include "support/hostile/fuzzed.h"
#include "support/hostile/input_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TAIL = 4 };

#define MEMORY ((uint64_t)64 << 20)

static void write_by(const bspscene_scene *scene, uint8_t way, bspt_report *report)
{
	static const char *const writers[] = { "glb", "fbx", "usda", "gltf", "obj" };
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.memory_limit = MEMORY;
	options.compress = way & 64 ? BSPSCENE_COMPRESS_WEBP : BSPSCENE_COMPRESS_NONE;
	options.centimeters = way & 128;
	bspt_write_fuzzed(scene, writers[way % 5], &options, report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspt_input_files files;
	if (size < TAIL) return 0;
	const uint8_t *tail = data + size - TAIL;
	bspt_split_input(bspi_bytes_of(data, size - TAIL), &files);
	if (!files.count) return 0;
	char name[8 + BSPT_INPUT_ENDING + 1] = "models/a";
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = strcat(name, files.files[0].ending);
	options.open_file = bspt_open_model_file;
	options.file_user = &files;
	options.memory_limit = MEMORY;
	options.rigs = !(tail[0] & 1);
	options.model_pose.sequence = bspt_fuzzed_sequence(tail[0] >> 5);
	options.model_pose.skin = tail[0] >> 1 & 1;
	options.model_pose.body = tail[1];
	options.model_pose.frame = tail[2];
	bspt_report report = { .failures = 0 };
	bspscene_scene *scene = bspt_load_fuzzed(files.files[0].bytes, &options, &report);
	if (scene) write_by(scene, tail[3], &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
