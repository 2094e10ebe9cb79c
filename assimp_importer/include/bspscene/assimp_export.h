/* assimp_export.h - writes scenes in the formats that Assimp writes and bspscene does not. */
#ifndef BSPSCENE_ASSIMP_EXPORT_H
#define BSPSCENE_ASSIMP_EXPORT_H

#include <bspscene/bspscene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the file ending of the index-th format ("dae", "ply", ...), or NULL after the last. assimp_importer/README.md
 * says what each format keeps. */
BSPSCENE_API const char *bspscene_assimp_export_ending(uint32_t index);
/* Returns why Assimp's writer for this ending is not used, or NULL. */
BSPSCENE_API const char *bspscene_assimp_export_refusal(const char *ending);

/* Writes a scene as bspscene_write does. `writer` is one of the endings above. Output is in meters, with Y up. Of the
 * options, `lighting` is used. HDR pages give BSPSCENE_ERROR_BAD_OPTIONS, because no format of Assimp can hold them.
 * Throws no exception. */
BSPSCENE_API bool bspscene_assimp_export(const bspscene_scene *scene, const char *writer,
                                         const bspscene_write_options *options, const bspscene_output *output,
                                         bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
