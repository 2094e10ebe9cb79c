/* needs.h - what a map needs beside itself: textures, skies, models, sounds, WADs, and where each was found. */
#ifndef CLI_NEEDS_H
#define CLI_NEEDS_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* An array of { kind, name, found, path, archive }, each name once. */
json_t *cli_describe_needs(const bspscene_scene *scene, bspscene_file_system *files);

#endif
