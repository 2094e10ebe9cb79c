/* map.h - the neutral map, into which every family is decoded, and everything that stages know about it. Read this file
 * first.
 *
 * The records are a superset of all games'. A family fills the arrays that its files have. What differs between games
 * is data in the map (`face.kind`, `light_encoding`, `rules`); no code asks for the family. Arrays are in the scratch
 * arena, `bytes` members are views of the file. After bspi_validate every index of records.h is valid or the face is
 * BSPI_FACE_DROPPED, and the map is constant: what stages add is in stages/stages.h. */
#ifndef BSPI_MAP_H
#define BSPI_MAP_H

#include "map/records.h"
#include "map/rules.h"

/* The arrays: the name (of the member and in messages) and the type of elements. A new kind of record only needs a row
 * here. */
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

/* How the bytes of a luxel are converted to light. */
typedef enum bspi_light_encoding {
	BSPI_LIGHT_NONE,
	BSPI_LIGHT_GRAY8,
	BSPI_LIGHT_RGB8,
	BSPI_LIGHT_E5BGR9, /* floats in display space, 1 shows a texture unchanged; BSPX, and .lit 0x10001 */
	BSPI_LIGHT_RGBEXP32,               /* linear light; Source */
	/* UFO: Alien Invasion: RGB8, then the direction to the light, as in .lux files. A flat surface shows the light
	 * times the direction's z. */
	BSPI_LIGHT_RGB8_FROM
} bspi_light_encoding;

typedef enum bspi_light_clamp {
	BSPI_CLAMP_CHANNELS,               /* clamp each channel at 255 */
	BSPI_CLAMP_HUE                     /* scale all channels by 255 / largest */
} bspi_light_clamp;

/* Where a face's luxels are. */
typedef enum bspi_light_storage {
	BSPI_STORAGE_NONE,
	BSPI_STORAGE_PAGES,                /* `lighting` contains pages of lightmap_page_size squared; faces store uvs on
	                                    * them */
	BSPI_STORAGE_BLOCKS                /* `lighting` contains blocks, one per face and style, at light_offset; uvs come
	                                    * from projections */
} bspi_light_storage;

/* One of the encodings in which a map stores the same luxels (families with blocks), which are for different engines or
 * displays. `lighting` and `lighting_hdr` are two of them. Code that changes light must change all. */
typedef struct bspi_light_store {
	const char *name;                  /* name in atlas.json (static) */
	bspi_bytes luxels;
	bspi_light_encoding encoding;
	const char *path;                  /* game path if it is a file next to the map; NULL: in the map */
	bspi_bytes file;                   /* content of that file */
	const struct bspi_face *faces;     /* faces with the offsets and styles for these luxels; NULL: the map's */
	bool hdr;                          /* for BSPSCENE_LIGHT_RANGE_HDR */
	bspi_bytes packed;                 /* compressed luxels in the map; empty: not compressed */
	/* if compressed: where the directory has the lump's offset and size, and its unpacked size */
	size_t place_at, unpacked_size_at;
	bool big_endian;                   /* byte order of those numbers */
	bool averages;                     /* averages of each style are stored before a face's luxels, in reverse order */
} bspi_light_store;

#define BSPI_MOST_LIGHT_STORES 4

/* Which bytes of the entity lump the CRC in the name of an entity file covers. */
typedef enum bspi_entity_sum {
	BSPI_ENTITY_SUM_NONE,
	BSPI_ENTITY_SUM_BUT_LAST,          /* all except the last byte */
	BSPI_ENTITY_SUM_TEXT               /* all except a final NUL */
} bspi_entity_sum;

/* Differences between games, as data for the stages. */
typedef struct bspi_rules {
	bspi_light_storage light_storage;
	bspi_light_encoding light_encoding;
	bspi_light_clamp light_clamp;
	float overbright;                  /* factor from stored light (n / 255) to display light, which is then clamped
	                                    * (Quake III: 4); never 0 */
	float intensity;                   /* intensity of lightmap sets: picture = texture * page * intensity */
	float light_limit;                 /* the engine clamps page * intensity, summed over styles, to this; 0: no
	                                    * limit */
	bool lightmaps_alone_white;        /* the engine's lightmap view shows skies and unlit liquids white */
	bool lightmaps_alone_opaque;       /* the engine's lightmap view shows all surfaces opaque, and unlit ones gray */
	bool linear_luxels;                /* the game interpolates luxels and adds styles in linear light (Source) */
	uint32_t lightmap_page_size;       /* luxels per side of a stored page (128, 512) */
	float luxel_size;                  /* block families: texels per luxel (16), unless the face has luxel_shift */
	bool float_extents;                /* block families: sizes of blocks were summed in floats (extents.c) */
	bool made_pages;                   /* page families: pages are computed from other data, so new light cannot be
	                                    * written back */
	bool light_offset_in_luxels;       /* block families: light_offset counts luxels (Quake), not bytes */
	bool linear_fog;                   /* the share of fog volumes grows with the distance, not with its square root
	                                    * (Enemy Territory) */
	bool soups_by_vertex;              /* triangle soups are lit by vertex colors even if they have a page (Quake III,
	                                    * not ET) */
	bool needs_lamps;                  /* without a list of the lamps that lit it, the engine shows a map full bright
	                                    * (Source) */
	bool unlit_is_black;               /* a face without light in a lit map is black (Quake, GoldSrc), else
	                                    * fullbright */
	bool first_value_wins;             /* repeated entity keys: the first counts (Quake III), else the last */
	bool quake_text;                   /* bit 7 of entity text selects the bronze font */
	/* numbers in values are read like sscanf, up to the first non-number (Source); else text between numbers is
	 * skipped */
	bool scanned_numbers;
	float grid_step[3];                /* default cell size of the light grid */
	float eye_height;                  /* above a spawn point's origin */
	/* leaves and clip nodes are used for collision: head_nodes[0] is the tree for points, head_nodes[1] the player's;
	 * contents -1 are empty */
	bool clip_hulls;
	int32_t vis_first_leaf;            /* bit n of a vis row is leaf n + this (Quake, GoldSrc, Nightfire: 1) */
	const bspi_entity_rules *entities;           /* lights, cameras, hidden entities: map/rules.h */
	const bspi_map_fog_rules *map_fog; /* NULL: no fog */
	bspi_material_format materials;    /* how materials are made of names and flags */
	/* names of the map's lighting variants ("day", "night"), the default first, up to NULL; NULL: there is only one */
	const char *const *light_sets;
	uint32_t light_alignment; /* blocks: some compilers align blocks to this many luxels or bytes (4); 0: none */
	const bspi_entity_limits *entity_limits; /* NULL: unknown */
	/* suffix of a file next to the map that replaces its entities: ".ent", "_l_0.lmp"; NULL: none */
	const char *entity_file;
	bspi_entity_sum entity_sum;        /* checksum of the lump in the name of the ".ent" that engines look for first */
} bspi_rules;

/* Where an array's records are in the file, for messages. All 0 if a family generated them. */
typedef struct bspi_source {
	const char *lump;                  /* static; NULL: records were generated */
	uint64_t offset;
	uint32_t stride;
} bspi_source;

/* Bytes of the file that the directory assigns to a lump, compressed or not. */
typedef struct bspi_lump_span {
	const char *name;                  /* static */
	bspi_bytes bytes;
} bspi_lump_span;

/* Where the file stores the offset and size (32 bits each) of a part of its bytes. Code that moves bytes must update
 * these. Those of BSPX are not included. */
typedef struct bspi_lump_place {
	const char *name;                  /* static */
	size_t at, size_at;
	size_t unpacked_at;                /* position of an unpacked size; 0: none */
	bool inner;                        /* the bytes are a part of a lump; size_at may refer to their uncompressed
	                                    * size */
} bspi_lump_place;

/* RGB colors in records of the file. */
typedef struct bspi_stored_colors {
	const uint8_t *first;
	uint32_t count;
	size_t stride;
} bspi_stored_colors;

#define BSPI_MOST_COLOR_SETS 4

typedef struct bspi_map {
	const char *family, *variant, *title; /* as in the public scene */
	int32_t version;
	bspi_rules rules;

#define X(name, type) type *name; uint32_t name##_count;
	BSPI_MAP_ARRAYS(X)
#undef X
	bspi_source sources[BSPI_ARRAY_COUNT];

	/* Views of the file for stages; empty if the file has no such data. */
	bspi_bytes file;                   /* the whole file */
	const bspi_lump_span *lump_spans; uint32_t lump_span_count; /* of lumps that are not empty; may overlap */
	const bspi_lump_place *lump_places; uint32_t lump_place_count; /* also of empty lumps */
	int32_t revision;                  /* Source: revision of the map, which lump patches must match */
	int32_t entities_version;          /* Source: version of the entities lump */
	bspi_bytes entities;               /* text */
	bool escaped_text;                 /* backslashes before \ " n t in quoted strings are escapes */
	bspi_bytes packed_entities;        /* compressed bytes of the entity lump; empty: it is not compressed */
	bspi_bytes lighting;               /* pages or blocks */
	bspi_bytes lighting_hdr; /* the same blocks in linear light, for BSPSCENE_LIGHTMAP_ENCODING_HDR; empty: none */
	bspi_light_encoding hdr_encoding;
	bspi_light_store light_stores[BSPI_MOST_LIGHT_STORES]; uint32_t light_store_count;
	bool full_bright;                  /* the engine draws the map without light, see full_bright.c */
	bool forest; /* the world consists of several trees, which generated nodes join: use the tree only to find
	              * brushes */
	uint32_t light_set;                /* index of the requested lighting variant; set before `finish` */
	bool hdr_lights;                   /* world_lights belong to the HDR light */
	bspi_bytes light_directions;       /* the same blocks as 3 direction bytes per luxel (Quake .lux); empty: none */
	const struct bspi_layout *draw_vertex_layout; /* layout of draw vertices in the file; NULL: they are not records of
	                                               * the file */
	bspi_bytes draw_vertex_records;    /* records of draw vertices in the file; further draw vertices are generated */
	bspi_stored_colors vertex_colors[BSPI_MOST_COLOR_SETS]; uint32_t vertex_color_count; /* of draw vertices */
	bspi_bytes light_grid, light_grid_index;
	bspi_bytes light_grid_palette;     /* Medal of Honor: palette of the indices in light_grid; else empty */
	bspi_bytes light_octree;           /* BSPX LIGHTGRID_OCTREE */
	/* ambient cubes of the other light range (LDR or HDR), for the option light_probes */
	bspi_ambient *other_ambients; uint32_t other_ambient_count;
	bspi_bytes pakfile;                /* a zip inside the map (Source) */

	/* A model that is loaded by itself: its game path, to which the map's only entity refers, and its content. NULL: a
	 * map. */
	const char *model_path;
	bspi_bytes model_file;

	/* Visibility as plain rows of bits. Without clusters, leaf.cluster is only checked to be below leafs_count. */
	uint32_t cluster_count, vis_row_size;
	const uint8_t *vis_rows;
	bool vis_rows_kept;                /* rows are in the result arena; else in the file */
} bspi_map;

/* Describes an array as bytes, for code that handles all arrays alike (layout.c, validate.c, tests). */
typedef struct bspi_array_info {
	const char *name;                  /* "draw_vertices" */
	size_t size;                       /* of an element */
	size_t data_offset, count_offset;  /* offsets in bspi_map of the array's pointer and its count */
} bspi_array_info;
extern const bspi_array_info bspi_array_infos[BSPI_ARRAY_COUNT];
/* Stores hashes of the whole map in scene->identity, if the load's options request them. map/identity.c */
bool bspi_identify(bspi_ctx *ctx, bspi_bytes file, const bspi_map *map, bspscene_scene *scene);
/* Sets full_bright of a checked map. map/full_bright.c */
void bspi_find_full_bright(const bspi_ctx *ctx, bspi_map *map);
/* Removes what the load's options exclude from a checked map. map/parts.c */
bool bspi_take_out_parts(bspi_ctx *ctx, bspi_map *map);
/* True if the options include a model's geometry. map/parts.c */
bool bspi_wants_model(const bspi_ctx *ctx, uint32_t model);
/* Adds an encoding of the map's light, unless it is empty. map/map.c */
void bspi_add_light_store(bspi_map *map, const bspi_light_store *store);
/* Appends spans of lumps; empty ones are dropped. map/map.c */
bool bspi_add_lump_spans(bspi_ctx *ctx, bspi_map *map, const bspi_lump_span *spans, uint32_t count);
/* Appends positions of offsets and sizes; those at 0 are dropped. map/map.c */
bool bspi_add_lump_places(bspi_ctx *ctx, bspi_map *map, const bspi_lump_place *places, uint32_t count);
/* Returns where record `index` of an array is in the file, for messages. map/map.c */
bspi_location bspi_record_location(const bspi_map *map, bspi_array_id array, uint32_t index);

/* Reads a file of any family: recognizes, decodes, completes and validates it. map/read.c */
bool bspi_read_map(bspi_ctx *ctx, bspi_bytes file, bspi_map *map);
/* Decodes run-length encoded visibility. The row of a cluster is at offsets[cluster] of `rows` (UINT32_MAX: sees all).
 * A row that ends early sees everything and is counted. map/vis.c */
bool bspi_decode_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, bspi_map *map);
/* Copies uncompressed rows of `row_size` bytes, which is at least a bit for each cluster. map/vis.c */
bool bspi_copy_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, size_t row_size,
                   bspi_map *map);
/* Decodes the lump of Quake II and Source: i32 count, two offsets (visible, audible) for each cluster, then encoded
 * rows. map/vis.c */
bool bspi_decode_cluster_vis(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map);
/* Checks every index, range and float of the map. Repairs records or drops them with a warning. map/validate.c */
bool bspi_validate(bspi_ctx *ctx, bspi_map *map);

#endif
