/* lamp.h - Lights of the scene as lamps of other formats: the brightest ones, because every lamp costs viewers time
 * with every pixel. Babylon.js shows nothing of a file with more than about twelve. The facts of the file have all
 * values.
 *
 * One rule for all formats: a white surface 100 game units in front of a lamp (of a sun: anywhere) shows
 * illuminance_at_100_units. Hosts of glTF show white at pi lux, so with I = illuminance_at_100_units a lamp has
 * pi * I * (100 * meters_per_unit)^2 candela and a sun has pi * I lux (lighting.h). Hosts that count watts, Blender
 * first of all, show white at pi watts per square meter: their watts are these lux, without the 683 lumens per watt. */
#ifndef BSPI_LAMP_H
#define BSPI_LAMP_H

#include "writers/writers.h"

typedef struct bspi_lamp {
	bool is_spot, is_sun;              /* neither: a point light */
	float color[3];                    /* linear, 0..1 */
	float intensity;                   /* candela; suns: lux */
	float range;                       /* meters; 0: not bounded */
	float inner_angle, outer_angle;    /* spots: half angles in radians, inner < outer */
} bspi_lamp;

/* Chooses the lamps, with a bool per light. By default none if the file already has the light, else as many as viewers
 * can handle. */
bool bspi_choose_lamps(bspi_writer *writer, bool **out);
bspi_lamp bspi_lamp_of(const bspscene_scene *scene, const bspscene_light *light);
/* Returns the power in watts of a point or spot lamp over the whole sphere, or a sun's watts per square meter. */
float bspi_lamp_watts(const bspi_lamp *lamp);

#endif
