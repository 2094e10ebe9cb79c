/* args.h - the command line as a struct. One table holds every option, one row per command says which it takes. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <bspscene/bspscene.h>

/* What the process ends with. */
typedef enum cli_exit {
	CLI_DONE = 0,
	CLI_FAILED = 1,                    /* the input or the output failed */
	CLI_USAGE = 2                      /* the command line is wrong */
} cli_exit;

typedef enum cli_mode {
	CLI_MODE_FULL,                     /* texture x light */
	CLI_MODE_LIGHTMAP,
	CLI_MODE_TEXTURE
} cli_mode;

#define CLI_MAX_GAMES 32
#define CLI_LIGHT_STYLES 256
#define CLI_STYLE_AS_IT_IS (-1.0f)

typedef struct cli_args {
	const char *source, *output;       /* output is NULL for commands without one */
	const char *map;                   /* NULL: the only map there is */
	const char *games[CLI_MAX_GAMES];
	uint32_t game_count;
	bool json, quiet, strict, lump_patches, no_normal_maps;
	uint32_t threads;                  /* 0: as many as there are processors */
	bspscene_write_lighting lighting;
	bspscene_lightmap_encoding lightmap_encoding;
	uint32_t include;                  /* bspscene_include bits */
	float patch_error, metres_per_unit;/* 0: the default */

	uint32_t width, height;            /* of the picture */
	float fov_degrees;                 /* horizontal; 0: the camera's own */
	bool has_camera, overview, world_only;
	float camera[6];                   /* x y z pitch yaw roll, game units and degrees */
	const char *entity;                /* "CLASSNAME" or "CLASSNAME:N", or NULL */
	const char *every;                 /* class whose entities make a sheet of pictures, or NULL */
	cli_mode mode;
	float intensity;                   /* 0: the map's own */
	float time;                        /* seconds since the map started */
	uint32_t samples;                  /* per pixel; 0: the renderer's own */
	float light_styles[CLI_LIGHT_STYLES]; /* brightness given by --lightstyle, else CLI_STYLE_AS_IT_IS */
} cli_args;

/* Options as bits, so that a command names the ones it takes. */
typedef enum cli_option {
	CLI_OPTION_MAP = 1 << 0,
	CLI_OPTION_GAME = 1 << 1,
	CLI_OPTION_JSON = 1 << 2,
	CLI_OPTION_LIGHTING = 1 << 3,
	CLI_OPTION_LIGHTMAP_ENCODING = 1 << 4,
	CLI_OPTION_INCLUDE = 1 << 5,
	CLI_OPTION_PATCH_ERROR = 1 << 6,
	CLI_OPTION_SCALE = 1 << 7,
	CLI_OPTION_STRICT = 1 << 8,
	CLI_OPTION_SIZE = 1 << 9,
	CLI_OPTION_FOV = 1 << 10,
	CLI_OPTION_CAMERA = 1 << 11,
	CLI_OPTION_ENTITY = 1 << 12,
	CLI_OPTION_OVERVIEW = 1 << 13,
	CLI_OPTION_MODE = 1 << 14,
	CLI_OPTION_INTENSITY = 1 << 15,
	CLI_OPTION_WORLD_ONLY = 1 << 16,
	CLI_OPTION_QUIET = 1 << 17,
	CLI_OPTION_THREADS = 1 << 18,
	CLI_OPTION_VERSION = 1 << 19,
	CLI_OPTION_HELP = 1 << 20,
	CLI_OPTION_EVERY = 1 << 21,
	CLI_OPTION_TIME = 1 << 22,
	CLI_OPTION_SAMPLES = 1 << 23,
	CLI_OPTION_LIGHT_STYLE = 1 << 24,
	CLI_OPTION_LUMP_PATCHES = 1 << 25,
	CLI_OPTION_NO_NORMAL_MAPS = 1 << 26,
	CLI_OPTIONS_COMMON = CLI_OPTION_QUIET | CLI_OPTION_THREADS | CLI_OPTION_VERSION | CLI_OPTION_HELP
} cli_option;

typedef struct cli_command {
	const char *name;
	const char *operands;              /* "SOURCE OUTDIR" */
	const char *summary;               /* for the list of commands */
	const char *details;               /* paragraphs for --help */
	const char *examples;              /* lines for --help */
	uint32_t options;                  /* cli_option bits; the common ones are always taken */
	uint32_t operand_count;            /* 1: SOURCE, 2: and an output */
	cli_exit (*run)(const cli_args *args);
} cli_command;

/* Reads argv[1..]. With *command NULL only the common options before the command are read, and *next is set to the
 * command's place in argv. Returns false when the program is to end with *status: after --help, --version or an
 * error. */
bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status);
bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status);

/* The brightness of each style: what --lightstyle said, else 1. False: it said nothing. */
bool cli_light_styles(const cli_args *args, float out[CLI_LIGHT_STYLES]);

/* --help of one command, on standard output. */
void cli_print_help(const cli_command *command);
/* --help of the program; main.c, which has the table of commands. */
void cli_print_overview(void);

#endif
