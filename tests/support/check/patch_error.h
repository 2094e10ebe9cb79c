/* patch_error.h - measures the distance between a patch's triangles and its surface. */
#ifndef BSPT_PATCH_ERROR_H
#define BSPT_PATCH_ERROR_H

#include "stages/stages.h"

/* Returns the largest distance from a point on the surface to the nearest triangle, in game units. Call it after
 * bspi_build_meshes. */
double bspt_patch_error(const bspi_build *build, const bspscene_face *patch);

#endif
