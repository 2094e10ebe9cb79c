/* gallery_companions.h - companions.json and original.json of a map to members of its record: what belongs to the map,
 * with its texts, what these say of it, and the file that it came in. */
#ifndef CLI_GALLERY_COMPANIONS_H
#define CLI_GALLERY_COMPANIONS_H

#include <jansson.h>

/* Sets `kept`, [{ name, kind, size, file, shown, text, cut }], `made`, `modes` and `original`, {} or { name, size, file
 * }; and `title` and `author`, where the map itself says nothing. NULL: there is no such file. */
void cli_set_companions_of_record(json_t *record, const json_t *companions, const json_t *original);

#endif
