/* materials.h - the interface between the texture names and flags of a family and the neutral materials of the public
 * scene.
 *
 * A material format (such as shader scripts, VMT, or texture names) is a file in materials/ with a bspi_material_rules.
 * It has a row in map/material_formats.def, by which the bspi_rules of a family select it. stages/material.c calls it
 * once for each texture that faces use. It builds materials with the functions below. These find images, keep each file
 * once, and extend the arrays of the scene. */
#ifndef BSPI_MATERIALS_H
#define BSPI_MATERIALS_H

#include <bspscene/image.h>
#include <bspscene/material.h>

#include "materials/shader_light.h"

/* Limits for the work that hostile scripts can cause. Engines allow at most 2048 to 8192 images, and 8 stages. */
#define BSPI_MAX_IMAGES 16384u
#define BSPI_MAX_STAGES 16u
#define BSPI_MAX_FRAMES 64u
#define BSPI_MAX_LIGHT_STAGES 4096u

typedef struct bspi_image_name bspi_image_name;

/* A stage that shows stored luxels. q3map2 writes such stages for light styles and for lightmaps of other sizes (see
 * bspi_picture_page). */
typedef struct bspi_light_pass {
	uint32_t stage;                    /* index in the array of all stages */
	const char *picture;               /* file name of the picture that it shows; NULL: it shows the surface's own
	                                    * page */
	float offset[2];                   /* added to the lightmap uvs that the map stores */
	uint32_t style;
} bspi_light_pass;

/* Collects the materials of a map. The arrays grow in the scratch arena. The stage that makes materials copies them
 * into the scene. */
typedef struct bspi_materials {
	bspi_ctx *ctx;
	const bspi_map *map;
	const bspi_texture *textures; uint32_t texture_count; /* the map's textures, then those that stages added */
	const int32_t *face_textures;      /* for each face: index in `textures`; NULL: those of the map */
	uint32_t *texture_materials;       /* for each texture: its material; BSPSCENE_NO_INDEX: it is not used */
	uint32_t progress_total;           /* total of the progress messages: the number of textures, including those
	                                    * of models; reading all scripts counts as several textures */
	const bspscene_scene *scene;       /* the scene, whose entities are complete */
	void *state;                       /* private data of the rules, which `begin` makes */
	bspscene_image *images; uint32_t image_count, image_capacity;
	bspscene_material_pass *stages; uint32_t stage_count, stage_capacity;
	uint32_t *frames; uint32_t frame_count, frame_capacity;
	bspi_light_pass *light_stages; uint32_t light_stage_count, light_stage_capacity;
	bool mirrors_nearest;              /* true if any material reflects the nearest cube map */
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
	/* Prepares what all textures share, such as an index of scripts or open WADs. NULL: there is nothing to prepare. */
	bool (*begin)(bspi_materials *materials, const struct bspi_material_rules *rules);
	/* Fills in a material, which bspi_material_init has set up from the texture. */
	bool (*make)(bspi_materials *materials, const struct bspi_material_rules *rules, const bspi_texture *texture,
	             bspscene_material *out);
	const void *data;                  /* for games that share these functions: the data in which they differ */
	bool names_models;                 /* true: `make` understands the names of materials in models; false: these are
	                                    * names of images */
	/* `make` also accepts textures of other maps, because some models are maps (boxes in Quake and GoldSrc) */
	bool takes_foreign;
	/* Changes the palette of a model's own images as the engine does. The palette has BSPI_PALETTE_SIZE bytes. NULL: it
	 * is not changed. */
	void (*adapt_palette)(uint8_t *palette);
	/* Adds properties to a material whose base_image is a picture inside of a model. NULL: there are none. */
	bool (*dress_model)(bspi_materials *materials, bspscene_material *out);
	bool reads_scripts;                /* `begin` reads all scripts of the game */
} bspi_material_rules;

#define BSPI_MATERIALS(word, name) extern const bspi_material_rules bspi_material_rules_##name;
#include "map/material_formats.def"
#undef BSPI_MATERIALS

/* Returns the material rules of the map, or NULL. materials/material_formats.c */
const bspi_material_rules *bspi_material_rules_of(const bspi_map *map);

/* Sets up a material that is lit and opaque, with the name and the flags of a texture. */
bool bspi_material_init(bspi_ctx *ctx, const bspi_texture *texture, bspscene_material *out);
/* Sets what all materials of skies have in common: they are unlit and excluded by default. */
void bspi_make_sky(bspscene_material *out);
/* Adds an empty sky to the material. NULL if memory is out. */
bspscene_sky *bspi_add_sky(bspi_ctx *ctx, bspscene_material *out);

/* Finds an image as engines do. Tries the extension in `name` first, then all known extensions in a fixed order. Names
 * that lead to the same file give the same image. If there is no file, *index is an image with the format MISSING. A
 * warning is then counted with the name, the text `what`, and the extensions that were tried. With
 * BSPSCENE_TEXTURES_NONE, *index is NO_INDEX. materials/images_by_name.c */
bool bspi_find_image(bspi_materials *materials, const char *name, const char *what, uint32_t *index);
/* Finds an image that may be missing, like bspi_find_image. If there is none, *index is NO_INDEX, and no warning is
 * counted. */
bool bspi_try_image(bspi_materials *materials, const char *name, uint32_t *index);
/* Finds another frame in the file of an image (VTF). The frame must exist. Frame 0 is the image itself. */
bool bspi_find_frame(bspi_materials *materials, uint32_t image, uint32_t frame, uint32_t *index);
/* Finds a normal map, which may be missing. With the load option skip_normal_maps, *index is NO_INDEX. */
bool bspi_try_normal_map(bspi_materials *materials, const char *name, uint32_t *index);
/* Adds the six faces in the file of an image to the list of frames. If the file is not a cube map, *first_frame is
 * NO_INDEX. */
bool bspi_add_cube(bspi_materials *materials, uint32_t image, uint32_t *first_frame);
/* Adds an image whose bytes are in the map. `data` must live as long as the scene. */
bool bspi_add_image(bspi_materials *materials, const bspscene_image *image, uint32_t *index);

/* Find or add an image that was generated from the game's images. The pixels are copied. `name` must live as long as
 * the scene. materials/made_pictures.c */
bool bspi_find_made_picture(const bspi_materials *materials, const char *name, uint32_t *index);
bool bspi_add_made_picture(bspi_materials *materials, const char *name, const bspscene_pixels *picture,
                           uint32_t *index);
/* Decodes an image, from which another one is to be generated. Free the pixels by bspi_pixels_give. *decoded tells if
 * the image could be decoded. Returns false only if the budget is exceeded. */
bool bspi_decode_for_making(bspi_materials *materials, uint32_t image, bspscene_pixels *out, bool *decoded);

bool bspi_add_pass(bspi_materials *materials, const bspscene_material_pass *stage);
bool bspi_add_frame(bspi_materials *materials, uint32_t image);
bool bspi_add_light_stage(bspi_materials *materials, const bspi_light_pass *stage);
/* Returns a stage of the most common kind: it is opaque, writes depth, and uses texture coordinates. */
bspscene_material_pass bspi_plain_pass(bspscene_pass_input source);

/* Applies the render mode of the entity to whose model this copy of the texture belongs (GoldSrc, Nightfire). Mode 4
 * makes holes in textures with "{", and draws other textures as usual. Returns false if a color is shown instead of the
 * texture. materials/indexed/goldsrc_materials.c */
bool bspi_apply_render_mode(const bspi_texture *texture, bspscene_material *out);

/* The suffixes for the six images of a sky box, in the order of `box` in bspscene_sky. sky_box.c */
extern const char *const bspi_box_suffixes[6];
/* Makes a sky box from six files (Quake II, GoldSrc). Their names are `folder`, then the name of the sky, then rt, bk,
 * lf, ft, up or dn. The name of the sky is the value of worldspawn's `key`, or `otherwise` without this key. If both
 * are missing (NULL), there is no box. Sides whose file is missing stay NO_INDEX. materials/sky_box.c */
bool bspi_make_sky_box(bspi_materials *materials, const char *folder, const char *key, const char *otherwise,
                       bspscene_material *out);
/* Returns the value of one of worldspawn's keys, or NULL. materials/sky_box.c */
const char *bspi_worldspawn_value(const bspi_materials *materials, const char *key);

/* Describes the stages of a material by a single texture, for glTF, Assimp and simple viewers. `hint` is the name
 * of the image that editors show, or NULL. A stage with this image is preferred. materials/reading.c */
void bspi_read_as_one_texture(const bspi_materials *materials, const char *hint, bspscene_material *material);
/* True if the stage shows a box of six images. materials/reading.c */
bool bspi_is_cube(const bspscene_material_pass *stage);
/* Returns the value of a wave at `time` seconds. For noise, this is its base. */
float bspi_wave_value(const bspscene_wave *wave, float time);

/* Converts light stages to style slots of the faces that use their materials. Reads the pictures that the stages show.
 * light_passes.c */
bool bspi_place_light_passes(bspi_materials *materials, const bspscene_material *all, bspi_shader_light *out);

/* Sets the fallback color of every image. Skies without images get generated ones. `materials` are those of the map's
 * textures. materials/stand_ins.c */
bool bspi_make_fallbacks(bspi_materials *materials, bspscene_material *all, uint32_t count);

/* If any material reflects the nearest cube map, adds the images of the map's cube maps as cube_faces.
 * vmt/vmt_reflection.c */
bool bspi_find_map_cubes(bspi_materials *materials);

#endif
