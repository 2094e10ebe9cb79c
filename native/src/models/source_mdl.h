/* source_mdl.h - the records of Source's studio models (MDL 44 to 49), their vertices (VVD 4) and triangles (VTX 7). */
#ifndef BSPI_SOURCE_MDL_H
#define BSPI_SOURCE_MDL_H

#include "models/model.h"

#define BSPI_SOURCE_STATIC_PROP 0x10u /* flag of models that are drawn as they were compiled */

typedef struct bspi_source_header {
	uint32_t checksum, flags;
	float light_point[3];
	int32_t bone_count, bones_at, animation_count, animations_at, sequence_count, sequences_at, texture_count,
		textures_at, folder_count, folders_at, slot_count, family_count, skins_at, part_count, parts_at;
	uint8_t root_lod;
} bspi_source_header;

typedef struct bspi_source_bone {
	int32_t parent;
	float position[3], quaternion[4], angles[3], position_scale[3], angle_scale[3];
	float to_bone[12]; /* from the pose it was compiled in */
} bspi_source_bone;

typedef struct bspi_source_part {
	int32_t model_count, base, models_at;
} bspi_source_part;

typedef struct bspi_source_model {
	int32_t mesh_count, meshes_at, vertex_count, first_vertex_byte;
} bspi_source_model;

typedef struct bspi_source_mesh {
	int32_t slot, vertex_count, first_vertex, kind;
} bspi_source_mesh;

typedef struct bspi_source_vertex {
	float weights[3];
	uint8_t bones[3], bone_count;
	float position[3], normal[3], uv[2];
} bspi_source_vertex;

/* A model while it is read. */
typedef struct bspi_studio {
	const bspi_source_header *header;
	bspi_bytes triangles; /* the VTX file */
	bool wide; /* its strip groups and strips have eight bytes more */
	const bspi_source_vertex *vertices;
	uint32_t vertex_count; /* in the order that LOD 0 counts them */
	float (*bones)[12];
	uint32_t bone_count; /* from the compiled pose to that of the game; NULL: none is turned */
} bspi_studio;

/* The vertices of LOD 0, in the order that models and triangles count them. source_vvd.c */
bool bspi_read_source_vertices(bspi_model_reader *reader, bspi_studio *source);
/* The triangles of the chosen models, part by part, from the VTX file. source_vtx.c */
bool bspi_open_source_triangles(bspi_model_reader *reader, bspi_studio *source);
bool bspi_read_source_triangles(bspi_model_reader *reader, const bspi_studio *source, const bspi_source_part *parts);
/* What the game does to the bones when the map starts. source_pose.c */
bool bspi_pose_source(bspi_model_reader *reader, bspi_studio *source);

extern const bspi_layout bspi_source_model_layout, bspi_source_mesh_layout; /* source_mdl.c */
extern const bspi_layout *const bspi_source_vertex_layouts[]; /* these end with NULL */
extern const bspi_layout *const bspi_source_triangle_layouts[];
extern const bspi_layout *const bspi_source_pose_layouts[];

#endif
