/* sprite.h - sprites of Quake (1), GoldSrc (2) and DarkPlaces (32): pictures placed in the map. */
#ifndef BSPI_SPRITE_H
#define BSPI_SPRITE_H

#include "models/model.h"

/* How a sprite turns to whoever looks; the numbers are the files'. */
typedef enum bspi_sprite_turn {
	BSPI_SPRITE_UPRIGHT,               /* parallel to the view, its top up */
	BSPI_SPRITE_FACING_UPRIGHT,        /* toward the eye, its top up */
	BSPI_SPRITE_PARALLEL,              /* parallel to the view */
	BSPI_SPRITE_ORIENTED,              /* not at all: as its angles say */
	BSPI_SPRITE_PARALLEL_ORIENTED      /* parallel to the view, turned by its angles */
} bspi_sprite_turn;

/* GoldSrc's ways of drawing; the numbers are the files'. */
typedef enum bspi_sprite_blend {
	BSPI_SPRITE_NORMAL,
	BSPI_SPRITE_ADDITIVE,
	BSPI_SPRITE_INDEX_ALPHA,
	BSPI_SPRITE_ALPHA_TEST
} bspi_sprite_blend;

/* One frame of a sprite. Its quad goes from `left` to `left` + width and from `top` down to `top` - height, in game
 * units from the entity's place, times the entity's scale. */
typedef struct bspi_sprite {
	bspi_sprite_turn turn;
	bspi_sprite_blend blend;
	uint32_t frame_count;
	int32_t left, top;
	uint32_t width, height;
	bool rgba;                         /* pixels are RGBA, else indices */
	bspi_bytes pixels;
	bspi_bytes palette;                /* RGB triples; empty: the game's, 255 is a hole */
} bspi_sprite;

/* Reads frame `reader->state.frame` (the first when there are fewer; of a group its first) of `reader->file`. */
bool bspi_read_sprite(bspi_model_reader *reader, bspi_sprite *out);

/* The ways in which entities have sprites drawn (rendermode, one less than state.sprite_mode). */
typedef enum bspi_sprite_mode {
	BSPI_SPRITE_AS_IT_IS, BSPI_SPRITE_COLORED, BSPI_SPRITE_BLENDED, BSPI_SPRITE_GLOW, BSPI_SPRITE_SOLID,
	BSPI_SPRITE_ADDED, BSPI_SPRITE_WORLD_GLOW = 9
} bspi_sprite_mode;

/* The flags of a material that is drawn so. */
uint32_t bspi_sprite_flags(const bspi_model_state *state);
/* Makes the picture the model's only section, at `left`, `top` with `width`, `height` in game units, y to the right and
 * z up for a viewer who looks along +X. */
bool bspi_put_sprite(bspi_model_reader *reader, bspi_sprite_turn turn, const float picture[4]);

#endif
