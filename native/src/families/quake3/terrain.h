/* terrain.h - makes faces of Medal of Honor's terrain: height fields of 9 x 9 points. */
#ifndef BSPI_TERRAIN_H
#define BSPI_TERRAIN_H

#include "map/map.h"

/* Appends a face of kind BSPI_FACE_TERRAIN to the world for each of map->terrain, with its draw vertices and indices.
 * Call it after the kinds of faces are set. */
bool bspi_add_terrain(bspi_ctx *ctx, bspi_map *map);

#endif
