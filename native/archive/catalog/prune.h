/* prune.h - what a store has and a catalog of all there is has not. prune_posix.c. */
#ifndef CLI_PRUNE_H
#define CLI_PRUNE_H

#include "archive/catalog/catalog_read.h"
#include "cli/options/args.h"

/* Says which maps of the store are gone or have become others, and unless --dry-run moves them to STORE/removed and
 * forgets places where others no longer are. What lies in a file or folder that the catalog could not read stays. */
cli_exit cli_prune_store(const cli_args *args, const cli_catalog *catalog);

#endif
