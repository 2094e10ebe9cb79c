/* light_ray.h - tests whether light gets from one point of a map to another, by tracing a ray through the brushes in
 * the leaves of the BSP tree. */
#ifndef BSPI_LIGHT_RAY_H
#define BSPI_LIGHT_RAY_H

#include "stages/stages.h"

typedef struct bspi_light_ray {
	float share;                       /* how far the ray gets, as a share of its length; 1: nothing blocks the light */
	uint32_t surface_flags;            /* flags of the surface that blocks the light */
} bspi_light_ray;

/* Traces a ray. Each visited node and brush side subtracts 1 from *budget. Once the budget is used up, rays count as
 * blocked. Brushes that contain the start are ignored, because models may stand inside the floor. Only for Source maps
 * that passed validation. */
bspi_light_ray bspi_trace_light(const bspi_map *map, const float from[3], const float to[3], uint64_t *budget);

#endif
