/* args.h - the parsed command line: options that several commands share, and a pointer to the command's own. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <bspscene/bspscene.h>

/* Exit statuses of the process. */
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
	const char *source, *output;       /* operands; `output` is NULL if the command takes none */
	char **operands;                   /* all operands, SOURCE first */
	uint32_t operand_count;
	const char *map;                   /* --map: which map of SOURCE; NULL: it has only one */
	const char *games[CLI_MAX_GAMES];
	const char *palette;               /* file with the palette of 8-bit textures; NULL: the game's */
	uint32_t game_count;
	const char *roots[CLI_MAX_ROOTS];  /* "NAME=DIR"; see archive/store/roots.h */
	uint32_t root_count;
	bool json, quiet, strict, lump_patches;
	bool dry_run, force;
	bool only_light;                   /* set by commands whose output shows neither textures nor models */
	uint32_t threads;                  /* 0: one for each processor */
	uint32_t memory_limit, output_limit; /* in MiB; 0: the default */
	bspscene_lightmap_encoding lightmap_encoding;
	bspscene_light_range light;
	const char *light_set;             /* NULL: the map's first light set */
	uint32_t seed;
	uint32_t skin, body, frame;        /* indexes, used if SOURCE is a model */
	const char *sequence;              /* animation, used if SOURCE is a model; NULL: the default sequence */
	bspscene_engine engine;
	bspscene_entity_source entity_source;
	uint32_t include;                  /* bspscene_surface_kind bits */
	bspscene_models models;
	bspscene_missing missing;
	float patch_error, meters_per_unit;/* largest distance of a curve from its triangles in game units; meters per game
	                                    * unit; 0: the default */
	bspscene_compression compression;
	bspscene_picture_format picture_format;

	uint32_t width, height;            /* size of the picture in pixels */
	uint32_t jobs, timeout;            /* number of processes; time limit in seconds; 0: the default */
	void *own;                         /* the command's own options; NULL: it has none */
	float light_styles[CLI_LIGHT_STYLES]; /* brightness that --lightstyle gives to each light style (1: as in the map),
	                                       * or CLI_STYLE_AS_IT_IS: as when the map starts */
} cli_args;

/* A summary may contain this placeholder. It is replaced by the list of file extensions that can be written. */
#define CLI_ENDINGS "{endings}"

typedef struct cli_command {
	const char *name;
	const char *operands;              /* operands in --help, such as "SOURCE OUTDIR" */
	const char *section;               /* heading of the list of commands */
	const char *summary;               /* one line for the list of commands */
	const char *details;               /* paragraphs for --help, separated by empty lines */
	const char *examples;              /* lines for --help, each indented by two spaces */
	const char *options;               /* names of all options, separated by spaces */
	const char *first;                 /* names of the most used options; NULL: --help has no groups */
	const cli_option_row *own;         /* rows of options that only this command has, up to a NULL name; NULL: none */
	size_t own_size;                   /* size of the struct that the rows of `own` set; it is zeroed first */
	uint32_t operand_count;            /* smallest number of operands; 1 is SOURCE, 2 are SOURCE and an output */
	uint32_t most_operands;            /* largest number of operands; 0: the same as operand_count */
	cli_exit (*run)(const cli_args *args);
} cli_command;

/* cli_parse_common reads the options before the command, and sets *next to the command's index in argv. cli_parse reads
 * the options and operands of `command`, whose name is argv[0]. Both return false if the program must end with *status:
 * after --help, --version or an error. The caller frees args->own in any case. */
bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status);
bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status);

/* True if --lightstyle was given. */
bool cli_gives_light_style(const cli_args *args);
/* Sets `out` to the brightness of each light style: from --lightstyle, or the style's brightness at the start of the
 * map. Returns `out`, or NULL if --lightstyle was not given. */
const float *cli_light_styles(const cli_args *args, const bspscene_scene *scene, float out[CLI_LIGHT_STYLES]);

/* Prints the help of the program, or of one command, on standard output. */
void cli_print_overview(void);
void cli_print_help(const cli_command *command);

#endif
