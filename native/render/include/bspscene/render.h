/* render.h - pictures of a scene as its engine draws it: a ray caster for archives and for comparing with the game.
 *
 * A component of its own (libbspscene_render; in CMake find_package(bspscene COMPONENTS render), in pkg-config
 * bspscene_render), so that the library does not need a ray tracer. The scene should be loaded with its textures,
 * BSPSCENE_SURFACE_SKY and the display lightmap encoding; what is missing is drawn without. The same scene, view and
 * options give the same picture, whatever the number of threads. */
#ifndef BSPSCENE_RENDER_H
#define BSPSCENE_RENDER_H

#include <string.h>

#include <bspscene/bspscene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the picture is taken from. Engine angles in degrees: positive pitch looks down, yaw turns counter-clockwise
 * from +X, positive roll drops the right side. */
typedef struct bspscene_view {
	float origin[3];
	float pitch, yaw, roll;
	float fov_degrees;                 /* horizontal, 1..170 */
} bspscene_view;

typedef enum bspscene_render_mode {
	BSPSCENE_RENDER_FULL,              /* what a player sees */
	BSPSCENE_RENDER_LIGHTMAP,          /* what the engine's lightmap-only switch shows: page values without intensity */
	BSPSCENE_RENDER_TEXTURE,           /* textures without light */
	BSPSCENE_RENDER_MODE_FORCE_32BIT = 0x7fffffff
} bspscene_render_mode;

/* Zero is the default for every field; start with bspscene_render_options_init. */
typedef struct bspscene_render_options {
	size_t struct_size;                /* see bspscene_render_options_init */
	uint32_t width, height;            /* 1..16384; 0: 640 and 480 */
	uint32_t samples;                  /* per pixel, 1..64, rounded up to a square; 0: 4 */
	uint32_t threads;                  /* 0: one per processor */
	bspscene_render_mode mode;
	float intensity;                   /* replaces the page sets' own; 0: keep */
	float time;                        /* seconds since the map started, for waves and animations */
	bool world_only;                   /* leave entities out, their brushes and models; static props stay */
	bool transparent_sky;                       /* see through the sky to the background, as pictures from above need it; the 3D
	                                    * skybox is seen through skies only */
	float background[3];               /* 0..1, where nothing is hit */
	const float *light_styles;         /* 256 factors, one for each style; negative: as when the map starts; NULL: all
	                                    * so */
	bspscene_progress_fn *progress;    /* may be NULL; of making a renderer, and of each picture */
	void *progress_user;
	uint64_t memory_limit;             /* bytes that the scene and the renderer hold together; pictures may unpack to
	                                    * twice as many, one after the other. Textures get smaller before it is reached.
	                                    * 0: bspscene_default_limit */
	const bspscene_allocator *allocator; /* of a renderer and its pictures, given to create and copied, and needed until
	                                    * it is freed; Embree, and the decoding of a picture, take theirs by malloc.
	                                    * NULL: malloc and free */
	bool use_pvs;                          /* leave out of the world what the map's visibility says cannot be seen from the
	                                    * eye's place, as the game does: it shows where maps rely on it */
	bool omit_map_fog;                       /* leave out the fog over the whole map, behind which it disappears from far
	                                    * above; fog volumes stay */
	bool show_back_faces;                   /* show surfaces from behind too: from above, ceilings are roofs on the rooms */
	uint32_t level;                    /* leave out what the game does not draw when it shows this level, from 1 on
	                                    * (bspscene_node.levels); 0: all are shown. As create's */
} bspscene_render_options;

static inline void bspscene_render_options_init(bspscene_render_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* A scene prepared for pictures: textures decoded, mipmaps and ray structure built. Keeps a pointer to the scene, which
 * must outlive it. Several pictures may be taken from one, one after the other. NULL with `error` (may be NULL) set on
 * failure. */
typedef struct bspscene_renderer bspscene_renderer;
BSPSCENE_API bspscene_renderer *bspscene_renderer_create(const bspscene_scene *scene,
                                                         const bspscene_render_options *options,
                                                         bspscene_error *error);
BSPSCENE_API void bspscene_renderer_free(bspscene_renderer *renderer); /* NULL is fine */

/* Takes the picture: width * height RGB bytes of the options, top row first, into `rgb` which the caller owns. Options
 * that shape the ray structure (world_only, level) must be those of create. */
BSPSCENE_API bool bspscene_render(const bspscene_renderer *renderer, const bspscene_view *view,
                                  const bspscene_render_options *options, uint8_t *rgb, bspscene_error *error);
/* How far from the eye what such a picture shows is: width * height distances in game units, of what is first solid at
 * the middle of each pixel, top row first, into `distances` which the caller owns; INFINITY where there is nothing, or
 * sky. Blended and alpha-tested surfaces are seen through. */
BSPSCENE_API bool bspscene_render_distances(const bspscene_renderer *renderer, const bspscene_view *view,
                                            const bspscene_render_options *options, float *distances,
                                            bspscene_error *error);
/* Makes a picture of width * height RGB pixels brighter: of each, the largest channel b of 0..1 becomes
 * factor * b / (1 + (factor - 1) * b), and the others are scaled alike: shadows get as many times brighter, white
 * stays, colours keep their hue. 0 stands for a factor of 1 to 8 chosen from the picture: a dark one gets as bright as
 * one would light it for looking at the building, not for playing in it, a bright one stays. 1 leaves it as it is.
 * Pixels of the background colour (0..1) stay and do not count. Returns the factor that it got. Unstable. */
BSPSCENE_API float bspscene_auto_expose(uint8_t *rgb, uint32_t width, uint32_t height, const float background[3],
                                     float factor);
/* Rays cast by the last picture, for benchmarks. Unstable. */
BSPSCENE_API uint64_t bspscene_renderer_rays(const bspscene_renderer *renderer);
/* Does the map show neither light nor a texture anywhere? It would be a flat silhouette, so pictures shade it by its
 * normals, in a soft light from the sky that is not the game's. */
BSPSCENE_API bool bspscene_renderer_is_bare(const bspscene_renderer *renderer);

/* View of camera `index` of the scene. */
BSPSCENE_API bspscene_view bspscene_view_of_camera(const bspscene_scene *scene, uint32_t index);
/* View from the `number`th entity (0 first) of a class: its camera where it has one, else its origin and angles. False
 * when there are not as many. */
BSPSCENE_API bool bspscene_view_of_entity(const bspscene_scene *scene, const char *classname, uint32_t number,
                                          bspscene_view *out);
/* A bird's-eye view of the map, from above its south-west corner, for a picture of that shape. What would make the
 * rest small is left out of the frame where players hardly see it: little that lies far away with nothing between, and
 * surroundings that nothing starts or lies in. Faces seen from behind are not drawn, so ceilings do not hide the
 * rooms. */
BSPSCENE_API bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height);
/* The same part of the map on a turntable: `count` views in equal steps, counter-clockwise around the vertical line
 * through its middle, all from one height and one distance, from which it is whole in each of them. */
BSPSCENE_API void bspscene_view_turn(const bspscene_scene *scene, uint32_t width, uint32_t height, uint32_t count,
                                     bspscene_view *views);
/* The same part of the map straight from above, +Y up, from so far that lines which go up are points.
 * *units_per_pixel is the picture's scale in game units. */
BSPSCENE_API bspscene_view bspscene_view_plan(const bspscene_scene *scene, uint32_t width, uint32_t height,
                                              float *units_per_pixel);

#ifdef __cplusplus
}
#endif
#endif
