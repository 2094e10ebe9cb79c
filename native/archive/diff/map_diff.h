/* map_diff.h - what differs between two maps, as JSON. */
#ifndef CLI_MAP_DIFF_H
#define CLI_MAP_DIFF_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* { same { bytes, geometry, entities, light }, faces { a, b, removed, added }, materials { removed, added },
 * entities { removed, added, changed } }. Both were loaded with `identify`; `changes` are those of their entities. */
json_t *cli_diff_maps(const bspscene_scene *a, const bspscene_scene *b, const bspscene_entity_changes *changes);

#endif
