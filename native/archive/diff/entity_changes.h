/* entity_changes.h - differences between the entities of two maps, as text and as JSON. */
#ifndef CLI_ENTITY_CHANGES_H
#define CLI_ENTITY_CHANGES_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* Returns the offset [x, y, z] by which an entity was moved, or JSON null if it was not. */
json_t *cli_describe_move(const bspscene_entity_change *change);
/* Prints a line for each removed (-), added (+) and changed (*) entity, and lines for its changed keys. For a moved
 * entity, prints the offset. If `other_build` is true, the maps were compiled separately. Then it does not
 * print entities that differ only in the number of their brush model, but counts them. */
void cli_print_entity_changes(const bspscene_entity_changes *changes, bool other_build);
/* Returns an array of { kind, old, new, classname, targetname, keys: [{ key, old, new }] }. `old` or `new` is null if
 * that map does not have the entity or key. */
json_t *cli_describe_entity_changes(const bspscene_entity_changes *changes);

#endif
