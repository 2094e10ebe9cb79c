/* roots.h - replaces folders of the disk by the names that --root gives them. So a store does not reveal where the
 * folders are. Machines that have the same folders at other places make the same store. */
#ifndef CLI_ROOTS_H
#define CLI_ROOTS_H

#include <jansson.h>

#include "cli/options/args.h"

/* If a --root contains `path`, sets `root` of a catalog's line to the root's name, and `path` of the line to
 * "NAME/maps/x.pk3". Otherwise sets the line's `path` to `path`. */
void cli_set_published_path(json_t *line, const char *path, const cli_args *args);
/* Returns the path on this machine for the path of a catalog's line or of a place, in new memory. Returns NULL if no
 * --root has the name of its root. */
char *cli_path_on_disk(const json_t *place, const cli_args *args);
/* Returns `text` with the folders of roots replaced by their names, in new memory. */
char *cli_publish_text(const char *text, const cli_args *args);
/* Replaces folders of roots by their names, as cli_publish_text does, in all texts of a JSON value. Objects in it must
 * not have duplicate members. */
void cli_publish_json(json_t *value, const cli_args *args);
/* Returns `text` with each absolute `path` replaced by its file name, in new memory. */
char *cli_text_without(const char *text, const char *path);
/* Returns the name that a page shows for a path outside of all roots: the file name. It is valid as long as `path`. */
const char *cli_published_name(const char *path);

#endif
