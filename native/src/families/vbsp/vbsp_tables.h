/* vbsp_tables.h - the lumps of Source maps and the tables that read them, by version. See vbsp.c. */
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
extern const bspi_lump_row bspi_vbsp_rows_17[VBSP_ROW_COUNT]; /* Vampire: faces with eight styles */
extern const bspi_lump_row bspi_vbsp_rows_18[VBSP_ROW_COUNT]; /* betas: average colors before each face */
extern const bspi_lump_row bspi_vbsp_rows_19[VBSP_ROW_COUNT]; /* ambient light inside the leafs */
extern const bspi_lump_row bspi_vbsp_rows_20[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_25[VBSP_ROW_COUNT]; /* Strata: 32-bit indices */
extern const bspi_lump_row bspi_vbsp_rows_22[VBSP_ROW_COUNT]; /* Infra: primitives */
extern const bspi_lump_row bspi_vbsp_rows_2003[VBSP_ROW_COUNT]; /* 17 of the leak: faces and dispinfos */
extern const bspi_lump_row bspi_vbsp_rows_messiah[VBSP_ROW_COUNT]; /* texinfos and models */
extern const bspi_lump_row bspi_vbsp_rows_dota22[VBSP_ROW_COUNT], bspi_vbsp_rows_dota23[VBSP_ROW_COUNT];
extern const bspi_lump_row bspi_vbsp_rows_vindictus[VBSP_ROW_COUNT]; /* most indices of 32 bits, faces of 72 bytes */
extern const bspi_lump_row bspi_vbsp_rows_vindictus2[VBSP_ROW_COUNT]; /* and of 76 */

/* Of displacements. vbsp_disp_tables.c */
extern const bspi_layout bspi_vbsp_dispinfo, bspi_vbsp_dispinfo2003, bspi_vbsp_dispinfo25, bspi_vbsp_dispinfo_vindictus;
extern const bspi_layout bspi_vbsp_dispinfo_dota22, bspi_vbsp_dispinfo_dota23;
extern const bspi_layout bspi_vbsp_disp_vertex, bspi_vbsp_disp_triangle, bspi_vbsp_disp_blend;
extern const bspi_layout bspi_vbsp_world_light, bspi_vbsp_world_light1; /* 88 and 100 bytes */

/* How the game lump's directory is laid out. */
typedef struct bspi_game_form {
	uint32_t moved;                    /* bytes that are before it */
	bool wide_entries;                 /* Vindictus: flags and versions have 32 bits */
} bspi_game_form;

/* What a variant differs in besides its tables. */
typedef struct bspi_vbsp_quirks {
	bool version_first;                /* entries are version, offset, size */
	bool big_endian;                   /* consoles: every number is stored the other way round, see vbsp_console.c */
	bool wide;                         /* Strata: indices of 32 bits, and other bit fields */
	bool eight_styles;                 /* of each face */
	bool no_tags;                      /* of displacements' triangles */
	uint32_t directory_moved;          /* bytes that are between the version and the directory */
	bspi_game_form game;
	bool scaled_props;                 /* Vindictus: static props above version 5 have a list of scales before them */
} bspi_vbsp_quirks;

/* An entry of the directory as it is stated. */
typedef struct bspi_vbsp_entry {
	int32_t offset, size, version;
	uint32_t unpacked_size;
} bspi_vbsp_entry;

enum { BSPI_VBSP_VARIANTS = 19 };
extern const bspi_variant bspi_vbsp_variants[BSPI_VBSP_VARIANTS];
int bspi_vbsp_bid(bspi_bytes head, const bspi_variant **variant);
bspi_vbsp_entry bspi_vbsp_read_entry(bspi_bytes head, size_t directory_at, uint32_t slot, const bspi_vbsp_quirks *own);

/* Files beside the map in place of its lumps, when they are of the map's own revision. vbsp_patches.c */
bool bspi_apply_lump_patches(bspi_ctx *ctx, int32_t revision, bspi_lump *lumps);

/* Names the textures, and parts those that texinfos want drawn in different ways. vbsp_textures.c */
bool bspi_vbsp_textures(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);

/* A part of the game lump: what it is for is a number of four letters. */
typedef struct bspi_game_part {
	bspi_bytes bytes;                  /* unpacked; empty: there is none, or it is no good, which was counted */
	uint32_t version;
} bspi_game_part;

#define VBSP_STATIC_PROPS 0x73707270u  /* 'sprp' */
#define VBSP_DETAIL_PROPS 0x64707270u  /* 'dprp' */

/* Records of static props: the part that all have, and the layouts of the versions. vbsp_prop_tables.c */
typedef struct bspi_vbsp_prop_format {
	uint8_t version;
	uint8_t bsp_version;               /* of the file, where it decides; else 0 */
	bool two_lists;                    /* of names: Zeno Clash */
	const bspi_layout *layout;
} bspi_vbsp_prop_format;
enum { BSPI_VBSP_PROP_FORMATS = 22 };
extern const bspi_vbsp_prop_format bspi_vbsp_prop_formats[BSPI_VBSP_PROP_FORMATS];
extern const bspi_layout bspi_vbsp_prop_4;

/* Of static props, here and in children of Source: says why there are none; always true unless memory is out. A number
 * and as many items of `size` bytes, at `*at`, which moves behind them. Fades that mean something, and the model's name
 * out of the list of these. vbsp_props.c */
bool bspi_leave_out_props(bspi_ctx *ctx, const char *why);
bool bspi_take_prop_list(bspi_bytes bytes, uint64_t *at, uint32_t size, bspi_bytes *list);
void bspi_settle_prop(bspi_bytes models, bspi_static_prop *prop);
/* Where the game lump says where its parts are. vbsp_game_lump.c */
bool bspi_add_game_places(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_game_form form, bspi_map *map);
/* vbsp_game_lump.c */
bool bspi_open_game_part(bspi_ctx *ctx, const bspi_lump *game_lump, bspi_game_form form, bspi_bytes file, uint32_t id,
                         bspi_game_part *out);
/* Does only Vindictus' form make sense of it: are its names letters and digits? vbsp_game_lump.c */
bool bspi_has_wide_game_entries(bspi_bytes game_lump);
/* The layout that props of a version are read with: the version's own if the size is right or cannot be shared out,
 * else what all have, as far apart as the records are. `count` is not 0. vbsp_props.c */
bspi_layout bspi_vbsp_prop_layout(uint32_t version, int32_t bsp_version, size_t size, uint32_t count);
/* Parts of the game lump into map->static_props, map->prop_leafs and map->detail_props. What does not fit is left out,
 * counted. vbsp_props.c, vbsp_details.c */
bool bspi_read_static_props(bspi_ctx *ctx, const bspi_game_part *part, bool scaled, int32_t bsp_version, bspi_map *map);
bool bspi_read_detail_props(bspi_ctx *ctx, const bspi_game_part *part, bspi_map *map);

/* Says which of map->disp_blends are of which displacement. vbsp_blends.c */
bool bspi_share_disp_blends(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map);
/* World lights and the light inside of leafs, of the kind (HDR or not) that the faces have. vbsp_light.c */
bool bspi_read_world_lights(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map);
bool bspi_read_ambient_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, bspi_map *map);
/* The light of faces, whose records are of this layout; `hdr`: the lump in the slot of light is that of HDR displays.
 * vbsp_light.c */
bool bspi_add_source_light(bspi_ctx *ctx, const bspi_lump *lumps, bool hdr, const bspi_vbsp_quirks *own,
                           const bspi_layout *faces, bspi_map *map);
/* World lights are of two sizes, which their lump's version tells unless only the other divides. vbsp_light.c */
const bspi_layout *bspi_vbsp_world_light_layout(const bspi_lump *lump);
/* Lumps and parts of the game lump of consoles as PCs have them: copies in the scratch arena. vbsp_console.c */
bool bspi_vbsp_swap_lumps(bspi_ctx *ctx, const bspi_variant *variant, bspi_lump *lumps);
bool bspi_vbsp_swap_static_props(bspi_ctx *ctx, int32_t bsp_version, bspi_game_part *part);
bool bspi_vbsp_swap_detail_props(bspi_ctx *ctx, bspi_game_part *part);
/* A number that is stored the other way round. */
static inline uint32_t bspi_swap_u32(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xFF00u) | (v << 8 & 0xFF0000u) | v << 24;
}
/* linear = color * 2 ^ exponent, not divided. vbsp_light.c */
void bspi_rgbexp32(const uint8_t *bytes, float out[3]);

#endif
