/* gallery_record.h - joins all JSON files of a map in a store into one object, a line of manifest.jsonl.
 *
 * Every member is present and has the documented type, whatever the store's files contain. */
#ifndef CLI_GALLERY_RECORD_H
#define CLI_GALLERY_RECORD_H

#include <jansson.h>

#include "archive/gallery/gallery_member.h"
#include "archive/store/map_store.h"

/* Returns the record of a map. NULL if there is no readable result. Warns of files that exist but cannot be read.
 * Memory is freed only by resetting an arena (json_arena.h). */
json_t *cli_gallery_record(const cli_store *store, const char *id, const cli_args *args);

#endif
