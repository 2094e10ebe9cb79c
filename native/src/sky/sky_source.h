/* sky_source.h - what of a scene the pictures of its sky are made from, within a budget: the sky's material seen from a
 * place, textures decoded. Whoever writes a scene draws from it, and bspscene_sky_cube. */
#ifndef BSPI_SKY_SOURCE_H
#define BSPI_SKY_SOURCE_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/parallel/parallel.h"
#include "drawing/sky_color.h"

typedef struct bspi_sky_source {
	const bspscene_scene *scene;
	bspi_budget *budget;
	bspi_arena arena;                  /* of all that is here */
	bspi_mips *textures;               /* by image of the scene */
	uint64_t textures_size;            /* that the budget holds for them */
	bspi_sky_view view;
	const bspscene_material *material; /* of the sky */
	bool below_clouds;                 /* the game draws nothing below */
	float horizon[3];                  /* the mean of what it draws around that */
	bool has_skybox;                   /* the 3D skybox is to be painted too */
	bspscene_error error;
} bspi_sky_source;

/* What is asked for: bspscene_sky_options. */
typedef struct bspi_sky_wanted {
	float eye[3], time;
	bool no_fog, no_skybox;
} bspi_sky_wanted;

/* The middle of the scene's bounds; the origin of an empty one. */
void bspi_sky_middle(const bspscene_scene *scene, float out[3]);
/* Has the scene a 3D skybox with something in it? */
bool bspi_has_skybox(const bspscene_scene *scene);
/* Is there something to draw, with the 3D skybox or without it? Where there is not, bspi_sky_open fails. */
bool bspi_is_sky_known(const bspscene_scene *scene, bool no_skybox);
/* Is the image one of the sky's six pictures, and all that its side shows, unchanged? */
bool bspi_sky_shows_image(const bspscene_scene *scene, uint32_t side, uint32_t *image);

/* False, with source->error set, when memory is out or nothing is known of the sky; to be closed then too. */
bool bspi_sky_open(bspi_sky_source *source, const bspscene_scene *scene, const bspi_sky_wanted *wanted,
                   bspi_budget *budget);
void bspi_sky_close(bspi_sky_source *source);
/* Decodes an image, with its mipmaps, that is not there yet. */
bool bspi_sky_load(bspi_sky_source *source, uint32_t image);
/* Says why memory was not given. Always returns false. */
bool bspi_sky_fail(bspi_sky_source *source);
/* sky_picture.c: as bspscene_sky_cube and bspscene_sky_panorama, by threads of the team. */
bool bspi_sky_draw_cube(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb);
bool bspi_sky_draw_panorama(bspi_sky_source *source, const bspi_team *team, uint32_t width, uint8_t *rgb);

/* skybox_paint.c: paints the 3D skybox over a side's picture. */
bool bspi_paint_skybox(bspi_sky_source *source, uint32_t size, uint8_t *rgb);

#endif
