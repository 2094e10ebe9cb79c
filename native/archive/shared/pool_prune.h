/* pool_prune.h - finds shared files of a store that no map uses any more. */
#ifndef CLI_POOL_PRUNE_H
#define CLI_POOL_PRUNE_H

#include <stdbool.h>
#include <stdint.h>

/* Finds files in STORE/files and STORE/originals that no map of the store or of STORE/removed uses. Sets *count to
 * their number. Unless `dry`, moves them to STORE/removed/files and STORE/removed/originals. No worker may run
 * meanwhile. Returns false after an error, which is printed; some files may have been moved by then. */
bool cli_prune_pools(const char *store, bool dry, uint32_t *count);

#endif
