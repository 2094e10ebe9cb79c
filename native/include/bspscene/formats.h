/* formats.h - Tables of the formats that the library writes and reads, and writing to a path. */
#ifndef BSPSCENE_FORMATS_H
#define BSPSCENE_FORMATS_H

#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer. Records are static. */
typedef struct bspscene_writer {
	const char *name;                  /**< For bspscene_write: "glb". */
	const char *title;                 /**< For people: "glTF 2.0, one file". */
	const char *extension;             /**< Extension of the main file, without a dot. */
	bool chosen_by_extension;          /**< True if bspscene_find_writer returns it. Others, such as "atlas", are chosen
	                                    * by name, or by the extension in bspscene_write_file. */
	bspscene_write_lighting lighting;  /**< Meaning of WRITE_LIGHTING_DEFAULT. */
	uint32_t lightings;                /**< Lightings that it can write: bits 1 << bspscene_write_lighting. */
	bool compresses;                   /**< True if it knows bspscene_write_options.compress. Others ignore it. */
	bool animates;                     /**< True if it writes rigs. Others write meshes at rest. */
} bspscene_writer;

/** Returns all writers in the order of menus, ending with NULL. Static. */
BSPSCENE_API const bspscene_writer *const *bspscene_writers(void);

/** Returns the writer for the extension of a path, ignoring case, or NULL. */
BSPSCENE_API const bspscene_writer *bspscene_find_writer(const char *path);

/** Writes a scene to a path, with the writer for its extension: .glb, .gltf, .fbx, .usda, .usdz, .obj, or .json for a
 * lightmap atlas. Further files (images of .gltf, .mtl of .obj, pages of an atlas) go to the same directory and replace
 * files with their names.
 *
 * Files of one call (a .gltf and its .bin) all appear, or none does:
 * - Old files stay until every new file has its name. If a file cannot get its name, the old files are put back.
 * - Programs that write to the same directory at once take turns.
 * - If a program is killed meanwhile, the next one that writes to the directory puts the old files back.
 *
 * Not promised:
 * - that a reader never sees new files next to old ones for a moment;
 * - turns, and repair after a kill, on a file system without locks (NFS) or in a directory that cannot be read;
 * - repair after a kill where a name is a link, or the record .bspscene-set cannot be written;
 * - anything after a loss of power.
 *
 * `options` and `error` may be NULL; options.file_name is ignored. Returns false with `error` set on failure.
 * BSPSCENE_ERROR_UNSUPPORTED_FORMAT: no writer has that extension; the message lists those there are. */
BSPSCENE_API bool bspscene_write_file(const bspscene_scene *scene, const char *path,
                                      const bspscene_write_options *options, bspscene_error *error);

/** A family of map formats that share their records. Records are static. */
typedef struct bspscene_family {
	const char *name;                  /**< As bspscene_scene.family. */
	const char *title;                 /**< For people: "Quake III Arena and its relatives". */
	bool reads_wads;                   /**< True if textures come from the WADs that worldspawn's `wad` names. */
} bspscene_family;

/** Returns all families, ending with NULL. Static. */
BSPSCENE_API const bspscene_family *const *bspscene_families(void);

/** Returns the name of a family's variant, as bspscene_scene.variant, or NULL past the end. Variants may share a
 * name. */
BSPSCENE_API const char *bspscene_variant_name(const bspscene_family *family, uint32_t index);

/** Returns the title of a family's variant, such as "Quake III Arena (IBSP 46)", or NULL past the end. */
BSPSCENE_API const char *bspscene_variant_title(const bspscene_family *family, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
