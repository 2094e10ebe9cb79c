/* sky_row.h - the sky in rows of directions, as bspi_sky_color has it in each of them: coordinates are found once for
 * all neighbors, and one texture is sampled along the row. */
#ifndef BSPI_SKY_ROW_H
#define BSPI_SKY_ROW_H

#include "base/arena.h"
#include "drawing/sky_color.h"

/* Directions and where they meet what a sky is drawn with. */
typedef struct bspi_sky_row {
	float (*directions)[3];
	uint8_t *sides;
	bspi_sky_spot *spots;              /* on the triangles of clouds */
	float (*uvs)[2];                   /* on the box's side, on the scrolling layers, then by stage of the clouds */
	uint32_t size;                     /* between kinds of coordinates */
	bool only_floor;                   /* all of them are down, where nothing has clouds */
} bspi_sky_row;

/* What one thread draws rows with. */
typedef struct bspi_sky_brush {
	const bspi_sky_view *view;         /* one that knows the corners of its clouds */
	const bspscene_material *material;
	bspi_cloud_pass *passes;           /* by stage of the clouds */
	float *lods, (*moved)[2], (*texels)[4];
} bspi_sky_brush;

/* False: out of memory. For rows of so many texels; `material` has a sky. */
bool bspi_sky_brush_begin(bspi_sky_brush *brush, bspi_arena *arena, const bspi_sky_view *view,
                          const bspscene_material *material, uint32_t size);
bool bspi_sky_row_begin(bspi_sky_row *row, bspi_arena *arena, const bspscene_material *material, uint32_t size);
/* Fills in what is beside the first directions. */
void bspi_sky_row_find(const bspi_sky_brush *brush, bspi_sky_row *row, const bspi_sky_row *above, uint32_t count);
/* The row that begins one direction on. */
bspi_sky_row bspi_sky_row_after(const bspi_sky_row *row);
/* Texels from `first` to before `end`; the fourth of each color is anything. `right` and `below`: their neighbors. */
void bspi_sky_row_draw(const bspi_sky_brush *brush, const bspi_sky_row *row, const bspi_sky_row *right,
                       const bspi_sky_row *below, uint32_t first, uint32_t end, float (*colors)[4]);
/* Where the side of the box that `first` is on is left. */
uint32_t bspi_sky_row_end(const bspi_sky_row *row, uint32_t first, uint32_t end);

#endif
