/* vbsp_tables.h - the lumps of Source maps and the tables that read them, by version. See vbsp.c. */
#ifndef BSPI_VBSP_TABLES_H
#define BSPI_VBSP_TABLES_H

#include "map/family.h"

enum {
	VBSP_ENTITIES, VBSP_PLANES, VBSP_TEXDATA, VBSP_VERTICES, VBSP_VISIBILITY, VBSP_NODES, VBSP_TEXINFO,
	VBSP_FACES, VBSP_LIGHTING, VBSP_OCCLUSION, VBSP_LEAFS, VBSP_FACE_IDS, VBSP_EDGES, VBSP_SURFEDGES,
	VBSP_MODELS, VBSP_WORLD_LIGHTS, VBSP_LEAF_FACES, VBSP_LEAF_BRUSHES, VBSP_BRUSHES, VBSP_BRUSH_SIDES,
	VBSP_AREAS, VBSP_AREA_PORTALS, VBSP_DISPINFO = 26, VBSP_DISP_VERTICES = 33, VBSP_GAME_LUMP = 35, VBSP_PAKFILE = 40, VBSP_NAMES = 43, VBSP_NAME_OFFSETS = 44,
	VBSP_LIGHTING_HDR = 53, VBSP_FACES_HDR = 58, VBSP_LUMPS = 64
};

enum { VBSP_ROW_COUNT = 19 };
extern const bspi_lump_row bspi_vbsp_rows_17[VBSP_ROW_COUNT]; /* Vampire: faces with eight styles */
extern const bspi_lump_row bspi_vbsp_rows_18[VBSP_ROW_COUNT]; /* betas: average colours before each face */
extern const bspi_lump_row bspi_vbsp_rows_19[VBSP_ROW_COUNT]; /* ambient light inside the leafs */
extern const bspi_lump_row bspi_vbsp_rows_20[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_25[VBSP_ROW_COUNT]; /* Strata: 32-bit indices */

/* The static props of the game lump into map->static_props. What does not fit is left out, counted. vbsp_props.c */
bool bspi_read_static_props(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_bytes file, int32_t version, bspi_map *map);

#endif
