/* vbsp_tables.h - lumps and records of Source maps, by version. See vbsp.c. */
#ifndef BSPI_VBSP_TABLES_H
#define BSPI_VBSP_TABLES_H

#include "map/family.h"

enum {
	VBSP_DIRECTORY_AT = 8, VBSP_ENTRY_SIZE = 16, VBSP_REVISION_AT = 1032, VBSP_HEADER_SIZE = 1036
};

enum {
	VBSP_ENTITIES, VBSP_PLANES, VBSP_TEXDATA, VBSP_VERTICES, VBSP_VISIBILITY, VBSP_NODES, VBSP_TEXINFO,
	VBSP_FACES, VBSP_LIGHTING, VBSP_OCCLUSION, VBSP_LEAFS, VBSP_FACE_IDS, VBSP_EDGES, VBSP_SURFEDGES,
	VBSP_MODELS, VBSP_WORLD_LIGHTS, VBSP_LEAF_FACES, VBSP_LEAF_BRUSHES, VBSP_BRUSHES, VBSP_BRUSH_SIDES,
	VBSP_AREAS, VBSP_AREA_PORTALS, VBSP_DISPINFO = 26, VBSP_NORMALS = 30, VBSP_NORMAL_INDICES,
	VBSP_DISP_VERTICES = 33, VBSP_GAME_LUMP = 35, VBSP_PRIMITIVES = 37, VBSP_PRIMITIVE_VERTICES,
	VBSP_PRIMITIVE_INDICES, VBSP_PAKFILE, VBSP_CUBEMAPS = 42, VBSP_NAMES, VBSP_NAME_OFFSETS, VBSP_OVERLAYS,
	VBSP_DISP_TRIANGLES = 48, VBSP_WATER_OVERLAYS = 50, VBSP_AMBIENT_INDEX_HDR, VBSP_AMBIENT_INDEX,
	VBSP_LIGHTING_HDR, VBSP_WORLD_LIGHTS_HDR, VBSP_AMBIENT_HDR, VBSP_AMBIENT, VBSP_FACES_HDR = 58,
	VBSP_OVERLAY_FADES = 60, VBSP_OVERLAY_LEVELS, VBSP_DISP_BLENDS = 63, VBSP_LUMPS = 64
};

/* Flags of texinfos. */
#define VBSP_SURF_SKY2D 0x2u
#define VBSP_SURF_SKY 0x4u
#define VBSP_SURF_TRANS 0x10u
#define VBSP_SURF_TRIGGER 0x40u
#define VBSP_SURF_NODRAW 0x80u
#define VBSP_SURF_HINT 0x100u
#define VBSP_SURF_SKIP 0x200u
#define VBSP_SURF_NOLIGHT 0x400u
#define VBSP_SURF_BUMPLIGHT 0x800u
#define VBSP_SURF_NODECALS 0x2000u

enum { VBSP_ROW_COUNT = 30 };
/* The rows of each version. The comments name what distinguishes them. */
extern const bspi_lump_row bspi_vbsp_rows_17[VBSP_ROW_COUNT]; /* Vampire: eight styles per face */
extern const bspi_lump_row bspi_vbsp_rows_18[VBSP_ROW_COUNT]; /* betas: average colors come before each face */
extern const bspi_lump_row bspi_vbsp_rows_19[VBSP_ROW_COUNT]; /* with ambient light in the records of leaves */
extern const bspi_lump_row bspi_vbsp_rows_20[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_25[VBSP_ROW_COUNT]; /* Strata: 32-bit indices */
extern const bspi_lump_row bspi_vbsp_rows_22[VBSP_ROW_COUNT]; /* Infra: has its own primitives */
/* version 17 of the beta that was leaked in 2003: has its own faces and dispinfos */
extern const bspi_lump_row bspi_vbsp_rows_2003[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_messiah[VBSP_ROW_COUNT]; /* Dark Messiah: has its own texinfos and models */
extern const bspi_lump_row bspi_vbsp_rows_dota22[VBSP_ROW_COUNT], bspi_vbsp_rows_dota23[VBSP_ROW_COUNT];
/* Vindictus: most indices have 32 bits, and faces have 72 bytes */
extern const bspi_lump_row bspi_vbsp_rows_vindictus[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_vindictus2[VBSP_ROW_COUNT]; /* Vindictus, if its faces have 76 bytes */

/* Records of displacements. vbsp_disp_tables.c */
extern const bspi_layout bspi_vbsp_dispinfo, bspi_vbsp_dispinfo2003, bspi_vbsp_dispinfo25, bspi_vbsp_dispinfo_vindictus;
extern const bspi_layout bspi_vbsp_dispinfo_dota22, bspi_vbsp_dispinfo_dota23;
extern const bspi_layout bspi_vbsp_disp_vertex, bspi_vbsp_disp_triangle, bspi_vbsp_disp_blend;
extern const bspi_layout bspi_vbsp_world_light, bspi_vbsp_world_light1; /* records of 88 and of 100 bytes */

/* How the directory of the game lump is stored. */
typedef struct bspi_game_form {
	uint32_t moved;                    /* offset of the directory in the game lump, in bytes */
	bool wide_entries;                 /* Vindictus: flags and versions have 32 bits */
} bspi_game_form;

/* The differences of a variant that are not in its tables of records. */
typedef struct bspi_vbsp_quirks {
	bool version_first;                /* order of the fields of a directory entry; true: version, offset, size; false:
	                                    * offset, size, version */
	bool big_endian;                   /* consoles: numbers are big-endian, see vbsp_console.c */
	bool wide;                         /* Strata: 32-bit indices, and bit fields of other sizes */
	bool eight_styles;                 /* true: a face has eight light styles (Vampire); false: four */
	bool no_tags;                      /* displacements have no triangle tags */
	uint32_t directory_moved;          /* number of bytes between the version and the directory */
	bspi_game_form game;
	bool scaled_props; /* Vindictus: static props of version 6 and later have a list of scales before the records */
} bspi_vbsp_quirks;

/* A directory entry, as it is stored in the file. */
typedef struct bspi_vbsp_entry {
	int32_t offset, size, version;
	uint32_t unpacked_size;
} bspi_vbsp_entry;

enum { BSPI_VBSP_VARIANTS = 19 };
extern const bspi_variant bspi_vbsp_variants[BSPI_VBSP_VARIANTS];
int bspi_vbsp_bid(bspi_bytes head, const bspi_variant **variant);
bspi_vbsp_entry bspi_vbsp_read_entry(bspi_bytes head, size_t directory_at, uint32_t slot, const bspi_vbsp_quirks *own);

/* Applies the lump patches next to the map that are for the map's revision: each replaces a lump. vbsp_patches.c */
bool bspi_apply_lump_patches(bspi_ctx *ctx, int32_t revision, bspi_lump *lumps);

/* Reads the names of textures. If texinfos draw the same texture in different ways, each way gets a texture of its own.
 * vbsp_textures.c */
bool bspi_vbsp_textures(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

/* A part of the game lump. An id of four letters identifies it. */
typedef struct bspi_game_part {
	bspi_bytes bytes;                  /* uncompressed; empty if it is missing or damaged (a warning was counted) */
	uint32_t version;
} bspi_game_part;

#define VBSP_STATIC_PROPS 0x73707270u  /* 'sprp' */
#define VBSP_DETAIL_PROPS 0x64707270u  /* 'dprp' */

/* A layout for a version of static props. The first fields are the same in all layouts. vbsp_prop_tables.c */
typedef struct bspi_vbsp_prop_format {
	uint8_t version;
	uint8_t bsp_version;               /* the layout is only for this version of the map file; 0: for any version */
	bool two_lists;                    /* the layout is only for maps with two lists of names (Zeno Clash) */
	const bspi_layout *layout;
} bspi_vbsp_prop_format;
enum { BSPI_VBSP_PROP_FORMATS = 22 };
extern const bspi_vbsp_prop_format bspi_vbsp_prop_formats[BSPI_VBSP_PROP_FORMATS];
extern const bspi_layout bspi_vbsp_prop_4;

/* Static props of Source and related formats. bspi_leave_out_props warns that there are none, with the reason. It
 * returns false only if memory is out or the load is strict. bspi_take_prop_list reads a count and as many items of
 * `size` bytes at *at, and moves *at to their end. bspi_settle_prop corrects a prop's fade distances and takes its
 * model's name from the list. vbsp_props.c */
bool bspi_leave_out_props(bspi_ctx *ctx, const char *why);
bool bspi_take_prop_list(bspi_bytes bytes, uint64_t *at, uint32_t size, bspi_bytes *list);
void bspi_settle_prop(bspi_bytes models, bspi_static_prop *prop);
/* Adds the offsets in the game lump to the map's list of offsets. vbsp_game_lump.c */
bool bspi_add_game_places(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_game_form form, bspi_map *map);
/* Finds the part of the game lump with the id `id`. vbsp_game_lump.c */
bool bspi_open_game_part(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_game_form form, bspi_bytes file, uint32_t id,
                         bspi_game_part *out);
/* True if only Vindictus' layout makes sense of the directory: ids must consist of letters and digits.
 * vbsp_game_lump.c */
bool bspi_has_wide_game_entries(bspi_bytes game_lump);
/* Returns the layout for props of a version. If the record size, `size` / `count`, is known or not a whole number, this
 * is the version's own layout. Otherwise it has the fields that all layouts share, and the actual record size. `count`
 * must not be 0. vbsp_props.c */
bspi_layout bspi_vbsp_prop_layout(uint32_t version, int32_t bsp_version, size_t size, uint32_t count);
/* Read parts of the game lump into map->static_props, map->prop_leafs and map->detail_props. Invalid props are left
 * out, and a warning is counted. vbsp_props.c, vbsp_details.c */
bool bspi_read_static_props(bspi_ctx *ctx, const bspi_game_part *part, bool scaled, int32_t bsp_version, bspi_map *map);
bool bspi_read_detail_props(bspi_ctx *ctx, const bspi_game_part *part, bspi_map *map);

/* Assigns map->disp_blends to displacements. vbsp_blends.c */
bool bspi_share_disp_blends(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);
/* Read the compiler's list of lights, and the ambient light in leaves. `hdr`: read the lumps for
 * HDR, because the light of faces is HDR too. vbsp_light.c */
bool bspi_read_world_lights(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map);
bool bspi_read_ambient_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map);
/* Adds the stored light of faces to the map's encodings of light. `faces` is the layout of faces. `hdr`: the lump in
 * the slot of LDR light holds HDR light. vbsp_light.c */
bool bspi_add_source_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, const bspi_vbsp_quirks *own,
                           const bspi_layout *faces, bspi_map *map);
/* Returns the layout of world lights that the lump's version states. If the size of the lump is not a multiple of
 * its record size, but is one of the other layout's, returns the other layout. vbsp_light.c */
const bspi_layout *bspi_vbsp_world_light_layout(const bspi_lump *lump);
/* Convert big-endian lumps of console maps, or parts of their game lump, to the little-endian form of PC maps. The
 * results are copies in the scratch arena. vbsp_console.c */
bool bspi_vbsp_swap_lumps(bspi_ctx *ctx, const bspi_variant *variant, bspi_lump *lumps);
bool bspi_vbsp_swap_static_props(bspi_ctx *ctx, int32_t bsp_version, bspi_game_part *part);
bool bspi_vbsp_swap_detail_props(bspi_ctx *ctx, bspi_game_part *part);
/* Reverses the order of the four bytes. */
static inline uint32_t bspi_swap_u32(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xFF00u) | (v << 8 & 0xFF0000u) | v << 24;
}
/* Computes color * 2 ^ exponent. The result is not divided by 255. vbsp_light.c */
void bspi_rgbexp32(const uint8_t *bytes, float out[3]);

#endif
