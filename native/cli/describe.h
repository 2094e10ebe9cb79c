/* describe.h - the description of a map as JSON. docs/info.schema.json explains each member. */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* Describes a scene. `file` is the name of the map's file in the description; `files` is searched for the files that
 * the map needs. The scene must have been loaded with `identify`, and at least with the names of its textures. */
json_t *cli_describe_map(const bspscene_scene *scene, bspscene_file_system *files, const char *file);
/* Returns all entities with all their keys, in the file's order. */
json_t *cli_describe_entities(const bspscene_scene *scene);
json_t *cli_describe_identity(const bspscene_identity *identity);

/* Returns a map's title (the worldspawn key "message") in new memory, with line breaks, which maps write as "\n",
 * replaced by spaces. */
char *cli_title(const char *message);
/* Returns the title of a format, such as "Quake III Arena (IBSP 46)", else the title of its family, else `variant`. */
const char *cli_format_title(const char *family, const char *variant);

#endif
