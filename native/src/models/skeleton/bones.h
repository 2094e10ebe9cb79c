/* bones.h - skeletons of studio models: runs of values, and poses as transforms of bones. */
#ifndef BSPI_BONES_H
#define BSPI_BONES_H

#include "base/pose.h"
#include "models/model.h"

/* Where in the runs of a value: {u8 stored, u8 frames} and as many i16, the last of which counts for the rest of its
 * run. */
typedef struct bspi_value_runs {
	bspi_bytes file;
	int64_t at;     /* below 0: there are none */
	uint32_t first; /* the frame that the run at `at` begins with */
} bspi_value_runs;

/* Value of a frame, which must be none before that of the last call; 0 where they end. */
float bspi_run_value(bspi_value_runs *runs, uint32_t frame);
/* The same in the runs at `offset` of `file`. */
float bspi_animated_value(bspi_bytes file, int64_t offset, uint32_t frame);
/* Rz * Ry * Rx of angles in radians, then the place. */
void bspi_bone_from_angles(float out[12], const float angles[3], const float place[3]);
/* The transform without its place. */
void bspi_turn_normal(float out[3], const float bone[12], const float normal[3]);

#endif
