/* place_uv.h - applies the texture transform of a material to texture coordinates, for formats that have no
 * transform. */
#ifndef BSPI_PLACE_UV_H
#define BSPI_PLACE_UV_H

#include <bspscene/scene.h>

/* Scales, rotates and moves coordinates, as at time 0. Results that are not finite become 0. */
void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2]);

#endif
