/* gltf_rig.h - how meshes move, in glTF: bones as nodes below the node that shows the mesh, with skins, and morph
 * targets, one for each frame; an animation for each sequence.
 *
 *     gltf_rig.c        all rigs of a document
 *     gltf_floats.c     their numbers
 *     gltf_skin.c       bones -> nodes, and a skin
 *     gltf_morph.c      frames -> targets of primitives
 *     gltf_animation.c  sequences -> animations */
#ifndef BSPI_GLTF_RIG_H
#define BSPI_GLTF_RIG_H

#include "writers/gltf/gltf.h"

/* A node of the scene whose mesh moves. */
typedef struct bspi_gltf_rigged {
	const bspscene_mesh *mesh;
	json_t *node;                      /* of the document, borrowed */
	uint32_t node_number;
	uint32_t first_bone;               /* node of the document; those of the other bones follow */
	bool morphs;                       /* it has targets: more than one frame */
	json_t *animations;                /* of the document, borrowed */
} bspi_gltf_rigged;

/* gltf_floats.c: floats behind all that are there, described by an accessor, whose number is returned. `width` floats
 * are an element; with bounds the accessor has the least and the largest of each. */
typedef enum bspi_gltf_floats { BSPI_GLTF_CURVES, BSPI_GLTF_MATRICES, BSPI_GLTF_TARGETS } bspi_gltf_floats;
uint32_t bspi_gltf_add_floats(bspi_gltf *gltf, bspi_gltf_floats use, const float *values, uint32_t count,
                              uint32_t width, bool bounds);
/* Ends the last buffer view. */
void bspi_gltf_close_floats(bspi_gltf *gltf);

/* gltf_skin.c: bones as nodes, and the mesh, where they move it, as a root with a skin: what stands above a skinned
 * mesh does not move it. */
bool bspi_gltf_add_bones(bspi_gltf *gltf, bspi_gltf_rigged *rigged);
/* gltf_morph.c */
bool bspi_gltf_add_targets(bspi_gltf *gltf, const bspi_gltf_rigged *rigged);
/* gltf_animation.c */
bool bspi_gltf_add_animations(bspi_gltf *gltf, const bspi_gltf_rigged *rigged);

#endif
