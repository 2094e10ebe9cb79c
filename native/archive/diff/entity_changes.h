/* entity_changes.h - what differs between the entities of two maps, for people and as JSON. */
#ifndef CLI_ENTITY_CHANGES_H
#define CLI_ENTITY_CHANGES_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* By how much an entity that both have was moved, [x, y, z]; null: it was not. */
json_t *cli_describe_move(const bspscene_entity_change *change);
/* Lines of those that were removed (-), added (+) and changed (*), these with their keys. One that
 * was moved says by how much. `other_build`: the maps were compiled apart, so that numbers of brush models say nothing:
 * entities of which only that differs are a count. */
void cli_print_entity_changes(const bspscene_entity_changes *changes, bool other_build);
/* An array of { kind, old, new, classname, targetname, keys: [{ key, old, new }] }; null for what one does not have. */
json_t *cli_describe_entity_changes(const bspscene_entity_changes *changes);

#endif
