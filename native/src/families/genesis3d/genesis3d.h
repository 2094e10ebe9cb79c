/* genesis3d.h - what the files of the family share. */
#ifndef BSPI_GENESIS3D_H
#define BSPI_GENESIS3D_H

#include "map/family.h"

/* Flags of surfaces. */
enum {
	GENESIS3D_MIRROR = 0x1, GENESIS3D_SKY = 0x4, GENESIS3D_TRANSPARENT = 0x10, GENESIS3D_NO_LIGHTMAP = 0x8000,
	GENESIS3D_BY_VERTEX = 0x20 | 0x40  /* their light varies, or is one color */
};

/* Y is up in the file. */
static inline void bspi_genesis3d_turn(float v[3])
{
	float up = v[1];
	v[1] = 0 - v[2];
	v[2] = up;
}

/* Of a face's surface. */
uint32_t bspi_genesis3d_flags(const bspi_map *map, const bspi_face *f);
/* Corners to surfedges, and faces to polygons with their luxels. Before the map is turned. */
bool bspi_genesis3d_faces(bspi_ctx *ctx, bspi_map *map);
/* Faces that are lit by the colors of vertices to triangles. Behind that. */
bool bspi_genesis3d_vertex_light(bspi_ctx *ctx, bspi_bytes colors, bspi_map *map);

/* Counts and lengths before bytes -> text as Quake's, Z up, with brush models as "*1". What does not fit ends it,
 * counted. */
bool bspi_genesis3d_entities(bspi_ctx *ctx, const bspi_lump *lump, bspi_bytes *text);

#endif
