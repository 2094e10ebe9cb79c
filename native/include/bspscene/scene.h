/* scene.h - The scene that a load returns: nodes, entities, props, the map's own tree, and all arrays. */
#ifndef BSPSCENE_SCENE_H
#define BSPSCENE_SCENE_H

#include <string.h>

#include <bspscene/lighting.h>
#include <bspscene/mesh.h>
#include <bspscene/things.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What materials hold: see material.h. */
typedef struct bspscene_material bspscene_material;
typedef struct bspscene_material_pass bspscene_material_pass;
/** An image of a material: see image.h. */
typedef struct bspscene_image bspscene_image;

/* ---- Nodes and entities ----------------------------------------------------------------------------------- */

/** What a node stands for. */
typedef enum bspscene_node_kind {
	BSPSCENE_NODE_ROOT,                /**< Node 0. Its children are the world and all entities. */
	BSPSCENE_NODE_WORLD,               /**< Brush model 0. Below it is a further WORLD node for each value of `levels`
	                                    * in the map. */
	BSPSCENE_NODE_BRUSH_ENTITY,        /**< Has a mesh of its own, moved by the entity's origin. */
	BSPSCENE_NODE_POINT_ENTITY,
	BSPSCENE_NODE_LIGHT,
	BSPSCENE_NODE_CAMERA,              /**< Spawn points, intermission and portal cameras. */
	BSPSCENE_NODE_PROP,                /**< An external model. */
	BSPSCENE_NODE_FLARE,               /**< The billboard of a lamp: color and material. */
	BSPSCENE_NODE_SKY,                 /**< The 3D skybox, enlarged to where players see it. */
	BSPSCENE_NODE_COLLISION,           /**< Collision of the world or a brush entity, with SURFACE_COLLISION. */
	BSPSCENE_NODE_OVERLAY,             /**< A decal cut from the faces below it. */
	BSPSCENE_NODE_FORCE_32BIT = 0x7fffffff
} bspscene_node_kind;

/** A node of the scene tree. Parents come before their children in scene->nodes. */
typedef struct bspscene_node {
	const char *name;                  /**< Unique in the scene: "worldspawn", "func_door:12", "light:40". */
	bspscene_node_kind kind;           /**< What the node stands for. */
	uint32_t parent;                   /**< Index of the parent. NO_INDEX for the root only. */
	float transform[12];               /**< To the parent's space. Row-major 3x4; [3], [7], [11] are the translation. */
	uint32_t mesh, light, camera, prop, entity; /**< Indices into the arrays of the scene, or NO_INDEX. */
	uint32_t material;                 /**< FLARE: material of the billboard. Else NO_INDEX. */
	float color[3];                    /**< FLARE: 0..1. Else 1, 1, 1. */
	float color_alpha;                 /**< Render amount of the entity, 0..1. Usually 1. */
	bool hidden;                       /**< True if the game does not draw it when the map starts (triggers). */
	uint32_t levels;                   /**< UFO: Alien Invasion: bit n is set if level n + 1 shows the node. 0:
	                                    * always. */
} bspscene_node;

/** A key and its value. Frozen. */
typedef struct bspscene_pair {
	const char *key, *value;           /**< UTF-8. */
} bspscene_pair;

/** An entity with all its pairs in file order, repeated keys included. The scene applies `angles` of brush entities in
 * Source's maps only: in other games it is a direction of movement for most classes. */
typedef struct bspscene_entity {
	const char *classname;             /**< "" if it has none. */
	const char *targetname;            /**< "" if it has none. */
	uint32_t first_pair, pair_count;   /**< Range of scene->pairs. */
	uint32_t node;                     /**< Index of its node. Never NO_INDEX. */
	uint32_t model;                    /**< Number of its brush model ("*3" is 3), 0 for worldspawn, or NO_INDEX. */
	uint32_t target_entity;            /**< First entity whose targetname equals `target`, or NO_INDEX. */
	float origin[3];                   /**< Game units. 0 if the key is absent. */
} bspscene_entity;

/* ---- The map's own tree ----------------------------------------------------------------------------------- */

/** A leaf of the BSP tree. Frozen. */
typedef struct bspscene_leaf {
	uint32_t cluster, area;            /**< NO_INDEX: solid or outside. */
	uint32_t contents;                 /**< The game's own bits or number. */
	bspscene_bounds bounds;            /**< Bounds of the leaf. */
} bspscene_leaf;

/** The BSP tree of model 0. It has no cycle and node 0 is its root. */
typedef struct bspscene_tree {
	uint32_t node_count, leaf_count;   /**< Number of nodes and leaves. */
	const float *planes;               /**< Four for each node: normal and distance. */
	const int32_t *children;           /**< Two for each node, the first in front. c >= 0 is node c, else leaf -1 -
	                                    * c. */
	const bspscene_leaf *leafs;        /**< leaf_count leaves. */
} bspscene_tree;

/** Potentially visible sets. Bit c of row r (byte c >> 3, bit c & 7) is set if cluster r may see cluster c. */
typedef struct bspscene_vis {
	uint32_t cluster_count;            /**< Number of rows and of bits in a row. */
	uint32_t row_size;                 /**< Bytes of a row. */
	const uint8_t *rows;               /**< NULL: every cluster sees every other. */
} bspscene_vis;

/** An opening between two areas. Frozen. */
typedef struct bspscene_area_portal {
	uint32_t portal;                   /**< The game's portal number. */
	uint32_t areas[2];                 /**< The areas on both sides. */
} bspscene_area_portal;

/** SHA-256 sums that identify a map under any name, as 64 lower-case hex digits. They cover the whole file, whatever
 * parts are loaded. NOTE: how `geometry` and `entities` are computed may change with a version. */
typedef struct bspscene_identity {
	char bytes[65];                    /**< Sum of the file, unpacked. */
	char geometry[65];                 /**< Sum of the outlines of all faces in any order, rounded to 1/8 game unit. It
	                                    * does not change with new light or another compile order. */
	char entities[65];                 /**< Sum of the entity text without the white space between tokens. */
	uint64_t size;                     /**< Bytes of the file, unpacked. */
} bspscene_identity;

/** A file next to the map that belongs to it by its name. Frozen. */
typedef struct bspscene_companion_file {
	const char *path;                  /**< Game path: "maps/atrium.lit", "halflife.wad". */
	const char *archive;               /**< Archive or directory. "" if the host does not say. */
	const char *unused;                /**< Why it is not used, and which option of the command line would use it:
	                                    * "for another version of the map". NULL: it is used. */
} bspscene_companion_file;

/* ---- The scene -------------------------------------------------------------------------------------------- */

/** Counts of the whole file, hidden surfaces included. `bspscene info` prints them. */
typedef struct bspscene_counts {
	uint32_t models, faces;            /**< Records in the file. */
	uint32_t polygons, patches, meshes, displacements, billboards; /**< Faces by kind. */
	uint32_t lightmap_faces;           /**< Faces with a lightmap. */
	uint32_t vertex_records;           /**< Vertex records in the file. */
	uint32_t map_lightmaps;            /**< Lightmap pages or lit blocks in the file or next to it. */
	uint32_t brush_entities;           /**< Entities with a brush model. */
	uint32_t static_props;             /**< Props that only the compiled map knows. */
	uint32_t vertices, triangles;      /**< Vertices and triangles of the scene, not of the file. */
	uint32_t textures_found, textures_missing; /**< Images that materials name. */
} bspscene_counts;

/** A loaded map. All memory belongs to the scene and lives until bspscene_scene_free. */
typedef struct bspscene_scene {
	const char *name;                        /**< Name of the map, such as "atrium". */
	const char *family;                      /**< quake, quake2, quake3, uebertools, goldsrc, source, nightfire,
	                                    * ufoai, ... "model" if the file is a model; its format is the variant. */
	const char *variant;                     /**< bsp2, hexen2, rtcw, raven, darkplaces, ... or the family's name. */
	const char *variant_title;               /**< For people: "Quake III Arena (IBSP 46)". */
	int32_t version;                         /**< Version number in the header. */
	float meters_per_unit;                   /**< Meters for each game unit. */
	bspscene_bounds bounds;                  /**< Bounds of all drawn things in world space, without the 3D skybox. */
	const bspscene_counts *counts;           /**< Counts of the whole file. */
	const bspscene_warning *const *warnings; uint32_t warning_count; /**< Repairs and missing files. */

	/* The tree of nodes. */
	const bspscene_node *const *nodes;       uint32_t node_count; /**< Node 0 is the root. */
	const bspscene_entity *const *entities;  uint32_t entity_count; /**< In file order. */
	const bspscene_pair *pairs;              uint32_t pair_count; /**< Keys and values of all entities. */
	const char *entity_file;                 /**< Game path of the file next to the map that the entities are from, see
	                                    * bspscene_entity_source. NULL: the map. */
	bool first_key_wins;                     /**< True if the first of repeated keys counts (Quake III). Else the
	                                    * last. */
	bool escaped_text;                       /**< True if the map's entity text has quotes, backslashes, line ends and
	                                    * tabs with a backslash before them (Strata Source). The pairs have none. */

	/* Geometry and materials. */
	const bspscene_mesh *const *meshes;      uint32_t mesh_count; /**< Meshes of the nodes. */
	const bspscene_face *faces;              uint32_t face_count; /**< Faces of all meshes. */
	const bspscene_material *const *materials; uint32_t material_count; /**< Materials of the sections. */
	const bspscene_material_pass *const *material_passes; uint32_t material_pass_count; /**< Passes of all materials. */
	const uint32_t *frame_images;            uint32_t frame_image_count; /**< Image indices of animated textures. */
	const bspscene_image *const *images;     uint32_t image_count; /**< Images of all materials. */
	uint32_t sky_material;                   /**< Material of the sky in this map, or NO_INDEX. */
	float sky_camera_origin[3], sky_camera_scale; /**< The SKY node shows p at (p - origin) * scale. Scale 0: none. */
	const bspscene_cubemap *const *cubemaps; uint32_t cubemap_count; /**< Cube maps (Source). */

	/* Light. */
	const bspscene_lightmap_set *lightmap_sets; uint32_t lightmap_set_count; /**< Lightmap pages, a set for each kind
	                                    * and style. */
	uint32_t lightmap_page_count;            /**< Pages of every set. */
	bspscene_lightmap_encoding lightmap_encoding; /**< Encoding of the pages, as requested. */
	const float *added_styles;               /**< 256 factors, by style number: the pages hold the sum of all styles
	                                    * times their factors. NULL: each style has a set of its own. */
	bool has_hdr_light;                      /**< True if the map or a sibling file has light for
	                                    * LIGHTMAP_ENCODING_HDR. */
	float overbright;                        /**< Factor from file bytes to display values. */
	float light_clamp;                       /**< The game clamps page * intensity, summed over styles, to this
	                                    * (Quake: 2). 0: no clamp. */
	bool is_full_bright;                     /**< True if the map has no light, so that its engine shows textures as
	                                    * they are. Colors of missing textures are then shaded a little by normals, in
	                                    * the vertex colors. */
	bool linear_luxels;                      /**< True if the game interpolates between luxels and adds light styles in
	                                    * linear light (Source). Else it does so with display values. */
	const bspscene_map_light *map_light;     /**< NULL: the load option keep_map_light was not set, or the map has no
	                                    * luxels. */
	const bspscene_light_style *const *light_styles; uint32_t light_style_count; /**< Light styles in use. */
	const bspscene_light *const *lights;     uint32_t light_count; /**< Lamps, suns and glowing surfaces. */
	bool linear_lights;                      /**< True if the game adds lamps in linear light, as hosts do. Else it adds
	                                          * display values, which fade faster. */
	const char *const *lighting_variants;    uint32_t lighting_variant_count; /**< Names of alternative lighting, the
	                                    * usual one first ("day", "night" in UFO: Alien Invasion). */
	uint32_t lighting_variant;               /**< Index of the variant that the scene shows. */
	const bspscene_light_grid *light_grid;   /**< NULL: none. */
	const bspscene_ambient *ambients;        uint32_t ambient_count; /**< Ambient cubes (Source). */
	const bspscene_light_sample *outdoor_light; /**< Light on every model, wherever it stands: ambient light and the sun
	                                    * (UFO: Alien Invasion). NULL: the light depends on the position. */
	const bspscene_map_fog *map_fog;         /**< NULL: none. */
	bool lightmap_mode_white;                /**< True if lightmap-only mode shows skies and unlit liquids white
	                                    * (Quake). */
	bool lightmap_mode_opaque;               /**< True if lightmap-only mode shows all surfaces opaque and whole, and
	                                    * gray where there is no light (DarkPlaces). */

	/* Things in the map. */
	const bspscene_camera *const *cameras;   uint32_t camera_count; /**< Player starts and cameras. */
	const bspscene_fog *const *fogs;         uint32_t fog_count; /**< Fog volumes. */
	const bspscene_prop *const *props;       uint32_t prop_count; /**< Models in the map. */
	const uint32_t *prop_leafs;              uint32_t prop_leaf_count; /**< See bspscene_prop. NO_INDEX: no such
	                                    * leaf. */
	const bspscene_overlay *const *overlays; uint32_t overlay_count; /**< Decals. */
	const bspscene_detail_prop *detail_props; uint32_t detail_prop_count; /**< Grass and pebbles (Source). */

	/* Visibility. */
	const bspscene_tree *tree;               /**< Never NULL. Empty if the map has none. */
	const bspscene_vis *vis;                 /**< Never NULL. Empty if the map has none. */
	uint32_t area_count;                     /**< Number of areas. */
	const bspscene_area_portal *area_portals; uint32_t area_portal_count; /**< Openings between areas. */

	/* The file. */
	const void *pakfile; size_t pakfile_size; /**< With keep_pakfile: the zip inside the map (Source), for
	                                          * bspscene_file_system_mount_memory. Or NULL. */
	const bspscene_identity *identity;       /**< NULL: the load option `identify` was not set. */
	const bspscene_companion_file *const *companion_files; uint32_t companion_file_count; /**< Files next to the map
	                                    * that belong to it. Those that are not used are found only if the load had
	                                    * list_files. */
	uint64_t input_size;                     /**< Bytes of all files that were read, as stored. */
	uint64_t memory_size, memory_peak;       /**< Bytes that the scene holds, and the most that the load held. */
} bspscene_scene;

/** Frees a scene. NULL does nothing. */
BSPSCENE_API void bspscene_scene_free(bspscene_scene *scene);

/** Returns the default of memory and output limits for calls that make something of the scene: 192 MiB and 56 bytes for
 * each byte of input_size, or UINT64_MAX if input_size is 0. */
BSPSCENE_API uint64_t bspscene_default_limit(const bspscene_scene *scene);

/* ---- Queries ---------------------------------------------------------------------------------------------- */

/** Returns the value of `key` that the game uses, or NULL. ASCII case is ignored. */
BSPSCENE_API const char *bspscene_entity_value(const bspscene_scene *scene, uint32_t entity, const char *key);

/** Returns the leaf that contains a point in world space (game units), or NO_INDEX if the map has no tree. */
BSPSCENE_API uint32_t bspscene_find_leaf(const bspscene_scene *scene, const float point[3]);

/** True if a viewer in cluster `from` may see cluster `to`, or if the map has no vis. False if either is NO_INDEX. */
BSPSCENE_API bool bspscene_cluster_visible(const bspscene_scene *scene, uint32_t from, uint32_t to);

/** Computes the light on a model whose origin is at a point in world space, when the map starts.
 *
 * The light comes from the light grid (Quake III), the leaf (Source), or the floor below. Returns false and sets `out`
 * to 0 if the map has no light there. Pass `out` to bspscene_shade_normal. */
BSPSCENE_API bool bspscene_sample_light(const bspscene_scene *scene, const float point[3],
                                        bspscene_light_sample *out);

/** Computes the light on a surface with a unit normal: RGB in display values. */
BSPSCENE_API void bspscene_shade_normal(const bspscene_light_sample *light, const float normal[3], float out[3]);

/** Returns the share of a lamp's color that reaches a point in world space, and the unit vector to the lamp. */
BSPSCENE_API float bspscene_lamp_attenuation(const bspscene_model_lamp *lamp, const float point[3], float toward[3]);

/** Computes the transform from the node's space to world space. Row-major 3x4. */
BSPSCENE_API void bspscene_node_world_transform(const bspscene_scene *scene, uint32_t node, float out[12]);

/** Returns the next node after `after` that shows `mesh`, or NO_INDEX. Start with NO_INDEX. */
BSPSCENE_API uint32_t bspscene_next_node_with_mesh(const bspscene_scene *scene, uint32_t mesh, uint32_t after);

/** Returns the index of a camera that shows the map as players first see it. Number 0 is the best, and others follow.
 *
 * Cameras of the intermission come first, then player starts, then other cameras; portals are left out. Returns
 * NO_INDEX past the last one, so already for number 0 if the map has none. */
BSPSCENE_API uint32_t bspscene_start_camera(const bspscene_scene *scene, uint32_t number);

/** A point on a face. */
typedef struct bspscene_surface_point {
	size_t struct_size;                /**< See bspscene_surface_point_init. */
	uint32_t face;                     /**< Index into scene->faces. */
	uint32_t node;                     /**< Node that shows the face. */
	uint32_t triangle;                 /**< Triangle of the mesh: indices[3 * triangle] is its first corner. */
	float barycentric[3];              /**< Weights of its corners, with a sum of 1. */
	float distance;                    /**< Distance from the requested point, in game units. */
	float position[3], normal[3];      /**< World space. */
	float uv[2];                       /**< Texture coordinates. */
	uint32_t lightmap_page;            /**< Page of the luxel, or NO_INDEX. */
	uint32_t luxel_x, luxel_y;         /**< Luxel on that page. */
	float light[3];                    /**< Light of that luxel, not interpolated: all styles as the map starts, in
	                                    * display values. 1 shows the texture as it is. Linear light for HDR pages. */
} bspscene_surface_point;

static inline void bspscene_surface_point_init(bspscene_surface_point *point)
{
	memset(point, 0, sizeof *point);
	point->struct_size = sizeof *point;
}

/** Finds the point on a visible face that is nearest to a point in world space, within `radius` game units.
 *
 * - The nearest face may lie in any direction. To find the floor, pass a point near the floor.
 * - Faces of hidden nodes and of hidden surface kinds do not count. Meshes of model files have no faces; brush models
 *   do.
 * - `radius` is 0 or more; INFINITY searches everywhere. The time grows with the number of faces.
 *
 * Returns false if no face is that near. There is no other failure. */
BSPSCENE_API bool bspscene_face_at(const bspscene_scene *scene, const float point[3], float radius,
                                   bspscene_surface_point *out);

#ifdef __cplusplus
}
#endif
#endif
