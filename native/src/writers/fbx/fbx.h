/* fbx.h - what the parts of the FBX writer share.
 *
 *     fbx.c            the row fbx: the document, and its files in order
 *     fbx_object.c     objects of a document, and what they hang on
 *     fbx_record.c     records and properties -> bytes
 *     fbx_array.c      elements of arrays, and how they are packed
 *     fbx_property.c   the typed properties of objects; facts -> user properties
 *     fbx_mesh.c       meshes -> geometries
 *     fbx_layer.c      points, polygons, normals, texture coordinates and colors of a geometry
 *     fbx_material.c   looks -> materials
 *     fbx_texture.c    pictures -> textures and videos
 *     fbx_node.c       nodes -> models
 *     fbx_model.c      models in their places, with lamps and cameras
 *     fbx_rig/         how meshes move
 *
 * Space is as y_up.h has it, in meters. No description of the format is public; what readers and the SDK's own files
 * agree on is written where it is used. */
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

/* Kinds of objects, in the order of Definitions. */
typedef enum bspi_fbx_object {
	BSPI_FBX_GLOBAL_SETTINGS, BSPI_FBX_MODEL, BSPI_FBX_NODE_ATTRIBUTE, BSPI_FBX_GEOMETRY, BSPI_FBX_MATERIAL,
	BSPI_FBX_TEXTURE, BSPI_FBX_VIDEO,
	/* Of what moves; in no document without it. */
	BSPI_FBX_DEFORMER, BSPI_FBX_CLUSTER, BSPI_FBX_POSE, BSPI_FBX_STACK, BSPI_FBX_ANIMATION_LAYER, BSPI_FBX_CURVE_NODE,
	BSPI_FBX_CURVE, BSPI_FBX_OBJECT_COUNT, BSPI_FBX_STILL_COUNT = BSPI_FBX_DEFORMER
} bspi_fbx_object;

/* Which set of coordinates a texture lies on, and whether it repeats. */
typedef enum bspi_fbx_placing {
	BSPI_FBX_REPEAT, BSPI_FBX_CLAMP, BSPI_FBX_LIGHTMAP, BSPI_FBX_PLACING_COUNT
} bspi_fbx_placing;

typedef struct bspi_fbx_link {
	int64_t child, parent;             /* 0: the root of the document */
	const char *property;              /* of the parent, static; NULL: the child hangs below it */
} bspi_fbx_link;

/* A sequence of a rig; times are as the file has them. */
typedef struct bspi_fbx_take {
	const char *name;
	int64_t end;
} bspi_fbx_take;

typedef struct bspi_fbx_material {
	bspi_look look;
	bspi_lit_section lit;              /* when light is baked */
	int64_t id;
	uint32_t next;                     /* of the same scene material */
} bspi_fbx_material;

/* One of the vertices that a point is, which are alike in all frames. */
typedef struct bspi_fbx_point {
	uint32_t vertex;
	bool flip;                         /* it is seen from behind */
} bspi_fbx_point;

/* Of a scene mesh. */
typedef struct bspi_fbx_geometry {
	int64_t id;                        /* 0: nothing to draw */
	uint32_t first_material, material_count; /* into slots */
	/* Of a mesh with a rig. */
	bool has_model;                    /* each of its models has a geometry of its own */
	const bspi_fbx_point *points; uint32_t point_count;
} bspi_fbx_geometry;

#define BSPI_FBX_MOST_COMPONENTS 4     /* of a value of a layer */

/* What a geometry is made with, for the largest mesh, and used again for each. Tasks only read it. */
typedef struct bspi_fbx_scratch {
	uint32_t *corners;                 /* vertex of each corner */
	uint32_t *sections;                /* of each triangle */
	uint32_t corner_count;
	uint32_t *movements;               /* of each vertex of what moves: those that are alike move alike */
	uint32_t *points;                  /* of each corner: welded position */
	bspi_unique_values unique;         /* the points */
	uint32_t *numbers;                 /* of points */
	uint32_t *slots; size_t slot_count;/* triangles by their points, open addressing, a power of two */
	uint32_t copy_count;               /* points behind the others, which copy those in numbers */
	uint32_t *slot_of_section;         /* of the mesh: which of the geometry's materials it has */
	const bspi_lit_section *lit;       /* of the mesh's sections, when light is baked; else NULL */
	const float *lit_uvs;              /* of its vertices in the picture; NULL: none is there */
} bspi_fbx_scratch;

typedef struct bspi_fbx {
	bspi_writer *writer;
	const bspscene_scene *scene;
	bspi_fbx_file file;
	bspi_buffer links;                 /* bspi_fbx_link */
	int64_t last_id;
	int32_t counts[BSPI_FBX_OBJECT_COUNT];
	size_t count_places[BSPI_FBX_OBJECT_COUNT], total_place; /* in the file, to be filled in */
	float scale;                       /* units of the file per meter */
	bool moves;                        /* some mesh has a rig */
	const bspscene_sequence *first_sequence; /* of all rigs; or NULL */
	int64_t longest;                   /* sequence */
	bspi_buffer takes;                 /* bspi_fbx_take */

	bspi_fbx_scratch scratch;
	bspi_fbx_geometry *geometries;     /* per scene mesh */
	bspi_fbx_material *materials; uint32_t material_count;
	uint32_t *first_materials;         /* per scene material */
	uint32_t *slots; uint32_t slot_count; /* materials of the geometries, each in its polygons' order */
	uint32_t *slot_of;                 /* per material: its place among those of the geometry in work */
	bspi_picture_set pictures;
	int64_t *videos;                   /* per picture; 0: not written yet */
	int64_t (*textures)[BSPI_FBX_PLACING_COUNT];
	bool *lamps;                       /* per light of the scene: is written */
	bspi_lit lit;                      /* when light is baked */
	uint32_t lit_pictures[BSPI_LIT_MOST_SHEETS];
} bspi_fbx;

/* ---- fbx.c ------------------------------------------------------------------------------------------------ */

/* The whole document in version 7400 or 7500. *too_large: nothing was written, because the version cannot hold it. */
bool bspi_fbx_write_version(bspi_writer *writer, uint32_t version, bool *too_large);

/* ---- fbx_object.c ----------------------------------------------------------------------------------------- */

#define BSPI_FBX_SECOND 46186158000    /* of a time in the file */

/* When a frame of a sequence is, its first at 0. */
int64_t bspi_fbx_time_of(const bspscene_sequence *sequence, double frame);

/* Opens the record of an object and returns its id; the caller closes the record. */
int64_t bspi_fbx_open_object(bspi_fbx *fbx, bspi_fbx_object kind, const char *name, const char *subclass);
void bspi_fbx_link_to(bspi_fbx *fbx, int64_t child, int64_t parent, const char *property);
/* What a kind's records are called. */
const char *bspi_fbx_record_of(bspi_fbx_object kind);

/* ---- fbx_property.c --------------------------------------------------------------------------------------- */

/* Types and flags of properties; readers insist on them. */
typedef enum bspi_fbx_type {
	BSPI_FBX_DOUBLE, BSPI_FBX_NUMBER, BSPI_FBX_FIELD_OF_VIEW, BSPI_FBX_INT, BSPI_FBX_ENUM, BSPI_FBX_BOOL,
	BSPI_FBX_COLOR_RGB, BSPI_FBX_COLOR, BSPI_FBX_VECTOR, BSPI_FBX_TRANSLATION, BSPI_FBX_ROTATION, BSPI_FBX_SCALING,
	BSPI_FBX_TEXT, BSPI_FBX_URL, BSPI_FBX_DATE, BSPI_FBX_COMPOUND, BSPI_FBX_TIME,
	BSPI_FBX_USER_TEXT, BSPI_FBX_USER_DOUBLE, BSPI_FBX_USER_INT, BSPI_FBX_USER_BOOL, BSPI_FBX_TYPE_COUNT
} bspi_fbx_type;

void bspi_fbx_open_properties(bspi_fbx *fbx); /* to be closed by bspi_fbx_close */
void bspi_fbx_number(bspi_fbx *fbx, bspi_fbx_type type, const char *name, double value);
void bspi_fbx_integer(bspi_fbx *fbx, bspi_fbx_type type, const char *name, int32_t value);
void bspi_fbx_triple(bspi_fbx *fbx, bspi_fbx_type type, const char *name, const double values[3]);
void bspi_fbx_words(bspi_fbx *fbx, bspi_fbx_type type, const char *name, const char *text);
void bspi_fbx_moment(bspi_fbx *fbx, const char *name, int64_t value);

/* A node's facts: its entity's keys by their names, ours as "bspscene.kind" and so on. Frees them. */
void bspi_fbx_put_node_facts(bspi_fbx *fbx, json_t *facts);
/* All members as "bspscene.MEMBER". Frees them. */
void bspi_fbx_put_own_facts(bspi_fbx *fbx, json_t *facts);

/* ---- The others ------------------------------------------------------------------------------------------- */

/* A fourth of writing a mesh is done, besides its materials. */
void bspi_fbx_step(bspi_fbx *fbx, const bspscene_mesh *mesh);
bool bspi_fbx_put_geometries(bspi_fbx *fbx);
/* Of a scene mesh, in place of the one that it had. */
bool bspi_fbx_put_geometry(bspi_fbx *fbx, uint32_t mesh);

/* fbx_layer.c: of scratch.corners. Every vertex of a mesh may have a value of its own. */
uint64_t bspi_fbx_most_values(const bspscene_mesh *mesh);
/* Welded positions to scratch.points. */
void bspi_fbx_number_points(bspi_fbx *fbx, const bspscene_mesh *mesh);
/* Points, polygons and all that lies on them. */
bool bspi_fbx_put_layers(bspi_fbx *fbx, const bspscene_mesh *mesh, const bspi_fbx_geometry *geometry);

/* As bspi_look_of has it; with baked light the page stays, for who wants both. */
bspi_look bspi_fbx_look_of(const bspi_fbx *fbx, const bspscene_section *section);
/* The pictures that bspi_fbx_find_material will want, so that they can be made together. */
void bspi_fbx_foresee_textures(bspi_fbx *fbx, const bspscene_section *section, const bspi_lit_section *lit);
/* The material of a section's look, as a number of fbx->materials; it is written when it is new. lit may be NULL. */
bool bspi_fbx_find_material(bspi_fbx *fbx, const bspscene_section *section, const bspi_lit_section *lit, uint32_t *out);

/* Textures are objects of their own, to be linked to materials once those are written; 0: the image has no bytes. */
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
	const bspscene_node *node;         /* whose mesh, lamp or camera it is */
	bspi_trs trs;
	int64_t parent;
	json_t *facts;                     /* taken over; may be NULL */
} bspi_fbx_model;

int64_t bspi_fbx_put_model(bspi_fbx *fbx, const bspi_fbx_model *model);
/* A name with an ending behind it. NULL: out of memory. */
const char *bspi_fbx_child_name(bspi_fbx *fbx, const char *name, const char *ending);
/* Degrees about x, then y, then z. */
void bspi_fbx_angles_of(const float rotation[4], double out[3]);

bool bspi_fbx_put_nodes(bspi_fbx *fbx);

/* fbx_rig/fbx_rig.c: bones, shapes and sequences of a node's mesh below its model. */
bool bspi_fbx_put_rig(bspi_fbx *fbx, uint32_t node, int64_t model);

#endif
