/* probes.h - stored light for moving objects: grid points, samples of an octree, cubes in leaves.
 *
 * A grid's sample is an ambient and a directed light. Seen as linear light from six sides, a side facing away from the
 * direction has the light that the engine shows on a surface there; a side facing it has both lights; and those between
 * follow the cosine. */
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
	uint32_t point;                    /* grid: index of the point; cubes: their leaf; else 0 */
	uint8_t set;                       /* grid: the style's set in the record */
} bspi_probe;

typedef struct bspi_probes {
	bspi_probe_kind kind;
	bspi_probe *items; uint32_t count; /* all probes of a point follow each other */
	uint32_t sets;                     /* sets in a record of the grid */
	double light[2 * 255 + 1];         /* linear light of stored bytes, and of sums of two */
} bspi_probes;

/* Offset of a set's colors in a grid's record, and of what all sets share. */
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

/* Returns a unit vector to the light. */
void bspi_probe_direction(const uint8_t stored[2], double out[3]);
/* Lists the probes in `arena`. The kind is NO_PROBES if the map has none. */
bool bspi_find_probes(bspi_build *build, bspi_arena *arena, bspi_probes *out);
/* Returns linear light (1 shows a texture unchanged) from +x -x +y -y +z -z. */
void bspi_probe_light(const bspi_probes *probes, const bspi_probe *probe, double out[BSPI_SIDES][3]);

/* Format and size of a luxel in pages of the load's encoding, DISPLAY or HDR. A probe has six. */
bspscene_lightmap_page_format bspi_probe_format(const bspi_build *build);
size_t bspi_probe_luxel_size(const bspi_build *build);
void bspi_probe_luxels(const bspi_build *build, const bspi_probes *probes, const bspi_probe *probe, void *out);

#define BSPI_PROBE_LIST "probes"

#endif
