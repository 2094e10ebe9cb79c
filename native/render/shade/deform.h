/* deform.h - surfaces whose shape depends on the moment and the eye (Quake III's deformVertexes). */
#ifndef BSPR_DEFORM_H
#define BSPR_DEFORM_H

#include <bspscene/render.h>

/* The view in the space of the mesh: its axes, what is up in the world, and the eye. */
typedef struct bspr_axes {
	float forward[3], left[3], up[3];
	float upright[3], eye[3];
	bool from_above;                   /* the whole map is shown */
} bspr_axes;

/* One face: vertices from `first_vertex` on, in arrays that may be changed. Its indices count from the start of the
 * arrays. */
typedef struct bspr_piece {
	float *positions, *normals, *uvs, *lightmap_uvs; /* of the whole arrays; lightmap_uvs may be NULL */
	uint8_t *colors;                   /* may be NULL */
	uint32_t first_vertex, vertex_count;
	uint32_t *indices; uint32_t index_count; /* indices of the face */
} bspr_piece;

/* Numbers that the script made too large leave their vertices where they are. */
void bspr_deform(const bspscene_deform *deform, const bspr_axes *axes, float time, const bspr_piece *piece);

#endif
