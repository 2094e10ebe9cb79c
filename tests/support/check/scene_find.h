/* scene_find.h - parts of a scene by name, for tests that know what they are looking for. */
#ifndef BSPT_SCENE_FIND_H
#define BSPT_SCENE_FIND_H

#include <bspscene/bspscene.h>

/* End the program if there is none of that name. */
const bspscene_mesh *bspt_find_mesh(const bspscene_scene *scene, const char *name);
const bspscene_node *bspt_find_node(const bspscene_scene *scene, const char *name);
/* Returns the part of a mesh made from a face of the file; NULL: none. */
const bspscene_face *bspt_find_face(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t source);
/* Returns how many times this warning occurred, in all lumps together. */
uint32_t bspt_count_warnings(const bspscene_scene *scene, bspscene_warning_code code);

#endif
