/* map.h - the neutral map. Every family decodes its files into it, and it is everything that stages know about a map.
 * Read this file first.
 *
 * The records have all members that any game needs. A family fills the arrays for which its files have data.
 * Differences between games are data in the map (`face.kind`, `light_encoding`, `rules`). No stage asks for the family.
 * Arrays are in the scratch arena; members of type bspi_bytes are views of the file. After bspi_validate, every index
 * in records.h is valid, or its face is BSPI_FACE_DROPPED. From then on the map is constant. What stages add is in
 * stages/stages.h. */
#ifndef BSPI_MAP_H
#define BSPI_MAP_H

#include "map/records.h"
#include "map/rules.h"

/* All arrays: the name, which is used for the member and in messages, and the type of elements. A new kind of record
 * only needs a row here. */
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
	/* three 9-bit mantissas and a shared exponent, in display space, where 1 shows a texture unchanged. BSPX and .lit
	 * files of version 0x10001 have this encoding */
	BSPI_LIGHT_E5BGR9,
	BSPI_LIGHT_RGBEXP32,               /* linear light as three bytes and a shared exponent (Source) */
	/* UFO: Alien Invasion: RGB8, then the direction to the light, stored as in .lux files. On a flat surface, light is
	 * multiplied by the direction's z. */
	BSPI_LIGHT_RGB8_FROM
} bspi_light_encoding;

typedef enum bspi_light_clamp {
	BSPI_CLAMP_CHANNELS,               /* each channel is clamped at 255 */
	BSPI_CLAMP_HUE                     /* if the largest channel exceeds 255, all channels are scaled by 255 /
	                                    * largest */
} bspi_light_clamp;

/* Where a face's luxels are. */
typedef enum bspi_light_storage {
	BSPI_STORAGE_NONE,
	BSPI_STORAGE_PAGES,                /* `lighting` contains square pages with lightmap_page_size luxels per side;
	                                    * faces store uvs on them */
	BSPI_STORAGE_BLOCKS                /* `lighting` contains a block for each face and style, at light_offset; uvs come
	                                    * from projections */
} bspi_light_storage;

/* One encoding of the map's luxels. A map may store the same luxels in several encodings, for different engines or
 * displays (only families with blocks). `lighting` and `lighting_hdr` are two of these encodings. Code that changes
 * light must change all of them. */
typedef struct bspi_light_store {
	const char *name;                  /* name in atlas.json; a static string */
	bspi_bytes luxels;
	bspi_light_encoding encoding;
	const char *path;                  /* game path of the file next to the map that has these luxels; NULL: they are in
	                                    * the map */
	bspi_bytes file;                   /* content of the file at `path` */
	const struct bspi_face *faces;     /* faces whose offsets and styles are for these luxels; NULL: the map's faces */
	bool hdr;                          /* these luxels are for BSPSCENE_LIGHT_RANGE_HDR */
	bspi_bytes packed;                 /* if the luxels are compressed in the map: the compressed bytes; else empty */
	/* if compressed: where the file stores the lump's offset and size, and its unpacked size */
	size_t place_at, unpacked_size_at;
	bool big_endian;                   /* byte order of the numbers at place_at and unpacked_size_at */
	bool averages;                     /* averages of each style are stored before a face's luxels, in reverse order */
} bspi_light_store;

#define BSPI_MOST_LIGHT_STORES 4

/* The name of an entity file may contain the CRC of the map's entity lump. This tells which bytes of the lump the CRC
 * covers. */
typedef enum bspi_entity_sum {
	BSPI_ENTITY_SUM_NONE,
	BSPI_ENTITY_SUM_BUT_LAST,          /* all bytes except the last one */
	BSPI_ENTITY_SUM_TEXT               /* all bytes except a NUL at the end */
} bspi_entity_sum;

/* Differences between games, as data for the stages. */
typedef struct bspi_rules {
	bspi_light_storage light_storage;
	bspi_light_encoding light_encoding;
	bspi_light_clamp light_clamp;
	float overbright;                  /* factor from stored light (n / 255) to display light, which is then clamped (4
	                                    * in Quake III); never 0 */
	float intensity;                   /* displayed color = texture * lightmap page * intensity */
	float light_limit;                 /* the engine sums page * intensity over all styles, and clamps the sum to this;
	                                    * 0: it does not clamp */
	bool lightmaps_alone_white;        /* in the engine's lightmap view, skies and unlit liquids are white */
	bool lightmaps_alone_opaque;       /* in the engine's lightmap view, all surfaces are opaque, and unlit ones are
	                                    * gray */
	bool linear_luxels;                /* the game interpolates luxels, and adds styles, in linear light (Source) */
	uint32_t lightmap_page_size;       /* luxels per side of a stored page (such as 128 or 512) */
	float luxel_size;                  /* families with blocks: texels per luxel (such as 16), unless the face has a
	                                    * luxel_shift */
	bool float_extents;                /* families with blocks: the compiler computed the sizes of blocks in floats
	                                    * (extents.c) */
	bool made_pages;                   /* families with pages: pages were computed from other data, so new light cannot
	                                    * be written back */
	bool light_offset_in_luxels;       /* families with blocks: light_offset counts luxels (Quake) instead of bytes */
	bool linear_fog;                   /* the opacity of fog volumes grows linearly with the distance, instead of with
	                                    * its square root (Enemy Territory) */
	bool soups_by_vertex;              /* triangle soups are lit by vertex colors, even if they have a page (Quake III,
	                                    * but not ET) */
	bool needs_lamps;                  /* the engine shows a map full bright if it has no list of the lamps that lit it
	                                    * (Source) */
	bool unlit_is_black;               /* in a map with light, faces without light are black (Quake, GoldSrc); false:
	                                    * they are full bright */
	bool first_value_wins;             /* if an entity has a key several times, the first value counts (Quake III);
	                                    * false: the last one */
	bool quake_text;                   /* bit 7 of a character in entity text selects the bronze font */
	/* numbers in values are read as by sscanf, up to the first word that is no number (Source); false: text between
	 * numbers is skipped */
	bool scanned_numbers;
	float grid_step[3];                /* default size of a cell of the light grid, in game units */
	float eye_height;                  /* height of the eyes above the origin of a spawn point, in game units */
	/* leaves and clip nodes are used for collision: head_nodes[0] is the tree for points, head_nodes[1] the player's
	 * tree. Contents of -1 mean empty space */
	bool clip_hulls;
	int32_t vis_first_leaf;            /* bit n of a row of visibility is leaf n + this (1 in Quake, GoldSrc and
	                                    * Nightfire) */
	const bspi_entity_rules *entities;           /* rules for lights, cameras, hidden entities: map/rules.h */
	const bspi_map_fog_rules *map_fog; /* NULL: the game has no fog */
	bspi_material_format materials;    /* how materials are made from names and flags */
	/* names of the map's lighting variants (such as "day" and "night"), the default first; ends with NULL. NULL: there
	 * is only one variant */
	const char *const *light_sets;
	/* families with blocks: some compilers round the size of a block up to a multiple of this (such as 4), counted
	 * either in luxels or in bytes; 0: none do */
	uint32_t light_alignment;
	const bspi_entity_limits *entity_limits; /* the engine's limits for entity text; NULL: unknown */
	/* suffix of a file next to the map that replaces the map's entities, such as ".ent" or "_l_0.lmp"; NULL: there is
	 * none */
	const char *entity_file;
	bspi_entity_sum entity_sum;        /* how the CRC in NAME@CRC.ent is computed; engines look for this file before
	                                    * NAME.ent */
} bspi_rules;

/* Tells where the records of an array are in the file, for messages. All members are 0 if the family generated the
 * records. */
typedef struct bspi_source {
	const char *lump;                  /* name of the lump, a static string; NULL: the records were generated */
	uint64_t offset;
	uint32_t stride;
} bspi_source;

/* The bytes of the file that the directory assigns to a lump. They may be compressed. */
typedef struct bspi_lump_span {
	const char *name;                  /* static */
	bspi_bytes bytes;
} bspi_lump_span;

/* Where the file stores the offset and the size of some of its bytes, with 32 bits each. Code that moves these bytes
 * must update both. The directory of BSPX is not included. */
typedef struct bspi_lump_place {
	const char *name;                  /* static */
	size_t at, size_at;
	size_t unpacked_at;                /* where the unpacked size is stored; 0: nowhere */
	bool inner;                        /* true: the bytes are a part of a lump, and the number at size_at may be
	                                    * their uncompressed size */
} bspi_lump_place;

/* Colors (RGB) that are stored in records of the file. */
typedef struct bspi_stored_colors {
	const uint8_t *first;
	uint32_t count;
	size_t stride;
} bspi_stored_colors;

#define BSPI_MOST_COLOR_SETS 4

typedef struct bspi_map {
	const char *family, *variant, *title; /* the same as in the public scene */
	int32_t version;
	bspi_rules rules;

#define X(name, type) type *name; uint32_t name##_count;
	BSPI_MAP_ARRAYS(X)
#undef X
	bspi_source sources[BSPI_ARRAY_COUNT];

	/* Views of the file for stages; empty if the file has no such data. */
	bspi_bytes file;                   /* the whole file */
	const bspi_lump_span *lump_spans; uint32_t lump_span_count; /* all lumps that are not empty; they may overlap */
	const bspi_lump_place *lump_places; uint32_t lump_place_count; /* includes places of empty lumps */
	int32_t revision;                  /* Source: revision of the map; lump patches must have the same */
	int32_t entities_version;          /* Source: version of the lump of entities */
	bspi_bytes entities;               /* text */
	bool escaped_text;                 /* in quoted strings, a backslash before \ " n or t begins an escape */
	bspi_bytes packed_entities;        /* the compressed bytes of the entity lump; empty: it is not compressed */
	bspi_bytes lighting;               /* pages or blocks of luxels */
	/* the same blocks in linear light, for BSPSCENE_LIGHTMAP_ENCODING_HDR; empty: there are none */
	bspi_bytes lighting_hdr;
	bspi_light_encoding hdr_encoding;
	bspi_light_store light_stores[BSPI_MOST_LIGHT_STORES]; uint32_t light_store_count;
	bool full_bright;                  /* the engine draws this map full bright, see full_bright.c */
	/* the world has several trees, and generated nodes join them; use the joined tree only to find brushes */
	bool forest;
	uint32_t light_set;                /* index of the lighting variant that the caller requested; set before
	                                    * `finish` */
	bool hdr_lights;                   /* world_lights are the lamps of the HDR light */
	bspi_bytes light_directions;       /* for the same blocks, 3 bytes of direction per luxel (Quake .lux); empty: there
	                                    * are none */
	/* layout of draw vertices in the file; NULL: the file has no records of draw vertices */
	const struct bspi_layout *draw_vertex_layout;
	bspi_bytes draw_vertex_records;    /* records of draw vertices in the file; draw vertices after these were
	                                    * generated */
	/* where the file stores the colors of draw vertices */
	bspi_stored_colors vertex_colors[BSPI_MOST_COLOR_SETS]; uint32_t vertex_color_count;
	bspi_bytes light_grid, light_grid_index;
	bspi_bytes light_grid_palette;     /* Medal of Honor: palette for the indices in light_grid; else empty */
	bspi_bytes light_octree;           /* content of BSPX LIGHTGRID_OCTREE */
	/* ambient cubes for the other light range (LDR or HDR); only read with the option light_probes */
	bspi_ambient *other_ambients; uint32_t other_ambient_count;
	bspi_bytes pakfile;                /* a zip archive inside the map (Source) */

	/* If a model was loaded by itself, its game path and its content. The map then has a single entity, which refers to
	 * this path. NULL: a map was loaded. */
	const char *model_path;
	bspi_bytes model_file;

	/* Visibility as uncompressed rows of bits. If there are no clusters, leaf.cluster is only checked to be less than
	 * leafs_count. */
	uint32_t cluster_count, vis_row_size;
	const uint8_t *vis_rows;
	bool vis_rows_kept;                /* true: rows are in the result arena; false: they are in the file */
} bspi_map;

/* Describes an array by sizes and offsets in bytes, for code that handles all arrays in the same way (layout.c,
 * validate.c, tests). */
typedef struct bspi_array_info {
	const char *name;                  /* such as "draw_vertices" */
	size_t size;                       /* size of an element */
	size_t data_offset, count_offset;  /* offsets in bspi_map of the array's pointer and its count */
} bspi_array_info;
extern const bspi_array_info bspi_array_infos[BSPI_ARRAY_COUNT];
/* If the load's options request it, stores hashes of the whole map in scene->identity. map/identity.c */
bool bspi_identify(bspi_ctx *ctx, bspi_bytes file, const bspi_map *map, bspscene_scene *scene);
/* Sets `full_bright` of a checked map. map/full_bright.c */
void bspi_find_full_bright(const bspi_ctx *ctx, bspi_map *map);
/* Removes the parts that the load's options exclude from a checked map. map/parts.c */
bool bspi_take_out_parts(bspi_ctx *ctx, bspi_map *map);
/* True if the load's options include the geometry of a model. map/parts.c */
bool bspi_wants_model(const bspi_ctx *ctx, uint32_t model);
/* Adds an encoding of the map's light, unless it is empty. map/map.c */
void bspi_add_light_store(bspi_map *map, const bspi_light_store *store);
/* Appends spans of lumps to the map's list. Empty ones are dropped. map/map.c */
bool bspi_add_lump_spans(bspi_ctx *ctx, bspi_map *map, const bspi_lump_span *spans, uint32_t count);
/* Appends places of lumps to the map's list. Those whose `at` is 0 are dropped. map/map.c */
bool bspi_add_lump_places(bspi_ctx *ctx, bspi_map *map, const bspi_lump_place *places, uint32_t count);
/* Returns where record `index` of an array is in the file, for messages. map/map.c */
bspi_location bspi_record_location(const bspi_map *map, bspi_array_id array, uint32_t index);

/* Reads a file of any family: recognizes the family, decodes the lumps, lets the family complete the map, and validates
 * it. map/read.c */
bool bspi_read_map(bspi_ctx *ctx, bspi_bytes file, bspi_map *map);
/* Decodes visibility that is run-length encoded. The row of a cluster is at offsets[cluster] of `rows`; UINT32_MAX
 * means that the cluster sees everything. If a row ends early, its cluster sees everything, and a warning is counted.
 * map/vis.c */
bool bspi_decode_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, bspi_map *map);
/* Copies uncompressed rows of visibility. A row has `row_size` bytes, at least a bit for each cluster. map/vis.c */
bool bspi_copy_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, size_t row_size,
                   bspi_map *map);
/* Decodes the visibility lump of Quake II and Source: i32 count, for each cluster two offsets (of the visible and of
 * the audible row), then the encoded rows. map/vis.c */
bool bspi_decode_cluster_vis(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map);
/* Checks every index, range and float of the map. Repairs records or drops them with a warning. map/validate.c */
bool bspi_validate(bspi_ctx *ctx, bspi_map *map);

#endif
