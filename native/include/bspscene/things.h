/* things.h - What stands in a map: cameras, fogs, props, overlays, detail props and cube maps. */
#ifndef BSPSCENE_THINGS_H
#define BSPSCENE_THINGS_H

#include <bspscene/lighting.h>
#include <bspscene/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a camera is for. */
typedef enum bspscene_camera_kind {
	BSPSCENE_CAMERA_SPAWN,             /**< A player start, at eye height. */
	BSPSCENE_CAMERA_INTERMISSION,
	BSPSCENE_CAMERA_PORTAL,
	BSPSCENE_CAMERA_OTHER,
	BSPSCENE_CAMERA_FORCE_32BIT = 0x7fffffff
} bspscene_camera_kind;

/** A camera that looks along +X of its node, with +Z up. */
typedef struct bspscene_camera {
	bspscene_camera_kind kind;         /**< What the camera is for. */
	uint32_t node, entity;             /**< Indices of its node and its entity. */
	float fov_degrees;                 /**< Horizontal, for a 4:3 picture. */
} bspscene_camera;

/** A fog volume (Quake III). */
typedef struct bspscene_fog {
	uint32_t material;                 /**< Material whose `fog` has color and depth. */
	uint32_t brush;                    /**< Record of the brush. NO_INDEX: fog of the whole map. */
	bspscene_bounds bounds;            /**< Bounds of the brush. Empty for fog of the whole map. */
	float plane[4];                    /**< The visible side: normal . p = plane[3], pointing outward. All 0: none. */
} bspscene_fog;

/** Fog over the whole map, as set in worldspawn. Surfaces mix with the fog's color in display values. If d is the
 * distance, limited to `end`, the fog's share is
 *
 *     opacity * (1 - exp(-(density * (d - start)) ^ power)), and 0 up to `start`.
 *
 * Additive surfaces get weaker in it; multiplied ones do not change. */
typedef struct bspscene_map_fog {
	float density;                     /**< Per game unit. 0: no fog. */
	float power;                       /**< 1 or 2. */
	float color[3];                    /**< 0..1. */
	float opacity, start, end;         /**< start and end are in game units. */
	float sky;                         /**< The fog's share of the sky. */
	bool along_view;                   /**< True if d is the depth along the view direction, false if it is the distance
	                                    * to the eye. */
	bool over_lightmaps;               /**< True if the engine draws it in lightmap-only mode too. */
} bspscene_map_fog;

/** Flags of a Source map's static prop, with the values of the file. */
typedef enum bspscene_prop_flag {
	BSPSCENE_PROP_FADES = 0x1,
	BSPSCENE_PROP_LIGHTING_ORIGIN = 0x2,
	BSPSCENE_PROP_IGNORE_NORMALS = 0x8,      /**< Lit from all sides alike. */
	BSPSCENE_PROP_NO_SHADOW = 0x10,
	BSPSCENE_PROP_SCREEN_SPACE_FADE = 0x20, /**< fade_near and fade_far are pixels. Since CS:GO: in fast reflections. */
	BSPSCENE_PROP_NO_VERTEX_LIGHTING = 0x40,
	BSPSCENE_PROP_NO_SELF_SHADOW = 0x80,
	BSPSCENE_PROP_NO_TEXEL_LIGHTING = 0x100,
	BSPSCENE_PROP_FLAG_FORCE_32BIT = 0x7fffffff
} bspscene_prop_flag;

/** A model in the map. Its node has the transform and the mesh, which props with the same model, skin and body share.
 * The node has no mesh if the model's file is missing or unreadable, or was not requested (load_options.models). Fields
 * that neither the game nor the entity states are 0 or NULL, unless noted. */
typedef struct bspscene_prop {
	const char *model;                 /**< Game path: "models/props/barrel.mdl" or a sprite, "sprites/glow01.vmt". */
	uint32_t node;                     /**< Index of its node. */
	uint32_t entity;                   /**< NO_INDEX: a prop that only the compiled map knows. */
	uint32_t skin;                     /**< Number of the skin. A number that does not exist shows skin 0. */
	uint32_t skin_count;               /**< Number of skins of the model. 0: its file was not read. */
	uint32_t body;                     /**< Packed number of its body groups. */
	bool is_dynamic;                   /**< True if the game creates or moves it: items, monsters, debris. */
	bool from_classname;               /**< True if the game's code names the model for the classname, not the map. */
	float color[4];                    /**< Multiplied with the texture, 0..1. 1 if not stated. */
	const uint8_t *colors;             /**< Stored light, or the light of Source's lamps: RGBA for each vertex of the
	                                    * mesh, encoded as mesh->colors. NULL: light_sample lights it. */
	float fade_near, fade_far;         /**< Distances between which it fades out, in game units. 0, 0: never. */
	float fade_scale;                  /**< Scale of the distance at which small props fade out. 0 or less: never. 1
	                                    * if not stated. */

	/* Items that the game's code turns and bobs. The scene has them unturned, at their mean height. */
	float turn_degrees_per_second;     /**< About the vertical through the entity's origin, counterclockwise from
	                                    * above. 0: it does not turn. */
	float bob_height;                  /**< Game units. At time t (seconds) the item is higher by bob_height *
	                                    * cos(bob_radians_per_second * t + bob_phase_radians). 0: it does not bob. */
	float bob_radians_per_second, bob_phase_radians; /**< See bob_height. */

	/* Static props of Source, which only the compiled map knows. */
	bool is_static;                    /**< True if the prop is one of these. */
	const char *name;                  /**< Name for entities (The Ship, Bloody Good Time), or NULL. */
	uint32_t solid;                    /**< 0: not solid, 2: bounding box, 3: oriented box, 6: collision model. */
	uint32_t flags;                    /**< bspscene_prop_flag bits. */
	uint32_t flags_ex;                 /**< Since CS:GO: 1 no shadow maps, 2 no cascaded shadows, 4 reflects light. */
	float lighting_origin[3];          /**< Point that lights the whole prop, in game units. */
	uint32_t lightmap_width, lightmap_height; /**< Luxels of its own lightmap (Team Fortress 2). 0: none. */
	uint32_t dx_levels[2];             /**< Lowest and highest DirectX version times ten. 0: any. */
	uint32_t cpu_levels[2], gpu_levels[2]; /**< Lowest and highest settings (Left 4 Dead and later). 0: any. */
	uint32_t first_leaf, leaf_count;   /**< Range of scene->prop_leafs. 0, 0: unknown. */
	const bspscene_model_light *model_light; /**< Set if a material of the model has `phong`. */
	const bspscene_light_sample *light_sample; /**< Light at the prop or its lighting origin. NULL: the prop has
	                                    * `colors`, or its light is unknown. */
} bspscene_prop;

/** A decal on faces. */
typedef struct bspscene_overlay {
	uint32_t node, mesh, material;     /**< Indices of its node, mesh and material. */
	uint32_t record;                   /**< Record in its lump. NO_INDEX: an entity places it. */
	uint32_t entity;                   /**< That entity, or NO_INDEX. */
	uint32_t order;                    /**< Larger ones are drawn over smaller ones. */
	bool water;                        /**< True if `record` is in the lump of water overlays. */
	float fade_near, fade_far;         /**< Distances between which it fades out, in game units. 0, 0: never. */
} bspscene_overlay;

/** Shape of a detail prop. */
typedef enum bspscene_detail_prop_kind {
	BSPSCENE_DETAIL_PROP_MODEL,
	BSPSCENE_DETAIL_PROP_SPRITE,       /**< One upright picture. */
	BSPSCENE_DETAIL_PROP_CROSS,        /**< Two crossed pictures. */
	BSPSCENE_DETAIL_PROP_TRIANGLE,     /**< Three pictures in a triangle. */
	BSPSCENE_DETAIL_PROP_FORCE_32BIT = 0x7fffffff
} bspscene_detail_prop_kind;

/** A tuft of grass or a pebble (Source's prop_detail), of which maps have thousands. Frozen.
 *
 * Pictures are parts of the sheet that worldspawn's `detailmaterial` names, by default "detail/detailsprites". If the
 * sheet is found and models are loaded, all pictures form the mesh of the node "details". Number n with a model that is
 * found is the node "prop_detail:n". */
typedef struct bspscene_detail_prop {
	bspscene_detail_prop_kind kind;    /**< Shape. */
	const char *model;                 /**< "" for pictures. */
	float origin[3];                   /**< Game units. */
	float angles[3];                   /**< Pitch, yaw, roll in degrees. */
	float size[4], uv[4];              /**< Pictures: left, top, right, bottom. `size` has offsets from the origin in
	                                    * game units, and `uv` coordinates in the sheet. */
	float scale;                       /**< Scale of the model or the picture. */
	float color[3];                    /**< Light, linear. 1 shows the picture as it is. */
	uint32_t leaf;                     /**< Leaf that contains it, or NO_INDEX. */
	uint32_t orientation;              /**< 0 fixed, 1 faces the viewer, 2 faces the viewer about the vertical axis. */
} bspscene_detail_prop;

/** An environment cube map of the map (Source). */
typedef struct bspscene_cubemap {
	float origin[3];                   /**< Game units. */
	uint32_t size;                     /**< Pixels of a side. 0: the game's default. */
	uint32_t first_frame_image;        /**< Its images, as in bspscene_reflection. NO_INDEX: not found, or no
	                                    * material uses the nearest cube map. */
} bspscene_cubemap;

#ifdef __cplusplus
}
#endif
#endif
