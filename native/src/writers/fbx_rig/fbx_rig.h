/* fbx_rig.h - animation in FBX: bones are limb nodes below the node's model, with a skin; frames of vertices are shapes
 * (blend shapes); each sequence is an animation stack.
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
	uint32_t node;                     /* index in the scene */
	int64_t model, shown;              /* the model of the node, and the one that shows the mesh (may be the same) */
	int64_t *bones;                    /* models of the bones */
	int64_t *channels;                 /* of shapes, one per frame; NULL: none */
} bspi_fbx_rigged;

/* fbx_skin.c. Write the bones (limbs, or nulls for tags), then the skin with its weights. */
bool bspi_fbx_put_bones(bspi_fbx *fbx, bspi_fbx_rigged *rigged);
bool bspi_fbx_put_skin(bspi_fbx *fbx, const bspi_fbx_rigged *rigged);
/* fbx_shape.c */
bool bspi_fbx_put_shapes(bspi_fbx *fbx, bspi_fbx_rigged *rigged);
/* fbx_animation.c */
bool bspi_fbx_put_animations(bspi_fbx *fbx, const bspi_fbx_rigged *rigged);

/* fbx_turn.c converts rotations to keys of Euler angles. Hosts interpolate angles one by one, which differs from
 * interpolated quaternions. Where that differs by more than a degree, keys are added between frames. */
#define BSPI_FBX_MOST_PARTS 8          /* most pieces of the interval between two frames */
typedef struct bspi_fbx_turn_key {
	float part;                        /* time in frames since the first */
	float angles[3];
} bspi_fbx_turn_key;
/* Returns the number of keys. `out` has room for BSPI_FBX_MOST_PARTS keys per frame. */
uint32_t bspi_fbx_turn_keys(const float (*quaternions)[4], uint32_t count, bspi_fbx_turn_key *out);

#endif
