/* sky_color.h - the color of a sky material in a direction: boxes of six images, Quake III's cloud dome, Quake's two
 * scrolling layers, and fog in front of them. */
#ifndef BSPI_DRAWING_SKY_COLOR_H
#define BSPI_DRAWING_SKY_COLOR_H

#include <bspscene/image.h>
#include <bspscene/material.h>
#include <bspscene/scene.h>

#include "drawing/sample.h"
#include "drawing/sky_sides.h"

/* A ray of a picture. Its change to the neighboring pixels determines the mipmap levels of textures. */
typedef struct bspi_ray {
	float origin[3], direction[3];
	float dx[3], dy[3];                /* change of direction per pixel to the right and down */
} bspi_ray;

/* Texture coordinates of a stage of the clouds: at a triangle's first corner, and the differences of its other two
 * corners from the first. */
typedef struct bspi_cloud_triangle {
	float first[2], more[2][2];
} bspi_cloud_triangle;

typedef struct bspi_cloud_corners {
	bspi_cloud_triangle triangles[BSPI_SKY_TRIANGLES];
} bspi_cloud_corners;

/* The viewpoint, the time, and options that select what is drawn. All threads share it. */
typedef struct bspi_sky_view {
	const bspscene_scene *scene;
	const bspi_mips *textures;         /* one per image of the scene; only the images of the sky are filled in */
	float origin[3];                   /* the eye */
	float forward[3];                  /* direction along which the depth of fog is measured; zero: fog depth is
	                                    * the distance from the eye */
	float time;                        /* seconds since the map started */
	float box;                         /* half the side of the sky box */
	bool fogs, map_fog;                /* `fogs`: draw fog volumes; `map_fog`: draw the map's global fog */
	const bspi_sky_cover *covers;      /* one per fog: the squares of the sky on which this fog's sky surfaces lie;
	                                    * NULL: no sky is in fog */
	const bspi_cloud_corners *corners; /* one per stage of the material; NULL: coordinates are computed for each ray */
} bspi_sky_view;

/* The parts of a stage of the clouds that do not depend on the direction. */
typedef struct bspi_cloud_pass {
	const bspscene_material_pass *stage;
	const bspi_mips *texture;          /* NULL: the stage has no image */
	float factors[4];
} bspi_cloud_pass;

/* Returns half the side of the sky box seen from `eye`. The engine's far plane is at the farthest corner of the map.
 * The box's corners are just in front of that plane (tr_sky.c MakeSkyVec). */
float bspi_sky_box(const bspscene_bounds *bounds, const float eye[3]);
/* Computes the texture coordinates of a cloud stage at the corners of all triangles of the sky box. */
void bspi_find_cloud_corners(const bspi_sky_view *view, const bspscene_material *material,
                             const bspscene_material_pass *stage, bspi_cloud_corners *out);
/* Returns the color of the material's sky in the ray's direction, or black if it has none. */
void bspi_sky_color(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                    float color[3]);
/* Samples a box of six images in a direction. `out` is not changed if the side that the ray hits has no image. */
void bspi_sample_box(const bspi_mips *textures, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspi_ray *ray,
                     float out[4]);

/* The steps of bspi_sky_color, for callers that draw rows of pixels. */
/* Returns the factor by which a side image is stretched. In Source, a side image that is half as high as wide is the
 * upper half of the side. Its last row is repeated below. */
float bspi_sky_side_stretch(const bspi_mips *texture);
bool bspi_sky_has_layers(const bspscene_sky *sky);
/* bspi_sky_layer_uv computes a layer's texture coordinates for a direction, without scrolling. bspi_sky_layer_scroll
 * returns how far the layer has scrolled at a time. */
void bspi_sky_layer_uv(const float direction[3], float uv[2]);
float bspi_sky_layer_scroll(int layer, float time);
/* Blends a texel of a layer into a color. Layer 1 is nearer and hides what is behind it. */
void bspi_sky_add_layer(int layer, const float texel[4], float color[3]);
bspi_cloud_pass bspi_cloud_pass_of(const bspi_sky_view *view, const bspscene_material *material, uint32_t number);
bool bspi_sky_has_fogs(const bspi_sky_view *view, const bspscene_material *material);
void bspi_sky_draw_fogs(const bspi_sky_view *view, const float direction[3], float color[3]);
void bspi_sky_draw_map_fog(const bspi_sky_view *view, float color[3]);

#endif
