/* place_uv.c - see place_uv.h. */
#include "writers/light/place_uv.h"

#include <math.h>

#include <bspscene/material.h>

void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2])
{
	float cosine = (float)cos(material->uv_rotation_radians), sine = (float)sin(material->uv_rotation_radians);
	float u = uv[0] * material->uv_scale[0], v = uv[1] * material->uv_scale[1];
	out[0] = cosine * u - sine * v + material->uv_offset[0];
	out[1] = sine * u + cosine * v + material->uv_offset[1];
	if (!isfinite(out[0]) || !isfinite(out[1])) out[0] = out[1] = 0;
}
