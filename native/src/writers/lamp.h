/* lamp.h - lights of the scene as the lamps of other formats: the brightest, because every lamp costs viewers time with
 * every pixel, and Babylon.js shows nothing of a file with more than about twelve. All values are in the facts.
 *
 * Units: a host without exposure shows white where a white surface gets pi lux, so a lamp gets
 * pi * light_at_100 * (100 * metres_per_unit)^2 candela and a directional light pi * light_at_100 lux (lighting.h);
 * hosts with an exposure scale all lights alike. */
#ifndef BSPI_LAMP_H
#define BSPI_LAMP_H

#include "writers/writers.h"

typedef struct bspi_lamp {
	bool is_spot, is_sun;              /* neither: a point */
	float color[3];                    /* linear, 0..1 */
	float intensity;                   /* candela; suns: lux */
	float range;                       /* metres; 0: not bounded */
	float inner_angle, outer_angle;    /* spots: half angles in radians, inner < outer */
} bspi_lamp;

/* A bool per light: it becomes a lamp. By default there are as many as viewers bear, and none with vertex light. */
bool bspi_choose_lamps(bspi_writer *writer, bool **out);
bspi_lamp bspi_lamp_of(const bspscene_scene *scene, const bspscene_light *light);

#endif
