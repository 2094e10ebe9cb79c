/* sky.h - Draws the sky of a map as a cube or a panorama, for hosts that cannot draw it otherwise.
 *
 * A sky is a box of six images, Quake III's clouds or Quake's two layers, with the map's fog and Source's 3D skybox. */
#ifndef BSPSCENE_SKY_H
#define BSPSCENE_SKY_H

#include <string.h>

#include <bspscene/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Largest side of a cube in pixels, and a quarter of the largest width of a panorama. */
#define BSPSCENE_SKY_MAX_SIZE 4096

/** Options of drawing a sky. Zero is the default of every field. Start with bspscene_sky_options_init. */
typedef struct bspscene_sky_options {
	size_t struct_size;                /**< See bspscene_sky_options_init. */
	const float *eye;                  /**< Three game units: where clouds, fog and the 3D skybox are seen from.
	                                    * NULL: the center of the scene's bounds. */
	float time;                        /**< Seconds since the map started, for moving clouds. */
	bool omit_fog;                     /**< Leave out the map's fog. */
	bool omit_skybox;                  /**< Leave out the 3D skybox. */
	uint64_t memory_limit;             /**< Bytes for the scene and the drawing together, without the caller's
	                                    * pixels. Decoding an image may use as many again for a moment. 0:
	                                    * bspscene_default_limit. */
	const bspscene_allocator *allocator; /**< NULL: malloc and free. */
} bspscene_sky_options;

static inline void bspscene_sky_options_init(bspscene_sky_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** Returns the side of a cube, in pixels, that keeps every texel: that of the largest of six images, and at least 512
 * for clouds, layers and a 3D skybox. Returns 0 if the sky is unknown. If only a 3D skybox is known, omit_skybox leaves
 * nothing to draw. */
BSPSCENE_API uint32_t bspscene_sky_size(const bspscene_scene *scene);

/** Draws the sky on the six sides of a cube.
 *
 * The order is that of bspscene_sky.box: right (+X), back (+Y), left (-X), front (-Y), up, down, each as seen from the
 * middle. Each side has size * size RGB pixels, top row first, and sides follow each other in `rgb`, which the caller
 * owns. The upper edge of the first four sides meets the side above; the upper edges of up and down meet left and
 * right. Below clouds, where the game draws nothing, the horizon continues.
 *
 * Returns false with `error` (may be NULL) set on failure. BSPSCENE_ERROR_NOT_FOUND: the sky is unknown. */
BSPSCENE_API bool bspscene_sky_cube(const bspscene_scene *scene, const bspscene_sky_options *options, uint32_t size,
                                    uint8_t *rgb, bspscene_error *error);

/** Computes the direction to a point of a cube's side, with u and v in 0..1, v downward. `side` is the number of the
 * side in bspscene_sky_cube, from 0. `out` is not normalized. */
BSPSCENE_API void bspscene_sky_direction(uint32_t side, float u, float v, float out[3]);

/** Computes a cube around everything that the scene shows, its cameras and its 3D skybox: the center and half a
 * side, in game units. */
BSPSCENE_API void bspscene_sky_cube_bounds(const bspscene_scene *scene, float center[3], float *half);

/** Draws the sky as an equirectangular panorama of width * (width / 2) RGB pixels. `width` is even and at least 2.
 *
 * The caller owns `rgb`. Longitude runs from left to right: the middle looks along +X, the first quarter along +Y.
 * Latitude runs from the zenith at the top to the nadir. Hosts with Y up and +X in the middle (three.js) show it
 * without rotating it. Returns false with `error` (may be NULL) set on failure, as bspscene_sky_cube does. */
BSPSCENE_API bool bspscene_sky_panorama(const bspscene_scene *scene, const bspscene_sky_options *options,
                                        uint32_t width, uint8_t *rgb, bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
