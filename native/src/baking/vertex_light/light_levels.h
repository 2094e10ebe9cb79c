/* light_levels.h - the light of a section at a point as integer levels, and tables from levels to linear light and
 * display values. With tables, each encoding and display curve is evaluated once for each level. A level is a quarter
 * of a step of 255, before intensity: values of bytes and values half way between luxels are exact levels. Coordinates
 * are in half luxels, so centers of luxels are odd. */
#ifndef BSPI_LIGHT_LEVELS_H
#define BSPI_LIGHT_LEVELS_H

#include <bspscene/mesh.h>

#include "base/ctx.h"

/* Hosts interpolate linear light, games interpolate display values. Between two points, the results, as display
 * values, differ by at most this fraction of the difference between the display values of both points. */
#define BSPI_MOST_OFF 0.3f

/* The light of one level, and the bounds within which a vertex's light may differ from it. */
typedef struct bspi_light_step {
	/* The members that chart code reads together come first, for the cache. */
	float light;                       /* linear light; 1 shows a texture unchanged */
	float above, below;                /* allowed errors per unit of light above `light`, and below it (negated) */
	float display;
	float low, high;                   /* lowest and highest light whose error is allowed; low -1: even 0 is */
} bspi_light_step;

/* Where a section's light is stored, and the table of its levels for one error. */
typedef struct bspi_light_source {
	const bspscene_lightmap_page *page;         /* NULL: none */
	bool colors;                       /* true: the vertex colors are light, alone or as a factor of the page */
	bool even, black;                  /* even: true if all light of the section is the same (level 0 of the table);
	                                    * black: true if all light is 0 */
	uint32_t step_count;
	float scale;                       /* display value of level 1020 */
	const bspi_light_step *steps;
} bspi_light_source;

/* Tables shared by sections, built on first use. */
typedef struct bspi_light_tables {
	bool stop_at_white;
	float error;                       /* allowed difference of display values */
	const bspi_light_step *steps[5];
} bspi_light_tables;

/* Returns a light source without its table of steps. The functions that compute levels do not need it. The scene must
 * have only one style, so the light comes from the first set of pages, if there is one. */
bspi_light_source bspi_light_source_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                       const bspscene_section *section);
/* Builds or finds the table for a source. Returns false if memory is out. */
bool bspi_light_find_steps(bspi_ctx *ctx, bspi_light_tables *tables, bspi_light_source *source);
/* Computes the levels at a position on the page (half luxels), multiplied by a vertex color (0..1, display space) if
 * the source has colors. */
void bspi_light_levels(const bspi_light_source *source, const float place[2], const float color[3], uint16_t out[3]);
/* Fills a rectangle of half luxels, row by row, with BSPI_GRID_WIDTH numbers each: three levels and 0. Vertex colors
 * are not applied. */
#define BSPI_GRID_WIDTH 4u
void bspi_light_grid_levels(const bspi_light_source *source, const int32_t first[2], const uint32_t size[2],
                            uint16_t *out);
/* Returns a level of the page multiplied by a channel of a vertex color (0..1). */
uint16_t bspi_light_tinted(const bspi_light_source *source, uint16_t level, float color);

/* Returns the error of linear light against a level, in units of the allowed error. */
static inline float bspi_light_error(const bspi_light_step *step, float light)
{
	float away = light - step->light, over = away * step->above, under = away * step->below;
	return over > under ? over : under;
}

#endif
