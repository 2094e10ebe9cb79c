/* binding.h - for bindings of other languages (which version is loaded?) and components with structs of their own. */
#ifndef BSPSCENE_BINDING_H
#define BSPSCENE_BINDING_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bspscene_struct_id {
	BSPSCENE_STRUCT_SCENE = 0, BSPSCENE_STRUCT_NODE = 1, BSPSCENE_STRUCT_ENTITY = 2, BSPSCENE_STRUCT_MESH = 3,
	BSPSCENE_STRUCT_SECTION = 4, BSPSCENE_STRUCT_FACE = 5, BSPSCENE_STRUCT_MATERIAL = 6, BSPSCENE_STRUCT_MATERIAL_PASS = 7,
	BSPSCENE_STRUCT_IMAGE = 8, BSPSCENE_STRUCT_LIGHTMAP_PAGE = 9, BSPSCENE_STRUCT_LIGHTMAP_SET = 10,
	BSPSCENE_STRUCT_LIGHT_STYLE = 11, BSPSCENE_STRUCT_LIGHT = 12, BSPSCENE_STRUCT_CAMERA = 13,
	BSPSCENE_STRUCT_LIGHT_GRID = 14, BSPSCENE_STRUCT_AMBIENT = 15, BSPSCENE_STRUCT_FOG = 16,
	BSPSCENE_STRUCT_PROP = 17, BSPSCENE_STRUCT_OVERLAY = 18, BSPSCENE_STRUCT_CUBEMAP = 19, BSPSCENE_STRUCT_LEAF = 20,
	BSPSCENE_STRUCT_TREE = 21, BSPSCENE_STRUCT_VIS = 22, BSPSCENE_STRUCT_AREA_PORTAL = 23,
	BSPSCENE_STRUCT_COUNTS = 24, BSPSCENE_STRUCT_WARNING = 25, BSPSCENE_STRUCT_ERROR = 26,
	BSPSCENE_STRUCT_LOAD_OPTIONS = 27, BSPSCENE_STRUCT_WRITE_OPTIONS = 28, BSPSCENE_STRUCT_STREAM = 29,
	BSPSCENE_STRUCT_OUTPUT = 30, BSPSCENE_STRUCT_PIXELS = 31, BSPSCENE_STRUCT_VERTEX_COLOR_SET = 32,
	BSPSCENE_STRUCT_DETAIL_PROP = 33, BSPSCENE_STRUCT_LAYER = 34, BSPSCENE_STRUCT_SKY = 35,
	BSPSCENE_STRUCT_FOG_PARMS = 36, BSPSCENE_STRUCT_BLEND_MASK = 37, BSPSCENE_STRUCT_DETAIL_TEXTURE = 38,
	BSPSCENE_STRUCT_OCCURRENCE = 39, BSPSCENE_STRUCT_FORMAT = 40, BSPSCENE_STRUCT_BAKE_OPTIONS = 41,
	BSPSCENE_STRUCT_SOURCE_OPTIONS = 42, BSPSCENE_STRUCT_BAKE_REPORT = 43, BSPSCENE_STRUCT_ALLOCATOR = 44,
	BSPSCENE_STRUCT_IDENTITY = 45, BSPSCENE_STRUCT_LUXEL_LOCATION = 46, BSPSCENE_STRUCT_MAP_LIGHT = 47,
	BSPSCENE_STRUCT_LIGHTMAP_RECT = 48, BSPSCENE_STRUCT_EDITED_LIGHT = 49, BSPSCENE_STRUCT_RELIGHT_OPTIONS = 50,
	BSPSCENE_STRUCT_RELIGHT_REPORT = 51, BSPSCENE_STRUCT_LIGHT_LIST = 52, BSPSCENE_STRUCT_THREAD_POOL = 53,
	BSPSCENE_STRUCT_OPEN_OPTIONS = 54, BSPSCENE_STRUCT_SKY_OPTIONS = 55, BSPSCENE_STRUCT_KEY_CHANGE = 56,
	BSPSCENE_STRUCT_ENTITY_CHANGE = 57, BSPSCENE_STRUCT_ENTITY_CHANGES = 58, BSPSCENE_STRUCT_EDITED_ENTITY = 59,
	BSPSCENE_STRUCT_EDITED_ENTITIES = 60, BSPSCENE_STRUCT_REWRITE_OPTIONS = 61, BSPSCENE_STRUCT_REWRITE_REPORT = 62,
	BSPSCENE_STRUCT_RIG = 63, BSPSCENE_STRUCT_BONE = 64, BSPSCENE_STRUCT_SEQUENCE = 65,
	BSPSCENE_STRUCT_LIGHT_PROBE = 66, BSPSCENE_STRUCT_EDITED_CORNER = 67,
	BSPSCENE_STRUCT_COUNT,
	BSPSCENE_STRUCT_FORCE_32BIT = 0x7fffffff
} bspscene_struct_id;

/* sizeof the struct in this build of the library, 0 for an unknown id. A binding may use a library whose structs are as
 * large as its own or larger. One that declares the first fields of LOAD_OPTIONS alone takes that many bytes of zeroes,
 * writes the number into struct_size and its fields in front: a struct_size between those that some version had is
 * refused. */
BSPSCENE_API size_t bspscene_struct_size(bspscene_struct_id id);
BSPSCENE_API const char *bspscene_version(void); /* BSPSCENE_VERSION_STRING of the library */

/* Reads a caller's struct, whose first member is its struct_size, into one of `size` bytes by the rule in bspscene.h.
 * `least` is the size with which the struct was first published, `name` what its _init function is called by
 * ("load_options"). False, with `error` (may be NULL) set to BSPSCENE_ERROR_BAD_OPTIONS, when the size is not valid or
 * asks for what is not known. Unstable. */
BSPSCENE_API bool bspscene_struct_read(void *out, size_t size, size_t least, const void *given, const char *name,
                                       bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
