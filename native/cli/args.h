/* args.h - the command line as a struct. One table holds every option, one row per command says which it takes. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <bspscene/bspscene.h>

#include "picture_kinds.h"

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

#define CLI_EXPOSURE_AUTO (-1.0f)

/* What `process` makes of a map. */
typedef enum cli_step {
	CLI_STEP_INFO = 1, CLI_STEP_PICTURES = 2, CLI_STEP_LIGHTMAPS = 4, CLI_STEP_GLB = 8, CLI_STEP_ENTITIES = 16
} cli_step;

typedef struct cli_args {
	const char *source, *output;       /* output is NULL for commands without one */
	char **operands;                   /* all of them, SOURCE first */
	uint32_t operand_count;
	const char *map;                   /* NULL: the only map there is */
	const char *games[CLI_MAX_GAMES];
	const char *palette;               /* file of the colours of 8-bit textures; NULL: the game's */
	uint32_t game_count;
	bool json, quiet, strict, lump_patches, no_normal_maps, every_style;
	uint32_t threads;                  /* 0: as many as there are processors */
	uint32_t memory_limit, output_limit; /* MiB; 0: the default */
	bspscene_write_lighting lighting;
	float light_error;                 /* 0: the default */
	uint32_t triangle_limit;           /* 0: the default */
	bool no_lights;
	bspscene_write_merge merge;
	bool no_entities, compress;
	uint32_t light_limit;              /* 0: the default, BSPSCENE_NO_INDEX: all */
	bool embed;
	uint32_t fbx_unit;                 /* how many are a metre; 0: the default */
	bspscene_lightmap_encoding lightmap_encoding;
	bspscene_light_choice light;
	bool dry_run, any_light, no_lit;   /* relight */
	bspscene_engine engine;
	uint32_t include;                  /* bspscene_include bits */
	bspscene_models models;
	bspscene_missing missing;
	float patch_error, metres_per_unit;/* 0: the default */

	const char *picture;               /* file of what differs between two maps, or NULL */
	uint32_t width, height;            /* of the picture */
	float fov_degrees;                 /* horizontal; 0: the camera's own */
	bool has_camera, overview, plan, turn, roofs, world_only, pvs;
	uint32_t frames;                   /* of a turn; 0: the default */
	float camera[6];                   /* x y z pitch yaw roll, game units and degrees */
	const char *entity;                /* "CLASSNAME" or "CLASSNAME:N", or NULL */
	const char *every;                 /* class whose entities make a sheet of pictures, or NULL */
	cli_mode mode;
	float intensity;                   /* 0: the map's own */
	float exposure;                    /* factor, or CLI_EXPOSURE_AUTO; 0: the picture's kind says */
	float time;                        /* seconds since the map started */
	uint32_t samples;                  /* per pixel; 0: the renderer's own */
	bool recursive, retry;
	uint32_t steps;                    /* cli_step bits; 0: the default */
	bool has_pictures;                 /* --pictures was given */
	cli_picture_size pictures[CLI_PICTURE_KINDS]; /* what it named */
	uint32_t shared_textures;          /* 1: GLBs refer to pictures of the store */
	uint32_t jobs, timeout;            /* processes, seconds; 0: the default */
	uint32_t shard, shard_count;       /* this of as many, counted from 1; 0: all */
	const char *catalog;               /* NULL: standard input */
	float light_styles[CLI_LIGHT_STYLES]; /* brightness given by --lightstyle, else CLI_STYLE_AS_IT_IS */
} cli_args;

/* Options as bits, so that a command names the ones it takes. */
#define CLI_OPTION_MAP (UINT64_C(1) << 0)
#define CLI_OPTION_GAME (UINT64_C(1) << 1)
#define CLI_OPTION_JSON (UINT64_C(1) << 2)
#define CLI_OPTION_LIGHTING (UINT64_C(1) << 3)
#define CLI_OPTION_LIGHTMAP_ENCODING (UINT64_C(1) << 4)
#define CLI_OPTION_INCLUDE (UINT64_C(1) << 5)
#define CLI_OPTION_PATCH_ERROR (UINT64_C(1) << 6)
#define CLI_OPTION_SCALE (UINT64_C(1) << 7)
#define CLI_OPTION_STRICT (UINT64_C(1) << 8)
#define CLI_OPTION_SIZE (UINT64_C(1) << 9)
#define CLI_OPTION_FOV (UINT64_C(1) << 10)
#define CLI_OPTION_CAMERA (UINT64_C(1) << 11)
#define CLI_OPTION_ENTITY (UINT64_C(1) << 12)
#define CLI_OPTION_OVERVIEW (UINT64_C(1) << 13)
#define CLI_OPTION_MODE (UINT64_C(1) << 14)
#define CLI_OPTION_INTENSITY (UINT64_C(1) << 15)
#define CLI_OPTION_WORLD_ONLY (UINT64_C(1) << 16)
#define CLI_OPTION_QUIET (UINT64_C(1) << 17)
#define CLI_OPTION_THREADS (UINT64_C(1) << 18)
#define CLI_OPTION_VERSION (UINT64_C(1) << 19)
#define CLI_OPTION_HELP (UINT64_C(1) << 20)
#define CLI_OPTION_EVERY (UINT64_C(1) << 21)
#define CLI_OPTION_TIME (UINT64_C(1) << 22)
#define CLI_OPTION_SAMPLES (UINT64_C(1) << 23)
#define CLI_OPTION_LIGHT_STYLE (UINT64_C(1) << 24)
#define CLI_OPTION_LUMP_PATCHES (UINT64_C(1) << 25)
#define CLI_OPTION_NO_NORMAL_MAPS (UINT64_C(1) << 26)
#define CLI_OPTION_MISSING (UINT64_C(1) << 27)
#define CLI_OPTION_EVERY_STYLE (UINT64_C(1) << 40)
#define CLI_OPTION_ENGINE (UINT64_C(1) << 28)
#define CLI_OPTION_ROOFS (UINT64_C(1) << 29)
#define CLI_OPTION_PALETTE (UINT64_C(1) << 30)
#define CLI_OPTION_PLAN (UINT64_C(1) << 31)
#define CLI_OPTION_TURN (UINT64_C(1) << 51)
#define CLI_OPTION_FRAMES (UINT64_C(1) << 54)
#define CLI_OPTION_MEMORY_LIMIT (UINT64_C(1) << 41)
#define CLI_OPTION_OUTPUT_LIMIT (UINT64_C(1) << 42)
#define CLI_OPTION_PICTURE (UINT64_C(1) << 43)
#define CLI_OPTION_MODELS (UINT64_C(1) << 50)
#define CLI_OPTION_LIGHT_ERROR (UINT64_C(1) << 44)
#define CLI_OPTION_MAX_TRIANGLES (UINT64_C(1) << 45)
#define CLI_OPTION_LIGHTS (UINT64_C(1) << 46)
#define CLI_OPTION_MERGE (UINT64_C(1) << 47)
#define CLI_OPTION_NO_ENTITIES (UINT64_C(1) << 48)
#define CLI_OPTION_EMBED (UINT64_C(1) << 52)
#define CLI_OPTION_FBX_UNIT (UINT64_C(1) << 53)
#define CLI_OPTION_COMPRESS (UINT64_C(1) << 49)
#define CLI_OPTION_PVS (UINT64_C(1) << 56)
#define CLI_OPTION_RECURSIVE (UINT64_C(1) << 32)
#define CLI_OPTION_JOBS (UINT64_C(1) << 33)
#define CLI_OPTION_TIMEOUT (UINT64_C(1) << 34)
#define CLI_OPTION_STEPS (UINT64_C(1) << 35)
#define CLI_OPTION_SHARD (UINT64_C(1) << 36)
#define CLI_OPTION_CATALOG (UINT64_C(1) << 37)
#define CLI_OPTION_TEXTURES (UINT64_C(1) << 38)
#define CLI_OPTION_RETRY (UINT64_C(1) << 39)
#define CLI_OPTION_LIGHT (UINT64_C(1) << 57)
#define CLI_OPTION_DRY_RUN (UINT64_C(1) << 58)
#define CLI_OPTION_ANY_LIGHT (UINT64_C(1) << 59)
#define CLI_OPTION_NO_LIT (UINT64_C(1) << 60)
#define CLI_OPTION_EXPOSURE (UINT64_C(1) << 61)
#define CLI_OPTION_PICTURES (UINT64_C(1) << 55)
/* Of all commands that read maps. */
#define CLI_OPTIONS_MAP (CLI_OPTION_MAP | CLI_OPTION_MEMORY_LIMIT | CLI_OPTION_OUTPUT_LIMIT)
#define CLI_OPTIONS_COMMON (CLI_OPTION_QUIET | CLI_OPTION_VERSION | CLI_OPTION_HELP)

typedef struct cli_command {
	const char *name;
	const char *operands;              /* "SOURCE OUTDIR" */
	const char *summary;               /* for the list of commands */
	const char *details;               /* paragraphs for --help */
	const char *examples;              /* lines for --help */
	uint64_t options;                  /* CLI_OPTION bits; the common ones are always taken */
	uint32_t operand_count;            /* 1: SOURCE, 2: and an output */
	uint32_t most_operands;            /* when there may be more; else 0 */
	cli_exit (*run)(const cli_args *args);
} cli_command;

/* Reads argv[1..]. With *command NULL only the common options before the command are read, and *next is set to the
 * command's place in argv. Returns false when the program is to end with *status: after --help, --version or an
 * error. */
bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status);
bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status);

/* Did --lightstyle say anything? */
bool cli_gives_light_style(const cli_args *args);
/* The brightness of each style: what --lightstyle said, else as when the map starts. NULL: it said nothing; else
 * `out`. */
const float *cli_light_styles(const cli_args *args, const bspscene_scene *scene, float out[CLI_LIGHT_STYLES]);

/* --help of one command, on standard output. */
void cli_print_help(const cli_command *command);
/* --help of the program; main.c, which has the table of commands. */
void cli_print_overview(void);

#endif
