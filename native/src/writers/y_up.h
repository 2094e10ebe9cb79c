/* y_up.h - converts the game's axes to those of most formats: Y is up and lengths are meters; (x, y, z) of the game
 * becomes (x, z, -y) * meters_per_unit. Vertices and transforms of nodes are converted in the same way, so the node
 * tree keeps its structure. */
#ifndef BSPI_Y_UP_H
#define BSPI_Y_UP_H

#include <bspscene/scene.h>

typedef bspscene_bone_pose bspi_trs;

#define BSPI_TRS_NONE { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } }

bspi_trs bspi_y_up_transform(const float transform[12], float meters_per_unit);
/* Returns the matrix in the order of columns, as glTF and FBX store it. */
void bspi_y_up_matrix(const float transform[12], float meters_per_unit, float out[16]);
bspi_trs bspi_y_up_pose(const bspscene_bone_pose *pose, float meters_per_unit);
/* Rotates an object so that what looks along -Z looks along +X. Lights and cameras look along -Z in formats, but along
 * +X in the scene. */
void bspi_look_along_x(float rotation[4]);

void bspi_y_up_position(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t vertex, float out[3]);
/* Returns a unit normal, or straight up if the mesh's normal has no direction. `flip`: the normal of the back side. */
void bspi_y_up_normal(const bspscene_mesh *mesh, uint32_t vertex, bool flip, float out[3]);

/* A camera in the units of formats: radians and meters. height_angle is the vertical field of view of the game's 4:3
 * picture. */
typedef struct bspi_view {
	float aspect, height_angle, near_plane, far_plane;
} bspi_view;

bspi_view bspi_view_of(const bspscene_scene *scene, const bspscene_camera *camera);

#endif
