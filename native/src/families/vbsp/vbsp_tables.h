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
extern const bspi_lump_row bspi_vbsp_rows_17[VBSP_ROW_COUNT]; /* Rows for each version, with what distinguishes it.
                                                               * Vampire: eight styles per face */
extern const bspi_lump_row bspi_vbsp_rows_18[VBSP_ROW_COUNT]; /* betas: average colors before each face */
extern const bspi_lump_row bspi_vbsp_rows_19[VBSP_ROW_COUNT]; /* ambient light in leaves */
extern const bspi_lump_row bspi_vbsp_rows_20[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_25[VBSP_ROW_COUNT]; /* Strata: 32-bit indices */
extern const bspi_lump_row bspi_vbsp_rows_22[VBSP_ROW_COUNT]; /* Infra: its own primitives */
/* version 17 of the 2003 leak: its own faces and dispinfos */
extern const bspi_lump_row bspi_vbsp_rows_2003[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_messiah[VBSP_ROW_COUNT]; /* Dark Messiah: its own texinfos and models */
extern const bspi_lump_row bspi_vbsp_rows_dota22[VBSP_ROW_COUNT], bspi_vbsp_rows_dota23[VBSP_ROW_COUNT];
/* Vindictus: most indices have 32 bits, faces 72 bytes */
extern const bspi_lump_row bspi_vbsp_rows_vindictus[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_vindictus2[VBSP_ROW_COUNT]; /* Vindictus with faces of 76 bytes */

/* Records of displacements. vbsp_disp_tables.c */
extern const bspi_layout bspi_vbsp_dispinfo, bspi_vbsp_dispinfo2003, bspi_vbsp_dispinfo25, bspi_vbsp_dispinfo_vindictus;
extern const bspi_layout bspi_vbsp_dispinfo_dota22, bspi_vbsp_dispinfo_dota23;
extern const bspi_layout bspi_vbsp_disp_vertex, bspi_vbsp_disp_triangle, bspi_vbsp_disp_blend;
extern const bspi_layout bspi_vbsp_world_light, bspi_vbsp_world_light1; /* 88 and 100 bytes */

/* Layout of the game lump's directory. */
typedef struct bspi_game_form {
	uint32_t moved;                    /* bytes before the directory */
	bool wide_entries;                 /* Vindictus: 32-bit flags and versions */
} bspi_game_form;

/* Differences of a variant besides its tables. */
typedef struct bspi_vbsp_quirks {
	bool version_first;                /* directory entries are version, offset, size; else offset, size, version */
	bool big_endian;                   /* consoles: numbers are big-endian, see vbsp_console.c */
	bool wide;                         /* Strata: 32-bit indices, other bit fields */
	bool eight_styles;                 /* per face */
	bool no_tags;                      /* displacements have no triangle tags */
	uint32_t directory_moved;          /* bytes between version and directory */
	bspi_game_form game;
	bool scaled_props; /* Vindictus: static props above version 5 have a list of scales before the records */
} bspi_vbsp_quirks;

/* A directory entry as stored. */
typedef struct bspi_vbsp_entry {
	int32_t offset, size, version;
	uint32_t unpacked_size;
} bspi_vbsp_entry;

enum { BSPI_VBSP_VARIANTS = 19 };
extern const bspi_variant bspi_vbsp_variants[BSPI_VBSP_VARIANTS];
int bspi_vbsp_bid(bspi_bytes head, const bspi_variant **variant);
bspi_vbsp_entry bspi_vbsp_read_entry(bspi_bytes head, size_t directory_at, uint32_t slot, const bspi_vbsp_quirks *own);

/* Replaces lumps by the patch files next to the map that have the map's revision. vbsp_patches.c */
bool bspi_apply_lump_patches(bspi_ctx *ctx, int32_t revision, bspi_lump *lumps);

/* Reads the names of textures. If texinfos draw a texture in different ways, makes a texture for each.
 * vbsp_textures.c */
bool bspi_vbsp_textures(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

/* A part of the game lump, which an id of four letters identifies. */
typedef struct bspi_game_part {
	bspi_bytes bytes;                  /* uncompressed; empty if it is missing or damaged (a warning was counted) */
	uint32_t version;
} bspi_game_part;

#define VBSP_STATIC_PROPS 0x73707270u  /* 'sprp' */
#define VBSP_DETAIL_PROPS 0x64707270u  /* 'dprp' */

/* A layout for a version of static props. The first fields are the same in all. vbsp_prop_tables.c */
typedef struct bspi_vbsp_prop_format {
	uint8_t version;
	uint8_t bsp_version;               /* only for this version of the file; 0: any */
	bool two_lists;                    /* only with two lists of names: Zeno Clash */
	const bspi_layout *layout;
} bspi_vbsp_prop_format;
enum { BSPI_VBSP_PROP_FORMATS = 22 };
extern const bspi_vbsp_prop_format bspi_vbsp_prop_formats[BSPI_VBSP_PROP_FORMATS];
extern const bspi_layout bspi_vbsp_prop_4;

/* Static props of Source and related formats. bspi_leave_out_props warns why there are none; it returns false only if
 * memory is out or the load is strict. bspi_take_prop_list reads a count and as many items of `size` bytes at *at, and
 * moves *at after them. The other functions complete fade distances, and set a model's name from the list.
 * vbsp_props.c */
bool bspi_leave_out_props(bspi_ctx *ctx, const char *why);
bool bspi_take_prop_list(bspi_bytes bytes, uint64_t *at, uint32_t size, bspi_bytes *list);
void bspi_settle_prop(bspi_bytes models, bspi_static_prop *prop);
/* Adds the offsets in the game lump to the map's list of offsets. vbsp_game_lump.c */
bool bspi_add_game_places(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_game_form form, bspi_map *map);
/* vbsp_game_lump.c */
bool bspi_open_game_part(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_game_form form, bspi_bytes file, uint32_t id,
                         bspi_game_part *out);
/* True if the directory only makes sense with Vindictus' layout: ids must be letters and digits. vbsp_game_lump.c */
bool bspi_has_wide_game_entries(bspi_bytes game_lump);
/* Returns the layout for props of a version: the version's own if the size matches or is no multiple of `count`, else
 * the shared fields with the actual record size. `count` must not be 0. vbsp_props.c */
bspi_layout bspi_vbsp_prop_layout(uint32_t version, int32_t bsp_version, size_t size, uint32_t count);
/* Read parts of the game lump into map->static_props, map->prop_leafs and map->detail_props. Invalid data is left out
 * and counted. vbsp_props.c, vbsp_details.c */
bool bspi_read_static_props(bspi_ctx *ctx, const bspi_game_part *part, bool scaled, int32_t bsp_version, bspi_map *map);
bool bspi_read_detail_props(bspi_ctx *ctx, const bspi_game_part *part, bspi_map *map);

/* Assigns map->disp_blends to displacements. vbsp_blends.c */
bool bspi_share_disp_blends(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);
/* Read world lights and ambient light in leaves, for HDR or LDR like the faces' light. vbsp_light.c */
bool bspi_read_world_lights(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map);
bool bspi_read_ambient_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map);
/* Adds the light of faces with this layout; `hdr`: the lump in the light slot holds HDR light. vbsp_light.c */
bool bspi_add_source_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, const bspi_vbsp_quirks *own,
                           const bspi_layout *faces, bspi_map *map);
/* Returns the layout of world lights: by the lump's version, unless only the other record size divides the lump.
 * vbsp_light.c */
const bspi_layout *bspi_vbsp_world_light_layout(const bspi_lump *lump);
/* Convert lumps and game lump parts of consoles to those of a PC, as copies in the scratch arena. vbsp_console.c */
bool bspi_vbsp_swap_lumps(bspi_ctx *ctx, const bspi_variant *variant, bspi_lump *lumps);
bool bspi_vbsp_swap_static_props(bspi_ctx *ctx, int32_t bsp_version, bspi_game_part *part);
bool bspi_vbsp_swap_detail_props(bspi_ctx *ctx, bspi_game_part *part);
/* Reverses the bytes. */
static inline uint32_t bspi_swap_u32(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xFF00u) | (v << 8 & 0xFF0000u) | v << 24;
}
/* Computes color * 2 ^ exponent, not divided by 255. vbsp_light.c */
void bspi_rgbexp32(const uint8_t *bytes, float out[3]);

#endif
