/* diff_sides.h - the options of `diff`, and which map of which file stands on each of its two sides. */
#ifndef CLI_DIFF_SIDES_H
#define CLI_DIFF_SIDES_H

#include "cli/options/args.h"

enum { CLI_SIDES = 2 };

typedef struct cli_diff_options {
	const char *picture;               /* file of what differs, or NULL */
	const char *maps[CLI_SIDES];       /* one for both, or one for each */
	uint32_t map_count;
} cli_diff_options;

typedef struct cli_diff_side {
	char *path;
	const char *map;                   /* NULL: the only map, or all maps */
} cli_diff_side;

static inline const cli_diff_options *cli_diff_options_of(const cli_args *args) { return args->own; }

/* The first or the second: "pak.pk3:oa_dm1" is a map in the file, unless there is a file of that name. */
cli_diff_side cli_diff_side_of(const cli_args *args, uint32_t side);
void cli_diff_side_free(cli_diff_side *side);

#endif
