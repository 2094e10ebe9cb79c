/* needs.h - lists the textures, skies, models, sounds and WADs that a map needs, and where each was found. */
#ifndef CLI_NEEDS_H
#define CLI_NEEDS_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* Returns an array of { kind, name, found, path, archive }, with each name once. */
json_t *cli_describe_needs(const bspscene_scene *scene, bspscene_file_system *files);

#endif
