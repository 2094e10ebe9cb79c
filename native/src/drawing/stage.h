/* stage.h - the arithmetic of stages: waves, modifiers of texture coordinates, frames, blending. */
#ifndef BSPI_DRAWING_STAGE_H
#define BSPI_DRAWING_STAGE_H

#include <bspscene/scene.h>

float bspi_wave_at(const bspscene_wave *wave, float time);
/* Texture coordinates of one point through the stage's modifiers at the picture's time. */
void bspi_modify_uv(const bspscene_material_pass *stage, float time, const float position[3], float uv[2]);
/* Blends one pass, clamping as a frame buffer does. */
void bspi_blend_pass(bspscene_blend src, bspscene_blend dst, const float in[4], float color[3], float limit);
/* The same of a row: each of `in`, times these factors, into a color, whose fourth is anything. */
void bspi_blend_row(bspscene_blend src, bspscene_blend dst, const float factors[4], uint32_t count,
                    const float (*in)[4], float (*colors)[4], float limit);
/* Image number of the stage's frame at the picture's time. */
uint32_t bspi_pass_image(const bspscene_scene *scene, const bspscene_material_pass *stage, float time);
/* The base or emissive image of a material without stages at that time, or NO_INDEX. */
uint32_t bspi_base_image(const bspscene_scene *scene, const bspscene_material *material, float time);
uint32_t bspi_glow_image(const bspscene_scene *scene, const bspscene_material *material, float time);

#endif
