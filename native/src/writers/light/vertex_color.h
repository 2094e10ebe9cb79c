/* vertex_color.h - what a vertex color has to say, as a linear factor.
 *
 * A section carries its light in one of three places: in a page, in vertex colors, or nowhere. What a writer must put
 * into its vertex colors depends on how it writes light; see bspi_vertex_color_of. */
#ifndef BSPI_VERTEX_COLOR_H
#define BSPI_VERTEX_COLOR_H

#include <bspscene/writer.h>

typedef struct bspi_vertex_color {
	const bspscene_mesh *mesh;
	bool baked;                        /* mesh->light is all light */
	bool light_colors;                 /* the mesh's colors are light to multiply with */
	bool black;
	bool alpha, inverted_alpha;        /* the mesh's colors have the surface's alpha */
	float color_gain;                  /* linear factor */
} bspi_vertex_color;

/*                 lightmapped        vertex-lit     neither
 * WRITE_LIGHTMAP  white (its page)   its colors    white or black
 * WRITE_VERTEX    baked              baked          baked
 * WRITE_NO_LIGHT  white              white          white
 * and everywhere the alpha, if the material takes its own from the vertices. */
bspi_vertex_color bspi_vertex_color_of(const bspscene_scene *scene, bspscene_write_lighting lighting,
                                       const bspscene_mesh *mesh, const bspscene_section *section);
/* True when every vertex is white and opaque. */
bool bspi_vertex_color_is_white(const bspi_vertex_color *rule);
/* Linear RGB, which may be brighter than 1, and alpha, 0..1. */
void bspi_vertex_color_at(const bspi_vertex_color *rule, uint32_t vertex, float out[4]);

#endif
