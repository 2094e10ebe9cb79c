/* args.h - the command line as a struct: what commands share, and behind it what one command has for itself. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <bspscene/bspscene.h>

/* What the process ends with. */
typedef enum cli_exit {
	CLI_DONE = 0,
	CLI_FAILED = 1,                    /* the input or the output failed */
	CLI_USAGE = 2                      /* the command line is wrong */
} cli_exit;

#define CLI_MAX_GAMES 32
#define CLI_MAX_ROOTS 32
#define CLI_LIGHT_STYLES 256
#define CLI_STYLE_AS_IT_IS (-1.0f)

typedef struct cli_option_row cli_option_row;

typedef struct cli_args {
	const char *source, *output;       /* output is NULL for commands without one */
	char **operands;                   /* all of them, SOURCE first */
	uint32_t operand_count;
	const char *map;                   /* NULL: the only map there is */
	const char *games[CLI_MAX_GAMES];
	const char *palette;               /* file of the colors of 8-bit textures; NULL: the game's */
	uint32_t game_count;
	const char *roots[CLI_MAX_ROOTS];  /* "NAME=DIR" each, see archive/store/roots.h */
	uint32_t root_count;
	bool json, quiet, strict, lump_patches;
	bool dry_run, force;
	bool only_light;                   /* of the command: nothing it makes shows textures or models */
	uint32_t threads;                  /* 0: as many as there are processors */
	uint32_t memory_limit, output_limit; /* MiB; 0: the default */
	bspscene_lightmap_encoding lightmap_encoding;
	bspscene_light_range light;
	const char *light_set;             /* NULL: the map's first */
	uint32_t seed;
	uint32_t skin, body, frame;        /* of a model alone */
	const char *sequence;              /* the same; NULL: the usual one */
	bspscene_engine engine;
	bspscene_entity_source entity_source;
	uint32_t include;                  /* bspscene_surface_kind bits */
	bspscene_models models;
	bspscene_missing missing;
	float patch_error, meters_per_unit;/* 0: the default */
	bspscene_compression compression;
	bspscene_picture_format picture_format;

	uint32_t width, height;            /* of the picture */
	uint32_t jobs, timeout;            /* processes, seconds; 0: the default */
	void *own;                         /* the command's own options; NULL: it has none */
	float light_styles[CLI_LIGHT_STYLES]; /* brightness given by --lightstyle, else CLI_STYLE_AS_IT_IS */
} cli_args;

/* In a summary: the endings of the library's writers. */
#define CLI_ENDINGS "{endings}"

typedef struct cli_command {
	const char *name;
	const char *operands;              /* "SOURCE OUTDIR" */
	const char *section;               /* heading of the list of commands that it stands under */
	const char *summary;               /* for the list of commands: a verb and its object */
	const char *details;               /* paragraphs for --help; an empty line parts them */
	const char *examples;              /* lines for --help, two spaces before each */
	const char *options;               /* names of all options, with spaces between */
	const char *first;                 /* names of those that most people need; NULL: --help has no groups */
	const cli_option_row *own;         /* rows of those that no other command has, up to a NULL name; NULL: none */
	size_t own_size;                   /* of the struct that they set, which begins zeroed */
	uint32_t operand_count;            /* 1: SOURCE, 2: and an output */
	uint32_t most_operands;            /* when there may be more; else 0 */
	cli_exit (*run)(const cli_args *args);
} cli_command;

/* Reads argv[1..]. With *command NULL only the common options before the command are read, and *next is set to the
 * command's place in argv. Returns false when the program is to end with *status: after --help, --version or an
 * error. args->own is the caller's to free in any case. */
bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status);
bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status);

/* Did --lightstyle say anything? */
bool cli_gives_light_style(const cli_args *args);
/* The brightness of each style: what --lightstyle said, else as when the map starts. NULL: it said nothing; else
 * `out`. */
const float *cli_light_styles(const cli_args *args, const bspscene_scene *scene, float out[CLI_LIGHT_STYLES]);

/* Prints the help of the program, or of one command, on standard output. Both are in commands/, where the table of
 * commands is. */
void cli_print_overview(void);
void cli_print_help(const cli_command *command);

#endif
