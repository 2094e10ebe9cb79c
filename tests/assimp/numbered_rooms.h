/* numbered_rooms.h - the rooms of support/make/build_map.h by number, for C++, which cannot include the library's
 * private headers. */
#ifndef NUMBERED_ROOMS_H
#define NUMBERED_ROOMS_H

#include "support/bspt.h"

uint32_t bspt_room_count(void);
/* Returns the room as a file, which the caller frees; its variant's name is static. */
bspt_bytes bspt_room(uint32_t number, const char **name);

#endif
