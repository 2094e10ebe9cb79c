/* pvs.h - finds triangles that an engine would not draw, by the map's potentially visible set (PVS). */
#ifndef BSPR_PVS_H
#define BSPR_PVS_H

#include <bspscene/render.h>

/* Sets hidden[t] for triangles of the world's mesh that are only in leaves invisible from the eye's leaf. Hides nothing
 * if the map has no visibility data or the eye is outside of the map. */
void bspr_hide_unseen(const bspscene_scene *scene, const bspscene_mesh *mesh, const float eye[3], bool *hidden);

#endif
