/* originals.h - the files that maps came in, kept in a store for whoever wants them as they were: STORE/originals. */
#ifndef CLI_ORIGINALS_H
#define CLI_ORIGINALS_H

#include <jansson.h>

#include "cli/options/args.h"

/* What original.json of a map says of the outermost file of `place`, which is in the store afterward: { name, file,
 * size }. A hard link where that can be, else a copy; once, however many maps are in it. NULL: the error is printed,
 * and its errno is *fault where the store could not be written, else 0. */
json_t *cli_keep_original(const char *store, const json_t *place, const cli_args *args, int *fault);

#endif
