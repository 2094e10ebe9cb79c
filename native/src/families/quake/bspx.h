/* bspx.h - the BSPX container that newer Quake and Quake II compilers append: named lumps behind the last one. Source:
 * FTE's specs/bspx.txt with the corrections of docs/formats/quake.md, "BSPX". */
#ifndef BSPI_BSPX_H
#define BSPI_BSPX_H

#include "map/family.h"

/* The lump `name`, or an empty span. `lumps` are the file's own, which tell where the container can begin. */
bspi_bytes bspi_bspx_find(bspi_bytes file, const bspi_lump *lumps, const char *name);

/* The styles of faces, from LMSTYLE16 or LMSTYLE. bspx_styles.c */
bool bspi_bspx_read_styles(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

/* What stands beside the map's own records; lumps of the wrong size are counted and left out:
 *   DECOUPLED_LM, else LMSHIFT and LMOFFSET: light of faces and light_projections
 *   FACENORMALS, VERTEXNORMALS: normals of smoothed faces
 *   BRUSHLIST: brushes of the models, when the map has none
 *   LIGHTGRID_OCTREE: a view, for stages/light/light_grid.c */
bool bspi_bspx_read(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

#endif
