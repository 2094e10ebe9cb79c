/* callofduty_common.h - shared by the Call of Duty games: materials, triangle soups, brushes whose first six sides are
 * the bounds of a box. */
#ifndef BSPI_CALLOFDUTY_COMMON_H
#define BSPI_CALLOFDUTY_COMMON_H

#include "families/quake3/quake3_common.h"

extern const bspi_layout bspi_callofduty_material, bspi_callofduty_brush, bspi_callofduty_index;
extern const bspi_layout bspi_callofduty_vertex; /* of Call of Duty 2 and 4 */
extern const char *const bspi_callofduty_hidden[];

/* Marks all faces as triangle soups, and sets the page of faces whose page does not exist to BSPI_PAGE_BY_VERTEX. (Maps
 * that were compiled without light refer to page 0.) */
void bspi_callofduty_soups(bspi_map *map, uint32_t pages);
/* Makes planes from the bounds of brushes, and adds them after the file's planes. */
bool bspi_callofduty_brushes(bspi_ctx *ctx, bspi_map *map);

/* ---- Call of Duty 4 --------------------------------------------------------------------------------------- */

enum { CALLOFDUTY4_PAGE_SIDE = 1024 };

/* Makes pages that hold half of the light on surfaces. `lights` are the primary lights of the map. A face's game_type
 * is the index of its primary light. callofduty4_light.c */
bool bspi_callofduty4_light(bspi_ctx *ctx, bspi_bytes pages, bspi_bytes lights, bspi_map *map);

#endif
