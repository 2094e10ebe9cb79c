/* rig.h - How a model moves: bones with sequences, or vertex positions for each frame. */
#ifndef BSPSCENE_RIG_H
#define BSPSCENE_RIG_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A transform that maps p to rotation * (scale * p) + translation. Frozen. */
typedef struct bspscene_bone_pose {
	float translation[3];              /**< Game units, from the parent bone. */
	float rotation[4];                 /**< Unit quaternion, xyzw. */
	float scale[3];                    /**< Along each axis. */
} bspscene_bone_pose;

/** A bone moves vertices (bspscene_mesh.joints). A tag moves none: games attach other models to it. */
typedef struct bspscene_bone {
	const char *name;                  /**< Name in the file, else "bone3". Several bones may share one. */
	uint32_t parent;                   /**< Index of the parent, smaller than the bone's own, or NO_INDEX. */
	bspscene_bone_pose rest;           /**< Rest pose in the space of the parent, or of the mesh if there is none. */
	float inverse_rest[12];            /**< Mesh space to bone space at rest. Row-major 3x4. */
	bool is_tag;                       /**< True if the bone moves no vertex. Tags follow all other bones. */
} bspscene_bone;

/** A named run of frames. */
typedef struct bspscene_sequence {
	const char *name;                  /**< Name in the file, else "sequence3". Several sequences may share one. */
	float frames_per_second;           /**< More than 0. The game's usual rate if the file has none. */
	bool loops;                        /**< True if the file marks the sequence as looping. */
	uint32_t first_frame, frame_count; /**< Range of the rig's frames. Sequences do not overlap. */
} bspscene_sequence;

/** The bones, sequences and frames of a mesh.
 *
 * Bone b has the pose poses[f * bone_count + b] in frame f, in the space of its parent. A skinned vertex lies at the
 * sum over its four joints of weight * (pose of the bone in mesh space) * inverse_rest * position. A mesh with
 * frame_positions takes its vertices from there instead. Frames are interpolated linearly. */
typedef struct bspscene_rig {
	const bspscene_bone *const *bones; /**< Parents come first. */
	uint32_t bone_count;               /**< Entries of `bones`. */
	const bspscene_sequence *const *sequences; /**< Named ranges of frames. */
	uint32_t sequence_count;           /**< Entries of `sequences`. */
	uint32_t frame_count;              /**< Frames of all sequences together. */
	const bspscene_bone_pose *poses;   /**< bone_count poses for each frame. */
	uint32_t still_frame;              /**< Frame that shows the model as a load without rigs does. NO_INDEX: the rest
	                                    * pose does. */
} bspscene_rig;

#ifdef __cplusplus
}
#endif
#endif
