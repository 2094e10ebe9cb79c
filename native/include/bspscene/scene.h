/* scene.h - what a load makes: the tree of nodes, entities and what they place, the map's own tree, and all arrays. */
#ifndef BSPSCENE_SCENE_H
#define BSPSCENE_SCENE_H

#include <bspscene/lighting.h>
#include <bspscene/material.h>
#include <bspscene/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Nodes and entities ----------------------------------------------------------------------------------- */

typedef enum bspscene_node_kind {
	BSPSCENE_NODE_ROOT,                /* node 0; its children are the world and all entities */
	BSPSCENE_NODE_WORLD,               /* model 0; below it one of this kind for each set of `levels` in it */
	BSPSCENE_NODE_BRUSH_ENTITY,        /* has a mesh of its own, moved by the entity's origin */
	BSPSCENE_NODE_POINT_ENTITY,
	BSPSCENE_NODE_LIGHT,
	BSPSCENE_NODE_CAMERA,              /* spawn points, intermission and portal cameras */
	BSPSCENE_NODE_PROP,                /* an external model to be placed here */
	BSPSCENE_NODE_FLARE,               /* a light's billboard: `color`, material */
	BSPSCENE_NODE_SKY,                 /* 3D skybox, enlarged to where players see it */
	BSPSCENE_NODE_COLLISION,           /* of the world or a brush entity, with INCLUDE_COLLISION */
	BSPSCENE_NODE_OVERLAY,             /* a decal cut from the faces it lies on */
	BSPSCENE_NODE_FORCE_32BIT = 0x7fffffff
} bspscene_node_kind;

/* A parent's index is always smaller than its children's, so one pass forward visits parents first. */
typedef struct bspscene_node {
	const char *name;                  /* unique in the scene: "worldspawn", "func_door:12", "light:40" */
	bspscene_node_kind kind;
	uint32_t parent;                   /* NO_INDEX for the root only */
	float transform[12];               /* to the parent's space; row-major 3x4, translation in [3], [7], [11] */
	uint32_t mesh, light, camera, prop, entity; /* each an index into the scene's array, or NO_INDEX */
	uint32_t material;                 /* flares: the billboard's material, or NO_INDEX */
	float color[3];                    /* flares: 0..1; 1,1,1 elsewhere */
	float color_alpha;                 /* the entity's render amount 0..1; 1 normally */
	bool hidden;                       /* not drawn by the game when the map starts (triggers, ...) */
	uint32_t levels;                   /* UFO: Alien Invasion: bit n set, it is drawn when the game shows level n + 1;
	                                    * 0: always, as in all other games */
} bspscene_node;

typedef struct bspscene_pair {
	const char *key, *value;
} bspscene_pair;

/* All key/values in file order, repeated keys too. `angle(s)` of brush entities is kept here and not applied but in
 * Source's maps (`angles`): for nearly every class of the others it is a direction of movement. */
typedef struct bspscene_entity {
	const char *classname;             /* "" when it has none */
	const char *targetname;            /* "" when it has none */
	uint32_t first_pair, pair_count;   /* into scene->pairs */
	uint32_t node;                     /* never NO_INDEX */
	uint32_t model;                    /* brush model number ("*3" is 3), 0 for worldspawn, or NO_INDEX */
	uint32_t target_entity;            /* first entity whose targetname is this one's `target`, or NO_INDEX */
	float origin[3];                   /* 0 when the key is absent */
} bspscene_entity;

typedef enum bspscene_camera_kind {
	BSPSCENE_CAMERA_SPAWN,             /* a player's start, at eye height */
	BSPSCENE_CAMERA_INTERMISSION,
	BSPSCENE_CAMERA_PORTAL,
	BSPSCENE_CAMERA_OTHER,
	BSPSCENE_CAMERA_FORCE_32BIT = 0x7fffffff
} bspscene_camera_kind;

/* Looks along its node's +X, up is +Z. */
typedef struct bspscene_camera {
	bspscene_camera_kind kind;
	uint32_t node, entity;
	float fov_degrees;                 /* horizontal, for a 4:3 picture */
} bspscene_camera;

/* ---- Fogs, props, overlays and details -------------------------------------------------------------------- */

typedef struct bspscene_fog {
	uint32_t material;                 /* its color and depth are there */
	uint32_t brush;                    /* record, or NO_INDEX for fog of the whole map */
	bspscene_bounds bounds;            /* of the brush; empty for global fog */
	float plane[4];                    /* visible side, normal . p = plane[3], outward; all 0: none */
} bspscene_fog;

/* Haze over the whole map, of which worldspawn tells. At the distance d, which is no more than `end`, surfaces and the
 * fog's colour are mixed in display space; the fog's share is opacity * (1 - exp(-(density * (d - start)) ^ power)),
 * and 0 up to `start`. What is added to the picture gets weaker by it, what multiplies the picture does not change. */
typedef struct bspscene_map_fog {
	float density;                     /* per game unit; 0: there is no such fog */
	float power;                       /* 1 or 2 */
	float color[3];                    /* 0..1 */
	float opacity, start, end;
	float sky;                         /* the fog's share of the sky */
	bool along_view;                   /* d is along the view's direction, not to the eye */
	bool over_lightmaps;               /* the engine shows it over lightmaps alone too */
} bspscene_map_fog;

/* What the compiler of a Source map was told about a static prop; numbers as in the file. */
typedef enum bspscene_prop_flag {
	BSPSCENE_PROP_FADES = 0x1,
	BSPSCENE_PROP_LIGHTING_ORIGIN = 0x2,
	BSPSCENE_PROP_IGNORE_NORMALS = 0x8,      /* lit from all sides alike */
	BSPSCENE_PROP_NO_SHADOW = 0x10,
	BSPSCENE_PROP_SCREEN_SPACE_FADE = 0x20,  /* fade_near and fade_far are pixels; since CS:GO: in fast reflections */
	BSPSCENE_PROP_NO_VERTEX_LIGHTING = 0x40,
	BSPSCENE_PROP_NO_SELF_SHADOW = 0x80,
	BSPSCENE_PROP_NO_TEXEL_LIGHTING = 0x100,
	BSPSCENE_PROP_FLAG_FORCE_32BIT = 0x7fffffff
} bspscene_prop_flag;

/* A model: `node` has its place, turn and size, and its mesh, which all props of the same look share. The mesh is
 * NO_INDEX when the model's file is missing, is of a format that is not read, or was not asked for
 * (load_options.models). What a game or an entity does not say is 0, NULL or as noted. */
typedef struct bspscene_prop {
	const char *model;                 /* game path: "models/props/barrel.mdl", or a sprite: "sprites/glow01.vmt" */
	uint32_t node, entity;             /* entity is NO_INDEX for props that only the compiled map knows */
	uint32_t skin;
	uint32_t body;                     /* packed number of its body groups */
	bool is_dynamic;                  /* the game makes or moves it: items, monsters, what falls */
	bool from_classname;                     /* the map does not name the model: the game's code does, for the classname */
	float color[4];                    /* 0..1, by which the texture is multiplied; 1 when not said */
	const uint8_t *colors;             /* light that was stored for it, or that Source's lamps throw on it, RGBA for
	                                    * each vertex of its mesh, encoded as mesh->colors; NULL: it is lit by
	                                    * bspscene_sample_light where it stands */
	float fade_near, fade_far;         /* distances between which it fades out, game units; 0, 0: never */
	float fade_scale;                  /* of the distance at which the game lets small things fade out; <= 0: never, 1
	                                    * when not said */

	/* Of static props, which only the compiled map knows. */
	bool is_static;
	const char *name;                  /* for entities (The Ship, Bloody Good Time); else NULL */
	uint32_t solid;                    /* 0: not at all, 2: its box, 3: its turned box, 6: its shape */
	uint32_t flags;                    /* bspscene_prop_flag */
	uint32_t flags_ex;                 /* since CS:GO: 1 not in shadow maps, 2 not in cascaded ones, 4 reflects light */
	float lighting_origin[3];          /* where the light on all of it is measured, game units; its own origin without
	                                    * the flag */
	uint32_t lightmap_width, lightmap_height; /* luxels of its own (Team Fortress 2); 0, 0: has none */
	uint32_t dx_levels[2];             /* least and most DirectX versions, times ten, that draw it; 0: any */
	uint32_t cpu_levels[2], gpu_levels[2]; /* least and most settings that draw it (Left 4 Dead and later); 0: any */
	uint32_t first_leaf, leaf_count;   /* leafs that it is in: scene.prop_leafs; 0, 0: not known */
	const bspscene_model_light *model_light; /* of models with a material that has `gloss`; else NULL */
	const bspscene_light_sample *light_sample; /* what bspscene_sample_light says where it stands, or at its lighting origin;
	                                    * NULL: it has `colors` or none, or nothing is known */
} bspscene_prop;

typedef struct bspscene_overlay {
	uint32_t node, mesh, material;
	uint32_t record;                   /* record number in its lump, or NO_INDEX when an entity places it */
	uint32_t entity;                   /* that entity, or NO_INDEX */
	uint32_t order;                    /* larger ones are drawn over smaller ones */
	bool water;                        /* of the lump for water, which numbers its own records */
	float fade_near, fade_far;         /* distances between which it fades out, game units; 0, 0: never */
} bspscene_overlay;

typedef enum bspscene_detail_prop_kind {
	BSPSCENE_DETAIL_PROP_MODEL,
	BSPSCENE_DETAIL_PROP_SPRITE,            /* one upright picture */
	BSPSCENE_DETAIL_PROP_CROSS,             /* two crossed pictures */
	BSPSCENE_DETAIL_PROP_TRIANGLE,          /* three pictures in a triangle */
	BSPSCENE_DETAIL_PROP_FORCE_32BIT = 0x7fffffff
} bspscene_detail_prop_kind;

/* A tuft of grass or a pebble (Source), of which there are thousands. Pictures are parts of the sheet that worldspawn's
 * `detailmaterial` names ("detail/detailsprites" without one). Where that is at hand and models are asked for, all of
 * them are the mesh of the node "details"; number n with a model that is at hand is the node "prop_detail:n". */
typedef struct bspscene_detail_prop {
	bspscene_detail_prop_kind kind;
	const char *model;                 /* "" for pictures */
	float origin[3], angles[3];        /* pitch yaw roll, degrees */
	float size[4], uv[4];              /* pictures: left, top, right, bottom; from the origin, and in the sheet */
	float scale;
	float color[3];                    /* light, linear, 1 shows the picture as it is */
	uint32_t leaf;                     /* or NO_INDEX */
	uint32_t orientation;              /* 0 fixed, 1 turns to the viewer, 2 turns about the vertical only */
} bspscene_detail_prop;

typedef struct bspscene_cubemap {
	float origin[3];
	uint32_t size;                     /* pixels; 0: the game's default */
	uint32_t first_frame_image;              /* its picture, as in bspscene_reflection; NO_INDEX: not at hand, or no material
	                                    * asks for the nearest one */
} bspscene_cubemap;

/* ---- The map's own tree ----------------------------------------------------------------------------------- */

typedef struct bspscene_leaf {
	uint32_t cluster, area;            /* NO_INDEX: solid or outside */
	uint32_t contents;                 /* the game's own bits or number */
	bspscene_bounds bounds;
} bspscene_leaf;

/* The BSP tree of model 0. Child c >= 0 is node c, c < 0 is leaf -1 - c. Acyclic, node 0 is the root. */
typedef struct bspscene_tree {
	uint32_t node_count, leaf_count;
	const float *planes;               /* 4 per node: normal, distance; child 0 is in front */
	const int32_t *children;           /* 2 per node */
	const bspscene_leaf *leafs;
} bspscene_tree;

/* Bit c of row r (byte c >> 3, bit c & 7): a viewer in cluster r may see cluster c. No rows: all is visible. */
typedef struct bspscene_vis {
	uint32_t cluster_count;
	uint32_t row_size;
	const uint8_t *rows;
} bspscene_vis;

typedef struct bspscene_area_portal {
	uint32_t portal;                   /* the game's portal number */
	uint32_t areas[2];
} bspscene_area_portal;

/* By what a map is found again, whatever its name: SHA-256 as 64 lower-case hex digits, of the whole file whatever
 * parts of it are loaded. Unstable: what `geometry` and `entities` are made of may change with a version. */
typedef struct bspscene_identity {
	char bytes[65];                    /* of the file, unpacked where it was packed */
	char geometry[65];                 /* of the outlines of all faces, to an eighth of a game unit, in whatever order:
	                                    * the same after new light or another order of compiling */
	char entities[65];                 /* of the entities' text without white space between words */
	uint64_t size;                     /* bytes of the file, unpacked */
} bspscene_identity;

/* ---- The scene -------------------------------------------------------------------------------------------- */

/* Counts of the whole file before anything is hidden: what `bspscene info` prints. */
typedef struct bspscene_counts {
	uint32_t models, faces;            /* records in the file */
	uint32_t polygons, patches, meshes, displacements, billboards; /* faces by kind */
	uint32_t lightmap_faces;
	uint32_t vertex_records;          /* vertex records in the file */
	uint32_t map_lightmaps;         /* pages or lit blocks in the file or beside it */
	uint32_t brush_entities;
	uint32_t static_props;
	uint32_t vertices, triangles;      /* of the built scene */
	uint32_t textures_found, textures_missing;
} bspscene_counts;

typedef struct bspscene_scene {
	const char *name;                        /* "atrium" */
	const char *family;                      /* quake, quake2, quake3, uebertools, goldsrc, source, nightfire,
	                                          * ufoai; "model" of a model alone, whose format is the variant */
	const char *variant;                     /* bsp2, hexen2, rtcw, raven, darkplaces, ...; the family's
	                                    * name for the plain one */
	int32_t version;                         /* the number in the header */
	float meters_per_unit;
	bspscene_bounds bounds;                  /* of everything drawn, in world space, but not of the 3D skybox */
	const bspscene_counts *counts;
	const bspscene_warning *const *warnings; uint32_t warning_count;

	const bspscene_node *const *nodes;       uint32_t node_count;
	const bspscene_entity *const *entities;  uint32_t entity_count;
	const bspscene_pair *pairs;              uint32_t pair_count;
	bool first_key_wins;                   /* of repeated entity keys (Quake III), else the last */

	const bspscene_mesh *const *meshes;      uint32_t mesh_count;
	const bspscene_face *faces;              uint32_t face_count;

	const bspscene_material *const *materials; uint32_t material_count;
	const bspscene_material_pass *const *material_passes;     uint32_t material_pass_count;
	const uint32_t *frame_images;                  uint32_t frame_image_count;
	const bspscene_image *const *images;     uint32_t image_count;
	uint32_t sky_material;                   /* the sky seen in this map, or NO_INDEX */
	float sky_camera_origin[3], sky_camera_scale; /* the SKY node shows p at (p - origin) * scale; scale 0: none */

	const bspscene_lightmap_set *lightmap_sets;      uint32_t lightmap_set_count;
	uint32_t lightmap_page_count;                     /* pages in every set */
	const float *added_styles;               /* 256 factors: the pages are the sum of all styles times these; NULL: each
	                                          * style has its own set */
	const bspscene_map_light *map_light; /* with the option of that name, for maps with luxels; else NULL */
	bspscene_lightmap_encoding lightmap_encoding; /* of the pages, as asked for */
	bool has_hdr_light;                      /* the file or its side-car stores unclamped light, for LIGHTMAP_HDR */
	float overbright;                        /* display values of pages and colours are file bytes times this */
	float light_clamp;                       /* page * intensity, the sum of all styles, is never more than this in the
	                                          * game (Quake: 2); 0: no limit */
	bool lightmap_mode_white;              /* where the engine shows lightmaps alone, its skies and unlit liquids are
	                                          * white (Quake), else drawn as ever */
	const bspscene_light_style *const *light_styles; uint32_t light_style_count;
	const bspscene_light *const *lights;     uint32_t light_count;
	bool linear_lights;                      /* the game adds lights up as linear light, so they fade as a host's lamps
	                                          * do; else as display light, which fades faster */
	const bspscene_light_grid *light_grid;
	const bspscene_ambient *ambients;        uint32_t ambient_count;

	const bspscene_camera *const *cameras;   uint32_t camera_count;
	const bspscene_fog *const *fogs;         uint32_t fog_count;
	const bspscene_map_fog *map_fog;
	const bspscene_prop *const *props;       uint32_t prop_count;
	const uint32_t *prop_leafs;              uint32_t prop_leaf_count; /* see bspscene_prop; NO_INDEX: does not exist */
	const bspscene_overlay *const *overlays; uint32_t overlay_count;
	const bspscene_detail_prop *detail_props;          uint32_t detail_prop_count;
	const bspscene_cubemap *const *cubemaps; uint32_t cubemap_count;

	const bspscene_tree *tree;
	const bspscene_vis *vis;
	uint32_t area_count;
	const bspscene_area_portal *area_portals; uint32_t area_portal_count;

	const void *pakfile; size_t pakfile_size; /* with `keep_pakfile`: the zip inside the map (Source), for
	                                          * bspscene_file_system_mount_memory; else NULL */

	const bspscene_identity *identity;       /* with `identify`; else NULL */
	uint64_t input_size;                    /* bytes of all files that were read, as they are stored */
	uint64_t memory_size, memory_peak;       /* bytes that the scene holds, and the most that loading held */

	const char *const *lighting_variants; uint32_t lighting_variant_count; /* names of the lights that the map has, where the game
	                                          * shows one or the other (UFO: Alien Invasion: "day", "night"), the usual
	                                          * one first; none in maps that have one alone */
	uint32_t lighting_variant;                      /* which of them the pages, the colours and the lights are */
	const char *variant_title;               /* for people: "Quake III Arena (IBSP 46)" */
	bool lightmap_mode_opaque;             /* where the engine shows lightmaps alone, all surfaces are opaque and
	                                          * whole, grey where no light falls on them, skies too (DarkPlaces) */
} bspscene_scene;

BSPSCENE_API void bspscene_scene_free(bspscene_scene *scene); /* NULL is fine */
/* What 0 stands for where a memory or output limit of what is made from the scene is asked for: 192 MiB and 56 bytes
 * for each of its source_size; UINT64_MAX for scenes that no load has made (source_size 0). */
BSPSCENE_API uint64_t bspscene_default_limit(const bspscene_scene *scene);

/* ---- Asking a scene --------------------------------------------------------------------------------------- */

/* First value of `key` (ASCII case ignored) in the order the game reads repeated keys, or NULL. */
BSPSCENE_API const char *bspscene_entity_value(const bspscene_scene *scene, uint32_t entity, const char *key);
/* Leaf that contains a point (game units, world space), or NO_INDEX when the map has no tree. */
BSPSCENE_API uint32_t bspscene_find_leaf(const bspscene_scene *scene, const float point[3]);
/* May a viewer in cluster `from` see cluster `to`? True when the map has no vis; false when either is NO_INDEX. */
BSPSCENE_API bool bspscene_cluster_visible(const bspscene_scene *scene, uint32_t from, uint32_t to);
/* The light that the game gives to a model whose origin is at a point, as the map starts: of the light grid
 * (Quake III), of the leaf (Source), else that of the floor below, brighter from above. False, all 0: the map knows
 * nothing of it there. `out` is for bspscene_shade_normal. */
BSPSCENE_API bool bspscene_sample_light(const bspscene_scene *scene, const float point[3], bspscene_light_sample *out);
/* What falls of it on a surface with this unit normal, RGB. */
BSPSCENE_API void bspscene_shade_normal(const bspscene_light_sample *light, const float normal[3], float out[3]);
/* The share of a lamp's colour that comes to a place, and the direction that it comes from, a unit vector. */
BSPSCENE_API float bspscene_lamp_attenuation(const bspscene_model_lamp *lamp, const float place[3], float toward[3]);
/* The node's transform to world space: the product of its ancestors' transforms, row-major 3x4. */
BSPSCENE_API void bspscene_node_world_transform(const bspscene_scene *scene, uint32_t node, float out[12]);

#ifdef __cplusplus
}
#endif
#endif
