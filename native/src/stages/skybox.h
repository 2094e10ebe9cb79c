/* skybox.h - tells whether points, leaves and faces belong to the 3D skybox. */
#ifndef BSPI_SKYBOX_H
#define BSPI_SKYBOX_H

#include "stages/stages.h"

/* Returns the index of the leaf that contains a point, or -1 if the map has no tree. */
int32_t bspi_find_map_leaf(const bspi_map *map, const float point[3]);
bool bspi_is_in_skybox(const bspi_build *build, const float point[3]);
bool bspi_is_leaf_in_skybox(const bspi_build *build, int32_t leaf);
bool bspi_is_face_in_skybox(const bspi_build *build, const bspi_face *face);

#endif
