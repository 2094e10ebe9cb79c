/* lamp.h - lights of the scene as the lamps of other formats: the brightest, because every lamp costs viewers time with
 * every pixel, and Babylon.js shows nothing of a file with more than about twelve. All values are in the facts.
 *
 * One rule for all formats: a white surface 100 game units in front of a lamp (a sun: anywhere) shows
 *
 *
 * illuminance_at_100_units.
 * glTF's hosts show white where such a surface gets pi lux, so a lamp has pi * illuminance_at_100_units * (100 * meters_per_unit)^2
 * candela and a sun pi * illuminance_at_100_units lux (lighting.h). Hosts that count watts, Blender first of all, show white at pi
 * watts per square meter: lux there are watts as they are, without the 683 lumens that the eye sees in one. */
#ifndef BSPI_LAMP_H
#define BSPI_LAMP_H

#include "writers/writers.h"

typedef struct bspi_lamp {
	bool is_spot, is_sun;              /* neither: a point */
	float color[3];                    /* linear, 0..1 */
	float intensity;                   /* candela; suns: lux */
	float range;                       /* meters; 0: not bounded */
	float inner_angle, outer_angle;    /* spots: half angles in radians, inner < outer */
} bspi_lamp;

/* A bool per light: it becomes a lamp. By default there are none where the light is in the file already, and as many as
 * viewers bear where it is not. */
bool bspi_choose_lamps(bspi_writer *writer, bool **out);
bspi_lamp bspi_lamp_of(const bspscene_scene *scene, const bspscene_light *light);
/* Watts that a point or spot lamp would send in all directions; a sun's watts per square meter. */
float bspi_lamp_watts(const bspi_lamp *lamp);

#endif
