/* place_uv.h - computes texture coordinates of the base image: as a mirror of the surroundings has them, and with the
 * texture transform of the material, for formats that have no transform. */
#ifndef BSPI_PLACE_UV_H
#define BSPI_PLACE_UV_H

#include <bspscene/scene.h>

/* Scales, rotates and moves coordinates, as at time 0. Results that are not finite become 0. */
void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2]);

/* Computes the coordinates of a vertex before the transform. A model whose base image mirrors the surroundings (tcGen
 * environment) often has no useful ones of its own. It gets those that the game computes for an eye in front of the
 * vertex, because no format can move them with the eye. */
void bspi_base_uv(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_material *material,
                  uint32_t vertex, float out[2]);

/* As bspi_base_uv, with the transform. */
void bspi_placed_base_uv(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_material *material,
                         uint32_t vertex, float out[2]);

#endif
