/* add_light.c - see add_light.h. */
#include "drawing/add_light.h"

#include <math.h>

#include "drawing/sample.h"

float bspi_page_linear(float display)
{
	return display > 0 ? (float)pow(display, (float)BSPI_PAGE_GAMMA) : 0;
}

float bspi_page_display(float linear)
{
	return linear > 0 ? (float)pow(linear, 1 / (float)BSPI_PAGE_GAMMA) : 0;
}

float bspi_style_factor(bool linear, float intensity, float brightness)
{
	return (linear && intensity != 1 ? bspi_page_linear(intensity) : intensity) * brightness;
}

void bspi_fill_linears(float linears[256])
{
	for (int i = 0; i < 256; i++) linears[i] = (float)pow(i / 255.0, BSPI_PAGE_GAMMA);
}

bool bspi_needs_displays(const bspscene_scene *scene)
{
	if (scene->linear_luxels && scene->lightmap_set_count) return true;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		for (uint32_t k = 0; k < scene->lightmap_page_count; k++) {
			if (scene->lightmap_sets[i].pages[k].format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) return true;
		}
	}
	return false;
}

void bspi_add_light_row(const bspi_adding_tables *tables, bool linear, const bspscene_lightmap_page *page,
                        const float (*uvs)[2], uint32_t count, float factor, float (*out)[4])
{
	if (linear) bspi_page_add_linear_row(page, tables->linears, uvs, count, factor, out);
	else bspi_page_add_row(page, tables->displays, uvs, count, factor, out);
}

void bspi_display_row(const bspi_adding_tables *tables, bool linear, uint32_t count, float (*out)[4])
{
	for (uint32_t i = 0; linear && i < count; i++) {
		for (int k = 0; k < 3; k++) out[i][k] = bspi_display_of(tables->displays, out[i][k]);
	}
}
