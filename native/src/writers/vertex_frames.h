/* vertex_frames.h - positions of moving vertices in frames, in the axes of y_up.h. */
#ifndef BSPI_VERTEX_FRAMES_H
#define BSPI_VERTEX_FRAMES_H

#include <bspscene/scene.h>

/* Hashes a vertex's movement, which is all its frames, or its bones and weights. */
uint64_t bspi_vertex_movement(const bspscene_mesh *mesh, uint32_t vertex);
/* Returns how far a vertex moves in a frame from the mesh, in meters. Its normal is that of the back if `flip`. */
void bspi_frame_shift(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex,
                      float out[3]);
void bspi_frame_turn(const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex, bool flip, float out[3]);
/* True if the mesh has frames of vertices besides its own pose. */
bool bspi_has_shapes(const bspscene_mesh *mesh);

#endif
