/* numbered_rooms.h - gives numbers to the rooms of support/make/build_map.h, for tests in C++, which cannot include the
 * library's private headers. */
#ifndef NUMBERED_ROOMS_H
#define NUMBERED_ROOMS_H

#include "support/bspt.h"

uint32_t bspt_room_count(void);
/* Returns the room with this number as a file, which the caller frees. `*name` becomes the name of its variant, which
 * is static. */
bspt_bytes bspt_room(uint32_t number, const char **name);

#endif
