/* place_uv.h - applies a material's texture transform to coordinates, for formats that have no such transform. */
#ifndef BSPI_PLACE_UV_H
#define BSPI_PLACE_UV_H

#include <bspscene/material.h>

/* Scales, rotates and moves, at time 0. Results that are not finite become 0. */
void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2]);

#endif
