/* prune.h - removes maps from a store that are not in a complete catalog. */
#ifndef CLI_PRUNE_H
#define CLI_PRUNE_H

#include "archive/catalog/catalog_read.h"
#include "cli/options/args.h"

/* Prints which maps of the store are gone or have changed. Without --dry-run, moves them to STORE/removed, and drops
 * places that now have another map. Keeps maps in a file or folder that the catalog could not read. */
cli_exit cli_prune_store(const cli_args *args, const cli_catalog *catalog);

#endif
