/* bspscene/formats.h - what this library writes and reads, as tables for hosts' menus and documents. See bspscene.h. */
#ifndef BSPSCENE_FORMATS_H
#define BSPSCENE_FORMATS_H

#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Records of these tables are static, reached by pointers and grow at their end. */

/* A way to write scenes. */
typedef struct bspscene_writer {
	const char *name;                  /* for bspscene_write: "glb" */
	const char *title;                 /* for people: "glTF 2.0, one file" */
	const char *extension;             /* of its main file, without a dot */
	bool chosen_by_extension;                    /* a file's ending means this writer; "atlas" is asked for by name alone */
	bspscene_write_lighting lighting;  /* what BSPSCENE_WRITE_LIGHTING_DEFAULT is */
	uint32_t lightings;                /* those it can write, a bit 1 << bspscene_write_lighting for each */
	bool compresses;                   /* it knows bspscene_write_options.compress; others ignore it */
	bool animates;                     /* it writes how meshes move that have a rig; others write them as they are */
} bspscene_writer;

/* All writers in the order in which they are listed to people, NULL behind the last. */
BSPSCENE_API const bspscene_writer *const *bspscene_writers(void);

/* The writer that the ending of a file's name or path means, in whatever case; NULL: none. */
BSPSCENE_API const bspscene_writer *bspscene_find_writer(const char *path);

/* Writes a scene to `path`, by the writer that its ending means, and what belongs beside it into the same folder
 * (pictures of .gltf, .mtl of .obj, ...), in place of files with these names.
 * Files that are written together (a .gltf and its .bin) appear all or none: old files stay until the last new one
 * has its name, and are put back when one cannot get it. Programs that write into the same folder at once do so one
 * after the other. When a program is killed in between, the next one that writes into that folder puts the old files
 * back. Not promised: that a reader never sees new files beside old ones for a moment; the order of programs, and
 * what a killed one leaves, on a file system without locks (NFS) or in a folder that cannot be read; what a killed
 * one leaves where a name is a link or the record .bspscene-set cannot be written; anything after a loss of
 * power.
 * `options` and `error` may be NULL; options.file_name is not read. BSPSCENE_ERROR_UNSUPPORTED_FORMAT: no writer has
 * that ending, and the message names those there are. */
BSPSCENE_API bool bspscene_write_file(const bspscene_scene *scene, const char *path,
                                      const bspscene_write_options *options, bspscene_error *error);

/* About which part of the time of loading a map and writing it by the writer of that name the load takes, from 0 to 1:
 * for one bar of progress over both. NULL, or a name of no writer: a host's own. */
BSPSCENE_API float bspscene_load_share(const char *writer, bspscene_write_lighting lighting);

/* A family of formats that share their records. */
typedef struct bspscene_family {
	const char *name;                  /* as bspscene_scene.family */
	const char *title;                 /* for people: "Quake III Arena and its relatives" */
	bool reads_wads;                   /* the game looks for textures in the WADs that worldspawn's `wad` names */
} bspscene_family;

/* All families, NULL behind the last. */
BSPSCENE_API const bspscene_family *const *bspscene_families(void);

/* The formats of a family, one of that table: the name of the index-th as in bspscene_scene.variant (several may share
 * one) and its title, "Quake III Arena (IBSP 46)". NULL behind the last. */
BSPSCENE_API const char *bspscene_variant_name(const bspscene_family *family, uint32_t index);
BSPSCENE_API const char *bspscene_variant_title(const bspscene_family *family, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
