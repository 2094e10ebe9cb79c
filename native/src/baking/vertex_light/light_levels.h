/* light_levels.h - the light of a section at a point of it, as whole levels, and what a level is: fetched once, so that
 * how pages are stored and the curve of displays are asked for no more than once for each point.
 *
 * A level is a quarter of a step of 255, before intensity: between bytes of a page, half way between luxels, every
 * value is a level. Places are in half luxels, so that each luxel's middle is at an odd number. */
#ifndef BSPI_LIGHT_LEVELS_H
#define BSPI_LIGHT_LEVELS_H

#include <bspscene/mesh.h>

#include "base/ctx.h"

/* A line between two display values is off by no more than this part of their difference when it is one of linear
 * light. */
#define BSPI_MOST_OFF 0.3f

/* What light may be between vertices where it is of this level in the game. */
typedef struct bspi_light_step {
	/* In this order, as charts take them. */
	float light;                       /* linear; 1 shows a texture as it is */
	float above, below;                /* how many errors one more is, and one less, with a minus */
	float display;
	float low, high;                   /* light with an error of the whole */
} bspi_light_step;

/* Where the light of a section is, and what its levels stand for with one error. */
typedef struct bspi_light_source {
	const bspscene_lightmap_page *page;         /* NULL: none */
	bool colors;                       /* times the vertices' colors */
	bool even, black;                  /* the same everywhere: level 0 of the table */
	uint32_t step_count;
	float scale;                       /* display value of level 1020 */
	const bspi_light_step *steps;
} bspi_light_source;

/* Tables of what differs between sections: made where they are first asked for. */
typedef struct bspi_light_tables {
	bool stop_at_white;
	float error;                       /* difference of display values */
	const bspi_light_step *steps[5];
} bspi_light_tables;

/* Without steps, which only errors are told by. The scene's light is that of one style: its first page set, if there is
 * one. */
bspi_light_source bspi_light_source_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                       const bspscene_section *section);
/* False: memory is out. */
bool bspi_light_find_steps(bspi_ctx *ctx, bspi_light_tables *tables, bspi_light_source *source);
/* At a place of the page where the mesh has a color (0..1, display space). */
void bspi_light_levels(const bspi_light_source *source, const float place[2], const float color[3], uint16_t out[3]);
/* A rectangle of places, row after row, BSPI_GRID_WIDTH numbers each, the last of them 0; without colors. */
#define BSPI_GRID_WIDTH 4u
void bspi_light_grid_levels(const bspi_light_source *source, const int32_t first[2], const uint32_t size[2],
                            uint16_t *out);
/* A level of the page where the mesh has a color (0..1). */
uint16_t bspi_light_tinted(const bspi_light_source *source, uint16_t level, float color);

/* How far linear light is from a level's, in errors: beyond 1 it is too much. */
static inline float bspi_light_error(const bspi_light_step *step, float light)
{
	float away = light - step->light, over = away * step->above, under = away * step->below;
	return over > under ? over : under;
}

#endif
