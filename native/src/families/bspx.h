/* bspx.h - the BSPX container that newer Quake and Quake II compilers append: named lumps behind the last one.
 * Source: FTE's specs/bspx.txt with the corrections of id-tech.md 4.2. */
#ifndef BSPI_BSPX_H
#define BSPI_BSPX_H

#include "map/family.h"

/* The lump `name`, or an empty span. `lumps` are the file's own, which tell where the container can begin. */
bspi_bytes bspi_bspx_find(bspi_bytes file, const bspi_lump *lumps, const char *name);

/* Per-face light layout: DECOUPLED_LM, else LMSHIFT, LMOFFSET and LMSTYLE, into the faces and light_projections. Lumps of
 * the wrong size are counted and left out. */
bool bspi_bspx_faces(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

#endif
