/* room_game.c - see room_game.h. */
#include "support/rooms/room_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"
#include "support/make/build_map.h"

enum { MOST_ROOMS = 256, MOST_NAME = 64 };

typedef struct room {
	char name[MOST_NAME];
	bspt_bytes file;
} room;

static uint32_t make_rooms(room *rooms)
{
	uint32_t count = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		for (uint32_t v = 0; v < family->variant_count && count < MOST_ROOMS; v++) {
			bspt_parts parts;
			if (!bspt_room_parts(family, &family->variants[v], &parts)) continue;
			snprintf(rooms[count].name, MOST_NAME, "%s", bspt_variant_name(family, &family->variants[v]));
			rooms[count++].file = bspt_build_room(family, &family->variants[v]);
		}
	}
	return count;
}

const bspt_bytes *bspt_room_of_name(const uint8_t name[BSPT_ROOM_NAME])
{
	static room rooms[MOST_ROOMS];
	static uint32_t count;
	if (!count) count = make_rooms(rooms);
	uint32_t hash = 0;
	for (uint32_t i = 0; i < BSPT_ROOM_NAME; i++) hash = hash * 31 + name[i];
	for (uint32_t i = 0; i < count; i++) {
		if (!strncmp(rooms[i].name, (const char *)name, BSPT_ROOM_NAME)) return &rooms[i].file;
	}
	return &rooms[hash % count].file;
}

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

void bspt_use_input_files(bspscene_load_options *options, bspt_input_files *files)
{
	options->open_file = open_file;
	options->list_files = list_files;
	options->file_user = files;
}
