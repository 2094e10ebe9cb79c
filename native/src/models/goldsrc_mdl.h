/* goldsrc_mdl.h - the records of GoldSrc's studio models. */
#ifndef BSPI_GOLDSRC_MDL_H
#define BSPI_GOLDSRC_MDL_H

#include "models/model.h"

typedef struct bspi_goldsrc_header {
	float eye[3];
	int32_t bone_count, bones_at, sequence_count, sequences_at, texture_count, textures_at, slot_count, family_count,
		skins_at, part_count, parts_at, attachment_count, attachments_at;
} bspi_goldsrc_header;

typedef struct bspi_goldsrc_texture {
	char name[64];
	uint32_t flags;
	int32_t width, height, pixels_at;
} bspi_goldsrc_texture;

typedef struct bspi_goldsrc_slot {
	int32_t texture;
} bspi_goldsrc_slot;

typedef struct bspi_goldsrc_part {
	int32_t model_count, base, models_at;
} bspi_goldsrc_part;

typedef struct bspi_goldsrc_model {
	int32_t mesh_count, meshes_at, vertex_count, vertex_bones_at, vertices_at, normal_count, normal_bones_at,
		normals_at;
} bspi_goldsrc_model;

typedef struct bspi_goldsrc_mesh {
	int32_t commands_at, slot;
} bspi_goldsrc_mesh;

typedef struct bspi_goldsrc_point {
	float position[3];
} bspi_goldsrc_point;

typedef struct bspi_goldsrc_bone_number {
	uint8_t bone;
} bspi_goldsrc_bone_number;

typedef struct bspi_goldsrc {
	const bspi_goldsrc_header *header;
	bspi_bytes texture_file; /* content of the model's file, or of the file with its textures */
	const bspi_goldsrc_texture *textures;
	uint32_t texture_count;
	const bspi_goldsrc_slot *slots;
	uint32_t slot_count, family_count;
	float (*bones)[12]; /* transforms from the bones to model space */
	const bspi_goldsrc_bone_number *vertex_bones, *normal_bones; /* for each vertex and normal of the current body part,
	                                                              * the index of its bone */
	const bspi_goldsrc_point *vertices, *normals;
	uint32_t vertex_count, normal_count;
} bspi_goldsrc;

extern const bspi_layout *const bspi_goldsrc_pose_layouts[];

/* Computes m->bones for the requested sequence and frame. Also adds the animation if it was requested.
 * goldsrc_pose.c */
bool bspi_pose_goldsrc(bspi_model_reader *reader, bspi_goldsrc *m);

#endif
