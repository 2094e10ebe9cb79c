/* build_moving.h - small animated models in every format whose animation is read, made from the formats' descriptions.
 * They are the crate of build_model.h with a moving front. */
#ifndef BSPT_BUILD_MOVING_H
#define BSPT_BUILD_MOVING_H

#include "support/models/build_model.h"

typedef struct bspt_moving_model {
	const char *path;                  /* such as "models/moving.md2" */
	bspi_bytes bytes;                  /* valid until the next call of bspt_build_moving */
	uint32_t bone_count, tag_count;    /* the bones include the tags */
	uint32_t sequence_count;
	const char *sequences[3];          /* names of the sequences */
	uint32_t frame_counts[3];          /* number of frames of each sequence */
	float rates[3];
	struct {
		const char *path;
		bspi_bytes bytes;
	} siblings[2];                     /* sibling files; the path is NULL if there is none */
	uint32_t frames_at;                /* offset in `bytes` of a frame count, which a test makes huge */
} bspt_moving_model;

extern const uint32_t bspt_moving_count;
bspt_moving_model bspt_build_moving(uint32_t number);
/* Returns the model of that path, which must exist. */
bspt_moving_model bspt_find_moving(const char *path);

#endif
