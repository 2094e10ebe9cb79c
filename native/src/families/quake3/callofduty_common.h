/* callofduty_common.h - shared by the Call of Duty games: materials, triangle soups, brushes whose first six sides are
 * the bounds of a box. */
#ifndef BSPI_CALLOFDUTY_COMMON_H
#define BSPI_CALLOFDUTY_COMMON_H

#include "families/quake3/quake3_common.h"

extern const bspi_layout bspi_callofduty_material, bspi_callofduty_brush, bspi_callofduty_index;
extern const bspi_layout bspi_callofduty_vertex; /* Call of Duty 2 and 4 */
extern const char *const bspi_callofduty_hidden[];

/* Marks all faces as triangle soups, and faces whose page does not exist as unlit. (Maps compiled without light refer
 * to page 0.) */
void bspi_callofduty_soups(bspi_map *map, uint32_t pages);
/* Adds planes for the bounds of brushes after the file's planes. */
bool bspi_callofduty_brushes(bspi_ctx *ctx, bspi_map *map);

/* ---- Call of Duty 4 --------------------------------------------------------------------------------------- */

enum { CALLOFDUTY4_PAGE_SIDE = 1024 };

/* Makes pages with half of the light on surfaces. `lights` are the primary lights; game_type of a face holds the index
 * of its own. callofduty4_light.c */
bool bspi_callofduty4_light(bspi_ctx *ctx, bspi_bytes pages, bspi_bytes lights, bspi_map *map);

#endif
