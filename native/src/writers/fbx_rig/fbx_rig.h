/* fbx_rig.h - how meshes move, in FBX: bones as limbs below the model that stands for the node, with a skin, and
 * shapes, one for each frame; a stack of animation for each sequence.
 *
 *     fbx_rig.c        all of a node
 *     fbx_skin.c       bones -> limbs, clusters of weights and the pose in which they are bound
 *     fbx_shape.c      frames -> shapes and their channels
 *     fbx_animation.c  sequences -> stacks, and their curves
 *     fbx_turn.c       quaternions -> angles that may be mixed */
#ifndef BSPI_FBX_RIG_H
#define BSPI_FBX_RIG_H

#include "writers/fbx/fbx.h"

/* A node of the scene whose mesh moves. */
typedef struct bspi_fbx_rigged {
	const bspscene_mesh *mesh;
	const bspi_fbx_geometry *geometry;
	uint32_t node;                     /* of the scene */
	int64_t model, shown;              /* that stands for the node, and that shows the mesh, which may be the same */
	int64_t *bones;                    /* models */
	int64_t *channels;                 /* of shapes, one for each frame; NULL: there are none */
} bspi_fbx_rigged;

/* fbx_skin.c: limbs, or for tags nulls; then what weights vertices by them. */
bool bspi_fbx_put_bones(bspi_fbx *fbx, bspi_fbx_rigged *rigged);
bool bspi_fbx_put_skin(bspi_fbx *fbx, const bspi_fbx_rigged *rigged);
/* fbx_shape.c */
bool bspi_fbx_put_shapes(bspi_fbx *fbx, bspi_fbx_rigged *rigged);
/* fbx_animation.c */
bool bspi_fbx_put_animations(bspi_fbx *fbx, const bspi_fbx_rigged *rigged);

/* fbx_turn.c: the keys of a turn that goes through the quaternions. Angles are mixed one by one, and what comes of it
 * is not what the quaternions have between them: where it is further aside than a degree, there are keys between. */
#define BSPI_FBX_MOST_PARTS 8          /* of what is between two frames */
typedef struct bspi_fbx_turn_key {
	float part;                        /* frames since the first */
	float angles[3];
} bspi_fbx_turn_key;
/* Room for BSPI_FBX_MOST_PARTS keys a frame. Returns how many there are. */
uint32_t bspi_fbx_turn_keys(const float (*quaternions)[4], uint32_t count, bspi_fbx_turn_key *out);

#endif
