/* command_diff.c - bspscene diff: prints what differs between two maps or two archives, as text or JSON. */
#include <string.h>
#include <strings.h>

#include "archive/diff/archive_diff.h"
#include "archive/diff/diff_picture.h"
#include "archive/diff/diff_sides.h"
#include "archive/diff/map_diff.h"
#include "cli/commands/commands.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/options/option_rows.h"
#include "cli/report.h"
#include "cli/command_source.h"

/* Loads one of the two maps. Closes its source at once, because the scene has everything that is compared. */
static bspscene_scene *load(const cli_args *args, const cli_diff_side *side, cli_exit *status)
{
	cli_args one = *args;
	cli_source source;
	bspscene_load_options options;
	one.source = side->path;
	one.map = side->map;
	one.output = NULL;
	one.only_light = true;
	cli_diff_load_options(args, &options);
	bspscene_scene *scene = cli_load(&source, &one, &options, 1, status);
	cli_source_close(&source);
	return scene;
}

static cli_exit compare(const bspscene_scene *a, const bspscene_scene *b, bool as_json)
{
	bspscene_error error;
	bspscene_entity_changes *changes = bspscene_compare_entities(a, b, &error);
	if (!changes) return cli_fail_error("", &error);
	json_t *diff = cli_diff_maps(a, b, changes);
	cli_exit status;
	if (as_json) {
		status = cli_json_print(json_incref(diff));
	} else {
		cli_print_map_diff(diff, changes);
		status = cli_finish_stdout();
	}
	json_decref(diff);
	bspscene_entity_changes_free(changes);
	return status;
}

static cli_exit diff_maps(const cli_args *args, const cli_diff_side sides[CLI_SIDES])
{
	cli_exit status;
	bspscene_scene *a = load(args, &sides[0], &status);
	bspscene_scene *b = a ? load(args, &sides[1], &status) : NULL;
	if (a && b) status = compare(a, b, args->json);
	bspscene_scene_free(a);
	bspscene_scene_free(b);
	bool draw = status == CLI_DONE && cli_diff_options_of(args)->picture;
	return draw ? cli_write_diff_picture(args, sides) : status;
}

static cli_exit run(const cli_args *args)
{
	const char *picture = cli_diff_options_of(args)->picture;
	if (picture && strcasecmp(cli_ending(picture), "png") != 0) {
		return cli_usage("%s: unknown format; --picture ends in .png", picture);
	}
	cli_diff_side sides[CLI_SIDES] = { cli_diff_side_of(args, 0), cli_diff_side_of(args, 1) };
	bool archives = cli_are_archives(args, sides);
	cli_exit status = !archives ? diff_maps(args, sides)
	                  : picture
	                      ? cli_usage("%s: a picture needs one map of each side; choose it with --map NAME", picture)
	                      : cli_diff_archives(args, sides);
	for (int i = 0; i < CLI_SIDES; i++) cli_diff_side_free(&sides[i]);
	return status;
}

static bool add_map(const cli_option_row *row, const char *value, void *options)
{
	cli_diff_options *own = options;
	if (own->map_count == CLI_SIDES) {
		cli_usage("--%s: give it once for both sides, or once for each", row->name);
		return false;
	}
	own->maps[own->map_count++] = value;
	return true;
}

static const cli_option_row own_rows[] = {
	{ "map", "NAME",
	  "the map to take from archives or game directories;\n"
	  "give it twice for a map of A and a map of B",
	  .apply = add_map },
	{ "picture", "OUT.png",
	  "write a picture of both maps from the same places, with the differences in color",
	  .apply = cli_set_text, .member = offsetof(cli_diff_options, picture) },
	{ "size", "WxH",
	  "size of each view of --picture in pixels (default 480x360)",
	  .apply = cli_set_size, .in_args = true },
	{ .name = NULL },
};

const cli_command cli_command_diff = {
	.name = "diff",
	.operands = "A B",
	.section = "Look at maps",
	.summary = "compare two maps, or two archives of maps",
	.details =
		"Tells whether two maps have the same bytes, faces, entities and light. It prints how many faces only one of "
		"them has, how many luxels differ and by how much, and which materials and entities were removed (-), added "
		"(+) or changed (*). To find an entity in the other map, it takes the one of the same class with the most "
		"equal keys, then the nearest one.\n\n"
		"PAK.pk3:NAME is a map in an archive. Two archives or games without --map are compared map by map. Maps are "
		"matched by path, content or file name: removed (-), added (+), renamed (=), changed (*).\n\n"
		"--picture shows both maps and their differences side by side, from above and from the view that shows most "
		"differences. Red is removed, green is added, yellow is changed. The exit status is 0 whether the maps "
		"differ or not.",
	.examples =
		"  bspscene diff maps/atrium.bsp old/atrium.bsp\n"
		"  bspscene diff a.pk3 b.pk3 --map oa_dm1 --json | jq .same\n"
		"  bspscene diff pak.pk3:oa_dm1 pak.pk3:oa_dm1_v2 --picture changed.png\n"
		"  bspscene diff release1.pk3 release2.pk3\n",
	.options =
		"map game palette entities json picture size memory-limit quiet threads version help",
	.own = own_rows, .own_size = sizeof(cli_diff_options),
	.operand_count = 2,
	.run = run,
};
