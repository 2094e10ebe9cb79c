/* sky_row.h - draws the sky row by row. The colors are those of bspi_sky_color. But the texture coordinates of a
 * direction are computed only once, although neighboring texels need them too. Each texture is sampled along the
 * row. */
#ifndef BSPI_SKY_ROW_H
#define BSPI_SKY_ROW_H

#include "base/arena.h"
#include "drawing/sky_color.h"

/* Directions, and the texture coordinates that each one has on all parts of a sky. */
typedef struct bspi_sky_row {
	float (*directions)[3];
	uint8_t *sides;
	bspi_sky_spot *spots;              /* for each direction, the point where it meets the triangles of the
	                                    * clouds */
	float (*uvs)[2]; /* coordinates on the side of the box, then on the scrolling layers, then on each stage of the
	                  * clouds */
	uint32_t size;                     /* number of directions for which the arrays above have room */
	bool only_floor;                   /* true if all directions point below the clouds */
} bspi_sky_row;

/* What one thread needs for drawing rows: the view, and memory for one row. */
typedef struct bspi_sky_brush {
	const bspi_sky_view *view;         /* view of the sky; if the sky has clouds, its member `corners` is set */
	const bspscene_material *material;
	bspi_cloud_pass *passes;           /* one for each stage of the clouds */
	float *lods, (*moved)[2], (*texels)[4];
} bspi_sky_brush;

/* Allocate memory for rows of up to `size` texels. Return false if memory is out. `material` must have a sky. */
bool bspi_sky_brush_begin(bspi_sky_brush *brush, bspi_arena *arena, const bspi_sky_view *view,
                          const bspscene_material *material, uint32_t size);
bool bspi_sky_row_begin(bspi_sky_row *row, bspi_arena *arena, const bspscene_material *material, uint32_t size);
/* Computes the texture coordinates of the first `count` directions. `above` is the row above, or NULL. */
void bspi_sky_row_find(const bspi_sky_brush *brush, bspi_sky_row *row, const bspi_sky_row *above, uint32_t count);
/* Returns the same row, but without its first direction. */
bspi_sky_row bspi_sky_row_after(const bspi_sky_row *row);
/* Draws the texels from `first` up to `end`. `right` and `below` have the coordinates of the texels to the right and
 * below. The fourth number of each color is not set. */
void bspi_sky_row_draw(const bspi_sky_brush *brush, const bspi_sky_row *row, const bspi_sky_row *right,
                       const bspi_sky_row *below, uint32_t first, uint32_t end, float (*colors)[4]);
/* Returns the first texel after `first` that lies on another side of the box, or `end`. */
uint32_t bspi_sky_row_end(const bspi_sky_row *row, uint32_t first, uint32_t end);

#endif
