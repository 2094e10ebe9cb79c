/* move_entities.h - the entity text of a moved room. */
#ifndef BSPT_MOVE_ENTITIES_H
#define BSPT_MOVE_ENTITIES_H

#include "support/metamorphic/move_map.h"

/* Returns the text with positions and directions moved. Vertices of brush models have been moved already. So their
 * origin is only rotated, mirrored and scaled, not shifted. With `brush_angles`, entities rotate brush models about
 * their origin. Free the result with free. */
char *bspt_move_entities(const char *text, const bspt_motion *motion, bool brush_angles);
/* Returns the text with the entities in reverse order, but worldspawn first. Free it with free. */
char *bspt_reverse_entities(const char *text);

#endif
