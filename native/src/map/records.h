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
	float normal[3];                   /* unit length; 0,0,0: the normal of the plane is used */
} bspi_normal;

/* A vertex with all attributes, as in Quake III's family. */
typedef struct bspi_draw_vertex {
	float position[3], uv[2], lightmap[2];
	float normal[3];                   /* unit length; 0,0,0: not stored */
	uint8_t color[4];
} bspi_draw_vertex;

/* In Raven's games and QFusion: the other three light styles of the draw vertex that has the same index. */
typedef struct bspi_draw_vertex_styles {
	float lightmap[3][2];
	uint8_t color[3][4];
} bspi_draw_vertex_styles;

typedef struct bspi_edge {
	uint32_t vertices[2];
} bspi_edge;

typedef struct bspi_texinfo {
	float texture_vectors[2][4];       /* texel coordinate = dot(position, xyz) + w */
	uint32_t flags;                    /* surface flags of the game */
	int32_t value;
	int32_t texture;                   /* index in textures; out of range: there is no texture */
	int32_t next;                      /* Quake II: texinfo with the next frame of an animation, if more than 0 */
} bspi_texinfo;

/* The grid of luxels of a face or texinfo, if it differs from the grid of texels. A luxel coordinate is dot(position,
 * xyz) + w (Source, Nightfire, BSPX DECOUPLED_LM). */
typedef struct bspi_light_projection {
	float vectors[2][4];
} bspi_light_projection;

/* Nightfire: the name of a material, such as "wld_glass". */
typedef struct bspi_effect {
	char name[68];
} bspi_effect;

/* The sides from which a surface is visible. */
typedef enum bspi_sides { BSPI_SIDES_FRONT, BSPI_SIDES_BOTH, BSPI_SIDES_NONE } bspi_sides;

/* Tells how Quake's engines draw a brush model: not translucent; translucent and lit; or translucent and full
 * bright. */
typedef enum bspi_thin_mode { BSPI_THIN_NOT, BSPI_THIN_LIT, BSPI_THIN_UNLIT } bspi_thin_mode;

/* A texture, or a shader, as faces refer to it. */
typedef struct bspi_texture {
	char name[132]; /* the longest names, of MOHAA and Source, have 128 bytes; the reader always adds a NUL */
	uint32_t surface_flags, content_flags;
	uint32_t width, height;            /* 0: unknown until the image was found */
	/* Quake, GoldSrc: bytes from the texture's header to the end of the file. Genesis3D: texels of the largest mipmap.
	 * Other games: empty */
	bspi_bytes miptex;
	bspi_bytes palette;                /* Genesis3D: palette with 256 colors; other games: empty */
	bool holes;                        /* texels with the color index 255 are transparent */
	float subdivisions;                /* FAKK: the shader's tolerance for patches, as the file stores it; no stage
	                                    * uses it */
	bool has_reflectivity;
	float reflectivity[3];             /* Source: mean color of the image, in linear light */
	/* GoldSrc, Source: a texture is copied for each render mode of entities; this is the copy's mode, or 0 for normal.
	 * Quake: a bspi_thin_mode */
	int32_t render_mode;
	float render_amount;               /* 0..1; in Genesis3D this is the opacity, in all modes */
	float render_color[3];             /* 0..1; used only if render_mode is 1 */
	bool is_liquid;                    /* GoldSrc: true for liquids. Brush entities show only the horizontal top of a
	                                    * liquid, from both sides */
	bspi_sides sides;
	float wave_height;                 /* GoldSrc: factor for the height of waves, for this copy of the texture; 0:
	                                    * flat */
	int32_t effect;                    /* Nightfire: the texture's material, an index in `effects`; -1: unknown */
} bspi_texture;

typedef enum bspi_face_kind {
	BSPI_FACE_DROPPED,                 /* a face that is invalid or not drawn */
	BSPI_FACE_POLYGON,                 /* a polygon with edges from surfedges: first_edge, edge_count */
	BSPI_FACE_TRIANGLES,               /* draw vertices and indices; lit by a lightmap if the face has one */
	BSPI_FACE_PATCH,                   /* patch_width x patch_height draw vertices, which are control points */
	BSPI_FACE_FLARE,                   /* a flare: origin, color, normal */
	BSPI_FACE_FOLIAGE,                 /* a mesh of patch_height vertices with indices, then its patch_width
	                                    * instances */
	BSPI_FACE_DISPLACEMENT,            /* a polygon with 4 edges, which a dispinfo subdivides */
	BSPI_FACE_PROJECTED,               /* draw vertices and indices; the texinfo gives uvs; light is in blocks */
	BSPI_FACE_TERRAIN /* draw vertices and indices made from heights; light is a rectangle of a page */
} bspi_face_kind;

#define BSPI_MAX_STYLES 4
#define BSPI_MAX_BLOCK_STYLES 16

/* A face. The members that all code uses come first, so that they share a cache line. */
typedef struct bspi_face {
	bspi_face_kind kind;
	int32_t texture;                   /* index in textures; set by the reader, or by the family's `finish` from the
	                                    * texinfo */
	int32_t texinfo;                   /* for polygons and projected triangles: index in texinfos */
	int32_t plane;
	int32_t side;                      /* not 0: the face's normal is the opposite of the plane's */
	int32_t first_edge, edge_count;
	int32_t leaf;                      /* the first leaf that lists this face, or -1; set by validation */
	int32_t fog;                       /* index in fogs; < 0: no fog */
	/* Light in blocks: where `lighting` has the luxels of all styles, one style after another; < 0: no light.
	 * lightmap_width and lightmap_height are the size of a block. lightmap_x[0] and lightmap_y[0] are the coordinates
	 * of its first luxel. Some files state these four numbers (Source, DECOUPLED_LM). For other files,
	 * lightmap_width is 0 at first, and stages/atlas/extents.c computes the four numbers. */
	int32_t light_offset;
	int32_t light_sets;                /* blocks per style: 4 if there are three more for bump maps (Source), else 0 or
	                                    * 1 */
	uint8_t styles[BSPI_MAX_STYLES];   /* light style of each slot; 255: the slot is unused */
	int32_t lightmap_width, lightmap_height;
	bool soup;                         /* BSPI_FACE_TRIANGLES: true if the triangles form a mesh (model, terrain)
	                                    * instead of a polygon in one plane */
	bool fullbright;                   /* never lit, whether it has a light offset or not (sky, unlit liquids) */
	bool vertex_lit;                   /* in maps with light in blocks: this face is lit by the colors of its draw
	                                    * vertices */
	uint8_t style_slots;               /* light in blocks: number of style slots; 0 means BSPI_MAX_STYLES */
	bool smooth;                       /* polygons: if there are vertex_normals, the face uses those of its vertices */
	uint8_t levels;                    /* faces of the world: bit n is set if the face is shown at level n + 1; 0: shown
	                                    * at all levels */

	uint8_t vertex_styles[BSPI_MAX_STYLES];
	uint8_t more_styles[BSPI_MAX_STYLES]; /* styles of the slots 4 to 7 (Vampire, BSPX) */
	uint8_t far_styles[BSPI_MAX_BLOCK_STYLES - 2 * BSPI_MAX_STYLES]; /* styles of the slots from 8 on (BSPX) */
	int32_t luxel_shift;               /* light in blocks: a luxel has 1 << shift texels; 0: luxel_size of the rules
	                                    * counts */
	int32_t light_projection; /* light in blocks: index in light_projections; < 0: the texinfo projects luxels */
	int32_t first_normal; /* polygons: index of the first corner's normal in corner_normals; < 0: see `smooth` */
	int32_t first_vertex, vertex_count, first_index, index_count;
	int32_t patch_width, patch_height;
	/* Light in pages: for each style slot, the number of its page. Negative numbers are a bspi_page_number. */
	int32_t lightmap[BSPI_MAX_STYLES];
	int32_t lightmap_x[BSPI_MAX_STYLES], lightmap_y[BSPI_MAX_STYLES];
	int32_t first_primitive, primitive_count; /* polygons: triangles that the file stores; count 0: none */
	int32_t dispinfo;                  /* index in dispinfos; < 0: not a displacement */
	int32_t game_type;                 /* the type that the file states, until `finish` sets `kind` */
	float subdivisions;                /* FAKK: largest distance of this patch from its triangles, in game units; 0:
	                                    * only patch_error of the load options counts */
	float origin[3], color[3], normal[3]; /* used for flares; `normal` also for triangles in one plane; normal 0,0,0:
	                                    * not stored */
} bspi_face;

/* Meanings of negative page numbers (Quake III: LIGHTMAP_* in tr_local.h). */
typedef enum bspi_page_number {
	BSPI_PAGE_NONE = -1,               /* no lightmap: the face is full bright */
	BSPI_PAGE_WHITE = -2,
	BSPI_PAGE_BY_VERTEX = -3,
	BSPI_PAGE_2D = -4
} bspi_page_number;

/* Page numbers from this one on mean picture files, which shaders name (materials/materials.h). Map files have no such
 * page numbers. */
#define BSPI_FIRST_PICTURE_PAGE 0x10000

typedef struct bspi_model {
	float mins[3], maxs[3], origin[3];
	int32_t head_nodes[8];
	int32_t first_face, face_count;
	int32_t first_brush, brush_count;
	int32_t visleafs;                  /* Quake: number of clusters */
	int32_t first_added, added_count;  /* faces that the reader generated and added after those of the file (MOHAA's
	                                    * terrain) */
} bspi_model;

typedef struct bspi_node {
	int32_t plane, children[2];        /* a child < 0 is leaf -1 - child */
	float mins[3], maxs[3];
	uint32_t first_face, face_count;
} bspi_node;

typedef struct bspi_leaf {
	int32_t contents, cluster, area;
	int32_t vis_offset;                /* Quake, GoldSrc, Nightfire: offset of the row of visibility; < 0: the leaf sees
	                                    * everything */
	float mins[3], maxs[3];
	uint32_t first_leaf_face, leaf_face_count, first_leaf_brush, leaf_brush_count;
	uint8_t ambient[4];
} bspi_leaf;

typedef struct bspi_clipnode {
	int32_t plane, children[2];        /* a child < 0 is a contents number */
} bspi_clipnode;

typedef struct bspi_brush {
	int32_t first_side, side_count;
	int32_t contents;                  /* contents bits, in formats whose brushes store them */
	int32_t texture;                   /* Quake III: index in textures of the shader whose content flags count; -1:
	                                    * `contents` counts */
} bspi_brush;

typedef struct bspi_brush_side {
	int32_t plane;
	int32_t texture;                   /* index of a texinfo or a shader, as in the family's faces; -1: none */
	int32_t bevel;
} bspi_brush_side;

typedef struct bspi_fog {
	char shader[68];
	int32_t brush;                     /* brush that contains the fog; -1: the fog is everywhere */
	int32_t visible_side;              /* side of the brush through which the fog is visible; -1: none */
} bspi_fog;

typedef struct bspi_index { uint32_t value; } bspi_index;
typedef struct bspi_surfedge { int32_t value; } bspi_surfedge;

typedef struct bspi_area {
	int32_t first_portal, portal_count;
} bspi_area;

typedef struct bspi_area_portal_record {
	int32_t portal, other_area;
} bspi_area_portal_record;

/* Triangles of a polygon, as its compiler stored them: either a list, whose indices mean corners of the face, or a
 * strip, which may have vertices of its own. */
typedef struct bspi_primitive {
	int32_t strip;                     /* 0: a list */
	int32_t first_index, index_count;  /* indices in primitive_indices */
	int32_t first_vertex, vertex_count;/* vertices in primitive_vertices; count 0: indices mean corners of the face */
} bspi_primitive;

typedef enum bspi_disp_span { BSPI_SPAN_ALL, BSPI_SPAN_FIRST_HALF, BSPI_SPAN_SECOND_HALF } bspi_disp_span;

/* The neighbor along an edge of a displacement, or along half of the edge. The neighbor's own edge has the number (edge
 * + 2 + orientation) & 3. */
typedef struct bspi_disp_neighbor {
	int32_t dispinfo;                  /* < 0: none */
	uint8_t orientation;
	uint8_t span, their_span;          /* bspi_disp_span: the part of this displacement's edge that touches the
	                                    * neighbor, and the part of the neighbor's edge that it touches */
} bspi_disp_neighbor;

/* Neighbors that touch a corner of a displacement but share no edge with it. */
typedef struct bspi_disp_corner_neighbors {
	int32_t dispinfos[4];
	uint8_t count;
} bspi_disp_corner_neighbors;

/* A displacement: a quad that is divided into a grid with 1 << power cells per side. Each vertex of the grid is moved
 * along a direction of its own. */
typedef struct bspi_dispinfo {
	float start[3];                    /* position of vertex 0 before it is moved; this is near a corner of the face */
	int32_t first_vertex, first_triangle, power;
	uint32_t flags;
	int32_t first_blend;               /* index in disp_blends of vertex 0's weights; < 0: no weights. Set by
	                                    * `finish` */
	bspi_disp_neighbor neighbors[8];   /* two neighbors for each edge: left, top, right, bottom */
	bspi_disp_corner_neighbors corners[4];       /* corners: lower left, upper left, upper right, lower right */
} bspi_dispinfo;

typedef struct bspi_disp_triangle {
	int32_t tags;                      /* bits of bspscene_triangle_tag */
} bspi_disp_triangle;

typedef struct bspi_disp_vertex {
	float direction[3], distance;      /* the direction may have any length, even 0 */
	float alpha;                       /* weight of the material's second image, usually 0..255 */
} bspi_disp_vertex;

/* Weights of up to four textures at a vertex. Only displacements with the flag BSPI_DISP_BLENDED store them. */
typedef struct bspi_disp_blend {
	float weights[4];
} bspi_disp_blend;

#define BSPI_DISP_BLENDED 0x40000000u  /* flag in `flags` of a dispinfo whose vertices have weights */

/* A model that the compiler placed (Source). Models of entities are not in this list. */
typedef struct bspi_static_prop {
	char model[132];                   /* such as "models/props/barrel.mdl" */
	char name[132];                    /* name by which entities refer to this prop; "": it has none, as in most
	                                    * games */
	int32_t model_index;               /* index in the file's list of names; `finish` reads `model` from it */
	float origin[3], angles[3];        /* the angles are pitch, yaw and roll */
	int32_t skin;
	float scale;
	float stretch[3];                  /* for each axis, a factor that multiplies `scale`; 0: the factor is 1 */
	uint8_t color[4];
	int32_t first_leaf, leaf_count;    /* the leaves that contain the prop: a range of prop_leafs; leaf_count 0:
	                                    * unknown */
	int32_t solid;                     /* for this member and the following ones, see bspscene_prop */
	uint32_t flags, flags_ex;
	float fade_near, fade_far, fade_scale;
	float lighting_origin[3];          /* valid only if `flags` contains BSPSCENE_PROP_LIGHTING_ORIGIN */
	int32_t lightmap_size[2];
	int32_t dx_levels[2], cpu_levels[2], gpu_levels[2];
} bspi_static_prop;

/* MOHAA: a height field of 9 x 9 points. families/quake3/terrain.c makes a face from it. */
typedef struct bspi_terrain {
	int32_t x, y, z;                   /* position of the first corner: x and y in quads, z in units */
	uint8_t heights[81];               /* heights of the points above `z`, in steps of 2 game units; the point in
	                                    * column x and row y has the index y * 9 + x */
	float uvs[4][2];                   /* uvs of the corners 0,0; 0,1; 1,0; 1,1 */
	int32_t texture, lightmap;
	int32_t lightmap_x, lightmap_y, luxels; /* position of the first luxel; luxels per quad */
	uint32_t flags;
} bspi_terrain;

/* A detail prop of Source: grass or pebbles, shown by a model or a sprite. Maps have thousands of them. */
typedef struct bspi_detail_prop {
	char model[132];                   /* "" if the prop is a sprite */
	bspscene_detail_prop_kind kind;
	float origin[3], angles[3];
	float size[4], uv[4];              /* for sprites: left, top, right and bottom; `size` is in game units, and `uv`
	                                    * is the place on the sprite sheet */
	float scale;
	float light[3];                    /* linear light; 1 shows the image unchanged */
	int32_t leaf;
	int32_t orientation;
} bspi_detail_prop;

#define BSPI_MOST_OVERLAY_FACES 256

/* An overlay: a decal with four corners that the compiler placed on faces (Source). Each corner is at origin + u * x +
 * v * y. */
typedef struct bspi_overlay {
	int32_t texinfo;                   /* used only to find the texture; unused for decals that entities make */
	int32_t texture;                   /* index in textures; set by `finish`, or by the stage that made the overlay */
	int32_t counts;                    /* as the file stores it: number of faces in the low 14 bits, render order
	                                    * above */
	int32_t face_count, order;
	int32_t faces[BSPI_MOST_OVERLAY_FACES];
	float u_range[2], v_range[2];      /* range of the uvs, from corner 0 to corner 2; 1 is a whole texture */
	float points[4][3];                /* x and y of the corners; the third numbers hold the direction of u and the sign
	                                    * of v */
	float origin[3], normal[3];
	float u[3], v[3];                  /* unit length; set by validation */
	float fade_near, fade_far;         /* distances from the viewer; 0: the overlay does not fade */
	int32_t entity;                    /* the entity that made the overlay; < 0: the compiler made it */
	uint32_t model; /* decals: the model of its faces, 0 for the world; other overlays: the model of `owner` */
	uint32_t owner;
} bspi_overlay;

/* Fade distances, squared. An element belongs to the overlay with the same index. */
typedef struct bspi_overlay_fade {
	float near_squared, far_squared;
} bspi_overlay_fade;

typedef enum bspi_world_light_kind {
	BSPI_WORLD_LIGHT_SURFACE, BSPI_WORLD_LIGHT_POINT, BSPI_WORLD_LIGHT_SPOT, BSPI_WORLD_LIGHT_SKY,
	BSPI_WORLD_LIGHT_QUAKE, BSPI_WORLD_LIGHT_SKY_AMBIENT
} bspi_world_light_kind;

/* A light in the list that Source's compiler stores. It remains in the list even if its entity was removed. */
typedef struct bspi_world_light {
	float origin[3], intensity[3];     /* linear light */
	float normal[3];                   /* the direction in which it shines */
	int32_t kind, style;
	float inner_cosine, outer_cosine;  /* cosines of half the inner and half the outer angle of its cone */
	float radius;
	float constant, linear, quadratic; /* at distance d, the light is intensity / (constant + linear d + quadratic d
	                                    * d) */
	float exponent;                    /* spotlights: between the outer and the inner cone, the light grows with this
	                                    * power; 0 means 1 */
	uint32_t flags;                    /* bit 0: the ambient light of leaves (bspi_ambient) includes this light */
} bspi_world_light;

/* The ambient light at a point of a leaf, from six sides: +x -x +y -y +z -z. It is linear; 1 shows a texture
 * unchanged. */
typedef struct bspi_ambient {
	int32_t leaf;
	float origin[3];
	float cube[6][3];
	const uint8_t *stored;             /* points to the cube's six stored luxels, in the file or in the unpacked
	                                    * lump */
} bspi_ambient;

typedef struct bspi_cubemap {
	int32_t origin[3];
	int32_t size;                      /* 0: the size is the game's default; else 1 + log2 of the number of pixels per
	                                    * side */
} bspi_cubemap;

#endif
