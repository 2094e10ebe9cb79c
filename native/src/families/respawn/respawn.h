/* respawn.h - maps of Respawn's games (rBSP): Titanfall, Titanfall 2 and Apex Legends. See respawn.c. */
#ifndef BSPI_RESPAWN_H
#define BSPI_RESPAWN_H

#include "map/family.h"

enum {
	RESPAWN_ENTITIES = 0, RESPAWN_PLANES = 1, RESPAWN_TEXDATA = 2, RESPAWN_POSITIONS = 3, RESPAWN_MODELS = 14,
	RESPAWN_SURFACE_NAMES = 15, RESPAWN_ENTITY_PARTS = 24, RESPAWN_NORMALS = 30, RESPAWN_GAME_LUMP = 35,
	RESPAWN_NAMES = 43, RESPAWN_NAME_OFFSETS = 44, RESPAWN_UNLIT = 71, RESPAWN_LIT_FLAT = 72, RESPAWN_LIT_BUMP = 73,
	RESPAWN_UNLIT_TWO_SIDED = 74, RESPAWN_INDICES = 79, RESPAWN_MESHES = 80, RESPAWN_MATERIAL_SORTS = 82,
	RESPAWN_LUMPS = 128
};

/* Number of kinds of vertices. Two bits of a mesh's flags number them in this order: lit flat, lit bump, unlit, unlit
 * two-sided. */
enum { RESPAWN_VERTEX_KINDS = 4 };

/* The differences of a variant that are not in its tables of records. */
typedef struct bspi_respawn_quirks {
	const bspi_layout *vertices[RESPAWN_VERTEX_KINDS];
	bool surface_names;                /* true: texdata has an offset into the lump of names; false: it has an index of
	                                    * a name */
	size_t name_at;                    /* position of this offset or index in a texdata record, in bytes */
} bspi_respawn_quirks;

/* If there is a file next to the map for a lump, replaces the lump by it. Such a file has a name like
 * MAP.bsp.0050.bsp_lump. respawn_files.c */
bool bspi_respawn_lump_files(bspi_ctx *ctx, bspi_lump *lumps);
/* Reads the map's entities, followed by those of MAP_spawn.ent and other files that the map names. respawn_files.c */
bool bspi_respawn_entities(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);
/* Makes faces from the file's meshes, with their vertices. respawn_meshes.c */
bool bspi_respawn_meshes(bspi_ctx *ctx, const bspi_respawn_quirks *own, const bspi_lump *lumps, bspi_map *map);
/* Reads static props from the game lump. respawn_props.c */
bool bspi_respawn_props(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map);

#endif
