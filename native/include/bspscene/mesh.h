/* mesh.h - the geometry of a scene: meshes, their sections and faces. */
#ifndef BSPSCENE_MESH_H
#define BSPSCENE_MESH_H

#include <bspscene/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bspscene_bounds {
	float min[3], max[3];              /* min > max when nothing is inside */
} bspscene_bounds;

/* What a surface is for. Everything but VISIBLE is hidden by default; `include` brings kinds back as sections.
 *
 * COLLISION makes meshes of their own from what things collide with: all brushes (those behind BSPX too) or, in maps of
 * Quake and GoldSrc without them, the trees: "hull0", in which points move, and "hull1", in which the player's origin
 * does, its walls thicker by the player's box. Each face of such a section is one closed convex body: its content_flags
 * say of what, its source is the brush, or the leaf (hull0) or clip node (hull1). There is a section, and a material
 * with the same content_flags, for each kind of contents. */
typedef enum bspscene_surface_kind {
	BSPSCENE_SURFACE_VISIBLE = 0,
	BSPSCENE_SURFACE_SKY = 0x1,
	BSPSCENE_SURFACE_NODRAW = 0x2,
	BSPSCENE_SURFACE_HINT = 0x4,
	BSPSCENE_SURFACE_SKIP = 0x8,
	BSPSCENE_SURFACE_CLIP = 0x10,
	BSPSCENE_SURFACE_TRIGGER = 0x20,
	BSPSCENE_SURFACE_CAULK = 0x40,
	BSPSCENE_SURFACE_TOOL = 0x80,      /* any other editor surface: origin, areaportal, lightgrid, ... */
	BSPSCENE_SURFACE_COLLISION = 0x100,/* hulls and clip brushes as meshes of their own */
	BSPSCENE_SURFACE_ALL = 0x1ff,
	BSPSCENE_SURFACE_FORCE_32BIT = 0x7fffffff
} bspscene_surface_kind;

typedef enum bspscene_lighting {
	BSPSCENE_LIGHTING_LIGHTMAP,        /* texture x page x intensity */
	BSPSCENE_LIGHTING_VERTEX,          /* texture x vertex colour */
	BSPSCENE_LIGHTING_FULLBRIGHT,      /* texture alone: sky, liquids, maps that were never lit */
	BSPSCENE_LIGHTING_BLACK,           /* a lit map's face without light (Quake, GoldSrc) */
	BSPSCENE_LIGHTING_FORCE_32BIT = 0x7fffffff
} bspscene_lighting;

/* A run of a mesh drawn with one material and one lightmap page. Vertices and indices belong to one section only. */
typedef struct bspscene_section {
	uint32_t material;                 /* never NO_INDEX */
	uint32_t lightmap_page;            /* page number in every page set, or NO_INDEX */
	bspscene_lighting lighting;
	bspscene_surface_kind surface_kind;             /* VISIBLE or the one kind it was brought back as */
	uint32_t fog;                      /* into scene->fogs, or NO_INDEX */
	uint32_t map_page_image;               /* image of the whole page that the map stores its light on, where stages of the
	                                    * material look up another place of it (bspscene_pass_input); or NO_INDEX */
	uint32_t first_vertex, vertex_count;
	uint32_t first_index, index_count; /* triangles: a multiple of 3 */
	uint32_t first_face, face_count;   /* into scene->faces */
} bspscene_section;

/* Further vertex light of the same mesh, for one light style (Raven and QFusion have up to four per vertex). */
typedef struct bspscene_vertex_color_set {
	uint32_t style;                    /* light style, see scene->light_styles */
	const uint8_t *colors;             /* RGBA per vertex, encoded as mesh->colors */
} bspscene_vertex_color_set;

/* Bits of mesh->triangle_tags: what Source's compiler or editor noted of a displacement's triangles. */
typedef enum bspscene_triangle_tag {
	BSPSCENE_TRIANGLE_TAG_SURFACE = 0x1,
	BSPSCENE_TRIANGLE_TAG_WALKABLE = 0x2,       /* flat enough to walk on */
	BSPSCENE_TRIANGLE_TAG_BUILDABLE = 0x4,      /* and to build on */
	BSPSCENE_TRIANGLE_TAG_SURFPROP_1 = 0x8,     /* sounds like the $surfaceprop of the material's first texture, */
	BSPSCENE_TRIANGLE_TAG_SURFPROP_2 = 0x10,    /* of its second */
	BSPSCENE_TRIANGLE_TAG_REMOVED = 0x20,       /* only there with INCLUDE_NODRAW */
	BSPSCENE_TRIANGLE_TAG_FORCE_32BIT = 0x7fffffff
} bspscene_triangle_tag;

/* One per drawn model: tight arrays, all `vertex_count` long. */
typedef struct bspscene_mesh {
	const char *name;                  /* "worldspawn", "*1", "overlays", ... */
	uint32_t model;                    /* brush model number, or NO_INDEX */
	bspscene_bounds bounds;

	uint32_t vertex_count;
	const float *positions;            /* xyz; in model space: the node's transform places it */
	const float *normals;              /* xyz, unit length */
	const float *uvs;                  /* uv of the texture, in whole textures */
	const float *lightmap_uvs;         /* uv into the page, 0..1; 0,0 on sections without one; NULL: no lightmaps */
	const float *map_page_uvs;             /* uv into the section's page_image; NULL: no stage moves the page by tc_mods */
	const uint8_t *colors;             /* RGBA; light in `lightmap_encoding` like the pages (never HDR), alpha as
	                                    * stored; NULL: all white */
	const bspscene_vertex_color_set *vertex_color_sets; uint32_t vertex_color_set_count;
	const uint32_t *vertex_records;   /* the record of the file that gives a vertex its colour, a luxel of the list
	                                    * "vertices" (bspscene_light_list); NO_INDEX: none does, as between a patch's
	                                    * control points. NULL: no such list, or without load's stored_light */
	const float *baked_light;                /* RGB, all light at a vertex, linear: 1 shows a texture as it is, brighter light
	                                    * is more. Of bspscene_bake_light; NULL in scenes as they are loaded */
	const float *blend_alphas;         /* displacement blend 0..1 towards the material's second image; NULL: none */
	const float *blend_weights;        /* 4 per vertex, each 0..1: how much there is of each of the material's layers
	                                    * (see bspscene_layer), 0 where a vertex has none; NULL: no displacement has
	                                    * any */

	uint32_t index_count;
	const uint32_t *indices;           /* into this mesh's vertices, counter-clockwise */
	const uint8_t *triangle_tags;      /* bspscene_triangle_tag bits of each triangle, index_count / 3 of them, 0 where
	                                    * it is of no displacement; NULL: no triangle has any */
	const bspscene_section *const *sections; uint32_t section_count;

	/* How a model moves, with load's `rigs`. */
	const bspscene_rig *rig;           /* NULL: it stands still */
	const uint8_t *joints;             /* 4 per vertex: bones of the rig that move it; 0 where a weight is 0. NULL: no
	                                    * bone moves it */
	const float *weights;              /* 4 per vertex, together 1, of the joints; NULL as they are */
	const float *frame_positions;      /* xyz, vertex_count for each frame of the rig; NULL: bones move it */
	const float *frame_normals;        /* the same, unit length */
} bspscene_mesh;

/* One face of the file that became triangles. A section's faces are consecutive, so are their indices. */
typedef struct bspscene_face {
	uint32_t record;                   /* number in the file's face lump; collision: see INCLUDE_COLLISION */
	uint32_t mesh, section;            /* section is counted within the mesh */
	uint32_t first_index, index_count; /* in the mesh */
	uint32_t first_vertex, vertex_count;
	uint32_t surface_flags, content_flags; /* the game's own bits, or number below 0 */
	uint32_t leaf, cluster;            /* the first leaf that lists it and its vis cluster, or NO_INDEX */
	uint32_t area;                     /* the leaf's area, or NO_INDEX */
	uint32_t lightmap_page;                     /* its rectangle of luxels, gutter not counted; NO_INDEX: none */
	uint32_t lightmap_x, lightmap_y, lightmap_width, lightmap_height;
	uint8_t styles[4];                 /* light styles in use; 255 ends the list */
} bspscene_face;

#ifdef __cplusplus
}
#endif
#endif
