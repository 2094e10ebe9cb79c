/* deform.h - deforms surfaces by time and eye (Quake III's deformVertexes). */
#ifndef BSPR_DEFORM_H
#define BSPR_DEFORM_H

#include <bspscene/render.h>

/* The view in the mesh's space: its axes, the world's up direction, and the eye. */
typedef struct bspr_axes {
	float forward[3], left[3], up[3];
	float upright[3], eye[3];
	bool from_above;                   /* true for pictures of the whole map from above */
} bspr_axes;

/* A face: its vertices from `first_vertex` on, in arrays that are changed in place, and its indices, which count from
 * the start of the arrays. */
typedef struct bspr_piece {
	float *positions, *normals, *uvs, *lightmap_uvs; /* starts of the whole arrays; lightmap_uvs may be NULL */
	uint8_t *colors;                   /* may be NULL */
	uint32_t first_vertex, vertex_count;
	uint32_t *indices; uint32_t index_count; /* indices of the face */
} bspr_piece;

/* Deforms the piece in place. If the material's numbers are too large, leaves it unchanged. */
void bspr_deform(const bspscene_deform *deform, const bspr_axes *axes, float time, const bspr_piece *piece);

#endif
