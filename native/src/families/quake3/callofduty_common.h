/* callofduty_common.h - what the games of Call of Duty share: materials, soups, brushes whose first six sides are the
 * bounds of a box. */
#ifndef BSPI_CALLOFDUTY_COMMON_H
#define BSPI_CALLOFDUTY_COMMON_H

#include "families/quake3/quake3_common.h"

extern const bspi_layout bspi_callofduty_material, bspi_callofduty_brush, bspi_callofduty_index;
extern const bspi_layout bspi_callofduty_vertex; /* of Call of Duty 2 and 4 */
extern const char *const bspi_callofduty_hidden[];

/* All faces are soups. Pages that the file has not are none: maps compiled without light name page 0. */
void bspi_callofduty_soups(bspi_map *map, uint32_t pages);
/* Planes for the bounds, behind those of the file. */
bool bspi_callofduty_brushes(bspi_ctx *ctx, bspi_map *map);

/* ---- Call of Duty 4 --------------------------------------------------------------------------------------- */

enum { CALLOFDUTY4_PAGE_SIDE = 1024 };

/* The pages of a map, as pictures of half the light that falls on its soups. `lights` are its primary lights, `faces`
 * have the number of theirs in game_type. callofduty4_light.c */
bool bspi_callofduty4_light(bspi_ctx *ctx, bspi_bytes pages, bspi_bytes lights, bspi_map *map);

#endif
