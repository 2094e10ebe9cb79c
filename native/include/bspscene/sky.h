/* sky.h - the sky around a map as pictures, for hosts that have no other way to draw it: the six images of a box, Quake
 * III's clouds, Quake's two layers, with the map's fog over them and Source's 3D skybox before them. */
#ifndef BSPSCENE_SKY_H
#define BSPSCENE_SKY_H

#include <string.h>

#include <bspscene/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BSPSCENE_SKY_MAX_SIZE 4096     /* pixels: a side of a cube, a quarter of the width of a panorama */

/* Zero is the default for every field; start with bspscene_sky_options_init. */
typedef struct bspscene_sky_options {
	size_t struct_size;                /* see bspscene_sky_options_init */
	const float *eye;                  /* three numbers, game units: clouds, fog and the 3D skybox are seen from there;
	                                    * NULL: the middle of the scene's bounds */
	float time;                        /* seconds since the map started, for clouds that move */
	bool omit_fog;
	bool omit_skybox;                    /* the 3D skybox is left out */
	uint64_t memory_limit;             /* bytes that the scene and the drawing hold together, the caller's picture not
	                                    * counted; pictures may unpack to twice as many, one after the other. 0:
	                                    * bspscene_default_limit */
	const bspscene_allocator *allocator; /* NULL: malloc and free */
} bspscene_sky_options;

static inline void bspscene_sky_options_init(bspscene_sky_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Pixels that a side of the sky's cube needs so that nothing of its pictures is lost: as many as the largest of six
 * has, 512 where there are clouds, layers or a 3D skybox. 0: nothing is known of this map's sky. Where a 3D skybox is
 * all that is known, nothing is left to draw with `no_skybox`. */
BSPSCENE_API uint32_t bspscene_sky_size(const bspscene_scene *scene);

/* The sky on the six sides of a cube, in the order of bspscene_sky.box: right (+X), back (+Y), left (-X), front (-Y),
 * up and down, each as it is seen from the middle, `size` * `size` RGB bytes, top row first, one behind the other in
 * `rgb`, which the caller owns. The upper edge of the first four is the edge of the side above; the upper edges of `up`
 * and `down` are those of `left` and `right`. Below clouds, where the game draws nothing, the horizon goes on. False
 * with `error` (may be NULL) set, BSPSCENE_ERROR_NOT_FOUND when nothing is known of the sky. */
BSPSCENE_API bool bspscene_sky_cube(const bspscene_scene *scene, const bspscene_sky_options *options, uint32_t size,
                                    uint8_t *rgb, bspscene_error *error);
/* The way from the middle to a point of a side: u and v from 0 to 1, v downward. Of any length but 0. */
BSPSCENE_API void bspscene_sky_direction(uint32_t side, float u, float v, float out[3]);
/* Where such a cube stands so that it is just outside of all that the scene shows and of its cameras, with the 3D
 * skybox where it has one: its middle, and half of a side, in game units. */
BSPSCENE_API void bspscene_sky_cube_bounds(const bspscene_scene *scene, float center[3], float *half);
/* The same as one picture of all directions, `width` * `width / 2` RGB bytes (an even width from 2 on): the longitude
 * goes from left to right, its middle looks along +X and its first quarter along +Y, the latitude from the zenith at
 * the top to the nadir. Hosts with Y up whose panoramas have +X in the middle (three.js) show it unturned. */
BSPSCENE_API bool bspscene_sky_panorama(const bspscene_scene *scene, const bspscene_sky_options *options,
                                        uint32_t width, uint8_t *rgb, bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
