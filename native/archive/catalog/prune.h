/* prune.h - removes maps from a store that a complete catalog does not have. See prune_posix.c. */
#ifndef CLI_PRUNE_H
#define CLI_PRUNE_H

#include "archive/catalog/catalog_read.h"
#include "cli/options/args.h"

/* Prints which maps of the store are gone or have changed. Unless --dry-run, moves them to STORE/removed, and forgets
 * places where other maps are now. Maps inside a file or folder that the catalog could not read stay. */
cli_exit cli_prune_store(const cli_args *args, const cli_catalog *catalog);

#endif
