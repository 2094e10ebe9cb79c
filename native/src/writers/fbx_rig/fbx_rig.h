/* fbx_rig.h - animation in FBX: bones become limb nodes below the node's model, with a skin; frames of vertices become
 * shapes (blend shapes); each sequence is an animation stack.
 *
 *     fbx_rig.c        everything for one node
 *     fbx_skin.c       limbs, clusters of weights, and the bind pose
 *     fbx_shape.c      shapes and their channels
 *     fbx_animation.c  stacks and their curves
 *     fbx_turn.c       quaternions to Euler angles that may be interpolated */
#ifndef BSPI_FBX_RIG_H
#define BSPI_FBX_RIG_H

#include "writers/fbx/fbx.h"

/* A scene node whose mesh moves. */
typedef struct bspi_fbx_rigged {
	const bspscene_mesh *mesh;
	const bspi_fbx_geometry *geometry;
	uint32_t node;                     /* index of the node in the scene */
	int64_t model, shown;              /* ids of the node's model, and of the model that shows the mesh (may be the
	                                    * same) */
	int64_t *bones;                    /* ids of the bones' models */
	int64_t *channels;                 /* ids of the shapes' channels, one per frame; NULL: none */
} bspi_fbx_rigged;

/* bspi_fbx_put_bones writes the bones as limbs (tags as nulls). bspi_fbx_put_skin writes the skin with the weights of
 * its vertices. fbx_skin.c */
bool bspi_fbx_put_bones(bspi_fbx *fbx, bspi_fbx_rigged *rigged);
bool bspi_fbx_put_skin(bspi_fbx *fbx, const bspi_fbx_rigged *rigged);
/* Writes a shape for each frame of vertices. fbx_shape.c */
bool bspi_fbx_put_shapes(bspi_fbx *fbx, bspi_fbx_rigged *rigged);
/* Writes an animation stack for each sequence. fbx_animation.c */
bool bspi_fbx_put_animations(bspi_fbx *fbx, const bspi_fbx_rigged *rigged);

/* Converts rotations to keys of Euler angles. Hosts interpolate each angle, which differs from interpolating
 * quaternions. Where the difference exceeds a degree, keys are added between frames. fbx_turn.c */
#define BSPI_FBX_MOST_PARTS 8          /* largest number of parts into which the time between two frames is divided */
typedef struct bspi_fbx_turn_key {
	float part;                        /* time of the key, in frames after the first frame */
	float angles[3];
} bspi_fbx_turn_key;
/* Writes the keys to `out`, which has room for BSPI_FBX_MOST_PARTS keys per frame, and returns their number. */
uint32_t bspi_fbx_turn_keys(const float (*quaternions)[4], uint32_t count, bspi_fbx_turn_key *out);

#endif
