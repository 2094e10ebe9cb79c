/* entity_changes.h - what differs between the entities of two maps, for people and as JSON. */
#ifndef CLI_ENTITY_CHANGES_H
#define CLI_ENTITY_CHANGES_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* Lines of those that were removed (-), added (+) and changed (*), these with their keys. */
void cli_print_entity_changes(const bspscene_entity_changes *changes);
/* An array of { kind, old, new, classname, targetname, keys: [{ key, old, new }] }; null for what one does not have. */
json_t *cli_describe_entity_changes(const bspscene_entity_changes *changes);

#endif
