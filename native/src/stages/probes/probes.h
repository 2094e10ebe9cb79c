/* probes.h - where a map stores light for what moves, and what that is: points of its grid, samples of an octree, cubes
 * in leafs.
 *
 * What a grid's sample holds is seen as linear light: as bright as the engine shows a surface that looks away from the
 * directed light, and one that looks into it, and between both by the cosine: so what a lamp gives is such a sample. */
#ifndef BSPI_PROBES_H
#define BSPI_PROBES_H

#include "stages/light/light.h"

typedef enum bspi_probe_kind {
	BSPI_NO_PROBES, BSPI_GRID_PROBES, BSPI_OCTREE_PROBES, BSPI_CUBE_PROBES
} bspi_probe_kind;

enum { BSPI_SIDES = 6, BSPI_GRID_DIRECTIONS = 256 };

typedef struct bspi_probe {
	bspscene_light_probe shown;
	const uint8_t *stored;             /* in the map: a grid's record, RGB of the octree, a cube's luxels */
	uint32_t point;                    /* of a grid: its number; of cubes: their leaf; else 0 */
	uint8_t set;                       /* of a grid's record: which of its styles */
} bspi_probe;

typedef struct bspi_probes {
	bspi_probe_kind kind;
	bspi_probe *items; uint32_t count; /* all of a point one after the other */
	uint32_t sets;                     /* of a grid's records */
	double light[2 * 255 + 1];         /* linear light of stored bytes, also of two added up */
} bspi_probes;

/* Colors of a set in a grid's record, and what all sets share. */
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

/* A unit vector to the light. */
void bspi_probe_direction(const uint8_t stored[2], double out[3]);
/* Those of a map, in `arena`; of a map without any the kind is NO_PROBES. */
bool bspi_find_probes(bspi_build *build, bspi_arena *arena, bspi_probes *out);
/* Linear light, 1 shows a texture as it is, from +x -x +y -y +z -z. */
void bspi_probe_light(const bspi_probes *probes, const bspi_probe *probe, double out[BSPI_SIDES][3]);

/* Luxels of a page of the load's encoding, DISPLAY or HDR: six for a probe. */
bspscene_lightmap_page_format bspi_probe_format(const bspi_build *build);
size_t bspi_probe_luxel_size(const bspi_build *build);
void bspi_probe_luxels(const bspi_build *build, const bspi_probes *probes, const bspi_probe *probe, void *out);

#define BSPI_PROBE_LIST "probes"

#endif
