/* lamp.h - converts lights of the scene to lamps of other formats. By default only the brightest are written,
 * because each lamp costs viewers time for each pixel. (Babylon.js shows nothing of a file with more than about
 * twelve.) The facts in the file have the values of all lights.
 *
 * One rule holds for all formats: a white surface 100 game units in front of a lamp (of a sun: anywhere) shows
 * illuminance_at_100_units. Hosts of glTF show white at pi lux. So with I = illuminance_at_100_units, a lamp has
 * pi * I * (100 * meters_per_unit)^2 candela, and a sun has pi * I lux (lighting.h). Hosts that use watts, such as
 * Blender, show white at pi watts per square meter. Their watts equal these lux, without the 683 lumens per watt. */
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

/* Chooses the lamps that are written: *out has a bool for each light. By default there are none if the file stores
 * light in another way, else as many as viewers can handle. */
bool bspi_choose_lamps(bspi_writer *writer, bool **out);
bspi_lamp bspi_lamp_of(const bspscene_scene *scene, const bspscene_light *light);
/* Returns the power in watts of a point or spot lamp over the whole sphere, or a sun's watts per square meter. */
float bspi_lamp_watts(const bspi_lamp *lamp);

#endif
