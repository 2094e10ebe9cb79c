/* vertex_frames.c - see vertex_frames.h. */
#include "writers/vertex_frames.h"

#include "base/text.h"
#include "writers/y_up.h"

static uint64_t add_hash(uint64_t hash, const void *data, size_t size)
{
	return hash * 31 + bspi_hash(data, size);
}

uint64_t bspi_vertex_movement(const bspscene_mesh *mesh, uint32_t vertex)
{
	uint64_t hash = 0;
	if (mesh->joints) {
		hash = add_hash(hash, mesh->joints + 4 * (size_t)vertex, 4 * sizeof *mesh->joints);
		hash = add_hash(hash, mesh->weights + 4 * (size_t)vertex, 4 * sizeof *mesh->weights);
	}
	for (uint32_t frame = 0; mesh->frame_positions && frame < mesh->rig->frame_count; frame++) {
		size_t at = 3 * ((size_t)frame * mesh->vertex_count + vertex);
		hash = add_hash(hash, mesh->frame_positions + at, 3 * sizeof(float));
		hash = add_hash(hash, mesh->frame_normals + at, 3 * sizeof(float));
	}
	return hash;
}

static bspscene_mesh in_frame(const bspscene_mesh *mesh, uint32_t frame)
{
	const size_t first = 3 * (size_t)frame * mesh->vertex_count;
	return (bspscene_mesh){ .positions = mesh->frame_positions + first, .normals = mesh->frame_normals + first };
}

static void subtract(const float from[3], const float to[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = to[i] - from[i];
}

void bspi_frame_shift(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex,
                      float out[3])
{
	const bspscene_mesh moved = in_frame(mesh, frame);
	float from[3], to[3];
	bspi_y_up_position(scene, mesh, vertex, from);
	bspi_y_up_position(scene, &moved, vertex, to);
	subtract(from, to, out);
}

void bspi_frame_turn(const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex, bool flip, float out[3])
{
	const bspscene_mesh moved = in_frame(mesh, frame);
	float from[3], to[3];
	bspi_y_up_normal(mesh, vertex, flip, from);
	bspi_y_up_normal(&moved, vertex, flip, to);
	subtract(from, to, out);
}

bool bspi_has_shapes(const bspscene_mesh *mesh)
{
	return mesh->rig && mesh->frame_positions && mesh->rig->frame_count > 1;
}
