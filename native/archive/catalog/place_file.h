/* place_file.h - reads files that a line of a catalog names as places { path, root, members }. */
#ifndef CLI_PLACE_FILE_H
#define CLI_PLACE_FILE_H

#include <jansson.h>

#include "archive/catalog/place_reader.h"
#include "cli/options/args.h"

/* Largest companion file that is read, in bytes. */
#define CLI_LARGEST_COMPANION ((uint64_t)512 << 20)

/* Returns the place of companion number `index`; the caller releases it. */
json_t *cli_companion_place(const json_t *line, size_t index);
/* Reads the file at `place` into new memory. Returns NULL, with the error, on failure. */
void *cli_read_place_file(cli_place_reader *reader, const json_t *place, const cli_args *args, size_t *size,
                          bspscene_error *error);

#endif
