/* option_rows.c - the options that commands share, and how options read their values. See option_rows.h. */
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
static const cli_word light_words[] = {
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

/* Looks the first `length` letters of `text` up. */
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

/* A switch that stands for one value of several: its `most`. */
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
	cli_usage("--%s: \"%.*s\" is none of %s", name, (int)length, value, known);
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

/* The words stand for the values of an enumeration. */
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
		cli_usage("--%s: \"%s\" is no number from %g to %g", name, value, (double)smallest, (double)largest);
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
	cli_usage("--%s: \"%s\" is no number from 1 to %u", row->name, value, (unsigned)row->most);
	return false;
}

static bool set_size(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	const char *at;
	if (cli_read_count(value, 16384, &at, &args->width) && *at == 'x' &&
	    cli_read_count(at + 1, 16384, &at, &args->height) && !*at) return true;
	cli_usage("--%s: \"%s\" is no size such as 640x480, with sides up to 16384", row->name, value);
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
	cli_usage("--%s: \"%s\" is not N=VALUE with N from 0 to %d", row->name, value, CLI_LIGHT_STYLES - 1);
	return false;
}

static bool add_game(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	if (args->game_count == CLI_MAX_GAMES) {
		cli_usage("--%s: more than %d directories", row->name, CLI_MAX_GAMES);
		return false;
	}
	args->games[args->game_count++] = value;
	return true;
}

/* "NAME=DIR" */
static bool add_root(const cli_option_row *row, const char *value, void *options)
{
	cli_args *args = options;
	size_t length = strcspn(value, "=/\\");
	if (!length || value[length] != '=' || !value[length + 1]) {
		cli_usage("--%s: \"%s\" is not NAME=DIR", row->name, value);
		return false;
	}
	if (args->root_count == CLI_MAX_ROOTS) {
		cli_usage("--%s: more than %d folders", row->name, CLI_MAX_ROOTS);
		return false;
	}
	args->roots[args->root_count++] = value;
	return true;
}

/* In the order of --help. */
const cli_option_row cli_shared_rows[] = {
	{ "map", "NAME",
	  "the map to take from an archive or game directory",
	  .apply = cli_set_text, .member = offsetof(cli_args, map) },
	{ "game", "DIR",
	  "a game directory (or archive) with textures and shaders; may be\n"
	  "repeated, later ones win, the map's own game directory wins over all",
	  .apply = add_game },
	{ "root", "NAME=DIR",
	  "what is below the folder is named NAME/..., wherever the folder lies; may be\n"
	  "repeated",
	  .apply = add_root },
	{ "palette", "FILE",
	  "colors of 8-bit textures: a .lmp or .pcx file (default: the game's, for\n"
	  "Quake's maps without it LibreQuake's)",
	  .apply = cli_set_text, .member = offsetof(cli_args, palette) },
	{ "json", NULL,
	  "print JSON",
	  .apply = cli_set_switch, .member = offsetof(cli_args, json) },
	{ "lightmap-encoding", "KIND",
	  "display: as the engine shows them (default)\n"
	  "raw: the bytes of the file\n"
	  "hdr: linear, unclamped half floats (EXR or Radiance HDR)",
	  .apply = cli_set_word, .member = offsetof(cli_args, lightmap_encoding), .words = encoding_words },
	{ "light", "KIND",
	  "which light of a map that has it for HDR displays too: ldr, hdr, or auto\n"
	  "(default): bake: hdr for --lightmap-encoding hdr; relight: both",
	  .apply = cli_set_word, .member = offsetof(cli_args, light), .words = light_words },
	{ "light-set", "NAME",
	  "which of its lights a map shows that has several: day (default) or night\n"
	  "(UFO: Alien Invasion)",
	  .apply = cli_set_text, .member = offsetof(cli_args, light_set) },
	{ "seed", "N",
	  "of an assembly, which is put together of tiles by lot: another number\n"
	  "draws other tiles (default 0; UFO: Alien Invasion)",
	  .apply = cli_set_count, .member = offsetof(cli_args, seed), .most = 1e9f },
	{ "skin", "N",
	  "of a model alone: which of its skins (default 0)",
	  .apply = cli_set_count, .member = offsetof(cli_args, skin), .most = 65535 },
	{ "body", "N",
	  "of a model alone: its body groups, as one number (default 0)",
	  .apply = cli_set_count, .member = offsetof(cli_args, body), .most = 65535 },
	{ "frame", "N",
	  "of a model alone: which of its frames, or of the sequence (default 0)",
	  .apply = cli_set_count, .member = offsetof(cli_args, frame), .most = 65535 },
	{ "sequence", "NAME",
	  "of a model alone that has bones: the sequence, or its number, in whose\n"
	  "pose it stands (default: idle, or the first; IQM: as it was drawn)",
	  .apply = cli_set_text, .member = offsetof(cli_args, sequence) },
	{ "include", "KIND,...",
	  "surfaces that are hidden otherwise: sky, nodraw, hint, skip, clip,\n"
	  "trigger, caulk, tool, collision or all",
	  .apply = cli_set_words, .member = offsetof(cli_args, include), .words = include_words },
	{ "patch-error", "UNITS",
	  "largest distance of a curve from its triangles (default 4)",
	  .apply = cli_set_number, .member = offsetof(cli_args, patch_error), .least = 0.25f, .most = 1024 },
	{ "scale", "M_PER_UNIT",
	  "meters per game unit (default 0.0254)",
	  .apply = cli_set_number, .member = offsetof(cli_args, meters_per_unit), .least = 1e-6f, .most = 1e6f },
	{ "strict", NULL,
	  "fail where the file would be repaired",
	  .apply = cli_set_switch, .member = offsetof(cli_args, strict) },
	{ "engine", "NAME",
	  "whose way of drawing: darkplaces (Nexuiz, Xonotic), original, or auto:\n"
	  "by the game's files (default)",
	  .apply = cli_set_word, .member = offsetof(cli_args, engine), .words = engine_words },
	{ "entities", "WHOSE",
	  "beside: of MAP@CRC.ent, MAP.ent or MAP_l_N.lmp next to the map, where\n"
	  "the game's engines take them (default); map: the map's own",
	  .apply = cli_set_word, .member = offsetof(cli_args, entity_source), .words = entity_words },
	{ "lump-patches", NULL,
	  "Source: MAP_l_0.lmp, ... next to the map replace other parts of it too",
	  .apply = cli_set_switch, .member = offsetof(cli_args, lump_patches) },
	{ "models", "KIND",
	  "props and other models in the map: all (default), none, or static: not\n"
	  "what the game moves or makes, as items and monsters",
	  .apply = cli_set_word, .member = offsetof(cli_args, models), .words = models_words },
	{ "missing", "KIND",
	  "what stands in for missing textures. plain: their mean color or gray\n"
	  "(default); checker: squares that nobody overlooks",
	  .apply = cli_set_word, .member = offsetof(cli_args, missing), .words = missing_words },
	{ "size", "WxH",
	  "pixels of the picture (default 640x480)",
	  .apply = set_size },
	{ "lightstyle", "N=VALUE",
	  "brightness of a light style, 1 as in the map, 0 off; may be repeated\n"
	  "(default: as when the map starts)",
	  .apply = set_light_style },
	{ "jobs", "N",
	  "processes that work at once (default 1)",
	  .apply = cli_set_count, .member = offsetof(cli_args, jobs), .most = 1024 },
	{ "timeout", "SECONDS",
	  "time for each map, or file of catalog (default 600; of catalog 3600)",
	  .apply = cli_set_count, .member = offsetof(cli_args, timeout), .most = 1e6f },
	{ "memory-limit", "MIB",
	  "memory that the map may need (default: 192 and 56 for each MiB of the\n"
	  "files read, more than honest maps do)",
	  .apply = cli_set_count, .member = offsetof(cli_args, memory_limit), .most = 1 << 23 },
	{ "output-limit", "MIB",
	  "size that the files written may have (default: as the memory)",
	  .apply = cli_set_count, .member = offsetof(cli_args, output_limit), .most = 1 << 23 },
	{ "dry-run", NULL,
	  "say what would change, write nothing",
	  .apply = cli_set_switch, .member = offsetof(cli_args, dry_run) },
	{ "force", NULL,
	  "replace files that exist already",
	  .apply = cli_set_switch, .member = offsetof(cli_args, force) },
	{ "quiet", NULL,
	  "no warnings, no progress",
	  .apply = cli_set_switch, .member = offsetof(cli_args, quiet) },
	{ "fast", NULL,
	  "PNG and FBX compressed in the least time, a little larger",
	  .apply = set_choice, .member = offsetof(cli_args, compression), .most = BSPSCENE_COMPRESSION_FAST },
	{ "small", NULL,
	  "PNG and FBX a tenth smaller, in several times the time; pixels and numbers\n"
	  "are the same",
	  .apply = set_choice, .member = offsetof(cli_args, compression), .most = BSPSCENE_COMPRESSION_SMALL },
	{ "picture-format", "KIND",
	  "png (default), or tga or bmp for old tools: pictures of 8 bits per channel",
	  .apply = cli_set_word, .member = offsetof(cli_args, picture_format), .words = picture_format_words },
	{ "threads", "N",
	  "threads to use (default: one for each processor); what is written does\n"
	  "not depend on it",
	  .apply = cli_set_count, .member = offsetof(cli_args, threads), .most = 1024 },
	{ "version", NULL,
	  "print the version", .apply = NULL },
	{ "help", NULL,
	  "print this help", .apply = NULL },
	{ .name = NULL },
};

static const cli_option_row *find_row(const cli_option_row *rows, const char *name, size_t length)
{
	for (; rows && rows->name; rows++) {
		if (strlen(rows->name) == length && !strncmp(rows->name, name, length)) return rows;
	}
	return NULL;
}

const cli_option_row *cli_next_option(const cli_command *command, const char **at)
{
	const char *name = *at ? *at : command ? command->options : CLI_COMMON_OPTIONS;
	size_t length = strcspn(name, " ");
	if (!length) return NULL;
	const cli_option_row *row = command ? find_row(command->own, name, length) : NULL;
	if (!row) row = find_row(cli_shared_rows, name, length);
	assert(row && "a word of .options has no row: add one to the command's own rows or to cli_shared_rows");
	*at = name + length + strspn(name + length, " ");
	return row;
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
