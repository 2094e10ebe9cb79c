/* vertex_frames.h - vertices of a mesh that moves: where frames have them, as y_up.h has space. */
#ifndef BSPI_VERTEX_FRAMES_H
#define BSPI_VERTEX_FRAMES_H

#include <bspscene/scene.h>

/* What tells a vertex's movement from that of others: all its frames, or its bones and their weights. */
uint64_t bspi_vertex_movement(const bspscene_mesh *mesh, uint32_t vertex);
/* How far it is in a frame from where the mesh has it, in meters, and its normal; flip: as it is seen from behind. */
void bspi_frame_shift(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex,
                      float out[3]);
void bspi_frame_turn(const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex, bool flip, float out[3]);
/* It has frames of vertices, and more than the one that the mesh is in. */
bool bspi_has_shapes(const bspscene_mesh *mesh);

#endif
