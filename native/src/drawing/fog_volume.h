/* fog_volume.h - computes the share of fog in front of a point, as the engine's RB_CalcFogTexCoords and R_FogFactor do:
 * by depth along the view, limited by the fog's visible plane. For the linear fogs of Enemy Territory, the share comes
 * from an image of 16 x 16 texels instead (R_CreateFogImage). */
#ifndef BSPI_DRAWING_FOG_VOLUME_H
#define BSPI_DRAWING_FOG_VOLUME_H

#include <bspscene/material.h>
#include <bspscene/scene.h>

/* Computes the fog texture coordinates of a point, seen from `eye` in the direction `forward`. If `forward` is zero,
 * depth is the distance to the eye. */
void bspi_fog_coordinates(const bspscene_fog_parms *parms, const bspscene_fog *fog, const float eye[3],
                          const float forward[3], const float position[3], float out[2]);
/* Returns the share of fog at fog texture coordinates. They may be interpolated between the corners of a triangle. */
float bspi_fog_share(const bspscene_fog_parms *parms, const float at[2]);
/* Returns the color and depth that a fog's material defines, or NULL if there are none. */
const bspscene_fog_parms *bspi_fog_parms_of(const bspscene_scene *scene, const bspscene_fog *fog);

#endif
