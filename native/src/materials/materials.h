/* materials.h - the interface between a family's texture names and flags and the neutral material of the public scene.
 *
 * A material format (shader scripts, VMT, texture names) is one file in materials/ with a bspi_material_rules, and a
 * row in map/material_formats.def by which a family's bspi_rules select it. stages/material.c calls it once for every
 * texture that faces use. It builds materials by the functions below, which find images, keep each file once and grow
 * the scene's arrays. */
#ifndef BSPI_MATERIALS_H
#define BSPI_MATERIALS_H

#include <bspscene/image.h>
#include <bspscene/material.h>

#include "materials/shader_light.h"

/* Limits for the work of hostile scripts. Engines stop at 2048 to 8192 images and 8 stages. */
#define BSPI_MAX_IMAGES 16384u
#define BSPI_MAX_STAGES 16u
#define BSPI_MAX_FRAMES 64u
#define BSPI_MAX_LIGHT_STAGES 4096u

typedef struct bspi_image_name bspi_image_name;

/* A stage that shows stored luxels. q3map2 writes them for light styles and custom sizes (see bspi_picture_page). */
typedef struct bspi_light_pass {
	uint32_t stage;                    /* index in the stages */
	const char *picture;               /* file name of the picture; NULL: the surface's own page */
	float offset[2];                   /* added to the stored lightmap uv */
	uint32_t style;
} bspi_light_pass;

/* Collects the materials of a map. Arrays grow in the scratch arena; the stage copies them into the scene. */
typedef struct bspi_materials {
	bspi_ctx *ctx;
	const bspi_map *map;
	const bspi_texture *textures; uint32_t texture_count; /* the map's, then those that stages added */
	const int32_t *face_textures;      /* per face: index in `textures`; NULL: as in the map */
	uint32_t *texture_materials;       /* per texture: its material; BSPSCENE_NO_INDEX: unused */
	uint32_t progress_total;           /* textures to make, including those of models and the time for scripts */
	const bspscene_scene *scene;       /* its entities are complete */
	void *state;                       /* private data of the rules, made by `begin` */
	bspscene_image *images; uint32_t image_count, image_capacity;
	bspscene_material_pass *stages; uint32_t stage_count, stage_capacity;
	uint32_t *frames; uint32_t frame_count, frame_capacity;
	bspi_light_pass *light_stages; uint32_t light_stage_count, light_stage_capacity;
	bool mirrors_nearest;              /* some material reflects the nearest cube map */
	uint32_t *cube_faces; /* per cube map of the map: index of the first of its sides in the list of frames, or
	                       * NO_INDEX; NULL: not loaded */
	bspi_image_name *image_names; uint32_t image_name_count, image_name_capacity; /* sorted */
} bspi_materials;

/* Returns the texture of a face. */
static inline uint32_t bspi_shown_texture(const bspi_materials *m, uint32_t face)
{
	return (uint32_t)(m->face_textures ? m->face_textures[face] : m->map->faces[face].texture);
}

typedef struct bspi_material_rules {
	/* Prepares what all textures share (an index of scripts, open WADs). NULL: nothing. */
	bool (*begin)(bspi_materials *materials, const struct bspi_material_rules *rules);
	/* Fills a material that bspi_material_init has set up from the texture. */
	bool (*make)(bspi_materials *materials, const struct bspi_material_rules *rules, const bspi_texture *texture,
	             bspscene_material *out);
	const void *data;                  /* differs between games that share the functions */
	bool names_models;                 /* `make` understands the material names in models; else these are names of
	                                    * images */
	/* `make` also accepts textures of other maps, for models that are maps (boxes in Quake and GoldSrc) */
	bool takes_foreign;
	/* Changes the palette of a model's own images as the engine does (BSPI_PALETTE_SIZE bytes). NULL: not changed. */
	void (*adapt_palette)(uint8_t *palette);
	/* Adds properties to a material whose base_image is a model's own picture. NULL: none. */
	bool (*dress_model)(bspi_materials *materials, bspscene_material *out);
	bool reads_scripts;                /* `begin` reads all scripts of the game */
} bspi_material_rules;

#define BSPI_MATERIALS(word, name) extern const bspi_material_rules bspi_material_rules_##name;
#include "map/material_formats.def"
#undef BSPI_MATERIALS

/* Returns the material rules of the map, or NULL. materials/material_formats.c */
const bspi_material_rules *bspi_material_rules_of(const bspi_map *map);

/* Sets a lit, opaque material with the texture's name and flags. */
bool bspi_material_init(bspi_ctx *ctx, const bspi_texture *texture, bspscene_material *out);
/* Sets what all skies have: unlit, and excluded by default. */
void bspi_make_sky(bspscene_material *out);
/* Adds an empty sky to the material. NULL if memory is out. */
bspscene_sky *bspi_add_sky(bspi_ctx *ctx, bspscene_material *out);

/* Finds an image like engines do: the extension in `name` first, then all known ones in order of preference. Names of
 * the same file give the same image. If there is none, *index is an image with format MISSING, and a warning with the
 * name, the words `what` and the tried extensions is counted. With BSPSCENE_TEXTURES_NONE *index is NO_INDEX.
 * materials/images_by_name.c */
bool bspi_find_image(bspi_materials *materials, const char *name, const char *what, uint32_t *index);
/* Finds an optional image like bspi_find_image: NO_INDEX without a warning if there is none. */
bool bspi_try_image(bspi_materials *materials, const char *name, uint32_t *index);
/* Finds another frame of an image's file (VTF). The frame must exist; frame 0 is the image itself. */
bool bspi_find_frame(bspi_materials *materials, uint32_t image, uint32_t frame, uint32_t *index);
/* Finds an optional normal map; NO_INDEX if the load option skip_normal_maps is set. */
bool bspi_try_normal_map(bspi_materials *materials, const char *name, uint32_t *index);
/* Adds the six faces of an image's file to the list of frames; *first_frame is NO_INDEX if it is no cube map. */
bool bspi_add_cube(bspi_materials *materials, uint32_t image, uint32_t *first_frame);
/* Adds an image whose bytes are in the map. `data` must live as long as the scene. */
bool bspi_add_image(bspi_materials *materials, const bspscene_image *image, uint32_t *index);

/* Find or add an image generated from the game's own. Pixels are copied; `name` must live as long as the scene.
 * materials/made_pictures.c */
bool bspi_find_made_picture(const bspi_materials *materials, const char *name, uint32_t *index);
bool bspi_add_made_picture(bspi_materials *materials, const char *name, const bspscene_pixels *picture,
                           uint32_t *index);
/* Decodes an image to generate another one. Free the pixels by bspi_pixels_give. Only false if the budget is
 * exceeded. */
bool bspi_decode_for_making(bspi_materials *materials, uint32_t image, bspscene_pixels *out, bool *decoded);

bool bspi_add_pass(bspi_materials *materials, const bspscene_material_pass *stage);
bool bspi_add_frame(bspi_materials *materials, uint32_t image);
bool bspi_add_light_stage(bspi_materials *materials, const bspi_light_pass *stage);
/* Returns the most common stage: opaque, writes depth, uses texture coordinates. */
bspscene_material_pass bspi_plain_pass(bspscene_pass_input source);

/* Applies the render mode of the entity that owns the texture's model; mode 4 cuts out "{" textures and is otherwise
 * solid (GoldSrc, Nightfire). False if a color is shown instead of the texture.
 * materials/indexed/goldsrc_materials.c */
bool bspi_apply_render_mode(const bspi_texture *texture, bspscene_material *out);

/* Suffixes of the six images of a sky box, in the order of bspscene_sky's `box`. sky_box.c */
extern const char *const bspi_box_suffixes[6];
/* Makes a sky box of six files `folder`NAME with the suffixes rt, bk, lf, ft, up, dn, where NAME is worldspawn's `key`,
 * else `otherwise` (NULL: no box): Quake II, GoldSrc. Missing sides stay NO_INDEX. materials/sky_box.c */
bool bspi_make_sky_box(bspi_materials *materials, const char *folder, const char *key, const char *otherwise,
                       bspscene_material *out);
/* Worldspawn's value of a key, or NULL. materials/sky_box.c */
const char *bspi_worldspawn_value(const bspi_materials *materials, const char *key);

/* Summarizes the material's stages as one texture, for glTF, Assimp and simple viewers. `hint` is a name that the best
 * image may have (an editor image), or NULL. materials/reading.c */
void bspi_read_as_one_texture(const bspi_materials *materials, const char *hint, bspscene_material *material);
/* True if the stage shows a box of six images. materials/reading.c */
bool bspi_is_cube(const bspscene_material_pass *stage);
/* Returns a wave's value at `time` seconds. Noise gives its base. */
float bspi_wave_value(const bspscene_wave *wave, float time);

/* Turns light stages into slots of the faces that use their materials, and reads the pictures. light_passes.c */
bool bspi_place_light_passes(bspi_materials *materials, const bspscene_material *all, bspi_shader_light *out);

/* Sets the fallback color of every image, and gives skies without images generated ones. `materials` are those of the
 * map's textures. materials/stand_ins.c */
bool bspi_make_fallbacks(bspi_materials *materials, bspscene_material *all, uint32_t count);

/* Adds the images of the map's cube maps as cube_faces, if a material reflects the nearest one. vmt/vmt_reflection.c */
bool bspi_find_map_cubes(bspi_materials *materials);

#endif
