/* rewritten.c - see rewritten.h. */
#include "support/rewrite/rewritten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/rewrite.h>

void bspt_rewrite(bspt_rewritten *r, bspt_bytes map, const bspscene_edited_entities *entities,
                  const bspscene_rewrite_options *options, const bspscene_load_options *load)
{
	bspscene_stream stream;
	memset(r, 0, sizeof *r);
	bspscene_stream_init(&stream);
	bspscene_rewrite_report_init(&r->report);
	stream.data = map.data;
	stream.size = map.size;
	bspscene_output output = bspt_capture(&r->captured);
	r->ok = bspscene_rewrite(&stream, load, entities, options, &output, &r->report, &r->error);
	assert_int_equal(r->ok, r->error.status == BSPSCENE_OK);
	assert_int_equal(r->ok, r->report.changes != NULL);
	if (!r->ok) assert_true(r->error.message[0] && !r->captured.file_count);
}

void bspt_rewrite_text(bspt_rewritten *r, bspt_bytes map, const char *text)
{
	bspscene_edited_entities entities;
	bspscene_edited_entities_init(&entities);
	entities.text = text;
	entities.text_size = strlen(text);
	bspt_rewrite(r, map, &entities, NULL, NULL);
}

void bspt_rewritten_free(bspt_rewritten *r)
{
	bspscene_entity_changes_free(r->report.changes);
	bspt_captured_free(&r->captured);
}

bspscene_scene *bspt_load_room(bspt_bytes map)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

char *bspt_print_entities(const bspscene_scene *scene, const char *more, bool without_last)
{
	size_t room = 64 + strlen(more), at = 0;
	for (uint32_t i = 0; i < scene->pair_count; i++) {
		room += strlen(scene->pairs[i].key) + strlen(scene->pairs[i].value) + 8;
	}
	room += 8 * (size_t)scene->entity_count;
	char *text = test_malloc(room);
	for (uint32_t i = 0; i + without_last < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		at += (size_t)snprintf(text + at, room - at, "{\n");
		for (uint32_t k = 0; k < entity->pair_count; k++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + k];
			at += (size_t)snprintf(text + at, room - at, "\"%s\" \"%s\"\n", pair->key, pair->value);
		}
		at += (size_t)snprintf(text + at, room - at, "%s}\n", i ? "" : more);
	}
	return text;
}

const bspt_bytes *bspt_rewritten_map(const bspt_rewritten *r)
{
	assert_int_equal(r->captured.file_count, 1);
	return &r->captured.files[0].bytes;
}

const char bspt_room_text[] =
	"{ // the world\r\n\"classname\" \"worldspawn\"\r\n\"message\"  \"h\xe9\"\r\n}\r\n"
	"{\r\n\"origin\" \"1 2 3\"\r\nclassname light\r\n\"target\" \"a\"\r\n\"target\" \"b\"\r\n\"target\" \"c\"\r\n}\r\n"
	"{\r\n\"classname\" \"info_player_deathmatch\"\r\n\"origin\" \"0 0 24\"\r\n}\r\n";

bspt_bytes bspt_room_with_text(const char *text)
{
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "quake3");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_quake3, variant, &parts));
	parts.raw[0] = bspi_bytes_of(text, strlen(text) + 1);
	return bspt_encode_parts(variant, &parts);
}
