/* fuzz_assembly.c - the input is a .ump file of UFO: Alien Invasion, which has the rules for assembling a map from
 * tiles. Its last byte is the seed of the random choices. Every tile is the family's small room, but tiles whose names
 * end in "x" are missing. If the file extends another .ump file, that file has the same text. */
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"
#include "support/hostile/fuzzed.h"
#include "support/rooms/room_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)32 << 20)

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	static const uint8_t name[BSPT_ROOM_NAME] = "ufoai-ufoai";
	const bspi_bytes *text = user;
	size_t length = strlen(path);
	(void)kind;
	if (!bspt_is_safe_path(path)) abort();
	if (length < 5 || strncmp(path, "maps/", 5) != 0 || path[length - 5] == 'x') return false;
	bool rules = !strcmp(path + length - 4, ".ump");
	const bspt_bytes *room = bspt_room_of_name(name);
	stream->data = rules ? (const void *)text->data : room->data;
	stream->size = rules ? text->size : room->size;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size) return 0;
	bspi_bytes text = bspi_bytes_of(data, size - 1);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = data[size - 1] % 4 ? "maps/fuzz.ump" : "maps/fuzz.ump/plot";
	options.seed = data[size - 1];
	options.open_file = open_file;
	options.file_user = &text;
	options.memory_limit = MEMORY;
	bspt_report report = { .failures = 0 };
	bspscene_scene *scene = bspt_load_fuzzed(text, &options, &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
