/* archive_diff.h - compares two archives or games: which maps are new, removed, renamed or changed. */
#ifndef CLI_ARCHIVE_DIFF_H
#define CLI_ARCHIVE_DIFF_H

#include "archive/diff/diff_sides.h"

/* True if the two sides are to be compared as archives: both are archives or folders, no map is chosen, and at least
 * one side does not have exactly one map. False if a side cannot be opened. */
bool cli_are_archives(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);
/* Prints the differences. With --json, prints { maps { removed, added, renamed [{ a, b }], same, changed [{ a, b,
 * members of cli_diff_maps }], unread [{ map, error }] } }. */
cli_exit cli_diff_archives(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);
/* Sets options for loading a map to compare: without texture images, but with the map's hashes. */
void cli_diff_load_options(const cli_args *args, bspscene_load_options *options);

#endif
