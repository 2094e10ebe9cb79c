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
	json_t *node;                      /* JSON object in the document, not owned */
	uint32_t node_number;
	uint32_t first_bone;               /* index in the document of the node of bone 0; those of the other bones
	                                    * follow */
	bool morphs;                       /* the mesh has several frames of vertices, so it has morph targets */
	json_t *animations;                /* JSON array of the document, not owned */
} bspi_gltf_rigged;

/* Appends floats to the animation data and adds an accessor for them. An element has `width` floats. If `bounds` is
 * true, the accessor states the least and largest values. Returns the index of the accessor. gltf_floats.c */
typedef enum bspi_gltf_floats { BSPI_GLTF_CURVES, BSPI_GLTF_MATRICES, BSPI_GLTF_TARGETS } bspi_gltf_floats;
uint32_t bspi_gltf_add_floats(bspi_gltf *gltf, bspi_gltf_floats use, const float *values, uint32_t count,
                              uint32_t width, bool bounds);
/* Ends the buffer view that is open. Call it after the last floats. */
void bspi_gltf_close_floats(bspi_gltf *gltf);

/* Adds bones as nodes. If they move vertices, the node of the mesh becomes a root node with a skin, because parents do
 * not move skinned meshes. gltf_skin.c */
bool bspi_gltf_add_bones(bspi_gltf *gltf, bspi_gltf_rigged *rigged);
/* Adds a morph target for each frame of vertices. gltf_morph.c */
bool bspi_gltf_add_targets(bspi_gltf *gltf, const bspi_gltf_rigged *rigged);
/* Adds an animation for each sequence. gltf_animation.c */
bool bspi_gltf_add_animations(bspi_gltf *gltf, const bspi_gltf_rigged *rigged);

#endif
