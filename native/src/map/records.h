/* records.h - the records of the neutral map's arrays. See map.h. */
#ifndef BSPI_RECORDS_H
#define BSPI_RECORDS_H

#include <bspscene/things.h>

#include "base/ctx.h"

typedef struct bspi_plane {
	float normal[3], distance;
} bspi_plane;

typedef struct bspi_vertex {
	float position[3];
} bspi_vertex;

typedef struct bspi_normal {
	float normal[3];                   /* unit length; 0,0,0: the plane's normal is used */
} bspi_normal;

/* Quake III family: a vertex with all attributes. */
typedef struct bspi_draw_vertex {
	float position[3], uv[2], lightmap[2];
	float normal[3];                   /* unit length; 0,0,0: not stored */
	uint8_t color[4];
} bspi_draw_vertex;

/* Raven, QFusion: the other three light styles of the draw vertex with the same index. */
typedef struct bspi_draw_vertex_styles {
	float lightmap[3][2];
	uint8_t color[3][4];
} bspi_draw_vertex_styles;

typedef struct bspi_edge {
	uint32_t vertices[2];
} bspi_edge;

typedef struct bspi_texinfo {
	float texture_vectors[2][4];       /* texel = position . xyz + w */
	uint32_t flags;                    /* the game's surface flags */
	int32_t value;
	int32_t texture;                   /* index; out of range: no texture */
	int32_t next;                      /* Quake II animation: next frame, if more than 0 */
} bspi_texinfo;

/* The luxel grid of a face or texinfo, if it is not the texture's: luxel = position . xyz + w (Source, Nightfire, BSPX
 * DECOUPLED_LM). */
typedef struct bspi_light_projection {
	float vectors[2][4];
} bspi_light_projection;

/* Nightfire: name of a material, like "wld_glass". */
typedef struct bspi_effect {
	char name[68];
} bspi_effect;

/* The sides from which a surface is visible. */
typedef enum bspi_sides { BSPI_SIDES_FRONT, BSPI_SIDES_BOTH, BSPI_SIDES_NONE } bspi_sides;

/* How Quake's engines draw a translucent brush model: not translucent, lit, or full bright. */
typedef enum bspi_thin_mode { BSPI_THIN_NOT, BSPI_THIN_LIT, BSPI_THIN_UNLIT } bspi_thin_mode;

/* A texture or shader name as faces refer to it. */
typedef struct bspi_texture {
	char name[132]; /* the longest names are MOHAA's and Source's 128; always terminated by the reader */
	uint32_t surface_flags, content_flags;
	uint32_t width, height;            /* 0: unknown until the image is found */
	/* Quake, GoldSrc: bytes from the header to the end of the file; Genesis3D: texels of the largest mipmap; else
	 * empty */
	bspi_bytes miptex;
	bspi_bytes palette;                /* Genesis3D: 256 colors; else empty */
	bool holes;                        /* texels of color 255 are transparent */
	float subdivisions;                /* FAKK: patch tolerance */
	bool has_reflectivity;
	float reflectivity[3];             /* Source: mean color of the image, linear */
	/* GoldSrc, Source: render mode of the entities for which this copy of a texture was made; 0: normal. Quake: a
	 * bspi_thin_mode */
	int32_t render_mode;
	float render_amount;               /* 0..1; Genesis3D: opacity, in all modes */
	float render_color[3];             /* 0..1; for mode 1 */
	bool is_liquid;                    /* GoldSrc: only the surface of the brush model is drawn, from both sides */
	bspi_sides sides;
	float wave_height;                 /* GoldSrc: factor for the height of this copy's waves; 0: flat */
	int32_t effect;                    /* Nightfire: material, index in effects; -1: unknown */
} bspi_texture;

typedef enum bspi_face_kind {
	BSPI_FACE_DROPPED,                 /* not drawn, or invalid */
	BSPI_FACE_POLYGON,                 /* surfedges: first_edge, edge_count */
	BSPI_FACE_TRIANGLES,               /* draw vertices and indices; lit by lightmap if it has one */
	BSPI_FACE_PATCH,                   /* draw vertices as patch_width x patch_height control points */
	BSPI_FACE_FLARE,                   /* origin, color, normal */
	BSPI_FACE_FOLIAGE,                 /* indices of a mesh of patch_height vertices, and patch_width instances */
	BSPI_FACE_DISPLACEMENT,            /* polygon of 4 edges, subdivided by dispinfo */
	BSPI_FACE_PROJECTED,               /* draw vertices and indices, uvs by the texinfo; light in blocks */
	BSPI_FACE_TERRAIN /* draw vertices and indices made from heights; light in a rectangle of a page */
} bspi_face_kind;

#define BSPI_MAX_STYLES 4
#define BSPI_MAX_BLOCK_STYLES 16

/* A face. The members that all passes use are first, so that they share a cache line. */
typedef struct bspi_face {
	bspi_face_kind kind;
	int32_t texture;                   /* index in textures: set by the reader, or by `finish` from the texinfo */
	int32_t texinfo;                   /* polygons, projected triangles: index in texinfos */
	int32_t plane;
	int32_t side;                      /* not 0: the normal is the negated plane's */
	int32_t first_edge, edge_count;
	int32_t leaf;                      /* first leaf that lists it, or -1; set by validation */
	int32_t fog;                       /* index in fogs; < 0: none */
	/* Light in blocks: offset in `lighting` of the luxels of all styles, which are consecutive; < 0: none.
	 * lightmap_width and _height are the block's size, lightmap_x[0] and _y[0] the coordinates of its first luxel:
	 * stated by the file (Source, DECOUPLED_LM), or width is 0 and stages/atlas/extents.c computes them. */
	int32_t light_offset;
	int32_t light_sets;                /* blocks per style: 4 with the three of bumped light (Source), else 0 or 1 */
	uint8_t styles[BSPI_MAX_STYLES];   /* light style per slot; 255: unused */
	int32_t lightmap_width, lightmap_height;
	bool soup;                         /* TRIANGLES that are not planar (models, terrain): counted as a mesh */
	bool fullbright;                   /* never lit, whatever its light offset (sky, unlit liquids) */
	bool vertex_lit;                   /* light in blocks: this face is lit by the colors of its draw vertices */
	uint8_t style_slots;               /* light in blocks: number of style slots; 0: BSPI_MAX_STYLES */
	bool smooth;                       /* polygons: use the vertex_normals of its vertices, if there are any */
	uint8_t levels;                    /* faces of the world: bit n is set if it is shown at level n + 1; 0: at all
	                                    * levels */

	uint8_t vertex_styles[BSPI_MAX_STYLES];
	uint8_t more_styles[BSPI_MAX_STYLES]; /* styles of slots 4 to 7 (Vampire, BSPX) */
	uint8_t far_styles[BSPI_MAX_BLOCK_STYLES - 2 * BSPI_MAX_STYLES]; /* styles of slots from 8 on (BSPX) */
	int32_t luxel_shift;               /* light in blocks: a luxel is 1 << shift texels; 0: the rules' luxel_size */
	int32_t light_projection; /* light in blocks: index in light_projections; < 0: texture vectors / luxel size */
	int32_t first_normal; /* polygons: index in corner_normals, one per corner; < 0: by `smooth` and plane */
	int32_t first_vertex, vertex_count, first_index, index_count;
	int32_t patch_width, patch_height;
	/* Light in pages: page number of each style slot; < 0: see bspi_page_number. */
	int32_t lightmap[BSPI_MAX_STYLES];
	int32_t lightmap_x[BSPI_MAX_STYLES], lightmap_y[BSPI_MAX_STYLES];
	int32_t first_primitive, primitive_count; /* polygons: stored triangles; count 0: none */
	int32_t dispinfo;                  /* index in dispinfos; < 0: none */
	int32_t game_type;                 /* the file's own type, before `finish` sets `kind` */
	float subdivisions;                /* FAKK: tolerance of the patch; 0: the map's */
	float origin[3], color[3], normal[3]; /* flares; `normal` also for planar triangles, 0,0,0: not stored */
} bspi_face;

/* Negative page numbers (Quake III: tr_local.h LIGHTMAP_*). */
typedef enum bspi_page_number {
	BSPI_PAGE_NONE = -1,               /* not lit by a lightmap: full bright */
	BSPI_PAGE_WHITE = -2,
	BSPI_PAGE_BY_VERTEX = -3,
	BSPI_PAGE_2D = -4
} bspi_page_number;

/* Page numbers from this one on are pictures of shaders (materials/materials.h). No file has such numbers. */
#define BSPI_FIRST_PICTURE_PAGE 0x10000

typedef struct bspi_model {
	float mins[3], maxs[3], origin[3];
	int32_t head_nodes[8];
	int32_t first_face, face_count;
	int32_t first_brush, brush_count;
	int32_t visleafs;                  /* Quake: number of clusters */
	int32_t first_added, added_count;  /* faces that the reader generated after the file's (MOHAA's terrain) */
} bspi_model;

typedef struct bspi_node {
	int32_t plane, children[2];        /* child < 0: leaf -1 - child */
	float mins[3], maxs[3];
	uint32_t first_face, face_count;
} bspi_node;

typedef struct bspi_leaf {
	int32_t contents, cluster, area;
	int32_t vis_offset;                /* Quake, GoldSrc, Nightfire: offset in vis; < 0: sees all */
	float mins[3], maxs[3];
	uint32_t first_leaf_face, leaf_face_count, first_leaf_brush, leaf_brush_count;
	uint8_t ambient[4];
} bspi_leaf;

typedef struct bspi_clipnode {
	int32_t plane, children[2];        /* child < 0: contents */
} bspi_clipnode;

typedef struct bspi_brush {
	int32_t first_side, side_count;
	int32_t contents;                  /* contents bits, if brushes store these themselves */
	int32_t texture;                   /* Quake III: shader that defines the contents; -1: none */
} bspi_brush;

typedef struct bspi_brush_side {
	int32_t plane;
	int32_t texture;                   /* texinfo or shader, like in the family's faces; -1: none */
	int32_t bevel;
} bspi_brush_side;

typedef struct bspi_fog {
	char shader[68];
	int32_t brush;                     /* -1: the whole map */
	int32_t visible_side;              /* brush side through which the fog is visible; -1: none */
} bspi_fog;

typedef struct bspi_index { uint32_t value; } bspi_index;
typedef struct bspi_surfedge { int32_t value; } bspi_surfedge;

typedef struct bspi_area {
	int32_t first_portal, portal_count;
} bspi_area;

typedef struct bspi_area_portal_record {
	int32_t portal, other_area;
} bspi_area_portal_record;

/* Triangles of a polygon stored by its compiler: a list of the face's corners, or a strip with vertices of its own. */
typedef struct bspi_primitive {
	int32_t strip;                     /* 0: a list */
	int32_t first_index, index_count;  /* indices in primitive_indices */
	int32_t first_vertex, vertex_count;/* in primitive_vertices; count 0: indices are corners of the face */
} bspi_primitive;

typedef enum bspi_disp_span { BSPI_SPAN_ALL, BSPI_SPAN_FIRST_HALF, BSPI_SPAN_SECOND_HALF } bspi_disp_span;

/* The neighbor along a displacement's edge, or half of it. The matching edge of the neighbor is (edge + 2 +
 * orientation) & 3. */
typedef struct bspi_disp_neighbor {
	int32_t dispinfo;                  /* < 0: none */
	uint8_t orientation;
	uint8_t span, their_span;          /* bspi_disp_span: of this displacement's edge; of the neighbor's */
} bspi_disp_neighbor;

/* Neighbors that touch a corner without sharing an edge. */
typedef struct bspi_disp_corner_neighbors {
	int32_t dispinfos[4];
	uint8_t count;
} bspi_disp_corner_neighbors;

/* A displacement: a quad divided into (1 << power) squared cells, with each vertex moved along its own direction. */
typedef struct bspi_dispinfo {
	float start[3];                    /* position of vertex 0 before it is moved: near a corner of the face */
	int32_t first_vertex, first_triangle, power;
	uint32_t flags;
	int32_t first_blend;               /* index in disp_blends, one per vertex; < 0: none. Set by `finish` */
	bspi_disp_neighbor neighbors[8];   /* two for each edge: left, top, right, bottom */
	bspi_disp_corner_neighbors corners[4];       /* lower left, upper left, upper right, lower right */
} bspi_dispinfo;

typedef struct bspi_disp_triangle {
	int32_t tags;                      /* bspscene_triangle_tag */
} bspi_disp_triangle;

typedef struct bspi_disp_vertex {
	float direction[3], distance;      /* the direction may have any length, even 0 */
	float alpha;                       /* usually 0..255: weight of the material's second image */
} bspi_disp_vertex;

/* Weights of up to four textures at a vertex; only stored for displacements with a flag. */
typedef struct bspi_disp_blend {
	float weights[4];
} bspi_disp_blend;

#define BSPI_DISP_BLENDED 0x40000000u  /* dispinfo flag of displacements that have weights */

/* A model placed by the compiler (Source); not those of entities. */
typedef struct bspi_static_prop {
	char model[132];                   /* "models/props/barrel.mdl" */
	char name[132];                    /* by which entities refer to it; "": none, as in most games */
	int32_t model_index;               /* index in the family's list of names, of which `finish` makes `model` */
	float origin[3], angles[3];        /* pitch yaw roll */
	int32_t skin;
	float scale;
	float stretch[3];                  /* scale of each axis, in addition; 0: none */
	uint8_t color[4];
	int32_t first_leaf, leaf_count;    /* leaves that it is in: range of prop_leafs; 0: unknown */
	int32_t solid;                     /* this and the rest: see bspscene_prop */
	uint32_t flags, flags_ex;
	float fade_near, fade_far, fade_scale;
	float lighting_origin[3];          /* only if its flag is set */
	int32_t lightmap_size[2];
	int32_t dx_levels[2], cpu_levels[2], gpu_levels[2];
} bspi_static_prop;

/* MOHAA: a height field of 9 x 9 points, which becomes a face (families/quake3/terrain.c). */
typedef struct bspi_terrain {
	int32_t x, y, z;                   /* of the corner: x and y in quads, z in units */
	uint8_t heights[81];               /* y * 9 + x */
	float uvs[4][2];                   /* at the corners 0,0; 0,1; 1,0; 1,1 */
	int32_t texture, lightmap;
	int32_t lightmap_x, lightmap_y, luxels; /* first luxel, luxels per quad */
	uint32_t flags;
} bspi_terrain;

/* A detail prop of Source: grass or pebbles, as models or sprites. Maps have thousands. */
typedef struct bspi_detail_prop {
	char model[132];                   /* "" for sprites */
	bspscene_detail_prop_kind kind;
	float origin[3], angles[3];
	float size[4], uv[4];              /* sprites: left, top, right, bottom in game units; and on the sheet */
	float scale;
	float light[3];                    /* linear, 1 shows the image unchanged */
	int32_t leaf;
	int32_t orientation;
} bspi_detail_prop;

#define BSPI_MOST_OVERLAY_FACES 256

/* An overlay: a decal with four corners that the compiler placed on faces (Source). A corner is origin + u * x + v *
 * y. */
typedef struct bspi_overlay {
	int32_t texinfo;                   /* only for its texture; unused for decals of entities */
	int32_t texture;                   /* set by `finish`, or by the stage that made it */
	int32_t counts;                    /* as stored: number of faces in the low 14 bits, render order above */
	int32_t face_count, order;
	int32_t faces[BSPI_MOST_OVERLAY_FACES];
	float u_range[2], v_range[2];      /* in whole textures, at corners 0 and 2 */
	float points[4][3];                /* x and y; the third numbers hold the direction of u and the sign of v */
	float origin[3], normal[3];
	float u[3], v[3];                  /* unit length; set by validation */
	float fade_near, fade_far;         /* distances; 0: no fading */
	int32_t entity;                    /* the entity that made it; < 0: the compiler */
	uint32_t model; /* decals: model of the faces, 0 for the world; other overlays: that of `owner` */
	uint32_t owner;
} bspi_overlay;

/* Squared distances, parallel to overlays. */
typedef struct bspi_overlay_fade {
	float near_squared, far_squared;
} bspi_overlay_fade;

typedef enum bspi_world_light_kind {
	BSPI_WORLD_LIGHT_SURFACE, BSPI_WORLD_LIGHT_POINT, BSPI_WORLD_LIGHT_SPOT, BSPI_WORLD_LIGHT_SKY,
	BSPI_WORLD_LIGHT_QUAKE, BSPI_WORLD_LIGHT_SKY_AMBIENT
} bspi_world_light_kind;

/* A light in the compiler's list (Source), which remains even if entities were removed. */
typedef struct bspi_world_light {
	float origin[3], intensity[3];     /* linear light */
	float normal[3];                   /* direction of its light */
	int32_t kind, style;
	float inner_cosine, outer_cosine;  /* of the cone's half angles */
	float radius;
	float constant, linear, quadratic; /* light at distance d is intensity / (constant + linear d + quadratic d d) */
	float exponent;                    /* softness of the cone */
	uint32_t flags;                    /* bit 0: the ambient light of leaves (bspi_ambient) includes it */
} bspi_world_light;

/* The ambient light in a leaf from six sides +x -x +y -y +z -z, linear; 1 shows a texture as it is. */
typedef struct bspi_ambient {
	int32_t leaf;
	float origin[3];
	float cube[6][3];
	const uint8_t *stored;             /* its six luxels in the file or the unpacked lump */
} bspi_ambient;

typedef struct bspi_cubemap {
	int32_t origin[3];
	int32_t size;                      /* 0: the game's default; else 1 + log2 of its pixels */
} bspi_cubemap;

#endif
