/* catalog_entry.h - one file of an archive's folders to the lines of a catalog: a line for each map in it, however deep
 * in archives, and one for what cannot be read. */
#ifndef CLI_CATALOG_ENTRY_H
#define CLI_CATALOG_ENTRY_H

#include "cli/options/args.h"

/* Does the name end as maps and archives do? Parts of a VPK but its directory do not. */
bool cli_catalog_takes(const char *name);
/* Takes each line, which it frees. False: stop. */
typedef bool cli_catalog_line_fn(void *user, char *line);
/* False: `put` said so. */
bool cli_catalog_file(const char *path, const cli_args *args, cli_catalog_line_fn *put, void *user);
/* A line for a file that could not be read. */
char *cli_catalog_error(const char *path, const char *const *members, uint32_t member_count, const char *message,
                        const cli_args *args);

#endif
