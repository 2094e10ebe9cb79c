/* shine.h - what surfaces show of their surroundings and of single lamps, by the place of the eye. Light comes out as
 * display values. */
#ifndef BSPR_SHINE_H
#define BSPR_SHINE_H

#include "shade/surface.h"

/* Adds the material's reflection to its light, for base_image's alpha. The reflection in a liquid covers it and the
 * color behind it. reflection.c */
void bspr_reflect(const bspr_shading *shading, const bspr_surface *surface, float base_alpha, float color[4]);

/* The light of a surface that throws single lamps back, for its texture before any factor, and what it adds to that;
 * false, both unset: it is none, or not in this picture. gloss.c */
bool bspr_phong(const bspr_shading *shading, const bspr_surface *surface, const float base[4], float light[3],
                float added[3]);
/* F of bspscene_phong, by the cosine between the normal and the direction to the eye. gloss.c */
float bspr_phong_fresnel(const bspscene_phong *gloss, float facing);

/* Bends a unit normal of the surface by a texel of a normal map; its length changes. bent_normal.c */
void bspr_bend_normal(const bspr_surface *surface, const float texel[4], float normal[3]);
/* False, and unchanged: it has no length. bent_normal.c */
bool bspr_normalize(float v[3]);

#endif
