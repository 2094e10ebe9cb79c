/* move_entities.h - the text of entities of a room that was moved. */
#ifndef BSPT_MOVE_ENTITIES_H
#define BSPT_MOVE_ENTITIES_H

#include "support/metamorphic/move_map.h"

/* The text with its places and directions moved. Brush models have been moved already: what is left of their origin is
 * turned, so that it adds what it did; with `brush_angles` they are turned about their own origin. To be freed. */
char *bspt_move_entities(const char *text, const bspt_motion *motion, bool brush_angles);
/* The text with its entities in the other order, worldspawn still first. To be freed. */
char *bspt_reverse_entities(const char *text);

#endif
