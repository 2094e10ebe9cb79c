/* diff_sides.c - see diff_sides.h. */
#include "archive/diff/diff_sides.h"

#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/report.h"

/* Returns the ':' of "FILE:MAP", or NULL if the operand is only a path. */
static const char *find_colon(const char *operand)
{
	if (cli_kind_of(operand, true) != CLI_PATH_ABSENT) return NULL;
	const char *colon = strrchr(operand, ':');
	if (!colon || !colon[1]) return NULL;
	char *path = cli_format("%.*s", (int)(colon - operand), operand);
	bool there = cli_kind_of(path, true) != CLI_PATH_ABSENT;
	free(path);
	return there ? colon : NULL;
}

cli_diff_side cli_diff_side_of(const cli_args *args, uint32_t side)
{
	const cli_diff_options *own = cli_diff_options_of(args);
	const char *operand = args->operands[side], *colon = find_colon(operand);
	if (colon) return (cli_diff_side){ cli_format("%.*s", (int)(colon - operand), operand), colon + 1 };
	const char *map = own->map_count ? own->maps[own->map_count == CLI_SIDES ? side : 0] : NULL;
	return (cli_diff_side){ cli_format("%s", operand), map };
}

void cli_diff_side_free(cli_diff_side *side)
{
	free(side->path);
	*side = (cli_diff_side){ 0 };
}
