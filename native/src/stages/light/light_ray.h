/* light_ray.h - does light get from one point of a map to another: a ray through the brushes of the tree's leafs. */
#ifndef BSPI_LIGHT_RAY_H
#define BSPI_LIGHT_RAY_H

#include "stages/stages.h"

typedef struct bspi_light_ray {
	float share;                       /* of the way that is free; 1: all of it */
	uint32_t surface_flags;            /* of what it ends at */
} bspi_light_ray;

/* Returns true if the way is free. Nodes and brush sides are subtracted from `*budget`; at 0 the way counts as blocked.
 * Brushes around the start do not count, because models stand in floors. Checked Source maps. */
bspi_light_ray bspi_trace_light(const bspi_map *map, const float from[3], const float to[3], uint64_t *budget);

#endif
