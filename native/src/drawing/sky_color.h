/* sky_color.h - the sky of a material, seen in a direction: boxes of six images, Quake III's cloud dome, Quake's two
 * scrolling layers, and the fogs before them. */
#ifndef BSPI_DRAWING_SKY_COLOR_H
#define BSPI_DRAWING_SKY_COLOR_H

#include "drawing/sample.h"
#include "drawing/sky_sides.h"

/* One ray of a picture, and the rays one pixel right and down of it for the size of its footprint. */
typedef struct bspi_ray {
	float origin[3], direction[3];
	float dx[3], dy[3];                /* change of direction per pixel */
} bspi_ray;

/* Coordinates of one stage of the clouds at the corners of the squares that each side of the box is drawn in. */
typedef struct bspi_cloud_corners {
	float uvs[BSPI_SKY_SIDES][BSPI_SKY_SQUARES + 1][BSPI_SKY_SQUARES + 1][2];
} bspi_cloud_corners;

/* From where and when a sky is seen; shared by all threads that look. */
typedef struct bspi_sky_view {
	const bspscene_scene *scene;
	const bspi_mips *textures;         /* by image of the scene; those of the sky are loaded */
	float origin[3];                   /* the eye */
	float forward[3];                  /* fog is as deep as things are away along it; all 0: as they are away */
	float time;                        /* seconds since the map started */
	float box;                         /* half the side of the box that skies are drawn on */
	bool fogs, map_fog;                /* fog volumes and the map's own fog are shown */
	const bspi_sky_cover *covers;      /* by fog; NULL: no sky is in one */
	const bspi_cloud_corners *corners; /* by stage of the material; NULL: found for each ray */
} bspi_sky_view;

/* Directions of a row of a picture and of one texel more, and where they meet what a sky is drawn with: that is the
 * footprint of texels left of it and above it, too. */
typedef struct bspi_sky_row {
	float (*directions)[3];
	uint8_t *sides;
	float (*uvs)[2];                   /* on the box's side, on the scrolling layers, then by stage of the clouds */
	uint32_t count;
} bspi_sky_row;

/* Half the side of the box as seen from `eye`: the far plane is at the farthest corner of the map, and the box's
 * corners are just before it (tr_sky.c MakeSkyVec). */
float bspi_sky_box(const bspscene_bounds *bounds, const float eye[3]);
/* What `corners` is for a stage of the material, which has clouds. */
void bspi_find_cloud_corners(const bspi_sky_view *view, const bspscene_material *material,
                             const bspscene_stage *stage, bspi_cloud_corners *out);
/* The sky of a sky material in a ray's direction; black where it has none. */
void bspi_sky_color(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                    float color[3]);
/* Fills in what is beside the directions, for a material that has a sky. */
void bspi_sky_find_row(const bspi_sky_view *view, const bspscene_material *material, bspi_sky_row *row);
/* For each direction, how many coordinates row->uvs holds. */
uint32_t bspi_sky_row_kinds(const bspscene_material *material);
bspi_ray bspi_sky_ray_in(const bspi_sky_row *row, const bspi_sky_row *below, uint32_t x);
/* bspi_sky_color of all texels of a row, the next one being below; the fourth of each colour is anything. */
void bspi_sky_draw_row(const bspi_sky_view *view, const bspscene_material *material, const bspi_sky_row *row,
                       const bspi_sky_row *below, float (*colors)[4]);
/* The texel of a box's sides in a direction; `out` stays where there is no such picture. */
void bspi_sample_box(const bspi_mips *textures, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspi_ray *ray,
                     float out[4]);

#endif
