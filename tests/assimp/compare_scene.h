/* compare_scene.h - compares an aiScene with the scene that bspscene loads: the same triangles, uvs, lightmaps, lights,
 * cameras, entities and bounds, in Assimp's axes. Reports every difference. */
#ifndef BSPT_COMPARE_SCENE_H
#define BSPT_COMPARE_SCENE_H

#include <assimp/scene.h>

extern "C" {
#include "support/bspt.h"
}

/* True if `a` differs from `b` by at most 0.0001 * (1 + |b|). */
bool IsNear(double a, double b);

void CheckScene(const bspscene_scene &scene, const aiScene &out, bspt_report *report);

#endif
