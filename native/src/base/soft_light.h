/* soft_light.h - a soft light for maps without light, by which surfaces of different directions can be told apart. */
#ifndef BSPI_SOFT_LIGHT_H
#define BSPI_SOFT_LIGHT_H

/* Returns a display factor of about 1: brightest from above, and different for walls at right angles. */
static inline float bspi_soft_light(const float normal[3])
{
	static const float toward[3] = { 0.1f, 0.06f, 0.28f };
	const float even = 0.72f;
	return even + normal[0] * toward[0] + normal[1] * toward[1] + normal[2] * toward[2];
}

#endif
