/* lit_paint.h - what paints texels of the picture of lit.h, row by row.
 *
 *     lit_paint.c    which charts, in which thread, and their triangles
 *     lit_texture.c  textures and their halves
 *     lit_light.c    light along a row
 *     lit_row.c      texture times light along a row
 *     lit_rim.c      what no triangle covers */
#ifndef BSPI_LIT_PAINT_H
#define BSPI_LIT_PAINT_H

#include <bspscene/image.h>

#include "base/arena.h"
#include "baking/light_at.h"
#include "writers/lit/lit.h"

enum { BSPI_LIT_LEVELS = 14 };

/* ---- lit_texture.c: a texture and its halves, averages of what is displayed, as games filter ----------------- */

typedef struct bspi_lit_texture {
	bspi_budget *budget;
	uint32_t image;                    /* of the scene; NO_INDEX: none */
	bspscene_pixels levels[BSPI_LIT_LEVELS]; /* the first is the picture's own */
	uint32_t level_count;              /* those that are there; 0: no texture */
} bspi_lit_texture;

/* One that cannot be decoded is its stand-in, as everywhere. */
bool bspi_lit_texture_take(bspi_lit_texture *texture, const bspscene_scene *scene, uint32_t image,
                           bspscene_error *error);
/* Halved so often, or until it is one texel. NULL: memory is out. */
const bspscene_pixels *bspi_lit_texture_level(bspi_lit_texture *texture, uint32_t level, bspscene_error *error);
void bspi_lit_texture_give(bspi_lit_texture *texture);

/* ---- What changes evenly over a triangle --------------------------------------------------------------------- */

typedef struct bspi_lit_slope {
	double at_zero, by_x, by_y;        /* by texels of the picture */
} bspi_lit_slope;

static inline double bspi_lit_slope_at(const bspi_lit_slope *slope, double x, double y)
{
	return slope->at_zero + slope->by_x * x + slope->by_y * y;
}

typedef struct bspi_lit_slopes {
	bspi_lit_slope uv[2], light_uv[2], color[3];
} bspi_lit_slopes;

/* Texels of a row of the picture, whose middles lie half a texel on. */
typedef struct bspi_lit_run {
	uint32_t x, y, count;
} bspi_lit_run;

/* ---- lit_light.c --------------------------------------------------------------------------------------------- */

/* The light of a chart. */
typedef struct bspi_lit_light {
	const bspi_lit_chart *chart;
	const bspscene_lightmap_page *page;         /* when its luxels lie in rows as the chart's texels do; else NULL */
	bspi_light_rule rule;
	float factors[3];                  /* of its material */
	uint32_t *lows;                    /* by column of the chart: the luxel before the texel's middle, */
	float *shares;                     /* and how near it is to the next one */
	float (*luxels)[4];                /* of a row, two rows of the page mixed */
	float (*row)[4];                   /* by column of the chart: what fill found */
} bspi_lit_light;

/* Room for charts up to these many texels and luxels wide. False: memory is out. */
bool bspi_lit_light_begin(bspi_lit_light *light, bspi_arena *arena, uint32_t width, uint32_t luxels);
/* Luxels that a chart is wide, with those that are mixed in beside it. */
uint32_t bspi_lit_luxels_across(const bspi_lit_chart *chart);
void bspi_lit_light_start(bspi_lit_light *light, const bspscene_scene *scene, const bspi_lit_chart *chart);
/* Into light->row from its start on: light times factors for each texel of the run, 1 where a texture is shown as it
 * is. */
void bspi_lit_light_fill(bspi_lit_light *light, const bspi_lit_slopes *slopes, const bspi_lit_run *run);

/* ---- lit_row.c ----------------------------------------------------------------------------------------------- */

/* Places in a texture along a run of texels. */
typedef struct bspi_lit_walk {
	const bspscene_pixels *pixels;
	bool clamp;
	uint64_t at[2], step[2];           /* texels of the texture, 32 bits of them behind the point; clamped: signed */
} bspi_lit_walk;

void bspi_lit_walk_start(bspi_lit_walk *walk, const bspscene_pixels *pixels, bool clamp, const bspi_lit_slope uv[2],
                         const bspi_lit_run *run);
/* Texture times light, and on top of it what glows (`glow` may be NULL) times its factors. */
void bspi_lit_row_paint(bspi_lit_walk *base, bspi_lit_walk *glow, const float glow_factors[3],
                        const float (*light)[4], uint32_t count, uint8_t *rgb);

/* ---- lit_rim.c: what lies beside a chart is mixed into it by filters and mipmaps: it has the chart's colors --- */

/* Which texels of a chart are covered. */
typedef struct bspi_lit_rim {
	const bspi_lit_chart *chart;
	uint8_t *marks;                    /* with a margin, row by row: covered, and by which round */
	uint8_t *columns, *candidates;     /* of one row */
} bspi_lit_rim;

/* Bytes of a chart's marks. */
size_t bspi_lit_rim_size(const bspi_lit_chart *chart);
/* Room for charts up to these many texels wide, and such marks. False: memory is out. */
bool bspi_lit_rim_begin(bspi_lit_rim *rim, bspi_arena *arena, uint32_t width, size_t size);
void bspi_lit_rim_start(bspi_lit_rim *rim, const bspi_lit_chart *chart);
void bspi_lit_rim_cover(const bspi_lit_rim *rim, const bspi_lit_run *run);
/* All of the chart's rectangle, in `pixels` of a sheet that is `width` wide. */
void bspi_lit_rim_fill(const bspi_lit_rim *rim, uint8_t *pixels, uint32_t width);
/* Between the rectangles of a sheet: as the nearest one of the row. */
bool bspi_lit_fill_gaps(bspi_writer *writer, const bspi_lit *lit, uint32_t sheet, uint8_t *pixels);

#endif
