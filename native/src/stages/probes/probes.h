/* probes.h - stored light for moving objects: grid points, samples of an octree, and cubes in leaves. A probe is read
 * as linear light on surfaces that face six directions. A sample of a grid has an ambient and a directed light: a
 * surface that faces the light gets both, one that faces away gets the ambient light, and others follow the cosine, as
 * in the engine. */
#ifndef BSPI_PROBES_H
#define BSPI_PROBES_H

#include "stages/light/light.h"

typedef enum bspi_probe_kind {
	BSPI_NO_PROBES, BSPI_GRID_PROBES, BSPI_OCTREE_PROBES, BSPI_CUBE_PROBES
} bspi_probe_kind;

enum { BSPI_SIDES = 6, BSPI_GRID_DIRECTIONS = 256 };

typedef struct bspi_probe {
	bspscene_light_probe shown;
	const uint8_t *stored;             /* in the map: a record of the grid, RGB of the octree, or a cube's luxels */
	uint32_t point;                    /* grid: index of the point; cubes: index of the leaf; else 0 */
	uint8_t set;                       /* grid: which of the record's sets has the probe's style */
} bspi_probe;

typedef struct bspi_probes {
	bspi_probe_kind kind;
	bspi_probe *items; uint32_t count; /* all probes of a point are consecutive */
	uint32_t sets;                     /* sets in a record of the grid */
	double light[2 * 255 + 1];         /* linear light of stored bytes, and of sums of two */
} bspi_probes;

/* Return the offsets, in a record of the grid, of a set's ambient and directed color, and of the bytes that all sets
 * share. */
static inline size_t bspi_ambient_at(uint32_t set)
{
	return 3 * (size_t)set;
}
static inline size_t bspi_directed_at(const bspi_probes *probes, uint32_t set)
{
	return 3 * ((size_t)probes->sets + set);
}
static inline size_t bspi_direction_at(const bspi_probes *probes)
{
	return probes->sets > 1 ? 28 : 6;
}

/* Converts a stored direction to a unit vector to the light. */
void bspi_probe_direction(const uint8_t stored[2], double out[3]);
/* Lists the probes in `arena`. out->kind is BSPI_NO_PROBES if the map has none. */
bool bspi_find_probes(bspi_build *build, bspi_arena *arena, bspi_probes *out);
/* Computes linear light (1 shows a texture as it is) from +x -x +y -y +z -z. */
void bspi_probe_light(const bspi_probes *probes, const bspi_probe *probe, double out[BSPI_SIDES][3]);

/* Format and size of a luxel in pages of the load's encoding, DISPLAY or HDR. A probe has six. */
bspscene_lightmap_page_format bspi_probe_format(const bspi_build *build);
size_t bspi_probe_luxel_size(const bspi_build *build);
void bspi_probe_luxels(const bspi_build *build, const bspi_probes *probes, const bspi_probe *probe, void *out);

#define BSPI_PROBE_LIST "probes"

#endif
