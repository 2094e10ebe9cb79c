/* bones.h - what skeletons of several formats have in common: values that are stored as runs, and transforms of
 * bones. */
#ifndef BSPI_BONES_H
#define BSPI_BONES_H

#include "base/pose.h"
#include "models/model.h"

/* A position in the runs of an animated value. A run is {u8 stored, u8 frames}, then `stored` values of i16, one for
 * each frame. The last value repeats until the run has `frames` frames. */
typedef struct bspi_value_runs {
	bspi_bytes file;
	int64_t at;     /* byte offset of the current run in `file`; negative: the value has no runs */
	uint32_t first; /* first frame of the current run */
} bspi_value_runs;

/* Returns the value in a frame, or 0 if the frame is after the last run. `frame` must not be smaller than in the
 * previous call with the same `runs`. */
float bspi_run_value(bspi_value_runs *runs, uint32_t frame);
/* Returns an animated value in one frame. The runs of the value begin at byte offset `offset` of `file`. */
float bspi_animated_value(bspi_bytes file, int64_t offset, uint32_t frame);
/* Makes the transform with the rotation Rz * Ry * Rx, with angles in radians, and a position. */
void bspi_bone_from_angles(float out[12], const float angles[3], const float place[3]);
/* Rotates a normal by the rotation of a bone. */
void bspi_turn_normal(float out[3], const float bone[12], const float normal[3]);

#endif
