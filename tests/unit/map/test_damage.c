/* Promise: a map with damage that engines ignore still loads. A lump that begins inside the file and passes its end is
 * truncated, an entity text keeps its intact part, and lumps may be shorter or longer than a compiler would make
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/map/map_reading.h"

static void store_u32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* Finds the entity lump in the directory. Returns false if the family's directory has no offsets, or does not list the
 * entities. */
static bool find_entities(const bspi_map *map, bspi_lump_place *out)
{
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		*out = map->lump_places[i];
		if (!strcmp(out->name, "entities") && out->at) return true;
	}
	return false;
}

/* Returns the room with its entities moved to the end of the file. */
static bspt_bytes at_the_end(bspt_bytes room, const bspi_map *map, bspi_lump_place place)
{
	bspt_bytes file = { malloc(room.size + map->entities.size), room.size + map->entities.size };
	assert_non_null(file.data);
	memcpy(file.data, room.data, room.size);
	memcpy(file.data + room.size, map->entities.data, map->entities.size);
	store_u32(file.data + place.at, (uint32_t)room.size);
	store_u32(file.data + place.size_at, (uint32_t)map->entities.size);
	return file;
}

/* Returns whether the file is still recognized. Some formats with the same version are told apart only by the lump that
 * comes first. If a lump moves to the end, such a file may not be recognized. */
static bool is_still_read(bspt_bytes file)
{
	bspt_reading reading;
	bool read = bspt_read_bytes(&reading, file.data, file.size, true);
	bspt_end_reading(&reading);
	return read;
}

static bool is_told(const bspi_ctx *ctx)
{
	for (uint32_t i = 0; i < ctx->warning_count; i++) {
		const bspi_warning_slot *warning = &ctx->warnings[i];
		bool told = warning->code == BSPSCENE_WARNING_LUMP_BAD &&
		            strstr(warning->message, "last 500 bytes are past the end");
		if (told) return true;
	}
	return false;
}

static bool check_variant(const bspi_family *family, const bspi_variant *variant)
{
	bspt_parts parts;
	if (!bspt_room_parts(family, variant, &parts)) return false;
	bspt_bytes room = bspt_build_room(family, variant);
	bspt_reading sound, cut, strict;
	bspi_lump_place place;
	if (!bspt_read_bytes(&sound, room.data, room.size, true)) fail_msg("%s", sound.ctx.error.message);
	bool there = find_entities(&sound.map, &place) && sound.map.entities.size;
	bspt_bytes file = there ? at_the_end(room, &sound.map, place) : (bspt_bytes){ NULL, 0 };
	there = there && is_still_read(file);
	if (there) {
		store_u32(file.data + place.size_at, (uint32_t)sound.map.entities.size + 500);
		if (!bspt_read_bytes(&cut, file.data, file.size, false)) fail_msg("%s", cut.ctx.error.message);
		if (!is_told(&cut.ctx)) fail_msg("%s: not told", variant->title);
		assert_int_equal(cut.ctx.warning_count, sound.ctx.warning_count + 1);
		assert_int_equal(cut.map.entities.size, sound.map.entities.size);
		assert_memory_equal(cut.map.entities.data, sound.map.entities.data, sound.map.entities.size);
		assert_false(bspt_read_bytes(&strict, file.data, file.size, true));
		assert_int_equal(strict.ctx.error.status, BSPSCENE_ERROR_BAD_DATA);
		bspt_end_reading(&cut);
		bspt_end_reading(&strict);
	}
	free(file.data);
	bspt_end_reading(&sound);
	free(room.data);
	return there;
}

static void an_entity_text_past_the_end_is_cut(void **state)
{
	(void)state;
	uint32_t checked = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++) {
			checked += check_variant(bspi_families[f], &bspi_families[f]->variants[v]);
		}
	}
	assert_true(checked >= 20);
}

/* Gives the lump `own` the length of the lump `other`. */
static void swap_length(bspt_bytes room, const char *title, bspi_lump_place own, bspi_lump_place other)
{
	uint8_t *at = room.data + own.size_at, before[4];
	if (!bspi_load_u32(at) || !bspi_load_u32(room.data + other.size_at)) return;
	memcpy(before, at, 4);
	memcpy(at, room.data + other.size_at, 4);
	bspt_reading reading;
	if (!bspt_read_bytes(&reading, room.data, room.size, false)) {
		fail_msg("%s, %s as long as %s: %s", title, own.name, other.name, reading.ctx.error.message);
	}
	bspt_end_reading(&reading);
	memcpy(at, before, 4);
}

static void a_lump_may_have_the_length_of_another(void **state)
{
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_variant *variant = &bspi_families[f]->variants[0];
		bspt_parts parts;
		if (!bspt_room_parts(bspi_families[f], variant, &parts)) continue;
		bspt_bytes room = bspt_build_room(bspi_families[f], variant);
		bspt_reading sound;
		if (!bspt_read_bytes(&sound, room.data, room.size, true)) fail_msg("%s", sound.ctx.error.message);
		for (uint32_t i = 0; i < sound.map.lump_place_count; i++) {
			for (uint32_t k = 0; k < sound.map.lump_place_count; k++) {
				swap_length(room, variant->title, sound.map.lump_places[i], sound.map.lump_places[k]);
			}
		}
		bspt_end_reading(&sound);
		free(room.data);
	}
}

/* Compilers write any offset for an empty lump, and engines ignore it. */
static void an_empty_lump_may_lie_anywhere(void **state)
{
	(void)state;
	uint32_t checked = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_variant *variant = &bspi_families[f]->variants[0];
		bspt_parts parts;
		if (!bspt_room_parts(bspi_families[f], variant, &parts)) continue;
		bspt_bytes room = bspt_build_room(bspi_families[f], variant);
		bspt_reading sound;
		if (!bspt_read_bytes(&sound, room.data, room.size, true)) fail_msg("%s", sound.ctx.error.message);
		for (uint32_t i = 0; i < sound.map.lump_place_count; i++) {
			const bspi_lump_place *place = &sound.map.lump_places[i];
			if (!place->at || bspi_load_u32(room.data + place->size_at)) continue;
			store_u32(room.data + place->at, INT32_MAX - 1);
			checked++;
		}
		bspt_reading moved;
		if (!bspt_read_bytes(&moved, room.data, room.size, true)) {
			fail_msg("%s: %s", variant->title, moved.ctx.error.message);
		}
		bspt_end_reading(&moved);
		bspt_end_reading(&sound);
		free(room.data);
	}
	assert_true(checked >= 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entity_text_past_the_end_is_cut),
		cmocka_unit_test(a_lump_may_have_the_length_of_another),
		cmocka_unit_test(an_empty_lump_may_lie_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
