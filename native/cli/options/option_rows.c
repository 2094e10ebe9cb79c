/* option_rows.c - the options that commands share, and how values are parsed. See option_rows.h. */
#include "cli/options/option_rows.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

static const cli_word encoding_words[] = {
	{ "display", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY },
	{ "raw", BSPSCENE_LIGHTMAP_ENCODING_RAW },
	{ "hdr", BSPSCENE_LIGHTMAP_ENCODING_HDR },
	{ NULL, 0 },
};
static const cli_word picture_format_words[] = {
	{ "png", BSPSCENE_PICTURE_PNG }, { "tga", BSPSCENE_PICTURE_TGA }, { "bmp", BSPSCENE_PICTURE_BMP }, { NULL, 0 },
};
static const cli_word missing_words[] = {
	{ "plain", BSPSCENE_MISSING_PLAIN }, { "checker", BSPSCENE_MISSING_CHECKER }, { NULL, 0 },
};
static const cli_word models_words[] = {
	{ "all", BSPSCENE_MODELS_ALL }, { "static", BSPSCENE_MODELS_STATIC }, { "none", BSPSCENE_MODELS_NONE }, { NULL, 0 },
};
const cli_word cli_light_words[] = {
	{ "auto", BSPSCENE_LIGHT_RANGE_AUTO },
	{ "ldr", BSPSCENE_LIGHT_RANGE_LDR },
	{ "hdr", BSPSCENE_LIGHT_RANGE_HDR },
	{ NULL, 0 },
};
static const cli_word engine_words[] = {
	{ "auto", BSPSCENE_ENGINE_AUTO }, { "original", BSPSCENE_ENGINE_ORIGINAL },
	{ "darkplaces", BSPSCENE_ENGINE_DARKPLACES }, { NULL, 0 },
};
static const cli_word entity_words[] = {
	{ "beside", BSPSCENE_ENTITY_SOURCE_BESIDE }, { "map", BSPSCENE_ENTITY_SOURCE_MAP }, { NULL, 0 },
};
static const cli_word include_words[] = {
	{ "sky", BSPSCENE_SURFACE_SKY }, { "nodraw", BSPSCENE_SURFACE_NODRAW }, { "hint", BSPSCENE_SURFACE_HINT },
	{ "skip", BSPSCENE_SURFACE_SKIP }, { "clip", BSPSCENE_SURFACE_CLIP }, { "trigger", BSPSCENE_SURFACE_TRIGGER },
	{ "caulk", BSPSCENE_SURFACE_CAULK }, { "tool", BSPSCENE_SURFACE_TOOL },
	{ "collision", BSPSCENE_SURFACE_COLLISION }, { "all", BSPSCENE_SURFACE_ALL }, { NULL, 0 },
};

/* Finds the first `length` characters of `text` in a table of words. */
static bool find_word(const cli_word *words, const char *text, size_t length, uint32_t *out)
{
	for (; words->word; words++) {
		if (strlen(words->word) == length && !strncmp(words->word, text, length)) {
			*out = words->value;
			return true;
		}
	}
	return false;
}

static void *member_of(const cli_option_row *row, void *options) { return (char *)options + row->member; }

bool cli_set_switch(const cli_option_row *row, const char *value, void *options)
{
	(void)value;
	*(bool *)member_of(row, options) = true;
	return true;
}

/* Implements an option that takes no value: sets an enumeration to row->most. */
static bool set_choice(const cli_option_row *row, const char *value, void *options)
{
	uint32_t choice = (uint32_t)row->most;
	(void)value;
	memcpy(member_of(row, options), &choice, sizeof choice);
	return true;
}

bool cli_set_text(const cli_option_row *row, const char *value, void *options)
{
	*(const char **)member_of(row, options) = value;
	return true;
}

bool cli_read_word(const char *name, const cli_word *words, const char *value, size_t length, uint32_t *out)
{
	if (find_word(words, value, length, out)) return true;
	char *known = NULL;
	for (; words->word; words++) cli_append(&known, words->word);
	cli_usage("--%s: \"%.*s\" is not one of %s", name, (int)length, value, known);
	free(known);
	return false;
}


bool cli_read_list(const cli_option_row *row, const char *value, void *options, cli_part_fn *take)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		if (!take(row, at, length, options)) return false;
		at += length;
		if (!*at) return true;
	}
}

static bool add_word(const cli_option_row *row, const char *part, size_t length, void *options)
{
	uint32_t bit;
	if (!cli_read_word(row->name, row->words, part, length, &bit)) return false;
	*(uint32_t *)member_of(row, options) |= bit;
	return true;
}

bool cli_set_words(const cli_option_row *row, const char *value, void *options)
{
	return cli_read_list(row, value, options, add_word);
}

/* Sets an enumeration to the value of a word in the row's table. */
bool cli_set_word(const cli_option_row *row, const char *value, void *options)
{
	uint32_t word;
	if (!cli_read_word(row->name, row->words, value, strlen(value), &word)) return false;
	memcpy(member_of(row, options), &word, sizeof word);
	return true;
}

bool cli_read_number(const char *name, const char *value, float smallest, float largest, float *out)
{
	char *end;
	double number = strtod(value, &end);
	if (end == value || *end || !(number >= (double)smallest && number <= (double)largest)) {
		cli_usage("--%s: \"%s\" is not a number from %g to %g", name, value, (double)smallest, (double)largest);
		return false;
	}
	*out = (float)number;
	return true;
}

bool cli_set_number(const cli_option_row *row, const char *value, void *options)
{
	return cli_read_number(row->name, value, row->least, row->most, member_of(row, options));
}

bool cli_read_count(const char *text, uint32_t largest, const char **end, uint32_t *out)
{
	char *stop;
	if (*text < '0' || *text > '9') return false;
	unsigned long number = strtoul(text, &stop, 10);
	if (number < 1 || number > largest) return false;
	*end = stop;
	*out = (uint32_t)number;
	return true;
}

bool cli_set_count(const cli_option_row *row, const char *value, void *options)
{
	const char *end;
	if (cli_read_count(value, (uint32_t)row->most, &end, member_of(row, options)) && !*end) return true;
	cli_usage("--%s: \"%s\" is not a number from 1 to %u", row->name, value, (unsigned)row->most);
	return false;
}

bool cli_set_size(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	const char *at;
	if (cli_read_count(value, 16384, &at, &args->width) && *at == 'x' &&
	    cli_read_count(at + 1, 16384, &at, &args->height) && !*at) return true;
	cli_usage("--%s: \"%s\" is not a size such as 640x480 with sides up to 16384", row->name, value);
	return false;
}

static bool set_light_style(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	const char *at;
	uint32_t style = 0;
	bool zero = value[0] == '0' && value[1] == '=';
	if (zero) at = value + 1;
	else if (!cli_read_count(value, CLI_LIGHT_STYLES - 1, &at, &style)) at = "";
	if (*at == '=') return cli_read_number(row->name, at + 1, 0, 100, &args->light_styles[style]);
	cli_usage("--%s: \"%s\" is not N=VALUE with N from 0 to %d, for example 0=0.5", row->name, value,
	          CLI_LIGHT_STYLES - 1);
	return false;
}

static bool add_game(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	if (args->game_count == CLI_MAX_GAMES) {
		cli_usage("--%s may be given at most %d times", row->name, CLI_MAX_GAMES);
		return false;
	}
	args->games[args->game_count++] = value;
	return true;
}

/* Adds a --root "NAME=DIR". */
static bool add_root(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	size_t length = strcspn(value, "=/\\");
	if (!length || value[length] != '=' || !value[length + 1]) {
		cli_usage("--%s: \"%s\" is not NAME=DIR, for example maps=/srv/maps", row->name, value);
		return false;
	}
	if (args->root_count == CLI_MAX_ROOTS) {
		cli_usage("--%s may be given at most %d times", row->name, CLI_MAX_ROOTS);
		return false;
	}
	args->roots[args->root_count++] = value;
	return true;
}

/* The order of the rows is their order in each group of --help. */
const cli_option_row cli_shared_rows[] = {
	{ "map", "NAME",
	  "the map to take from an archive or a game directory",
	  .apply = cli_set_text, .member = offsetof(cli_args, map), .group = CLI_GROUP_INPUT },
	{ "game", "DIR",
	  "a game directory or archive with textures and shaders;\n"
	  "may be repeated, later ones win, and the map's own game directory wins over all",
	  .apply = add_game, .group = CLI_GROUP_INPUT },
	{ "root", "NAME=DIR",
	  "a name for the folder DIR: paths below it are written, and found again, as NAME/...;\n"
	  "so DIR may be elsewhere on another machine; may be repeated",
	  .apply = add_root, .group = CLI_GROUP_INPUT },
	{ "palette", "FILE",
	  "colors of 8-bit textures: a .lmp or .pcx file\n"
	  "(default: the game's; for Quake maps without a game, LibreQuake's)",
	  .apply = cli_set_text, .member = offsetof(cli_args, palette), .group = CLI_GROUP_MATERIALS },
	{ "json", NULL,
	  "print JSON",
	  .apply = cli_set_switch, .member = offsetof(cli_args, json), .group = CLI_GROUP_OUTPUT },
	{ "lightmap-encoding", "KIND",
	  "what the pixels of the lightmaps hold\n"
	  "display: the light as the engine shows it, in 8 bits (default)\n"
	  "raw: the bytes of the map file\n"
	  "hdr: linear light without an upper limit, as half floats (EXR or Radiance HDR)",
	  .apply = cli_set_word, .member = offsetof(cli_args, lightmap_encoding), .words = encoding_words,
	  .group = CLI_GROUP_LIGHT },
	{ "light-set", "NAME",
	  "day (default) or night, for maps of UFO: Alien Invasion",
	  .apply = cli_set_text, .member = offsetof(cli_args, light_set), .group = CLI_GROUP_LIGHT },
	{ "seed", "N",
	  "choose other random tiles for a map that is assembled from tiles\n"
	  "(default 0; UFO: Alien Invasion)",
	  .apply = cli_set_count, .member = offsetof(cli_args, seed), .most = 1e9f, .group = CLI_GROUP_INPUT },
	{ "skin", "N",
	  "the skin to show (default 0)",
	  .apply = cli_set_count, .member = offsetof(cli_args, skin), .most = 65535, .group = CLI_GROUP_MODEL },
	{ "body", "N",
	  "the body groups to show, packed into one number as in the game (default 0)",
	  .apply = cli_set_count, .member = offsetof(cli_args, body), .most = 65535, .group = CLI_GROUP_MODEL },
	{ "frame", "N",
	  "the frame to show, counted in the sequence if the model has bones (default 0)",
	  .apply = cli_set_count, .member = offsetof(cli_args, frame), .most = 65535, .group = CLI_GROUP_MODEL },
	{ "sequence", "NAME",
	  "the sequence whose pose to show, by name or number\n"
	  "(default: idle, else the first one; IQM: the pose it was modeled in)",
	  .apply = cli_set_text, .member = offsetof(cli_args, sequence), .group = CLI_GROUP_MODEL },
	{ "include", "KIND,...",
	  "show surfaces that are hidden otherwise: sky, nodraw, hint, skip, clip, trigger, caulk, tool, collision or all",
	  .apply = cli_set_words, .member = offsetof(cli_args, include), .words = include_words,
	  .group = CLI_GROUP_GEOMETRY },
	{ "patch-error", "UNITS",
	  "largest distance between a curve and its triangles (default 4)",
	  .apply = cli_set_number, .member = offsetof(cli_args, patch_error), .least = 0.25f, .most = 1024,
	  .group = CLI_GROUP_GEOMETRY },
	{ "scale", "M_PER_UNIT",
	  "meters per game unit (default 0.0254)",
	  .apply = cli_set_number, .member = offsetof(cli_args, meters_per_unit), .least = 1e-6f, .most = 1e6f,
	  .group = CLI_GROUP_GEOMETRY },
	{ "strict", NULL,
	  "fail if the file needs a repair",
	  .apply = cli_set_switch, .member = offsetof(cli_args, strict), .group = CLI_GROUP_INPUT },
	{ "engine", "NAME",
	  "the engine whose look to follow\n"
	  "auto: decided by the game's files (default)\n"
	  "original: the engine that the game came with\n"
	  "darkplaces: DarkPlaces (Nexuiz, Xonotic)",
	  .apply = cli_set_word, .member = offsetof(cli_args, engine), .words = engine_words,
	  .group = CLI_GROUP_MATERIALS },
	{ "entities", "WHOSE",
	  "which entities to use\n"
	  "beside: the file of entities next to the map (MAP@CRC.ent, MAP.ent or MAP_l_N.lmp), if there is one and "
	  "the game's engines read it; else map (default)\n"
	  "map: the entities in the map itself",
	  .apply = cli_set_word, .member = offsetof(cli_args, entity_source), .words = entity_words,
	  .group = CLI_GROUP_INPUT },
	{ "lump-patches", NULL,
	  "apply MAP_l_0.lmp, MAP_l_1.lmp, ... next to a Source map to all of its lumps, not only to its entities",
	  .apply = cli_set_switch, .member = offsetof(cli_args, lump_patches), .group = CLI_GROUP_INPUT },
	{ "models", "KIND",
	  "props and other models in the map\n"
	  "all: show all of them (default)\n"
	  "static: leave out what the game moves or spawns, such as items and monsters\n"
	  "none: leave all out",
	  .apply = cli_set_word, .member = offsetof(cli_args, models), .words = models_words,
	  .group = CLI_GROUP_GEOMETRY },
	{ "missing", "KIND",
	  "what replaces missing textures\n"
	  "plain: their mean color, or gray (default)\n"
	  "checker: a checkerboard that is easy to see",
	  .apply = cli_set_word, .member = offsetof(cli_args, missing), .words = missing_words,
	  .group = CLI_GROUP_MATERIALS },
	{ "size", "WxH",
	  "size of the picture in pixels (default 640x480)",
	  .apply = cli_set_size, .group = CLI_GROUP_VIEW },
	{ "lightstyle", "N=VALUE",
	  "brightness of light style N, the lamps that switch or flicker together: 1 as in the map, 0 off;\n"
	  "may be repeated (default: as when the map starts)",
	  .apply = set_light_style, .group = CLI_GROUP_LIGHT },
	{ "jobs", "N",
	  "number of processes that work at the same time (default 1)",
	  .apply = cli_set_count, .member = offsetof(cli_args, jobs), .most = 1024, .group = CLI_GROUP_LIMITS },
	CLI_MIB_ROW("memory-limit", memory_limit,
	            "memory that a map may use\n"
	            "(default: 192, plus 56 for each MiB of input files; real maps need less)"),
	CLI_MIB_ROW("output-limit", output_limit,
	            "total size of the written files\n"
	            "(default: the same as the memory limit)"),
	{ "dry-run", NULL,
	  "report what would change, and write nothing",
	  .apply = cli_set_switch, .member = offsetof(cli_args, dry_run), .group = CLI_GROUP_OUTPUT },
	{ "force", NULL,
	  "replace files that exist",
	  .apply = cli_set_switch, .member = offsetof(cli_args, force), .group = CLI_GROUP_OUTPUT },
	{ "quiet", NULL,
	  "print no warnings and no progress",
	  .apply = cli_set_switch, .member = offsetof(cli_args, quiet), .group = CLI_GROUP_OTHER },
	{ "fast", NULL,
	  "compress PNG and FBX as fast as possible; files are a little larger",
	  .apply = set_choice, .member = offsetof(cli_args, compression), .most = BSPSCENE_COMPRESSION_FAST,
	  .group = CLI_GROUP_OUTPUT },
	{ "small", NULL,
	  "compress PNG and FBX as well as possible;\n"
	  "files are a tenth smaller and take several times as long; pixels and numbers stay the same",
	  .apply = set_choice, .member = offsetof(cli_args, compression), .most = BSPSCENE_COMPRESSION_SMALL,
	  .group = CLI_GROUP_OUTPUT },
	{ "picture-format", "KIND",
	  "the format of pictures with 8 bits per channel: png (default), or tga or bmp for old tools",
	  .apply = cli_set_word, .member = offsetof(cli_args, picture_format), .words = picture_format_words,
	  .group = CLI_GROUP_OUTPUT },
	{ "threads", "N",
	  "number of threads (default: one for each processor);\n"
	  "the result does not depend on it",
	  .apply = cli_set_count, .member = offsetof(cli_args, threads), .most = 1024, .group = CLI_GROUP_LIMITS },
	{ "version", NULL,
	  "print the version", .apply = NULL, .group = CLI_GROUP_OTHER },
	{ "help", NULL,
	  "print this help", .apply = NULL, .group = CLI_GROUP_OTHER },
	{ .name = NULL },
};

static const cli_option_row *find_row(const cli_option_row *rows, const char *name, size_t length)
{
	for (; rows && rows->name; rows++) {
		if (strlen(rows->name) == length && !strncmp(rows->name, name, length)) return rows;
	}
	return NULL;
}

/* Reads the next option name of a command's list, from *at on, and moves *at behind it. Returns the row of this option.
 * NULL after the last name. */
static const cli_option_row *take_word(const cli_command *command, const char **at)
{
	const char *name = *at;
	size_t length = strcspn(name, " ");
	if (!length) return NULL;
	const cli_option_row *row = command ? find_row(command->own, name, length) : NULL;
	if (!row) row = find_row(cli_shared_rows, name, length);
	assert(row && "a word of .options or .first has no row: add one to the command's own rows or to cli_shared_rows");
	*at = name + length + strspn(name + length, " ");
	return row;
}

const cli_option_row *cli_next_option(const cli_command *command, const char **at)
{
	if (!*at) *at = command ? command->options : CLI_COMMON_OPTIONS;
	return take_word(command, at);
}

static bool is_first(const cli_command *command, const cli_option_row *row)
{
	const cli_option_row *first;
	for (const char *at = command->first; (first = take_word(command, &at));) {
		if (first == row) return true;
	}
	return false;
}

const cli_option_row *cli_next_in_group(const cli_command *command, cli_option_group group, const char **at)
{
	if (!command->first) return group == CLI_GROUP_OTHER ? cli_next_option(command, at) : NULL;
	if (group == CLI_GROUP_FIRST) {
		if (!*at) *at = command->first;
		return take_word(command, at);
	}
	const cli_option_row *row;
	while ((row = cli_next_option(command, at))) {
		cli_option_group own = row->group ? row->group : CLI_GROUP_OTHER;
		if (own == group && !is_first(command, row)) return row;
	}
	return NULL;
}

const char *cli_group_title(const cli_command *command, cli_option_group group)
{
	static const char *const titles[CLI_GROUP_COUNT] = {
		[CLI_GROUP_FIRST] = "Common options",
		[CLI_GROUP_INPUT] = "Input",
		[CLI_GROUP_OUTPUT] = "Output",
		[CLI_GROUP_VIEW] = "View",
		[CLI_GROUP_LIGHT] = "Light",
		[CLI_GROUP_GEOMETRY] = "Geometry",
		[CLI_GROUP_MATERIALS] = "Materials",
		[CLI_GROUP_MODEL] = "If SOURCE is a model",
		[CLI_GROUP_LIMITS] = "Limits",
		[CLI_GROUP_OTHER] = "Other options",
	};
	return command->first ? titles[group] : "Options";
}

bool cli_explains_word(const cli_option_row *row, const char *line)
{
	for (const cli_word *word = row->words; word && word->word; word++) {
		size_t length = strlen(word->word);
		if (!strncmp(line, word->word, length) && line[length] == ':') return true;
	}
	return false;
}

size_t cli_help_part(const cli_option_row *row, const char *help)
{
	const char *line = help;
	for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
		if (cli_explains_word(row, end + 1)) return (size_t)(end - help);
	}
	return (size_t)(line - help) + strlen(line);
}

bool cli_takes(const cli_command *command, const cli_option_row *row)
{
	const cli_option_row *taken;
	for (const char *at = NULL; (taken = cli_next_option(command, &at));) {
		if (taken == row) return true;
	}
	return false;
}

bool cli_is_common(const cli_option_row *row) { return cli_takes(NULL, row); }
