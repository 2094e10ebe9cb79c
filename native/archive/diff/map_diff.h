/* map_diff.h - differences between two maps, as JSON and as text. */
#ifndef CLI_MAP_DIFF_H
#define CLI_MAP_DIFF_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* Returns { same { bytes, geometry, entities, light }, faces { a, b, removed, added, retextured }, light { faces {
 * compared, changed }, resized, luxels, directions, corners, vertices, mean, largest, grid }, materials { removed,
 * added }, entities { removed, added, changed } }. Both scenes must have been loaded with `identify`. `changes` are
 * the differences between their entities. */
json_t *cli_diff_maps(const bspscene_scene *a, const bspscene_scene *b, const bspscene_entity_changes *changes);
/* Prints the result of cli_diff_maps as lines of text. */
void cli_print_map_diff(const json_t *diff, const bspscene_entity_changes *changes);
/* Returns "3 faces removed, 2 entities changed" and so on, in new memory. */
char *cli_sum_up_map_diff(const json_t *diff);

#endif
