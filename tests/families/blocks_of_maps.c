/* blocks_of_maps.c - checks maps of Quake, GoldSrc and Quake II. Every luxel that the second uvs lead to equals that of
 * the file, and the blocks of luxels follow each other without overlap: check_blocks MAP.bsp... Maps of other families
 * are skipped. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/bspt.h"
#include "support/check/check_blocks.h"

/* A function that opens the .lit file next to the map, and no other file. */
static bool open_light(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_bytes *lit = user;
	size_t length = strlen(path);
	if (kind != BSPSCENE_FILE_LIGHT || !lit->size || length < 4 || strcmp(path + length - 4, ".lit")) return false;
	*stream = (bspscene_stream){ .data = lit->data, .size = lit->size };
	return true;
}

static bspt_bytes read_lit(const char *map)
{
	char path[4096];
	struct stat status;
	snprintf(path, sizeof path, "%.*s.lit", (int)(strlen(map) - 4), map);
	return stat(path, &status) ? (bspt_bytes){ malloc(1), 0 } : bspt_read_file(path);
}

static bool check_map(const char *path, uint64_t *luxels)
{
	bspt_bytes file = bspt_read_file(path), lit = read_lit(path);
	if (!bspt_has_blocks(file)) {
		free(file.data);
		free(lit.data);
		return true;
	}
	bspt_report report = { 0 };
	bspt_blocks found = { 0 };
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	options.textures = BSPSCENE_TEXTURES_NONE;
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.open_file = open_light;
	options.file_user = &lit;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	BSPT_EXPECT(&report, scene, "%s", error.message);
	if (scene) bspt_check_blocks(scene, file, &lit, &found, &report);
	BSPT_EXPECT(&report, !found.overlaps && (!found.gaps || found.own_sizes), "the blocks do not fill their lump");
	printf("%s: %u faces in %u blocks, %" PRIu64 " luxels, %u gaps, %u overlaps, "
	       "%" PRIu64 " bytes behind the last%s%s\n", path, (unsigned)found.faces, (unsigned)found.blocks, found.luxels,
	       (unsigned)found.gaps, (unsigned)found.overlaps, found.spare, report.failures ? ": " : "", report.first);
	*luxels += found.luxels;
	bspscene_scene_free(scene);
	free(file.data);
	free(lit.data);
	return !report.failures;
}

int main(int argc, char **argv)
{
	uint64_t luxels = 0;
	int wrong = 0;
	for (int i = 1; i < argc; i++) wrong += !check_map(argv[i], &luxels);
	printf("%d maps, %" PRIu64 " luxels compared, %d maps are wrong\n", argc - 1, luxels, wrong);
	return argc > 1 && luxels && !wrong ? EXIT_SUCCESS : EXIT_FAILURE;
}
