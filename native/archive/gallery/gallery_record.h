/* gallery_record.h - what a store has of a map to one JSON object, a line of manifest.jsonl.
 *
 * Every member is there, of the type that the documentation says, whatever the store's files hold. */
#ifndef CLI_GALLERY_RECORD_H
#define CLI_GALLERY_RECORD_H

#include <jansson.h>

#include "archive/store/map_store.h"

/* NULL: there is no result that can be read. A file of the map that is there and cannot be read is warned of. Takes
 * memory that only an arena gives back (json_arena.h). */
json_t *cli_gallery_record(const cli_store *store, const char *id, const cli_args *args);

/* A member's text, "" where it has none. */
const char *cli_record_text(const json_t *object, const char *name);
/* A member's number, 0 where it has none. */
json_int_t cli_record_number(const json_t *object, const char *name);

#endif
