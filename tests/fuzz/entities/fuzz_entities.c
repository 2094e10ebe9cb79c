/* fuzz_entities.c - the input has entities, as JSON or text, for a room of Quake III. The result is an error with a
 * message, or a map that loads with the requested number of entities. */
#include <stdlib.h>
#include <string.h>

#include <bspscene/rewrite.h>

#include "support/captured.h"
#include "support/make/build_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)64 << 20)

static uint32_t expect_count(const bspscene_scene *old, const bspscene_entity_changes *changes)
{
	return old->entity_count + changes->added - changes->removed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bspt_bytes room;
	static bspt_captured captured;
	if (!room.data) room = bspt_build_room(&bspi_family_quake3, bspt_find_variant(&bspi_family_quake3, "quake3"));
	bspscene_edited_entities entities;
	bspscene_rewrite_report report;
	bspscene_load_options load;
	bspscene_stream stream;
	bspscene_error error;
	bspscene_edited_entities_init(&entities);
	bspscene_rewrite_report_init(&report);
	bspscene_load_options_init(&load);
	bspscene_stream_init(&stream);
	load.memory_limit = MEMORY;
	stream.data = room.data;
	stream.size = room.size;
	entities.text = data;
	entities.text_size = size;
	bspscene_output output = bspt_capture(&captured);
	bool done = bspscene_rewrite(&stream, &load, &entities, NULL, &output, &report, &error);
	if (done == (error.status != BSPSCENE_OK) || (!done && !error.message[0])) abort();
	if (done) {
		bspt_bytes map = captured.files[0].bytes;
		bspscene_scene *old = bspscene_load_memory(room.data, room.size, NULL, &error);
		bspscene_scene *new = bspscene_load_memory(map.data, map.size, NULL, &error);
		if (!old || !new || new->entity_count != expect_count(old, report.changes)) abort();
		bspscene_scene_free(old);
		bspscene_scene_free(new);
	}
	bspscene_entity_changes_free(report.changes);
	bspt_captured_free(&captured);
	return 0;
}
