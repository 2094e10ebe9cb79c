/* bspscene.h - compiled game maps (BSP) to scenes: the whole public API and its documentation.
 *
 *     bspscene_error error;
 *     bspscene_scene *scene = bspscene_load_file("maps/atrium.bsp", NULL, &error);
 *     if (!scene) { fprintf(stderr, "%s\n", error.message); return 1; }
 *     for (uint32_t i = 0; i < scene->mesh_count; i++) { ... plain arrays ... }
 *     bspscene_scene_free(scene);
 *
 * What is promised for every file, hostile ones included:
 *   - a load ends in a scene or in NULL plus an error; it never crashes, hangs or exceeds `memory_limit`;
 *   - every index in a scene is in range or BSPSCENE_NO_INDEX, every float is finite, every string is
 *     NUL-terminated UTF-8, every array whose count is not 0 is non-NULL;
 *   - what was repaired or left out is counted in `warnings`;
 *   - the library opens no file but those the caller named or answered through `open_file`.
 *
 * Conventions: right-handed game space, Z up, X forward, Y left, lengths in game units (multiply by
 * `metres_per_unit`); front faces counter-clockwise; texture and lightmap v grows downward, 0 is the top row.
 * `count` and `first` are elements, `size` and `offset` are bytes. "NULL" is always allowed where it is said, and
 * nowhere else: wrong arguments are programming errors and assert, wrong data never does.
 *
 * Threads: no global state. A scene is immutable after loading, so any number of threads may read one.
 * Layout: structs only grow at the end; the shared library's SOVERSION is the layout version.
 * Game facts are stated where they matter; the reader of each family (native/src/families) says where they come from.
 */
#ifndef BSPSCENE_H
#define BSPSCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BSPSCENE_VERSION_MAJOR 0
#define BSPSCENE_VERSION_MINOR 1
#define BSPSCENE_VERSION_PATCH 0
#define BSPSCENE_VERSION_STRING "0.1.0"

#if defined(_WIN32) && defined(BSPSCENE_SHARED)
	#ifdef BSPSCENE_BUILDING
		#define BSPSCENE_API __declspec(dllexport)
	#else
		#define BSPSCENE_API __declspec(dllimport)
	#endif
#elif defined(__GNUC__)
	#define BSPSCENE_API __attribute__((visibility("default")))
#else
	#define BSPSCENE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "No such thing": the absence of a mesh, material, page, leaf, parent, ... */
#define BSPSCENE_NO_INDEX 0xffffffffu

/* ---- Errors and warnings ---------------------------------------------------------------------------------- */

typedef enum bspscene_status {
	BSPSCENE_OK = 0,
	BSPSCENE_ERROR_OUT_OF_MEMORY,      /* the system gave no memory */
	BSPSCENE_ERROR_LIMIT,              /* `memory_limit`, `allocation_limit` or a built-in bound was reached */
	BSPSCENE_ERROR_CANCELLED,          /* the progress callback said so */
	BSPSCENE_ERROR_BAD_OPTIONS,        /* `struct_size` or a value of an options struct is not valid */
	BSPSCENE_ERROR_NOT_FOUND,          /* the named file does not exist */
	BSPSCENE_ERROR_IO,                 /* reading or writing failed (unreadable, a directory, disk full) */
	BSPSCENE_ERROR_UNKNOWN_FORMAT,     /* not a map, not an image, not an archive: the message says what was found */
	BSPSCENE_ERROR_UNSUPPORTED_FORMAT, /* recognised by name, but not read (Titanfall, Call of Duty, ...) */
	BSPSCENE_ERROR_BAD_HEADER,         /* header or lump directory cut off or inconsistent */
	BSPSCENE_ERROR_BAD_LUMP,           /* a lump outside the file, or unusable as a whole */
	BSPSCENE_ERROR_BAD_DATA,           /* with `strict`: the first record that would have been repaired */
	BSPSCENE_ERROR_FORCE_32BIT = 0x7fffffff
} bspscene_status;

/* Filled by every call that takes one (which may be NULL). `message` is one line without a newline:
 * "atrium.bsp: faces: record 812: plane 9041 of 512 (offset 0x1f3a8)". */
typedef struct bspscene_error {
	bspscene_status status;
	uint32_t record;                   /* record in the lump, or BSPSCENE_NO_INDEX */
	uint64_t offset;                   /* byte offset in the file, or UINT64_MAX */
	char lump[32];                     /* "" when no lump is to blame */
	char message[480];
} bspscene_error;

typedef enum bspscene_warning_code {
	BSPSCENE_WARNING_LUMP_TAIL,        /* a lump's size is no multiple of its record: the tail was dropped */
	BSPSCENE_WARNING_LUMP_BAD,         /* an optional lump (vis, light grid, BSPX, ...) was inconsistent and left out */
	BSPSCENE_WARNING_FACE_DROPPED,     /* a face with indices, counts or positions out of range */
	BSPSCENE_WARNING_TRIANGLE_DROPPED, /* triangles that name vertices their face does not have */
	BSPSCENE_WARNING_REFERENCE,        /* an index out of range that has a neutral replacement */
	BSPSCENE_WARNING_LIGHTMAP,         /* light data out of range: the face is shown unlit */
	BSPSCENE_WARNING_TEXT,             /* text that was not UTF-8, or entity text that does not close */
	BSPSCENE_WARNING_TREE,             /* nodes or leafs that do not form a tree */
	BSPSCENE_WARNING_FILE_MISSING,     /* a sibling file (external lightmap, WAD, palette, ...) was not found */
	BSPSCENE_WARNING_FILE_STALE,       /* a sibling file does not belong to this build of the map */
	BSPSCENE_WARNING_TEXTURE_MISSING,  /* no image: a stand-in is shown */
	BSPSCENE_WARNING_IMAGE_BAD,        /* an image that could not be decoded */
	BSPSCENE_WARNING_SHADER_BAD,       /* a material script that could not be read to its end */
	BSPSCENE_WARNING_NAME_UNSAFE,      /* a path with "..", a drive or a root: not opened */
	BSPSCENE_WARNING_LIMIT,            /* something optional was cut down to a bound (patch level, page size, ...) */
	BSPSCENE_WARNING_UNSUPPORTED,      /* a feature of the file that is not read; the message names it */
	BSPSCENE_WARNING_CODE_COUNT,
	BSPSCENE_WARNING_FORCE_32BIT = 0x7fffffff
} bspscene_warning_code;

/* One per code and lump: the first occurrence in words, and how often it happened. */
typedef struct bspscene_warning {
	bspscene_warning_code code;
	uint32_t count;
	const char *message;
} bspscene_warning;

/* "face-dropped" and so on; "unknown" for a value out of range. */
BSPSCENE_API const char *bspscene_warning_name(bspscene_warning_code code);
BSPSCENE_API const char *bspscene_status_name(bspscene_status status);

/* ---- Scene: tree ------------------------------------------------------------------------------------------ */

typedef struct bspscene_bounds {
	float min[3], max[3];              /* min > max when nothing is inside */
} bspscene_bounds;

typedef enum bspscene_node_kind {
	BSPSCENE_NODE_ROOT,                /* node 0; its children are the world and all entities */
	BSPSCENE_NODE_WORLD,               /* model 0 */
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
	float color[3];                    /* flares: 0..1; 1,1,1 elsewhere */
	float color_alpha;                 /* the entity's render amount 0..1; 1 normally */
	uint32_t material;                 /* flares: the billboard's material, or NO_INDEX */
	bool hidden;                       /* not drawn by the game when the map starts (triggers, ...) */
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

/* ---- Scene: geometry -------------------------------------------------------------------------------------- */

/* What a surface is for. Everything but VISIBLE is hidden by default; `include` brings kinds back as sections.
 *
 * COLLISION makes meshes of their own from what things collide with: all brushes (those behind BSPX too) or, in maps of
 * Quake and GoldSrc without them, the trees: "hull0", in which points move, and "hull1", in which the player's origin
 * does, its walls thicker by the player's box. Each face of such a section is one closed convex body: its content_flags
 * say of what, its source is the brush, or the leaf (hull0) or clip node (hull1). There is a section, and a material
 * with the same content_flags, for each kind of contents. */
typedef enum bspscene_include {
	BSPSCENE_VISIBLE = 0,
	BSPSCENE_INCLUDE_SKY = 0x1,
	BSPSCENE_INCLUDE_NODRAW = 0x2,
	BSPSCENE_INCLUDE_HINT = 0x4,
	BSPSCENE_INCLUDE_SKIP = 0x8,
	BSPSCENE_INCLUDE_CLIP = 0x10,
	BSPSCENE_INCLUDE_TRIGGER = 0x20,
	BSPSCENE_INCLUDE_CAULK = 0x40,
	BSPSCENE_INCLUDE_TOOL = 0x80,      /* any other editor surface: origin, areaportal, lightgrid, ... */
	BSPSCENE_INCLUDE_COLLISION = 0x100,/* hulls and clip brushes as meshes of their own */
	BSPSCENE_INCLUDE_ALL = 0x1ff,
	BSPSCENE_INCLUDE_FORCE_32BIT = 0x7fffffff
} bspscene_include;

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
	bspscene_include kind;             /* VISIBLE or the one kind it was brought back as */
	uint32_t fog;                      /* into scene->fogs, or NO_INDEX */
	uint32_t first_vertex, vertex_count;
	uint32_t first_index, index_count; /* triangles: a multiple of 3 */
	uint32_t first_face, face_count;   /* into scene->faces */
} bspscene_section;

/* Further vertex light of the same mesh, for one light style (Raven and QFusion have up to four per vertex). */
typedef struct bspscene_color_set {
	uint32_t style;                    /* light style, see scene->light_styles */
	const uint8_t *colors;             /* RGBA per vertex, encoded as mesh->colors */
} bspscene_color_set;

/* Bits of mesh->triangle_tags: what Source's compiler or editor noted of a displacement's triangles. */
typedef enum bspscene_triangle_tag {
	BSPSCENE_TAG_SURFACE = 0x1,
	BSPSCENE_TAG_WALKABLE = 0x2,       /* flat enough to walk on */
	BSPSCENE_TAG_BUILDABLE = 0x4,      /* and to build on */
	BSPSCENE_TAG_SURFPROP_1 = 0x8,     /* sounds like the $surfaceprop of the material's first texture, */
	BSPSCENE_TAG_SURFPROP_2 = 0x10,    /* of its second */
	BSPSCENE_TAG_REMOVED = 0x20,       /* only there with INCLUDE_NODRAW */
	BSPSCENE_TAG_FORCE_32BIT = 0x7fffffff
} bspscene_triangle_tag;

/* One per drawn model: tight arrays, all `vertex_count` long. */
typedef struct bspscene_mesh {
	const char *name;                  /* "worldspawn", "*1", "overlays", ... */
	uint32_t model;                    /* brush model number, or NO_INDEX */
	uint32_t vertex_count, index_count, section_count;
	const float *positions;            /* xyz; in model space: the node's transform places it */
	const float *normals;              /* xyz, unit length */
	const float *uvs;                  /* uv of the texture, in whole textures */
	const float *lightmap_uvs;         /* uv into the page, 0..1; 0,0 on sections without one; NULL: no lightmaps */
	const uint8_t *colors;             /* RGBA; light in `lightmap_encoding` like the pages (never HDR), alpha as
	                                    * stored; NULL: all white */
	const float *blend_alphas;         /* displacement blend 0..1 towards the material's second image; NULL: none */
	const uint32_t *indices;           /* into this mesh's vertices, counter-clockwise */
	const bspscene_section *sections;
	const bspscene_color_set *color_sets; uint32_t color_set_count;
	bspscene_bounds bounds;
	const float *blend_weights;        /* 4 per vertex, each 0..1: how much there is of each of the material's layers
	                                    * (see bspscene_layer), 0 where a vertex has none; NULL: no displacement has
	                                    * any */
	const uint8_t *triangle_tags;      /* bspscene_triangle_tag bits of each triangle, index_count / 3 of them, 0 where
	                                    * it is of no displacement; NULL: no triangle has any */
} bspscene_mesh;

/* One face of the file that became triangles. A section's faces are consecutive, so are their indices. */
typedef struct bspscene_face {
	uint32_t source;                   /* number in the file's face lump; collision: see INCLUDE_COLLISION */
	uint32_t mesh, section;            /* section is counted within the mesh */
	uint32_t first_index, index_count; /* in the mesh */
	uint32_t first_vertex, vertex_count;
	uint32_t surface_flags, content_flags; /* the game's own bits, or number below 0 */
	uint32_t leaf, cluster;            /* the first leaf that lists it and its vis cluster, or NO_INDEX */
	uint32_t area;                     /* the leaf's area, or NO_INDEX */
	uint32_t page;                     /* its rectangle of luxels, gutter not counted; NO_INDEX: none */
	uint32_t x, y, width, height;
	uint8_t styles[4];                 /* light styles in use; 255 ends the list */
} bspscene_face;

/* ---- Scene: materials ------------------------------------------------------------------------------------- */

typedef enum bspscene_image_format {
	BSPSCENE_IMAGE_MISSING,            /* not found or broken: decodes to its stand-in */
	BSPSCENE_IMAGE_PNG,
	BSPSCENE_IMAGE_JPEG,
	BSPSCENE_IMAGE_TGA,
	BSPSCENE_IMAGE_PCX,
	BSPSCENE_IMAGE_VTF,                /* of several frames, faces or slices the first is shown */
	BSPSCENE_IMAGE_RGBA,               /* decoded already (miptex, WAL): width * height * 4 bytes, top row first */
	BSPSCENE_IMAGE_DDS,
	BSPSCENE_IMAGE_BMP,
	BSPSCENE_IMAGE_FORCE_32BIT = 0x7fffffff
} bspscene_image_format;

/* Pixels as they were found, not decoded: PNG and JPEG can pass through to a writer untouched. */
typedef struct bspscene_image {
	const char *name;                  /* the game's name: "textures/sample/brick" */
	const char *path;                  /* of the file that was found: "textures/sample/brick.tga"; "" when missing */
	const char *archive;               /* or directory it came from; "" when inside the map or missing */
	bspscene_image_format format;      /* by content; with BSPSCENE_TEXTURES_NAMES by the name's ending */
	uint32_t width, height;            /* of the top level; 0 when not known without decoding */
	const void *data; size_t size;     /* the encoded bytes; NULL with BSPSCENE_TEXTURES_NAMES or when missing */
	bool has_alpha;                    /* some pixel may be below 255; known for all formats once loaded */
	bool made;                         /* the library's own, for want of the game's: a plain sky (format RGBA) */
	bool chequered;                    /* the stand-in is a checkerboard, not `stand_in` */
	uint8_t stand_in[3];               /* what is shown instead when it is MISSING or cannot be decoded: the mean colour
	                                    * of the picture where the map knows it (Source), else a quiet grey; sRGB */
} bspscene_image;

typedef enum bspscene_alpha_mode {
	BSPSCENE_ALPHA_OPAQUE,
	BSPSCENE_ALPHA_MASK,               /* cut out below `alpha_cutoff` */
	BSPSCENE_ALPHA_BLEND,              /* source alpha over destination */
	BSPSCENE_ALPHA_ADD,                /* added to what is behind */
	BSPSCENE_ALPHA_MODULATE,           /* multiplied with what is behind */
	BSPSCENE_ALPHA_FORCE_32BIT = 0x7fffffff
} bspscene_alpha_mode;

typedef enum bspscene_material_kind {
	BSPSCENE_MATERIAL_NORMAL,
	BSPSCENE_MATERIAL_SKY,
	BSPSCENE_MATERIAL_LIQUID,
	BSPSCENE_MATERIAL_TOOL,            /* never seen by a player */
	BSPSCENE_MATERIAL_FOG,
	BSPSCENE_MATERIAL_FLARE,
	BSPSCENE_MATERIAL_PORTAL,          /* mirrors and camera portals */
	BSPSCENE_MATERIAL_KIND_FORCE_32BIT = 0x7fffffff
} bspscene_material_kind;

/* Factors of `source * src + destination * dst`, as in the game's blendFunc. ONE, ZERO is opaque. */
typedef enum bspscene_blend {
	BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_ONE,
	BSPSCENE_BLEND_SRC_COLOR, BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR,
	BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ONE_MINUS_DST_COLOR,
	BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA,
	BSPSCENE_BLEND_DST_ALPHA, BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA,
	BSPSCENE_BLEND_SRC_ALPHA_SATURATE,
	BSPSCENE_BLEND_FORCE_32BIT = 0x7fffffff
} bspscene_blend;

typedef enum bspscene_stage_source {
	BSPSCENE_STAGE_IMAGE,              /* images[frame] */
	BSPSCENE_STAGE_LIGHTMAP,           /* the section's lightmap page (white when it has none) */
	BSPSCENE_STAGE_WHITE,
	BSPSCENE_STAGE_VIDEO,              /* a film: its name is in `video`; shown as its replacement image */
	BSPSCENE_STAGE_LIGHT,              /* whatever lights the section: its page, its vertex colours (the alpha is 1),
	                                    * white when FULLBRIGHT, black when BLACK. Materials without a script have
	                                    * one */
	BSPSCENE_STAGE_SOURCE_FORCE_32BIT = 0x7fffffff
} bspscene_stage_source;

typedef enum bspscene_color_gen {
	BSPSCENE_COLOR_IDENTITY,           /* 1 */
	BSPSCENE_COLOR_CONST,              /* stage.color */
	BSPSCENE_COLOR_VERTEX,             /* vertex colour */
	BSPSCENE_COLOR_ONE_MINUS_VERTEX,
	BSPSCENE_COLOR_WAVE,               /* grey: color_wave at the time */
	BSPSCENE_COLOR_ENTITY,             /* the node's color */
	BSPSCENE_COLOR_ONE_MINUS_ENTITY,
	BSPSCENE_COLOR_DIFFUSE,            /* the light grid's light on the normal */
	BSPSCENE_COLOR_IDENTITY_LIGHTING,  /* 1 too: overbright bits are in the light already. Engines tell the two apart */
	BSPSCENE_COLOR_FORCE_32BIT = 0x7fffffff
} bspscene_color_gen;

typedef enum bspscene_alpha_gen {
	BSPSCENE_ALPHA_GEN_IDENTITY, BSPSCENE_ALPHA_GEN_CONST, BSPSCENE_ALPHA_GEN_VERTEX,
	BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX, BSPSCENE_ALPHA_GEN_WAVE, BSPSCENE_ALPHA_GEN_ENTITY,
	BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY, BSPSCENE_ALPHA_GEN_SPECULAR, BSPSCENE_ALPHA_GEN_PORTAL,
	BSPSCENE_ALPHA_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_alpha_gen;

typedef enum bspscene_tc_gen {
	BSPSCENE_TC_TEXTURE, BSPSCENE_TC_LIGHTMAP, BSPSCENE_TC_ENVIRONMENT, BSPSCENE_TC_VECTOR,
	BSPSCENE_TC_FORCE_32BIT = 0x7fffffff
} bspscene_tc_gen;

typedef enum bspscene_wave_func {
	BSPSCENE_WAVE_NONE, BSPSCENE_WAVE_SIN, BSPSCENE_WAVE_SQUARE, BSPSCENE_WAVE_TRIANGLE,
	BSPSCENE_WAVE_SAWTOOTH, BSPSCENE_WAVE_INVERSE_SAWTOOTH, BSPSCENE_WAVE_NOISE,
	BSPSCENE_WAVE_FORCE_32BIT = 0x7fffffff
} bspscene_wave_func;

/* value(t) = base + amplitude * func(phase + t * frequency), t in seconds. */
typedef struct bspscene_wave {
	bspscene_wave_func func;
	float base, amplitude, phase, frequency;
} bspscene_wave;

typedef enum bspscene_tc_mod_kind {
	BSPSCENE_TC_MOD_SCALE,             /* values: s t */
	BSPSCENE_TC_MOD_SCROLL,            /* s t, textures per second */
	BSPSCENE_TC_MOD_ROTATE,            /* degrees per second about 0.5 0.5 */
	BSPSCENE_TC_MOD_STRETCH,           /* wave */
	BSPSCENE_TC_MOD_TURBULENCE,        /* wave: amplitude, phase, frequency */
	BSPSCENE_TC_MOD_TRANSFORM,         /* values: m00 m01 m10 m11 t0 t1 */
	BSPSCENE_TC_MOD_ENTITY_TRANSLATE,
	BSPSCENE_TC_MOD_OFFSET,            /* values: s t */
	BSPSCENE_TC_MOD_FORCE_32BIT = 0x7fffffff
} bspscene_tc_mod_kind;

typedef struct bspscene_tc_mod {
	bspscene_tc_mod_kind kind;
	float values[6];
	bspscene_wave wave;
} bspscene_tc_mod;

#define BSPSCENE_STAGE_MAX_TC_MODS 4

/* One pass over the surface, drawn in order. Families without stages describe themselves with one or two. */
typedef struct bspscene_stage {
	bspscene_stage_source source;
	uint32_t first_frame, frame_count; /* into scene->frames: image numbers; frame_count is 1 or more for IMAGE */
	float frames_per_second;           /* 0 unless animated */
	const char *video;                 /* "" unless VIDEO */
	bool clamp;                        /* clampMap: no repeat */
	bspscene_blend src_blend, dst_blend;
	bspscene_alpha_mode alpha_test;    /* OPAQUE: none; MASK: keep when alpha >= (or, alpha_test_less, <) cutoff */
	bool alpha_test_less;
	float alpha_cutoff;
	bspscene_color_gen color_gen; float color[3]; bspscene_wave color_wave;
	bspscene_alpha_gen alpha_gen; float alpha; bspscene_wave alpha_wave; float alpha_range;
	bspscene_tc_gen tc_gen; float tc_vectors[2][4];
	bspscene_tc_mod tc_mods[BSPSCENE_STAGE_MAX_TC_MODS]; uint32_t tc_mod_count;
	bool depth_write, depth_equal;
	bool detail;
	uint32_t light_style;              /* LIGHTMAP, LIGHT: the page set to read is this style's; 0 normally */
} bspscene_stage;

typedef enum bspscene_cull {
	BSPSCENE_CULL_BACK,                /* normal: only front faces are drawn */
	BSPSCENE_CULL_FRONT,
	BSPSCENE_CULL_NONE,
	BSPSCENE_CULL_FORCE_32BIT = 0x7fffffff
} bspscene_cull;

typedef struct bspscene_sky {
	uint32_t box[6];                   /* images right back left front up down (+X... as the game names them), or
	                                    * NO_INDEX. One that is half as high as wide covers the upper half; its last
	                                    * row goes on below */
	uint32_t layers[2];                /* Quake: the solid back layer and the cut-out front layer, or NO_INDEX */
	float cloud_height;                /* Quake III cloud dome, its stages are the material's; 0: no clouds */
	const char *name;                  /* "env/sample"; "" when it has none */
	bool has_sun;
	float sun_color[3], sun_intensity, sun_direction[3]; /* direction points to the sun */
} bspscene_sky;

/* What a detail texture of colour d, alpha a does to the texture below it, of colour c, alpha b, with factor f. Both
 * are linear light, but d is linear as it is stored unless it is added. x..y: from x to y by f. The numbers are
 * Source's. */
typedef enum bspscene_detail_mode {
	BSPSCENE_DETAIL_MODE_DOUBLED = 0,        /* c *= 1..2d: grey 128 changes nothing */
	BSPSCENE_DETAIL_MODE_ADD = 1,            /* c += f * d */
	BSPSCENE_DETAIL_MODE_OVER = 2,           /* c goes to d by f * a */
	BSPSCENE_DETAIL_MODE_FADE = 3,           /* c and b go to d and a by f */
	BSPSCENE_DETAIL_MODE_UNDER = 4,          /* c goes to d by f * (1 - b), b is a */
	BSPSCENE_DETAIL_MODE_PATTERNS = 7,       /* c *= 1..2p; p is the red of d where b is 0, a where b is 1 */
	BSPSCENE_DETAIL_MODE_MULTIPLY = 8,       /* c and b *= 1..d, 1..a */
	BSPSCENE_DETAIL_MODE_MASK = 9,           /* b *= 1..a */
	BSPSCENE_DETAIL_MODE_SELF_SHADOWED = 11, /* c *= 2/3 of the sum of d's channels: light along three directions */
	BSPSCENE_DETAIL_MODE_FORCE_32BIT = 0x7fffffff
} bspscene_detail_mode;

#define BSPSCENE_MATERIAL_MAX_LAYERS 4

/* One of up to four textures that lie on each other on a displacement (Source's Lightmapped_4WayBlend). Colours are
 * linear light, Y is a colour's luminance, step(x, range) rises from 0 to 1 as 3 t^2 - 2 t^3 in the range. From the
 * bottom up, beginning with the colour of layer 0 and bright = step(Y(color), luminance) of it, each layer of colour c
 * and weight w, which is the mesh's blend_weights, does:
 *
 *     own = step(Y(c), luminance)
 *     amount = step(w * (1 + (1 - bright) * (1 - luminance_share) + own * luminance_share), blend)
 *     color += ((doubled ? 2 * color * c : c) - color) * amount
 *     bright += (own - bright) * amount */
typedef struct bspscene_layer {
	uint32_t image;                    /* never NO_INDEX */
	float uv_scale[2];                 /* besides the material's */
	float luminance[2];                /* the range of luminance that counts */
	float luminance_share;             /* of the layer's own luminance, against the darkness of what is below it */
	float blend[2];                    /* the range of weights in which the layer appears; not of layer 0 */
	bool doubled;                      /* multiplied with what is below, and by 2, instead of covering it */
} bspscene_layer;

/* The neutral material. Each material format is read in one place (materials/), and nobody else knows it. */
typedef struct bspscene_material {
	const char *name;                  /* as the map says: "textures/sample/brick" */
	bspscene_material_kind kind;
	bspscene_include include;          /* VISIBLE, or the kind its surfaces are hidden as */
	uint32_t surface_flags, content_flags; /* the game's own bits */
	uint32_t width, height;            /* size that the uvs were divided by; 0: they are stored, not computed */

	/* The best reading as one texture, for glTF, Assimp and simple viewers. */
	uint32_t base_image;               /* NO_INDEX: none (sky, tools, white) */
	uint32_t second_image;             /* blended over the first by mesh->blend_alphas, by the vertex alpha where that
	                                    * is NULL; or NO_INDEX */
	uint32_t emissive_image;           /* shown unlit on top (fullbright texels, glow stages), or NO_INDEX */
	uint32_t normal_image;             /* tangent-space normal map, or NO_INDEX; see normal_green_down */
	bspscene_alpha_mode alpha_mode;
	float alpha_cutoff;                /* for MASK */
	float color[4];                    /* multiplied with the image; alpha is the material's opacity */
	float emissive[3];
	bool unlit;                        /* drawn without any light */
	bool vertex_lit;                   /* vertex colours multiply even where a lightmap exists */
	bool clamp;
	bspscene_cull cull;
	float uv_scale[2], uv_offset[2];   /* uv' = uv * scale, turned by uv_rotation, + offset, at time 0 */
	float scroll[2];                   /* textures per second */
	float surface_light;               /* emission that the compiler used; 0: none */

	/* The full reading. Materials without stages (Source's) are what is said above and nothing more. */
	uint32_t first_stage, stage_count; /* into scene->stages */
	float sort;                        /* draw order: 3 opaque, larger later; the game's own numbers */
	bool polygon_offset, has_deform, no_mipmaps, no_picmip, portal;
	bspscene_sky sky;
	float fog_color[3], fog_depth;     /* depth at which the fog is opaque; 0: not a fog */
	const char *source_file;           /* where the text is from, or the file that the map names (Nightfire); else "" */
	uint32_t source_line;
	const char *source_text;           /* the shader or VMT as written, UTF-8; "" when there is none */
	bool normal_green_down;            /* the normal map's green points down the picture (Source, as Direct3D has it),
	                                    * not up as glTF and OpenGL want it: what is written is turned over */
	float uv_rotation;                 /* radians: (1, 0) goes to (cos, sin), clockwise in the picture */

	/* Where the second image covers the first: the weight w of the mesh becomes the smooth step (3 t^2 - 2 t^3) of w
	 * from g - r to g + r, the green and red of this image as stored, held within 0..1; with blend_masked that of 0.5
	 * instead of w, and not held. */
	uint32_t blend_image;              /* or NO_INDEX */
	float blend_uv_scale[2], blend_uv_offset[2]; /* of the mesh's own uv */
	bool blend_masked;

	uint32_t detail_image;             /* small structure upon the base image, or NO_INDEX */
	bspscene_detail_mode detail_mode;
	float detail_uv_scale[2];          /* of the base image's uv' */
	float detail_color[3], detail_factor; /* d is multiplied with the colour */

	/* Layers by mesh->blend_weights, from the bottom up: none, or 2 and more. base_image and second_image are the first
	 * two, and mesh->blend_alphas the second one's weight: all there is when the mesh has no blend_weights. */
	bspscene_layer layers[BSPSCENE_MATERIAL_MAX_LAYERS]; uint32_t layer_count;
	float decal_scale;                 /* as a decal: game units that a texel of it is wide; 1 normally */
} bspscene_material;

/* ---- Scene: light ----------------------------------------------------------------------------------------- */

typedef enum bspscene_lightmap_encoding {
	BSPSCENE_LIGHTMAP_DISPLAY,         /* as the engine prepares them: sRGB-like bytes to multiply with the texture */
	BSPSCENE_LIGHTMAP_RAW,             /* the file's bytes */
	BSPSCENE_LIGHTMAP_HDR,             /* linear half floats, unclamped; light v of 8-bit maps becomes v^2.2 */
	BSPSCENE_LIGHTMAP_NONE,            /* build no pages and no lightmap uvs */
	BSPSCENE_LIGHTMAP_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_encoding;

typedef enum bspscene_page_format {
	BSPSCENE_PAGE_RGB8,
	BSPSCENE_PAGE_RGB16F,              /* IEEE half floats, linear light, unclamped */
	BSPSCENE_PAGE_RAW32,               /* RAW encoding of HDR light, 4 bytes: RGB and exponent, or E5BGR9 */
	BSPSCENE_PAGE_FORCE_32BIT = 0x7fffffff
} bspscene_page_format;

/* width * height luxels, tightly packed, top row first. data is NULL where a set has nothing on a page (all black). */
typedef struct bspscene_page {
	uint32_t width, height;
	bspscene_page_format format;
	const void *data;
} bspscene_page;

typedef enum bspscene_page_kind {
	BSPSCENE_PAGES_LIGHT,              /* what is multiplied with the texture */
	BSPSCENE_PAGES_DIRECTION,          /* deluxe: direction to the light, (byte / 127.5 - 1), in `direction_space` */
	BSPSCENE_PAGES_BUMP_0, BSPSCENE_PAGES_BUMP_1, BSPSCENE_PAGES_BUMP_2, /* Source: along its basis vectors */
	BSPSCENE_PAGES_FORCE_32BIT = 0x7fffffff
} bspscene_page_kind;

/* All pages for one light style. Every set has `scene->page_count` pages of the same sizes, so one uv serves all.
 * Set 0, when there is one, is LIGHT of style 0. */
typedef struct bspscene_page_set {
	bspscene_page_kind kind;
	uint32_t style;                    /* into nothing: the game's style number, see light_styles */
	float intensity;                   /* picture = texture x page x intensity, in display space; linear hosts:
	                                    * intensity^2.2. HDR pages are linear light, 1 shows the texture as it is: their
	                                    * intensity is 1 */
	bool tangent_space;                /* DIRECTION only: else world space */
	const bspscene_page *pages;
} bspscene_page_set;

/* A style in use by faces or lights. The game animates `pattern` ('a' dark, 'm' normal, 'z' double) at 10 Hz. */
typedef struct bspscene_light_style {
	uint32_t style;
	const char *name;                  /* "normal", "flicker (first variety)", ...; "" for unnamed ones */
	const char *pattern;               /* "m" for a steady light; switchable styles: their value when on */
	bool switchable;                   /* turned on and off by an entity */
	uint32_t entity;                   /* that entity, or NO_INDEX */
} bspscene_light_style;

typedef enum bspscene_light_kind {
	BSPSCENE_LIGHT_POINT, BSPSCENE_LIGHT_SPOT, BSPSCENE_LIGHT_SUN,
	BSPSCENE_LIGHT_SURFACE,            /* a patch of a glowing texture (Source), of which maps have thousands: data for
	                                    * who wants it, no lamp in glTF, Assimp or Blender, where its node says all */
	BSPSCENE_LIGHT_FORCE_32BIT = 0x7fffffff
} bspscene_light_kind;

typedef enum bspscene_falloff {
	BSPSCENE_FALLOFF_INVERSE_SQUARE, BSPSCENE_FALLOFF_LINEAR, BSPSCENE_FALLOFF_INVERSE, BSPSCENE_FALLOFF_NONE,
	BSPSCENE_FALLOFF_FORCE_32BIT = 0x7fffffff
} bspscene_falloff;

/* As the map's compiler saw it. The node's transform gives the place; its +X axis the direction of spots and suns.
 *
 * `light_at_100` is the same for all games, and what a host needs: the linear light on a surface that faces the lamp
 * 100 game units away (a sun: anywhere), before the colour; 1 shows a texture as it is. It is pi * light_at_100 lux for
 * hosts that show white where a white surface gets pi lux, and a lamp that fades with the square of the distance has pi
 * * light_at_100 * (100 * metres_per_unit)^2 candela. Lamps that fade otherwise are that bright where the games' own
 * fading says: Quake's, which end at `radius`, half way to there. Negative ones take light away. */
typedef struct bspscene_light {
	bspscene_light_kind kind;
	uint32_t node, entity;             /* entity is NO_INDEX for lights that only the compiled map knows */
	float color[3];                    /* 0..1, largest channel 1 unless black; in the game's own (display) space */
	float intensity;                   /* the game's unit ("light" key); Source: 255 times light_at_100 */
	bspscene_falloff falloff;
	float inner_angle_degrees, outer_angle_degrees; /* spots: half angles */
	float radius;                      /* distance where it ends, or 0: not bounded */
	uint32_t style;
	float light_at_100;
	bool runtime;                      /* not in the lightmaps: the game adds its light while it runs (light_dynamic) */
} bspscene_light;

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

/* Light for moving things, on a regular grid: sample (x,y,z) is at origin + (x,y,z) * step, x fastest. Quake's and
 * Quake II's (BSPX LIGHTGRID_OCTREE) know no directions: all their light is ambient. */
typedef struct bspscene_light_grid {
	uint32_t counts[3];                /* 0 when the map has none */
	float origin[3], step[3];
	uint32_t set_count;                /* styles per sample: 1 or 4 */
	const uint8_t *styles;             /* set_count per sample; 255 unused; NULL when set_count is 1 */
	const uint8_t *ambient, *directed; /* RGB, set_count per sample, encoded like mesh->colors; all 0: inside a wall */
	const uint8_t *directions;         /* zenith and azimuth, 256 = full turn, pointing to the light */
} bspscene_light_grid;

/* Light inside a leaf from six sides (Source): +x -x +y -y +z -z, linear, 1 is full. */
typedef struct bspscene_ambient {
	uint32_t leaf;
	float origin[3];
	float cube[6][3];
} bspscene_ambient;

/* ---- Scene: the rest -------------------------------------------------------------------------------------- */

typedef struct bspscene_fog {
	uint32_t material;                 /* its color and depth are there */
	uint32_t brush;                    /* record, or NO_INDEX for fog of the whole map */
	bspscene_bounds bounds;            /* of the brush; empty for global fog */
	float plane[4];                    /* visible side, normal . p = plane[3], outward; all 0: none */
} bspscene_fog;

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

/* A model for the caller to load: `node` has its place, turn and size. What a game or an entity does not say
 * is 0, NULL or as noted. */
typedef struct bspscene_prop {
	const char *model;                 /* game path: "models/props/barrel.mdl", or a sprite: "sprites/glow01.vmt" */
	uint32_t node, entity;             /* entity is NO_INDEX for props that only the compiled map knows */
	uint32_t skin;
	bool is_static;
	float color[4];                    /* 0..1, by which the texture is multiplied; 1 when not said */
	const char *name;                  /* of a static prop, for entities (The Ship, Bloody Good Time); else NULL */
	uint32_t solid;                    /* a static prop's. 0: not at all, 2: its box, 3: its turned box, 6: its shape */
	uint32_t flags;                    /* bspscene_prop_flag */
	uint32_t flags_ex;                 /* since CS:GO: 1 not in shadow maps, 2 not in cascaded ones, 4 reflects light */
	float fade_near, fade_far;         /* distances between which it fades out, game units; 0, 0: never */
	float fade_scale;                  /* of the distance at which the game lets small things fade out; <= 0: never, 1
	                                    * when not said */
	float lighting_origin[3];          /* where the light on all of it is measured, game units; its own origin without
	                                    * the flag */
	uint32_t lightmap_width, lightmap_height; /* luxels of its own (Team Fortress 2); 0, 0: has none */
	uint32_t dx_levels[2];             /* least and most DirectX versions, times ten, that draw it; 0: any */
	uint32_t cpu_levels[2], gpu_levels[2]; /* least and most settings that draw it (Left 4 Dead and later); 0: any */
	uint32_t first_leaf, leaf_count;   /* leafs that a static prop is in: scene.prop_leafs; 0, 0: not known */
} bspscene_prop;

typedef struct bspscene_overlay {
	uint32_t node, mesh, material;
	uint32_t source;                   /* record number in its lump, or NO_INDEX when an entity places it */
	uint32_t entity;                   /* that entity, or NO_INDEX */
	uint32_t order;                    /* larger ones are drawn over smaller ones */
	bool water;                        /* of the lump for water, which numbers its own records */
	float fade_near, fade_far;         /* distances between which it fades out, game units; 0, 0: never */
} bspscene_overlay;

typedef enum bspscene_detail_kind {
	BSPSCENE_DETAIL_MODEL,
	BSPSCENE_DETAIL_SPRITE,            /* one upright picture */
	BSPSCENE_DETAIL_CROSS,             /* two crossed pictures */
	BSPSCENE_DETAIL_TRIANGLE,          /* three pictures in a triangle */
	BSPSCENE_DETAIL_FORCE_32BIT = 0x7fffffff
} bspscene_detail_kind;

/* A tuft of grass or a pebble (Source): there are thousands, so they are no nodes. Pictures are parts of the sheet that
 * worldspawn's `detailmaterial` names ("detail/detailsprites" without one). */
typedef struct bspscene_detail {
	bspscene_detail_kind kind;
	const char *model;                 /* "" for pictures */
	float origin[3], angles[3];        /* pitch yaw roll */
	float size[4], uv[4];              /* pictures: left, top, right, bottom; from the origin, and in the sheet */
	float scale;
	float color[3];                    /* light, linear, 1 shows the picture as it is */
	uint32_t leaf;                     /* or NO_INDEX */
	uint32_t orientation;              /* 0 fixed, 1 turns to the viewer, 2 turns about the vertical only */
} bspscene_detail;

typedef struct bspscene_cubemap {
	float origin[3];
	uint32_t size;                     /* pixels; 0: the game's default */
} bspscene_cubemap;

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

/* Counts of the whole file before anything is hidden: what `bspscene info` prints. */
typedef struct bspscene_counts {
	uint32_t models, faces;            /* records in the file */
	uint32_t polygons, patches, meshes, displacements, billboards; /* faces by kind */
	uint32_t vertices, triangles;      /* of the built scene */
	uint32_t brush_entities, lightmap_faces;
	uint32_t textures_found, textures_missing;
	uint32_t static_props;
	uint32_t source_vertices;          /* vertex records in the file */
	uint32_t source_lightmaps;         /* pages or lit blocks in the file or beside it */
} bspscene_counts;

typedef struct bspscene_scene {
	const char *name;                  /* "atrium" */
	const char *family;                /* quake, quake2, quake3, uebertools, goldsrc, source, nightfire */
	const char *variant;               /* bsp2, hexen2, qbism, rtcw, raven, ...; the family's name for the plain one */
	int32_t version;                   /* the number in the header */
	float metres_per_unit;
	bspscene_bounds bounds;            /* of everything drawn, in world space, but not of the 3D skybox */
	bspscene_counts counts;

	const bspscene_node *nodes;              uint32_t node_count;
	const bspscene_entity *entities;         uint32_t entity_count;
	const bspscene_pair *pairs;              uint32_t pair_count;
	const bspscene_mesh *meshes;             uint32_t mesh_count;
	const bspscene_face *faces;              uint32_t face_count;
	const bspscene_material *materials;      uint32_t material_count;
	const bspscene_stage *stages;            uint32_t stage_count;
	const uint32_t *frames;                  uint32_t frame_count;
	const bspscene_image *images;            uint32_t image_count;
	const bspscene_page_set *page_sets;      uint32_t page_set_count;
	uint32_t page_count;                     /* pages in every set */
	const bspscene_light_style *light_styles; uint32_t light_style_count;
	const bspscene_light *lights;            uint32_t light_count;
	const bspscene_camera *cameras;          uint32_t camera_count;
	const bspscene_prop *props;              uint32_t prop_count;
	const bspscene_overlay *overlays;        uint32_t overlay_count;
	const bspscene_fog *fogs;                uint32_t fog_count;
	const bspscene_cubemap *cubemaps;        uint32_t cubemap_count;
	const bspscene_ambient *ambients;        uint32_t ambient_count;
	const bspscene_area_portal *area_portals; uint32_t area_portal_count;
	const bspscene_warning *warnings;        uint32_t warning_count;
	bspscene_tree tree;
	bspscene_vis vis;
	bspscene_light_grid light_grid;
	uint32_t area_count;
	uint32_t sky_material;                   /* the sky seen in this map, or NO_INDEX */
	float sky_camera_origin[3], sky_camera_scale; /* the SKY node shows p at (p - origin) * scale; scale 0: none */
	float overbright;                        /* display values of pages and colours are file bytes times this */
	bool first_value_wins;                   /* of repeated entity keys (Quake III), else the last */
	bspscene_lightmap_encoding lightmap_encoding; /* of the pages, as asked for */
	bool has_hdr_light;                      /* the file or its side-car stores unclamped light, for LIGHTMAP_HDR */
	const bspscene_detail *details;          uint32_t detail_count;
	const void *pakfile; size_t pakfile_size; /* with `keep_pakfile`: the zip inside the map (Source), for
	                                    * bspscene_files_mount_memory; else NULL */
	const uint32_t *prop_leafs;              uint32_t prop_leaf_count; /* see bspscene_prop; NO_INDEX: does not exist */
} bspscene_scene;

/* ---- Loading ---------------------------------------------------------------------------------------------- */

/* What a sibling file is wanted for, so that an answer can differ by it. */
typedef enum bspscene_file_kind {
	BSPSCENE_FILE_MAP, BSPSCENE_FILE_TEXTURE, BSPSCENE_FILE_SHADER, BSPSCENE_FILE_LIGHTMAP, BSPSCENE_FILE_PALETTE,
	BSPSCENE_FILE_WAD, BSPSCENE_FILE_LIGHT, BSPSCENE_FILE_ENTITIES, BSPSCENE_FILE_OTHER,
	BSPSCENE_FILE_FORCE_32BIT = 0x7fffffff
} bspscene_file_kind;

/* A source of bytes. read returns how many bytes it stored, 0 only at the end, SIZE_MAX on failure.
 * With `data` set, that is the whole content (`size` bytes, valid until close) and read is never called. */
typedef size_t bspscene_read_fn(void *user, void *data, size_t size);
typedef void bspscene_close_fn(void *user);
typedef struct bspscene_stream {
	void *user;
	bspscene_read_fn *read;
	bspscene_close_fn *close;          /* may be NULL; called exactly once for every stream handed over */
	const void *data;                  /* may be NULL */
	uint64_t size;                     /* UINT64_MAX: not known */
	const char *origin;                /* archive or directory it came from, for messages; may be NULL */
} bspscene_stream;

/* Finds a sibling file. `path` is a game path: '/'-separated, relative, never with "..", case as the map wrote it.
 * Returns false when there is no such file. bspscene_files_open is one. */
typedef bool bspscene_open_file_fn(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind);

/* Names of all files that begin with `prefix` and end with `suffix` ("scripts/", ".shader"), for formats that must be
 * searched. `found` is called once for each name, in the game's order of reading: of two scripts that define one shader
 * the first counts. bspscene_files_list is one. */
typedef void bspscene_found_file_fn(void *user, const char *path);
typedef void bspscene_list_files_fn(void *user, const char *prefix, const char *suffix,
                                    bspscene_found_file_fn *found, void *found_user);

typedef enum bspscene_progress_result {
	BSPSCENE_CONTINUE = 0x100,
	BSPSCENE_CANCEL = 0x200,
	BSPSCENE_PROGRESS_FORCE_32BIT = 0x7fffffff
} bspscene_progress_result;

/* Called often enough for a smooth bar, from the loading thread. `stage` is a word: "read", "geometry", "lightmaps",
 * "textures". Any result but CONTINUE cancels. */
typedef bspscene_progress_result bspscene_progress_fn(void *user, const char *stage, uint64_t done, uint64_t total);

typedef enum bspscene_textures {
	BSPSCENE_TEXTURES_LOAD,            /* find images and keep their encoded bytes (default) */
	BSPSCENE_TEXTURES_NAMES,           /* find images, keep only where they are */
	BSPSCENE_TEXTURES_NONE,            /* open no image and no script */
	BSPSCENE_TEXTURES_FORCE_32BIT = 0x7fffffff
} bspscene_textures;

/* What stands in for images that are missing, see bspscene_image. */
typedef enum bspscene_missing {
	BSPSCENE_MISSING_PLAIN,            /* its mean colour or a quiet grey, and a plain sky where the sky's pictures are
	                                    * missing (default) */
	BSPSCENE_MISSING_CHEQUER,          /* a checkerboard that nobody overlooks, and no sky */
	BSPSCENE_MISSING_FORCE_32BIT = 0x7fffffff
} bspscene_missing;

/* Zero is the default for every field; start with bspscene_load_options_init. */
typedef struct bspscene_load_options {
	size_t struct_size;                /* sizeof(bspscene_load_options) of the caller's header */
	const char *name;                  /* for messages and sibling files ("atrium"); NULL: from the path, or "map" */
	bspscene_open_file_fn *open_file;  /* NULL: no sibling files, so no external textures and lightmaps */
	bspscene_list_files_fn *list_files;/* NULL: none */
	void *file_user;
	bspscene_progress_fn *progress;    /* NULL: none */
	void *progress_user;
	uint64_t memory_limit;             /* bytes for one load, files read included; 0: 4 GiB */
	uint64_t allocation_limit;         /* number of allocations; 0: no limit. For tests of failure */
	uint32_t include;                  /* bspscene_include bits of hidden kinds to bring back */
	bspscene_textures textures;
	bspscene_lightmap_encoding lightmap_encoding;
	uint32_t page_size;                /* largest page side, 16..16384; 0: 4096. Faces with more luxels enlarge it */
	uint32_t page_gutter;              /* replicated luxels around each rectangle, 1..16; 0: 1 */
	float patch_error;                 /* largest distance of a patch from its triangles, game units; 0: 4 as the game,
	                                    * 0.25..1024 */
	float metres_per_unit;             /* 0: 0.0254 */
	bool strict;                       /* repairs are errors */
	const uint8_t *palette;            /* 256 RGB triples for 8-bit textures; NULL: the game's, else a grey ramp */
	const char *palette_path;          /* game path to look for instead of the family's own; NULL: its own */
	bool lump_patches;                 /* Source: <name>_l_0.lmp, _l_1.lmp, ... beside the map replace lumps of it */
	bool keep_pakfile;                 /* the scene gets a copy of the archive inside the map */
	bool no_normal_maps;               /* materials' normal maps stay where they are: together they can be as large as
	                                    * all other images, and only what lights surfaces anew shows them */
	bspscene_missing missing;
} bspscene_load_options;

BSPSCENE_API void bspscene_load_options_init(bspscene_load_options *options);

/* Loads a map. `options` and `error` may be NULL. Returns a scene to be freed with bspscene_scene_free, or NULL.
 * The scene keeps no reference to the input, the options or the files. A stream is closed before returning. */
BSPSCENE_API bspscene_scene *bspscene_load_file(const char *path, const bspscene_load_options *options,
                                                bspscene_error *error);
BSPSCENE_API bspscene_scene *bspscene_load_memory(const void *data, size_t size, const bspscene_load_options *options,
                                                  bspscene_error *error);
BSPSCENE_API bspscene_scene *bspscene_load_stream(const bspscene_stream *stream, const bspscene_load_options *options,
                                                  bspscene_error *error);
BSPSCENE_API void bspscene_scene_free(bspscene_scene *scene); /* NULL is fine */

/* What the first bytes of a file are: "quake3" and so on for maps this library reads, NULL for anything else.
 * 64 bytes decide in all but odd cases, the whole file always. Static string. */
BSPSCENE_API const char *bspscene_probe(const void *head, size_t size);

/* ---- Asking a scene --------------------------------------------------------------------------------------- */

/* First value of `key` (ASCII case ignored) in the order the game reads repeated keys, or NULL. */
BSPSCENE_API const char *bspscene_entity_value(const bspscene_scene *scene, uint32_t entity, const char *key);
/* Leaf that contains a point (game units, world space), or NO_INDEX when the map has no tree. */
BSPSCENE_API uint32_t bspscene_find_leaf(const bspscene_scene *scene, const float point[3]);
/* May a viewer in cluster `from` see cluster `to`? True when the map has no vis; false when either is NO_INDEX. */
BSPSCENE_API bool bspscene_cluster_visible(const bspscene_scene *scene, uint32_t from, uint32_t to);
/* The node's transform to world space: the product of its ancestors' transforms, row-major 3x4. */
BSPSCENE_API void bspscene_node_world_transform(const bspscene_scene *scene, uint32_t node, float out[12]);

/* ---- Images ----------------------------------------------------------------------------------------------- */

/* Decoded pixels: RGBA, 8 bits, top row first. Free with bspscene_pixels_free. */
typedef struct bspscene_pixels {
	uint32_t width, height;
	uint8_t *data;
} bspscene_pixels;

/* Decodes an image of a scene; MISSING gives its stand-in. At most 8192 x 8192. `error` may be NULL. */
BSPSCENE_API bool bspscene_image_decode(const bspscene_image *image, bspscene_pixels *out, bspscene_error *error);
/* The same, but of images that are stored in several sizes (VTF) the largest one that is no wider and no higher than
 * `side`, or the smallest. */
BSPSCENE_API bool bspscene_image_decode_small(const bspscene_image *image, uint32_t side, bspscene_pixels *out,
                                              bspscene_error *error);
BSPSCENE_API void bspscene_pixels_free(bspscene_pixels *pixels); /* also of zeroed or freed ones */

/* Receives bytes in order; returns false to stop with BSPSCENE_ERROR_IO. */
typedef bool bspscene_write_fn(void *user, const void *data, size_t size);

/* PNG of RGB (channels 3) or RGBA (4) rows, top first, tightly packed. */
BSPSCENE_API bool bspscene_write_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* PNG of an 8-bit page (RGBA for RAW32), EXR (half, PIZ) of an HDR page. A page without data is written black. */
BSPSCENE_API bool bspscene_write_page(const bspscene_page *page, bspscene_write_fn *write, void *user,
                                      bspscene_error *error);
BSPSCENE_API const char *bspscene_page_extension(const bspscene_page *page); /* "png" or "exr" */

/* ---- Writing scenes --------------------------------------------------------------------------------------- */

typedef enum bspscene_write_lighting {
	BSPSCENE_WRITE_LIGHTMAP,           /* second uv, lightmap images, MOZ_lightmap in glTF (default) */
	BSPSCENE_WRITE_VERTEX,             /* light baked into vertex colours, unlit materials: for viewers without
	                                    * lightmaps */
	BSPSCENE_WRITE_NO_LIGHT,
	BSPSCENE_WRITE_LIGHTING_FORCE_32BIT = 0x7fffffff
} bspscene_write_lighting;

typedef struct bspscene_write_options {
	size_t struct_size;
	bspscene_write_lighting lighting;
	const char *file_name;             /* name of the main file without directory ("atrium.gltf"); siblings are named
	                                    * after it; NULL: scene name */
	bspscene_progress_fn *progress;
	void *progress_user;
	const float *light_styles;         /* 256 factors, one for each style: pages become one set, the sum of all styles
	                                    * times these; NULL: a set for each style. Not for pages of format RAW32 */
} bspscene_write_options;

/* Where a writer puts its files. begin opens the file `name` (no directories in it), write appends, end closes it;
 * the first file is the main one, and only one is open at a time. Returning false stops the writer with
 * BSPSCENE_ERROR_IO. Whatever stops a writer, nothing is called after it: a file that is still open then is the
 * caller's to close and remove. */
typedef struct bspscene_output {
	void *user;
	bool (*begin)(void *user, const char *name);
	bspscene_write_fn *write;
	bool (*end)(void *user);
} bspscene_output;

BSPSCENE_API void bspscene_write_options_init(bspscene_write_options *options);
/* writer: "glb", "gltf", "obj", "atlas" (pages and atlas.json) or "text" (for people and tests). options may be NULL.
 * An unknown writer is BSPSCENE_ERROR_UNSUPPORTED_FORMAT.
 *
 * glTF and OBJ are in metres with Y up: (x, y, z) of the scene is (x, z, -y) * metres_per_unit. What glTF says:
 *   - one mesh per mesh, one primitive per section, one material per material, kind of light and lightmap page;
 *   - TEXCOORD_1 and MOZ_lightmap {index, texCoord 1, intensity}: the picture is texture * page * intensity in linear
 * light
 *     (three.js, whose light maps are irradiance, needs intensity * pi); pages are sRGB;
 *   - COLOR_0 holds linear light where it is in the vertices or was baked there (BSPSCENE_WRITE_VERTEX), and the alpha
 * of
 *     materials that take it from the vertices;
 *   - KHR_materials_unlit where no host is to add light: vertex light, sky, fullbright;
 *   - KHR_lights_punctual: such that a host without exposure shows white where the game does;
 *   - normalTexture points up the picture whatever the game's does, and TANGENT says how it lies;
 *   - _BLEND holds the mesh's blend_alphas where a material has a second image; extras.secondTexture is its texture;
 *   - extras.blendMask and extras.detail are the material's blend_image and detail_image: their fields, and textures;
 *   - turned textures (uv_rotation) are turned in TEXCOORD_0, others moved by KHR_texture_transform;
 *   - _BLEND_WEIGHTS holds the mesh's blend_weights where a material has layers; extras.layers are these, as here, with
 *     the texture of each;
 *   - extras: a node's are its entity's keys in order (an array for a repeated key) and `bspscene` with our own facts;
 * a
 *     material's are its name, flags, images, blending and script. */
BSPSCENE_API bool bspscene_write(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                                 const bspscene_output *output, bspscene_error *error);
/* Names of the writers in order, NULL after the last. */
BSPSCENE_API const char *bspscene_writer_name(uint32_t index);

/* ---- Game files ------------------------------------------------------------------------------------------- */

/* An ordered set of directories and archives (pk3/pk4/zip, pak, VPK; by content) that answers open_file the way engines
 * do: names ignore case and slash direction, what was mounted later wins, and of equal names in one archive the last.
 * It opens nothing that was not mounted: names that could leave their place (.., drives) are left out and never found,
 * and symbolic links in a directory are followed only to files inside of it, never to directories.
 * Threads: opening, reading and listing change nothing, so one set serves any number of loads at once; mounting and
 * freeing are for one thread alone. */
typedef struct bspscene_files bspscene_files;

BSPSCENE_API bspscene_files *bspscene_files_create(void); /* NULL when out of memory */
/* Scenes do not need it any more, but streams must be closed before. NULL is fine. */
BSPSCENE_API void bspscene_files_free(bspscene_files *files);
/* Mounts one directory or archive. A VPK is named by its `_dir.vpk`; its numbered parts are opened beside it. */
BSPSCENE_API bool bspscene_files_mount(bspscene_files *files, const char *path, bspscene_error *error);
/* Mounts an archive in memory, which must live as long as `files`. `name` is for messages. */
BSPSCENE_API bool bspscene_files_mount_memory(bspscene_files *files, const char *name, const void *data, size_t size,
                                              bspscene_error *error);
/* Mounts a game directory with the archives in it, in the engines' order: *_dir.vpk, pak0.pak, pak1.pak, ..., other
 * *.pak, then *.pk3, *.pk4 and *.pk3dir directories alphabetically without case. The directory itself comes last, so
 * that loose files win. As in the engines an archive that cannot be read is left out: the result is true, and `error`,
 * otherwise clear, names the first of them. A gameinfo.txt in it (Source) names further directories and VPKs, the best
 * first: those inside of the directory above it are mounted the same way. A directory with such games in it stands for
 * all of them. */
BSPSCENE_API bool bspscene_files_mount_game(bspscene_files *files, const char *directory, bspscene_error *error);
/* bspscene_open_file_fn; user is the bspscene_files. An entry that turns out to be damaged fails when it is read. */
BSPSCENE_API bspscene_open_file_fn bspscene_files_open;
/* bspscene_list_files_fn: each name once, as the archive writes it, in the order Quake III reads scripts, of which the
 * first definition of a shader counts: the place mounted first comes first, and in a place the last file comes first
 * (tr_shader.c joins the files in reverse). A name in several places stands where its winner is. */
BSPSCENE_API bspscene_list_files_fn bspscene_files_list;
/* Directories and archives mounted, in search order (best first), for "searched in" messages; NULL past the end. */
BSPSCENE_API const char *bspscene_files_place(const bspscene_files *files, uint32_t index);

/* ---- For bindings ----------------------------------------------------------------------------------------- */

typedef enum bspscene_struct_id {
	BSPSCENE_STRUCT_SCENE, BSPSCENE_STRUCT_NODE, BSPSCENE_STRUCT_ENTITY, BSPSCENE_STRUCT_MESH, BSPSCENE_STRUCT_SECTION,
	BSPSCENE_STRUCT_FACE, BSPSCENE_STRUCT_MATERIAL, BSPSCENE_STRUCT_STAGE, BSPSCENE_STRUCT_IMAGE, BSPSCENE_STRUCT_PAGE,
	BSPSCENE_STRUCT_PAGE_SET, BSPSCENE_STRUCT_LIGHT_STYLE, BSPSCENE_STRUCT_LIGHT, BSPSCENE_STRUCT_CAMERA,
	BSPSCENE_STRUCT_LIGHT_GRID, BSPSCENE_STRUCT_AMBIENT, BSPSCENE_STRUCT_FOG, BSPSCENE_STRUCT_PROP,
	BSPSCENE_STRUCT_OVERLAY, BSPSCENE_STRUCT_CUBEMAP, BSPSCENE_STRUCT_LEAF, BSPSCENE_STRUCT_TREE, BSPSCENE_STRUCT_VIS,
	BSPSCENE_STRUCT_AREA_PORTAL, BSPSCENE_STRUCT_COUNTS, BSPSCENE_STRUCT_WARNING, BSPSCENE_STRUCT_ERROR,
	BSPSCENE_STRUCT_LOAD_OPTIONS, BSPSCENE_STRUCT_WRITE_OPTIONS, BSPSCENE_STRUCT_STREAM, BSPSCENE_STRUCT_OUTPUT,
	BSPSCENE_STRUCT_PIXELS, BSPSCENE_STRUCT_COLOR_SET, BSPSCENE_STRUCT_DETAIL, BSPSCENE_STRUCT_LAYER,
	BSPSCENE_STRUCT_COUNT,
	BSPSCENE_STRUCT_FORCE_32BIT = 0x7fffffff
} bspscene_struct_id;

/* sizeof the struct in this build of the library, 0 for an unknown id: lets a binding refuse another layout. */
BSPSCENE_API size_t bspscene_struct_size(bspscene_struct_id id);
BSPSCENE_API const char *bspscene_version(void); /* BSPSCENE_VERSION_STRING of the library */

#ifdef __cplusplus
}
#endif
#endif
