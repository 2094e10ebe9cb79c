/* catalog_entry.h - reads one file and makes a line of the catalog for each map in it, also in nested archives, and for
 * each file that cannot be read. */
#ifndef CLI_CATALOG_ENTRY_H
#define CLI_CATALOG_ENTRY_H

#include "archive/catalog/map_folder.h"
#include "archive/catalog/work_budget.h"
#include "cli/options/args.h"

/* Receives a line and frees it. Returns false to stop. */
typedef bool cli_catalog_line_fn(void *user, char *line);
/* Calls `put` with each line for a file. `folders` comes from cli_find_folders. `spent` receives the work that an
 * archive took; it may be NULL. Returns false if `put` returned false, which ends the function early. */
bool cli_catalog_file(const char *path, const cli_map_folder *const folders[2], const cli_args *args,
                      cli_catalog_line_fn *put, void *user, cli_work_budget *spent);
/* Makes a line for a file that could not be read. */
char *cli_catalog_error(const char *path, const char *const *members, uint32_t member_count, const char *message,
                        const cli_args *args);

#endif
