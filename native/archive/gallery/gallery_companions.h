/* gallery_companions.h - adds companions.json and original.json of a map to its record: the files that belong to it,
 * their texts and facts, and the file that it came in. */
#ifndef CLI_GALLERY_COMPANIONS_H
#define CLI_GALLERY_COMPANIONS_H

#include <jansson.h>

/* Sets `kept` ([{ name, kind, size, file, shown, text, cut }]), `made`, `modes` and `original` ({} or { name, size,
 * file }) of the record, and `title` and `author` if the map itself has none. `companions` and `original` may be
 * NULL. */
void cli_set_companions_of_record(json_t *record, const json_t *companions, const json_t *original);

#endif
