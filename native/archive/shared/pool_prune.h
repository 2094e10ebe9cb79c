/* pool_prune.h - the files that a store keeps once for all maps, and no map has any more. */
#ifndef CLI_POOL_PRUNE_H
#define CLI_POOL_PRUNE_H

#include <stdbool.h>
#include <stdint.h>

/* Files in STORE/files and STORE/originals that no map of the store has, nor one in its removed/. Unless it is `dry`
 * they are moved to STORE/removed/files and so on; nobody may be at work. False: the error is printed, and nothing, or
 * not all, was moved. */
bool cli_prune_pools(const char *store, bool dry, uint32_t *count);

#endif
