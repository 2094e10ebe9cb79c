/* fuzz_siblings.c - loads a map with fuzzed files next to it or in its game. The input is the name of a variant
 * ("quake3-rtcw") in 24 bytes, a byte of choices, and files (input_files.h). If the load requests a file, it gets the
 * one whose ending fits the requested path. The map is the variant's small room. A bit of the choices says whether the
 * scene is also written. */
#include "support/hostile/fuzzed.h"
#include "support/rooms/room_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)128 << 20)

/* Writes the scene. `way` is 0 to 7: the first ways use each writer once, without the sky. The others also write the
 * sky, which takes longest. */
static void write_by(const bspscene_scene *scene, uint8_t way, bspt_report *report)
{
	bspscene_write_options options;
	uint32_t writer_count = 0;
	while (bspscene_writers()[writer_count]) writer_count++;
	bspscene_write_options_init(&options);
	options.memory_limit = MEMORY;
	options.sky = way < writer_count ? BSPSCENE_WRITE_SKY_NONE : BSPSCENE_WRITE_SKY_DEFAULT;
	bspt_write_fuzzed(scene, bspscene_writers()[way % writer_count]->name, &options, report);
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
	options.include_mask = choices & 1 ? BSPSCENE_SURFACE_ALL : 0;
	options.strict = choices & 2;
	options.lump_patches = options.reflections = true;
	options.map_rigs = options.keep_map_light = options.light_probes = choices & 1;
	options.memory_limit = choices & 4 ? MEMORY / 64 : MEMORY;
	options.engine = choices & 8 ? BSPSCENE_ENGINE_DARKPLACES : BSPSCENE_ENGINE_AUTO;

	bspt_report report = { .failures = 0 };
	bspscene_scene *scene = bspt_load_fuzzed(bspi_bytes_of(map->data, map->size), &options, &report);
	if (scene && choices & 16) write_by(scene, choices >> 5, &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
