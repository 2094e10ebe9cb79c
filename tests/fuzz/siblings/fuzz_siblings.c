/* fuzz_siblings.c - what lies beside a map or in its game: the input is the name of a variant ("quake3-rtcw") in 24
 * bytes, a byte of choices and files (input_files.h), of which one is opened wherever a path has its ending. The map is
 * the variant's small room; what became of it may be written, with the files that were found. */
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"
#include "support/rooms/room_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)128 << 20)

/* One of eight ways: by each writer, then with the sky, which takes longer than all else. */
static void write_by(const bspscene_scene *scene, uint8_t way, bspt_report *report)
{
	bspt_sink sink;
	bspscene_error error;
	bspscene_write_options options;
	bspscene_output output = bspt_sink_output(&sink);
	uint32_t writer_count = 0;
	while (bspscene_writers()[writer_count]) writer_count++;
	bspscene_write_options_init(&options);
	options.memory_limit = MEMORY;
	options.sky = way < writer_count ? BSPSCENE_WRITE_NO_SKY : BSPSCENE_WRITE_SKY_DEFAULT;
	if (!bspscene_write(scene, bspscene_writers()[way % writer_count]->name, &options, &output, &error)) {
		bspt_check_error(&error, report);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= BSPT_ROOM_NAME) return 0;
	const bspt_bytes *map = bspt_room_of_name(data);
	uint8_t choices = data[BSPT_ROOM_NAME];
	bspt_input_files files;
	bspt_split_input(bspi_bytes_of(data + BSPT_ROOM_NAME + 1, size - BSPT_ROOM_NAME - 1), &files);

	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = "fuzz";
	bspt_use_input_files(&options, &files);
	options.include = choices & 1 ? BSPSCENE_INCLUDE_ALL : 0;
	options.strict = choices & 2;
	options.lump_patches = options.reflections = true;
	options.map_rigs = options.stored_light = options.light_probes = choices & 1;
	options.memory_limit = choices & 4 ? MEMORY / 64 : MEMORY;
	options.engine = choices & 8 ? BSPSCENE_ENGINE_DARKPLACES : BSPSCENE_ENGINE_AUTO;

	bspt_report report = { .failures = 0 };
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map->data, map->size, &options, &error);
	if (scene) bspt_check_scene(scene, &options, &report);
	else bspt_check_error(&error, &report);
	if (scene && choices & 16) write_by(scene, choices >> 5, &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
