/* gltf_rig.h - animation in glTF: bones become nodes below the node that shows the mesh, with a skin; frames of
 * vertices become morph targets; each sequence becomes an animation.
 *
 *     gltf_rig.c        all rigs of a document
 *     gltf_floats.c     accessors of floats
 *     gltf_skin.c       nodes of bones, and a skin
 *     gltf_morph.c      morph targets of primitives
 *     gltf_animation.c  animations */
#ifndef BSPI_GLTF_RIG_H
#define BSPI_GLTF_RIG_H

#include "writers/gltf/gltf.h"

/* A scene node whose mesh moves. */
typedef struct bspi_gltf_rigged {
	const bspscene_mesh *mesh;
	json_t *node;                      /* object in the document, not owned */
	uint32_t node_number;
	uint32_t first_bone;               /* document index of bone 0; the others follow */
	bool morphs;                       /* it has morph targets, because there are several frames of vertices */
	json_t *animations;                /* array of the document, not owned */
} bspi_gltf_rigged;

/* Adds floats after all others, and an accessor for them. Returns the accessor's index. An element has `width` floats.
 * With `bounds` the accessor states min and max. gltf_floats.c */
typedef enum bspi_gltf_floats { BSPI_GLTF_CURVES, BSPI_GLTF_MATRICES, BSPI_GLTF_TARGETS } bspi_gltf_floats;
uint32_t bspi_gltf_add_floats(bspi_gltf *gltf, bspi_gltf_floats use, const float *values, uint32_t count,
                              uint32_t width, bool bounds);
/* Ends the last buffer view. */
void bspi_gltf_close_floats(bspi_gltf *gltf);

/* Adds bones as nodes. If they move vertices, the mesh's node becomes a skinned node at the root, because parents do
 * not move skinned meshes. gltf_skin.c */
bool bspi_gltf_add_bones(bspi_gltf *gltf, bspi_gltf_rigged *rigged);
/* gltf_morph.c */
bool bspi_gltf_add_targets(bspi_gltf *gltf, const bspi_gltf_rigged *rigged);
/* gltf_animation.c */
bool bspi_gltf_add_animations(bspi_gltf *gltf, const bspi_gltf_rigged *rigged);

#endif
