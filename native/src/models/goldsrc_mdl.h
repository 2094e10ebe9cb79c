/* goldsrc_mdl.h - the records of GoldSrc's studio models. */
#ifndef BSPI_GOLDSRC_MDL_H
#define BSPI_GOLDSRC_MDL_H

#include "models/model.h"

typedef struct goldsrc_header {
	float eye[3];
	int32_t bone_count, bones_at, sequence_count, sequences_at, texture_count, textures_at, slot_count, family_count,
		skins_at, part_count, parts_at, attachment_count, attachments_at;
} goldsrc_header;

typedef struct goldsrc_texture {
	char name[64];
	uint32_t flags;
	int32_t width, height, pixels_at;
} goldsrc_texture;

typedef struct goldsrc_slot {
	int32_t texture;
} goldsrc_slot;

typedef struct goldsrc_part {
	int32_t model_count, base, models_at;
} goldsrc_part;

typedef struct goldsrc_model {
	int32_t mesh_count, meshes_at, vertex_count, vertex_bones_at, vertices_at, normal_count, normal_bones_at,
		normals_at;
} goldsrc_model;

typedef struct goldsrc_mesh {
	int32_t commands_at, slot;
} goldsrc_mesh;

typedef struct goldsrc_point {
	float position[3];
} goldsrc_point;

typedef struct goldsrc_bone_number {
	uint8_t bone;
} goldsrc_bone_number;

typedef struct goldsrc {
	const goldsrc_header *header;
	bspi_bytes texture_file; /* itself, or the file beside it */
	const goldsrc_texture *textures;
	uint32_t texture_count;
	const goldsrc_slot *slots;
	uint32_t slot_count, family_count;
	float (*bones)[12]; /* to the model's space */
	const goldsrc_bone_number *vertex_bones, *normal_bones; /* of the model being read */
	const goldsrc_point *vertices, *normals;
	uint32_t vertex_count, normal_count;
} goldsrc;

extern const bspi_layout *const bspi_goldsrc_pose_layouts[];

/* Fills m->bones: where they are in the sequence and the frame that are wanted. Says how they move where that is
 * wanted too. goldsrc_pose.c */
bool bspi_pose_goldsrc(bspi_model_reader *reader, goldsrc *m);

#endif
