/* render_options.c - see render_options.h. */
#include "cli/options/render_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

static const cli_word mode_words[] = {
	{ "full", CLI_MODE_FULL }, { "lightmap", CLI_MODE_LIGHTMAP }, { "texture", CLI_MODE_TEXTURE }, { NULL, 0 },
};

static bool set_camera(const cli_option_row *row, const char *value, void *options)
{
	cli_render_options *own = options;
	const char *at = value;
	for (int i = 0; i < 6; i++) {
		char *end;
		double number = strtod(at, &end);
		bool last = !*end && i >= 4;
		if (end == at || !(fabs(number) <= 1e6) || (*end != ',' && !last) || (*end && i == 5)) break;
		own->camera[i] = (float)number;
		at = end + 1;
		own->has_camera = last;
		if (last) return true;
	}
	cli_usage("--%s: \"%s\" is not X,Y,Z,PITCH,YAW", row->name, value);
	return false;
}

static bool set_exposure(const cli_option_row *row, const char *value, void *options)
{
	cli_render_options *own = options;
	own->exposure = CLI_EXPOSURE_AUTO;
	return !strcmp(value, "auto") || cli_read_number(row->name, value, 0.01f, 100, &own->exposure);
}

const cli_option_row cli_render_rows[] = {
	{ "fov", "DEG",
	  "horizontal field of view (default: the camera's own)",
	  .apply = cli_set_number, .member = offsetof(cli_render_options, fov_degrees), .least = 1, .most = 170,
	  .group = CLI_GROUP_VIEW },
	{ "camera", "X,Y,Z,PITCH,YAW",
	  "look from this place in game units;\n"
	  "pitch turns down and yaw turns left, in degrees; a sixth number rolls to the right",
	  .apply = set_camera, .group = CLI_GROUP_VIEW },
	{ "entity", "CLASS[:N]",
	  "look from this entity, the N-th of its class (the first is 0)",
	  .apply = cli_set_text, .member = offsetof(cli_render_options, entity), .group = CLI_GROUP_VIEW },
	{ "every", "CLASS",
	  "draw one sheet with the views from all entities of a class;\n"
	  "--size is that of each view",
	  .apply = cli_set_text, .member = offsetof(cli_render_options, every), .group = CLI_GROUP_VIEW },
	{ "overview", NULL,
	  "draw the map from above, without roofs and fog",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, overview), .group = CLI_GROUP_VIEW },
	{ "plan", NULL,
	  "draw the map straight from above, +Y up, with a scale bar in meters",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, plan), .group = CLI_GROUP_VIEW },
	{ "turn", NULL,
	  "write OUT.webp, an animation of the map on a turntable;\n"
	  "12 frames a second, endless (default size 480x360)",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, turn), .group = CLI_GROUP_VIEW },
	{ "panorama", NULL,
	  "draw the sky alone, all around, as OUT.png, .jpg, .exr, .hdr (Radiance), .tga or .bmp;\n"
	  "--camera chooses the place (default size: four times that of the sky's pictures)",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, panorama), .group = CLI_GROUP_VIEW },
	{ "frames", "N",
	  "number of frames of --turn, 1 to 720 (default 72)",
	  .apply = cli_set_count, .member = offsetof(cli_render_options, frames), .most = 720, .group = CLI_GROUP_VIEW },
	{ "roofs", NULL,
	  "draw back faces as well; a view from above then shows roofs",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, roofs), .group = CLI_GROUP_GEOMETRY },
	{ "mode", "KIND",
	  "what to draw\n"
	  "full: textures and light, as in the game (default)\n"
	  "lightmap: the lightmaps alone; --intensity has no effect\n"
	  "texture: the textures without light; --intensity has no effect",
	  .apply = cli_set_word, .member = offsetof(cli_render_options, mode), .words = mode_words,
	  .group = CLI_GROUP_LIGHT },
	{ "intensity", "X",
	  "factor for the lightmaps in place of the engine's (default: as in the game)",
	  .apply = cli_set_number, .member = offsetof(cli_render_options, intensity), .least = 0.01f, .most = 100,
	  .group = CLI_GROUP_LIGHT },
	{ "exposure", "auto|X",
	  "brighten the picture by this factor (1: as in the game);\n"
	  "auto brightens a dark picture until it is easy to see (default: auto for --overview, --plan and --turn without "
	  "--intensity, else 1)",
	  .apply = set_exposure, .group = CLI_GROUP_LIGHT },
	{ "level", "N",
	  "draw only what the game shows up to this level, 1 to 8\n"
	  "(UFO: Alien Invasion; default: all levels)",
	  .apply = cli_set_count, .member = offsetof(cli_render_options, level), .most = 8, .group = CLI_GROUP_GEOMETRY },
	{ "world-only", NULL,
	  "leave out the brushes and models of entities",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, world_only), .group = CLI_GROUP_GEOMETRY },
	{ "pvs", NULL,
	  "leave out what the map's visibility data hides from the camera, as the game does",
	  .apply = cli_set_switch, .member = offsetof(cli_render_options, pvs), .group = CLI_GROUP_GEOMETRY },
	{ "time", "SECONDS",
	  "time of animations and waves (default 0)",
	  .apply = cli_set_number, .member = offsetof(cli_render_options, time), .least = 0, .most = 1e6f,
	  .group = CLI_GROUP_VIEW },
	{ "samples", "N",
	  "rays per pixel, 1 to 64 (default 4)",
	  .apply = cli_set_count, .member = offsetof(cli_render_options, samples), .most = 64, .group = CLI_GROUP_VIEW },
	{ .name = NULL },
};
