/* shade.h - the color of a hit: material passes in order, blended over the color behind as the engine does. */
#ifndef BSPR_SHADE_H
#define BSPR_SHADE_H

#include <bspscene/render.h>

#include "drawing/sample.h"
#include "drawing/sky_color.h"
#include "drawing/stage.h"
#include "memory.h"
#include "shade/facet.h"
#include "trace.h"

/* For a page, by blocks of luxels: bits of the page sets that are not black there. */
typedef struct bspr_lit_page {
	uint32_t width, height;            /* in blocks */
	uint64_t *sets;                    /* a bit for each of the first 64; NULL: not known */
} bspr_lit_page;

/* Everything a picture is made from; shared by all threads while it is taken. */
struct bspscene_renderer {
	const bspscene_scene *scene;
	bspr_memory memory;
	bspi_mips *textures;               /* by image */
	bspr_instance *instances;
	bspr_surface_class **classes;      /* by instance and section */
	uint32_t instance_count, skybox_first; /* instances of the 3D skybox follow the world's */
	bool deforms;                      /* something has to be made for each picture: see moment.h */
	bool bare;                         /* see bspscene_renderer_is_bare */
	uint32_t sky_material;             /* the first that has a sky, or BSPSCENE_NO_INDEX */
	bool open_sky;                     /* no surface shows the map's sky: it is where rays leave the map */
	bool *styled;                      /* by material: its stages name their light styles themselves */
	bspr_lit_page *lit_pages;          /* by page; NULL: there is one set at most */
	float *displays;                   /* of half floats: see sample.h; NULL when no page has any */
	bspr_tracer *tracer, *skybox;      /* skybox is NULL when the map has none */
	uint64_t rays;
	bool canceled;                     /* while it was made */
};

/* A hit triangle seen along a ray: weights of its corners and how they change from pixel to pixel. */
typedef struct bspr_surface {
	const bspr_facet *facet;           /* of neighbors it is the same */
	const bspr_instance *instance;
	const bspscene_section *section;
	const bspscene_material *material;
	const uint32_t *corners;
	const float (*places)[3];          /* of its corners in the world */
	float weights[3], weights_dx[3], weights_dy[3];
	float distance;
	float position[3];
} bspr_surface;

typedef struct bspr_shading {
	const bspscene_renderer *renderer;
	const bspscene_render_options *options;
	const bspscene_view *view;
	float forward[3];
	float limit;                       /* how bright light may be until it meets the texture */
	float light_styles[256];           /* the brightness of each */
	bspi_sky_view sky;
	const bspi_cloud_corners *const *cloud_corners; /* by material, those of skies with clouds; NULL: there are none */
	uint64_t met;                      /* surfaces that this thread's rays met */
	bool too_deep;                     /* one of them met BSPR_MOST_MET */
} bspr_shading;

/* The layers of a material at one point: texels in display space, and the weight of each. */
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
bspr_surface_class bspr_classify(const bspscene_scene *scene, const bspscene_section *section);
void bspr_place(const bspscene_scene *scene, const bspr_instance *instance, const bspr_surface_class *classes);

/* Returns true if nothing that is drawn has light or texture. bare.c */
bool bspr_is_bare(const bspscene_renderer *renderer);

/* Shades points of one section, up to BSPR_PACKET, each over its color; the fourth number of a color is undefined.
 * `depths`, false before, marks points that wrote depth, which hide everything drawn later behind them. */
void bspr_shade(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count, float (*colors)[4],
                bool *depths);
/* For a material with passes, and for one without: shades up to shading->limit. shade_stages.c, shade_simple.c */
void bspr_shade_passes(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count,
                       const bspr_fogs *fogs, float (*colors)[4], bool *depths);
void bspr_shade_simple(const bspr_shading *shading, const bspr_surface *surfaces, uint32_t count,
                       const bspr_fogs *fogs, float (*colors)[4], bool *depths);
/* Returns true if the surface has one color in this picture whatever is behind it, as skies and liquids where Quake
 * shows lightmaps only. */
bool bspr_is_plain(const bspr_shading *shading, const bspr_surface *surface);
/* The same for the sky; `color` is then that color. */
bool bspr_is_sky_plain(const bspr_shading *shading, float color[3]);
/* Looks up the cube map of a pass on the surface; `out` is unchanged without one. cube.c */
void bspr_cube_value(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *surface,
                     float out[4]);

/* Blends the layers of a material. layers.c */
void bspr_blend_layers(const bspscene_material *material, const bspr_layers *layers, float out[3]);
/* Decodes and builds the mipmaps; what is wider or higher than `side` starts at the first level that is not. A picture
 * that cannot be decoded becomes its stand-in. False: out of memory. texture_load.c */
bool bspr_texture_load(const bspscene_allocator *allocator, bspi_mips *texture, const bspscene_image *image,
                       uint32_t side);
void bspr_texture_free(const bspscene_allocator *allocator, bspi_mips *texture);

/* Finds which styles are where on the pages. False: memory is out. light/page_light.c */
bool bspr_find_lit_pages(bspscene_renderer *renderer);
void bspr_free_lit_pages(bspscene_renderer *renderer);
/* Gives a model's instance the light that is on it. False: memory is out. light/model_light.c */
bool bspr_light_model(bspscene_renderer *renderer, bspr_instance *instance);
/* The color of a vertex whose instance has `light`. */
void bspr_light_vertex(const bspr_instance *instance, uint32_t vertex, uint8_t out[4]);

/* How much of the second image there is, by the blend mask's texel and the mesh's weight. detail.c */
float bspr_blend_amount(const bspscene_blend_mask *border, const float mask[4], float weight);
void bspr_cover(const float second[4], float amount, float color[4]);
void bspr_add_light(const float light[3], float color[3]);
void bspr_apply_detail(const bspscene_detail_texture *texture, const float texel[4], float color[4]);
/* Adds the glow of the detail texture to the lit surface. */
void bspr_add_detail_glow(const bspscene_detail_texture *texture, const float texel[4], float color[3]);
/* The lit color goes to what shines of the texture's by `part`. */
void bspr_shine(const bspscene_emission_mask *own, const float texture[3], const float part[3], float color[3]);

/* The map's own fog: its share of what is seen at a point of the surface, and of the sky; 0 without one. fog.c */
float bspr_map_fog_share(const bspr_shading *shading, const bspr_surface *surface);
/* Draws the fog over an opaque color. */
void bspr_map_fog_over(const bspr_shading *shading, float share, float color[3]);
/* Changes what a pass puts into the picture to what it puts there through the fog. */
void bspr_map_fog_pass(const bspr_shading *shading, bspscene_blend src, bspscene_blend dst, float share,
                       float value[4]);

/* A fog volume, where there is one and this picture shows it, else NULL. fog.c */
const bspscene_fog *bspr_find_fog(const bspr_shading *shading, uint32_t index);
const float *bspr_fog_color(const bspr_shading *shading, const bspscene_fog *fog);
/* How much of its color is on a point of a surface (0..1), seen from the eye. */
float bspr_fog_factor(const bspr_shading *shading, const bspscene_fog *fog, const bspr_surface *surface);

#endif
