/* command_diff.c - bspscene diff: what differs between two maps, for people or as JSON. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/commands/commands.h"
#include "archive/diff/diff_picture.h"
#include "cli/json.h"
#include "archive/diff/map_diff.h"
#include "cli/options/option_rows.h"
#include "cli/names.h"
#include "cli/report.h"
#include "cli/source.h"

static const char *value_of(const json_t *entity, const char *key)
{
	for (size_t i = 0; i < json_array_size(entity); i++) {
		const json_t *pair = json_array_get(entity, i);
		if (!strcmp(json_string_value(json_array_get(pair, 0)), key)) return json_string_value(json_array_get(pair, 1));
	}
	return "";
}

static void print_name(const char *sign, const json_t *entity)
{
	const char *name = value_of(entity, "targetname"), *origin = value_of(entity, "origin");
	cli_print("%s %s%s%s%s%s", sign, value_of(entity, "classname"), *name ? " " : "", name, *origin ? " at " : "",
	          origin);
}

/* Keys of one entity that the other has not, or with another value. */
static void print_keys(const char *sign, const json_t *entity, const json_t *other)
{
	for (size_t i = 0; i < json_array_size(entity); i++) {
		const json_t *pair = json_array_get(entity, i);
		const char *key = json_string_value(json_array_get(pair, 0));
		const char *value = json_string_value(json_array_get(pair, 1));
		if (strcmp(value, value_of(other, key)) != 0) cli_print("    %s %s: %s", sign, key, value);
	}
}

static void print_entities(const json_t *entities)
{
	const json_t *removed = json_object_get(entities, "removed"), *added = json_object_get(entities, "added");
	const json_t *changed = json_object_get(entities, "changed");
	for (size_t i = 0; i < json_array_size(removed); i++) print_name("-", json_array_get(removed, i));
	for (size_t i = 0; i < json_array_size(added); i++) print_name("+", json_array_get(added, i));
	for (size_t i = 0; i < json_array_size(changed); i++) {
		const json_t *pair = json_array_get(changed, i);
		const json_t *a = json_object_get(pair, "a"), *b = json_object_get(pair, "b");
		print_name("*", a);
		print_keys("-", a, b);
		print_keys("+", b, a);
	}
}

static void print_materials(const char *sign, const json_t *names)
{
	for (size_t i = 0; i < json_array_size(names); i++) {
		cli_print("%s material %s", sign, json_string_value(json_array_get(names, i)));
	}
}

static cli_exit print_text(const json_t *diff)
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
	print_entities(json_object_get(diff, "entities"));
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

static cli_exit run(const cli_args *args)
{
	if (cli_diff_picture_of(args) && strcasecmp(cli_ending(cli_diff_picture_of(args)), "png") != 0) {
		return cli_usage("%s: the ending names no format that is written: .png", cli_diff_picture_of(args));
	}
	cli_exit status;
	bspscene_scene *a = load(args, args->operands[0], &status);
	bspscene_scene *b = a ? load(args, args->operands[1], &status) : NULL;
	if (a && b) {
		json_t *diff = cli_diff_maps(a, b);
		if (args->json) {
			status = cli_json_print(diff);
		} else {
			status = print_text(diff);
			json_decref(diff);
		}
	}
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
		"and which materials and entities were removed (-), added (+) or changed (*). Entities of one class and\n"
		"targetname belong together. The exit status is 0 whether they differ or not. --picture shows it from above\n"
		"and from where players start: red is gone, green is new, yellow is another.",
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
