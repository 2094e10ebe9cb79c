/* pose.h - converts transforms to translation, rotation and scale, which hosts interpolate between frames, and
 * converts these back to transforms. */
#ifndef BSPI_POSE_H
#define BSPI_POSE_H

#include <bspscene/rig.h>

#define BSPI_POSE_NONE { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } }

/* Decomposes a transform with rotation, scale and mirroring. No game uses shear. */
bspscene_bone_pose bspi_pose_of(const float transform[12]);
void bspi_pose_transform(const bspscene_bone_pose *pose, float out[12]);
/* Makes a transform of a quaternion xyzw, which need not be of unit length, and a position. A zero quaternion is the
 * identity. */
void bspi_transform_quaternion(float out[12], const float quaternion[4], const float place[3]);
/* Inverts a transform. If it has no inverse, stores the identity in `out` and returns false. */
bool bspi_transform_invert(const float transform[12], float out[12]);

#endif
