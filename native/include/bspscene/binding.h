/* binding.h - For bindings of other languages and for bspscene's own programs. Ordinary programs need none of it.
 *
 * NOTE: only bspscene_struct_size and bspscene_version are promised. The other functions may change with any
 * version. */
#ifndef BSPSCENE_BINDING_H
#define BSPSCENE_BINDING_H

#include <bspscene/formats.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of the public structs. */
typedef enum bspscene_struct_id {
	BSPSCENE_STRUCT_SCENE = 0,
	BSPSCENE_STRUCT_NODE = 1,
	BSPSCENE_STRUCT_ENTITY = 2,
	BSPSCENE_STRUCT_MESH = 3,
	BSPSCENE_STRUCT_SECTION = 4,
	BSPSCENE_STRUCT_FACE = 5,
	BSPSCENE_STRUCT_MATERIAL = 6,
	BSPSCENE_STRUCT_MATERIAL_PASS = 7,
	BSPSCENE_STRUCT_IMAGE = 8,
	BSPSCENE_STRUCT_LIGHTMAP_PAGE = 9,
	BSPSCENE_STRUCT_LIGHTMAP_SET = 10,
	BSPSCENE_STRUCT_LIGHT_STYLE = 11,
	BSPSCENE_STRUCT_LIGHT = 12,
	BSPSCENE_STRUCT_CAMERA = 13,
	BSPSCENE_STRUCT_LIGHT_GRID = 14,
	BSPSCENE_STRUCT_AMBIENT = 15,
	BSPSCENE_STRUCT_FOG = 16,
	BSPSCENE_STRUCT_PROP = 17,
	BSPSCENE_STRUCT_OVERLAY = 18,
	BSPSCENE_STRUCT_CUBEMAP = 19,
	BSPSCENE_STRUCT_LEAF = 20,
	BSPSCENE_STRUCT_TREE = 21,
	BSPSCENE_STRUCT_VIS = 22,
	BSPSCENE_STRUCT_AREA_PORTAL = 23,
	BSPSCENE_STRUCT_COUNTS = 24,
	BSPSCENE_STRUCT_WARNING = 25,
	BSPSCENE_STRUCT_ERROR = 26,
	BSPSCENE_STRUCT_LOAD_OPTIONS = 27,
	BSPSCENE_STRUCT_WRITE_OPTIONS = 28,
	BSPSCENE_STRUCT_STREAM = 29,
	BSPSCENE_STRUCT_OUTPUT = 30,
	BSPSCENE_STRUCT_PIXELS = 31,
	BSPSCENE_STRUCT_VERTEX_COLOR_SET = 32,
	BSPSCENE_STRUCT_DETAIL_PROP = 33,
	BSPSCENE_STRUCT_LAYER = 34,
	BSPSCENE_STRUCT_SKY = 35,
	BSPSCENE_STRUCT_FOG_PARMS = 36,
	BSPSCENE_STRUCT_BLEND_MASK = 37,
	BSPSCENE_STRUCT_DETAIL_TEXTURE = 38,
	BSPSCENE_STRUCT_OCCURRENCE = 39,
	BSPSCENE_STRUCT_FORMAT = 40,
	BSPSCENE_STRUCT_BAKE_OPTIONS = 41,
	BSPSCENE_STRUCT_SOURCE_OPTIONS = 42,
	BSPSCENE_STRUCT_BAKE_REPORT = 43,
	BSPSCENE_STRUCT_ALLOCATOR = 44,
	BSPSCENE_STRUCT_IDENTITY = 45,
	BSPSCENE_STRUCT_LUXEL_LOCATION = 46,
	BSPSCENE_STRUCT_MAP_LIGHT = 47,
	BSPSCENE_STRUCT_LIGHTMAP_RECT = 48,
	BSPSCENE_STRUCT_EDITED_LIGHT = 49,
	BSPSCENE_STRUCT_RELIGHT_OPTIONS = 50,
	BSPSCENE_STRUCT_RELIGHT_REPORT = 51,
	BSPSCENE_STRUCT_LIGHT_LIST = 52,
	BSPSCENE_STRUCT_THREAD_POOL = 53,
	BSPSCENE_STRUCT_OPEN_OPTIONS = 54,
	BSPSCENE_STRUCT_SKY_OPTIONS = 55,
	BSPSCENE_STRUCT_KEY_CHANGE = 56,
	BSPSCENE_STRUCT_ENTITY_CHANGE = 57,
	BSPSCENE_STRUCT_ENTITY_CHANGES = 58,
	BSPSCENE_STRUCT_EDITED_ENTITY = 59,
	BSPSCENE_STRUCT_EDITED_ENTITIES = 60,
	BSPSCENE_STRUCT_REWRITE_OPTIONS = 61,
	BSPSCENE_STRUCT_REWRITE_REPORT = 62,
	BSPSCENE_STRUCT_RIG = 63,
	BSPSCENE_STRUCT_BONE = 64,
	BSPSCENE_STRUCT_SEQUENCE = 65,
	BSPSCENE_STRUCT_LIGHT_PROBE = 66,
	BSPSCENE_STRUCT_EDITED_CORNER = 67,
	BSPSCENE_STRUCT_MODEL_POSE = 68,
	BSPSCENE_STRUCT_DECODE_OPTIONS = 69,
	BSPSCENE_STRUCT_SURFACE_POINT = 70,
	BSPSCENE_STRUCT_LIGHTMAP_BLOCKS = 71,
	BSPSCENE_STRUCT_FORCE_32BIT = 0x7fffffff
} bspscene_struct_id;

/** Returns sizeof the struct in this build of the library, or 0 for an unknown number.
 *
 * A binding may use a library whose structs are as large as its own, or larger. A binding that declares only the first
 * fields of an options struct allocates this many bytes of zeroes, writes the number into struct_size, and then its
 * fields. */
BSPSCENE_API size_t bspscene_struct_size(bspscene_struct_id id);

/** Returns BSPSCENE_VERSION_STRING of the library. */
BSPSCENE_API const char *bspscene_version(void);

/* ---- For bspscene's own programs -------------------------------------------------------------------------- */

/** Copies a caller's struct, whose first field is struct_size, into one of `size` bytes.
 *
 * `least` is the size of the struct when it was first published; `name` is the prefix of its _init function
 * ("load_options"). Returns false with `error` (may be NULL) set to BSPSCENE_ERROR_BAD_OPTIONS if the size is not valid
 * or a field that this library does not know is not zero. */
BSPSCENE_API bool bspscene_struct_read(void *out, size_t size, size_t least, const void *given, const char *name,
                                       bspscene_error *error);

/** Converts `count` IEEE half floats of an HDR page (3 * width * height) to floats. */
BSPSCENE_API void bspscene_halves_to_floats(const void *halves, size_t count, float *out);

/** Estimates the share of loading, 0..1, in the time of loading a map and writing it, for one progress bar over both.
 * `writer` is a name of bspscene_writers. NULL or another name: a writer of the host. */
BSPSCENE_API float bspscene_load_share(const char *writer, bspscene_write_lighting lighting);

/** Computes SHA-256 as 64 lower-case hex digits, as in bspscene_identity. `data` may be NULL if `size` is 0. */
BSPSCENE_API void bspscene_hash_bytes(const void *data, size_t size, char out[65]);

#ifdef __cplusplus
}
#endif
#endif
