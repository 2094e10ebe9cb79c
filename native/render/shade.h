/* shade.h - a hit to colour: the surface's stages, drawn over what is behind as the engine draws them. */
#ifndef BSPR_SHADE_H
#define BSPR_SHADE_H

#include <bspscene/render.h>

#include "memory.h"
#include "texture.h"
#include "trace.h"

/* Everything a picture is made from; shared by all threads while it is taken. */
struct bspscene_renderer {
	const bspscene_scene *scene;
	bspr_memory memory;
	bspr_texture *textures;            /* by image */
	bspr_instance *instances;
	bspr_surface_class **classes;      /* by instance and section */
	uint32_t instance_count, skybox_first; /* those of the 3D skybox are behind the world's */
	bool deforms;                      /* something has to be made for each picture: see moment.h */
	bool *styled;                      /* by material: its stages name their light styles themselves */
	bspr_tracer *tracer, *skybox;      /* skybox is NULL when the map has none */
	uint64_t rays;
	bool cancelled;                    /* while it was made */
};

/* One ray of a picture, and the rays one pixel right and down of it for the size of its footprint. */
typedef struct bspr_ray {
	float origin[3], direction[3];
	float dx[3], dy[3];                /* change of direction per pixel */
} bspr_ray;

/* A hit triangle seen along a ray: weights of its corners and how they change from pixel to pixel. */
typedef struct bspr_surface {
	const bspr_instance *instance;
	const bspscene_section *section;
	const bspscene_material *material;
	uint32_t corners[3];
	float weights[3], weights_dx[3], weights_dy[3];
	float distance;
	float position[3];
} bspr_surface;

typedef struct bspr_shading {
	const bspscene_renderer *renderer;
	const bspscene_render_options *options;
	const bspscene_view *view;
	float forward[3];
	float light_styles[256];           /* the brightness of each */
	float sky_box;                     /* half the side of the box that skies are drawn on */
	const struct bspr_sky_cover *sky_covers; /* by fog; NULL: no sky is in one */
	uint64_t met;                      /* surfaces that this thread's rays met */
} bspr_shading;

/* A material's layers at one point: texels in display space, and how much there is of each. */
typedef struct bspr_layers {
	float colors[BSPSCENE_MATERIAL_MAX_LAYERS][4];
	float weights[BSPSCENE_MATERIAL_MAX_LAYERS];
} bspr_layers;

/* How much fog there is on a surface, and whether it is drawn over it as a pass of its own. */
typedef struct bspr_fogs {
	float volume, map;
	bool volume_pass, map_pass;
} bspr_fogs;

/* How a section takes part in the search for what a ray meets, and where an instance's vertices and triangles are, in
 * the arrays that it has for them. scene.c */
bspr_surface_class bspr_classify(const bspscene_scene *scene, const bspscene_section *section, bool without_sky);
void bspr_place(const bspscene_scene *scene, const bspr_instance *instance, const bspr_surface_class *classes);

/* Draws the surface over `color`. Returns whether it wrote depth, so that nothing drawn later shows behind it. */
bool bspr_shade(const bspr_shading *shading, const bspr_surface *surface, float color[3]);
/* Of a material with stages, and of one without: drawn over `color` up to `limit`; returns the same. shade_stages.c,
 * shade_simple.c */
bool bspr_shade_stages(const bspr_shading *shading, const bspr_surface *surface, const bspr_fogs *fogs, float color[3],
                       float limit);
bool bspr_shade_simple(const bspr_shading *shading, const bspr_surface *surface, float haze, float color[3],
                       float limit);
/* Is it white in this picture, as a sky or a liquid is where Quake shows its lightmaps alone? */
bool bspr_is_white(const bspr_shading *shading, const bspr_surface *surface);
/* The sky of a sky material in a direction, over `color`. sky.c */
void bspr_shade_sky(const bspr_shading *shading, const bspscene_material *material, const bspr_ray *ray,
                    float color[3]);

/* The texel of a box's sides in a direction; `out` stays where there is no such picture. sky.c */
void bspr_sample_box(const bspr_shading *shading, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspr_ray *ray,
                     float out[4]);
/* What a stage with a box shows on the surface, the same. cube.c */
void bspr_cube_value(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *surface,
                     float out[4]);

/* Blends one pass, clamping as a frame buffer does. */
void bspr_blend(bspscene_blend src, bspscene_blend dst, const float in[4], float color[3], float limit);
/* What a material's layers look like together. layers.c */
void bspr_blend_layers(const bspscene_material *material, const bspr_layers *layers, float out[3]);
/* Texture coordinates of one point through the stage's modifiers at the picture's time. */
void bspr_modify_uv(const bspscene_stage *stage, float time, const float position[3], float uv[2]);
float bspr_wave(const bspscene_wave *wave, float time);
/* Image number of the stage's frame at the picture's time. */
uint32_t bspr_stage_image(const bspscene_scene *scene, const bspscene_stage *stage, float time);
/* The base or emissive image of a material without stages at that time, or NO_INDEX. stage.c */
uint32_t bspr_base_image(const bspscene_scene *scene, const bspscene_material *material, float time);
uint32_t bspr_glow_image(const bspscene_scene *scene, const bspscene_material *material, float time);

/* Gives a model's instance the light that is on it. False: memory is out. model_light.c */
bool bspr_light_model(bspscene_renderer *renderer, bspr_instance *instance);

/* How much of the second image there is, by the blend mask's texel and the mesh's weight. detail.c */
float bspr_blend_amount(const bspscene_blend_mask *border, const float mask[4], float weight);
void bspr_cover(const float second[4], float amount, float color[4]);
void bspr_add_light(const float light[3], float color[3]);
void bspr_apply_detail(const bspscene_detail_texture *texture, const float texel[4], float color[4]);

/* The map's own fog: its share of what is seen at a point of the surface, and of the sky; 0 without one. fog.c */
float bspr_map_fog_share(const bspr_shading *shading, const bspr_surface *surface);
/* Draws the fog over an opaque colour. */
void bspr_map_fog_over(const bspr_shading *shading, float share, float color[3]);
/* Changes what a pass puts into the picture to what it puts there through the fog. */
void bspr_map_fog_pass(const bspr_shading *shading, bspscene_blend src, bspscene_blend dst, float share,
                       float value[4]);

/* A fog volume, where there is one and this picture shows it, else NULL. fog.c */
const bspscene_fog *bspr_find_fog(const bspr_shading *shading, uint32_t index);
const float *bspr_fog_color(const bspr_shading *shading, const bspscene_fog *fog);
/* How much of its colour is on a point of a surface (0..1), seen from the eye. */
float bspr_fog_factor(const bspr_shading *shading, const bspscene_fog *fog, const bspr_surface *surface);
/* The same in its two steps: a corner's coordinates, and what there is at those interpolated between corners. */
void bspr_fog_coordinates(const bspr_shading *shading, const bspscene_fog *fog, const float position[3], float out[2]);
float bspr_fog_table(const float at[2]);

#endif
