/* Promise: in real maps, too, patches that share a border curve share its vertices to the last bit, and no patch is
 * further from its surface than patch_error. The maps are those of the atrium, or the files given as arguments. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/patch_cracks.h"
#include "support/check/patch_error.h"
#include "support/bspt.h"

static const char *const atrium_maps[] = {
	"atrium/quake3/maps/atrium.bsp", "atrium/quake3/maps/atrium_nometa.bsp", "atrium/quake3/maps/atrium_styles.bsp",
	"atrium/et/maps/atrium.bsp",
};

static char **maps;                    /* maps to test, from the command line; ends with NULL */

typedef struct totals {
	bspt_cracks cracks;
	uint32_t maps, patches, limited;
	double error;
} totals;

static bool run_stages(bspi_build *build, bspi_map *map, bspi_bytes file)
{
	return bspi_read_map(build->ctx, file, map) && bspi_build_entities(build) && bspi_build_materials(build) &&
	       bspi_prepare_lighting(build) && bspi_build_plan(build) && bspi_build_lightmaps(build) &&
	       bspi_build_meshes(build);
}

static void add_patches(const bspi_build *build, totals *sum)
{
	for (uint32_t i = 0; i < build->scene->face_count; i++) {
		if (build->map->faces[build->scene->faces[i].record].kind != BSPI_FACE_PATCH) continue;
		double error = bspt_patch_error(build, &build->scene->faces[i]);
		sum->patches++;
		if (error > sum->error) sum->error = error;
	}
	for (uint32_t i = 0; i < build->ctx->warning_count; i++) {
		if (build->ctx->warnings[i].code == BSPSCENE_WARNING_LIMIT) sum->limited += build->ctx->warnings[i].count;
	}
	bspt_cracks cracks = bspt_find_cracks(build);
	sum->cracks.touching += cracks.touching;
	sum->cracks.torn += cracks.torn;
	sum->cracks.apart += cracks.apart;
	sum->cracks.on_straight += cracks.on_straight;
	sum->cracks.open += cracks.open;
	sum->maps++;
}

static void measure_map(const char *path, float patch_error, totals *sum)
{
	bspt_bytes file = bspt_read_file(path);
	bspi_ctx ctx = { .file = path, .name = "map" };
	bspscene_load_options_init(&ctx.options);
	ctx.options.textures = BSPSCENE_TEXTURES_NONE;
	ctx.options.patch_error = patch_error;
	ctx.options.lightmap_page_size = 4096;
	ctx.options.lightmap_gutter = 1;
	ctx.budget.limit = (uint64_t)4 << 30;
	bspi_begin_memory(&ctx);
	bspi_map map;
	bspscene_scene scene = { 0 };
	bspi_scene_parts parts = { .counts = { 0 } };
	bspi_set_parts(&scene, &parts);
	bspi_build build = { .ctx = &ctx, .map = &map, .scene = &scene, .parts = &parts };
	if (!run_stages(&build, &map, bspi_bytes_of(file.data, file.size))) fail_msg("%s", ctx.error.message);
	add_patches(&build, sum);
	bspi_end_memory(&ctx);
	free(file.data);
}

static void check_totals(const totals *sum, float patch_error)
{
	print_message("%u maps, %u patches, error %.3f of %g (%u limited); %u border vertices on other borders: "
	              "%u torn, and where control points differ: %u apart, %u on straight lines, %u open\n",
	              sum->maps, sum->patches, sum->error, (double)patch_error, sum->limited, sum->cracks.touching,
	              sum->cracks.torn, sum->cracks.apart, sum->cracks.on_straight, sum->cracks.open);
	assert_true(sum->patches > 0 && sum->cracks.touching > 0);
	assert_int_equal(sum->cracks.torn, 0);
	assert_true(sum->error <= (double)patch_error || sum->limited);
}

static void test_maps(void **state)
{
	(void)state;
	static const float errors[] = { 4, 1 };
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		totals sum = { .maps = 0 };
		for (char **map = maps; *map; map++) measure_map(*map, errors[i], &sum);
		for (size_t k = 0; !*maps && k < sizeof atrium_maps / sizeof *atrium_maps; k++) {
			measure_map(bspt_fixture_path(atrium_maps[k]), errors[i], &sum);
		}
		check_totals(&sum, errors[i]);
		/* The atrium has no cracks at all. */
		if (!*maps) assert_int_equal(sum.cracks.apart + sum.cracks.on_straight + sum.cracks.open, 0);
	}
}

int main(int argument_count, char **arguments)
{
	(void)argument_count;
	maps = arguments + 1;
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_maps) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
