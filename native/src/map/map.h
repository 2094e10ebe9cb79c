/* map.h - the neutral map: what every family is decoded into and all that the stages know. Read this first.
 *
 * One superset of records. A family fills the arrays its files have; what differs between games is data in here
 * (`face.kind`, `light_encoding`, `rules`), never a question about the family. Arrays live in the scratch arena,
 * `bytes` members are views of the file. After bspi_validate every index below is checked or the face is
 * BSPI_FACE_DROPPED. */
#ifndef BSPI_MAP_H
#define BSPI_MAP_H

#include "base/ctx.h"
#include "map/rules.h"

typedef struct bspi_plane {
	float normal[3], distance;
} bspi_plane;

typedef struct bspi_vertex {
	float position[3];
} bspi_vertex;

typedef struct bspi_normal {
	float normal[3];                   /* unit length, or 0,0,0: the plane's */
} bspi_normal;

/* Quake III family: a vertex with all it needs to be drawn. */
typedef struct bspi_draw_vertex {
	float position[3], uv[2], lightmap[2];
	float normal[3];                   /* unit length, or 0,0,0: not stored */
	uint8_t color[4];
} bspi_draw_vertex;

/* Raven, QFusion: the further three light styles of the draw vertex with the same index. */
typedef struct bspi_draw_vertex_styles {
	float lightmap[3][2];
	uint8_t color[3][4];
} bspi_draw_vertex_styles;

typedef struct bspi_edge {
	uint32_t vertices[2];
} bspi_edge;

typedef struct bspi_texinfo {
	float texture_vectors[2][4];       /* texel = position . xyz + w */
	uint32_t flags;                    /* the game's surface bits */
	int32_t value;
	int32_t texture;                   /* into textures; out of range: missing */
	int32_t next;                      /* Quake II animation chain: > 0 goes on */
} bspi_texinfo;

/* A luxel grid of its own: luxel = position . xyz + w (Source, Nightfire, BSPX DECOUPLED_LM). */
typedef struct bspi_light_projection {
	float vectors[2][4];
} bspi_light_projection;

/* Nightfire: the name of how textures are drawn, "wld_glass". */
typedef struct bspi_effect {
	char name[68];
} bspi_effect;

/* From where a surface is seen. */
typedef enum bspi_sides { BSPI_SIDES_FRONT, BSPI_SIDES_BOTH, BSPI_SIDES_NONE } bspi_sides;

/* A texture or shader name as the faces refer to it. */
typedef struct bspi_texture {
	char name[132];                    /* longest field is MOHAA's and Source's 128; always terminated by the reader */
	uint32_t surface_flags, content_flags;
	uint32_t width, height;            /* 0: not known before the image is found */
	bspi_bytes miptex;                 /* Quake, GoldSrc: header and what follows it to the end of the FILE; else
	                                    * empty */
	float subdivisions;                /* FAKK: patch tolerance */
	bool has_reflectivity;
	float reflectivity[3];             /* Source: mean colour of the picture, linear */
	int32_t render_mode;               /* GoldSrc, Source: of the entity whose model this copy of a texture is for; 0
	                                    * normal */
	float render_amount;               /* 0..1 */
	float render_color[3];             /* 0..1; of mode 1 */
	bool is_liquid;                    /* GoldSrc: of a brush model only the surface is drawn, from both sides */
	bspi_sides sides;
	int32_t effect;                    /* Nightfire: how it is drawn, into effects; -1: not known */
	uint32_t material;                 /* set by the material stage */
} bspi_texture;

typedef enum bspi_face_kind {
	BSPI_FACE_DROPPED,                 /* nothing to draw, or found unusable */
	BSPI_FACE_POLYGON,                 /* surfedges: first_edge, edge_count */
	BSPI_FACE_TRIANGLES,               /* draw vertices and indices; lit by lightmap where it has one */
	BSPI_FACE_PATCH,                   /* draw vertices as patch_width x patch_height control points */
	BSPI_FACE_FLARE,                   /* origin, color, normal */
	BSPI_FACE_FOLIAGE,                 /* indices of a mesh of patch_height vertices, patch_width instances behind
	                                    * them */
	BSPI_FACE_DISPLACEMENT,            /* polygon of 4 edges, refined by dispinfo */
	BSPI_FACE_PROJECTED,               /* draw vertices and indices, uvs by the texinfo; lit by blocks */
	BSPI_FACE_TERRAIN                  /* draw vertices and indices that the reader made of heights; page rectangle
	                                    * stated */
} bspi_face_kind;

#define BSPI_MAX_STYLES 4
#define BSPI_MAX_BLOCK_STYLES 8

typedef struct bspi_face {
	bspi_face_kind kind;
	int32_t texture;                   /* into textures: set by the reader, or by finish from the texinfo */
	int32_t texinfo;                   /* polygons, projected triangles: into texinfos */
	int32_t plane;
	int32_t side;                      /* not 0: the normal is the plane's, negated */
	int32_t first_edge, edge_count;
	int32_t first_vertex, vertex_count, first_index, index_count;
	int32_t fog;                       /* into fogs; < 0: none */
	int32_t patch_width, patch_height;
	int32_t game_type;                 /* the record's own type number, before finish sets `kind` */
	bool soup;                         /* TRIANGLES that lie in no plane (models, terrain): counted as a mesh */
	int32_t dispinfo;                  /* into dispinfos; < 0: none */
	int32_t first_primitive, primitive_count; /* polygons: their triangles, instead of our own; count 0: none stored */
	float origin[3], color[3], normal[3]; /* flares; normal also of planar triangles, 0,0,0 where not stored */

	/* Light, page families: which page each style slot lies on (< 0: none, with the meanings of bspi_page_number). */
	int32_t lightmap[BSPI_MAX_STYLES];
	int32_t lightmap_x[BSPI_MAX_STYLES], lightmap_y[BSPI_MAX_STYLES], lightmap_width, lightmap_height;
	/* Light, block families: luxels of all styles one after the other from this offset in `lighting`; < 0: none.
	 * lightmap_width and _height are the block's size, lightmap_x[0] and _y[0] the coordinates of its first luxel:
	 * stated by the file (Source, DECOUPLED_LM), else, with width 0, computed by bspi_prepare_lighting (id-tech.md
	 * 2.5). */
	int32_t light_offset;
	int32_t light_sets;                /* blocks per style: 4 with the three of bumped light (Source), else 0 or 1 */
	uint8_t styles[BSPI_MAX_STYLES];   /* light style per slot; 255: unused */
	uint8_t vertex_styles[BSPI_MAX_STYLES];
	uint8_t more_styles[BSPI_MAX_STYLES]; /* block families: slots 4 to 7, with `eight_styles` (Vampire) */
	bool eight_styles;
	int32_t luxel_shift;               /* block families: a luxel is 1 << shift texels; 0 means the rule's own */
	int32_t light_projection;          /* block families: into light_projections; < 0: the texture's vectors / luxel
	                                    * size */
	bool fullbright;                   /* never lit, whatever its offset says (sky, unlit liquids) */
	int32_t leaf;                      /* first leaf that lists it, or -1: set by validate */
	float subdivisions;                /* FAKK: the patch's own tolerance; 0: the map's rule */
	int32_t first_normal;              /* polygons: into corner_normals, one for each corner; < 0: as smooth and plane
	                                    * say */
	bool smooth;                       /* polygons: normals are those of the vertices in vertex_normals, where there are
	                                    * any */
} bspi_face;

/* Page numbers below 0 (Quake III: tr_local.h LIGHTMAP_*). */
typedef enum bspi_page_number {
	BSPI_PAGE_NONE = -1,               /* not lit by a lightmap: fullbright */
	BSPI_PAGE_WHITE = -2,
	BSPI_PAGE_BY_VERTEX = -3,
	BSPI_PAGE_2D = -4
} bspi_page_number;

typedef struct bspi_model {
	float mins[3], maxs[3], origin[3];
	int32_t head_nodes[8];
	int32_t first_face, face_count;
	int32_t first_brush, brush_count;
	int32_t visleafs;                  /* Quake: clusters of the world */
	int32_t first_added, added_count;  /* more faces, made by the reader behind those of the file (MOHAA's terrain) */
} bspi_model;

typedef struct bspi_node {
	int32_t plane, children[2];        /* child < 0: leaf -1 - child */
	float mins[3], maxs[3];
	uint32_t first_face, face_count;
} bspi_node;

typedef struct bspi_leaf {
	int32_t contents, cluster, area;
	int32_t vis_offset;                /* Quake, GoldSrc, Nightfire: row in vis; < 0: sees all */
	float mins[3], maxs[3];
	uint32_t first_leaf_face, leaf_face_count, first_leaf_brush, leaf_brush_count;
	uint8_t ambient[4];
} bspi_leaf;

typedef struct bspi_clipnode {
	int32_t plane, children[2];        /* child < 0: contents */
} bspi_clipnode;

typedef struct bspi_brush {
	int32_t first_side, side_count;
	int32_t contents;                  /* bits, where the brush has them itself */
	int32_t texture;                   /* Quake III: shader that gives the contents; -1: none */
} bspi_brush;

typedef struct bspi_brush_side {
	int32_t plane;
	int32_t texture;                   /* texinfo or shader, as the family's faces; -1: none */
	int32_t bevel;
} bspi_brush_side;

typedef struct bspi_fog {
	char shader[68];
	int32_t brush;                     /* -1: the whole map */
	int32_t visible_side;              /* brush side through which it is entered; -1: none */
	uint32_t material;                 /* set by the material stage */
} bspi_fog;

typedef struct bspi_index { uint32_t value; } bspi_index;
typedef struct bspi_surfedge { int32_t value; } bspi_surfedge;

typedef struct bspi_area {
	int32_t first_portal, portal_count;
} bspi_area;

typedef struct bspi_area_portal_record {
	int32_t portal, other_area;
} bspi_area_portal_record;

/* Triangles of a polygon as its compiler cut it: a list of the face's corners, or a strip of vertices of its own. */
typedef struct bspi_primitive {
	int32_t strip;                     /* 0: a list */
	int32_t first_index, index_count;  /* into primitive_indices */
	int32_t first_vertex, vertex_count;/* into primitive_vertices; count 0: indices are corners of the face */
} bspi_primitive;

typedef enum bspi_disp_span { BSPI_SPAN_ALL, BSPI_SPAN_FIRST_HALF, BSPI_SPAN_SECOND_HALF } bspi_disp_span;

/* What lies on the other side of an edge or a half of it. Its matching edge is (edge + 2 + orientation) & 3. */
typedef struct bspi_disp_neighbor {
	int32_t dispinfo;                  /* < 0: nothing */
	uint8_t orientation;
	uint8_t span, their_span;          /* bspi_disp_span: of this displacement's edge, of the neighbour's */
} bspi_disp_neighbor;

/* What touches a corner without sharing an edge. */
typedef struct bspi_disp_corner_neighbors {
	int32_t dispinfos[4];
	uint8_t count;
} bspi_disp_corner_neighbors;

/* A displacement: a quad cut into (1 << power) squared cells, each vertex moved along a direction of its own. */
typedef struct bspi_dispinfo {
	float start[3];                    /* the corner of the face that vertex 0 lies at, or near */
	int32_t first_vertex, first_triangle, power;
	uint32_t flags;
	int32_t first_blend;               /* into disp_blends, one for each vertex; < 0: none. Set by finish */
	bspi_disp_neighbor neighbors[8];   /* two for each edge: left, top, right, bottom */
	bspi_disp_corner_neighbors corners[4];       /* lower left, upper left, upper right, lower right */
} bspi_dispinfo;

typedef struct bspi_disp_triangle {
	int32_t tags;                      /* bspscene_triangle_tag */
} bspi_disp_triangle;

typedef struct bspi_disp_vertex {
	float direction[3], distance;      /* the direction has any length, also 0 */
	float alpha;                       /* 0..255, but not always: weight of the material's second image */
} bspi_disp_vertex;

/* Weights of up to four textures at a vertex; the compiler writes them for displacements with a flag only. */
typedef struct bspi_disp_blend {
	float weights[4];
} bspi_disp_blend;

#define BSPI_DISP_BLENDED 0x40000000u  /* dispinfo flag: has weights */

/* A model that the compiler placed (Source); those that entities place are not here. */
typedef struct bspi_static_prop {
	char model[132];                   /* "models/props/barrel.mdl" */
	char name[132];                    /* that entities call it by; "": none, as in most games */
	int32_t model_index;               /* in the family's list of models, which finish makes `model` of */
	float origin[3], angles[3];        /* pitch yaw roll */
	int32_t skin;
	float scale;
	float stretch[3];                  /* of each axis, besides; 0: none */
	uint8_t color[4];
	int32_t first_leaf, leaf_count;    /* leafs that it is in: prop_leafs; 0: not known */
	int32_t solid;                     /* of the public prop, as are the rest */
	uint32_t flags, flags_ex;
	float fade_near, fade_far, fade_scale;
	float lighting_origin[3];          /* with its flag only */
	int32_t lightmap_size[2];
	int32_t dx_levels[2], cpu_levels[2], gpu_levels[2];
} bspi_static_prop;

/* MOHAA: a height field of 9 x 9 points. The family makes a face of each (families/terrain.c). */
typedef struct bspi_terrain {
	int32_t x, y, z;                   /* of the corner: x and y in quads, z in units */
	uint8_t heights[81];               /* y * 9 + x */
	float uvs[4][2];                   /* of the corners 0,0; 0,1; 1,0; 1,1 */
	int32_t texture, lightmap;
	int32_t lightmap_x, lightmap_y, luxels; /* first luxel, luxels per quad */
	uint32_t flags;
} bspi_terrain;
/* Grass and pebbles: a model or a flat picture, thousands of them (Source). */
typedef struct bspi_detail_prop {
	char model[132];                   /* "" for pictures */
	bspscene_detail_kind kind;
	float origin[3], angles[3];
	float size[4], uv[4];              /* pictures: left, top, right, bottom in game units and in the sheet */
	float scale;
	float light[3];                    /* linear, 1 shows the picture as it is */
	int32_t leaf;
	int32_t orientation;
} bspi_detail_prop;

#define BSPI_MOST_OVERLAY_FACES 256

/* A decal of four corners that the compiler laid over faces (Source). A corner is origin + u * x + v * y. */
typedef struct bspi_overlay {
	int32_t texinfo;                   /* only its texture counts; of no use for decals that entities place */
	int32_t texture;                   /* set by finish, or by the stage that made it */
	int32_t counts;                    /* raw: faces in the low 14 bits, order of drawing above */
	int32_t face_count, order;
	int32_t faces[BSPI_MOST_OVERLAY_FACES];
	float u_range[2], v_range[2];      /* in whole textures, at corners 0 and 2 */
	float points[4][3];                /* x and y; the third numbers are the direction of u, and the sign of v */
	float origin[3], normal[3];
	float u[3], v[3];                  /* unit length: set by validate */
	float fade_near, fade_far;         /* distances; 0: never fades */
	int32_t entity;                    /* made by this one; < 0: by the compiler */
	uint32_t model;                    /* decals: whose faces these are, 0 the world's; else that of `owner` */
	uint32_t owner;
} bspi_overlay;

/* Squares of distances; parallel to overlays. */
typedef struct bspi_overlay_fade {
	float near_squared, far_squared;
} bspi_overlay_fade;

typedef enum bspi_world_light_kind {
	BSPI_WORLD_LIGHT_SURFACE, BSPI_WORLD_LIGHT_POINT, BSPI_WORLD_LIGHT_SPOT, BSPI_WORLD_LIGHT_SKY,
	BSPI_WORLD_LIGHT_QUAKE, BSPI_WORLD_LIGHT_SKY_AMBIENT
} bspi_world_light_kind;

/* A light as its compiler kept it: all there is when the entities were taken out (Source). */
typedef struct bspi_world_light {
	float origin[3], intensity[3];     /* linear light */
	float normal[3];                   /* where it shines */
	int32_t kind, style;
	float inner_cosine, outer_cosine;  /* of the cone's half angles */
	float radius;
	float constant, linear, quadratic; /* light at distance d is intensity / (constant + linear d + quadratic d d) */
} bspi_world_light;

/* Light inside a leaf from six sides: +x -x +y -y +z -z, linear, 1 is full. */
typedef struct bspi_ambient {
	int32_t leaf;
	float origin[3];
	float cube[6][3];
} bspi_ambient;

typedef struct bspi_cubemap {
	int32_t origin[3];
	int32_t size;                      /* 0: the game's own; else 1 + log2 of its pixels */
} bspi_cubemap;

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

/* A stored light page that comes as a picture, not as a part of `lighting`: q3map2 routes luxels of custom sizes and of
 * light styles through shaders that it generates (stages with `map maps/<map>/lm_0003.tga`, `tcGen lightmap`;
 * id-tech.md 7.6). The material stage, which runs before the plan, reads them and gives the faces the slots that
 * Raven's formats have in the file: face.lightmap[slot] is BSPI_FIRST_PICTURE_PAGE + i (or the face's own page at
 * another place), face.styles[slot] the style, draw_vertex_styles (made when missing) the uvs of slots 1..3. */
typedef struct bspi_picture_page {
	uint32_t width, height;
	const uint8_t *rgb;                /* top row first */
	float overbright;                  /* display light = byte * this: 1, because the engine takes it for a texture */
	const char *path;                  /* the game path that it was found at */
	bspi_bytes file;                   /* as it was found */
} bspi_picture_page;

#define BSPI_FIRST_PICTURE_PAGE 0x10000

/* How luxel bytes become light. */
typedef enum bspi_light_encoding {
	BSPI_LIGHT_NONE,
	BSPI_LIGHT_GREY8,
	BSPI_LIGHT_RGB8,
	BSPI_LIGHT_E5BGR9,                 /* floats in display space, 1 shows the texture as it is; BSPX and .lit
	                                    * 0x10001 */
	BSPI_LIGHT_RGBEXP32                /* linear light; Source */
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
	const char *path;                  /* the game path of the file beside the map that it is in; NULL: in the map */
	bspi_bytes file;                   /* all of that */
	const struct bspi_face *faces;     /* whose offsets and styles tell where a face's blocks are; NULL: the map's */
	bool hdr;                          /* for BSPSCENE_LIGHT_HDR */
	bspi_bytes packed;                 /* what the luxels were unpacked from, in the map; empty: nothing */
	size_t place_at, unpacked_size_at; /* then: where the directory has the lump's offset and size, and unpacked size */
	bool averages;                     /* an average of each style stands before a face's luxels, the last first */
} bspi_light_store;

#define BSPI_MOST_LIGHT_STORES 4

/* What a family's games do differently, as data for the stages. */
typedef struct bspi_rules {
	bspi_light_storage light_storage;
	bspi_light_encoding light_encoding;
	bspi_light_clamp light_clamp;
	float overbright;                  /* display light = stored n / 255 * this, then clamped (Quake III: 4); never 0 */
	float intensity;                   /* of the page sets: picture = texture x page x intensity */
	float light_limit;                 /* largest page x intensity, all styles together; 0: none */
	bool lightmaps_alone_white;        /* the engine's lightmap switch shows skies and unlit liquids white */
	uint32_t lightmap_page_size;       /* luxels per side of a stored page (128, 512) */
	float luxel_size;                  /* block families: texels per luxel (16), unless the face has luxel_shift */
	bool light_offset_in_luxels;       /* block families: light_offset counts luxels (Quake), not bytes */
	bool soups_by_vertex;              /* triangle soups are vertex lit whatever they store (Quake III, not ET) */
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
	const struct bspi_material_rules *materials; /* how names and flags become materials: materials/materials.h */
	uint32_t light_alignment;          /* block families: some compilers pad blocks to this many luxels or bytes (4); 0:
	                                    * none does */
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

/* Colours that records hold, RGB each. */
typedef struct bspi_stored_colors {
	const uint8_t *first;
	uint32_t count;
	size_t stride;
} bspi_stored_colors;

#define BSPI_MOST_COLOR_SETS 4

typedef struct bspi_map {
	const char *family, *variant;      /* as the public scene names them */
	int32_t version;
	bspi_rules rules;

#define X(name, type) type *name; uint32_t name##_count;
	BSPI_MAP_ARRAYS(X)
#undef X
	bspi_source sources[BSPI_ARRAY_COUNT];

	/* Views of the file that stages read by themselves; empty where the file has none. */
	bspi_bytes file;                   /* all of it */
	const bspi_lump_span *lump_spans; uint32_t lump_span_count; /* of lumps that are not empty; they may overlap */
	bspi_bytes entities;               /* text */
	bspi_bytes lighting;               /* pages or blocks */
	bspi_bytes lighting_hdr;           /* the same blocks in linear light, for BSPSCENE_LIGHTMAP_HDR; empty: none */
	bspi_light_encoding hdr_encoding;
	bspi_light_store light_stores[BSPI_MOST_LIGHT_STORES]; uint32_t light_store_count;
	bool hdr_lights;                   /* world_lights are those of the HDR light */
	bspi_bytes light_directions;       /* the same blocks as 3 direction bytes a luxel (Quake .lux); empty: none */
	const bspi_picture_page *picture_pages;
	uint32_t picture_page_count;
	bspi_stored_colors vertex_colors[BSPI_MOST_COLOR_SETS]; uint32_t vertex_color_count; /* of draw vertices */
	bspi_bytes light_grid, light_grid_index;
	bspi_bytes light_grid_palette;     /* Medal of Honor: colours, which light_grid has indices of; else empty */
	bspi_bytes light_octree;           /* BSPX LIGHTGRID_OCTREE */
	bspi_bytes pakfile;                /* a zip inside the map (Source) */

	/* Clusters: decoded by the family into plain rows, or empty; then leaf.cluster is only below leafs_count. */
	uint32_t cluster_count, vis_row_size;
	const uint8_t *vis_rows;
} bspi_map;

/* Array `id` of the map as bytes, for code that treats all alike (layout.c, validate.c, tests). */
typedef struct bspi_array_info {
	const char *name;                  /* "draw_vertices" */
	size_t size;                       /* of one element */
	size_t data_offset, count_offset;  /* of the members in bspi_map */
} bspi_array_info;
extern const bspi_array_info bspi_array_infos[BSPI_ARRAY_COUNT];
/* Hashes of the whole map into scene->identity, when the load's options ask for them. map/identity.c */
bool bspi_identify(bspi_ctx *ctx, bspi_bytes file, const bspi_map *map, bspscene_scene *scene);
/* Takes out of a checked map what the load's options do not ask for. map/parts.c */
bool bspi_take_out_parts(bspi_ctx *ctx, bspi_map *map);
/* Is a model's geometry asked for? map/parts.c */
bool bspi_wants_model(const bspi_ctx *ctx, uint32_t model);
/* Names one more of the map's encodings of light; empty ones are none. map/map.c */
void bspi_add_light_store(bspi_map *map, const bspi_light_store *store);
/* Says whose bytes these are, once more; empty ones are nobody's. map/map.c */
bool bspi_add_lump_spans(bspi_ctx *ctx, bspi_map *map, const bspi_lump_span *spans, uint32_t count);
/* Where record `index` of an array was in the file, for messages. map/map.c */
bspi_place bspi_record_place(const bspi_map *map, bspi_array_id array, uint32_t index);

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
