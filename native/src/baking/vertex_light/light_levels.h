/* light_levels.h - the light of a section at a point as integer levels, and the table of what a level means, so that
 * encodings and display curves are evaluated once for each level. A level is a quarter of a step of 255, before
 * intensity: values of bytes and values half way between luxels are exact levels. Coordinates are in half luxels, so
 * centers of luxels are odd. */
#ifndef BSPI_LIGHT_LEVELS_H
#define BSPI_LIGHT_LEVELS_H

#include <bspscene/mesh.h>

#include "base/ctx.h"

/* A line between two display values is off by at most this part of their difference if it is linear in linear light. */
#define BSPI_MOST_OFF 0.3f

/* Bounds of the vertices' light where the game's light has this level. */
typedef struct bspi_light_step {
	/* In the order in which charts read them. */
	float light;                       /* linear light; 1 shows a texture unchanged */
	float above, below;                /* errors per unit above it; per unit below it, negated */
	float display;
	float low, high;                   /* light with an error of 1 */
} bspi_light_step;

/* Where a section's light is stored, and the table of its levels for one error. */
typedef struct bspi_light_source {
	const bspscene_lightmap_page *page;         /* NULL: none */
	bool colors;                       /* multiplied by the vertex colors */
	bool even, black;                  /* constant: level 0 of the table */
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

/* Prepares light without steps, which only the error functions need. The scene's light has one style: its first page
 * set, if any. */
bspi_light_source bspi_light_source_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                       const bspscene_section *section);
/* Returns false if memory is out. */
bool bspi_light_find_steps(bspi_ctx *ctx, bspi_light_tables *tables, bspi_light_source *source);
/* Returns the light at a position of the page where the mesh has a color (0..1, display space). */
void bspi_light_levels(const bspi_light_source *source, const float place[2], const float color[3], uint16_t out[3]);
/* Fills a rectangle of positions, row by row, BSPI_GRID_WIDTH numbers each, the last one 0; without colors. */
#define BSPI_GRID_WIDTH 4u
void bspi_light_grid_levels(const bspi_light_source *source, const int32_t first[2], const uint32_t size[2],
                            uint16_t *out);
/* Returns a level of the page where the mesh has a color (0..1). */
uint16_t bspi_light_tinted(const bspi_light_source *source, uint16_t level, float color);

/* Returns the error of linear light against a level; above 1 it is too large. */
static inline float bspi_light_error(const bspi_light_step *step, float light)
{
	float away = light - step->light, over = away * step->above, under = away * step->below;
	return over > under ? over : under;
}

#endif
