/* probes.h - stored light for moving objects: grid points, samples of an octree, and cubes in leaves. A probe is read
 * as the linear light on six surfaces that face in six directions. A sample of a grid has an ambient and a directed
 * light. A surface that faces the directed light gets both; one that faces away gets only the ambient light. In
 * between, the cosine of the angle decides, as in the engine. */
#ifndef BSPI_PROBES_H
#define BSPI_PROBES_H

#include "stages/light/light.h"

typedef enum bspi_probe_kind {
	BSPI_NO_PROBES, BSPI_GRID_PROBES, BSPI_OCTREE_PROBES, BSPI_CUBE_PROBES
} bspi_probe_kind;

enum { BSPI_SIDES = 6, BSPI_GRID_DIRECTIONS = 256 };

typedef struct bspi_probe {
	bspscene_light_probe shown;
	const uint8_t *stored;             /* its data in the map: a record of the grid, RGB in the octree, or the luxels of
	                                    * a cube */
	uint32_t point;                    /* grids: index of the point; cubes: index of the leaf; otherwise 0 */
	uint8_t set;                       /* grids: the set of the record that has the style of the probe */
} bspi_probe;

typedef struct bspi_probes {
	bspi_probe_kind kind;
	bspi_probe *items; uint32_t count; /* all probes of a point are consecutive */
	uint32_t sets;                     /* number of sets in a record of the grid */
	double light[2 * 255 + 1];         /* linear light for each stored byte, and for each sum of two bytes */
} bspi_probes;

/* These return byte offsets in a record of the grid: of the ambient color of a set, of its directed color, and of the
 * direction, which all sets share. */
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

/* Converts a stored direction to a unit vector that points to the light. */
void bspi_probe_direction(const uint8_t stored[2], double out[3]);
/* Lists the probes in `arena`. out->kind is BSPI_NO_PROBES if the map has none. */
bool bspi_find_probes(bspi_build *build, bspi_arena *arena, bspi_probes *out);
/* Computes the linear light from six sides, in the order +x -x +y -y +z -z. Light of 1 shows a texture as it is. */
void bspi_probe_light(const bspi_probes *probes, const bspi_probe *probe, double out[BSPI_SIDES][3]);

/* Return the format and the size in bytes of a luxel, for pages in the encoding of the load (DISPLAY or HDR). A probe
 * has six luxels. */
bspscene_lightmap_page_format bspi_probe_format(const bspi_build *build);
size_t bspi_probe_luxel_size(const bspi_build *build);
void bspi_probe_luxels(const bspi_build *build, const bspi_probes *probes, const bspi_probe *probe, void *out);

#define BSPI_PROBE_LIST "probes"

#endif
