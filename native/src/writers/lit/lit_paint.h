/* lit_paint.h - the parts that paint the picture of lit.h row by row.
 *
 *     lit_paint.c     assigns charts to threads, rasterizes triangles
 *     lit_texture.c   textures and their mipmaps
 *     lit_light.c     light along a row
 *     lit_row.c       texture times light along a row
 *     lit_rim.c       fills texels that no triangle covers */
#ifndef BSPI_LIT_PAINT_H
#define BSPI_LIT_PAINT_H

#include <bspscene/image.h>

#include "base/arena.h"
#include "baking/light_at.h"
#include "writers/lit/lit.h"

enum { BSPI_LIT_LEVELS = 14 };

/* ---- lit_texture.c: a texture and its mipmaps, averages of display values, like in games --------------------- */

typedef struct bspi_lit_texture {
	bspi_budget *budget;
	uint32_t image;                    /* index of the image in the scene; NO_INDEX: none */
	bspscene_pixels levels[BSPI_LIT_LEVELS]; /* mipmap levels; level 0 is the image itself */
	uint32_t level_count;              /* number of levels made so far; 0: there is no texture */
} bspi_lit_texture;

/* Decodes an image. If that fails, the texture is the image's fallback color. */
bool bspi_lit_texture_take(bspi_lit_texture *texture, const bspscene_scene *scene, uint32_t image,
                           bspscene_error *error);
/* Returns a mipmap, or the last one if there are not so many. Returns NULL if memory is out. */
const bspscene_pixels *bspi_lit_texture_level(bspi_lit_texture *texture, uint32_t level, bspscene_error *error);
void bspi_lit_texture_give(bspi_lit_texture *texture);

/* ---- Interpolation over a triangle --------------------------------------------------------------------------- */

typedef struct bspi_lit_slope {
	double at_zero, by_x, by_y;        /* the value at x = y = 0, and its changes per texel of the picture along x
	                                    * and along y */
} bspi_lit_slope;

static inline double bspi_lit_slope_at(const bspi_lit_slope *slope, double x, double y)
{
	return slope->at_zero + slope->by_x * x + slope->by_y * y;
}

typedef struct bspi_lit_slopes {
	bspi_lit_slope uv[2], light_uv[2], color[3];
} bspi_lit_slopes;

/* A run of texels in one row of the picture. The center of texel x is at x + 0.5. */
typedef struct bspi_lit_run {
	uint32_t x, y, count;
} bspi_lit_run;

/* ---- lit_light.c --------------------------------------------------------------------------------------------- */

/* The light of one chart. */
typedef struct bspi_lit_light {
	const bspi_lit_chart *chart;
	const bspscene_lightmap_page *page;         /* the page that lights the chart, if its light can be interpolated
	                                             * row by row (page_in_rows); otherwise NULL */
	bspi_light_rule rule;
	const bspi_adding_tables *tables;
	float factors[3];                  /* color of the section's material */
	uint32_t *lows;                    /* per column of the chart: the luxel left of the texel's center */
	float *shares;                     /* per column of the chart: the weight of the luxel after it, 0..1 */
	float (*luxels)[4];                /* light of one row of luxels, mixed from two rows of the page */
	float (*row)[4];                   /* result of bspi_lit_light_fill: the light in each column of the chart */
} bspi_lit_light;

/* Allocates what bspi_lit_light_fill needs for charts that are up to `width` texels and `luxels` luxels wide. Returns
 * false if memory is out. */
bool bspi_lit_light_begin(bspi_lit_light *light, bspi_arena *arena, uint32_t width, uint32_t luxels);
/* Returns a chart's width in luxels, including luxels beside it that interpolation reads. */
uint32_t bspi_lit_luxels_across(const bspi_lit_chart *chart);
void bspi_lit_light_start(bspi_lit_light *light, const bspscene_scene *scene, const bspi_adding_tables *tables,
                          const bspi_lit_chart *chart);
/* Computes the light of a run of texels, multiplied by light->factors, and stores it in light->row. Light of 1 shows a
 * texture as it is. */
void bspi_lit_light_fill(bspi_lit_light *light, const bspi_lit_slopes *slopes, const bspi_lit_run *run);

/* ---- lit_row.c ----------------------------------------------------------------------------------------------- */

/* State of walking through a texture, while a run of texels is painted. */
typedef struct bspi_lit_walk {
	const bspscene_pixels *pixels;
	bool clamp;
	uint64_t at[2], step[2];           /* position and step in texels, with 32 bits after the point; signed if the
	                                    * texture is clamped */
} bspi_lit_walk;

void bspi_lit_walk_start(bspi_lit_walk *walk, const bspscene_pixels *pixels, bool clamp, const bspi_lit_slope uv[2],
                         const bspi_lit_run *run);
/* Paints `count` texels of a row to `rgb`: texture times light, plus `glow` times its factors. `glow` may be NULL. */
void bspi_lit_row_paint(bspi_lit_walk *base, bspi_lit_walk *glow, const float glow_factors[3],
                        const float (*light)[4], uint32_t count, uint8_t *rgb);

/* ---- lit_rim.c: filters and mipmaps read texels next to a chart, so these get its colors ---- */

/* Remembers which texels of a chart are covered by triangles. */
typedef struct bspi_lit_rim {
	const bspi_lit_chart *chart;
	uint8_t *marks;                    /* for each texel of the chart and of a margin around it: 0 if it is not filled,
	                                    * 1 if a triangle covers it, 1 + n if round n filled it */
	uint8_t *columns, *candidates;     /* working memory for one row */
} bspi_lit_rim;

/* Returns the bytes needed for a chart's marks. */
size_t bspi_lit_rim_size(const bspi_lit_chart *chart);
/* Allocates memory for charts up to `width` texels wide whose bspi_lit_rim_size is at most `size`. Returns false if it
 * runs out of memory. */
bool bspi_lit_rim_begin(bspi_lit_rim *rim, bspi_arena *arena, uint32_t width, size_t size);
void bspi_lit_rim_start(bspi_lit_rim *rim, const bspi_lit_chart *chart);
void bspi_lit_rim_cover(const bspi_lit_rim *rim, const bspi_lit_run *run);
/* Fills the uncovered texels of a chart's rectangle. `pixels` is the sheet, and `width` is the width of the sheet. */
void bspi_lit_rim_fill(const bspi_lit_rim *rim, uint8_t *pixels, uint32_t width);
/* Fills the texels between the rectangles of a sheet with the nearest color in their row. */
bool bspi_lit_fill_gaps(bspi_writer *writer, const bspi_lit *lit, uint32_t sheet, uint8_t *pixels);

#endif
