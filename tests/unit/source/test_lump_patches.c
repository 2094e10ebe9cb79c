/* Promise: lump patches next to a Source map replace lumps of the map, as in the engine. By default, only the lump of
 * entities is replaced. A patch counts only if it is for the revision of the map. The lump gets the version that the
 * patch states. Of several patches for a lump, the last one is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_map.h"
#include "support/check/scene_find.h"

enum { HEADER = 20 };

static const char text[] = "{\n\"classname\" \"worldspawn\"\n}\n";

typedef struct patch_file {
	uint8_t bytes[256];
	size_t size;
} patch_file;

/* The contents of the files maps/map_l_0.lmp, maps/map_l_1.lmp and so on. */
typedef struct patch_files {
	const patch_file *files;
	size_t count;
} patch_files;

static bool open_patch(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const patch_files *all = user;
	char name[] = "maps/map_l_0.lmp";
	(void)kind;
	for (size_t i = 0; i < all->count; i++, name[11]++) {
		if (strcmp(path, name) != 0) continue;
		*stream = (bspscene_stream){ .data = all->files[i].bytes, .size = all->files[i].size };
		return true;
	}
	return false;
}

static void put(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

static patch_file make_patch(uint32_t offset, uint32_t lump, uint32_t version, uint32_t revision, const char *bytes)
{
	size_t size = strlen(bytes) + 1, at = offset > HEADER && offset < 100 ? offset : HEADER;
	patch_file patch = { .size = at + size };
	const uint32_t header[] = { offset, lump, version, (uint32_t)size, revision };
	for (size_t i = 0; i < 5; i++) put(patch.bytes + 4 * i, header[i]);
	memcpy(patch.bytes + at, bytes, size);
	return patch;
}

static bspscene_scene *load(bspt_bytes file, const patch_file *files, size_t count, bool beside, bool others)
{
	patch_files all = { files, count };
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.open_file = open_patch;
	options.file_user = &all;
	options.lump_patches = others;
	options.entity_source = beside ? BSPSCENE_ENTITY_SOURCE_BESIDE : BSPSCENE_ENTITY_SOURCE_MAP;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, NULL);
	assert_non_null(scene);
	return scene;
}

static void patches_are_for_one_lump_and_revision(void **state)
{
	(void)state;
	enum { OLD = 9, NEW = 1 };
	static const struct {
		bool beside, others;
		uint32_t lump, revision, offset, entities;
		bspscene_warning_code warning; /* FORCE_32BIT means no warning */
	} cases[] = {
		{ true, true, VBSP_ENTITIES, 0, HEADER, NEW, BSPSCENE_WARNING_FORCE_32BIT },
		{ true, false, VBSP_ENTITIES, 0, HEADER, NEW, BSPSCENE_WARNING_FORCE_32BIT },
		{ false, true, VBSP_ENTITIES, 0, HEADER, OLD, BSPSCENE_WARNING_FORCE_32BIT },
		{ true, true, VBSP_ENTITIES, 0, HEADER + 4, NEW, BSPSCENE_WARNING_FORCE_32BIT },
		{ true, true, VBSP_ENTITIES, 7, HEADER, OLD, BSPSCENE_WARNING_FILE_STALE },
		{ true, true, VBSP_ENTITIES, 0xffffffff, HEADER, OLD, BSPSCENE_WARNING_FILE_STALE }, /* revision -1 is stale */
		{ true, true, VBSP_ENTITIES, 0, 4000, OLD, BSPSCENE_WARNING_LUMP_BAD },
		{ true, true, VBSP_ENTITIES, 0, HEADER - 1, OLD, BSPSCENE_WARNING_LUMP_BAD },
		{ true, true, 62, 0, HEADER, OLD, BSPSCENE_WARNING_FORCE_32BIT }, /* the library does not read this lump */
		/* The new content is invalid for this lump, so the warning shows that the lump was replaced. */
		{ true, true, 63, 0, HEADER, OLD, BSPSCENE_WARNING_LUMP_BAD },
		{ true, false, 63, 0, HEADER, OLD, BSPSCENE_WARNING_FORCE_32BIT },
		{ true, true, 64, 0, HEADER, OLD, BSPSCENE_WARNING_LUMP_BAD },
		{ true, true, 0xffffffff, 0, HEADER, OLD, BSPSCENE_WARNING_LUMP_BAD },
		{ true, true, VBSP_GAME_LUMP, 0, HEADER, OLD, BSPSCENE_WARNING_LUMP_BAD },
	};
	bspt_bytes file = bspt_build_room(&bspi_family_vbsp, &bspi_family_vbsp.variants[0]);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		patch_file patch = make_patch(cases[i].offset, cases[i].lump, 0, cases[i].revision, text);
		bspscene_scene *scene = load(file, &patch, 1, cases[i].beside, cases[i].others);
		if (scene->entity_count != cases[i].entities) fail_msg("case %zu: %u entities", i, scene->entity_count);
		uint32_t stale = bspt_count_warnings(scene, BSPSCENE_WARNING_FILE_STALE);
		uint32_t bad = bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD);
		if (stale != (cases[i].warning == BSPSCENE_WARNING_FILE_STALE) ||
		    bad != (cases[i].warning == BSPSCENE_WARNING_LUMP_BAD)) {
			fail_msg("case %zu: %u stale, %u bad", i, stale, bad);
		}
		bspscene_scene_free(scene);
	}
	free(file.data);
}

/* The files are numbered. A damaged patch, or one for another revision, does not end the search for further numbers. */
static void the_last_patch_wins(void **state)
{
	static const char longer[] = "{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"info_null\"\n}\n";
	static const struct { uint32_t revisions[3], offsets[3], entities; } cases[] = {
		{ { 0, 0, 0 }, { HEADER, HEADER, HEADER }, 2 },
		{ { 0, 0, 7 }, { HEADER, HEADER, HEADER }, 1 },
		{ { 0, 7, 0 }, { HEADER, HEADER, HEADER }, 2 },
		{ { 0, 0, 0 }, { 4000, HEADER, 4000 }, 1 },
	};
	(void)state;
	bspt_bytes file = bspt_build_room(&bspi_family_vbsp, &bspi_family_vbsp.variants[0]);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		patch_file patches[3];
		for (size_t k = 0; k < 3; k++) {
			patches[k] = make_patch(cases[i].offsets[k], VBSP_ENTITIES, 0, cases[i].revisions[k],
			                        k == 1 ? text : longer);
		}
		bspscene_scene *scene = load(file, patches, 3, true, false);
		if (scene->entity_count != cases[i].entities) fail_msg("case %zu: %u entities", i, scene->entity_count);
		bspscene_scene_free(scene);
	}
	free(file.data);
}

/* In version 25, entities have escapes from version 1 of their lump on. */
static void patches_have_their_own_version(void **state)
{
	static const char escaped[] = "{\n\"classname\" \"worldspawn\"\n\"message\" \"a\\tb\"\n}\n";
	uint32_t tried = 0;
	(void)state;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		if (variant->version != 25) continue;
		bspt_bytes file = bspt_build_room(&bspi_family_vbsp, variant);
		for (uint32_t version = 0; version < 2; version++) {
			patch_file patch = make_patch(HEADER, VBSP_ENTITIES, version, 0, escaped);
			bspscene_scene *scene = load(file, &patch, 1, true, false);
			assert_int_equal(scene->entity_count, 1);
			assert_string_equal(scene->pairs[scene->entities[0]->first_pair + 1].value, version ? "a\tb" : "a\\tb");
			assert_true(scene->escaped_text == (version == 1));
			bspscene_scene_free(scene);
			tried++;
		}
		free(file.data);
	}
	assert_true(tried >= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patches_are_for_one_lump_and_revision), cmocka_unit_test(the_last_patch_wins),
		cmocka_unit_test(patches_have_their_own_version),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
