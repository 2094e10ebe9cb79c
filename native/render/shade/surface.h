/* surface.h - properties of a hit surface that materials use: light, colors, texture coordinates. */
#ifndef BSPR_SURFACE_H
#define BSPR_SURFACE_H

#include "shade/shade.h"

/* Interpolates an array that has `size` floats for each vertex of the mesh, at the surface's point. */
void bspr_interpolate(const float *values, uint32_t size, const bspr_surface *surface, float *out);
/* In the functions below, an array of surfaces always holds points of one section. */

/* Interpolates the vertex colors, 0..1. White if the mesh has none. */
void bspr_vertex_colors(const bspr_surface *surfaces, uint32_t count, float (*out)[4]);
/* Computes the light of the section, from pages or vertices, for one light style. A `style` below 0 stands for all
 * styles. The fourth number of each color is not written. */
void bspr_section_lights(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, int32_t style,
                         float (*out)[4]);
/* Computes the light like bspr_section_lights, but from the section's page only. light/page_light.c */
void bspr_page_lights(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, int32_t style,
                      float (*out)[4]);
/* For a surface that has no light and whose image is missing, returns the ambient light at its position. Otherwise it
 * would be drawn in one bright color. Returns false and sets nothing for other surfaces, or if no light is known
 * there. */
bool bspr_fallback_light(const bspr_shading *shading, const bspr_surface *surface, float out[3]);

/* True if the pass samples the lightmap page at other coordinates than the surface's own. See bspscene_pass_input. */
bool bspr_looks_elsewhere(const bspscene_material_pass *stage);
/* Computes a pass's texture coordinates at one of the triangle's corners. */
void bspr_corner_uv(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *surface,
                    int corner, float uv[2]);

/* How a texture is placed: the mesh's texture coordinates are scaled, then rotated, then moved by the offset. */
typedef struct bspr_placing {
	float scale[2], offset[2], rotation;
} bspr_placing;

/* Returns the transform of the base image at the picture's time. `scale` is an additional factor. */
bspr_placing bspr_base_placing(const bspr_shading *shading, const bspscene_material *m, const float scale[2]);
/* Samples an image with a transform. */
void bspr_placed_texels(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, uint32_t image,
                        const bspr_placing *place, float (*out)[4]);

/* Texture coordinates of several points, and their changes to the pixel at the right and to the pixel below. */
typedef struct bspr_lookups {
	float uvs[BSPR_PACKET][2], changes[BSPR_PACKET][4];
} bspr_lookups;

/* Interpolates texture coordinates between the corners of a triangle. `uv` comes from `moved`, the corners'
 * coordinates with scrolling; `change` comes from `corners`, the same coordinates without scrolling. */
static inline void bspr_look_up(const float (*corners)[2], const float (*moved)[2], const bspr_surface *surface,
                                float uv[2], float change[4])
{
	const float *w = surface->weights, *dx = surface->weights_dx, *dy = surface->weights_dy;
	for (int i = 0; i < 2; i++) {
		uv[i] = moved[0][i] * w[0] + moved[1][i] * w[1] + moved[2][i] * w[2];
		change[i] = corners[0][i] * dx[0] + corners[1][i] * dx[1] + corners[2][i] * dx[2];
		change[i + 2] = corners[0][i] * dy[0] + corners[1][i] * dy[1] + corners[2][i] * dy[2];
	}
}

void bspr_sample(const bspi_mips *texture, const bspr_lookups *at, uint32_t count, bool clamp, float (*out)[4]);

/* Samples a texture projected from three sides; see seamless_scale of bspscene_material. */
void bspr_seamless_texel(const bspr_shading *shading, const bspr_surface *surface, uint32_t image, float out[4]);
/* Samples the base image, or another image with the same transform, at the picture's time. shade_simple.c */
void bspr_base_texels(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, uint32_t image,
                      float (*out)[4]);
void bspr_second_weights(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, float *out);
/* Computes the weights of the three BUMP lightmap sets, for materials with bump_light. light/bump_light.c */
void bspr_bump_weights(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, float (*out)[4]);
/* Samples the normal map, or both blended if there are two. light/bump_light.c */
void bspr_bump_texel(const bspr_shading *shading, const bspr_surface *surface, float out[4]);
/* Returns the interpolated unit normal in the world. */
void bspr_world_normal(const bspr_surface *surface, float out[3]);

#endif
