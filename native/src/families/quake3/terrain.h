/* terrain.h - makes faces of Medal of Honor's terrain: height fields of 9 x 9 points. */
#ifndef BSPI_TERRAIN_H
#define BSPI_TERRAIN_H

#include "map/map.h"

/* Makes a face of kind BSPI_FACE_TERRAIN from each record of map->terrain, with draw vertices and indices, and adds
 * it to the world. Call it after the kinds of the other faces are set. */
bool bspi_add_terrain(bspi_ctx *ctx, bspi_map *map);

#endif
