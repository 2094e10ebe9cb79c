/* describe.h - what a map is, as JSON; docs/info.schema.json says what each member is. */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* `file` is its name for people; what it needs is looked for in `files`. The scene was loaded with `identify`, at
 * least with the names of its textures. */
json_t *cli_describe_map(const bspscene_scene *scene, bspscene_file_system *files, const char *file);
/* All entities with all their keys, in the file's order. */
json_t *cli_describe_entities(const bspscene_scene *scene);
json_t *cli_describe_identity(const bspscene_identity *identity);

/* A map's title as people read it: its line breaks, which maps write as "\n", are spaces. New memory. */
char *cli_title(const char *message);
/* The title of a format, "Quake III Arena (IBSP 46)", of its family where it has none of its own; else `variant`. */
const char *cli_format_title(const char *family, const char *variant);

#endif
