/* roots.h - replaces folders of the disk by the names that --root gives them. So a store does not reveal where they
 * are, and machines that have them elsewhere make the same store. */
#ifndef CLI_ROOTS_H
#define CLI_ROOTS_H

#include <jansson.h>

#include "cli/options/args.h"

/* Sets `path` of a catalog's line to "NAME/maps/x.pk3", and `root`, if a --root contains it. Else the path is kept. */
void cli_set_published_path(json_t *line, const char *path, const cli_args *args);
/* Returns where the path of a line or place is on this machine, in new memory. NULL: no --root has the name. */
char *cli_path_on_disk(const json_t *place, const cli_args *args);
/* Returns `text` with the folders of roots replaced by their names, in new memory. */
char *cli_publish_text(const char *text, const cli_args *args);
/* Does so in all texts of a JSON value, which has no duplicate members. */
void cli_publish_json(json_t *value, const cli_args *args);
/* Returns `text` with each absolute `path` replaced by its file name, in new memory. */
char *cli_text_without(const char *text, const char *path);
/* Name shown on a page for a path outside all roots: the file name. Valid as long as `path`. */
const char *cli_published_name(const char *path);

#endif
