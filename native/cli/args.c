/* args.c - argv to cli_args by getopt_long, and --help from the same table. See args.h. */
#include "args.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

typedef struct option_row {
	cli_option option;
	const char *name;
	const char *value;                 /* what --help calls its value; NULL: a switch */
	const char *help;                  /* lines of --help */
} option_row;

static const option_row option_rows[] = {
	{ CLI_OPTION_MAP, "map", "NAME", "the map to take from an archive or game directory" },
	{ CLI_OPTION_GAME, "game", "DIR", "a game directory (or archive) with textures and shaders; may be\n"
	                                  "repeated, later ones win, the map's own game directory wins over all" },
	{ CLI_OPTION_JSON, "json", NULL, "print JSON" },
	{ CLI_OPTION_LIGHTING, "lighting", "KIND", "lightmap: second texture coordinates and lightmap images (default)\n"
	                                           "vertex: light in vertex colours, for viewers without lightmaps\n"
	                                           "none: textures alone" },
	{ CLI_OPTION_LIGHTMAP_ENCODING, "lightmap-encoding", "KIND", "display: as the engine shows them (default)\n"
	                                                             "raw: the bytes of the file\n"
	                                                             "hdr: linear, unclamped half floats (EXR)" },
	{ CLI_OPTION_INCLUDE, "include", "KIND,...", "surfaces that are hidden otherwise: sky, nodraw, hint, skip, clip,\n"
	                                             "trigger, caulk, tool, collision or all" },
	{ CLI_OPTION_PATCH_ERROR, "patch-error", "UNITS", "largest distance of a curve from its triangles (default 4)" },
	{ CLI_OPTION_SCALE, "scale", "M_PER_UNIT", "metres per game unit (default 0.0254)" },
	{ CLI_OPTION_STRICT, "strict", NULL, "fail where the file would be repaired" },
	{ CLI_OPTION_LUMP_PATCHES, "lump-patches", NULL, "Source: MAP_l_0.lmp, ... beside the map replace parts of it" },
	{ CLI_OPTION_NO_NORMAL_MAPS, "no-normal-maps", NULL,
	  "leave them out: only new light needs them, and they are large" },
	{ CLI_OPTION_SIZE, "size", "WxH", "pixels of the picture (default 640x480)" },
	{ CLI_OPTION_FOV, "fov", "DEG", "horizontal field of view (default: the camera's own)" },
	{ CLI_OPTION_CAMERA, "camera", "X,Y,Z,PITCH,YAW",
	  "the eye in game units; pitch down and yaw left in degrees; a sixth\n"
	                                                  "number rolls to the right" },
	{ CLI_OPTION_ENTITY, "entity", "CLASS[:N]", "look from this entity, the N-th of its class counted from 0" },
	{ CLI_OPTION_EVERY, "every", "CLASS", "one sheet with the views from all entities of a class; --size is that\n"
	                                      "of each view" },
	{ CLI_OPTION_OVERVIEW, "overview", NULL, "the whole map from above" },
	{ CLI_OPTION_MODE, "mode", "KIND", "full (default), lightmap or texture" },
	{ CLI_OPTION_INTENSITY, "intensity", "X", "factor of the lightmaps (default: the map's own)" },
	{ CLI_OPTION_LIGHT_STYLE, "lightstyle", "N=VALUE",
	  "brightness of a light style, 1 as in the map, 0 off; may be repeated" },
	{ CLI_OPTION_WORLD_ONLY, "world-only", NULL, "leave brush entities out" },
	{ CLI_OPTION_TIME, "time", "SECONDS", "moment of animations and waves (default 0)" },
	{ CLI_OPTION_SAMPLES, "samples", "N", "rays per pixel, 1 to 64 (default 4)" },
	{ CLI_OPTION_QUIET, "quiet", NULL, "no warnings, no progress" },
	{ CLI_OPTION_THREADS, "threads", "N", "threads to use (default: one for each processor)" },
	{ CLI_OPTION_VERSION, "version", NULL, "print the version" },
	{ CLI_OPTION_HELP, "help", NULL, "print this help" },
};
enum { OPTION_COUNT = sizeof option_rows / sizeof *option_rows, FIRST_VALUE = 256 };

typedef struct word_row {
	const char *word;
	uint32_t value;
} word_row;

static const word_row lighting_words[] = {
	{ "lightmap", BSPSCENE_WRITE_LIGHTMAP }, { "vertex", BSPSCENE_WRITE_VERTEX }, { "none", BSPSCENE_WRITE_NO_LIGHT },
	{ NULL, 0 },
};
static const word_row encoding_words[] = {
	{ "display", BSPSCENE_LIGHTMAP_DISPLAY }, { "raw", BSPSCENE_LIGHTMAP_RAW }, { "hdr", BSPSCENE_LIGHTMAP_HDR },
	{ NULL, 0 },
};
static const word_row mode_words[] = {
	{ "full", CLI_MODE_FULL }, { "lightmap", CLI_MODE_LIGHTMAP }, { "texture", CLI_MODE_TEXTURE }, { NULL, 0 },
};
static const word_row include_words[] = {
	{ "sky", BSPSCENE_INCLUDE_SKY }, { "nodraw", BSPSCENE_INCLUDE_NODRAW }, { "hint", BSPSCENE_INCLUDE_HINT },
	{ "skip", BSPSCENE_INCLUDE_SKIP }, { "clip", BSPSCENE_INCLUDE_CLIP }, { "trigger", BSPSCENE_INCLUDE_TRIGGER },
	{ "caulk", BSPSCENE_INCLUDE_CAULK }, { "tool", BSPSCENE_INCLUDE_TOOL },
	{ "collision", BSPSCENE_INCLUDE_COLLISION }, { "all", BSPSCENE_INCLUDE_ALL }, { NULL, 0 },
};

/* Looks the first `length` letters of `text` up. */
static bool find_word(const word_row *words, const char *text, size_t length, uint32_t *out)
{
	for (; words->word; words++) {
		if (strlen(words->word) == length && !strncmp(words->word, text, length)) {
			*out = words->value;
			return true;
		}
	}
	return false;
}

static bool read_word(const char *name, const word_row *words, const char *value, size_t length, uint32_t *out)
{
	if (find_word(words, value, length, out)) return true;
	char *known = NULL;
	for (; words->word; words++) cli_append(&known, words->word);
	cli_usage("--%s: \"%.*s\" is none of %s", name, (int)length, value, known);
	free(known);
	return false;
}

static bool read_include(const char *name, const char *value, uint32_t *out)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		uint32_t bit;
		if (!read_word(name, include_words, at, length, &bit)) return false;
		*out |= bit;
		at += length;
		if (!*at) return true;
	}
}

static bool read_number(const char *name, const char *value, float smallest, float largest, float *out)
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

static bool read_count(const char *text, uint32_t largest, const char **end, uint32_t *out)
{
	char *stop;
	if (*text < '0' || *text > '9') return false;
	unsigned long number = strtoul(text, &stop, 10);
	if (number < 1 || number > largest) return false;
	*end = stop;
	*out = (uint32_t)number;
	return true;
}

static bool read_threads(const char *value, uint32_t *out)
{
	const char *end;
	if (read_count(value, 1024, &end, out) && !*end) return true;
	cli_usage("--threads: \"%s\" is no number from 1 to 1024", value);
	return false;
}

static bool read_size(const char *value, cli_args *args)
{
	const char *at;
	if (read_count(value, 16384, &at, &args->width) && *at == 'x' &&
	    read_count(at + 1, 16384, &at, &args->height) && !*at) return true;
	cli_usage("--size: \"%s\" is no size such as 640x480, with sides up to 16384", value);
	return false;
}

static bool read_camera(const char *value, cli_args *args)
{
	const char *at = value;
	for (int i = 0; i < 6; i++) {
		char *end;
		double number = strtod(at, &end);
		bool last = !*end && i >= 4;
		if (end == at || !(fabs(number) <= 1e6) || (*end != ',' && !last) || (*end && i == 5)) break;
		args->camera[i] = (float)number;
		at = end + 1;
		args->has_camera = last;
		if (last) return true;
	}
	cli_usage("--camera: \"%s\" is not X,Y,Z,PITCH,YAW", value);
	return false;
}

static bool read_light_style(const char *value, cli_args *args)
{
	const char *at;
	uint32_t style = 0;
	bool zero = value[0] == '0' && value[1] == '=';
	if (zero) at = value + 1;
	else if (!read_count(value, CLI_LIGHT_STYLES - 1, &at, &style)) at = "";
	if (*at == '=') return read_number("lightstyle", at + 1, 0, 100, &args->light_styles[style]);
	cli_usage("--lightstyle: \"%s\" is not N=VALUE with N from 0 to %d", value, CLI_LIGHT_STYLES - 1);
	return false;
}

static bool read_samples(const char *value, cli_args *args)
{
	const char *end;
	if (read_count(value, 64, &end, &args->samples) && !*end) return true;
	cli_usage("--samples: \"%s\" is no number from 1 to 64", value);
	return false;
}

static bool add_game(const char *value, cli_args *args)
{
	if (args->game_count == CLI_MAX_GAMES) {
		cli_usage("--game: more than %d directories", CLI_MAX_GAMES);
		return false;
	}
	args->games[args->game_count++] = value;
	return true;
}

static bool apply(const option_row *row, const char *value, cli_args *args)
{
	uint32_t word = 0;
	bool ok = true;
	switch (row->option) {
	case CLI_OPTION_MAP: args->map = value; break;
	case CLI_OPTION_GAME: return add_game(value, args);
	case CLI_OPTION_JSON: args->json = true; break;
	case CLI_OPTION_LIGHTING:
		ok = read_word(row->name, lighting_words, value, strlen(value), &word);
		args->lighting = (bspscene_write_lighting)word;
		break;
	case CLI_OPTION_LIGHTMAP_ENCODING:
		ok = read_word(row->name, encoding_words, value, strlen(value), &word);
		args->lightmap_encoding = (bspscene_lightmap_encoding)word;
		break;
	case CLI_OPTION_INCLUDE: return read_include(row->name, value, &args->include);
	case CLI_OPTION_PATCH_ERROR: return read_number(row->name, value, 0.25f, 1024, &args->patch_error);
	case CLI_OPTION_SCALE: return read_number(row->name, value, 1e-6f, 1e6f, &args->metres_per_unit);
	case CLI_OPTION_STRICT: args->strict = true; break;
	case CLI_OPTION_LUMP_PATCHES: args->lump_patches = true; break;
	case CLI_OPTION_NO_NORMAL_MAPS: args->no_normal_maps = true; break;
	case CLI_OPTION_SIZE: return read_size(value, args);
	case CLI_OPTION_FOV: return read_number(row->name, value, 1, 170, &args->fov_degrees);
	case CLI_OPTION_CAMERA: return read_camera(value, args);
	case CLI_OPTION_ENTITY: args->entity = value; break;
	case CLI_OPTION_OVERVIEW: args->overview = true; break;
	case CLI_OPTION_MODE:
		ok = read_word(row->name, mode_words, value, strlen(value), &word);
		args->mode = (cli_mode)word;
		break;
	case CLI_OPTION_INTENSITY: return read_number(row->name, value, 0.01f, 100, &args->intensity);
	case CLI_OPTION_WORLD_ONLY: args->world_only = true; break;
	case CLI_OPTION_EVERY: args->every = value; break;
	case CLI_OPTION_TIME: return read_number(row->name, value, 0, 1e6f, &args->time);
	case CLI_OPTION_SAMPLES: return read_samples(value, args);
	case CLI_OPTION_LIGHT_STYLE: return read_light_style(value, args);
	case CLI_OPTION_QUIET: args->quiet = true; break;
	case CLI_OPTION_THREADS: return read_threads(value, &args->threads);
	default: break;
	}
	return ok;
}

/* getopt's table of the options in `taken`; `val` is the row's number, moved behind all letters. */
static void make_long_options(uint32_t taken, struct option *out)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (!(option_rows[i].option & taken)) continue;
		int value = option_rows[i].value ? required_argument : no_argument;
		*out++ = (struct option){ option_rows[i].name, value, NULL, FIRST_VALUE + i };
	}
	*out = (struct option){ 0 };
}

static cli_exit complain(int answer, char **argv, const cli_command *command)
{
	const char *text = argv[optind - 1];
	const char *name = command ? command->name : "", *space = command ? " " : "";
	char letter[3] = { '-', (char)optopt, 0 };
	if (optopt > 0 && optopt < FIRST_VALUE) text = letter;
	if (answer == ':') return cli_usage("%s%s%s needs a value", name, space, text);
	if (optopt >= FIRST_VALUE) return cli_usage("%s%s%s: the option takes no value", name, space, text);
	return cli_usage("%s%s%s: no such option; see bspscene%s%s --help", name, space, text, space, name);
}

/* Reads the options in `taken`; the operands are left in argv from optind on. False: ends with *status. */
static bool read_options(int argc, char **argv, const char *style, uint32_t taken, const cli_command *command,
                         cli_args *args, cli_exit *status)
{
	struct option long_options[OPTION_COUNT + 1];
	make_long_options(taken, long_options);
	opterr = 0;
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
	optreset = 1;
	optind = 1;
#else
	optind = 0; /* also makes glibc read `style` again */
#endif
	for (;;) {
		optopt = 0;
		int answer = getopt_long(argc, argv, style, long_options, NULL);
		if (answer == -1) return true;
		if (answer == '?' || answer == ':') {
			*status = complain(answer, argv, command);
			return false;
		}
		const option_row *row = &option_rows[answer - FIRST_VALUE];
		if (row->option == CLI_OPTION_HELP || row->option == CLI_OPTION_VERSION) {
			if (row->option == CLI_OPTION_VERSION) printf("bspscene %s\n", bspscene_version());
			else if (command) cli_print_help(command);
			else cli_print_overview();
			*status = cli_finish_stdout();
			return false;
		}
		if (!apply(row, optarg, args)) {
			*status = CLI_USAGE;
			return false;
		}
	}
}

bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status)
{
	if (!read_options(argc, argv, "+:", CLI_OPTIONS_COMMON, NULL, args, status)) return false;
	*next = optind;
	return true;
}

bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status)
{
	if (!read_options(argc, argv, ":", command->options | CLI_OPTIONS_COMMON, command, args, status)) return false;
	uint32_t count = (uint32_t)(argc - optind);
	if (count != command->operand_count) {
		*status = count > command->operand_count
			? cli_usage("%s: \"%s\" is one argument too many: %s", command->name, argv[argc - 1], command->operands)
			: cli_usage("%s needs %s; see bspscene %s --help", command->name, command->operands, command->name);
		return false;
	}
	args->source = argv[optind];
	args->output = count > 1 ? argv[optind + 1] : NULL;
	return true;
}

bool cli_light_styles(const cli_args *args, float out[CLI_LIGHT_STYLES])
{
	bool given = false;
	for (int i = 0; i < CLI_LIGHT_STYLES; i++) {
		bool own = args->light_styles[i] >= 0;
		out[i] = own ? args->light_styles[i] : 1;
		given = given || own;
	}
	return given;
}

/* One option of --help: the name, then its lines in a column of their own. */
static void print_option(const option_row *row)
{
	char *left = cli_format("--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
	printf("  %-26s", left);
	if (strlen(left) > 25) printf("\n%28s", "");
	free(left);
	for (const char *at = row->help;;) {
		size_t length = strcspn(at, "\n");
		printf("%.*s\n", (int)length, at);
		if (!at[length]) return;
		printf("%28s", "");
		at += length + 1;
	}
}

void cli_print_help(const cli_command *command)
{
	printf("bspscene %s %s [OPTION]...\n\n%s\n\nOptions:\n", command->name, command->operands, command->details);
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (option_rows[i].option & (command->options | CLI_OPTIONS_COMMON)) print_option(&option_rows[i]);
	}
	printf("\nExamples:\n%s", command->examples);
}
