/* bones.h - skeletons of studio models: run-length encoded values, and transforms of bones. */
#ifndef BSPI_BONES_H
#define BSPI_BONES_H

#include "base/pose.h"
#include "models/model.h"

/* A position in the runs of a value: {u8 stored, u8 frames} and `stored` i16, of which the last one repeats to the end
 * of the run. */
typedef struct bspi_value_runs {
	bspi_bytes file;
	int64_t at;     /* offset of the current run in `file`; negative: there are none */
	uint32_t first; /* first frame of the run at `at` */
} bspi_value_runs;

/* Returns the value of a frame, which must not be before the last call's; 0 after the end. */
float bspi_run_value(bspi_value_runs *runs, uint32_t frame);
/* Returns the value of one frame in the runs at `offset` of `file`. */
float bspi_animated_value(bspi_bytes file, int64_t offset, uint32_t frame);
/* Makes a transform of Rz * Ry * Rx, with angles in radians, and a position. */
void bspi_bone_from_angles(float out[12], const float angles[3], const float place[3]);
/* Rotates a normal. */
void bspi_turn_normal(float out[3], const float bone[12], const float normal[3]);

#endif
