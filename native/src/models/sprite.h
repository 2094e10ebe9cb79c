/* sprite.h - sprites of Quake (1), GoldSrc (2) and DarkPlaces (32): images in the map. */
#ifndef BSPI_SPRITE_H
#define BSPI_SPRITE_H

#include "models/model.h"

/* GoldSrc's blending; the values are those of files. */
typedef enum bspi_sprite_blend {
	BSPI_SPRITE_NORMAL,
	BSPI_SPRITE_ADDITIVE,
	BSPI_SPRITE_INDEX_ALPHA,
	BSPI_SPRITE_ALPHA_TEST
} bspi_sprite_blend;

/* A frame of a sprite. Its quad extends from `left` to `left` + width and from `top` down to `top` - height, in game
 * units relative to the entity, times its scale. */
typedef struct bspi_sprite {
	bspi_sprite_turn turn;
	bspi_sprite_blend blend;
	uint32_t frame_count;
	int32_t left, top;
	uint32_t width, height;
	bool rgba;                         /* pixels are RGBA, else indices */
	bspi_bytes pixels;
	bspi_bytes palette;                /* RGB triples; empty: the game's palette, with 255 transparent */
} bspi_sprite;

/* Reads frame `reader->state.frame` of `reader->file` (the first if there are fewer, and the first one of a group). */
bool bspi_read_sprite(bspi_model_reader *reader, bspi_sprite *out);

/* Render modes of entities for sprites (rendermode, one less than state.sprite_mode). */
typedef enum bspi_sprite_mode {
	BSPI_SPRITE_AS_IT_IS, BSPI_SPRITE_COLORED, BSPI_SPRITE_BLENDED, BSPI_SPRITE_GLOW, BSPI_SPRITE_SOLID,
	BSPI_SPRITE_ADDED, BSPI_SPRITE_WORLD_GLOW = 9
} bspi_sprite_mode;

/* Returns the material flags for this mode. */
uint32_t bspi_sprite_flags(const bspi_model_state *state);
/* Makes the sprite the model's only section. `picture` is left, top, width and height in game units, with y to the
 * right and z up for a viewer who looks along +X. */
bool bspi_put_sprite(bspi_model_reader *reader, bspi_sprite_turn turn, const float picture[4]);

#endif
