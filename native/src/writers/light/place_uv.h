/* place_uv.h - a mesh's texture coordinate to where the material's texture is looked up, for formats that lack it. */
#ifndef BSPI_PLACE_UV_H
#define BSPI_PLACE_UV_H

#include <bspscene/material.h>

/* Scaled, turned and moved, at time 0. What is not finite then, as products of finite numbers can be, is 0. */
void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2]);

#endif
