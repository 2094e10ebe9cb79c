/* collision.h - what the collision stages share: bodies on their way into meshes of their own. */
#ifndef BSPI_COLLISION_H
#define BSPI_COLLISION_H

#include "stages/collision/convex.h"
#include "stages/stages.h"

/* A mesh of collision, for the nodes that show its model. */
typedef struct bspi_collision_mesh {
	uint32_t mesh;                     /* into scene->meshes */
	uint32_t model;
	const char *suffix;                /* "collision", "hull0", ...: static; suffix of the model's or node's name */
} bspi_collision_mesh;

struct bspi_collision {
	bspi_collision_mesh *meshes;       /* in order of their models */
	uint32_t mesh_count, mesh_capacity;
	uint32_t drawn_meshes;             /* those of the scene that come before them */
};

/* A body in the mesh being made. */
typedef struct bspi_piece {
	uint32_t contents, source, leaf;   /* as bspscene_face has them */
	uint32_t first_vertex, vertex_count, first_index, index_count; /* in the maker's arrays */
} bspi_piece;

typedef struct bspi_collision_maker {
	bspi_build *build;
	struct bspi_collision *out;
	uint64_t work_left;                /* points and corners that may still be looked at */
	bool stopped;                      /* nothing of it is left: counted, no more bodies are made */

	bspi_piece *pieces; uint32_t piece_count, piece_capacity;
	float *positions, *normals; uint32_t vertex_count, vertex_capacity;
	uint32_t *indices; uint32_t index_count, index_capacity;

	bspscene_mesh *meshes; uint32_t mesh_count, mesh_capacity;
	bspscene_face *faces; uint32_t face_count, face_capacity;
	bspscene_material *materials; uint32_t material_count;
	bspi_body *buffers;                /* three, for cutting in turns */
} bspi_collision_maker;

/* Counts a cut of the body; false when the map has used up its work. */
bool bspi_spend_work(bspi_collision_maker *maker, const bspi_body *body);
/* Adds a body to the mesh being made, unless it has no inside. */
bool bspi_add_piece(bspi_collision_maker *maker, const bspi_body *body, uint32_t contents, uint32_t source,
                    uint32_t leaf);
/* Makes a mesh of the bodies added since the last, if there are any. */
bool bspi_finish_collision_mesh(bspi_collision_maker *maker, uint32_t model, const char *suffix);

/* Brushes of all models, and the point's and player's hulls of trees for maps without brushes. brushes.c, hulls.c */
bool bspi_collide_brushes(bspi_collision_maker *maker);
bool bspi_collide_hulls(bspi_collision_maker *maker);

#endif
