/* sky_source.h - everything that is needed to draw a scene's sky: its material seen from a position, and its decoded
 * textures. Memory is taken from a budget. Writers and bspscene_sky_cube use it. */
#ifndef BSPI_SKY_SOURCE_H
#define BSPI_SKY_SOURCE_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/parallel/parallel.h"
#include "drawing/sky_color.h"

typedef struct bspi_sky_source {
	const bspscene_scene *scene;
	bspi_budget *budget;
	bspi_arena arena;                  /* memory of all members below */
	bspi_mips *textures;               /* one for each image of the scene */
	uint64_t textures_size;            /* bytes of the budget that the textures use */
	bspi_sky_view view;
	const bspscene_material *material; /* material of the sky */
	bool below_clouds;                 /* the area below the horizon is to be filled, because the game draws no
	                                    * clouds there */
	float horizon[3];                  /* mean color along the horizon; set if below_clouds is true */
	bool has_skybox;                   /* the 3D skybox is to be painted over the sky */
	bspscene_error error;
} bspi_sky_source;

/* The members of bspscene_sky_options that are needed here. */
typedef struct bspi_sky_wanted {
	float eye[3], time;
	bool no_fog, no_skybox;
} bspi_sky_wanted;

/* Returns the center of the scene's bounds, or the origin if the scene is empty. */
void bspi_sky_middle(const bspscene_scene *scene, float out[3]);
/* True if the scene has a 3D skybox that is not empty. */
bool bspi_has_skybox(const bspscene_scene *scene);
/* True if there is a sky to draw: a material with a sky or, unless no_skybox is true, a 3D skybox. If this is false,
 * bspi_sky_open fails. */
bool bspi_is_sky_known(const bspscene_scene *scene, bool no_skybox);
/* True if a side of the sky looks exactly like one image of the scene. Sets *image to its index. */
bool bspi_sky_shows_image(const bspscene_scene *scene, uint32_t side, uint32_t *image);

/* Opens a source. Returns false with source->error set if memory is out or the scene has no sky. Call bspi_sky_close in
 * both cases. */
bool bspi_sky_open(bspi_sky_source *source, const bspscene_scene *scene, const bspi_sky_wanted *wanted,
                   bspi_budget *budget);
void bspi_sky_close(bspi_sky_source *source);
/* Decodes an image and makes its mipmaps, unless that was done before. */
bool bspi_sky_load(bspi_sky_source *source, uint32_t image);
/* Sets source->error after a failed allocation, unless the error is set already. Its message says why the allocation
 * failed. Returns false. */
bool bspi_sky_fail(bspi_sky_source *source);
/* Draw the pictures of bspscene_sky_cube and bspscene_sky_panorama, with the threads of the team. sky_picture.c */
bool bspi_sky_draw_cube(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb);
bool bspi_sky_draw_panorama(bspi_sky_source *source, const bspi_team *team, uint32_t width, uint8_t *rgb);

/* Paints the 3D skybox over the six sides of a cube. skybox_paint.c */
bool bspi_paint_skybox(bspi_sky_source *source, uint32_t size, uint8_t *rgb);

#endif
