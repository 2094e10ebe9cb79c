/* lamp.h - converts lights of the scene to lamps of other formats. By default only the brightest lights are written
 * as lamps, because viewers need time for each lamp at each pixel. (If a file has more than about twelve lamps,
 * Babylon.js shows nothing of it.) The facts in the file list all lights with their values.
 *
 * One rule holds for all formats: a white surface 100 game units in front of a lamp (of a sun: anywhere) shows
 * illuminance_at_100_units. Hosts of glTF show white at pi lux. So with I = illuminance_at_100_units, a lamp has
 * pi * I * (100 * meters_per_unit)^2 candela, and a sun has pi * I lux (lighting.h). Hosts that use watts, such as
 * Blender, show white at pi watts per square meter. Their watts equal these lux, without the 683 lumens per watt. */
#ifndef BSPI_LAMP_H
#define BSPI_LAMP_H

#include "writers/writers.h"

typedef struct bspi_lamp {
	bool is_spot, is_sun;              /* both false: a point light */
	float color[3];                    /* linear RGB, 0..1 */
	float intensity;                   /* in candela; for suns in lux */
	float range;                       /* distance in meters up to which it shines; 0: not limited */
	float inner_angle, outer_angle;    /* for spots: half angles of the cone in radians; inner_angle < outer_angle */
} bspi_lamp;

/* Chooses the lights that are written as lamps: *out has a bool for each light. By default, no light is written if the
 * file stores light in another way. Otherwise as many are written as viewers can handle. */
bool bspi_choose_lamps(bspi_writer *writer, bool **out);
bspi_lamp bspi_lamp_of(const bspscene_scene *scene, const bspscene_light *light);
/* Returns the power of a point or spot lamp in watts, as if it shone in all directions. For a sun, returns watts per
 * square meter. */
float bspi_lamp_watts(const bspi_lamp *lamp);

#endif
