/* bspx.h - the BSPX container: named lumps that newer compilers of Quake and Quake II append after the map's last
 * lump. Source: FTE's specs/bspx.txt with the corrections in docs/formats/quake.md, "BSPX". */
#ifndef BSPI_BSPX_H
#define BSPI_BSPX_H

#include "map/family.h"

/* Returns the lump `name`, or an empty span. `lumps` are the map's own lumps; the container begins after the last of
 * them. */
bspi_bytes bspi_bspx_find(bspi_bytes file, const bspi_lump *lumps, const char *name);

/* Reads the styles of faces from LMSTYLE16 or LMSTYLE. bspx_styles.c */
bool bspi_bspx_read_styles(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

/* Reads the other lumps. Lumps of the wrong size are ignored, with a warning.
 *   DECOUPLED_LM: light of faces, and light_projections; if it is missing, LMSHIFT and LMOFFSET: light of faces
 *   FACENORMALS, VERTEXNORMALS: normals of smoothed faces
 *   BRUSHLIST: brushes of the models, if the map has no brushes
 *   LIGHTGRID_OCTREE: not decoded here, but in stages/light/light_grid.c */
bool bspi_bspx_read(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

#endif
