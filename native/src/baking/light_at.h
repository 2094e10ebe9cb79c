/* light_at.h - the light at any point of a section, as pictures show it (in display space). */
#ifndef BSPI_LIGHT_AT_H
#define BSPI_LIGHT_AT_H

#include <bspscene/scene.h>

#include "drawing/add_light.h"

/* Where a section's light is stored. */
typedef struct bspi_light_rule {
	const bspscene_scene *scene;
	uint32_t page;                     /* page of the section; BSPSCENE_NO_INDEX: none */
	bool colors, black;                /* colors: true if the vertex colors are light, alone or as a factor of the
	                                    * page; black: true if the section has no light */
	float page_intensity, color_intensity; /* factors by which the display values of the page and of the vertex
	                                        * colors are multiplied */
} bspi_light_rule;

bspi_light_rule bspi_light_rule_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                   const bspscene_section *section);
/* True if the light is the same at every point. */
bool bspi_light_is_even(const bspi_light_rule *rule);
/* Returns the light by which games multiply a texture, in display space. 1 shows the texture unchanged. `uv` is a
 * position on the page, `color` the mesh's color there (0..1, display space). */
void bspi_displayed_light_at(const bspi_light_rule *rule, const bspi_adding_tables *tables, const float uv[2],
                             const float color[3], float out[3]);

#endif
