/* quake_common.h - shared by Quake, its variants with larger maps, and GoldSrc: directory, records, textures,
 * visibility. Quake II and Source use those records that they have in common with Quake. */
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

/* Records that Quake II has too. Source has some of them. */
extern const bspi_layout bspi_quake_plane, bspi_quake_vertex, bspi_quake_face, bspi_quake_wide_face,
	bspi_quake_node_bsp2;
extern const bspi_layout bspi_quake_short_index, bspi_quake_long_index, bspi_quake_short_edge, bspi_quake_long_edge,
	bspi_quake_surfedge;
/* Records of Quake II and Source. */
extern const bspi_layout bspi_quake2_brush, bspi_quake2_area;
/* Records of Quake II and related formats. quake2.c */
extern const bspi_layout bspi_quake2_node, bspi_quake2_model, bspi_quake2_side;

/* The lumps of a variant with their layouts. Record sizes are those of version 29 (also GoldSrc), 2PSB or BSP2. Models
 * have 4 or 8 hulls. */
extern const bspi_lump_row bspi_quake_rows[QUAKE_TABLE_COUNT], bspi_hexen2_rows[QUAKE_TABLE_COUNT];
extern const bspi_lump_row bspi_2psb_rows[QUAKE_TABLE_COUNT], bspi_bsp2_rows[QUAKE_TABLE_COUNT];
extern const bspi_lump_row bspi_2psb_hexen2_rows[QUAKE_TABLE_COUNT], bspi_bsp2_hexen2_rows[QUAKE_TABLE_COUNT];

/* Light rules of Half-Life's compiler qrad (lightmap.c) and its successors. */
extern const bspi_light_rules bspi_goldsrc_lights;

bool bspi_quake_directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps);

/* Returns lump `slot` of a file whose directory was not checked. Returns an empty span if the lump is not inside of the
 * file. */
bspi_bytes bspi_quake_peek(bspi_bytes file, uint32_t slot);

/* True if lump `slot` begins with an opening brace and a quoted key. The lump may extend past the end of the file. */
bool bspi_quake_has_entities(bspi_bytes file, uint32_t slot);

/* Reads textures from the lump of miptexes into map->textures. Only names and sizes are decoded; the pixels stay in the
 * file. */
bool bspi_quake_textures(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map);
/* Decodes the run-length encoded visibility row of each leaf; leaf n + 1 is cluster n (docs/formats/quake.md,
 * "Visibility"). */
bool bspi_quake_vis(bspi_ctx *ctx, bspi_bytes rows, bspi_map *map);
/* Converts children of nodes and clipnodes of 16-bit variants to signed numbers. */
void bspi_quake_narrow_children(bspi_map *map);
/* Makes the faces polygons. A face's texinfo gives its texture, and tells whether the face is unlit. */
void bspi_quake_faces(bspi_map *map);
/* Makes Quake II's faces polygons. In this family each texinfo is a texture. Faces with any of the flags are unlit.
 * quake2.c */
void bspi_quake2_faces(bspi_map *map, uint32_t fullbright_flags);

#endif
