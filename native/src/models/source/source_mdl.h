/* source_mdl.h - the records of Source's studio models (MDL 44 to 49), their vertices (VVD 4) and triangles (VTX 7),
 * and what Bloodlines' (MDL 2531, VTX 107) have in common with them. */
#ifndef BSPI_SOURCE_MDL_H
#define BSPI_SOURCE_MDL_H

#include "models/model.h"

#define BSPI_SOURCE_STATIC_PROP 0x10u /* flag of models that are drawn as they were compiled */

typedef struct bspi_source_header {
	uint32_t checksum, flags;
	float light_point[3];
	int32_t bone_count, bones_at, animation_count, animations_at, sequence_count, sequences_at, texture_count,
		textures_at, folder_count, folders_at, slot_count, family_count, skins_at, part_count, parts_at;
	int32_t attachment_count, attachments_at;
	uint8_t root_lod;
} bspi_source_header;

typedef struct bspi_source_bone {
	int32_t name_at;                   /* from its record */
	int32_t parent;
	float position[3], quaternion[4], angles[3], position_scale[3], angle_scale[3];
	float to_bone[12]; /* from the pose it was compiled in */
} bspi_source_bone;

typedef struct bspi_source_part {
	int32_t model_count, base, models_at;
} bspi_source_part;

typedef struct bspi_source_model {
	int32_t mesh_count, meshes_at, vertex_count, eye_count, eyes_at;
	int32_t first_vertex_byte;         /* in the VVD */
	int32_t vertices_at;               /* Bloodlines: from the record, */
	uint32_t kind;                     /* how they are stored, */
	float bias[3], scale[3];           /* and unpacked */
} bspi_source_model;

typedef struct bspi_source_mesh {
	int32_t slot, vertex_count, first_vertex, kind;
	int32_t eye;                       /* of its model's, where it is one's ball */
} bspi_source_mesh;

typedef struct bspi_source_eyeball {
	int32_t bone;
	float origin[3], squint, radius;   /* the tangent of the angle between where it looks and where it aims */
	float up[3], forward[3], iris_scale;
} bspi_source_eyeball;

/* An eye that looks straight ahead, in the pose that the model was compiled in. */
typedef struct bspi_source_eye {
	float origin[3], up[3], lift;
	float iris[2][4];                  /* position -> place in the iris's picture */
	bool is_iris;                      /* of its two layers */
	uint32_t slot;                     /* index of the iris texture */
} bspi_source_eye;

typedef struct bspi_source_vertex {
	float weights[3];
	uint8_t bones[3], bone_count;
	float position[3], normal[3], uv[2];
} bspi_source_vertex;

typedef struct bspi_studio bspi_studio;

typedef struct bspi_studio_texture {
	int32_t name_at; /* from its record */
} bspi_studio_texture;

/* Common fields of textures and meshes, in records of `size` bytes. */
#define BSPI_STUDIO_TEXTURE_FIELDS(size) FIELD(bspi_studio_texture, name_at, 0, I32), SKIP("others", 4, (size) - 4)
#define BSPI_STUDIO_MESH_FIELDS(size) \
	FIELD(bspi_source_mesh, slot, 0, I32), SKIP("model", 4, 4), FIELD(bspi_source_mesh, vertex_count, 8, I32), \
	FIELD(bspi_source_mesh, first_vertex, 12, I32), SKIP("flexes", 16, 8), FIELD(bspi_source_mesh, kind, 24, I32), \
	FIELD(bspi_source_mesh, eye, 28, I32), SKIP("others", 32, (size) - 32)

/* The records of a VTX version. Groups and strips have a narrow and a wide form, or NULL. */
typedef struct bspi_triangle_tables {
	int32_t version;
	const bspi_layout *mesh, *groups[2], *strips[2], *vertex;
	const bspi_layout *short_vertex; /* of groups with flag 0x10; NULL: there are none such */
} bspi_triangle_tables;

/* Differences between the studio models of two engines. `take_vertices` adds the vertices of one model; NULL: those of
 * all models are there already. */
typedef struct bspi_studio_tables {
	const bspi_layout *model, *mesh, *eyeball;
	const bspi_triangle_tables *triangles;
	const char *const *triangle_endings; /* of the VTX file, the best one first; ends with NULL */
	bool (*take_vertices)(bspi_model_reader *reader, bspi_studio *studio, int64_t model_at,
	                      const bspi_source_model *model);
	/* From the compiled pose to a bone. False: refused. */
	bool (*take_to_bone)(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12]);
} bspi_studio_tables;

/* A model while it is read. */
struct bspi_studio {
	const bspi_source_header *header;
	const bspi_studio_tables *tables;
	bspi_bytes triangles;              /* the VTX file */
	bool wide;                         /* its strip groups and strips have eight bytes more */
	const bspi_source_vertex *vertices;
	uint32_t vertex_count;             /* in the order that LOD 0 counts them */
	uint32_t next_number;              /* of a vertex, counted through the groups of the first level of all models */
	uint32_t visits;
	const bspi_source_eye *eye;        /* the eyeball being read; NULL: none */
	bool has_irises;                   /* the model has as many slots and materials once more, for these */
	float (*bones)[12];
	uint32_t bone_count;               /* from the compiled pose to that of the game; NULL: none is turned */
};

/* The vertices of LOD 0, in the order that models and triangles count them. source_vvd.c */
bool bspi_read_source_vertices(bspi_model_reader *reader, bspi_studio *source);
/* The triangles of the chosen models, part by part, from the VTX file. source_vtx.c */
bool bspi_open_source_triangles(bspi_model_reader *reader, bspi_studio *source);
bool bspi_read_studio_parts(bspi_model_reader *reader, bspi_studio *source);
/* Applies the game's changes to the bones when the map starts. source_pose.c */
bool bspi_pose_source(bspi_model_reader *reader, bspi_studio *source);
bool bspi_source_to_bone(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12]);
/* How the model moves; its vertices stay as they were compiled, but for the quarter turn. source_rig.c */
bool bspi_rig_source(bspi_model_reader *reader, bspi_studio *source);
/* The turn of models whose pose cannot be read. source_pose.c */
void bspi_turn_quarter(float out[12]);
/* The eye that a mesh is the ball of. *found false: it has none, and is drawn as any mesh; *has_iris: there is a
 * picture to throw upon it. source_eyes.c */
bool bspi_find_source_eye(bspi_model_reader *reader, bspi_studio *source, int64_t model_at,
                          const bspi_source_model *model, const bspi_source_mesh *mesh, bspi_source_eye *out,
                          bool *found, bool *has_iris);
/* Computes an eyeball's vertex as the game does. source_eyes.c */
void bspi_shape_eye(const bspi_source_eye *eye, bspi_source_vertex *vertex);
/* Materials, looked for in the model's folders, and skins. studio_materials.c */
bool bspi_read_studio_materials(bspi_model_reader *reader, const bspi_source_header *header,
                                const bspi_layout *texture_layout);

extern const bspi_triangle_tables bspi_source_triangle_tables, bspi_vampire_triangle_tables; /* source_vtx.c */
extern const bspi_layout *const bspi_studio_material_layouts[]; /* these end with NULL */
extern const bspi_layout *const bspi_source_vertex_layouts[];
extern const bspi_layout bspi_source_eyeball_layout, bspi_vampire_eyeball_layout; /* source_eyes.c */
extern const bspi_layout *const bspi_source_triangle_layouts[];
extern const bspi_layout *const bspi_source_pose_layouts[];

#endif
