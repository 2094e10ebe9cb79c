/* fbx.h - declarations that the parts of the FBX writer share.
 *
 *     fbx.c            the format's row; the document and its files in order
 *     fbx_object.c     objects of a document, and their connections
 *     fbx_record.c     bytes of records and properties
 *     fbx_array.c      elements of arrays, and their compression
 *     fbx_property.c   typed properties of objects; facts as user properties
 *     fbx_mesh.c       geometries of meshes
 *     fbx_layer.c      points, polygons, normals, texture coordinates and colors of a geometry
 *     fbx_material.c   materials
 *     fbx_texture.c    textures and videos (FBX's word for images)
 *     fbx_node.c       the tree of models (FBX's word for nodes)
 *     fbx_model.c      models with transforms, lamps and cameras
 *     fbx_rig/         bones, shapes and animation
 *
 * Axes are those of y_up.h, in meters. The format has no public description; where the code relies on what readers and
 * the SDK's own files agree on, a comment says so. */
#ifndef BSPI_FBX_H
#define BSPI_FBX_H

#include <bspscene/scene.h>

#include "writers/fbx/fbx_record.h"
#include "writers/picture_set.h"
#include "writers/scene_facts.h"
#include "writers/sky/written_sky.h"
#include "writers/unique_values.h"
#include "writers/lit/lit.h"
#include "writers/light/vertex_color.h"
#include "writers/writer_costs.h"
#include "writers/y_up.h"

/* Kinds of objects, in the order of the Definitions section. */
typedef enum bspi_fbx_object {
	BSPI_FBX_GLOBAL_SETTINGS, BSPI_FBX_MODEL, BSPI_FBX_NODE_ATTRIBUTE, BSPI_FBX_GEOMETRY, BSPI_FBX_MATERIAL,
	BSPI_FBX_TEXTURE, BSPI_FBX_VIDEO,
	/* Kinds of animation objects. A document without animation has none. */
	BSPI_FBX_DEFORMER, BSPI_FBX_CLUSTER, BSPI_FBX_POSE, BSPI_FBX_STACK, BSPI_FBX_ANIMATION_LAYER, BSPI_FBX_CURVE_NODE,
	BSPI_FBX_CURVE, BSPI_FBX_OBJECT_COUNT, BSPI_FBX_STILL_COUNT = BSPI_FBX_DEFORMER
} bspi_fbx_object;

/* Which coordinates a texture uses, and whether it repeats. */
typedef enum bspi_fbx_placing {
	BSPI_FBX_REPEAT, BSPI_FBX_CLAMP, BSPI_FBX_LIGHTMAP, BSPI_FBX_PLACING_COUNT
} bspi_fbx_placing;

typedef struct bspi_fbx_link {
	int64_t child, parent;             /* ids; parent 0: the root of the document */
	const char *property;              /* if the child sets a property of the parent, the name of the property, static;
	                                    * NULL: it is a plain child */
} bspi_fbx_link;

/* A sequence of a rig, for the section Takes. `end` is in the file's unit of time. */
typedef struct bspi_fbx_take {
	const char *name;
	int64_t end;
} bspi_fbx_take;

typedef struct bspi_fbx_material {
	bspi_look look;
	bspi_lit_section lit;              /* the part of the baked picture that the material shows, if light is baked */
	int64_t id;
	uint32_t next;                     /* index of the next material that comes from the same scene material */
} bspi_fbx_material;

/* One of the vertices of the scene that were welded to a point. In animations they all move alike. */
typedef struct bspi_fbx_point {
	uint32_t vertex;
	bool flip;                         /* the drawn side is the back, so its normal is negated */
} bspi_fbx_point;

/* The geometry of a scene mesh. */
typedef struct bspi_fbx_geometry {
	int64_t id;                        /* id of the geometry; 0: the mesh has nothing to draw */
	uint32_t first_material, material_count; /* a range of fbx->slots */
	/* Only used for meshes with a rig. Each model that shows such a mesh needs a geometry of its own. */
	bool has_model;                    /* a model uses this geometry already, so the next model gets another */
	const bspi_fbx_point *points; uint32_t point_count;
} bspi_fbx_geometry;

#define BSPI_FBX_MOST_COMPONENTS 4     /* largest number of components in one value of a layer */

/* Working memory for a geometry, allocated for the largest mesh and reused. Tasks only read it. */
typedef struct bspi_fbx_scratch {
	uint32_t *corners;                 /* vertex index of each corner */
	uint32_t *sections;                /* for each triangle, the index of its section */
	uint32_t corner_count;
	uint32_t *movements;               /* for each vertex of a moving mesh, the number of its group; vertices of a group
	                                    * always move alike */
	uint32_t *points;                  /* for each corner, the number of its welded point */
	bspi_unique_values unique;         /* used to find equal positions */
	uint32_t *numbers; /* in copied points: the point that each is a copy of; in shapes: the points that a frame
	                    * moves */
	uint32_t *slots; size_t slot_count;/* hash table of triangles by their points, with open addressing; its size is a
	                                    * power of two */
	uint32_t copy_count;               /* number of copied points; their numbers follow those of all other points */
	uint32_t *slot_of_section;         /* for each section of the mesh, the index of its material in the geometry */
	const bspi_lit_section *lit;       /* for each section of the mesh, its part of the baked picture; NULL unless light
	                                    * is baked */
	const float *lit_uvs;              /* position of each vertex in the baked picture; NULL: the mesh is not in it */
} bspi_fbx_scratch;

typedef struct bspi_fbx {
	bspi_writer *writer;
	const bspscene_scene *scene;
	bspi_fbx_file file;
	bspi_buffer links;                 /* an array of bspi_fbx_link, one for each connection of two objects */
	int64_t last_id;
	int32_t counts[BSPI_FBX_OBJECT_COUNT];
	size_t count_places[BSPI_FBX_OBJECT_COUNT], total_place; /* byte offsets in the file of the counts that are filled
	                                                          * in at the end */
	float scale;                       /* units of the file per meter */
	bool moves;                        /* some mesh has a rig */
	const bspscene_sequence *first_sequence; /* the first sequence of all rigs; NULL: no rig has one */
	int64_t longest;                   /* duration of the longest sequence, in the file's unit of time */
	bspi_buffer takes;                 /* an array of bspi_fbx_take, one for each sequence */

	bspi_fbx_scratch scratch;
	bspi_fbx_geometry *geometries;     /* one for each mesh of the scene */
	bspi_fbx_material *materials; uint32_t material_count;
	uint32_t *first_materials;         /* for each scene material, the index of its first bspi_fbx_material */
	uint32_t *slots; uint32_t slot_count; /* indices in `materials`; those of one geometry are consecutive */
	uint32_t *slot_of;                 /* for each material, its index in the current geometry */
	bspi_picture_set pictures;
	int64_t *videos;                   /* for each picture, the id of its video; 0: not written yet */
	int64_t (*textures)[BSPI_FBX_PLACING_COUNT];
	bool *lamps;                       /* for each light of the scene, true if it is written as a lamp */
	bspi_lit lit;                      /* the baked pictures, if light is baked */
	uint32_t lit_pictures[BSPI_LIT_MOST_SHEETS];
} bspi_fbx;

/* ---- fbx.c ------------------------------------------------------------------------------------------------ */

/* Writes the document in version 7400 or 7500. If offsets do not fit version 7400, *too_large is set and nothing is
 * written. */
bool bspi_fbx_write_version(bspi_writer *writer, uint32_t version, bool *too_large);

/* ---- fbx_object.c ----------------------------------------------------------------------------------------- */

#define BSPI_FBX_SECOND 46186158000    /* one second, in the file's unit of time */

/* Returns the time of a frame in the file's unit of time. The first frame of a sequence has time 0. */
int64_t bspi_fbx_time_of(const bspscene_sequence *sequence, double frame);

/* Begins the record of an object and returns its id. Close it with bspi_fbx_close. */
int64_t bspi_fbx_open_object(bspi_fbx *fbx, bspi_fbx_object kind, const char *name, const char *subclass);
void bspi_fbx_link_to(bspi_fbx *fbx, int64_t child, int64_t parent, const char *property);
/* Returns the name of the records for objects of a kind. */
const char *bspi_fbx_record_of(bspi_fbx_object kind);

/* ---- fbx_property.c --------------------------------------------------------------------------------------- */

/* Kinds of properties. Each stands for a type, a subtype and flags, which readers require in this combination. */
typedef enum bspi_fbx_type {
	BSPI_FBX_DOUBLE, BSPI_FBX_NUMBER, BSPI_FBX_FIELD_OF_VIEW, BSPI_FBX_INT, BSPI_FBX_ENUM, BSPI_FBX_BOOL,
	BSPI_FBX_COLOR_RGB, BSPI_FBX_COLOR, BSPI_FBX_VECTOR, BSPI_FBX_TRANSLATION, BSPI_FBX_ROTATION, BSPI_FBX_SCALING,
	BSPI_FBX_TEXT, BSPI_FBX_URL, BSPI_FBX_DATE, BSPI_FBX_COMPOUND, BSPI_FBX_TIME,
	BSPI_FBX_USER_TEXT, BSPI_FBX_USER_DOUBLE, BSPI_FBX_USER_INT, BSPI_FBX_USER_BOOL, BSPI_FBX_TYPE_COUNT
} bspi_fbx_type;

void bspi_fbx_open_properties(bspi_fbx *fbx); /* Opens the record of properties. The caller closes it with
                                               * bspi_fbx_close. */
void bspi_fbx_number(bspi_fbx *fbx, bspi_fbx_type type, const char *name, double value);
void bspi_fbx_integer(bspi_fbx *fbx, bspi_fbx_type type, const char *name, int32_t value);
void bspi_fbx_triple(bspi_fbx *fbx, bspi_fbx_type type, const char *name, const double values[3]);
void bspi_fbx_words(bspi_fbx *fbx, bspi_fbx_type type, const char *name, const char *text);
void bspi_fbx_moment(bspi_fbx *fbx, const char *name, int64_t value);

/* Writes the facts about a node and frees them. Keys of the node's entity keep their names. Other facts get names such
 * as "bspscene.kind". */
void bspi_fbx_put_node_facts(bspi_fbx *fbx, json_t *facts);
/* Writes each member of `facts` as a property "bspscene.MEMBER", and frees `facts`. */
void bspi_fbx_put_own_facts(bspi_fbx *fbx, json_t *facts);

/* ---- Other files ------------------------------------------------------------------------------------------ */

bool bspi_fbx_put_geometries(bspi_fbx *fbx);
/* Writes another geometry for a mesh, for its next model. It takes the place of the earlier one in fbx->geometries. */
bool bspi_fbx_put_geometry(bspi_fbx *fbx, uint32_t mesh);

/* Returns an upper bound for the number of different values in a layer of a mesh. It allows for a value of its own at
 * every vertex. fbx_layer.c */
uint64_t bspi_fbx_most_values(const bspscene_mesh *mesh);
/* Welds equal positions to points, and stores the point of each corner in scratch.points. */
void bspi_fbx_number_points(bspi_fbx *fbx, const bspscene_mesh *mesh);
/* Writes points, polygons and layers. */
bool bspi_fbx_put_layers(bspi_fbx *fbx, const bspscene_mesh *mesh, const bspi_fbx_geometry *geometry);

/* Returns the same look as bspi_look_of. But its `page` is the section's lightmap page even if light is baked. */
bspi_look bspi_fbx_look_of(const bspi_fbx *fbx, const bspscene_section *section);
/* Announces the pictures that bspi_fbx_find_material will need, so that they can be made in parallel. */
void bspi_fbx_foresee_textures(bspi_fbx *fbx, const bspscene_section *section, const bspi_lit_section *lit);
/* Finds the material of a section, and writes it if it is new. *out is its index in fbx->materials. `lit` may be
 * NULL. */
bool bspi_fbx_find_material(bspi_fbx *fbx, const bspscene_section *section, const bspi_lit_section *lit, uint32_t *out);

/* Writes a texture object, which the caller links to its material. *id is 0 if the image has no bytes. */
bool bspi_fbx_image_texture(bspi_fbx *fbx, uint32_t image, bspi_picture_use use, bspi_fbx_placing placing, int64_t *id,
                            bool *transparent);
int64_t bspi_fbx_lit_texture(bspi_fbx *fbx, uint32_t sheet);
bool bspi_fbx_page_texture(bspi_fbx *fbx, uint32_t page, int64_t *id, const bspi_set_picture **picture);

/* ---- fbx_model.c ------------------------------------------------------------------------------------------ */

typedef enum bspi_fbx_model_kind {
	BSPI_FBX_NULL, BSPI_FBX_MESH, BSPI_FBX_LAMP, BSPI_FBX_CAMERA, BSPI_FBX_LIMB
} bspi_fbx_model_kind;

typedef struct bspi_fbx_model {
	const char *name;
	bspi_fbx_model_kind kind;
	const bspscene_node *node;         /* the node that the model is made for */
	bspi_trs trs;
	int64_t parent;
	json_t *facts;                     /* facts of the node, which are freed; may be NULL */
} bspi_fbx_model;

int64_t bspi_fbx_put_model(bspi_fbx *fbx, const bspi_fbx_model *model);
/* Returns a name with a suffix, or NULL if memory is out. */
const char *bspi_fbx_child_name(bspi_fbx *fbx, const char *name, const char *ending);
/* Converts a quaternion to angles in degrees: rotations about x, then y, then z. */
void bspi_fbx_angles_of(const float rotation[4], double out[3]);

bool bspi_fbx_put_nodes(bspi_fbx *fbx);

/* Writes the bones, shapes and sequences of a node's mesh. They become children of the node's model.
 * fbx_rig/fbx_rig.c */
bool bspi_fbx_put_rig(bspi_fbx *fbx, uint32_t node, int64_t model);

#endif
