/* render.h - Draws pictures of a scene as its engine does, by ray casting.
 *
 *     bspscene_renderer *renderer = bspscene_renderer_create(scene, NULL, &error);
 *     bspscene_view view = bspscene_view_start(scene, 640, 480);
 *     uint8_t *rgb = malloc(3 * 640 * 480);
 *     if (renderer && rgb && bspscene_render(renderer, &view, NULL, rgb, &error))
 *         bspscene_write_png_file(640, 480, 3, rgb, "atrium.png", &error);
 *     bspscene_renderer_free(renderer);
 *
 * A library of its own, bspscene_render (CMake: COMPONENTS render), so that bspscene needs no ray tracer. Load the
 * scene with its textures and with LIGHTMAP_ENCODING_DISPLAY, as the default options do. The load option for_pictures
 * adds reflections, finer patches and the map's own sky surfaces.
 *
 * The sky is drawn unless transparent_sky is set. If the scene was loaded without SURFACE_SKY, it is drawn wherever a
 * ray leaves the map. Equal scenes, views and options give equal pictures, whatever the number of threads. */
#ifndef BSPSCENE_RENDER_H
#define BSPSCENE_RENDER_H

#include <string.h>

#include <bspscene/bspscene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Renderer --------------------------------------------------------------------------------------------- */

/** Where a picture is taken from. Angles are the engine's, in degrees: positive pitch looks down, yaw turns
 * counter-clockwise from +X, positive roll lowers the right side. Frozen. */
typedef struct bspscene_view {
	float origin[3];                   /**< Game units. */
	float pitch, yaw, roll;            /**< Degrees. */
	float fov_degrees;                 /**< Horizontal, 1..170. */
} bspscene_view;

/** What a picture shows. */
typedef enum bspscene_render_mode {
	BSPSCENE_RENDER_FULL,              /**< What a player sees (default). */
	BSPSCENE_RENDER_LIGHTMAP,          /**< The engine's lightmap-only mode: page values without intensity. */
	BSPSCENE_RENDER_TEXTURE,           /**< Textures without light. */
	BSPSCENE_RENDER_MODE_FORCE_32BIT = 0x7fffffff
} bspscene_render_mode;

/** Options of a renderer and of a picture. Zero is the default of every member. Start with
 * bspscene_render_options_init. bspscene_renderer_create uses the members marked "Create". They must not change after
 * that. */
typedef struct bspscene_render_options {
	size_t struct_size;                /**< See bspscene_render_options_init. */

	/* Output. */
	uint32_t width, height;            /**< Pixels, 1..16384. 0: 640 and 480. */
	uint32_t samples;                  /**< Samples for each pixel, 1..64, rounded up to a square. 0: 4. */
	float background[3];               /**< Color 0..1 where nothing is hit and no sky is drawn. */

	/* Limits and threads. */
	uint64_t memory_limit;             /**< Create. Bytes for the scene and the renderer together. Decoding an image may
	                                    * briefly use the same amount again. Textures shrink before the limit is
	                                    * reached. 0: bspscene_default_limit. */
	const bspscene_allocator *allocator; /**< Create. Copied. Must be valid until the renderer is freed. Embree and
	                                    * image decoders use malloc. NULL: malloc and free. */
	uint32_t threads;                  /**< 0: one for each processor. */
	bspscene_progress_fn *progress;    /**< Progress of creating a renderer and of drawing a picture. NULL: none. */
	void *progress_user;               /**< Passed to `progress`. */

	/* Content. */
	bspscene_render_mode mode;         /**< What the picture shows. */
	bool world_only;                   /**< Create. Leave out entities, with their brushes and models. Static props
	                                    * stay. */
	bool transparent_sky;              /**< Show the background instead of skies. Pictures from above need this. */
	bool omit_map_fog;                 /**< Leave out the fog over the whole map. Fog volumes stay. */
	bool show_back_faces;              /**< Draw back faces too, so that pictures from above show ceilings as roofs. */
	bool use_pvs;                      /**< Leave out what the map's visibility data (PVS) calls invisible from the eye,
	                                    * as the game does. */
	uint32_t level;                    /**< Create. Show one level, from 1 on (bspscene_node.levels). 0: all. */
	float time;                        /**< Seconds since the map started, for waves and animations. Items that turn and
	                                    * bob keep the position of the time with which the renderer was created. If that
	                                    * time is 0, it is their position in the scene. */

	/* Light. */
	float intensity;                   /**< Replaces the intensity of lightmap sets. 0: keep theirs. */
	const float *light_styles;         /**< 256 factors. A negative one means the brightness when the map starts. NULL:
	                                    * all do. */
} bspscene_render_options;

static inline void bspscene_render_options_init(bspscene_render_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** A scene prepared for pictures, with decoded textures and a ray tracing structure. */
typedef struct bspscene_renderer bspscene_renderer;

/** Creates a renderer. The scene must outlive it. `options` and `error` may be NULL. Returns a renderer to be freed
 * with bspscene_renderer_free, or NULL with `error` set. */
BSPSCENE_API bspscene_renderer *bspscene_renderer_create(const bspscene_scene *scene,
                                                         const bspscene_render_options *options,
                                                         bspscene_error *error);

/** Frees a renderer. NULL does nothing. */
BSPSCENE_API void bspscene_renderer_free(bspscene_renderer *renderer);

/** True if the map shows neither light nor a texture. Its pictures are then shaded by normals, in a soft sky light that
 * is not the game's. */
BSPSCENE_API bool bspscene_renderer_is_bare(const bspscene_renderer *renderer);

/** Draws a picture into `rgb`, which the caller allocates: 3 * width * height bytes, top row first. A renderer draws
 * one picture at a time. `options` (NULL: 640 x 480 pixels) and `error` may be NULL. Returns false with `error` set on
 * failure. */
BSPSCENE_API bool bspscene_render(const bspscene_renderer *renderer, const bspscene_view *view,
                                  const bspscene_render_options *options, uint8_t *rgb, bspscene_error *error);

/** Measures distances instead of drawing colors. The caller allocates `distances`: width * height floats, in game
 * units, top row first.
 *
 * Each is the distance from the eye to the first solid surface at the middle of the pixel. Blended and alpha-tested
 * surfaces are transparent. INFINITY: the ray meets only sky or nothing. */
BSPSCENE_API bool bspscene_render_distances(const bspscene_renderer *renderer, const bspscene_view *view,
                                            const bspscene_render_options *options, float *distances,
                                            bspscene_error *error);

/* ---- Views ------------------------------------------------------------------------------------------------ */

/** Returns the view that players see first: that of bspscene_start_camera. If the map has no such camera, returns
 * bspscene_view_overview for a picture of width * height pixels. */
BSPSCENE_API bspscene_view bspscene_view_start(const bspscene_scene *scene, uint32_t width, uint32_t height);

/** Returns the view of camera `index` of the scene, which must be less than camera_count. A map may have no camera:
 * see bspscene_view_start. */
BSPSCENE_API bspscene_view bspscene_view_of_camera(const bspscene_scene *scene, uint32_t index);

/** Finds entity `number` (from 0) of a class. The view is that of the entity's camera or, if it has none, its origin
 * and angles. Returns false if the class has fewer entities. */
BSPSCENE_API bool bspscene_view_of_entity(const bspscene_scene *scene, const char *classname, uint32_t number,
                                          bspscene_view *out);

/** Returns a view of the map from high above its south-west corner, for a picture of width * height pixels.
 *
 * The frame leaves out what would make the rest small: small parts far away behind empty space, and surroundings that
 * contain no entity. Back faces are not drawn, so that ceilings do not hide rooms. */
BSPSCENE_API bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height);

/** Computes `count` views around the part of the map that bspscene_view_overview shows, in equal steps
 * counter-clockwise. All have the same height and distance, and the part stays in the frame. */
BSPSCENE_API void bspscene_view_turn(const bspscene_scene *scene, uint32_t width, uint32_t height, uint32_t count,
                                     bspscene_view *views);

/** Returns a view from straight above of the part of the map that bspscene_view_overview shows. +Y is upward in the
 * picture. The eye is so far away that vertical lines become points. Sets *units_per_pixel to the number of game units
 * per pixel. */
BSPSCENE_API bspscene_view bspscene_view_plan(const bspscene_scene *scene, uint32_t width, uint32_t height,
                                              float *units_per_pixel);

#ifdef __cplusplus
}
#endif
#endif
