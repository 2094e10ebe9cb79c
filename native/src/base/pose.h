/* pose.h - transforms taken apart into what hosts mix between frames, and put together again. */
#ifndef BSPI_POSE_H
#define BSPI_POSE_H

#include <bspscene/rig.h>

#define BSPI_POSE_NONE { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } }

/* Decomposes a transform with rotation, scale and mirroring. No game uses shear. */
bspscene_bone_pose bspi_pose_of(const float transform[12]);
void bspi_pose_transform(const bspscene_bone_pose *pose, float out[12]);
/* Rotation by a quaternion xyzw, which need not be of unit length, then the place; one without a direction turns
 * nothing. */
void bspi_transform_quaternion(float out[12], const float quaternion[4], const float place[3]);
/* False, with the identity in `out`: nothing turns it back. */
bool bspi_transform_invert(const float transform[12], float out[12]);

#endif
