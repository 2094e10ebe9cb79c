/* collision.h - data of the collision stages: convex bodies, and the meshes made of them. */
#ifndef BSPI_COLLISION_H
#define BSPI_COLLISION_H

#include "stages/collision/convex.h"
#include "stages/stages.h"

/* Real maps have about a dozen different contents. In maps with more than this, the others share the last material. */
enum { BSPI_MOST_COLLISION_MATERIALS = 256 };

/* A mesh of a model's collision bodies. */
typedef struct bspi_collision_mesh {
	uint32_t mesh;                     /* into scene->meshes */
	uint32_t model;
	const char *suffix;                /* appended to the model's or node's name: "collision", "hull0", ... (static) */
} bspi_collision_mesh;

struct bspi_collision {
	bspi_collision_mesh *meshes;       /* in the order of models */
	uint32_t mesh_count, mesh_capacity;
	uint32_t drawn_meshes;             /* number of the scene's meshes before collision meshes were added */
};

/* A body of the mesh that is being made. */
typedef struct bspi_piece {
	uint32_t contents, source, leaf;   /* as bspscene_face has them */
	uint32_t first_vertex, vertex_count, first_index, index_count; /* ranges of the maker's arrays */
} bspi_piece;

typedef struct bspi_collision_maker {
	bspi_build *build;
	struct bspi_collision *out;
	uint64_t work_left;                /* points and corners of bodies that may still be processed */
	bool stopped;                      /* work_left was used up: a warning was counted, and no more bodies are made */

	bspi_piece *pieces; uint32_t piece_count, piece_capacity;
	float *positions, *normals; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity;

	bspscene_mesh *meshes; uint32_t mesh_count, mesh_capacity;
	bspscene_face *faces; uint32_t face_count, face_capacity;
	bspscene_material *materials; uint32_t material_count;
	bspi_body *buffers;                /* three bodies, used in turn for clipping */
} bspi_collision_maker;

/* Subtracts the work of cutting a body from work_left. Returns false if it is used up. collision_mesh.c */
bool bspi_spend_work(bspi_collision_maker *maker, const bspi_body *body);
/* Adds a body to the current mesh, unless its volume is too small. collision_mesh.c */
bool bspi_add_piece(bspi_collision_maker *maker, const bspi_body *body, uint32_t contents, uint32_t source,
                    uint32_t leaf);
/* Makes a mesh of the bodies that were added since the last mesh, if there are any. collision_mesh.c */
bool bspi_finish_collision_mesh(bspi_collision_maker *maker, uint32_t model, const char *suffix);

/* Add the brushes of all models; or, for maps without brushes, the bodies of hull 0 (points) and hull 1 (players).
 * brushes.c, hulls.c */
bool bspi_collide_brushes(bspi_collision_maker *maker);
bool bspi_collide_hulls(bspi_collision_maker *maker);

#endif
