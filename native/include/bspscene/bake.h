/* bake.h - scenes whose light stands still, for hosts that know no light styles, or no lightmaps. */
#ifndef BSPSCENE_BAKE_H
#define BSPSCENE_BAKE_H

#include <bspscene/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Brightness of all 256 light styles when the map starts: light_styles[].start, 1 for those that the map lacks. */
BSPSCENE_API void bspscene_start_styles(const bspscene_scene *scene, float out[256]);

/* Zero is the default for every field; start with bspscene_bake_options_init. */
typedef struct bspscene_bake_options {
	size_t struct_size;                /* see bspscene_bake_options_init */
	bspscene_progress_fn *progress;    /* NULL: none; its stage is "light" */
	void *progress_user;
	uint64_t memory_limit;             /* bytes that both scenes hold together; 0: bspscene_default_limit */
	const float *light_styles;         /* 256 factors; NULL: bspscene_start_styles. Not for pages of format RAW32, which
	                                    * cannot be added up and stay as they are without */
} bspscene_bake_options;

static inline void bspscene_bake_options_init(bspscene_bake_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* The scene as a game shows it at one moment: of each kind of pages one set, the sum of all styles (directions: those
 * of style 0); vertex colours likewise, without color_sets; faces that name style 0 alone; light_styles[].start says
 * what was added up. The writers do it by themselves.
 * Returns a new scene to be freed with bspscene_scene_free, which points into `scene` wherever nothing changed: free it
 * first. `options` and `error` may be NULL. NULL: no memory, a limit, cancelled or bad options. */
BSPSCENE_API bspscene_scene *bspscene_bake_light(const bspscene_scene *scene, const bspscene_bake_options *options,
                                                 bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
