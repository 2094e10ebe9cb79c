/* golden.c - compares each fixture's scene, in the `text` form, with golden/<fixture>.txt: golden DIRECTORY
 * [--update] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/source.h>

#include "support/golden_file.h"
#include "support/text/scene_text.h"

static const struct {
	const char *name, *map, *game;     /* paths relative to fixtures/, except the name */
	uint32_t include;
	bspscene_lightmap_encoding encoding;
} cases[] = {
	{ "quake3_atrium", "atrium/quake3/maps/atrium.bsp", "atrium/quake3", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_all", "atrium/quake3/maps/atrium.bsp", "atrium/quake3", BSPSCENE_SURFACE_ALL,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_raw", "atrium/quake3/maps/atrium.bsp", "atrium/quake3", 0, BSPSCENE_LIGHTMAP_ENCODING_RAW },
	{ "quake3_atrium_hdr", "atrium/quake3/maps/atrium.bsp", "atrium/quake3", 0, BSPSCENE_LIGHTMAP_ENCODING_HDR },
	{ "quake3_atrium_alone", "atrium/quake3/maps/atrium.bsp", NULL, 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_deluxe", "atrium/quake3/maps/atrium_deluxe.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_external", "atrium/quake3/maps/atrium_external.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_nometa", "atrium/quake3/maps/atrium_nometa.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_patchmeta", "atrium/quake3/maps/atrium_patchmeta.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake3_atrium_styles", "atrium/quake3/maps/atrium_styles.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "eliteforce_atrium", "atrium/eliteforce/maps/atrium.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "et_atrium", "atrium/et/maps/atrium.bsp", "atrium/quake3", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quakelive_atrium", "atrium/quakelive/maps/atrium.bsp", "atrium/quake3", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "rtcw_atrium", "atrium/rtcw/maps/atrium.bsp", "atrium/quake3", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "jediacademy_atrium", "atrium/jediacademy/maps/atrium.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "qfusion_atrium_unlit", "atrium/qfusion/maps/atrium_unlit.bsp", "atrium/quake3", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake_atrium", "atrium/quake/maps/atrium.bsp", "atrium/quake", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake_atrium_all", "atrium/quake/maps/atrium.bsp", "atrium/quake", BSPSCENE_SURFACE_ALL,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake_atrium_alone", "atrium/quake/maps/atrium.bsp", NULL, 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake_atrium_bspx", "atrium/quake/maps/atrium_bspx.bsp", "atrium/quake", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake_bsp2_atrium", "atrium/quake_bsp2/maps/atrium.bsp", "atrium/quake_bsp2", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake_2psb_atrium", "atrium/quake_2psb/maps/atrium.bsp", "atrium/quake_2psb", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "hexen2_atrium", "atrium/hexen2/maps/atrium.bsp", "atrium/hexen2", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "goldsrc_atrium_wad", "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake2_atrium", "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_q2map", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake2_atrium_all", "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_q2map", BSPSCENE_SURFACE_ALL,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "quake2_qbism_atrium", "atrium/quake2_qbism/maps/atrium.bsp", "atrium/quake2_q2map", 0,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "nightfire_room", "nightfire/maps/room.bsp", "nightfire", BSPSCENE_SURFACE_ALL,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "mohaa_room", "mohaa/maps/room.bsp", NULL, 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "ufoai_room", "ufoai/maps/room.bsp", "ufoai", BSPSCENE_SURFACE_ALL, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "ufoai_house", "ufoai/maps/yard/y_house.bsp", "ufoai", 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "callofduty_room", "callofduty/maps/room.bsp", "callofduty", BSPSCENE_SURFACE_ALL,
	  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "callofduty4_room", "callofduty4/maps/room.bsp", NULL, BSPSCENE_SURFACE_ALL, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "genesis3d_room", "genesis3d/maps/room.bsp", NULL, BSPSCENE_SURFACE_ALL, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "respawn_room", "respawn/maps/room.bsp", NULL, BSPSCENE_SURFACE_ALL, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "source_room", "source/maps/room.bsp", NULL, 0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
};

/* Loads use several threads, to test that their number does not change the scene. */
enum { THREADS = 4 };

typedef struct text {
	char *data;
	size_t size, capacity;
} text;

static bool begin(void *user, const char *name) { (void)user; (void)name; return true; }
static bool end(void *user) { (void)user; return true; }

static bool append(void *user, const void *data, size_t size)
{
	text *t = user;
	if (t->size + size + 1 > t->capacity) {
		t->capacity = (t->size + size + 1) * 2;
		t->data = realloc(t->data, t->capacity);
		if (!t->data) bspt_die("allocate", "text");
	}
	memcpy(t->data + t->size, data, size);
	t->size += size;
	t->data[t->size] = 0;
	return true;
}

/* Loads a case by bspscene_open with its game, or only the file if the case names no game. */
static bspscene_scene *load(const char *path, size_t index, bspscene_error *error)
{
	bspscene_open_options open;
	bspscene_load_options options;
	bspscene_open_options_init(&open);
	bspscene_load_options_init(&options);
	options.include_mask = cases[index].include;
	options.lightmap_encoding = cases[index].encoding;
	options.keep_map_light = true;
	options.threads = THREADS;
	if (!cases[index].game) return bspscene_load_file(path, &options, error);
	const char *game = bspt_fixture_path(cases[index].game);
	open.games = &game;
	open.game_count = 1;
	open.load = &options;
	return bspscene_open(path, &open, error);
}

static text write_text(size_t index)
{
	bspscene_error error;
	bspscene_scene *scene = load(bspt_fixture_path(cases[index].map), index, &error);
	if (!scene) bspt_die("load", error.message);
	text out = { 0 };
	bspscene_output output = { sizeof output, &out, begin, append, end };
	if (!bspt_write_text(scene, NULL, &output, &error)) bspt_die("write", error.message);
	bspscene_scene_free(scene);
	return out;
}

/* Prints the first line that differs, with its number. */
static void show_difference(const char *name, const char *got, const char *wanted)
{
	for (int line = 1;; line++) {
		size_t a = strcspn(got, "\n"), b = strcspn(wanted, "\n");
		if (a != b || memcmp(got, wanted, a)) {
			printf("tests/golden/%s.txt:%d differs\n  golden: %.*s\n  now:    %.*s\n", name, line, (int)b, wanted,
			       (int)a, got);
			return;
		}
		if (!got[a] || !wanted[b]) break;
		got += a + 1;
		wanted += b + 1;
	}
	printf("tests/golden/%s.txt: the golden and the scene as it is now have different lengths\n", name);
}

int main(int argc, char **argv)
{
	bool update = argc == 3 && !strcmp(argv[2], "--update");
	if (argc < 2) return 2;
	int differences = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s.txt", argv[1], cases[i].name);
		text now = write_text(i);
		bspt_bytes golden = bspt_golden_that_differs(path, now.data, now.size, update);
		if (golden.data) {
			golden.data[golden.size] = 0;
			show_difference(cases[i].name, now.data, (const char *)golden.data);
			differences++;
		}
		free(golden.data);
		free(now.data);
	}
	if (differences) {
		printf("%d goldens differ. If the new scenes are right, record them with\n"
		       "`cmake --build build/dev --target golden_update` and say in the commit why they changed.\n",
		       differences);
	}
	return differences != 0;
}
