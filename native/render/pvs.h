/* pvs.h - finds what an engine would not draw, by the map's potentially visible set (PVS). */
#ifndef BSPR_PVS_H
#define BSPR_PVS_H

#include <bspscene/render.h>

/* Sets hidden[t] for triangles of the world's mesh that are in no leaf visible from the eye's. Nothing is hidden if the
 * map has no visibility or the eye is outside. */
void bspr_hide_unseen(const bspscene_scene *scene, const bspscene_mesh *mesh, const float eye[3], bool *hidden);

#endif
