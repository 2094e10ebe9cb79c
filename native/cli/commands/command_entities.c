/* command_entities.c - bspscene entities: prints all entities with all keys and values, in the file's order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/describe.h"
#include "cli/json.h"
#include "cli/report.h"
#include "cli/command_source.h"
#include "cli/host/platform.h"

/* Prints bytes unchanged to files and pipes. For terminals, replaces control characters except tabs and line breaks. */
static void print_text(const char *text, bool terminal)
{
	if (!terminal) {
		fputs(text, stdout);
		return;
	}
	for (;;) {
		size_t length = strcspn(text, "\t\n");
		char *part = cli_format("%.*s", (int)length, text);
		bspscene_sanitize_text(part);
		fputs(part, stdout);
		free(part);
		text += length;
		if (!*text) return;
		putchar(*text++);
	}
}

/* Prints a word in quotes. With `escaped`, writes quotes and line breaks as escape sequences, because values of Strata
 * Source may have them. */
static void print_word(const char *text, bool escaped, bool terminal)
{
	putchar('"');
	for (size_t plain; escaped && *text; text += plain) {
		plain = strcspn(text, "\"\\\n\t");
		char *part = cli_format("%.*s", (int)plain, text);
		print_text(part, terminal);
		free(part);
		if (!text[plain]) continue;
		const char letter = text[plain++];
		printf("\\%c", letter == '\n' ? 'n' : letter == '\t' ? 't' : letter);
	}
	print_text(text, terminal);
	putchar('"');
}

static cli_exit print_entities(const bspscene_scene *scene)
{
	bool terminal = cli_is_terminal(stdout);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		puts("{");
		for (uint32_t k = 0; k < entity->pair_count; k++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + k];
			print_word(pair->key, scene->escaped_text, terminal);
			putchar(' ');
			print_word(pair->value, scene->escaped_text, terminal);
			putchar('\n');
		}
		puts("}");
	}
	return cli_finish_stdout();
}

static cli_exit run(const cli_args *args)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NONE;
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_NONE;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, 1, &status);
	if (scene) status = args->json ? cli_json_print(cli_describe_entities(scene)) : print_entities(scene);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_entities = {
	.name = "entities",
	.operands = "SOURCE",
	.section = "Look at maps",
	.summary = "print all entities with their keys and values",
	.details =
		"Prints the entities in the file's order with all keys and values, repeated keys included, as the text that "
		"the game reads. --json prints an array of objects: { classname, node, origin, model, target_entity, pairs: "
		"[[key, value], ...] }. model is a brush model of the map, target_entity the place in the array of the entity "
		"that this one targets, or null; both count from 0.",
	.examples =
		"  bspscene entities maps/atrium.bsp\n"
		"  bspscene entities pak1-maps.pk3 --map oa_dm1 --json | jq '.[].classname'\n",
	.options =
		"map json seed entities lump-patches memory-limit quiet version help",
	.operand_count = 1,
	.run = run,
};
