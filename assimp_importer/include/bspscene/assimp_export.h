/* assimp_export.h - scenes to the formats that Assimp writes and bspscene itself does not. */
#ifndef BSPSCENE_ASSIMP_EXPORT_H
#define BSPSCENE_ASSIMP_EXPORT_H

#include <bspscene/bspscene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The file ending of the index-th format ("dae", "ply", ...), NULL after the last. assimp_importer/README.md says what
 * each of them keeps. */
BSPSCENE_API const char *bspscene_assimp_export_ending(uint32_t index);
/* Why Assimp's writer for this ending is not used, or NULL. */
BSPSCENE_API const char *bspscene_assimp_export_refusal(const char *ending);

/* As bspscene_write: the writer is an ending from above. In meters, Y up; options->lighting is kept. HDR pages are
 * BSPSCENE_ERROR_BAD_OPTIONS: no format of Assimp's can hold them. No exception comes out. */
BSPSCENE_API bool bspscene_assimp_export(const bspscene_scene *scene, const char *writer,
                                         const bspscene_write_options *options, const bspscene_output *output,
                                         bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
