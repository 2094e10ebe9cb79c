/* indexed.h - pictures of 8-bit palette indices (miptex, WAL) to images of the scene. */
#ifndef BSPI_INDEXED_H
#define BSPI_INDEXED_H

#include "materials/materials.h"

#define BSPI_PALETTE_SIZE 768

/* Liquids repeat after this many texels, whatever their picture's size (Quake gl_warp.c EmitWaterPolys; Quake II and
 * Xash alike): what their uvs are divided by. */
#define BSPI_LIQUID_SIZE 64

/* How an index becomes a pixel. Several pictures are made of one texture: as it is, without its glowing texels, only
 * those. */
typedef struct bspi_index_rule {
	int32_t transparent;               /* this index is see-through; -1: none */
	uint32_t first_glowing;            /* indices from here on glow; 256: none */
	bool glowing, others;              /* which of the two are shown; the rest is black */
	bool keeps_black;                  /* what is see-through is black, not as its neighbors are */
} bspi_index_rule;

/* Quake's colors, without the game. librequake_palette.c */
extern const uint8_t bspi_librequake_palette[BSPI_PALETTE_SIZE];
/* What stands in for a palette that is not there. */
typedef struct bspi_fallback_palette {
	const uint8_t *colors;             /* BSPI_PALETTE_SIZE bytes; NULL: a gray ramp */
	const char *words;                 /* what it makes of textures: "gray" */
} bspi_fallback_palette;

/* The family's palette: the caller's own, else the game's at `path` (its last 768 bytes: a .lmp or a .pcx), else the
 * stand-in with a counted warning. `out` is BSPI_PALETTE_SIZE bytes. */
bool bspi_find_palette(bspi_ctx *ctx, const char *path, const bspi_fallback_palette *stand_in, uint8_t *out);

/* Quake's palette as this map's materials have it, else the game's, for models that have none of their own.
 * quake_materials.c */
bool bspi_game_palette(bspi_materials *materials, uint8_t out[BSPI_PALETTE_SIZE]);

/* An RGBA image of the scene from a rectangle of indices with `row` bytes a line. `palette` may have fewer colors:
 * the missing ones are black. */
bool bspi_add_indexed_image(bspi_materials *materials, const char *name, const uint8_t *indices, size_t row,
                            uint32_t width, uint32_t height, bspi_bytes palette, bspi_index_rule rule, uint32_t *index);
/* Does any index glow? */
bool bspi_any_index_from(const uint8_t *indices, size_t count, uint32_t first);

/* Image stages in a row with light between them: what most 8-bit games draw. `glow` may be NO_INDEX, `frames` are the
 * images of an animation (1 or more). `lit` is false for liquids and skies. */
bool bspi_add_lit_passes(bspi_materials *materials, const uint32_t *frames, uint32_t frame_count,
                         float frames_per_second, uint32_t glow, bool lit, bspscene_material *material);

/* Flags of Quake II's surfaces, which its children have as well. */
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

/* A texture of editors by its last part, which no flag tells. */
typedef struct bspi_tool_texture {
	const char *name;
	bspscene_surface_kind include;
} bspi_tool_texture;

/* What a surface is for, by such names and its flags: its material's kind and include. quake2_surfaces.c */
void bspi_read_quake2_kind(const bspi_texture *texture, const bspi_tool_texture *tools, size_t tool_count,
                           bspscene_material *out);

/* How a game's engine warps its liquids: how many texels far, in waves of so many radians a texel, one radian a second;
 * each point, or only the corners of `pieces` of so many units and, when `centerd`, their middles. */
typedef struct bspi_liquid {
	float texels, frequency, pieces, wave_height;
	bool centerd;
} bspi_liquid;

typedef struct bspi_texture_light {
	const char *name;
	size_t size; /* a part of the entities' text */
	float brightness;
	uint32_t number; /* of several for one texture the first counts */
} bspi_texture_light;

/* How brightly the light compiler let textures shine, as entities say; sorted by name. */
typedef struct bspi_texture_lights {
	bspi_texture_light *items;
	uint32_t count;
} bspi_texture_lights;

/* False: memory is out. goldsrc_texlights.c */
bool bspi_list_texture_lights(bspi_materials *materials, bspi_texture_lights *out);
/* 0: the texture does not shine. */
float bspi_texture_light_of(const bspi_texture_lights *lights, const char *name);

/* Warps the stages that a material has got. */
bool bspi_warp_liquid(bspi_materials *materials, const bspi_liquid *liquid, bspscene_material *material);

/* One stage of an image that is blended with what is behind, lit first unless the material is unlit: a stage that
 * multiplies by the light would darken what is behind, too. */
bool bspi_add_blended_pass(bspi_materials *materials, uint32_t image, bspscene_material *material);

/* One stage without an image: the material's color and opacity, blended. */
bool bspi_add_color_pass(bspi_materials *materials, bspscene_material *material);

/* The textures "+0name" to "+9name" as far as they go without a gap: one cycle of an animated texture. Any other
 * texture is its only frame. Returns how many there are, at least 1 and at most `capacity`. */
uint32_t bspi_find_texture_frames(const bspi_materials *materials, const bspi_texture *texture,
                                  const bspi_texture **frames, uint32_t capacity);

#endif
