/* process_options.h - the options that only `process` has. */
#ifndef CLI_PROCESS_OPTIONS_H
#define CLI_PROCESS_OPTIONS_H

#include "archive/pictures/picture_kinds.h"
#include "cli/options/option_rows.h"

/* The steps of `process`. */
typedef enum cli_step {
	CLI_STEP_INFO = 1, CLI_STEP_PICTURES = 2, CLI_STEP_LIGHTMAPS = 4, CLI_STEP_GLB = 8, CLI_STEP_ENTITIES = 16,
	CLI_STEP_FILES = 32, CLI_STEP_COMPANIONS = 64, CLI_STEP_ORIGINALS = 128
} cli_step;

typedef struct cli_process_options {
	const char *catalog;               /* path of the catalog; NULL: standard input */
	uint32_t steps;                    /* cli_step bits; 0: the default */
	bool has_pictures;                 /* --pictures was given */
	cli_picture_size pictures[CLI_PICTURE_KINDS]; /* sizes of the pictures that --pictures named */
	uint32_t shared_textures;          /* 1: GLBs refer to pictures that the store's maps share */
	uint32_t shard, shard_count;       /* the run processes only part `shard` of `shard_count` parts, counted from 1;
	                                    * 0: all maps */
	bool keep_originals;               /* true: the store also gets the files or archives that the maps came in */
	bool retry, prune, dry_run;
} cli_process_options;

extern const cli_option_row cli_process_rows[];

static inline const cli_process_options *cli_process_options_of(const cli_args *args) { return args->own; }

#endif
