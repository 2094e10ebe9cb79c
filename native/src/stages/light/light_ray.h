/* light_ray.h - tests whether light gets from one point of a map to another, by tracing a ray through the brushes in
 * the leaves of the BSP tree. */
#ifndef BSPI_LIGHT_RAY_H
#define BSPI_LIGHT_RAY_H

#include "stages/stages.h"

typedef struct bspi_light_ray {
	float share;                       /* share of the way that is free; 1: nothing blocks the light */
	uint32_t surface_flags;            /* flags of the surface that blocks the light */
} bspi_light_ray;

/* Traces a ray. Subtracts visited nodes and brush sides from *budget. When that is used up, the ray counts as blocked.
 * Brushes around the start are ignored, because models stand in floors. Only for checked Source maps. */
bspi_light_ray bspi_trace_light(const bspi_map *map, const float from[3], const float to[3], uint64_t *budget);

#endif
