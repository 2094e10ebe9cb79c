/* y_up.h - the game's space to that of most formats: Y is up and lengths are meters, (x, y, z) of the game is
 * (x, z, -y) * meters_per_unit. Vertices and nodes are converted alike, so a tree of nodes stays as it is. */
#ifndef BSPI_Y_UP_H
#define BSPI_Y_UP_H

#include <bspscene/scene.h>

typedef bspscene_bone_pose bspi_trs;

#define BSPI_TRS_NONE { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } }

bspi_trs bspi_y_up_transform(const float transform[12], float meters_per_unit);
/* Its columns, as glTF and FBX have matrices. */
void bspi_y_up_matrix(const float transform[12], float meters_per_unit, float out[16]);
bspi_trs bspi_y_up_pose(const bspscene_bone_pose *pose, float meters_per_unit);
/* Turns what looks along +X, as lights and cameras of the scene do, so that it does when it looks along -Z. */
void bspi_look_along_x(float rotation[4]);

void bspi_y_up_position(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t vertex, float out[3]);
/* Of unit length: where the mesh's is not, straight up. flip: of the surface's back. */
void bspi_y_up_normal(const bspscene_mesh *mesh, uint32_t vertex, bool flip, float out[3]);

/* A camera of the scene, as formats want it: radians, meters. The game's field of view is that of a 4:3 picture. */
typedef struct bspi_view {
	float aspect, height_angle, near_plane, far_plane;
} bspi_view;

bspi_view bspi_view_of(const bspscene_scene *scene, const bspscene_camera *camera);

#endif
