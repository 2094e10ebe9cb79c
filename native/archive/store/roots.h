/* roots.h - folders of the disk under the names that a keeper gives them by --root, so that nobody who reads a store or
 * its gallery learns where they lie, and machines that have them elsewhere make the same. */
#ifndef CLI_ROOTS_H
#define CLI_ROOTS_H

#include <jansson.h>

#include "cli/options/args.h"

/* Sets `path` of a catalog's line, "NAME/maps/x.pk3" with `root`, where one of --root has it; else as it is. */
void cli_set_published_path(json_t *line, const char *path, const cli_args *args);
/* Where the path of a line or place lies on this machine, in new memory; NULL: --root does not say. */
char *cli_path_on_disk(const json_t *place, const cli_args *args);
/* `text` with the names of roots in place of their folders, in new memory. */
char *cli_publish_text(const char *text, const cli_args *args);
/* The same in all texts of a value, which has no member twice. */
void cli_publish_json(json_t *value, const cli_args *args);
/* `text` with the name of the file in place of each absolute `path`, in new memory. */
char *cli_text_without(const char *text, const char *path);
/* Name shown on a page for a path outside all roots: the file name. Valid as long as `path`. */
const char *cli_published_name(const char *path);

#endif
