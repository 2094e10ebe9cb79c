/* fuzz_corners.c - the input is a text of edited corners; its last byte chooses one of two rooms: one of a family whose
 * faces have vertices, or one of a family that projects textures. The result is an error with a message, or a map that
 * loads with the same counts. */
#include <stdlib.h>
#include <string.h>

#include <bspscene/rewrite.h>

#include "support/captured.h"
#include "support/check/check_scene.h"
#include "support/rooms/room_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)64 << 20)

static void check_same(const bspt_bytes *old_map, const bspt_bytes *new_map)
{
	bspscene_error error;
	bspscene_scene *old = bspscene_load_memory(old_map->data, old_map->size, NULL, &error);
	bspscene_scene *new = bspscene_load_memory(new_map->data, new_map->size, NULL, &error);
	if (!old || !new || old->face_count != new->face_count || old->entity_count != new->entity_count) abort();
	if (old->lightmap_page_count != new->lightmap_page_count || old->counts->triangles != new->counts->triangles)
		abort();
	bspscene_scene_free(old);
	bspscene_scene_free(new);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t rooms[][BSPT_ROOM_NAME] = {
		"quake3-quake3", "quake-quake", "quake2-quake2", "goldsrc-goldsrc", "uebertools-mohaa", "source-source20",
		"nightfire-nightfire", "quake3-raven",
	};
	static bspt_captured captured;
	if (!size) return 0;
	const bspt_bytes *room = bspt_room_of_name(rooms[data[size - 1] % 8]);
	bspscene_load_options load;
	bspscene_rewrite_options options;
	bspscene_rewrite_report report;
	bspscene_stream stream;
	bspscene_error error;
	bspscene_load_options_init(&load);
	bspscene_rewrite_options_init(&options);
	bspscene_rewrite_report_init(&report);
	bspscene_stream_init(&stream);
	load.memory_limit = MEMORY;
	stream.data = room->data;
	stream.size = room->size;
	options.corner_text = data;
	options.corner_text_size = size - 1;
	bspscene_output output = bspt_capture(&captured);
	bool done = bspscene_rewrite(&stream, &load, NULL, &options, &output, &report, &error);
	if (done == (error.status != BSPSCENE_OK) || (!done && !error.message[0])) abort();
	if (done) check_same(room, &captured.files[0].bytes);
	bspscene_entity_changes_free(report.changes);
	bspt_captured_free(&captured);
	return 0;
}
