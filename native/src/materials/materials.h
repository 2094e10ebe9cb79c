/* materials.h - the seam between a family's names and flags and the neutral material of the public scene.
 *
 * A format of materials (shader scripts, VMT, texture names) is one file in materials/ with a bspi_material_rules in
 * it and a row in map/material_formats.def, by which a family's bspi_rules ask for it. stages/material.c calls it once
 * for every texture that faces use. What it makes goes through the functions below: they find images, keep each file
 * once and grow the scene's arrays. */
#ifndef BSPI_MATERIALS_H
#define BSPI_MATERIALS_H

#include <bspscene/image.h>

#include "map/map.h"

/* Engines stop at 2048 to 8192 images and 8 stages; the bounds keep a hostile script's work small. */
#define BSPI_MAX_IMAGES 16384u
#define BSPI_MAX_STAGES 16u
#define BSPI_MAX_FRAMES 64u
#define BSPI_MAX_LIGHT_STAGES 4096u

typedef struct bspi_image_name bspi_image_name;

/* A stored light page that comes as a picture, not as a part of the map's `lighting`: q3map2 routes luxels of custom
 * sizes and of light styles through shaders that it generates (stages with `map maps/<map>/lm_0003.tga`, `tcGen
 * lightmap`; docs/formats/quake3.md, "External lightmaps and directions"). */
typedef struct bspi_picture_page {
	uint32_t width, height;
	const uint8_t *rgb;                /* top row first */
	float overbright;                  /* display light = byte * this: 1, because the engine takes it for a texture */
	const char *path;                  /* the game path that it was found at */
	bspi_bytes file;                   /* as it was found */
} bspi_picture_page;

/* The pages of a face's slots and their light styles, as in bspi_face. */
typedef struct bspi_face_pages {
	int32_t pages[BSPI_MAX_STYLES];    /* also BSPI_FIRST_PICTURE_PAGE + i */
	uint8_t styles[BSPI_MAX_STYLES];
} bspi_face_pages;

/* The light that shaders show, in the slots that Raven's formats have in the file. */
typedef struct bspi_shader_light {
	const bspi_picture_page *pictures; uint32_t picture_count;
	bspi_face_pages *faces;            /* parallel to the map's; NULL: no shader shows stored light */
	float (*uvs)[BSPI_MAX_STYLES][2];  /* of the slots, parallel to draw_vertices; NULL as `faces` is */
} bspi_shader_light;

/* The uvs of a draw vertex on the pages of its slots, as the map has them; 0 of slots that it has not. */
static inline void bspi_copy_slot_uvs(const bspi_map *map, uint32_t vertex, float out[BSPI_MAX_STYLES][2])
{
	memset(out, 0, BSPI_MAX_STYLES * sizeof *out);
	memcpy(out[0], map->draw_vertices[vertex].lightmap, sizeof *out);
	if (vertex >= map->draw_vertex_styles_count) return;
	memcpy(out[1], map->draw_vertex_styles[vertex].lightmap, (BSPI_MAX_STYLES - 1) * sizeof *out);
}

/* A stage that shows stored luxels: q3map2 writes styled and custom-sized lightmaps so (see bspi_picture_page). */
typedef struct bspi_light_pass {
	uint32_t stage;                    /* into the stages */
	const char *picture;               /* the image's name with an ending, or NULL: the surface's own page */
	float offset[2];                   /* added to the stored lightmap uv */
	uint32_t style;
} bspi_light_pass;

/* What the materials of one map are made into. Arrays grow in scratch; the stage copies them into the scene. */
typedef struct bspi_materials {
	bspi_ctx *ctx;
	const bspi_map *map;
	const bspi_texture *textures; uint32_t texture_count; /* the map's, then those that stages added */
	const int32_t *face_textures;      /* into these, by face; NULL: as the map says */
	uint32_t *texture_materials;       /* what becomes of them; BSPSCENE_NO_INDEX: nothing shows it */
	const bspscene_scene *scene;       /* its entities are there already */
	void *state;                       /* the rules' own, made by their `begin` */
	bspscene_image *images; uint32_t image_count, image_capacity;
	bspscene_material_pass *stages; uint32_t stage_count, stage_capacity;
	uint32_t *frames; uint32_t frame_count, frame_capacity;
	bspi_light_pass *light_stages; uint32_t light_stage_count, light_stage_capacity;
	bool mirrors_nearest;              /* some material reflects the nearest cube map */
	uint32_t *cube_faces;              /* of each of the map's cube maps, or BSPSCENE_NO_INDEX; NULL: nobody asks */
	bspi_image_name *image_names; uint32_t image_name_count, image_name_capacity; /* sorted */
} bspi_materials;

/* The texture of a face. */
static inline uint32_t bspi_shown_texture(const bspi_materials *m, uint32_t face)
{
	return (uint32_t)(m->face_textures ? m->face_textures[face] : m->map->faces[face].texture);
}

typedef struct bspi_material_rules {
	/* Prepares what all textures share (an index of scripts, opened WADs). NULL: nothing to prepare. */
	bool (*begin)(bspi_materials *materials, const struct bspi_material_rules *rules);
	/* Fills a material that bspi_material_init has set up from the texture. */
	bool (*make)(bspi_materials *materials, const struct bspi_material_rules *rules, const bspi_texture *texture,
	             bspscene_material *out);
	const void *data;                  /* what differs between games that share the two functions */
	bool names_models;                 /* `make` understands what models call their materials, else they are
	                                    * pictures */
	bool takes_foreign;                /* `make` takes textures of other maps too, for boxes that are such (Quake,
	                                    * GoldSrc) */
	/* What the engine makes of the colors of models' own pictures (BSPI_PALETTE_SIZE bytes). NULL: nothing. */
	void (*adapt_palette)(uint8_t *palette);
	/* What a model's own picture, which is base_image, tells besides. NULL: nothing. */
	bool (*dress_model)(bspi_materials *materials, bspscene_material *out);
	bool reads_scripts;                /* of the whole game, in `begin` */
} bspi_material_rules;

#define BSPI_MATERIALS(word, name) extern const bspi_material_rules bspi_material_rules_##name;
#include "map/material_formats.def"
#undef BSPI_MATERIALS

/* What the map's rules ask for, or NULL. materials/material_formats.c */
const bspi_material_rules *bspi_material_rules_of(const bspi_map *map);

/* A plain, lit, opaque material of the texture's name and flags. */
bool bspi_material_init(bspi_ctx *ctx, const bspi_texture *texture, bspscene_material *out);
/* Makes it what skies are: unlit, and left out unless somebody asks for them. */
void bspi_make_sky(bspscene_material *out);
/* Gives it a sky without anything in it. NULL: memory is out. */
bspscene_sky *bspi_add_sky(bspi_ctx *ctx, bspscene_material *out);

/* Finds an image as engines do: a known ending in `name` is tried first, then all of them in their order of preference.
 * Names that lead to one file give one image. When there is none, *index is an image with the format MISSING, and the
 * name, the words `what` and the endings that were tried are counted as a warning. With BSPSCENE_TEXTURES_NONE *index
 * is NO_INDEX. materials/images_by_name.c */
bool bspi_find_image(bspi_materials *materials, const char *name, const char *what, uint32_t *index);
/* The same for images that need not exist: NO_INDEX and no warning when there is none. */
bool bspi_try_image(bspi_materials *materials, const char *name, uint32_t *index);
/* Another frame of an image's file (VTF), which has it: the image itself for frame 0. */
bool bspi_find_frame(bspi_materials *materials, uint32_t image, uint32_t frame, uint32_t *index);
/* The same for normal maps, which are left out with options.no_normal_maps. */
bool bspi_try_normal_map(bspi_materials *materials, const char *name, uint32_t *index);
/* The six faces of an image's file, behind each other in the list of frames; *first_frame is NO_INDEX where it is no
 * cube map. */
bool bspi_add_cube(bspi_materials *materials, uint32_t image, uint32_t *first_frame);
/* An image whose bytes the map itself holds. `data` lives as long as the scene. */
bool bspi_add_image(bspi_materials *materials, const bspscene_image *image, uint32_t *index);

/* Pictures made of the game's own: whether one of the name is there, and a new one of a copy of the pixels. `name`
 * lives as long as the scene. materials/made_pictures.c */
bool bspi_find_made_picture(const bspi_materials *materials, const char *name, uint32_t *index);
bool bspi_add_made_picture(bspi_materials *materials, const char *name, const bspscene_pixels *picture,
                           uint32_t *index);
/* The pixels to make one of, until bspi_pixels_give. False only when the load's budget is at its end. */
bool bspi_decode_for_making(bspi_materials *materials, uint32_t image, bspscene_pixels *out, bool *decoded);

bool bspi_add_pass(bspi_materials *materials, const bspscene_material_pass *stage);
bool bspi_add_frame(bspi_materials *materials, uint32_t image);
bool bspi_add_light_stage(bspi_materials *materials, const bspi_light_pass *stage);
/* The stage most materials are made of: opaque, writing depth, texture coordinates. */
bspscene_material_pass bspi_plain_pass(bspscene_pass_input source);

/* How the entity that owns the texture's model blends it; mode 4 cuts "{" out and is otherwise solid: GoldSrc and
 * Nightfire. False when it shows its color instead of the texture. materials/goldsrc_materials.c */
bool bspi_apply_render_mode(const bspi_texture *texture, bspscene_material *out);

/* A box of six files named after worldspawn's `key` (`otherwise` without it; NULL: no box), each `folder`NAME with rt,
 * bk, lf, ft, up, dn behind: Quake II, GoldSrc. Sides that are missing stay NO_INDEX. materials/sky_box.c */
bool bspi_make_sky_box(bspi_materials *materials, const char *folder, const char *key, const char *otherwise,
                       bspscene_material *out);
/* Worldspawn's value of a key, or NULL. materials/sky_box.c */
const char *bspi_worldspawn_value(const bspi_materials *materials, const char *key);

/* The material's stages as one texture, for glTF, Assimp and simple viewers. `hint` is a name that the best image may
 * bear (an editor image), or NULL. materials/reading.c */
void bspi_read_as_one_texture(const bspi_materials *materials, const char *hint, bspscene_material *material);
/* Does the stage show a box of six pictures? materials/reading.c */
bool bspi_is_cube(const bspscene_material_pass *stage);
/* A wave's value at `time` seconds. Noise is its base. */
float bspi_wave_value(const bspscene_wave *wave, float time);

/* Turns the light stages into slots of the faces that use their materials, reading the pictures. light_passes.c */
bool bspi_place_light_passes(bspi_materials *materials, const bspscene_material *all, bspi_shader_light *out);

/* Says of every image what is shown for want of it, and gives skies without pictures plain ones. `materials` are those
 * made of the map's textures. materials/stand_ins.c */
bool bspi_make_fallbacks(bspi_materials *materials, bspscene_material *all, uint32_t count);

/* The pictures of the map's cube maps, as cube_faces, where a material asks for the nearest. vmt/vmt_reflection.c */
bool bspi_find_map_cubes(bspi_materials *materials);

/* Makes room for one more element of `size`; the old copy stays in the scratch arena. */
bool bspi_reserve(bspi_ctx *ctx, void **items, uint32_t count, uint32_t *capacity, size_t size);

#endif
