/* sprite.h - sprites of Quake (version 1), GoldSrc (2) and DarkPlaces (32): images that stand in the map. */
#ifndef BSPI_SPRITE_H
#define BSPI_SPRITE_H

#include "models/model.h"

/* How GoldSrc blends a sprite. Files use the same values. */
typedef enum bspi_sprite_blend {
	BSPI_SPRITE_NORMAL,
	BSPI_SPRITE_ADDITIVE,
	BSPI_SPRITE_INDEX_ALPHA,
	BSPI_SPRITE_ALPHA_TEST
} bspi_sprite_blend;

/* A frame of a sprite. Its quad extends to the right from `left`, and down from `top`, in game units relative to the
 * entity. The entity's scale multiplies both. */
typedef struct bspi_sprite {
	bspi_sprite_turn turn;
	bspi_sprite_blend blend;
	uint32_t frame_count;
	int32_t left, top;
	uint32_t width, height;
	bool rgba;                         /* each pixel is RGBA; false: a palette index */
	bspi_bytes pixels;
	bspi_bytes palette;                /* RGB triples; empty: the game's palette is used, and its index 255 is
	                                    * transparent */
} bspi_sprite;

/* Reads frame `reader->state.frame` of `reader->file`. If the file has fewer frames, reads the first one. If the frame
 * is a group, reads the first one of the group. */
bool bspi_read_sprite(bspi_model_reader *reader, bspi_sprite *out);

/* Values of the key `rendermode` for sprites. The member sprite_mode of bspi_model_state is the value plus 1, or 0 if
 * the sprite's file decides how the sprite is blended. */
typedef enum bspi_sprite_mode {
	BSPI_SPRITE_AS_IT_IS, BSPI_SPRITE_COLORED, BSPI_SPRITE_BLENDED, BSPI_SPRITE_GLOW, BSPI_SPRITE_SOLID,
	BSPI_SPRITE_ADDED, BSPI_SPRITE_WORLD_GLOW = 9
} bspi_sprite_mode;

/* Returns flags of the material for the entity's render mode in `state`. */
uint32_t bspi_sprite_flags(const bspi_model_state *state);
/* Adds the quads of a sprite in one section. `picture` is left, top, width and height in game units, as seen by a
 * viewer who looks along +X. */
bool bspi_put_sprite(bspi_model_reader *reader, bspi_sprite_turn turn, const float picture[4]);

#endif
