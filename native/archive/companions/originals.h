/* originals.h - keeps the files that maps came in, unchanged, in STORE/originals. */
#ifndef CLI_ORIGINALS_H
#define CLI_ORIGINALS_H

#include <jansson.h>

#include "cli/options/args.h"

/* Stores the outermost file of `place` once for all of its maps, as a hard link if possible, else as a copy. Returns
 * the contents of a map's original.json: { name, file, size }. Returns NULL after an error, which is printed. *fault is
 * then the errno if the store could not be written, or 0 if the file could not be read. */
json_t *cli_keep_original(const char *store, const json_t *place, const cli_args *args, int *fault);

#endif
