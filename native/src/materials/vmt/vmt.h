/* vmt.h - Source's material files: a shader's name and its keys, with patches applied to what they include. */
#ifndef BSPI_VMT_H
#define BSPI_VMT_H

#include "base/keyvalues.h"
#include "materials/materials.h"

/* Patches of patches; the games' own are one deep. */
#define BSPI_VMT_MOST_PATCHES 8

/* A file's text, and what of it counts. */
typedef struct bspi_vmt_layer {
	bspi_kv_tree tree;
	uint32_t root;                     /* the block behind the shader's name */
} bspi_vmt_layer;

typedef struct bspi_vmt {
	const char *shader;                /* "LightmappedGeneric"; "" when what a patch includes is not there */
	const char *path;                  /* game path of the file that names the shader, or of the one that is missing */
	bspi_bytes text;                   /* of that file */
	bspi_vmt_layer layers[BSPI_VMT_MOST_PATCHES + 1]; /* the patches, the outermost first, and the material */
	uint32_t patch_count;
} bspi_vmt;

/* Reads the material of a name as maps have it ("concrete/wall01"). Where its file is missing and the name is one that
 * the map's compiler made, it is the material that it was made of. *found is false when there is none; what is broken
 * is counted. False: the load ends. */
bool bspi_open_vmt(bspi_ctx *ctx, const char *name, bspi_vmt *out, bool *found);

/* The shader's name, also where it is a mod's own build of the SDK's. vmt_values.c */
const char *bspi_shader_of_vmt(const bspi_vmt *vmt);
/* The value of a key, NULL when it has none. Case is ignored. Of repeated keys the first counts, and before it the last
 * one whose condition ("ldr?") is met. */
const char *bspi_vmt_value(const bspi_vmt *vmt, const char *key);
bool bspi_vmt_is_set(const bspi_vmt *vmt, const char *key);     /* not 0 */
float bspi_vmt_number(const bspi_vmt *vmt, const char *key, float otherwise);
/* "[1 .5 0]", "{255 128 0}" or "1". False: there is no such key, or nothing that is a number in it. */
bool bspi_vmt_color(const bspi_vmt *vmt, const char *key, float out[3]);
/* A proxy by its name and by what it changes: several of one name may be there for several variables. */
typedef struct bspi_vmt_proxy {
	const char *name;                  /* "TextureScroll" */
	const char *key, *variable;        /* "texturescrollvar", "$basetexturetransform" */
} bspi_vmt_proxy;

/* A value of the first such proxy that has one, NULL when there is none. */
const char *bspi_vmt_proxy_value(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key);
/* The same as a number. */
float bspi_vmt_proxy_number(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key, float otherwise);

#endif
