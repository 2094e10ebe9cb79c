/* add_light.h - how the light of several styles is added: as linear light if the game does so (Source), else as display
 * values. Used by pictures, the sky, baked pages and bspscene_face_at. */
#ifndef BSPI_DRAWING_ADD_LIGHT_H
#define BSPI_DRAWING_ADD_LIGHT_H

#include <bspscene/scene.h>

/* Linear light of a page is the page's display value to the power of this number. */
#define BSPI_PAGE_GAMMA 2.2

/* Converts between display values and linear light of pages. Negative light is 0. */
float bspi_page_linear(float display);
float bspi_page_display(float linear);

/* Returns the factor for the light of one bspscene_lightmap_set, by which it is multiplied before the styles are
 * added. `brightness` is that of the set's style. `intensity` is a factor for display values, so it is converted if
 * `linear` is true. */
float bspi_style_factor(bool linear, float intensity, float brightness);

/* Tables for sampling rows of points. */
typedef struct bspi_adding_tables {
	const float *linears;              /* linear light for each byte of a page, see bspi_fill_linears */
	const float *displays;             /* see bspi_fill_displays; NULL if bspi_needs_displays is false */
} bspi_adding_tables;

void bspi_fill_linears(float linears[256]);
/* True if adding the light of the scene's pages needs the table `displays`. */
bool bspi_needs_displays(const bspscene_scene *scene);
/* Samples a page at each uv of a row and adds its light times `factor`. The fourth number is not changed. */
void bspi_add_light_row(const bspi_adding_tables *tables, bool linear, const bspscene_lightmap_page *page,
                        const float (*uvs)[2], uint32_t count, float factor, float (*out)[4]);
/* Converts the sums of a row to display values. */
void bspi_display_row(const bspi_adding_tables *tables, bool linear, uint32_t count, float (*out)[4]);

#endif
