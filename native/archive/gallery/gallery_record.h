/* gallery_record.h - what a store has of a map to one JSON object, a line of manifest.jsonl.
 *
 * Every member is there, of the type that the documentation says, whatever the store's files hold. */
#ifndef CLI_GALLERY_RECORD_H
#define CLI_GALLERY_RECORD_H

#include <jansson.h>

#include "archive/gallery/gallery_member.h"
#include "archive/store/map_store.h"

/* NULL: there is no result that can be read. A file of the map that is there and cannot be read is warned of. Takes
 * memory that only an arena gives back (json_arena.h). */
json_t *cli_gallery_record(const cli_store *store, const char *id, const cli_args *args);

#endif
