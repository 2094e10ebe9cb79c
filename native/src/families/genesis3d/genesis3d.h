/* genesis3d.h - functions and constants for the files of the Genesis3D family. */
#ifndef BSPI_GENESIS3D_H
#define BSPI_GENESIS3D_H

#include "map/family.h"

/* Surface flags. */
enum {
	GENESIS3D_MIRROR = 0x1, GENESIS3D_SKY = 0x4, GENESIS3D_TRANSPARENT = 0x10, GENESIS3D_NO_LIGHTMAP = 0x8000,
	GENESIS3D_BY_VERTEX = 0x20 | 0x40  /* lit by vertex colors: 0x20 several colors, 0x40 one color */
};

/* Converts from Y up to Z up. */
static inline void bspi_genesis3d_turn(float v[3])
{
	float up = v[1];
	v[1] = 0 - v[2];
	v[2] = up;
}

/* Returns the flags of a face's surface. */
uint32_t bspi_genesis3d_flags(const bspi_map *map, const bspi_face *f);
/* Fills map->surfedges from the lists of vertex indices, and makes the faces polygons with luxels. Call it before axes
 * are converted. */
bool bspi_genesis3d_faces(bspi_ctx *ctx, bspi_map *map);
/* Turns the faces that are lit by vertex colors into triangles. Call it after bspi_genesis3d_faces. */
bool bspi_genesis3d_vertex_light(bspi_ctx *ctx, bspi_bytes colors, bspi_map *map);

/* Converts the binary entities to Quake's text. Converts axes to Z up, and names brush models "*1" and so on. The text
 * ends where the data is damaged; a warning is counted. */
bool bspi_genesis3d_entities(bspi_ctx *ctx, const bspi_lump *lump, bspi_bytes *text);

#endif
