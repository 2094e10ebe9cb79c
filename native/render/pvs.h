/* pvs.h - what the map's own visibility (PVS) would keep an engine from drawing. */
#ifndef BSPR_PVS_H
#define BSPR_PVS_H

#include <bspscene/render.h>

/* Sets hidden[t] of the triangles of the mesh's faces that are in no leaf which the eye's may see. The mesh is the
 * world's, of the scene's tree. Nothing is hidden where the map has no visibility or the eye is outside of it. */
void bspr_hide_unseen(const bspscene_scene *scene, const bspscene_mesh *mesh, const float eye[3], bool *hidden);

#endif
