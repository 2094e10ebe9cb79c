/* move_map.h - moves, rotates, mirrors or scales the parts of a room. moved_scene.h compares the scenes. */
#ifndef BSPT_MOVE_MAP_H
#define BSPT_MOVE_MAP_H

#include "support/make/build_map.h"

/* p becomes scale * (axes p) + shift. The axes are mirrored in X if requested, then rotated about Z by quarters. */
typedef struct bspt_motion {
	const char *name;
	float shift[3];
	float scale;                       /* must not be 0 */
	uint32_t quarters;
	bool mirrored;
} bspt_motion;

void bspt_turn_vector(const bspt_motion *motion, const float in[3], float out[3]);
void bspt_move_point(const bspt_motion *motion, const float in[3], float out[3]);
/* Returns the yaw after a motion, in degrees: at least 0 and less than 360. */
float bspt_turn_yaw(const bspt_motion *motion, float yaw);

/* Copies of all arrays and of the entity text, for changes. Each array has room for one more record. */
typedef struct bspt_own_parts {
	bspt_parts parts;
	void *arrays[BSPI_ARRAY_COUNT];
	/* Index of the text in parts.raw, or BSPI_MAX_LUMPS if the family has no text. */
	uint32_t entities;
	char *text;
	uint8_t *lamps;                    /* changed copy of Source's lump of world lights */
} bspt_own_parts;

void bspt_own_parts_take(bspt_own_parts *own, const bspi_family *family, const bspi_variant *variant);
void bspt_own_parts_free(bspt_own_parts *own);
/* True if the motion can be applied to the whole room. It is false, for example, if positions are in lumps without a
 * layout table, because these are not moved. */
bool bspt_can_move(const bspt_own_parts *own, const bspi_family *family, const bspt_motion *motion);
void bspt_move_parts(bspt_own_parts *own, const bspi_variant *variant, const bspt_motion *motion);
/* Sets the entity text, which is freed with the parts. */
void bspt_own_parts_set_text(bspt_own_parts *own, char *text);

#endif
