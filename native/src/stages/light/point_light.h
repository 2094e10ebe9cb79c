/* point_light.h - the light at a point of a finished scene, for objects in it. */
#ifndef BSPI_POINT_LIGHT_H
#define BSPI_POINT_LIGHT_H

#include "base/floor.h"

/* bspi_light_at_point implements bspscene_sample_light, and bspi_light_on_normal implements bspscene_shade_normal.
 * `floors` has the floors of the world. If it is NULL, the meshes of the world are searched. */
bool bspi_light_at_point(const bspscene_scene *scene, const bspi_floors *floors, const float point[3],
                         bspscene_light_sample *out);
void bspi_light_on_normal(const bspscene_light_sample *light, const float normal[3], float out[3]);

#endif
