/* iqm.h - what the readers of meshes and of bones of Inter-Quake Models share. */
#ifndef BSPI_IQM_H
#define BSPI_IQM_H

#include "models/rig/model_rig.h"

/* Types of the numbers in vertex arrays. */
enum { BSPI_IQM_BYTES = 1, BSPI_IQM_FLOAT = 7 };

typedef struct bspi_iqm_header {
	uint32_t text_size, text_at, mesh_count, meshes_at, array_count, vertex_count, arrays_at, triangle_count,
		triangles_at, joint_count, joints_at, pose_count, poses_at, sequence_count, sequences_at,
		frame_count, channel_count, frames_at;
} bspi_iqm_header;

typedef struct bspi_iqm_array {
	uint32_t type, format, size, at;
} bspi_iqm_array;

typedef struct bspi_iqm_triangle {
	uint32_t vertices[3];
} bspi_iqm_triangle;

typedef struct bspi_iqm_float {
	float value;
} bspi_iqm_float;

typedef struct bspi_iqm {
	const bspi_iqm_header *header;
	bspi_bytes text;
	const bspi_iqm_array *arrays;
	const bspi_iqm_triangle *triangles;
	const bspi_iqm_float *positions, *normals, *uvs; /* normals and uvs may be NULL */
	const bspi_binding *bindings;      /* bones and weights of each vertex; NULL: the model has no bones */
	float (*bones)[12];                /* transforms from the artist's pose to the requested one; NULL: the
	                                    * artist's pose is shown */
	uint32_t bone_count;
} bspi_iqm;

extern const bspi_layout *const bspi_iqm_rig_layouts[];

/* Reads the bones if a sequence or the animation is requested. iqm_rig.c */
bool bspi_pose_iqm(bspi_model_reader *reader, bspi_iqm *m);
/* Adds vertex `number` of the artist's pose. Its bones move it to the requested pose. */
bool bspi_add_iqm_vertex(bspi_model_reader *reader, const bspi_iqm *m, uint32_t number, bspi_model_vertex *vertex);

#endif
