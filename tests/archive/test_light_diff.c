/* Promise: two loads of one map have the same light, whole or sparse, and luxels of any light style that differ are
 * counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "archive/diff/light_diff.h"
#include "support/bspt.h"

enum { BLOCK = BSPSCENE_LIGHTMAP_BLOCK * BSPSCENE_LIGHTMAP_BLOCK };

static bspscene_scene *load(bspt_bytes map, bool sparse)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NONE;
	options.sparse_lightmaps = sparse;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, NULL);
	assert_non_null(scene);
	return scene;
}

/* Returns the number of luxels that differ between two scenes. */
static uint64_t count_changed(const bspscene_scene *a, const bspscene_scene *b)
{
	cli_face_pairs pairs = cli_pair_faces(a, b);
	cli_light_diff diff = cli_diff_light(a, b, &pairs);
	uint64_t changed = diff.luxels.changed + diff.directions.changed;
	assert_true(diff.luxels.all > 0);
	cli_light_diff_free(&diff);
	cli_face_pairs_free(&pairs);
	return changed;
}

/* Changes the light in the first block of the first sparse page. */
static void change_block(const bspscene_scene *scene)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_blocks *blocks = scene->lightmap_sets[i].pages[0].blocks;
		if (!blocks) continue;
		uint8_t *luxels = (uint8_t *)blocks->luxels;
		for (uint32_t k = 0; k < BLOCK * blocks->luxel_size; k++) luxels[k] ^= luxels[k] ? 0x40 : 0;
		return;
	}
	fail_msg("no page is sparse");
}

static void sparse_pages_are_compared(void **state)
{
	(void)state;
	bspt_bytes map = bspt_read_fixture("atrium/quake/maps/atrium.bsp");
	bspscene_scene *whole = load(map, false), *sparse = load(map, true);
	assert_int_equal(count_changed(whole, sparse), 0);
	change_block(sparse);
	uint64_t changed = count_changed(whole, sparse);
	if (changed < 1 || changed > BLOCK) fail_msg("%u luxels differ", (unsigned)changed);
	bspscene_scene_free(whole);
	bspscene_scene_free(sparse);
	free(map.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sparse_pages_are_compared) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
