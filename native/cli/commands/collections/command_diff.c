/* command_diff.c - bspscene diff: what differs between two maps, for people or as JSON. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/commands/commands.h"
#include "archive/diff/diff_picture.h"
#include "archive/diff/entity_changes.h"
#include "cli/json.h"
#include "archive/diff/map_diff.h"
#include "cli/options/option_rows.h"
#include "cli/names.h"
#include "cli/report.h"
#include "cli/source.h"

static void print_materials(const char *sign, const json_t *names)
{
	for (size_t i = 0; i < json_array_size(names); i++) {
		cli_print("%s material %s", sign, json_string_value(json_array_get(names, i)));
	}
}

static cli_exit print_text(const json_t *diff, const bspscene_entity_changes *changes)
{
	static const char *const parts[] = { "bytes", "geometry", "entities", "light" };
	const json_t *same = json_object_get(diff, "same"), *faces = json_object_get(diff, "faces");
	const json_t *materials = json_object_get(diff, "materials");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		cli_print("%-9s %s", parts[i], json_is_true(json_object_get(same, parts[i])) ? "the same" : "other");
	}
	cli_print("faces     %d removed of %d, %d added of %d",
	          (int)json_integer_value(json_object_get(faces, "removed")),
	          (int)json_integer_value(json_object_get(faces, "a")),
	          (int)json_integer_value(json_object_get(faces, "added")),
	          (int)json_integer_value(json_object_get(faces, "b")));
	print_materials("-", json_object_get(materials, "removed"));
	print_materials("+", json_object_get(materials, "added"));
	cli_print_entity_changes(changes);
	return cli_finish_stdout();
}

/* Of one of the two, whose source is closed at once: what is compared is in the scene. */
static bspscene_scene *load(const cli_args *args, const char *path, cli_exit *status)
{
	cli_args one = *args;
	cli_source source;
	bspscene_load_options options;
	one.source = path;
	one.output = NULL;
	one.only_light = true;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NAMES;
	options.identify = true;
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
	cli_exit status = as_json ? cli_json_print(json_incref(diff)) : print_text(diff, changes);
	json_decref(diff);
	bspscene_entity_changes_free(changes);
	return status;
}

static cli_exit run(const cli_args *args)
{
	if (cli_diff_picture_of(args) && strcasecmp(cli_ending(cli_diff_picture_of(args)), "png") != 0) {
		return cli_usage("%s: the ending names no format that is written: .png", cli_diff_picture_of(args));
	}
	cli_exit status;
	bspscene_scene *a = load(args, args->operands[0], &status);
	bspscene_scene *b = a ? load(args, args->operands[1], &status) : NULL;
	if (a && b) status = compare(a, b, args->json);
	bspscene_scene_free(a);
	bspscene_scene_free(b);
	return status == CLI_DONE && cli_diff_picture_of(args) ? cli_write_diff_picture(args) : status;
}

static const cli_option_row own_rows[] = {
	{ "picture", "OUT.png",
	  "a picture too: both maps from the same places, and what differs in colour;\n"
	  "--size is that of each view (default 480x360)",
	  .apply = cli_set_text, .member = offsetof(cli_diff_options, picture) },
	{ .name = NULL },
};

const cli_command cli_command_diff = {
	.name = "diff",
	.operands = "A B",
	.summary = "what differs between two maps",
	.details =
		"Says whether two maps have the same bytes, faces, entities and light, how many faces only one of them has,\n"
		"and which materials and entities were removed (-), added (+) or changed (*). Of entities of one class\n"
		"those belong together that have most in common. The exit status is 0 whether they differ or not. --picture\n"
		"shows it from above and from where players start: red is gone, green is new, yellow is another.",
	.examples =
		"  bspscene diff maps/atrium.bsp old/atrium.bsp\n"
		"  bspscene diff a.pk3 b.pk3 --map oa_dm1 --json | jq .same\n"
		"  bspscene diff a.bsp b.bsp --picture changed.png\n",
	.options =
		"map game palette json picture size memory-limit output-limit quiet threads version help",
	.own = own_rows, .own_size = sizeof(cli_diff_options),
	.operand_count = 2,
	.run = run,
};
