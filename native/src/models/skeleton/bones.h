/* bones.h - skeletons of studio models: runs of values, and poses as transforms of bones. */
#ifndef BSPI_BONES_H
#define BSPI_BONES_H

#include "models/model.h"

/* Value of `frame` in the runs at `offset` of `file`: {u8 stored, u8 frames} and as many i16, the last of which counts
 * for the rest of its run. 0 where they end. */
float bspi_animated_value(bspi_bytes file, int64_t offset, uint32_t frame);
/* Rz * Ry * Rx of angles in radians, then the place. */
void bspi_bone_from_angles(float out[12], const float angles[3], const float place[3]);
/* Of a quaternion xyzw, which need not be of unit length; one without a direction turns nothing. */
void bspi_bone_from_quaternion(float out[12], const float quaternion[4], const float place[3]);
/* The transform without its place. */
void bspi_turn_normal(float out[3], const float bone[12], const float normal[3]);

#endif
