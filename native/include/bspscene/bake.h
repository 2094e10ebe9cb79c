/* bake.h - Scenes with constant light, for hosts without light styles or without lightmaps. */
#ifndef BSPSCENE_BAKE_H
#define BSPSCENE_BAKE_H

#include <bspscene/load.h>
#include <bspscene/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the brightness of all 256 light styles when the map starts. Styles that the map lacks are 1. */
BSPSCENE_API void bspscene_start_styles(const bspscene_scene *scene, float out[256]);

/** What a bake did. Start with bspscene_bake_report_init. Errors are differences of display values in steps of
 * 1/255. */
typedef struct bspscene_bake_report {
	size_t struct_size;                /**< See bspscene_bake_report_init. */
	uint32_t triangles_before;         /**< Triangles of all meshes before subdivision. */
	uint32_t triangles;                /**< Triangles of all meshes after it. */
	float light_error;                 /**< The light_error that was used. Larger than requested if triangle_limit
	                                    * forced it. */
	float usual_error;                 /**< 999 of 1000 errors, measured at all half luxels, are at most this. 0: no
	                                    * mesh had light to move. */
	float largest_error;               /**< The largest error, measured at all half luxels. */
	float edge_error;                  /**< The largest error along triangle edges, without strips narrower than 1/16
	                                    * luxel. */
	uint32_t meshes_for_light;         /**< Meshes that were added for nodes whose light differs (see
	                                    * model_light_error). */
	float model_light_error;           /**< The model_light_error that was used. Larger than requested if it would have
	                                    * added too many triangles. */
} bspscene_bake_report;

static inline void bspscene_bake_report_init(bspscene_bake_report *report)
{
	memset(report, 0, sizeof *report);
	report->struct_size = sizeof *report;
}

/** Options of a bake. Zero is the default of every field. Start with bspscene_bake_options_init. */
typedef struct bspscene_bake_options {
	size_t struct_size;                /**< See bspscene_bake_options_init. */

	/* Light. */
	const float *light_styles;         /**< 256 factors for the light styles. NULL: bspscene_start_styles. Pages of
	                                    * format RAW32 cannot be added: leave NULL, and they are kept. */
	bool keep_styles;                  /**< Keep each style apart and ignore light_styles. Not with `vertices`. */
	bool vertices;                     /**< Move all light into the vertices. See bspscene_bake_light. */
	float light_error;                 /**< With `vertices`: steps of 1/255 by which interpolated light may differ from
	                                    * the game's, 1..255. 0: 14. */
	float model_light_error;           /**< Steps of 1/255 by which the light on a node's model may differ from that of
	                                    * its mesh, 0..255. 0: no bound. See bspscene_bake_light. */
	bool clamp_to_white;               /**< Clamp light to 1, for hosts that cannot store more (glTF). */

	/* Limits and threads. */
	uint32_t triangle_limit;           /**< Upper bound for the triangles of all meshes. If light_error needs more, it
	                                    * is raised until the limit holds. 0: 16 times the present number, at least
	                                    * 1,000,000, as far as memory_limit and the size of the map's file allow. */
	uint64_t memory_limit;             /**< Bytes for both scenes together. 0: bspscene_default_limit. */
	const bspscene_allocator *allocator; /**< Copied. Must be valid until the new scene is freed. NULL: malloc and
	                                    * free. */
	uint32_t threads;                  /**< As in bspscene_load_options. */
	const bspscene_thread_pool *thread_pool; /**< As in bspscene_load_options. */
	bspscene_progress_fn *progress;    /**< Its stage is "light". NULL: none. */
	void *progress_user;               /**< Passed to `progress`. */

	/* Output. */
	bspscene_bake_report *report;      /**< NULL: none. */
} bspscene_bake_options;

static inline void bspscene_bake_options_init(bspscene_bake_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** Makes a scene whose light does not change.
 *
 * The new scene has one lightmap set of each kind: the sum of all styles, or for directions those of style 0. Vertex
 * colors are added in the same way, and faces name style 0 only. The `start` of each light style is the factor that was
 * used. Writers call this function themselves.
 *
 * With `vertices`, all light moves into the vertices:
 * - Meshes have baked_light, sections with lightmaps get LIGHTING_VERTEX, and pages and lightmap_uvs disappear.
 * - Faces are subdivided until 999 of 1000 half luxels are within light_error of the interpolated light.
 * - Triangles at an edge between faces are subdivided alike, so no gaps open.
 * - Faces, sections and triangle_tags stay valid.
 *
 * A mesh that several nodes show has the mean of their light. With `model_light_error`, nodes whose light differs more
 * from it get a further mesh, which nodes in nearly the same light share. Its name ends in ":light1" and so on. This
 * adds at most as many triangles as the scene has, or 250,000 if it has fewer. It also uses at most half of what
 * triangle_limit and memory_limit leave.
 *
 * `options` and `error` may be NULL. Returns a scene to be freed with bspscene_scene_free, or NULL with `error` set.
 * NOTE: the new scene shares data with `scene`. Free the new scene first. */
BSPSCENE_API bspscene_scene *bspscene_bake_light(const bspscene_scene *scene, const bspscene_bake_options *options,
                                                 bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
