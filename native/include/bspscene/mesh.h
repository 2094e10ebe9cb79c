/* mesh.h - Geometry of a scene: meshes, their sections and the faces of the map. */
#ifndef BSPSCENE_MESH_H
#define BSPSCENE_MESH_H

#include <bspscene/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An axis-aligned box. min > max if it is empty. Frozen. */
typedef struct bspscene_bounds {
	float min[3], max[3];              /**< Smallest and largest coordinates. */
} bspscene_bounds;

/** What a surface is for. All kinds except VISIBLE are hidden by default. bspscene_load_options.include_mask shows
 * kinds, each in sections of its own. The values are bits of that mask.
 *
 * COLLISION adds meshes made from the map's collision data: all brushes (those of BSPX too), or the clip trees of Quake
 * and GoldSrc maps without brushes. "hull0" is the tree in which points move. "hull1" is the tree in which the player's
 * origin moves, so its walls are thicker by the player's box. Each face of these sections is one closed convex body.
 * content_flags holds its contents; `record` is its brush, its leaf (hull0) or its clip node (hull1). Each kind of
 * contents has its own section and material. */
typedef enum bspscene_surface_kind {
	BSPSCENE_SURFACE_VISIBLE = 0,
	BSPSCENE_SURFACE_SKY = 0x1,
	BSPSCENE_SURFACE_NODRAW = 0x2,
	BSPSCENE_SURFACE_HINT = 0x4,
	BSPSCENE_SURFACE_SKIP = 0x8,
	BSPSCENE_SURFACE_CLIP = 0x10,
	BSPSCENE_SURFACE_TRIGGER = 0x20,
	BSPSCENE_SURFACE_CAULK = 0x40,
	BSPSCENE_SURFACE_TOOL = 0x80,      /**< Any other editor surface: origin, areaportal, lightgrid. */
	BSPSCENE_SURFACE_COLLISION = 0x100,/**< Hulls and clip brushes, as meshes of their own. */
	BSPSCENE_SURFACE_ALL = 0x1ff,
	BSPSCENE_SURFACE_FORCE_32BIT = 0x7fffffff
} bspscene_surface_kind;

/** What lights a section. */
typedef enum bspscene_lighting {
	BSPSCENE_LIGHTING_LIGHTMAP,        /**< texture * page * intensity. */
	BSPSCENE_LIGHTING_VERTEX,          /**< texture * vertex color. */
	BSPSCENE_LIGHTING_FULLBRIGHT,      /**< The texture alone: sky, liquids, maps without light. */
	BSPSCENE_LIGHTING_BLACK,           /**< A face without light in a lit map (Quake, GoldSrc). */
	BSPSCENE_LIGHTING_FORCE_32BIT = 0x7fffffff
} bspscene_lighting;

/** A run of a mesh with one material and one lightmap page. No vertex and no index belongs to two sections. */
typedef struct bspscene_section {
	uint32_t material;                 /**< Index of the material. Never NO_INDEX. */
	uint32_t lightmap_page;            /**< Number of the page in every lightmap set, or NO_INDEX. */
	bspscene_lighting lighting;        /**< Where the light comes from. */
	bspscene_surface_kind surface_kind; /**< VISIBLE, or the hidden kind that include_mask shows. */
	uint32_t fog;                      /**< Index into scene->fogs, or NO_INDEX. */
	uint32_t map_page_image;           /**< Image of the whole lightmap page as the map stores it, or NO_INDEX. Passes
	                                    * of the material may sample it at other coordinates (bspscene_pass_input). */
	uint32_t first_vertex, vertex_count; /**< Range of the mesh's vertices. */
	uint32_t first_index, index_count; /**< Triangles: index_count is a multiple of 3. */
	uint32_t first_face, face_count;   /**< Range of scene->faces. */
} bspscene_section;

/** Further vertex light of a mesh, for one light style. Raven's and QFusion's maps have up to four per vertex.
 * Frozen. */
typedef struct bspscene_vertex_color_set {
	uint32_t style;                    /**< The game's style number, see scene->light_styles. */
	const uint8_t *colors;             /**< RGBA for each vertex, encoded as mesh->colors. */
} bspscene_vertex_color_set;

/** Bits of mesh->triangle_tags: what Source's tools noted about a triangle of a displacement. */
typedef enum bspscene_triangle_tag {
	BSPSCENE_TRIANGLE_TAG_SURFACE = 0x1,
	BSPSCENE_TRIANGLE_TAG_WALKABLE = 0x2,   /**< Flat enough to walk on. */
	BSPSCENE_TRIANGLE_TAG_BUILDABLE = 0x4,  /**< Flat enough to build on. */
	BSPSCENE_TRIANGLE_TAG_SURFPROP_1 = 0x8, /**< Sounds like the $surfaceprop of the material's first texture. */
	BSPSCENE_TRIANGLE_TAG_SURFPROP_2 = 0x10,/**< Sounds like the $surfaceprop of the second texture. */
	BSPSCENE_TRIANGLE_TAG_REMOVED = 0x20,   /**< Only present with SURFACE_NODRAW. */
	BSPSCENE_TRIANGLE_TAG_FORCE_32BIT = 0x7fffffff
} bspscene_triangle_tag;

/** One drawn model as tight arrays. Arrays of vertices have vertex_count entries. */
typedef struct bspscene_mesh {
	const char *name;                  /**< "worldspawn", "*1", "overlays", or the path of a model. */
	uint32_t model;                    /**< Number of the brush model, or NO_INDEX. */
	bspscene_bounds bounds;            /**< Bounds of all vertices. */

	uint32_t vertex_count;             /**< Number of vertices. */
	const float *positions;            /**< xyz in the space of the mesh. The transform of a node places it. */
	const float *normals;              /**< xyz, unit length. */
	const float *uvs;                  /**< Texture coordinates. 1 is one repeat of the texture. */
	const float *lightmap_uvs;         /**< Coordinates in the lightmap page, 0..1, and 0, 0 in sections without one.
	                                    * NULL: the mesh has no lightmaps. */
	const float *map_page_uvs;         /**< Coordinates in the section's map_page_image. NULL: no pass needs them. */
	const uint8_t *colors;             /**< RGBA. RGB is light, encoded as the lightmap pages but never HDR. Alpha is as
	                                    * the file stores it. NULL: all white. */
	const bspscene_vertex_color_set *vertex_color_sets; /**< Vertex colors of further light styles. */
	uint32_t vertex_color_set_count;   /**< Entries of `vertex_color_sets`. */
	const uint32_t *vertex_records;    /**< Record of the file that holds the vertex color: a luxel of the list
	                                    * "vertices" (bspscene_light_list). NO_INDEX: none, as between the control
	                                    * points of a patch. NULL: no such list, or keep_map_light was not set. */
	const float *baked_light;          /**< RGB: all light at a vertex, linear, unclamped. 1 shows the texture as it is.
	                                    * NULL: the scene was not made by bspscene_bake_light with `vertices`. */
	const float *blend_alphas;         /**< Weight 0..1 of the material's second image on displacements. NULL: none. */
	const float *blend_weights;        /**< Four weights 0..1 for each vertex, one for each layer of the material
	                                    * (bspscene_layer). NULL: no displacement of the mesh has layers. */

	uint32_t index_count;              /**< Entries of `indices`. */
	const uint32_t *indices;           /**< Triangles of this mesh's vertices, front faces counter-clockwise. */
	const uint8_t *triangle_tags;      /**< bspscene_triangle_tag bits for each of index_count / 3 triangles, 0
	                                    * outside of displacements. NULL: no triangle has any. */
	const bspscene_section *const *sections;/**< Parts with one material and one kind of light. */
	uint32_t section_count;            /**< Entries of `sections`. */

	/* How a model moves, with the load option `rigs` or `map_rigs`. */
	const bspscene_rig *rig;           /**< NULL: the mesh does not move. */
	const uint8_t *joints;             /**< Four bones for each vertex, 0 where the weight is 0. NULL: not skinned. */
	const float *weights;              /**< Weights of the joints, with a sum of 1. NULL with `joints`. */
	const float *frame_positions;      /**< vertex_count positions for each frame of the rig. NULL: bones move it. */
	const float *frame_normals;        /**< vertex_count normals for each frame of the rig, unit length. */
} bspscene_mesh;

/** A face of the file that became triangles. The faces of a section are consecutive, and so are their indices.
 * Frozen. */
typedef struct bspscene_face {
	uint32_t record;                   /**< Number of the face in the file's face lump. Collision bodies: see
	                                    * SURFACE_COLLISION. */
	uint32_t mesh, section;            /**< Index of the mesh, and of the section in that mesh. */
	uint32_t first_index, index_count; /**< Range of the mesh's indices. */
	uint32_t first_vertex, vertex_count; /**< Range of the mesh's vertices. */
	uint32_t surface_flags, content_flags; /**< The game's own bits. Contents may be a negative number instead. */
	uint32_t leaf, cluster;            /**< First leaf that lists the face and its vis cluster, or NO_INDEX. */
	uint32_t area;                     /**< Area of that leaf, or NO_INDEX. */
	uint32_t lightmap_page;            /**< Page that holds the luxels of the face, or NO_INDEX. */
	uint32_t lightmap_x, lightmap_y, lightmap_width, lightmap_height; /**< Rectangle of the luxels, without the
	                                    * gutter. */
	uint8_t styles[4];                 /**< Light styles in use. 255 ends the list. */
} bspscene_face;

#ifdef __cplusplus
}
#endif
#endif
