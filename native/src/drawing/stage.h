/* stage.h - computes the parts of material passes (shader stages): waves, changes of texture coordinates, animation
 * frames, blending. */
#ifndef BSPI_DRAWING_STAGE_H
#define BSPI_DRAWING_STAGE_H

#include <bspscene/material.h>
#include <bspscene/scene.h>

float bspi_wave_at(const bspscene_wave *wave, float time);
/* Applies the stage's changes of texture coordinates at a time. `position` is the point's position in the world. */
void bspi_modify_uv(const bspscene_material_pass *stage, float time, const float position[3], float uv[2]);
/* Returns the weight of dirt at a vertex in world space, for ALPHA_GEN_DIRT. */
float bspi_dirt_at(const float position[3]);
/* Blends a pass into `color` and clamps the result to 0..limit, as a frame buffer does. */
void bspi_blend_pass(bspscene_blend src, bspscene_blend dst, const float in[4], float color[3], float limit);
/* Blends a row of pixels like bspi_blend_pass: multiplies each pixel of `in` by `factors` and blends the product into
 * the color with the same index. The fourth number of a color is undefined. */
void bspi_blend_row(bspscene_blend src, bspscene_blend dst, const float factors[4], uint32_t count,
                    const float (*in)[4], float (*colors)[4], float limit);
/* Returns the image that the stage shows at a time. */
uint32_t bspi_pass_image(const bspscene_scene *scene, const bspscene_material_pass *stage, float time);
/* Return the base or emissive image that a material without stages shows at a time, or NO_INDEX. */
uint32_t bspi_base_image(const bspscene_scene *scene, const bspscene_material *material, float time);
uint32_t bspi_glow_image(const bspscene_scene *scene, const bspscene_material *material, float time);

#endif
