/* rig.h - how a model moves: bones and what sequences do with them, or vertices that are elsewhere in each frame. */
#ifndef BSPSCENE_RIG_H
#define BSPSCENE_RIG_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place that is turned and stretched: a point p of it is at rotation * (scale * p) + translation. */
typedef struct bspscene_bone_pose {
	float translation[3];
	float rotation[4];                 /* unit quaternion xyzw */
	float scale[3];
} bspscene_bone_pose;

/* What moves vertices of the mesh (bspscene_mesh.joints), or has a place alone, where games attach another model. */
typedef struct bspscene_bone {
	const char *name;                  /* as the file says, "bone3" where it says nothing; several may share one */
	uint32_t parent;                   /* smaller than its own number; NO_INDEX: none */
	bspscene_bone_pose rest;                /* to its parent's space, or the mesh's, while the mesh is as its vertices are */
	float inverse_rest[12];            /* the mesh's space to its own, at rest; row-major 3x4 */
	bool is_tag;                       /* it moves no vertex; tags are behind all other bones */
} bspscene_bone;

typedef struct bspscene_sequence {
	const char *name;                  /* "idle"; "sequence3" where the file says nothing; several may share one */
	float frames_per_second;           /* more than 0; the game's usual rate where the file says nothing */
	bool loops;                        /* the file says that it begins again */
	uint32_t first_frame, frame_count; /* of the rig's frames; sequences have theirs one after the other */
} bspscene_sequence;

/* In the frame f of a rig with bones, bone b has the pose poses[f * bone_count + b] in its parent's space, and a vertex
 * of the mesh is at the sum, over its four joints, of weight * (that bone's pose in the mesh's space) * inverse_rest *
 * position. Where the mesh has frame_positions, these are its vertices instead. Between frames both are mixed. */
typedef struct bspscene_rig {
	const bspscene_bone *const *bones; uint32_t bone_count;
	const bspscene_sequence *const *sequences; uint32_t sequence_count;
	uint32_t frame_count;              /* of all sequences together */
	const bspscene_bone_pose *poses;        /* bone_count for each frame */
	uint32_t still_frame;              /* of the rig's: in which the model is as it stands without its rig; NO_INDEX:
	                                    * it is at rest */
} bspscene_rig;

#ifdef __cplusplus
}
#endif
#endif
