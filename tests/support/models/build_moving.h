/* build_moving.h - small animated models in every format whose animation is read, written from the formats'
 * descriptions: the crate of build_model.h, whose front goes its own way. */
#ifndef BSPT_BUILD_MOVING_H
#define BSPT_BUILD_MOVING_H

#include "support/models/build_model.h"

typedef struct bspt_moving_model {
	const char *path;                  /* "models/moving.md2" */
	bspi_bytes bytes;                  /* until the next call */
	uint32_t bone_count, tag_count;    /* bones with the tags */
	uint32_t sequence_count;
	const char *sequences[3];          /* their names, */
	uint32_t frame_counts[3];          /* and how many frames each has */
	float rates[3];
	struct {
		const char *path;
		bspi_bytes bytes;
	} siblings[2];                     /* files next to it; path NULL: none */
	uint32_t frames_at;                /* a frame count in the file that may be made absurd */
} bspt_moving_model;

extern const uint32_t bspt_moving_count;
bspt_moving_model bspt_build_moving(uint32_t number);
/* The one of that path, which there is. */
bspt_moving_model bspt_find_moving(const char *path);

#endif
