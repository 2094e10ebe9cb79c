/* indexed.h - makes RGBA images of pictures with 8-bit palette indices (miptex, WAL). */
#ifndef BSPI_INDEXED_H
#define BSPI_INDEXED_H

#include "materials/materials.h"

#define BSPI_PALETTE_SIZE 768

/* Liquids repeat every 64 texels, whatever the size of their picture (Quake gl_warp.c EmitWaterPolys; the same in Quake
 * II and Xash), so their uvs are divided by 64. */
#define BSPI_LIQUID_SIZE 64

/* How palette indices become pixels. Up to three images are made of a texture: of all texels, of those that do not
 * glow, or of those that glow. */
typedef struct bspi_index_rule {
	int32_t transparent;               /* this index is transparent; -1: none */
	uint32_t first_glowing;            /* indices from here on glow; 256: none */
	bool glowing, others;              /* which texels are kept, those that glow or the others; texels that are not kept
	                                    * are black */
	bool keeps_black;                  /* transparent texels are black, instead of colored like their neighbors */
} bspi_index_rule;

/* LibreQuake's palette, for maps without the game's. librequake_palette.c */
extern const uint8_t bspi_librequake_palette[BSPI_PALETTE_SIZE];
/* Replaces a missing palette. */
typedef struct bspi_fallback_palette {
	const uint8_t *colors;             /* BSPI_PALETTE_SIZE bytes; NULL: a gray ramp */
	const char *words;                 /* describes the result in the warning: "gray" */
} bspi_fallback_palette;

/* Finds the family's palette: the caller's, else the game's at `path` (its last 768 bytes: a .lmp or a .pcx), else the
 * fallback with a counted warning. `out` has BSPI_PALETTE_SIZE bytes. */
bool bspi_find_palette(bspi_ctx *ctx, const char *path, const bspi_fallback_palette *stand_in, uint8_t *out);

/* Returns Quake's palette as the map's materials use it, else the game's, for models without one. quake_materials.c */
bool bspi_game_palette(bspi_materials *materials, uint8_t out[BSPI_PALETTE_SIZE]);

/* Adds an RGBA image made of a rectangle of indices with `row` bytes per line. If `palette` has fewer colors, missing
 * ones are black. */
bool bspi_add_indexed_image(bspi_materials *materials, const char *name, const uint8_t *indices, size_t row,
                            uint32_t width, uint32_t height, bspi_bytes palette, bspi_index_rule rule, uint32_t *index);
/* True if any index is `first` or above (glows). */
bool bspi_any_index_from(const uint8_t *indices, size_t count, uint32_t first);

/* Adds the stages that most 8-bit games need: image, light, glow. `glow` may be NO_INDEX; `frames` are one or more
 * animation images. `lit` is false for liquids and skies. */
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

/* A texture of the editor that no flag marks, identified by the last part of its name. */
typedef struct bspi_tool_texture {
	const char *name;
	bspscene_surface_kind include;
} bspi_tool_texture;

/* Sets the material's surface kind by these names and the texture's flags. quake2_surfaces.c */
void bspi_read_quake2_kind(const bspi_texture *texture, const bspi_tool_texture *tools, size_t tool_count,
                           bspscene_material *out);

/* How an engine warps liquids: by `texels`, in waves of `frequency` radians per texel that move one radian per second.
 * With `pieces`, only the corners of squares of this size (and their centers, if `centered`) are warped. */
typedef struct bspi_liquid {
	float texels, frequency, pieces, wave_height;
	bool centered;
} bspi_liquid;

typedef struct bspi_texture_light {
	const char *name;
	size_t size; /* length of the name, which is part of the entities' text */
	float brightness;
	uint32_t number; /* position in the entities; if there are several for a texture, the lowest counts */
} bspi_texture_light;

/* The brightness that the compiler gave to textures, as entities of the map state it; sorted by name. */
typedef struct bspi_texture_lights {
	bspi_texture_light *items;
	uint32_t count;
} bspi_texture_lights;

/* Reads the brightness of textures from entities. False if memory is out. goldsrc_texlights.c */
bool bspi_list_texture_lights(bspi_materials *materials, bspi_texture_lights *out);
/* Returns the brightness of a texture; 0: it does not glow. */
float bspi_texture_light_of(const bspi_texture_lights *lights, const char *name);

/* Adds a warp to the material's stages. */
bool bspi_warp_liquid(bspi_materials *materials, const bspi_liquid *liquid, bspscene_material *material);

/* Adds a stage of an image that is blended over the background. Unless the material is unlit, the image is multiplied
 * by the light first: a separate light stage would darken the background too. */
bool bspi_add_blended_pass(bspi_materials *materials, uint32_t image, bspscene_material *material);

/* Adds a stage without an image, blended: the material's color and opacity. */
bool bspi_add_color_pass(bspi_materials *materials, bspscene_material *material);

/* Lists the frames of an animated texture: "+0name" to "+9name" without a gap. Any other texture is its only frame.
 * Returns the number, from 1 to `capacity`. */
uint32_t bspi_find_texture_frames(const bspi_materials *materials, const bspi_texture *texture,
                                  const bspi_texture **frames, uint32_t capacity);

#endif
