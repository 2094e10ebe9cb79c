/* vertex_frames.h - how vertices move in the frames of a rig, in the axes of y_up.h. */
#ifndef BSPI_VERTEX_FRAMES_H
#define BSPI_VERTEX_FRAMES_H

#include <bspscene/scene.h>

/* Returns a hash of how a vertex moves: of its positions in all frames, or of its bones and their weights. */
uint64_t bspi_vertex_movement(const bspscene_mesh *mesh, uint32_t vertex);
/* bspi_frame_shift computes the vector from a vertex's position in the mesh to its position in a frame, in meters.
 * bspi_frame_turn computes a vertex's normal in a frame minus its normal in the mesh. If `flip` is true, it uses the
 * normals of the back side. */
void bspi_frame_shift(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex,
                      float out[3]);
void bspi_frame_turn(const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex, bool flip, float out[3]);
/* True if the mesh has several frames of vertices. */
bool bspi_has_shapes(const bspscene_mesh *mesh);

#endif
