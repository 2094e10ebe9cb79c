/* counted_work.c - loads and writes the fixtures of eight families. Each load or write is one call of `counted_cell`;
 * valgrind counts the instructions of each call for counted_work.py: counted_work FIXTURES
 *
 * Prints a line for each call, in order: "FIXTURE WORK". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/bspscene.h>
#include <bspscene/source.h>

static const struct { const char *name, *map, *game; } fixtures[] = {
	{ "quake", "atrium/quake/maps/atrium_bspx.bsp", NULL },
	{ "quake_bsp2", "atrium/quake_bsp2/maps/atrium.bsp", "atrium/quake" },
	{ "goldsrc", "atrium/goldsrc/maps/atrium_wad.bsp", NULL },
	{ "quake2", "atrium/quake2_q2map/maps/atrium.bsp", NULL },
	{ "quake3", "atrium/quake3/maps/atrium_styles.bsp", NULL },
	{ "jediacademy", "atrium/jediacademy/maps/atrium.bsp", "atrium/quake3" },
	{ "mohaa", "mohaa/maps/room.bsp", NULL },
	{ "source", "source/maps/room.bsp", NULL },
};
static const struct { const char *name, *writer; bspscene_write_lighting lighting; } outputs[] = {
	{ "glb", "glb", BSPSCENE_WRITE_LIGHTING_DEFAULT }, { "glb_lightmap", "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP },
	{ "fbx", "fbx", BSPSCENE_WRITE_LIGHTING_DEFAULT }, { "usda", "usda", BSPSCENE_WRITE_LIGHTING_DEFAULT },
	{ "bake", "atlas", BSPSCENE_WRITE_LIGHTING_DEFAULT },
};

static bool begin(void *user, const char *name) { (void)user; (void)name; return true; }
static bool swallow(void *user, const void *data, size_t size) { (void)user; (void)data; (void)size; return true; }
static bool end(void *user) { (void)user; return true; }

/* If `*scene` is NULL, loads the scene from `place`. Otherwise writes the scene; `output` is an index into `outputs`.
 * Returns false with `error` set if this fails. Valgrind finds this function by its name. */
bool counted_cell(const bspscene_source *place, size_t output, bspscene_scene **scene, bspscene_error *error);

#if defined(__GNUC__)
__attribute__((noinline))
#endif
bool counted_cell(const bspscene_source *place, size_t output, bspscene_scene **scene, bspscene_error *error)
{
	if (!*scene) {
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.threads = 1;           /* valgrind counts only in the thread of the function */
		*scene = bspscene_source_load(place, 0, &options, error);
		return *scene != NULL;
	}
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.lighting = outputs[output].lighting;
	options.threads = 1;
	bspscene_output to;
	bspscene_output_init(&to);
	to.begin = begin;
	to.write = swallow;
	to.end = end;
	return bspscene_write(*scene, outputs[output].writer, &options, &to, error);
}

static int fail(const char *what, const bspscene_error *error)
{
	fprintf(stderr, "%s: %s\n", what, error->message);
	return 1;
}

static int work(const char *root, size_t index)
{
	char map[1024], game[1024];
	const char *const games[] = { game };
	bspscene_error error;
	bspscene_source_options options;
	bspscene_source_options_init(&options);
	snprintf(map, sizeof map, "%s/%s", root, fixtures[index].map);
	snprintf(game, sizeof game, "%s/%s", root, fixtures[index].game ? fixtures[index].game : "");
	options.games = games;
	options.game_count = fixtures[index].game != NULL;
	bspscene_source *place = bspscene_source_open(map, &options, &error);
	if (!place) return fail(map, &error);
	bspscene_scene *scene = NULL;
	if (!counted_cell(place, 0, &scene, &error)) return fail(map, &error);
	printf("%s load\n", fixtures[index].name);
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
		if (!counted_cell(place, i, &scene, &error)) return fail(outputs[i].name, &error);
		printf("%s %s\n", fixtures[index].name, outputs[i].name);
	}
	bspscene_scene_free(scene);
	bspscene_source_free(place);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
		int status = work(argv[1], i);
		if (status) return status;
	}
	return 0;
}
