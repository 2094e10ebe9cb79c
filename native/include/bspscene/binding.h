/* binding.h - for bindings of other languages (which version is loaded?) and components with structs of their own. */
#ifndef BSPSCENE_BINDING_H
#define BSPSCENE_BINDING_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bspscene_struct_id {
	BSPSCENE_STRUCT_SCENE, BSPSCENE_STRUCT_NODE, BSPSCENE_STRUCT_ENTITY, BSPSCENE_STRUCT_MESH, BSPSCENE_STRUCT_SECTION,
	BSPSCENE_STRUCT_FACE, BSPSCENE_STRUCT_MATERIAL, BSPSCENE_STRUCT_STAGE, BSPSCENE_STRUCT_IMAGE, BSPSCENE_STRUCT_PAGE,
	BSPSCENE_STRUCT_PAGE_SET, BSPSCENE_STRUCT_LIGHT_STYLE, BSPSCENE_STRUCT_LIGHT, BSPSCENE_STRUCT_CAMERA,
	BSPSCENE_STRUCT_LIGHT_GRID, BSPSCENE_STRUCT_AMBIENT, BSPSCENE_STRUCT_FOG, BSPSCENE_STRUCT_PROP,
	BSPSCENE_STRUCT_OVERLAY, BSPSCENE_STRUCT_CUBEMAP, BSPSCENE_STRUCT_LEAF, BSPSCENE_STRUCT_TREE, BSPSCENE_STRUCT_VIS,
	BSPSCENE_STRUCT_AREA_PORTAL, BSPSCENE_STRUCT_COUNTS, BSPSCENE_STRUCT_WARNING, BSPSCENE_STRUCT_ERROR,
	BSPSCENE_STRUCT_LOAD_OPTIONS, BSPSCENE_STRUCT_WRITE_OPTIONS, BSPSCENE_STRUCT_STREAM, BSPSCENE_STRUCT_OUTPUT,
	BSPSCENE_STRUCT_PIXELS, BSPSCENE_STRUCT_COLOR_SET, BSPSCENE_STRUCT_DETAIL, BSPSCENE_STRUCT_LAYER,
	BSPSCENE_STRUCT_SKY, BSPSCENE_STRUCT_FOG_PARMS, BSPSCENE_STRUCT_BLEND_MASK, BSPSCENE_STRUCT_DETAIL_TEXTURE,
	BSPSCENE_STRUCT_OCCURRENCE, BSPSCENE_STRUCT_FORMAT, BSPSCENE_STRUCT_BAKE_OPTIONS,
	BSPSCENE_STRUCT_PLACE_OPTIONS,
	BSPSCENE_STRUCT_BAKE_REPORT, BSPSCENE_STRUCT_ALLOCATOR, BSPSCENE_STRUCT_IDENTITY, BSPSCENE_STRUCT_LUXEL_SOURCE,
	BSPSCENE_STRUCT_STORED_LIGHT, BSPSCENE_STRUCT_LIGHT_PLACE, BSPSCENE_STRUCT_NEW_LIGHT,
	BSPSCENE_STRUCT_RELIGHT_OPTIONS, BSPSCENE_STRUCT_RELIGHT_REPORT, BSPSCENE_STRUCT_LIGHT_LIST,
	BSPSCENE_STRUCT_PARALLEL, BSPSCENE_STRUCT_OPEN_OPTIONS, BSPSCENE_STRUCT_SKY_OPTIONS,
	BSPSCENE_STRUCT_COUNT,
	BSPSCENE_STRUCT_FORCE_32BIT = 0x7fffffff
} bspscene_struct_id;

/* sizeof the struct in this build of the library, 0 for an unknown id. A binding may use a library whose structs are as
 * large as its own or larger. */
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
