/* test_probes_hostile.c - light probes of damaged maps, and probes that were made for another map. Either probes are
 * valid, or there are none. Either writing fails, or the written map can be loaded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/baked.h"
#include "support/make/build_map.h"

enum { SIDES = 6, DRAWS = 250 };

typedef struct room_case {
	const bspi_family *family;
	const char *variant;
	bool bspx;
} room_case;

static const room_case rooms[] = {
	{ &bspi_family_quake3, "quake3", false }, { &bspi_family_quake3, "raven", false },
	{ &bspi_family_quake, "quake", true }, { &bspi_family_vbsp, "source20", false },
	{ &bspi_family_vbsp, "source19", false },
};

static bspt_bytes build(const room_case *room)
{
	const bspi_variant *variant = bspt_find_variant(room->family, room->variant);
	bspt_parts parts = { .lump_count = 0 };
	if (!room->bspx) return bspt_build_room(room->family, variant);
	assert_true(bspt_room_parts(room->family, variant, &parts));
	bspt_room_bspx(&parts);
	return bspt_encode_parts(variant, &parts);
}

/* Returns the next number of a generator with the same numbers on every machine. */
static uint32_t draw(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*state * below) >> 32);
}

static void init_options(bspscene_load_options *options)
{
	bspscene_load_options_init(options);
	options->lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_DISPLAY;
	options->keep_map_light = options->light_probes = true;
	options->textures = BSPSCENE_TEXTURES_NAMES;
	options->memory_limit = (uint64_t)64 << 20;
}

/* Returns false if the map does not load or has no light. */
static bool can_be_baked(bspt_bytes map, const bspscene_load_options *options)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, options, &error);
	bool lit = scene && scene->map_light;
	assert_true(scene || error.message[0]);
	for (uint32_t i = 0; lit && i < scene->map_light->probe_count; i++) {
		for (int k = 0; k < 3; k++) assert_true(isfinite(scene->map_light->probes[i].origin[k]));
	}
	bspscene_scene_free(scene);
	return lit;
}

static bspscene_light_list *find_probes(bspt_baked *b)
{
	for (uint32_t i = 0; i < b->light.list_count; i++) {
		if (!strcmp(b->lists[i].name, "probes")) return &b->lists[i];
	}
	return NULL;
}

/* Gives new light to all probes and writes the map. The written map must load, and must not be smaller than the old
 * one. */
static bool write_back(bspt_baked *b, bspt_bytes map, const bspscene_load_options *options)
{
	bspscene_light_list *list = find_probes(b);
	bspscene_error error;
	if (!list) return false;
	assert_int_equal(list->count, b->scene->map_light->probe_count * SIDES);
	uint8_t *luxels = (uint8_t *)(uintptr_t)list->luxels.data;
	for (uint32_t i = 0; i < 3 * list->count; i++) luxels[i] = (uint8_t)(luxels[i] ^ (0x40 + i % 7));
	bspt_relit *r = bspt_relight_as(b, map, options, NULL);
	if (r->ok) {
		bspt_bytes out = bspt_relit_map(r);
		assert_true(out.size >= map.size);
		bspscene_scene *again = bspscene_load_memory(out.data, out.size, options, &error);
		if (!again) fail_msg("%s", error.message);
		bspscene_scene_free(again);
		test_free(out.data);
	} else {
		assert_true(r->error.message[0] && !r->captured.file_count);
	}
	bool done = r->ok;
	bspt_relit_free(r);
	return done;
}

static void attack(const room_case *room)
{
	bspt_bytes map = build(room), hurt = { test_malloc(map.size), map.size };
	uint32_t state = 1, written = 0;
	bspscene_load_options options;
	init_options(&options);
	for (uint32_t i = 0; i < DRAWS; i++) {
		memcpy(hurt.data, map.data, map.size);
		uint32_t faults = 1 + draw(&state, 3);
		/* Half of the faults hit the header and the directory, since most other bytes are pages. */
		for (uint32_t k = 0; k < faults; k++) {
			uint32_t below = draw(&state, 2) ? 1200 : (uint32_t)map.size;
			hurt.data[draw(&state, below < map.size ? below : (uint32_t)map.size)] = (uint8_t)draw(&state, 256);
		}
		if (!can_be_baked(hurt, &options)) continue;
		bspt_baked b;
		assert_true(bspt_bake_as(&b, hurt, &options));
		written += write_back(&b, hurt, &options);
		bspt_baked_free(&b);
	}
	if (!written) fail_msg("%s: nothing was ever written", room->variant);
	test_free(hurt.data);
	free(map.data);
}

static void damaged_maps_do_no_harm(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) attack(&rooms[i]);
}

/* Probes of one map are written into another map. This is refused unless both maps have the same number of probes. */
static void probes_of_other_maps_are_refused(void **state)
{
	(void)state;
	bspscene_load_options options;
	init_options(&options);
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		bspt_bytes own = build(&rooms[i]);
		for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) {
			bspt_bytes other = build(&rooms[k]);
			bspt_baked b;
			assert_true(bspt_bake_as(&b, other, &options));
			b.light.rect_count = b.light.lightmap_set_count = 0;
			b.light.layout_hash[0] = b.light.light_hash[0] = b.light.light[0] = 0;
			b.light.overbright = 0;
			bspscene_light_list kept = *find_probes(&b), first = b.lists[0];
			b.lists[0] = kept;
			b.light.list_count = 1;
			bspt_relit *r = bspt_relight_as(&b, own, &options, NULL);
			assert_true(r->ok || r->error.message[0]);
			if (i == k) assert_true(r->ok && r->report.identical);
			bspt_relit_free(r);
			b.lists[0] = first;
			b.light.list_count = b.scene->map_light->list_count;
			b.light.lightmap_set_count = b.scene->lightmap_set_count;
			bspt_baked_free(&b);
			free(other.data);
		}
		free(own.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_maps_do_no_harm),
		cmocka_unit_test(probes_of_other_maps_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
