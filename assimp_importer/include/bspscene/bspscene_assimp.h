/* bspscene_assimp.h - bspscene as an importer of Assimp, for programs in C and C++.
 *
 *     Assimp::Importer importer;                          // C++: register once, then read as usual
 *     bspscene_assimp_register(&importer);
 *     const aiScene *scene = importer.ReadFile("maps/atrium.bsp", aiProcess_ValidateDataStructure);
 *
 *     const struct aiScene *scene = bspscene_assimp_import_file("maps/atrium.bsp", 0, NULL);  // C
 *     if (!scene) fprintf(stderr, "%s\n", bspscene_assimp_error());
 *     aiReleaseImport(scene);
 *
 * No function lets an exception out. Link libbspscene_assimp and libassimp. The importer's properties (IMPORT_BSP_MAP
 * and so on) are described in assimp_importer/README.md. */
#ifndef BSPSCENE_ASSIMP_H
#define BSPSCENE_ASSIMP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__GNUC__)
	#define BSPSCENE_ASSIMP_API __attribute__((visibility("default")))
#else
	#define BSPSCENE_ASSIMP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct aiScene;
struct aiFileIO;

/* Registers the importer in an `Assimp::Importer`, which then owns it. A second call does nothing. Returns false if
 * this build does not fit the Assimp in use (another major version or floating-point size): see bspscene_assimp_error.
 * The library must stay loaded as long as the importer exists. */
BSPSCENE_ASSIMP_API bool bspscene_assimp_register(void *importer);

typedef struct bspscene_assimp_options {
	size_t struct_size;                /* set by bspscene_assimp_options_init; see the layout rules in bspscene.h */
	const char *const *properties;     /* "IMPORT_BSP_MAP=oa_dm1", ...; NULL ends the list; may be NULL */
	struct aiFileIO *io;               /* opens files; NULL: the file system */
	const char *hint;                  /* file extension that tells the format of data in memory, "bsp" or "pk3"; NULL:
	                                    * "bsp" */
} bspscene_assimp_options;

static inline void bspscene_assimp_options_init(bspscene_assimp_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Reads a map and runs post-processing steps (aiProcess_*). "pak0.pk3#oa_dm1" names a map in an archive. The scene can
 * be passed to aiApplyPostProcessing, aiExportScene and aiCopyScene, as one from aiImportFile. Free it with
 * aiReleaseImport. NULL on failure: see bspscene_assimp_error; aiGetErrorString is not set. `options` may be NULL. */
BSPSCENE_ASSIMP_API const struct aiScene *bspscene_assimp_import_file(const char *path, unsigned post_process,
                                                                      const bspscene_assimp_options *options);
BSPSCENE_ASSIMP_API const struct aiScene *bspscene_assimp_import_memory(const void *data, size_t size,
                                                                        unsigned post_process,
                                                                        const bspscene_assimp_options *options);

/* Returns why this thread's last call failed, or "". Valid until the thread's next call. */
BSPSCENE_ASSIMP_API const char *bspscene_assimp_error(void);

/* Makes every Assimp::Importer of this process read maps from now on, also those that other libraries create. It is for
 * programs that cannot be recompiled: a plug-in or a script (ctypes) calls it once. Works only on ELF systems with a
 * shared libassimp; else returns false. Returns true also if it was called before. Libraries that are loaded later need
 * another call. */
BSPSCENE_ASSIMP_API bool bspscene_assimp_hook_process(void);

#ifdef __cplusplus
}
#endif
#endif
