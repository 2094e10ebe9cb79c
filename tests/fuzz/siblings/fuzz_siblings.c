/* fuzz_siblings.c - what lies beside a map or in its game: the input is the name of a variant ("quake3-rtcw") in 24
 * bytes, a byte of choices and files (input_files.h), of which one is opened wherever a path has its ending. The map is
 * the variant's small room; what became of it may be written, with the files that were found. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"
#include "support/hostile/input_files.h"
#include "support/make/build_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAME = 24 };

#define MEMORY ((uint64_t)128 << 20)

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_input_file *file = bspt_input_file_of(user, path);
	(void)kind;
	if (!bspt_is_safe_path(path)) abort();
	if (!file) return false;
	stream->data = file->bytes.data;
	stream->size = file->bytes.size;
	stream->origin = "fuzz";
	return true;
}

static void list_files(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                       void *found_user)
{
	char path[256] = "";
	if (strlen(prefix) + strlen(suffix) > 200) return;
	strcat(strcat(strcat(path, prefix), "fuzz"), suffix);
	if (bspt_input_file_of(user, path)) found(found_user, path);
}

typedef struct room {
	const char *name;
	bspt_bytes file;
} room;

enum { MOST_ROOMS = 256 };

/* The room of every variant that has one, made once. */
static uint32_t make_rooms(room *rooms)
{
	uint32_t count = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		for (uint32_t v = 0; v < family->variant_count && count < MOST_ROOMS; v++) {
			bspt_parts parts;
			if (!bspt_room_parts(family, &family->variants[v], &parts)) continue;
			/* The name lies in a buffer that the next one takes. */
			rooms[count].name = strdup(bspt_variant_name(family, &family->variants[v]));
			rooms[count++].file = bspt_build_room(family, &family->variants[v]);
		}
	}
	return count;
}

/* By the name of its variant; of a name that none has, some room. */
static const bspt_bytes *room_of(const uint8_t name[NAME])
{
	static room rooms[MOST_ROOMS];
	static uint32_t count;
	if (!count) count = make_rooms(rooms);
	uint32_t hash = 0;
	for (uint32_t i = 0; i < NAME; i++) hash = hash * 31 + name[i];
	for (uint32_t i = 0; i < count; i++) {
		if (!strncmp(rooms[i].name, (const char *)name, NAME)) return &rooms[i].file;
	}
	return &rooms[hash % count].file;
}

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
	if (size <= NAME) return 0;
	const bspt_bytes *map = room_of(data);
	uint8_t choices = data[NAME];
	bspt_input_files files;
	bspt_split_input(bspi_bytes_of(data + NAME + 1, size - NAME - 1), &files);

	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = "fuzz";
	options.open_file = open_file;
	options.list_files = list_files;
	options.file_user = &files;
	options.include = choices & 1 ? BSPSCENE_INCLUDE_ALL : 0;
	options.strict = choices & 2;
	options.lump_patches = true;
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
