/* sky_source.h - what is needed to draw a scene's sky, within a budget: the sky's material seen from a position, and
 * its decoded textures. Writers and bspscene_sky_cube use it. */
#ifndef BSPI_SKY_SOURCE_H
#define BSPI_SKY_SOURCE_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/parallel/parallel.h"
#include "drawing/sky_color.h"

typedef struct bspi_sky_source {
	const bspscene_scene *scene;
	bspi_budget *budget;
	bspi_arena arena;                  /* holds everything below */
	bspi_mips *textures;               /* per image of the scene */
	uint64_t textures_size;            /* bytes taken from the budget for them */
	bspi_sky_view view;
	const bspscene_material *material; /* of the sky */
	bool below_clouds;                 /* the game draws clouds only above the horizon */
	float horizon[3];                  /* mean color along the horizon, if below_clouds */
	bool has_skybox;                   /* the 3D skybox is to be painted over the sky */
	bspscene_error error;
} bspi_sky_source;

/* The parts of bspscene_sky_options that matter here. */
typedef struct bspi_sky_wanted {
	float eye[3], time;
	bool no_fog, no_skybox;
} bspi_sky_wanted;

/* Returns the center of the scene's bounds, or the origin if the scene is empty. */
void bspi_sky_middle(const bspscene_scene *scene, float out[3]);
/* True if the scene has a 3D skybox that is not empty. */
bool bspi_has_skybox(const bspscene_scene *scene);
/* True if there is something to draw, with or without the 3D skybox. Otherwise bspi_sky_open fails. */
bool bspi_is_sky_known(const bspscene_scene *scene, bool no_skybox);
/* True if a side of the sky shows exactly this unchanged image. */
bool bspi_sky_shows_image(const bspscene_scene *scene, uint32_t side, uint32_t *image);

/* False, with source->error set, if memory is out or the scene has no sky. Call bspi_sky_close in any case. */
bool bspi_sky_open(bspi_sky_source *source, const bspscene_scene *scene, const bspi_sky_wanted *wanted,
                   bspi_budget *budget);
void bspi_sky_close(bspi_sky_source *source);
/* Decodes an image, with mipmaps, unless it is decoded already. */
bool bspi_sky_load(bspi_sky_source *source, uint32_t image);
/* Sets source->error to why memory was refused. Returns false. */
bool bspi_sky_fail(bspi_sky_source *source);
/* sky_picture.c. Draw what bspscene_sky_cube and bspscene_sky_panorama return, with the threads of the team. */
bool bspi_sky_draw_cube(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb);
bool bspi_sky_draw_panorama(bspi_sky_source *source, const bspi_team *team, uint32_t width, uint8_t *rgb);

/* skybox_paint.c. Paints the 3D skybox over all sides of a cube. */
bool bspi_paint_skybox(bspi_sky_source *source, uint32_t size, uint8_t *rgb);

#endif
