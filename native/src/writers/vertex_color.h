/* vertex_color.h - what a vertex colour has to say, and the light of a lightmap page at a vertex, as a linear factor.
 *
 * A section carries its light in one of three places: in a page, in vertex colours, or nowhere. What a writer must put
 * into its vertex colours depends on how it writes light; see bspi_vertex_color_of. */
#ifndef BSPI_VERTEX_COLOR_H
#define BSPI_VERTEX_COLOR_H

#include <bspscene/bspscene.h>

typedef struct bspi_vertex_color {
	const bspscene_mesh *mesh;
	const bspscene_page *page;         /* light to sample, or NULL */
	bool light_colors;                 /* the mesh's colours are light to multiply with */
	bool black;
	bool alpha, inverted_alpha;        /* the mesh's colours have the surface's alpha */
	float page_gain, color_gain;       /* linear factors of both lights */
} bspi_vertex_color;

/*                 lightmapped        vertex-lit     neither
 * WRITE_LIGHTMAP  white (its page)   its colours    white or black
 * WRITE_VERTEX    sampled            its colours    white or black
 * WRITE_NO_LIGHT  white              white          white
 * and everywhere the alpha, if the material takes its own from the vertices. */
bspi_vertex_color bspi_vertex_color_of(const bspscene_scene *scene, bspscene_write_lighting lighting,
                                       const bspscene_mesh *mesh, const bspscene_section *section);
/* True when every vertex is white and opaque. */
bool bspi_vertex_color_is_white(const bspi_vertex_color *rule);
/* Linear RGB and alpha, 0..1: light beyond 1 is cut off, as in the game's frame buffer. */
void bspi_vertex_color_at(const bspi_vertex_color *rule, uint32_t vertex, float out[4]);

/* The sRGB curve, which is what the games' "display space" is taken for. Beyond 1 it goes on. */
float bspi_linear_from_display(float value);
float bspi_display_from_linear(float value);
/* What a factor in display space is for a host that multiplies linear light. */
float bspi_linear_gain(float intensity);

#endif
