/* bake.h - scenes whose light stands still, for hosts that know no light styles, or no lightmaps. */
#ifndef BSPSCENE_BAKE_H
#define BSPSCENE_BAKE_H

#include <bspscene/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Brightness of all 256 light styles when the map starts: light_styles[].start, 1 for those that the map lacks. */
BSPSCENE_API void bspscene_start_styles(const bspscene_scene *scene, float out[256]);

/* What a bake did. */
typedef struct bspscene_bake_report {
	size_t struct_size;                /* see bspscene_bake_report_init */
	uint32_t triangles;                /* of all meshes */
	float light_error;                 /* that was reached: the one asked for, or a larger one for the limit's sake */
	uint32_t triangles_before;
	float usual_error, largest_error;  /* measured at all half luxels of pages afterwards, in display steps: of 999 in
	                                    * 1000 no more than this; of all. 0 where there was nothing to divide */
	uint32_t meshes_for_light;         /* that were added for models in other light */
	float model_light_error;           /* that was reached: the one asked for, or a larger one for the limit's sake */
	float edge_error;                  /* as largest_error, along edges of triangles; but for strips of them that are
	                                    * narrower than a sixteenth of a luxel */
} bspscene_bake_report;

static inline void bspscene_bake_report_init(bspscene_bake_report *report)
{
	memset(report, 0, sizeof *report);
	report->struct_size = sizeof *report;
}

/* Zero is the default for every field; start with bspscene_bake_options_init. */
typedef struct bspscene_bake_options {
	size_t struct_size;                /* see bspscene_bake_options_init */
	bspscene_progress_fn *progress;    /* NULL: none; its stage is "light" */
	void *progress_user;
	uint64_t memory_limit;             /* bytes that both scenes hold together; 0: bspscene_default_limit */
	const float *light_styles;         /* 256 factors; NULL: bspscene_start_styles. Not for pages of format RAW32, which
	                                    * cannot be added up and stay as they are without */
	bool vertices;                     /* puts all light into the vertices; see below */
	float light_error;                 /* display steps (of 255) by which light between vertices may differ from the
	                                    * game's, 1..255; 0: 14 */
	uint32_t triangle_limit;           /* meshes are divided into no more triangles, all together; the error grows
	                                    * until that holds. 0: 16 times as many as there are, 1,000,000 at least, but
	                                    * no more than fit into memory_limit */
	bool clamp_to_white;                /* no light is brighter than 1: for hosts that cannot store it (glTF) */
	bspscene_bake_report *report;      /* NULL: none */
	const bspscene_allocator *allocator; /* NULL: malloc and free. Copied, and needed until the new scene is freed */
	uint32_t threads;                  /* as in bspscene_load_options; so is `parallel` */
	const bspscene_thread_pool *thread_pool;
	float model_light_error;           /* display steps by which light on a model may differ from that of its mesh,
	                                    * 0..255; 0: by any. See below */
	bool keep_styles;                  /* nothing is added up, and `light_styles` not read; not with `vertices` */
} bspscene_bake_options;

static inline void bspscene_bake_options_init(bspscene_bake_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* The scene as a game shows it at one moment: of each kind of pages one set, the sum of all styles (directions: those
 * of style 0); vertex colours likewise, without color_sets; faces that name style 0 alone; light_styles[].start says
 * what was added up. The writers do it by themselves.
 *
 * With `vertices`, meshes have `light`, sections with lightmaps are lit by their vertices, and there are no pages
 * or lightmap_uvs any more. Faces are divided anew where light that hosts interpolate between their corners is not the
 * game's: of all half luxels of pages, 999 in 1000 are as near as light_error says. All triangles at an edge between
 * faces, whatever their material, are divided there alike, so that nothing opens that was closed. Faces, sections and
 * triangle_tags stay true.
 *
 * With `model_light_error`, a node whose model is lit otherwise than its mesh, which has the mean of the light on all
 * nodes that show it, shows a mesh of its own, or one that it shares with nodes of nearly the same light: its name ends
 * in ":light1" and so on. No more triangles are added than there are, or 250,000; with `triangle_limit` no more than
 * half of what it leaves: the error grows until that holds.
 *
 * Returns a new scene to be freed with bspscene_scene_free, which points into `scene` wherever nothing changed: free it
 * first. `options` and `error` may be NULL. NULL: no memory, a limit, cancelled or bad options. */
BSPSCENE_API bspscene_scene *bspscene_bake_light(const bspscene_scene *scene, const bspscene_bake_options *options,
                                                 bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
