/* diff_sides.h - the options of `diff`, and the file and map of each side. */
#ifndef CLI_DIFF_SIDES_H
#define CLI_DIFF_SIDES_H

#include "cli/options/args.h"

enum { CLI_SIDES = 2 };

typedef struct cli_diff_options {
	const char *picture;               /* path of the picture, or NULL */
	const char *maps[CLI_SIDES];       /* --map: one for both sides, or one for each */
	uint32_t map_count;
} cli_diff_options;

typedef struct cli_diff_side {
	char *path;
	const char *map;                   /* name of the map; NULL: the only map, or all maps */
} cli_diff_side;

static inline const cli_diff_options *cli_diff_options_of(const cli_args *args) { return args->own; }

/* Returns the first or the second side. "pak.pk3:oa_dm1" names a map in a file, unless a file has that whole name. */
cli_diff_side cli_diff_side_of(const cli_args *args, uint32_t side);
void cli_diff_side_free(cli_diff_side *side);

#endif
