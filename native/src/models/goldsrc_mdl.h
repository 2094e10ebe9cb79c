/* goldsrc_mdl.h - the records of GoldSrc's studio models. */
#ifndef BSPI_GOLDSRC_MDL_H
#define BSPI_GOLDSRC_MDL_H

#include "models/model.h"

typedef struct goldsrc_header {
	float eye[3];
	int32_t bone_count, bones_at, sequence_count, sequences_at, texture_count, textures_at, slot_count, family_count,
		skins_at, part_count, parts_at;
} goldsrc_header;

typedef struct goldsrc_bone {
	int32_t parent;
	float value[6], scale[6];          /* x y z, angles about them in radians */
} goldsrc_bone;

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

typedef struct goldsrc_sequence {
	char label[32];
	int32_t activity, frame_count, motion_type, motion_bone, animation_at, group;
} goldsrc_sequence;

typedef struct goldsrc_animation {
	uint32_t offsets[6];               /* of runs of values, from this record; 0: the bone's own */
} goldsrc_animation;

typedef struct goldsrc_point {
	float position[3];
} goldsrc_point;

typedef struct goldsrc_bone_number {
	uint8_t bone;
} goldsrc_bone_number;

#endif
