/* fog_volume.h - computes how dense a fog volume is at a point, like the engine's RB_CalcFogTexCoords and R_FogFactor:
 * by depth along the view direction, cut at the fog's visible plane. */
#ifndef BSPI_DRAWING_FOG_VOLUME_H
#define BSPI_DRAWING_FOG_VOLUME_H

#include <bspscene/scene.h>

/* Computes the fog texture coordinates of a point, seen from `eye` in the direction `forward`. If that is zero, depth
 * is the distance to the eye. */
void bspi_fog_coordinates(const bspscene_fog_parms *parms, const bspscene_fog *fog, const float eye[3],
                          const float forward[3], const float position[3], float out[2]);
/* Returns the fog's opacity at these coordinates, which may be interpolated between vertices. */
float bspi_fog_table(const float at[2]);
/* Returns the fog's parameters, or NULL if it has none. */
const bspscene_fog_parms *bspi_fog_parms_of(const bspscene_scene *scene, const bspscene_fog *fog);

#endif
