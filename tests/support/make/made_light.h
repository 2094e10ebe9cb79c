/* made_light.h - small maps in memory for the light stages. */
#ifndef BSPT_MADE_LIGHT_H
#define BSPT_MADE_LIGHT_H

#include "stages/light/light.h"

typedef struct bspt_light {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_scene_parts parts;
	bspi_build build;
} bspt_light;

/* Makes an empty map with the options of a default load, pages of 128 luxels a side, and overbright 4. */
void bspt_light_init(bspt_light *light);
/* Frees everything, including pages. */
void bspt_light_free(bspt_light *light);
/* Adds zeroed face records, which have no light. */
void bspt_light_faces(bspt_light *light, uint32_t count);
void bspt_light_vertices(bspt_light *light, uint32_t count, bool styles);
/* Fills the map's lump of light with `size` bytes of noise, so that neighboring luxels differ. */
void bspt_light_noise(bspt_light *light, size_t size);

/* Makes faces with three vertices each, and stored pages of noise, 128 luxels a side. If `styles`, the vertices have
 * lightmap coordinates for four styles instead of one. */
void bspt_light_pages(bspt_light *light, uint32_t faces, uint32_t pages, bool styles);

/* Puts a triangle over a rectangle of luxels of a stored page: its uvs are the centers of the first and last luxel. Its
 * vertices are 3 * face and the next two. */
void bspt_light_on_page(bspt_light *light, uint32_t face, uint32_t slot, int32_t page, uint32_t x, uint32_t y,
                        uint32_t width, uint32_t height);
/* Adds a surface for each face and measures its rectangle of luxels. Returns false if measuring fails. */
bool bspt_light_plan(bspt_light *light);
/* Prepares, plans and builds; ends the program if that fails. */
void bspt_light_build(bspt_light *light);

const bspscene_lightmap_set *bspt_light_set(const bspt_light *light, bspscene_lightmap_set_kind kind, uint32_t style);
/* Returns a luxel of the surface in this set. `x` and `y` count from the first luxel of the surface's rectangle.
 * Numbers below 0, down to minus the gutter's width, give luxels of the gutter. */
const uint8_t *bspt_light_luxel(const bspt_light *light, const bspscene_lightmap_set *set, uint32_t surface, int32_t x,
                                int32_t y);
uint32_t bspt_light_warnings(const bspt_light *light, bspscene_warning_code code);

#endif
