/* map.h - the neutral map: what every family is decoded into and all that the stages know. Read this first.
 *
 * One superset of records. A family fills the arrays its files have; what differs between games is data in here
 * (`face.kind`, `light_encoding`, `rules`), never a question about the family. Arrays live in the scratch arena,
 * `bytes` members are views of the file. After bspi_validate every index of records.h is checked or the face is
 * BSPI_FACE_DROPPED, and nothing is written any more: what stages add is in stages/stages.h. */
#ifndef BSPI_MAP_H
#define BSPI_MAP_H

#include "map/records.h"
#include "map/rules.h"

/* The arrays: name in messages and in the struct, element type. One row here is all a new kind of record needs. */
#define BSPI_MAP_ARRAYS(X) \
	X(planes, bspi_plane) \
	X(vertices, bspi_vertex) \
	X(draw_vertices, bspi_draw_vertex) \
	X(draw_vertex_styles, bspi_draw_vertex_styles) \
	X(draw_indices, bspi_index) \
	X(normals, bspi_normal) \
	X(corner_normals, bspi_index) \
	X(vertex_normals, bspi_normal) \
	X(edges, bspi_edge) \
	X(surfedges, bspi_surfedge) \
	X(texinfos, bspi_texinfo) \
	X(light_projections, bspi_light_projection) \
	X(textures, bspi_texture) \
	X(effects, bspi_effect) \
	X(faces, bspi_face) \
	X(models, bspi_model) \
	X(nodes, bspi_node) \
	X(leafs, bspi_leaf) \
	X(leaf_faces, bspi_index) \
	X(leaf_brushes, bspi_index) \
	X(clipnodes, bspi_clipnode) \
	X(brushes, bspi_brush) \
	X(brush_sides, bspi_brush_side) \
	X(fogs, bspi_fog) \
	X(areas, bspi_area) \
	X(area_portals, bspi_area_portal_record) \
	X(dispinfos, bspi_dispinfo) \
	X(disp_vertices, bspi_disp_vertex) \
	X(disp_triangles, bspi_disp_triangle) \
	X(disp_blends, bspi_disp_blend) \
	X(primitives, bspi_primitive) \
	X(primitive_vertices, bspi_vertex) \
	X(primitive_indices, bspi_index) \
	X(static_props, bspi_static_prop) \
	X(prop_leafs, bspi_index) \
	X(detail_props, bspi_detail_prop) \
	X(overlays, bspi_overlay) \
	X(water_overlays, bspi_overlay) \
	X(overlay_fades, bspi_overlay_fade) \
	X(world_lights, bspi_world_light) \
	X(ambients, bspi_ambient) \
	X(cubemaps, bspi_cubemap) \
	X(terrain, bspi_terrain)

typedef enum bspi_array_id {
#define X(name, type) BSPI_ARRAY_##name,
	BSPI_MAP_ARRAYS(X)
#undef X
	BSPI_ARRAY_COUNT
} bspi_array_id;

/* How luxel bytes become light. */
typedef enum bspi_light_encoding {
	BSPI_LIGHT_NONE,
	BSPI_LIGHT_GRAY8,
	BSPI_LIGHT_RGB8,
	BSPI_LIGHT_E5BGR9,                 /* floats in display space, 1 shows the texture as it is; BSPX and .lit
	                                    * 0x10001 */
	BSPI_LIGHT_RGBEXP32,               /* linear light; Source */
	BSPI_LIGHT_RGB8_FROM               /* RGB8, then the direction to the light as in .lux files; a plain surface shows
	                                    * the light times its z: UFO: Alien Invasion */
} bspi_light_encoding;

typedef enum bspi_light_clamp {
	BSPI_CLAMP_CHANNELS,               /* each channel at 255 */
	BSPI_CLAMP_HUE                     /* all three scaled by 255 / largest */
} bspi_light_clamp;

/* Where a face's luxels are. */
typedef enum bspi_light_storage {
	BSPI_STORAGE_NONE,
	BSPI_STORAGE_PAGES,                /* `lighting` is pages of page_size squared; faces store uvs into them */
	BSPI_STORAGE_BLOCKS                /* one block per face and style at light_offset; uvs follow from projections */
} bspi_light_storage;

/* One of the encodings in which a map has the luxels of its faces (block families): each for other engines or displays.
 * `lighting` and `lighting_hdr` are two of them. Whoever changes light changes all. */
typedef struct bspi_light_store {
	const char *name;                  /* static: what atlas.json calls it */
	bspi_bytes luxels;
	bspi_light_encoding encoding;
	const char *path;                  /* game path of the file next to the map that has it; NULL: the map itself */
	bspi_bytes file;                   /* all of that */
	const struct bspi_face *faces;     /* the faces' offsets and styles to use; NULL: the map's */
	bool hdr;                          /* for BSPSCENE_LIGHT_RANGE_HDR */
	bspi_bytes packed;                 /* what the luxels were unpacked from, in the map; empty: nothing */
	size_t place_at, unpacked_size_at; /* then: where the directory has the lump's offset and size, and unpacked size */
	bool big_endian;                   /* as those numbers are stored */
	bool averages;                     /* an average of each style stands before a face's luxels, the last first */
} bspi_light_store;

#define BSPI_MOST_LIGHT_STORES 4

/* What a file of entities is named after besides the map: 16-bit CRC of its own entity lump. */
typedef enum bspi_entity_sum {
	BSPI_ENTITY_SUM_NONE,
	BSPI_ENTITY_SUM_BUT_LAST,          /* without the last byte, whatever it is */
	BSPI_ENTITY_SUM_TEXT               /* without a NUL at the end */
} bspi_entity_sum;

/* Differences between the games of a family, as data for the stages. */
typedef struct bspi_rules {
	bspi_light_storage light_storage;
	bspi_light_encoding light_encoding;
	bspi_light_clamp light_clamp;
	float overbright;                  /* display light = stored n / 255 * this, then clamped (Quake III: 4); never 0 */
	float intensity;                   /* of the page sets: picture = texture x page x intensity */
	float light_limit;                 /* largest page x intensity, all styles together; 0: none */
	bool lightmaps_alone_white;        /* the engine's lightmap switch shows skies and unlit liquids white */
	bool lightmaps_alone_opaque;       /* it shows all surfaces opaque, and gray where they are unlit */
	uint32_t lightmap_page_size;       /* luxels per side of a stored page (128, 512) */
	float luxel_size;                  /* block families: texels per luxel (16), unless the face has luxel_shift */
	bool float_extents;                /* block families: sizes of blocks were summed in floats (extents.c) */
	bool made_pages;                   /* page families: the reader makes pages of what the file has: there is no way
	                                    * back */
	bool light_offset_in_luxels;       /* block families: light_offset counts luxels (Quake), not bytes */
	bool linear_fog;                   /* fog volumes get thicker by the distance, not by its square root (Enemy
	                                    * Territory) */
	bool soups_by_vertex;              /* triangle soups are vertex lit whatever they store (Quake III, not ET) */
	bool needs_lamps;                  /* without a list of the lamps that lit it, the engine shows a map full bright
	                                    * (Source) */
	bool unlit_is_black;               /* a face without light in a lit map is black (Quake, GoldSrc), else
	                                    * fullbright */
	bool first_value_wins;             /* repeated entity keys: the first counts (Quake III), else the last */
	bool quake_text;                   /* bit 7 of entity text selects the bronze font */
	bool scanned_numbers;              /* entities' numbers are read as sscanf does, up to what is none (Source), else
	                                    * whatever stands between them */
	float grid_step[3];                /* default cell of the light grid */
	float eye_height;                  /* above a spawn point's origin */
	bool clip_hulls;                   /* leafs and clip nodes collide: head_nodes 0 is the point's tree, 1 the
	                                    * player's, contents -1 empty */
	int32_t vis_first_leaf;            /* bit n of a vis row is leaf n + this (Quake, GoldSrc, Nightfire: 1) */
	const bspi_entity_rules *entities;           /* lights, cameras, what is hidden: map/rules.h */
	const bspi_map_fog_rules *map_fog; /* NULL: the game knows none */
	bspi_material_format materials;    /* how names and flags become materials */
	const char *const *light_sets;     /* names of the lights that a map has, one of which is shown ("day", "night"),
	                                    * the usual one first, up to NULL; NULL: there is one alone */
	uint32_t light_alignment;          /* block families: some compilers pad blocks to this many luxels or bytes (4); 0:
	                                    * none does */
	const bspi_entity_limits *entity_limits; /* NULL: none are known */
	const char *entity_file;           /* ending of a file next to the map whose entities replace its own: ".ent",
	                                    * "_l_0.lmp"; NULL: no engine reads one */
	bspi_entity_sum entity_sum;        /* engines that read ".ent" look for a file with this sum in its name first */
} bspi_rules;

/* Where the records of an array were in the file, for messages; all 0 when a family made them. */
typedef struct bspi_source {
	const char *lump;                  /* static; NULL: made, not read */
	uint64_t offset;
	uint32_t stride;
} bspi_source;

/* Bytes of the file that the directory says belong to a lump, packed or not. */
typedef struct bspi_lump_span {
	const char *name;                  /* static */
	bspi_bytes bytes;
} bspi_lump_span;

/* A position in the file with the offset and size (32 bits) of other bytes of it. Code that moves bytes updates these.
 * The container after the lumps (BSPX) is not included. */
typedef struct bspi_lump_place {
	const char *name;                  /* static */
	size_t at, size_at;
	size_t unpacked_at;                /* position of the size of compressed data; 0: none */
	bool inner;                        /* of a part of a lump, whose size may not be that in the file */
} bspi_lump_place;

/* Colors that records hold, RGB each. */
typedef struct bspi_stored_colors {
	const uint8_t *first;
	uint32_t count;
	size_t stride;
} bspi_stored_colors;

#define BSPI_MOST_COLOR_SETS 4

typedef struct bspi_map {
	const char *family, *variant, *title; /* as the public scene names them */
	int32_t version;
	bspi_rules rules;

#define X(name, type) type *name; uint32_t name##_count;
	BSPI_MAP_ARRAYS(X)
#undef X
	bspi_source sources[BSPI_ARRAY_COUNT];

	/* Views of the file that stages read by themselves; empty where the file has none. */
	bspi_bytes file;                   /* all of it */
	const bspi_lump_span *lump_spans; uint32_t lump_span_count; /* of lumps that are not empty; they may overlap */
	const bspi_lump_place *lump_places; uint32_t lump_place_count; /* of empty lumps too */
	int32_t revision;                  /* of a Source map, which lump patches repeat */
	int32_t entities_version;          /* of the lump, there */
	bspi_bytes entities;               /* text */
	bool escaped_text;                 /* with \" \\ \n \t in quotes */
	bspi_bytes packed_entities;        /* what it was unpacked from; empty: nothing */
	bspi_bytes lighting;               /* pages or blocks */
	bspi_bytes lighting_hdr; /* the same blocks in linear light, for BSPSCENE_LIGHTMAP_ENCODING_HDR; empty: none */
	bspi_light_encoding hdr_encoding;
	bspi_light_store light_stores[BSPI_MOST_LIGHT_STORES]; uint32_t light_store_count;
	bool full_bright;                  /* the engine shows all of the map without light: full_bright.c */
	bool forest;                       /* the world has several trees, joined by nodes of the reader: only brushes are
	                                    * found by them */
	uint32_t light_set;                /* of rules.light_sets, which one is wanted: set before `finish` */
	bool hdr_lights;                   /* world_lights are those of the HDR light */
	bspi_bytes light_directions;       /* the same blocks as 3 direction bytes a luxel (Quake .lux); empty: none */
	const struct bspi_layout *draw_vertex_layout; /* NULL: none are records of the file */
	bspi_bytes draw_vertex_records;    /* all of these; more draw vertices are made */
	bspi_stored_colors vertex_colors[BSPI_MOST_COLOR_SETS]; uint32_t vertex_color_count; /* of draw vertices */
	bspi_bytes light_grid, light_grid_index;
	bspi_bytes light_grid_palette;     /* Medal of Honor: colors, which light_grid has indices of; else empty */
	bspi_bytes light_octree;           /* BSPX LIGHTGRID_OCTREE */
	bspi_ambient *other_ambients; uint32_t other_ambient_count; /* of the other displays, ordinary or HDR: with the
	                                    * option light_probes */
	bspi_bytes pakfile;                /* a zip inside the map (Source) */

	/* A model that is no map's: its bytes and game path, which the map's only other entity names; NULL: a map. */
	const char *model_path;
	bspi_bytes model_file;

	/* Clusters: decoded by the family into plain rows, or empty; then leaf.cluster is only below leafs_count. */
	uint32_t cluster_count, vis_row_size;
	const uint8_t *vis_rows;
	bool vis_rows_kept;                /* in the result already; else in the file */
} bspi_map;

/* Array `id` of the map as bytes, for code that treats all alike (layout.c, validate.c, tests). */
typedef struct bspi_array_info {
	const char *name;                  /* "draw_vertices" */
	size_t size;                       /* size of one element */
	size_t data_offset, count_offset;  /* of the members in bspi_map */
} bspi_array_info;
extern const bspi_array_info bspi_array_infos[BSPI_ARRAY_COUNT];
/* Hashes of the whole map into scene->identity, when the load's options ask for them. map/identity.c */
bool bspi_identify(bspi_ctx *ctx, bspi_bytes file, const bspi_map *map, bspscene_scene *scene);
/* Finds out whether the engine shows a checked map full bright. map/full_bright.c */
void bspi_find_full_bright(const bspi_ctx *ctx, bspi_map *map);
/* Takes out of a checked map what the load's options do not ask for. map/parts.c */
bool bspi_take_out_parts(bspi_ctx *ctx, bspi_map *map);
/* Returns true if the options select a model's geometry. map/parts.c */
bool bspi_wants_model(const bspi_ctx *ctx, uint32_t model);
/* Adds one of the map's encodings of light, unless it is empty. map/map.c */
void bspi_add_light_store(bspi_map *map, const bspi_light_store *store);
/* Says whose bytes these are, once more; empty ones are nobody's. map/map.c */
bool bspi_add_lump_spans(bspi_ctx *ctx, bspi_map *map, const bspi_lump_span *spans, uint32_t count);
/* Says where the file says where bytes of it are, once more; those at 0 are left out. map/map.c */
bool bspi_add_lump_places(bspi_ctx *ctx, bspi_map *map, const bspi_lump_place *places, uint32_t count);
/* Where record `index` of an array was in the file, for messages. map/map.c */
bspi_location bspi_record_location(const bspi_map *map, bspi_array_id array, uint32_t index);

/* Reads any file of a known family: finds the family by content, decodes, finishes and validates. map/read.c */
bool bspi_read_map(bspi_ctx *ctx, bspi_bytes file, bspi_map *map);
/* Run-length coded vis rows, each at offsets[cluster] of `rows` (UINT32_MAX: sees all), into the map's plain ones. A
 * row that ends early sees everything, counted. map/vis.c */
bool bspi_decode_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, bspi_map *map);
/* Rows that are not coded, `row_size` bytes each, which hold at least a bit for each cluster. map/vis.c */
bool bspi_copy_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, size_t row_size,
                   bspi_map *map);
/* The lump of Quake II and Source: i32 count, a pair of offsets (visible, audible) for each cluster, then the coded
 * rows. map/vis.c */
bool bspi_decode_cluster_vis(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map);
/* Checks every index, range and float of the map, repairing or dropping with a warning. map/validate.c */
bool bspi_validate(bspi_ctx *ctx, bspi_map *map);

#endif
