/* check_console.c - promise: a map for consoles gives the scene of the PC's map that it was made from.
 *
 *     check_console [MAP]...
 *
 * Converts each map of VBSP 20 and 21 to big-endian with the tests' own code, and reads it again. The scenes of both
 * are equal bit by bit, with display light and with HDR light. A real map of a console is read without conversion; it
 * has compressed lumps, and light for HDR displays only. Without maps the exit code is 77. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"
#include "support/source/swap_source.h"

enum { SKIPPED = 77, SHACK_FACES = 757, SHACK_LIT = 724, SHACK_PROPS = 2, SHACK_CLUSTERS = 150, SHACK_SAMPLES = 1497 };

static bspscene_scene *load(bspt_bytes file, bspscene_lightmap_encoding encoding, const char *name)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.lightmap_encoding = encoding;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fprintf(stderr, "%s: %s\n", name, error.message);
	return scene;
}

/* True if swap_source.c can convert the file. In maps of Left 4 Dead 2, each entry of the directory begins with the
 * version. */
static bool is_known(bspt_bytes file, bool *version_first)
{
	if (file.size < 8 || memcmp(file.data, "VBSP", 4) || file.data[5] || (file.data[4] != 20 && file.data[4] != 21)) {
		return false;
	}
	bspscene_scene *scene = load(file, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, "the map");
	if (scene) *version_first = !strcmp(scene->variant, "left4dead2");
	bspscene_scene_free(scene);
	return scene != NULL;
}

static bool is_same(bspt_bytes pc, bspt_bytes console, bspscene_lightmap_encoding encoding, const char *name)
{
	bspscene_scene *one = load(pc, encoding, name), *two = load(console, encoding, name);
	bool same = one && two && bspt_scene_hash(one) == bspt_scene_hash(two);
	if (one && two && !same) fprintf(stderr, "%s: another scene on the console\n", name);
	bspscene_scene_free(one);
	bspscene_scene_free(two);
	return same;
}

/* Converts a map, checks the result, and adds to the numbers of maps and failures. */
static void check_turned(const char *path, int *maps, int *failures)
{
	bspt_bytes file = bspt_read_file(path);
	bool version_first;
	if (is_known(file, &version_first)) {
		bspt_bytes console = bspt_swap_source(file.data, file.size, version_first);
		bool same = is_same(file, console, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, path) &&
		            is_same(file, console, BSPSCENE_LIGHTMAP_ENCODING_HDR, path);
		printf("%s: %s\n", path, same ? "the same" : "NOT THE SAME");
		*maps += 1;
		*failures += !same;
		free(console.data);
	}
	free(file.data);
}

/* Compares a map's counts of faces, lit faces, static props, clusters and ambient light samples with those that its
 * source text and the compiler's listing state. Returns true if they are equal. */
static bool check_shack(const char *path)
{
	bspt_bytes file = bspt_read_file(path);
	bspscene_scene *scene = load(file, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, path);
	bool ok = scene && scene->counts->faces == SHACK_FACES && scene->counts->lightmap_faces == SHACK_LIT &&
	          scene->counts->static_props == SHACK_PROPS && scene->vis && scene->vis->cluster_count == SHACK_CLUSTERS &&
	          scene->ambient_count == SHACK_SAMPLES;
	printf("%s: %s\n", path, ok ? "as it was made" : "NOT AS IT WAS MADE");
	bspscene_scene_free(scene);
	free(file.data);
	return ok;
}

int main(int argc, char **argv)
{
	const char *data = getenv("BSPSCENE_SHARED_DATA");
	char path[1024];
	int maps = 0, failures = 0;
	for (int i = 1; i < argc; i++) check_turned(argv[i], &maps, &failures);
	snprintf(path, sizeof path, "%s/maps/other/v20_xbox360_shack.bsp", data ? data : "");
	FILE *there = fopen(path, "rb");
	if (there) {
		fclose(there);
		failures += !check_shack(path);
	} else {
		printf("skipped: %s is not here (BSPSCENE_SHARED_DATA)\n", path);
	}
	printf("%d maps, %d failures\n", maps, failures);
	return failures ? 1 : maps || there ? 0 : SKIPPED;
}
