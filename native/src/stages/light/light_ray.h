/* light_ray.h - tests if light gets from one point of a map to another: a ray through the brushes in the tree's
 * leaves. */
#ifndef BSPI_LIGHT_RAY_H
#define BSPI_LIGHT_RAY_H

#include "stages/stages.h"

typedef struct bspi_light_ray {
	float share;                       /* free share of the way; 1: all of it */
	uint32_t surface_flags;            /* of the surface that it hits */
} bspi_light_ray;

/* Traces a ray. Visited nodes and brush sides are subtracted from `*budget`; at 0 the ray counts as blocked. Brushes
 * around the start are ignored, because models stand in floors. Only for checked Source maps. */
bspi_light_ray bspi_trace_light(const bspi_map *map, const float from[3], const float to[3], uint64_t *budget);

#endif
