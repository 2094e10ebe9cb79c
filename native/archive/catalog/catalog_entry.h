/* catalog_entry.h - one file of an archive's folders to the lines of a catalog: a line for each map in it, however deep
 * in archives, and one for what cannot be read. */
#ifndef CLI_CATALOG_ENTRY_H
#define CLI_CATALOG_ENTRY_H

#include "archive/catalog/map_folder.h"
#include "archive/catalog/work_budget.h"
#include "cli/options/args.h"

/* Takes each line, which it frees. False: stop. */
typedef bool cli_catalog_line_fn(void *user, char *line);
/* `folders` are the file's. `spent` receives what an archive cost (NULL: nobody asks). False: `put` said so. */
bool cli_catalog_file(const char *path, const cli_map_folder *const folders[2], const cli_args *args,
                      cli_catalog_line_fn *put, void *user, cli_work_budget *spent);
/* A line for a file that could not be read. */
char *cli_catalog_error(const char *path, const char *const *members, uint32_t member_count, const char *message,
                        const cli_args *args);

#endif
