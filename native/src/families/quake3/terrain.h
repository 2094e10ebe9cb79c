/* terrain.h - makes faces of Medal of Honor's terrain: height fields of 9 x 9 points. */
#ifndef BSPI_TERRAIN_H
#define BSPI_TERRAIN_H

#include "map/map.h"

/* Appends a BSPI_FACE_TERRAIN with draw vertices and indices to the world for each of map->terrain. Call it after faces
 * have their kinds. */
bool bspi_add_terrain(bspi_ctx *ctx, bspi_map *map);

#endif
