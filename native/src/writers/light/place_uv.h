/* place_uv.h - computes the texture coordinates with which the base image is shown. If a model's base image mirrors
 * the surroundings, these are computed from the normals. For formats without texture transforms, they include the
 * transform of the material. */
#ifndef BSPI_PLACE_UV_H
#define BSPI_PLACE_UV_H

#include <bspscene/scene.h>

/* Applies the material's texture transform at time 0: scales, rotates and moves coordinates. Results that are not
 * finite become 0. */
void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2]);

/* Computes the coordinates of a vertex before the transform. If the base image of a model mirrors the surroundings
 * (tcGen environment), the model's own coordinates are often useless. The vertex then gets those that the game computes
 * for an eye in front of it, because no format can change them as the eye moves. */
void bspi_base_uv(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_material *material,
                  uint32_t vertex, float out[2]);

/* Computes the coordinates of bspi_base_uv and applies the texture transform. */
void bspi_placed_base_uv(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_material *material,
                         uint32_t vertex, float out[2]);

#endif
