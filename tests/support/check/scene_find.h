/* scene_find.h - finds parts of a scene by name. */
#ifndef BSPT_SCENE_FIND_H
#define BSPT_SCENE_FIND_H

#include <bspscene/scene.h>

/* Return the mesh or node of that name. End the program if there is none. */
const bspscene_mesh *bspt_find_mesh(const bspscene_scene *scene, const char *name);
const bspscene_node *bspt_find_node(const bspscene_scene *scene, const char *name);
/* Returns the part of a mesh that was made from a face record, or NULL. */
const bspscene_face *bspt_find_face(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t source);
/* Returns how many times this warning occurred, in all lumps together. */
uint32_t bspt_count_warnings(const bspscene_scene *scene, bspscene_warning_code code);

#endif
