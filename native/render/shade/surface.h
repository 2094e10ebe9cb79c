/* surface.h - what materials ask of the surface that a ray has met: its light, its colours, where a texture lies. */
#ifndef BSPR_SURFACE_H
#define BSPR_SURFACE_H

#include "shade/shade.h"

/* `size` floats for each vertex of the mesh, at the surface's point. */
void bspr_interpolate(const float *values, uint32_t size, const bspr_surface *surface, float *out);
/* 0..1; white where the mesh has none. */
void bspr_vertex_color(const bspr_surface *surface, float out[4]);
/* What lights the section, whatever that is; of one light style, or, below 0, of all together. */
void bspr_section_light(const bspr_shading *shading, const bspr_surface *surface, int32_t style, float out[3]);
/* What lights a surface without light of its own whose picture is missing: what shines in the game would be a bright
 * spot of one colour, so it has the light of its place. False, `out` unset: it is none, or no light is known. */
bool bspr_stand_in_light(const bspr_shading *shading, const bspr_surface *surface, float out[3]);

/* Does the stage show another place of its surface's page? See bspscene_stage_source. */
bool bspr_looks_elsewhere(const bspscene_stage *stage);
/* Texture coordinates of a stage at one of the triangle's three corners. */
void bspr_corner_uv(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *surface, int corner,
                    float uv[2]);

/* Where a texture lies upon the mesh's own coordinates. */
typedef struct bspr_placing {
	float scale[2], offset[2], rotation;
} bspr_placing;

/* Of the base image at the picture's time; `scale` is one more factor of its coordinates. */
bspr_placing bspr_base_placing(const bspr_shading *shading, const bspscene_material *m, const float scale[2]);
void bspr_placed_texel(const bspr_shading *shading, const bspr_surface *surface, uint32_t image,
                       const bspr_placing *place, float out[4]);

/* A texture that is laid from three sides; see seamless_scale of bspscene_material. */
void bspr_seamless_texel(const bspr_shading *shading, const bspr_surface *surface, uint32_t image, float out[4]);
/* The interpolated normal in the world, of unit length. */
void bspr_world_normal(const bspr_surface *surface, float out[3]);

#endif
