/* source_mdl.h - records of Source's studio models (MDL 44 to 49), of their vertices (VVD 4) and of their triangles
 * (VTX 7). Bloodlines' models (MDL 2531, VTX 107) use some of the same records. */
#ifndef BSPI_SOURCE_MDL_H
#define BSPI_SOURCE_MDL_H

#include "models/model.h"

#define BSPI_SOURCE_STATIC_PROP 0x10u /* flag of a static prop, which is drawn in the compiled pose */

typedef struct bspi_source_header {
	uint32_t checksum, flags;
	float light_point[3];
	int32_t bone_count, bones_at, animation_count, animations_at, sequence_count, sequences_at, texture_count,
		textures_at, folder_count, folders_at, slot_count, family_count, skins_at, part_count, parts_at;
	int32_t attachment_count, attachments_at;
	uint8_t root_lod;
} bspi_source_header;

typedef struct bspi_source_bone {
	int32_t name_at;                   /* byte offset of the name, relative to this record */
	int32_t parent;
	float position[3], quaternion[4], angles[3], position_scale[3], angle_scale[3];
	float to_bone[12]; /* transform from the compiled pose to the bone */
} bspi_source_bone;

typedef struct bspi_source_part {
	int32_t model_count, base, models_at;
} bspi_source_part;

typedef struct bspi_source_model {
	int32_t mesh_count, meshes_at, vertex_count, eye_count, eyes_at;
	int32_t first_vertex_byte;         /* byte offset in the VVD */
	int32_t vertices_at;               /* Bloodlines: byte offset, relative to this record */
	uint32_t kind;                     /* Bloodlines: the form in which vertices are stored */
	float bias[3], scale[3];           /* Bloodlines: a compressed position is multiplied by `scale`, then `bias` is
	                                    * added */
} bspi_source_model;

typedef struct bspi_source_mesh {
	int32_t slot, vertex_count, first_vertex, kind;
	int32_t eye;                       /* if the mesh is an eyeball: index of the model's eye that it belongs to */
} bspi_source_mesh;

typedef struct bspi_source_eyeball {
	int32_t bone;
	float origin[3], squint, radius;   /* squint: tangent of the angle between forward and the target's
	                                    * direction */
	float up[3], forward[3], iris_scale;
} bspi_source_eyeball;

/* An eye that looks straight ahead, in the space of the compiled pose. */
typedef struct bspi_source_eye {
	float origin[3], up[3], lift;
	float iris[2][4];                  /* projects a position to the uv of the iris's texture */
	bool is_iris;                      /* true while the iris layer is read, false for the white */
	uint32_t slot;                     /* slot of the iris's material in the table of skins */
} bspi_source_eye;

typedef struct bspi_source_vertex {
	float weights[3];
	uint8_t bones[3], bone_count;
	float position[3], normal[3], uv[2];
} bspi_source_vertex;

typedef struct bspi_studio bspi_studio;

typedef struct bspi_studio_texture {
	int32_t name_at; /* byte offset of the name, relative to this record */
} bspi_studio_texture;

/* Fields at the same offsets in both games' textures or meshes. `size` is the size of the whole record. */
#define BSPI_STUDIO_TEXTURE_FIELDS(size) FIELD(bspi_studio_texture, name_at, 0, I32), SKIP("others", 4, (size) - 4)
#define BSPI_STUDIO_MESH_FIELDS(size) \
	FIELD(bspi_source_mesh, slot, 0, I32), SKIP("model", 4, 4), FIELD(bspi_source_mesh, vertex_count, 8, I32), \
	FIELD(bspi_source_mesh, first_vertex, 12, I32), SKIP("flexes", 16, 8), FIELD(bspi_source_mesh, kind, 24, I32), \
	FIELD(bspi_source_mesh, eye, 28, I32), SKIP("others", 32, (size) - 32)

/* Layouts of the records of a VTX version. Groups and strips may have a second, longer layout; NULL: they have none. */
typedef struct bspi_triangle_tables {
	int32_t version;
	const bspi_layout *mesh, *groups[2], *strips[2], *vertex;
	const bspi_layout *short_vertex; /* layout of vertices in groups that have flag 0x10; NULL: no group has it */
} bspi_triangle_tables;

/* Tables and functions in which Source's and Bloodlines' models differ. `take_vertices` reads the vertices of one
 * model. It is NULL if the vertices of all models were already read from another file. */
typedef struct bspi_studio_tables {
	const bspi_layout *model, *mesh, *eyeball;
	const bspi_triangle_tables *triangles;
	const char *const *triangle_endings; /* possible extensions of the VTX file, the preferred one first; ends with
	                                      * NULL */
	bool (*take_vertices)(bspi_model_reader *reader, bspi_studio *studio, int64_t model_at,
	                      const bspi_source_model *model);
	/* Stores in `out` the transform from the compiled pose to the space of a bone. Returns false if the file is
	 * refused. */
	bool (*take_to_bone)(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12]);
} bspi_studio_tables;

/* The model that is being read. */
struct bspi_studio {
	const bspi_source_header *header;
	const bspi_studio_tables *tables;
	bspi_bytes triangles;              /* content of the VTX file */
	bool wide;                         /* strip groups and strips have the long layout, with eight more bytes */
	const bspi_source_vertex *vertices;
	uint32_t vertex_count;             /* number of `vertices`. Source: those of level of detail 0 of all models.
	                                    * Bloodlines: those of the current model */
	/* Number that the next vertex gets. It counts all vertices in strip groups of level of detail 0, also those of
	 * models that are not shown, because files with stored light count in the same way. */
	uint32_t next_number;
	uint32_t visits;
	const bspi_source_eye *eye;        /* the eye to which the current mesh belongs; NULL: the mesh is not an eyeball */
	bool has_irises;                   /* the numbers of materials and slots were doubled, for irises */
	float (*bones)[12];
	uint32_t bone_count;               /* number of `bones`, which transform from the compiled pose to the shown one
	                                    * (NULL: identity) */
};

/* Reads the vertices of level of detail 0, in the order to which the indices in models and triangles refer.
 * source_vvd.c */
bool bspi_read_source_vertices(bspi_model_reader *reader, bspi_studio *source);
/* The first opens the VTX file. The second reads the triangles of the models that are to be shown. source_vtx.c */
bool bspi_open_source_triangles(bspi_model_reader *reader, bspi_studio *source);
bool bspi_read_studio_parts(bspi_model_reader *reader, bspi_studio *source);
/* Computes the pose in which the game shows the model when the map starts. source_pose.c */
bool bspi_pose_source(bspi_model_reader *reader, bspi_studio *source);
bool bspi_source_to_bone(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12]);
/* Adds the animation. The vertices stay in the compiled pose, but are rotated by a quarter turn. source_rig.c */
bool bspi_rig_source(bspi_model_reader *reader, bspi_studio *source);
/* Returns the rotation by a quarter turn, which models get if their pose cannot be read. source_pose.c */
void bspi_turn_quarter(float out[12]);
/* Finds the eye that a mesh belongs to. *found is false if there is none; then the mesh is drawn like any other.
 * *has_iris is true if the eye has a texture for its iris. source_eyes.c */
bool bspi_find_source_eye(bspi_model_reader *reader, bspi_studio *source, int64_t model_at,
                          const bspi_source_model *model, const bspi_source_mesh *mesh, bspi_source_eye *out,
                          bool *found, bool *has_iris);
/* Changes the normal of an eyeball's vertex as the game does. For the iris layer, also sets its uv and position.
 * source_eyes.c */
void bspi_shape_eye(const bspi_source_eye *eye, bspi_source_vertex *vertex);
/* Reads the materials and skins. Materials are looked for in the folders that the model lists.
 * studio_materials.c */
bool bspi_read_studio_materials(bspi_model_reader *reader, const bspi_source_header *header,
                                const bspi_layout *texture_layout);

extern const bspi_triangle_tables bspi_source_triangle_tables, bspi_vampire_triangle_tables; /* source_vtx.c */
extern const bspi_layout *const bspi_studio_material_layouts[]; /* this list and the next one end with NULL */
extern const bspi_layout *const bspi_source_vertex_layouts[];
extern const bspi_layout bspi_source_eyeball_layout, bspi_vampire_eyeball_layout; /* source_eyes.c */
extern const bspi_layout *const bspi_source_triangle_layouts[];
extern const bspi_layout *const bspi_source_pose_layouts[];

#endif
