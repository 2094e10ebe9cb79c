/* collision.h - what the collision stages share: convex bodies, and the meshes that are made from them. */
#ifndef BSPI_COLLISION_H
#define BSPI_COLLISION_H

#include "stages/collision/convex.h"
#include "stages/stages.h"

/* Limit. Real maps have about a dozen different contents. If a map has more than this, all further contents get the
 * last material. */
enum { BSPI_MOST_COLLISION_MATERIALS = 256 };

/* A mesh of the collision bodies of a model. */
typedef struct bspi_collision_mesh {
	uint32_t mesh;                     /* index in scene->meshes */
	uint32_t model;
	const char *suffix;                /* added to the name of the model or node: "collision", "hull0", ...; a
	                                    * static string */
} bspi_collision_mesh;

struct bspi_collision {
	bspi_collision_mesh *meshes;       /* in the order of models */
	uint32_t mesh_count, mesh_capacity;
	uint32_t drawn_meshes;             /* number of meshes in the scene before the collision meshes are added */
};

/* A convex body of the mesh that is being made. */
typedef struct bspi_piece {
	uint32_t contents, source, leaf;   /* values for the members of bspscene_face */
	uint32_t first_vertex, vertex_count, first_index, index_count; /* ranges in `positions`, `normals` and
	                                                                * `indices` of the maker */
} bspi_piece;

typedef struct bspi_collision_maker {
	bspi_build *build;
	struct bspi_collision *out;
	uint64_t work_left;                /* how much work is left, in points and corners of bodies */
	bool stopped;                      /* work_left was used up; a warning was counted, and no more bodies are
	                                    * made */

	bspi_piece *pieces; uint32_t piece_count, piece_capacity;
	float *positions, *normals; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity;

	bspscene_mesh *meshes; uint32_t mesh_count, mesh_capacity;
	bspscene_face *faces; uint32_t face_count, face_capacity;
	bspscene_material *materials; uint32_t material_count;
	bspi_body *buffers;                /* three bodies; clipping reads one and writes another */
} bspi_collision_maker;

/* Subtracts the work of clipping a body from work_left. Returns false if too little is left. collision_mesh.c */
bool bspi_spend_work(bspi_collision_maker *maker, const bspi_body *body);
/* Adds a body to the current mesh. Skips it if its volume is too small. collision_mesh.c */
bool bspi_add_piece(bspi_collision_maker *maker, const bspi_body *body, uint32_t contents, uint32_t source,
                    uint32_t leaf);
/* Makes a mesh of all bodies that were added since the last mesh was made. Does nothing if there are none.
 * collision_mesh.c */
bool bspi_finish_collision_mesh(bspi_collision_maker *maker, uint32_t model, const char *suffix);

/* The first adds the brushes of all models. The second is for maps without brushes, and adds the bodies of hull 0 (for
 * points) and hull 1 (for players). brushes.c, hulls.c */
bool bspi_collide_brushes(bspi_collision_maker *maker);
bool bspi_collide_hulls(bspi_collision_maker *maker);

#endif
