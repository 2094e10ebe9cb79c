/* archive_diff.h - two archives or games beside each other: which maps are new, gone, renamed or changed. */
#ifndef CLI_ARCHIVE_DIFF_H
#define CLI_ARCHIVE_DIFF_H

#include "archive/diff/diff_sides.h"

/* Do the sides have no map chosen, and one of them more than one? A side that cannot be opened says no. */
bool cli_are_archives(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);
/* Prints what differs; with --json { maps { removed, added, renamed [{ a, b }], same, changed [{ a, b, and what
 * cli_diff_maps says }], unread [{ map, error }] } }. */
cli_exit cli_diff_archives(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);
/* What is compared of a map: no pictures of textures, and its identity. */
void cli_diff_load_options(const cli_args *args, bspscene_load_options *options);

#endif
