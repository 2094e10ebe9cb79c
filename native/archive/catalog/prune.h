/* prune.h - removes maps from a store that are not in a complete catalog. */
#ifndef CLI_PRUNE_H
#define CLI_PRUNE_H

#include "archive/catalog/catalog_read.h"
#include "cli/options/args.h"

/* Prints which maps of the store are gone or have changed. Without --dry-run, moves maps that are gone to
 * STORE/removed, and removes places from results if another map is there now. Keeps maps in a file or folder that the
 * catalog could not read. */
cli_exit cli_prune_store(const cli_args *args, const cli_catalog *catalog);

#endif
