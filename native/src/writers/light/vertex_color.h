/* vertex_color.h - computes the vertex colors of a written mesh as linear factors.
 *
 * A section has its light in a page, in vertex colors, or nowhere. What its vertex colors must hold depends on how the
 * file has light; see bspi_vertex_color_of. */
#ifndef BSPI_VERTEX_COLOR_H
#define BSPI_VERTEX_COLOR_H

#include <bspscene/writer.h>

typedef struct bspi_vertex_color {
	const bspscene_mesh *mesh;
	bool baked;                        /* the light is in mesh->baked_light */
	bool light_colors;                 /* the RGB of mesh->colors is the light */
	bool black;
	bool alpha, inverted_alpha;        /* alpha of the surface is in mesh->colors; it is 1 minus the value if
	                                    * inverted */
	float color_gain;                  /* factor by which light is multiplied, in linear space */
} bspi_vertex_color;

/* Chooses the vertex colors of a section. They depend on the requested lighting (rows) and on where the section has
 * its light (columns):
 *                   lightmapped       vertex-lit   neither
 * LIGHTING_LIGHTMAP white             its colors   white or black
 * LIGHTING_VERTEX   baked             baked        baked, or white if fullbright
 * LIGHTING_NONE     white             white        white
 * LIGHTING_BAKED is treated like LIGHTING_NONE. "White" leaves the texture or the lightmap page unchanged. "Baked" is
 * mesh->baked_light.
 * Alpha is that of the surface if the material takes it from the vertices, otherwise 1. */
bspi_vertex_color bspi_vertex_color_of(const bspscene_scene *scene, bspscene_write_lighting lighting,
                                       const bspscene_mesh *mesh, const bspscene_section *section);
/* True if every vertex is opaque white. */
bool bspi_vertex_color_is_white(const bspi_vertex_color *rule);
/* Returns the color of a vertex: linear RGB, which may exceed 1, and alpha from 0 to 1. */
void bspi_vertex_color_at(const bspi_vertex_color *rule, uint32_t vertex, float out[4]);

#endif
