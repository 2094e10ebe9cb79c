/* sky_row.h - draws the sky row by row. Each texel has the color of bspi_sky_color, but coordinates are computed once
 * for all neighbors, and each texture is sampled along the row. */
#ifndef BSPI_SKY_ROW_H
#define BSPI_SKY_ROW_H

#include "base/arena.h"
#include "drawing/sky_color.h"

/* Directions, and their texture coordinates on everything that a sky is drawn with. */
typedef struct bspi_sky_row {
	float (*directions)[3];
	uint8_t *sides;
	bspi_sky_spot *spots;              /* where they meet the triangles of clouds */
	float (*uvs)[2]; /* on the box's side, on the scrolling layers, then one block for each stage of the clouds */
	uint32_t size;                     /* elements of each block of `uvs` */
	bool only_floor;                   /* all directions point down, where there are no clouds */
} bspi_sky_row;

/* State of one thread that draws rows: the view and buffers for one row. */
typedef struct bspi_sky_brush {
	const bspi_sky_view *view;         /* with the corners of its clouds filled in */
	const bspscene_material *material;
	bspi_cloud_pass *passes;           /* per stage of the clouds */
	float *lods, (*moved)[2], (*texels)[4];
} bspi_sky_brush;

/* Both allocate for rows of `size` texels. False if memory is out. `material` must have a sky. */
bool bspi_sky_brush_begin(bspi_sky_brush *brush, bspi_arena *arena, const bspi_sky_view *view,
                          const bspscene_material *material, uint32_t size);
bool bspi_sky_row_begin(bspi_sky_row *row, bspi_arena *arena, const bspscene_material *material, uint32_t size);
/* Computes the coordinates of the first `count` directions. `above`: the row above, or NULL. */
void bspi_sky_row_find(const bspi_sky_brush *brush, bspi_sky_row *row, const bspi_sky_row *above, uint32_t count);
/* Returns the row that begins one direction further right. */
bspi_sky_row bspi_sky_row_after(const bspi_sky_row *row);
/* Draws the texels from `first` up to `end`. `right` and `below` hold their neighbors. The fourth number of each color
 * is undefined. */
void bspi_sky_row_draw(const bspi_sky_brush *brush, const bspi_sky_row *row, const bspi_sky_row *right,
                       const bspi_sky_row *below, uint32_t first, uint32_t end, float (*colors)[4]);
/* Returns the first texel after `first` that lies on another side of the box, or `end`. */
uint32_t bspi_sky_row_end(const bspi_sky_row *row, uint32_t first, uint32_t end);

#endif
