/* indexed.h - makes RGBA images from pictures with 8-bit palette indices (miptexes and WAL files). */
#ifndef BSPI_INDEXED_H
#define BSPI_INDEXED_H

#include "materials/materials.h"

#define BSPI_PALETTE_SIZE 768

/* The uvs of liquids are divided by 64, because liquids repeat every 64 texels. The size of their picture does not
 * matter (Quake gl_warp.c EmitWaterPolys; Quake II and Xash do the same). */
#define BSPI_LIQUID_SIZE 64

/* How palette indices become pixels. A texture may give up to three images: of all texels, of those that do not glow,
 * and of those that glow. */
typedef struct bspi_index_rule {
	int32_t transparent;               /* texels with this index are transparent; -1: none are */
	uint32_t first_glowing;            /* texels with this index or a larger one glow; 256: none glow */
	bool glowing, others;              /* keep the texels that glow; keep the others; texels that are not kept become
	                                    * black */
	bool keeps_black;                  /* transparent texels stay black; false: they get the color of their neighbors */
} bspi_index_rule;

/* LibreQuake's palette, which is used if the game's palette is missing. librequake_palette.c */
extern const uint8_t bspi_librequake_palette[BSPI_PALETTE_SIZE];
/* The palette to use if the right one is missing. */
typedef struct bspi_fallback_palette {
	const uint8_t *colors;             /* BSPI_PALETTE_SIZE bytes; NULL: a gray ramp */
	const char *words;                 /* describes textures with this palette in the warning, such as "gray" */
} bspi_fallback_palette;

/* Finds the palette of the family. The caller's palette counts first. The next choice is the last 768 bytes of the
 * game's file at `path` (a .lmp or a .pcx). Otherwise uses the fallback, and counts a warning. `out` has
 * BSPI_PALETTE_SIZE bytes. */
bool bspi_find_palette(bspi_ctx *ctx, const char *path, const bspi_fallback_palette *stand_in, uint8_t *out);

/* Returns Quake's palette, for models that have none. If the map's materials use it, this is the palette that they use;
 * otherwise it is the game's. quake_materials.c */
bool bspi_game_palette(bspi_materials *materials, uint8_t out[BSPI_PALETTE_SIZE]);

/* Adds an RGBA image of a rectangle of indices, which have `row` bytes from one line to the next. Indices beyond the
 * end of `palette` become black. */
bool bspi_add_indexed_image(bspi_materials *materials, const char *name, const uint8_t *indices, size_t row,
                            uint32_t width, uint32_t height, bspi_bytes palette, bspi_index_rule rule, uint32_t *index);
/* True if any index is `first` or larger. */
bool bspi_any_index_from(const uint8_t *indices, size_t count, uint32_t first);

/* Adds the stages that most games with palettes need: the image, light, and glow. `frames` are the images of an
 * animation, or a single image. `glow` may be NO_INDEX. `lit` is false for liquids and skies. */
bool bspi_add_lit_passes(bspi_materials *materials, const uint32_t *frames, uint32_t frame_count,
                         float frames_per_second, uint32_t glow, bool lit, bspscene_material *material);

/* Surface flags of Quake II and games based on it. */
enum {
	BSPI_SURF_SKY = 0x4,
	BSPI_SURF_WARP = 0x8,
	BSPI_SURF_TRANS33 = 0x10,
	BSPI_SURF_TRANS66 = 0x20,
	BSPI_SURF_FLOWING = 0x40,
	BSPI_SURF_NODRAW = 0x80,
	BSPI_SURF_HINT = 0x100,
	BSPI_SURF_SKIP = 0x200,
	BSPI_SURF_ALPHATEST = 0x2000000
};

/* A texture of the editor that has no flag to mark it. The last part of its name identifies it. */
typedef struct bspi_tool_texture {
	const char *name;
	bspscene_surface_kind include;
} bspi_tool_texture;

/* Sets the kind of surface from the flags of the texture and from the names of `tools`. quake2_surfaces.c */
void bspi_read_quake2_kind(const bspi_texture *texture, const bspi_tool_texture *tools, size_t tool_count,
                           bspscene_material *out);

/* How an engine warps liquids. A wave moves the texture by up to `texels` texels. It has `frequency` radians per
 * texel, and its phase grows by one radian per second. If `pieces` is not 0, the engine cuts liquids into squares of
 * this size in game units. Only their corners are warped, and their centers too if `centered` is true. */
typedef struct bspi_liquid {
	float texels, frequency, pieces, wave_height;
	bool centered;
} bspi_liquid;

typedef struct bspi_texture_light {
	const char *name;
	size_t size; /* length of `name`, which is a part of the entities' text and not terminated */
	float brightness;
	uint32_t number; /* order in the map's entities; of several items with one name, the smallest number counts */
} bspi_texture_light;

/* How brightly textures glow, as entities of the map tell it. Sorted by name. */
typedef struct bspi_texture_lights {
	bspi_texture_light *items;
	uint32_t count;
} bspi_texture_lights;

/* Reads from entities how brightly textures glow. False if memory is out. goldsrc_texlights.c */
bool bspi_list_texture_lights(bspi_materials *materials, bspi_texture_lights *out);
/* Returns how brightly a texture glows; 0: it does not glow. */
float bspi_texture_light_of(const bspi_texture_lights *lights, const char *name);

/* Adds the warp of a liquid to the stages of a material. */
bool bspi_warp_liquid(bspi_materials *materials, const bspi_liquid *liquid, bspscene_material *material);

/* Adds a stage with an image that is blended over the background. If the material is lit, the stage multiplies the
 * image by the light. A separate stage for light would darken the background too. */
bool bspi_add_blended_pass(bspi_materials *materials, uint32_t image, bspscene_material *material);

/* Adds a stage without an image: it blends the material's color over the background, by the alpha of this color. */
bool bspi_add_color_pass(bspi_materials *materials, bspscene_material *material);

/* Lists the frames of an animated texture, which are named "+0name" to "+9name" without a gap. If the texture is not
 * animated, it is the only frame. Returns the number of frames, from 1 to `capacity`. */
uint32_t bspi_find_texture_frames(const bspi_materials *materials, const bspi_texture *texture,
                                  const bspi_texture **frames, uint32_t capacity);

#endif
