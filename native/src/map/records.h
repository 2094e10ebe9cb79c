/* records.h - what the arrays of the neutral map hold, see map.h. */
#ifndef BSPI_RECORDS_H
#define BSPI_RECORDS_H

#include <bspscene/scene.h>

#include "base/ctx.h"

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

/* How Quake's engines draw see-through brush models: in the light of the map, or as their textures are. */
typedef enum bspi_thin_mode { BSPI_THIN_NOT, BSPI_THIN_LIT, BSPI_THIN_UNLIT } bspi_thin_mode;

/* A texture or shader name as the faces refer to it. */
typedef struct bspi_texture {
	char name[132];                    /* longest field is MOHAA's and Source's 128; always terminated by the reader */
	uint32_t surface_flags, content_flags;
	uint32_t width, height;            /* 0: not known before the image is found */
	bspi_bytes miptex;                 /* Quake, GoldSrc: header and what follows it to the end of the FILE; Genesis3D:
	                                    * the texels of its largest level; else empty */
	bspi_bytes palette;                /* Genesis3D: its 256 colors; else empty */
	bool holes;                        /* and texels of color 255 are such */
	float subdivisions;                /* FAKK: patch tolerance */
	bool has_reflectivity;
	float reflectivity[3];             /* Source: mean color of the picture, linear */
	int32_t render_mode;               /* GoldSrc, Source: of the entity whose model this copy of a texture is for; 0
	                                    * normal. Quake: bspi_thin_mode */
	float render_amount;               /* 0..1; Genesis3D: opacity, whatever the mode */
	float render_color[3];             /* 0..1; of mode 1 */
	bool is_liquid;                    /* GoldSrc: of a brush model only the surface is drawn, from both sides */
	bspi_sides sides;
	float wave_height;                 /* GoldSrc: of this copy's liquid, as its engine multiplies with it; 0: flat */
	int32_t effect;                    /* Nightfire: how it is drawn, into effects; -1: not known */
} bspi_texture;

typedef enum bspi_face_kind {
	BSPI_FACE_DROPPED,                 /* nothing to draw, or found unusable */
	BSPI_FACE_POLYGON,                 /* surfedges: first_edge, edge_count */
	BSPI_FACE_TRIANGLES,               /* draw vertices and indices; lit by lightmap where it has one */
	BSPI_FACE_PATCH,                   /* draw vertices as patch_width x patch_height control points */
	BSPI_FACE_FLARE,                   /* origin, color, normal */
	BSPI_FACE_FOLIAGE,                 /* indices of a mesh of patch_height vertices, followed by patch_width instances
	                                    * */
	BSPI_FACE_DISPLACEMENT,            /* polygon of 4 edges, refined by dispinfo */
	BSPI_FACE_PROJECTED,               /* draw vertices and indices, uvs by the texinfo; lit by blocks */
	BSPI_FACE_TERRAIN                  /* draw vertices and indices that the reader made of heights; page rectangle
	                                    * stated */
} bspi_face_kind;

#define BSPI_MAX_STYLES 4
#define BSPI_MAX_BLOCK_STYLES 16

/* Members that all passes over the faces read come first, to share a cache line. */
typedef struct bspi_face {
	bspi_face_kind kind;
	int32_t texture;                   /* into textures: set by the reader, or by finish from the texinfo */
	int32_t texinfo;                   /* polygons, projected triangles: into texinfos */
	int32_t plane;
	int32_t side;                      /* not 0: the normal is the plane's, negated */
	int32_t first_edge, edge_count;
	int32_t leaf;                      /* first leaf that lists it, or -1: set by validate */
	int32_t fog;                       /* into fogs; < 0: none */
	/* Light, block families: luxels of all styles one after the other from this offset in `lighting`; < 0: none.
	 * lightmap_width and _height are the block's size, lightmap_x[0] and _y[0] the coordinates of its first luxel:
	 * stated by the file (Source, DECOUPLED_LM), else width is 0 and stages/atlas/extents.c computes it. */
	int32_t light_offset;
	int32_t light_sets;                /* blocks per style: 4 with the three of bumped light (Source), else 0 or 1 */
	uint8_t styles[BSPI_MAX_STYLES];   /* light style per slot; 255: unused */
	int32_t lightmap_width, lightmap_height;
	bool soup;                         /* TRIANGLES that lie in no plane (models, terrain): counted as a mesh */
	bool fullbright;                   /* never lit, whatever its offset says (sky, unlit liquids) */
	bool vertex_lit;                   /* block families: lit by the colors of its draw vertices */
	uint8_t style_slots;               /* block families: how many slots of styles it has; 0: BSPI_MAX_STYLES */
	bool smooth;                       /* polygons: normals are those of the vertices in vertex_normals, where there are
	                                    * any */
	uint8_t levels;                    /* world faces: bit n set, it is shown at level n + 1; 0: at all levels */

	uint8_t vertex_styles[BSPI_MAX_STYLES];
	uint8_t more_styles[BSPI_MAX_STYLES]; /* slots 4 to 7 (Vampire, BSPX) */
	uint8_t far_styles[BSPI_MAX_BLOCK_STYLES - 2 * BSPI_MAX_STYLES]; /* those from 8 on (BSPX) */
	int32_t luxel_shift;               /* block families: a luxel is 1 << shift texels; 0 means the rule's own */
	int32_t light_projection;          /* block families: into light_projections; < 0: the texture's vectors / luxel
	                                    * size */
	int32_t first_normal;              /* polygons: into corner_normals, one for each corner; < 0: as smooth and plane
	                                    * say */
	int32_t first_vertex, vertex_count, first_index, index_count;
	int32_t patch_width, patch_height;
	/* Light, page families: which page each style slot lies on (< 0: none, with the meanings of bspi_page_number). */
	int32_t lightmap[BSPI_MAX_STYLES];
	int32_t lightmap_x[BSPI_MAX_STYLES], lightmap_y[BSPI_MAX_STYLES];
	int32_t first_primitive, primitive_count; /* polygons: their triangles, instead of our own; count 0: none stored */
	int32_t dispinfo;                  /* into dispinfos; < 0: none */
	int32_t game_type;                 /* the record's own type number, before finish sets `kind` */
	float subdivisions;                /* FAKK: the patch's own tolerance; 0: the map's rule */
	float origin[3], color[3], normal[3]; /* flares; normal also of planar triangles, 0,0,0 where not stored */
} bspi_face;

/* Page numbers below 0 (Quake III: tr_local.h LIGHTMAP_*). */
typedef enum bspi_page_number {
	BSPI_PAGE_NONE = -1,               /* not lit by a lightmap: fullbright */
	BSPI_PAGE_WHITE = -2,
	BSPI_PAGE_BY_VERTEX = -3,
	BSPI_PAGE_2D = -4
} bspi_page_number;

/* Page numbers that no file has: pictures that shaders show (materials/materials.h). */
#define BSPI_FIRST_PICTURE_PAGE 0x10000

typedef struct bspi_model {
	float mins[3], maxs[3], origin[3];
	int32_t head_nodes[8];
	int32_t first_face, face_count;
	int32_t first_brush, brush_count;
	int32_t visleafs;                  /* Quake: clusters of the world */
	int32_t first_added, added_count;  /* faces made by the reader after those of the file (MOHAA's terrain) */
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

/* The neighbor along an edge or half of it. Its matching edge is (edge + 2 + orientation) & 3. */
typedef struct bspi_disp_neighbor {
	int32_t dispinfo;                  /* < 0: nothing */
	uint8_t orientation;
	uint8_t span, their_span;          /* bspi_disp_span: of this displacement's edge, of the neighbor's */
} bspi_disp_neighbor;

/* The neighbors that touch a corner without sharing an edge. */
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
	char name[132];                    /* name by which entities refer to it; "": none, as in most games */
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
	bspscene_detail_prop_kind kind;
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
	float normal[3];                   /* direction in which it shines */
	int32_t kind, style;
	float inner_cosine, outer_cosine;  /* of the cone's half angles */
	float radius;
	float constant, linear, quadratic; /* light at distance d is intensity / (constant + linear d + quadratic d d) */
	float exponent;                    /* of the cone's softness */
	uint32_t flags;                    /* 1: it is in the leafs' cubes already */
} bspi_world_light;

/* Light inside a leaf from six sides: +x -x +y -y +z -z, linear, 1 is full. */
typedef struct bspi_ambient {
	int32_t leaf;
	float origin[3];
	float cube[6][3];
	const uint8_t *stored;             /* its six luxels in the file, or in what was unpacked */
} bspi_ambient;

typedef struct bspi_cubemap {
	int32_t origin[3];
	int32_t size;                      /* 0: the game's own; else 1 + log2 of its pixels */
} bspi_cubemap;

#endif
