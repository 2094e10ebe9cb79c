/* quake_common.h - shared by Quake, its variants with larger maps and GoldSrc: directory, records, textures,
 * visibility. Quake II and Source use the records that did not change. */
#ifndef BSPI_QUAKE_COMMON_H
#define BSPI_QUAKE_COMMON_H

#include "map/family.h"

enum {
	QUAKE_ENTITIES, QUAKE_PLANES, QUAKE_TEXTURES, QUAKE_VERTICES, QUAKE_VISIBILITY, QUAKE_NODES, QUAKE_TEXINFO,
	QUAKE_FACES, QUAKE_LIGHTING, QUAKE_CLIPNODES, QUAKE_LEAFS, QUAKE_MARKSURFACES, QUAKE_EDGES, QUAKE_SURFEDGES,
	QUAKE_MODELS, QUAKE_LUMP_COUNT
};
#define QUAKE_DIRECTORY_OFFSET 4
#define QUAKE_TABLE_COUNT 11

/* texinfo flag of sky and liquids, which have no lightmap */
#define QUAKE_SPECIAL 1u

/* Records that Quake II also has, and in part Source. */
extern const bspi_layout bspi_quake_plane, bspi_quake_vertex, bspi_quake_face, bspi_quake_wide_face,
	bspi_quake_node_bsp2;
extern const bspi_layout bspi_quake_short_index, bspi_quake_long_index, bspi_quake_short_edge, bspi_quake_long_edge,
	bspi_quake_surfedge;
/* Records of Quake II and Source. */
extern const bspi_layout bspi_quake2_brush, bspi_quake2_area;
/* Records of Quake II and related formats. quake2.c */
extern const bspi_layout bspi_quake2_node, bspi_quake2_model, bspi_quake2_side;

/* The lumps of a variant with their layouts: sizes of version 29 (also GoldSrc), 2PSB and BSP2; models with 4 or 8
 * hulls. */
extern const bspi_lump_row bspi_quake_rows[QUAKE_TABLE_COUNT], bspi_hexen2_rows[QUAKE_TABLE_COUNT];
extern const bspi_lump_row bspi_2psb_rows[QUAKE_TABLE_COUNT], bspi_bsp2_rows[QUAKE_TABLE_COUNT];
extern const bspi_lump_row bspi_2psb_hexen2_rows[QUAKE_TABLE_COUNT], bspi_bsp2_hexen2_rows[QUAKE_TABLE_COUNT];

/* Half-Life's qrad (lightmap.c) and its successors. */
extern const bspi_light_rules bspi_goldsrc_lights;

bool bspi_quake_directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps);

/* Returns lump `slot` of a file whose directory was not checked; empty if the lump is not inside of the file. */
bspi_bytes bspi_quake_peek(bspi_bytes file, uint32_t slot);

/* True if lump `slot` begins with an opening brace and a quoted key. It may pass the end of the file. */
bool bspi_quake_has_entities(bspi_bytes file, uint32_t slot);

/* Reads textures from the miptex lump into map->textures. Only names and sizes are read; pixels stay views of the
 * file. */
bool bspi_quake_textures(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map);
/* Decodes the run-length encoded visibility row of each leaf; leaf n + 1 is cluster n (docs/formats/quake.md,
 * "Visibility"). */
bool bspi_quake_vis(bspi_ctx *ctx, bspi_bytes rows, bspi_map *map);
/* Converts children of nodes and clipnodes of 16-bit variants to signed numbers. */
void bspi_quake_narrow_children(bspi_map *map);
/* Makes polygons of faces: sets the texture from the texinfo, and unlit if the texinfo says so. */
void bspi_quake_faces(bspi_map *map);
/* Makes polygons of Quake II's faces, where every texinfo is a texture. Faces with any of these flags are unlit.
 * quake2.c */
void bspi_quake2_faces(bspi_map *map, uint32_t fullbright_flags);

#endif
