/* terrain.h - Medal of Honor's terrain: height fields of 9 x 9 points to faces of the world. */
#ifndef BSPI_TERRAIN_H
#define BSPI_TERRAIN_H

#include "map/map.h"

/* Appends a face of BSPI_FACE_TERRAIN for each of map->terrain, with draw vertices and indices, to the world's. Runs
 * after the faces have their kinds. */
bool bspi_add_terrain(bspi_ctx *ctx, bspi_map *map);

#endif
