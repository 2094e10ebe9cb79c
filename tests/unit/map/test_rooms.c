/* Promise: a small valid map of every variant loads without a warning and keeps all promises. It survives all damage:
 * any byte may be patched, any field may be absurd, and any allocation may fail. The argument is the tier: quick
 * (default) tries a part of the variations, full and slow larger parts, and exhaustive all. Most variations are tried
 * on the first variant of each family, because the others differ from it only in a few tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/check/check_scene.h"
#include "support/hostile/hostile.h"

/* A stride of n means that every n-th variation is tried: of the first variant of each family, and of the other
 * variants. With `write_stride`, every n-th scene of a damaged map is also written. */
static uint32_t first_stride = 29, other_stride = 181, write_stride = 500;

static void for_each_room(void (*check)(const bspi_variant *variant, const char *name, bspt_bytes file))
{
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		for (uint32_t v = 0; v < family->variant_count; v++) {
			bspt_bytes file = bspt_build_room(family, &family->variants[v]);
			check(&family->variants[v], bspt_variant_name(family, &family->variants[v]), file);
			free(file.data);
		}
	}
}

static void check_loads(const bspi_variant *variant, const char *name, bspt_bytes file)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = true;
	options.include_mask = BSPSCENE_SURFACE_ALL;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s: %s", name, error.message);
	if (strcmp(scene->variant, variant->name) != 0) {
		fail_msg("%s: its room is read as the variant %s; look at the family's `bid`", name, scene->variant);
	}
	/* In Dark Messiah's maps, the upper 16 bits of the version are a second number. */
	assert_int_equal(scene->version, variant->version > 0xffff ? variant->version & 0xffff : variant->version);
	bspt_report report = { 0 };
	bspt_context(&report, "%s", name);
	bspt_check_scene(scene, &options, &report);
	bspt_assert_clean(&report);
	if (!(bspt_winding_agreement(scene) == 1)) {
		fail_msg("%s: some triangles of the room face away from their normals; look at the order of corners, in the "
		         "family's `finish` or in the room",
		         name);
	}
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		/* The only warnings are about missing files. */
		bspscene_warning_code code = scene->warnings[i]->code;
		if (code != BSPSCENE_WARNING_TEXTURE_MISSING && code != BSPSCENE_WARNING_FILE_MISSING) {
			fail_msg("%s: %s", name, scene->warnings[i]->message);
		}
	}
	/* The rooms of Call of Duty have no lightmap page, because a page there has 786,432 bytes. Some formats have light
	 * that the library does not read. */
	bool is_lit = scene->lightmap_page_count > 0 || !strncmp(variant->name, "callofduty", 10) ||
	              variant->rules->light_storage == BSPI_STORAGE_NONE;
	if (!scene->mesh_count || !scene->counts->triangles || !is_lit || !scene->light_count) {
		fail_msg(
			"%s: the scene of its room has %u meshes, %u triangles, %u lightmap pages and %u lights; the room (see "
			"`builders` in tests/support/make/build_map.c) should have some of each, but pages only if the family's "
			"rules name a light_storage",
			name, scene->mesh_count, scene->counts->triangles, scene->lightmap_page_count, scene->light_count);
	}
	bspscene_scene_free(scene);
}

static void test_loads(void **state)
{
	(void)state;
	for_each_room(check_loads);
}

static bool is_first_of_family(const bspi_variant *variant)
{
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		if (variant == bspi_families[f]->variants) return true;
	}
	return false;
}

static void check_hostile(const bspi_variant *variant, const char *name, bspt_bytes file)
{
	bspt_report report = { 0 };
	bspt_tally tally = { 0 };
	bspt_victim victim = { .name = name, .data = file.data, .size = file.size, .write_stride = write_stride };
	bool first = is_first_of_family(variant);
	victim.stride = first ? first_stride : other_stride;
	/* The sky is drawn only for the first variant of each family, because all variants of a family have the same kind
	 * of sky. Drawing all skies took two thirds of the time. */
	victim.no_sky = !first && other_stride > 1;
	bspscene_load_options_init(&victim.options);
	victim.options.lightmap_page_size = 64;
	victim.options.include_mask = BSPSCENE_SURFACE_ALL;
	bspt_hostile_all(&victim, &tally, &report);
	bspt_tally_print(&victim, &tally);
	bspt_assert_clean(&report);
}

static void test_hostile(void **state)
{
	(void)state;
	for_each_room(check_hostile);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *tier;
		uint32_t first, other, write;
	} strides[] = { { "full", 19, 127, 150 }, { "slow", 7, 43, 50 }, { "exhaustive", 1, 1, 50 } };
	for (size_t i = 0; argc > 1 && i < sizeof strides / sizeof *strides; i++) {
		if (strcmp(argv[1], strides[i].tier) != 0) continue;
		first_stride = strides[i].first;
		other_stride = strides[i].other;
		write_stride = strides[i].write;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
