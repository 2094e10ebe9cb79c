/* collision.h - what the collision stages share: bodies, and the meshes that they become. */
#ifndef BSPI_COLLISION_H
#define BSPI_COLLISION_H

#include "stages/collision/convex.h"
#include "stages/stages.h"

/* Contents have a dozen values in real maps. Beyond this number they share the last material. */
enum { BSPI_MOST_COLLISION_MATERIALS = 256 };

/* A collision mesh, for the nodes that show its model. */
typedef struct bspi_collision_mesh {
	uint32_t mesh;                     /* into scene->meshes */
	uint32_t model;
	const char *suffix;                /* appended to the model's or node's name: "collision", "hull0", ... (static) */
} bspi_collision_mesh;

struct bspi_collision {
	bspi_collision_mesh *meshes;       /* in the order of models */
	uint32_t mesh_count, mesh_capacity;
	uint32_t drawn_meshes;             /* number of scene meshes before them */
};

/* A body of the current mesh. */
typedef struct bspi_piece {
	uint32_t contents, source, leaf;   /* as bspscene_face has them */
	uint32_t first_vertex, vertex_count, first_index, index_count; /* in the maker's arrays */
} bspi_piece;

typedef struct bspi_collision_maker {
	bspi_build *build;
	struct bspi_collision *out;
	uint64_t work_left;                /* points and corners that may still be processed */
	bool stopped;                      /* work_left was used up: counted, no more bodies are made */

	bspi_piece *pieces; uint32_t piece_count, piece_capacity;
	float *positions, *normals; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity;

	bspscene_mesh *meshes; uint32_t mesh_count, mesh_capacity;
	bspscene_face *faces; uint32_t face_count, face_capacity;
	bspscene_material *materials; uint32_t material_count;
	bspi_body *buffers;                /* three bodies, used in turn for clipping */
} bspi_collision_maker;

/* Subtracts a cut of the body from work_left. False if it is used up. collision_mesh.c */
bool bspi_spend_work(bspi_collision_maker *maker, const bspi_body *body);
/* Adds a body to the current mesh, unless its volume is too small. collision_mesh.c */
bool bspi_add_piece(bspi_collision_maker *maker, const bspi_body *body, uint32_t contents, uint32_t source,
                    uint32_t leaf);
/* Makes a mesh of the bodies added since the last one, if there are any. collision_mesh.c */
bool bspi_finish_collision_mesh(bspi_collision_maker *maker, uint32_t model, const char *suffix);

/* Add the brushes of all models; and, for maps without brushes, the trees of points and players. brushes.c, hulls.c */
bool bspi_collide_brushes(bspi_collision_maker *maker);
bool bspi_collide_hulls(bspi_collision_maker *maker);

#endif
