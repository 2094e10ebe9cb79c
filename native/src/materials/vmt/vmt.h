/* vmt.h - Source's material files: the name of a shader and its keys, with patches applied to the file that they
 * include. */
#ifndef BSPI_VMT_H
#define BSPI_VMT_H

#include "base/keyvalues.h"
#include "materials/materials.h"

/* Most nested patches; the games' own have one level. */
#define BSPI_VMT_MOST_PATCHES 8

/* A file: its text, and the block with its keys. */
typedef struct bspi_vmt_layer {
	bspi_kv_tree tree;
	uint32_t root;                     /* block after the shader's name */
} bspi_vmt_layer;

typedef struct bspi_vmt {
	const char *shader;                /* "LightmappedGeneric"; "" if a patched file is missing */
	const char *path;                  /* game path of the file that names the shader, or of the missing one */
	bspi_bytes text;                   /* content of that file */
	bspi_vmt_layer layers[BSPI_VMT_MOST_PATCHES + 1]; /* patches from the outermost to the innermost, then the material
	                                                   * itself */
	uint32_t patch_count;
} bspi_vmt;

/* Reads a material by the name that maps use ("concrete/wall01"). If its file is missing and the map's compiler made
 * the name, the original material is read. *found is false if there is none; damaged files are counted. False: the load
 * fails. */
bool bspi_open_vmt(bspi_ctx *ctx, const char *name, bspi_vmt *out, bool *found);

/* Returns the shader's name; a mod's own build of an SDK shader gives the SDK's name. vmt_values.c */
const char *bspi_shader_of_vmt(const bspi_vmt *vmt);
/* Returns a key's value, or NULL. Case is ignored. The last pair whose condition ("ldr?") holds counts, else the first
 * one without a condition. */
const char *bspi_vmt_value(const bspi_vmt *vmt, const char *key);
bool bspi_vmt_is_set(const bspi_vmt *vmt, const char *key);     /* set and not 0 */
float bspi_vmt_number(const bspi_vmt *vmt, const char *key, float otherwise);
/* Reads "[1 .5 0]", "{255 128 0}" or "1". False if the key is missing or has no number. */
bool bspi_vmt_color(const bspi_vmt *vmt, const char *key, float out[3]);
/* Identifies a proxy by its name and the variable that it sets: a material may have several of one name. */
typedef struct bspi_vmt_proxy {
	const char *name;                  /* "TextureScroll" */
	const char *key, *variable;        /* "texturescrollvar", "$basetexturetransform" */
} bspi_vmt_proxy;

/* Returns the value of the first proxy of this kind that has the key, or NULL. */
const char *bspi_vmt_proxy_value(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key);
/* Returns the value of the first such proxy as a number; `otherwise` if there is none. */
float bspi_vmt_proxy_number(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key, float otherwise);

#endif
