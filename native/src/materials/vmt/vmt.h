/* vmt.h - Source's material files (VMT). A file has the name of a shader and keys with values, or it is a patch that
 * changes the keys of another file. */
#ifndef BSPI_VMT_H
#define BSPI_VMT_H

#include "base/keyvalues.h"
#include "materials/materials.h"

/* Largest number of patches in a chain in which each one patches the next. In the games' files, no patch patches
 * another patch. */
#define BSPI_VMT_MOST_PATCHES 8

/* A parsed file. */
typedef struct bspi_vmt_layer {
	bspi_kv_tree tree;
	uint32_t root;                     /* the block that follows the shader's name and has the keys */
} bspi_vmt_layer;

typedef struct bspi_vmt {
	const char *shader;                /* such as "LightmappedGeneric"; "" if the file that the last patch changes is
	                                    * missing */
	const char *path;                  /* game path of the file that contains the shader's name, even if this file is
	                                    * missing */
	bspi_bytes text;                   /* text of the file at `path` */
	bspi_vmt_layer layers[BSPI_VMT_MOST_PATCHES + 1]; /* the first patch, the file that it patches, and so on; the last
	                                                   * one is the material itself */
	uint32_t patch_count;
} bspi_vmt;

/* Reads a material by the name that maps use ("concrete/wall01"). If there is no such file, but the map's compiler made
 * the name from that of another material, then that material is read. *found is false if there is none either. Damaged
 * files are counted as warnings. Returns false if the load fails. */
bool bspi_open_vmt(bspi_ctx *ctx, const char *name, bspi_vmt *out, bool *found);

/* Returns the shader's name. Mods have their own builds of shaders, named "sdk_" and the SDK's name; this returns the
 * SDK's name. vmt_values.c */
const char *bspi_shader_of_vmt(const bspi_vmt *vmt);
/* Returns a key's value, or NULL. Case is ignored. Several pairs may have the key: the last one with a condition that
 * holds ("ldr?") counts, otherwise the first one without a condition. */
const char *bspi_vmt_value(const bspi_vmt *vmt, const char *key);
bool bspi_vmt_is_set(const bspi_vmt *vmt, const char *key);     /* true if the key is a number other than 0 */
float bspi_vmt_number(const bspi_vmt *vmt, const char *key, float otherwise);
/* Reads "[1 .5 0]", "{255 128 0}" or "1". False if the key is missing or has no number. */
bool bspi_vmt_color(const bspi_vmt *vmt, const char *key, float out[3]);
/* Identifies a proxy by its name and by the variable that it changes, because a material may have several proxies with
 * the same name. */
typedef struct bspi_vmt_proxy {
	const char *name;                  /* such as "TextureScroll" */
	const char *key, *variable;        /* key that names the changed variable, and that variable, such as
	                                    * "texturescrollvar" and "$basetexturetransform" */
} bspi_vmt_proxy;

/* Returns the value that `key` has in the first such proxy with this key. NULL if there is none. */
const char *bspi_vmt_proxy_value(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key);
/* Returns the value of bspi_vmt_proxy_value as a number, or `otherwise` if there is none. */
float bspi_vmt_proxy_number(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key, float otherwise);

#endif
