/* soft_light.h - a soft light for maps without light, by which surfaces of different directions can be told apart. */
#ifndef BSPI_SOFT_LIGHT_H
#define BSPI_SOFT_LIGHT_H

/* Returns the brightness of a surface with this normal, as a factor for display values: 1 if it faces up, less for
 * walls, 0.44 if it faces down. Walls at right angles to each other have different factors. */
static inline float bspi_soft_light(const float normal[3])
{
	static const float toward[3] = { 0.1f, 0.06f, 0.28f };
	const float even = 0.72f;
	return even + normal[0] * toward[0] + normal[1] * toward[1] + normal[2] * toward[2];
}

#endif
