/* shine.h - light that depends on the position of the eye: reflections, and highlights of lamps. Results are display
 * values. */
#ifndef BSPR_SHINE_H
#define BSPR_SHINE_H

#include "shade/surface.h"

/* Adds the material's reflection, masked by `base_alpha` if the material uses that as a mask. A liquid's reflection
 * also covers the background seen through the liquid. reflection.c */
void bspr_reflect(const bspr_shading *shading, const bspr_surface *surface, float base_alpha, float color[4]);

/* Computes the light of a surface whose material has phong, and the highlights to add to its color. `base` is the base
 * image's texel. Returns false and sets nothing if the material has no phong or this picture does not show it.
 * gloss.c */
bool bspr_phong(const bspr_shading *shading, const bspr_surface *surface, const float base[4], float light[3],
                float added[3]);
/* Returns the Fresnel term F that bspscene_phong describes. `facing` is the cosine between the normal and the direction
 * to the eye. gloss.c */
float bspr_phong_fresnel(const bspscene_phong *gloss, float facing);

/* Bends a unit normal by a texel of a normal map; the result is not normalized. bent_normal.c */
void bspr_bend_normal(const bspr_surface *surface, const float texel[4], float normal[3]);
/* Scales a vector to length 1. False, without a change, if it is zero. bent_normal.c */
bool bspr_normalize(float v[3]);

#endif
