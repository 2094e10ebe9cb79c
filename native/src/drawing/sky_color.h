/* sky_color.h - the sky of a material, seen in a direction: boxes of six images, Quake III's cloud dome, Quake's two
 * scrolling layers, and the fogs before them. */
#ifndef BSPI_DRAWING_SKY_COLOR_H
#define BSPI_DRAWING_SKY_COLOR_H

#include <bspscene/scene.h>

#include "drawing/sample.h"
#include "drawing/sky_sides.h"

/* One ray of a picture, and the rays one pixel right and down of it for the size of its footprint. */
typedef struct bspi_ray {
	float origin[3], direction[3];
	float dx[3], dy[3];                /* change of direction per pixel */
} bspi_ray;

/* Coordinates of one stage of the clouds at a triangle's first corner, and how much more they are at the others. */
typedef struct bspi_cloud_triangle {
	float first[2], more[2][2];
} bspi_cloud_triangle;

typedef struct bspi_cloud_corners {
	bspi_cloud_triangle triangles[BSPI_SKY_TRIANGLES];
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

/* A stage of the clouds, as it is in all directions. */
typedef struct bspi_cloud_pass {
	const bspscene_material_pass *stage;
	const bspi_mips *texture;          /* or NULL */
	float factors[4];
} bspi_cloud_pass;

/* Half the side of the box as seen from `eye`: the far plane is at the farthest corner of the map, and the box's
 * corners are just before it (tr_sky.c MakeSkyVec). */
float bspi_sky_box(const bspscene_bounds *bounds, const float eye[3]);
/* What `corners` is for a stage of the material, which has clouds. */
void bspi_find_cloud_corners(const bspi_sky_view *view, const bspscene_material *material,
                             const bspscene_material_pass *stage, bspi_cloud_corners *out);
/* The sky of a sky material in a ray's direction; black where it has none. */
void bspi_sky_color(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                    float color[3]);
/* The texel of a box's sides in a direction; `out` stays where there is no such picture. */
void bspi_sample_box(const bspi_mips *textures, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspi_ray *ray,
                     float out[4]);

/* The parts of it. */
/* Half as high as wide is the upper half; below, its last row goes on (Source). */
float bspi_sky_side_stretch(const bspi_mips *texture);
bool bspi_sky_has_layers(const bspscene_sky *sky);
/* A layer's coordinates in a direction when nothing scrolls, and how far it has scrolled. */
void bspi_sky_layer_uv(const float direction[3], float uv[2]);
float bspi_sky_layer_scroll(int layer, float time);
/* The lower layer hides what is behind it. */
void bspi_sky_add_layer(int layer, const float texel[4], float color[3]);
bspi_cloud_pass bspi_cloud_pass_of(const bspi_sky_view *view, const bspscene_material *material, uint32_t number);
bool bspi_sky_has_fogs(const bspi_sky_view *view, const bspscene_material *material);
void bspi_sky_draw_fogs(const bspi_sky_view *view, const float direction[3], float color[3]);
void bspi_sky_draw_map_fog(const bspi_sky_view *view, float color[3]);

#endif
