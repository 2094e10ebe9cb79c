/* shade.h - computes the color of hits. Blends the passes of their materials over the background in order, as the
 * engine does. */
#ifndef BSPR_SHADE_H
#define BSPR_SHADE_H

#include <bspscene/render.h>

#include "drawing/sample.h"
#include "drawing/sky_color.h"
#include "drawing/stage.h"
#include "memory.h"
#include "shade/facet.h"
#include "trace.h"

/* For each block of luxels of a page, a bit mask of the lightmap sets that are not black there. */
typedef struct bspr_lit_page {
	uint32_t width, height;            /* size of the page in blocks */
	uint64_t *sets;                    /* for each block, a mask of those of the first 64 sets that have light; NULL:
	                                    * unknown, so all sets are sampled */
} bspr_lit_page;

/* The data that all pictures of a scene need. All threads share it. */
struct bspscene_renderer {
	const bspscene_scene *scene;
	bspr_memory memory;
	bspi_mips *textures;               /* one for each image */
	bspr_instance *instances;
	bspr_surface_class **classes;      /* indexed by instance and section */
	uint32_t instance_count, skybox_first; /* number of instances; index of the first instance of the 3D skybox */
	bool deforms;                      /* true if sections deform, which are then built for each picture (moment.h) */
	bool bare;                         /* see bspscene_renderer_is_bare */
	uint32_t sky_material;             /* the first material with a sky, or BSPSCENE_NO_INDEX */
	bool open_sky;                     /* true if no surface shows the map's sky, which is then drawn where rays leave
	                                    * the map */
	bool *styled;                      /* for each material, true if its passes use light styles */
	bspr_lit_page *lit_pages;          /* one for each page; NULL: there is at most one set */
	float *displays;                   /* table from half floats to display values (sample.h); NULL: no page needs it */
	float linears[256];                /* table from bytes to linear light, set only if the scene has linear_luxels */
	bspr_tracer *tracer, *skybox;      /* ray structures of the world and of the 3D skybox (NULL: there is none) */
	uint64_t rays;
	bool canceled;                     /* the caller canceled creation */
};

/* A point at which a ray hit a triangle: its barycentric weights, and their changes to the pixels at the right and
 * below. */
typedef struct bspr_surface {
	const bspr_facet *facet;           /* the triangle as seen from the eye, shared by neighboring rays */
	const bspr_instance *instance;
	const bspscene_section *section;
	const bspscene_material *material;
	const uint32_t *corners;
	const float (*places)[3];          /* corners in the world */
	float weights[3], weights_dx[3], weights_dy[3];
	float distance;
	float position[3];
} bspr_surface;

typedef struct bspr_shading {
	const bspscene_renderer *renderer;
	const bspscene_render_options *options;
	const bspscene_view *view;
	float forward[3];
	float limit;                       /* the color is clamped to this after each pass: 1 or, if that is larger, the
	                                    * intensity of the lightmaps */
	float light_styles[256];           /* brightness of each light style */
	bspi_sky_view sky;
	const bspi_cloud_corners *const *cloud_corners; /* see cloud_corners of bspr_moment */
	uint64_t met;                      /* number of surfaces that the rays of this thread have met */
	bool too_deep;                     /* true: a ray met BSPR_MOST_MET surfaces, so drawing fails */
} bspr_shading;

/* Texels of a material's layers at a point, in display space, and their weights. */
typedef struct bspr_layers {
	float colors[BSPSCENE_MATERIAL_MAX_LAYERS][4];
	float weights[BSPSCENE_MATERIAL_MAX_LAYERS];
} bspr_layers;

/* Opacity of the fog between the eye and a surface. */
typedef struct bspr_fogs {
	float volume, map;
	bool volume_pass, map_pass;
} bspr_fogs;

/* Returns how rays treat a section. scene.c */
bspr_surface_class bspr_classify(const bspscene_scene *scene, const bspscene_section *section);
/* Changes the transform of an item, so that it has the position and rotation that the game gives it at `time`.
 * item_motion.c */
void bspr_move_item(const bspscene_scene *scene, const bspscene_node *node, float time, float transform[12]);
/* Fills the arrays of an instance with its vertices and the sections of its triangles. scene.c */
void bspr_place(const bspscene_scene *scene, const bspr_instance *instance, const bspr_surface_class *classes);

/* True if no drawn surface has light or a texture. bare.c */
bool bspr_is_bare(const bspscene_renderer *renderer);

/* Shades up to BSPR_PACKET points of one section. Blends each over its color in `colors`; the fourth component of the
 * result is undefined. Sets depths[i], which the caller clears, if point i wrote depth and so hides farther surfaces
 * that are drawn later. */
void bspr_shade(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, float (*colors)[4],
                bool *depths);
/* Two functions that shade materials: one for those with passes, one for those without. They clamp colors to
 * shading->limit. shade_stages.c, shade_simple.c */
void bspr_shade_passes(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count,
                       const bspr_fogs *fogs, float (*colors)[4], bool *depths);
void bspr_shade_simple(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count,
                       const bspr_fogs *fogs, float (*colors)[4], bool *depths);
/* True if this picture shows the surface in one color, as Quake's lightmap view does with skies and liquids. */
bool bspr_is_plain(const bspr_shading *shading, const bspr_surface *surface);
/* True if this picture shows the sky in one color. `color` is then set to it. */
bool bspr_is_sky_plain(const bspr_shading *shading, float color[3]);
/* Samples the cube map of a pass; `out` is not changed if there is none. cube.c */
void bspr_cube_value(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *surface,
                     float out[4]);

/* Blends the layers of a material. layers.c */
void bspr_blend_layers(const bspscene_material *material, const bspr_layers *layers, float out[3]);
/* Decodes an image and makes its mipmaps. Drops levels larger than `side`. If the image cannot be decoded, uses its
 * fallback, which is a color or a checkerboard. False if memory is out. texture_load.c */
bool bspr_texture_load(const bspscene_allocator *allocator, bspi_mips *texture, const bspscene_image *image,
                       uint32_t side);
void bspr_texture_free(const bspscene_allocator *allocator, bspi_mips *texture);

/* Finds which lightmap sets have light in each block of the pages. False if memory is out. light/page_light.c */
bool bspr_find_lit_pages(bspscene_renderer *renderer);
void bspr_free_lit_pages(bspscene_renderer *renderer);
/* Computes the light of a model's instance. False if memory is out. light/model_light.c */
bool bspr_light_model(bspscene_renderer *renderer, bspr_instance *instance);
/* Computes the color of a vertex of an instance whose `light` is set. */
void bspr_light_vertex(const bspr_instance *instance, uint32_t vertex, uint8_t out[4]);

/* Returns the weight of the second image. It depends on the texel `mask` of the blend mask and on the mesh's `weight`.
 * detail.c */
float bspr_blend_amount(const bspscene_blend_mask *border, const float mask[4], float weight);
void bspr_cover(const float second[4], float amount, float color[4]);
void bspr_add_light(const float light[3], float color[3]);
void bspr_apply_detail(const bspscene_detail_texture *texture, const float texel[4], float color[4]);
/* Adds the glow of the detail texture to the lit surface. */
void bspr_add_detail_glow(const bspscene_detail_texture *texture, const float texel[4], float color[3]);
/* Adds the material's emission: interpolates `color`, which is lit, toward the texture's color. part[i] is the weight
 * of the texture in channel i. */
void bspr_shine(const bspscene_emission_mask *own, const float texture[3], const float part[3], float color[3]);

/* Returns the global fog's opacity at a point of the surface or the sky; 0 without fog. fog.c */
float bspr_map_fog_share(const bspr_shading *shading, const bspr_surface *surface);
/* Blends the global fog over an opaque color. */
void bspr_map_fog_over(const bspr_shading *shading, float share, float color[3]);
/* Applies the global fog to the value of a pass, depending on its blend functions. */
void bspr_map_fog_pass(const bspr_shading *shading, bspscene_blend src, bspscene_blend dst, float share,
                       float value[4]);

/* Returns the fog volume `index`. NULL if there is none, or if this picture does not show fog. fog.c */
const bspscene_fog *bspr_find_fog(const bspr_shading *shading, uint32_t index);
const float *bspr_fog_color(const bspr_shading *shading, const bspscene_fog *fog);
/* Returns the opacity (0..1) of the fog volume between the eye and a point of a surface. */
float bspr_fog_factor(const bspr_shading *shading, const bspscene_fog *fog, const bspr_surface *surface);

#endif
