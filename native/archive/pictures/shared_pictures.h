/* shared_pictures.h - writes GLBs that refer to pictures in a common folder of a store. Pictures are named by a hash of
 * their bytes, so that maps share them. */
#ifndef CLI_SHARED_PICTURES_H
#define CLI_SHARED_PICTURES_H

#include "cli/output.h"

/* Implements cli_write_fn; ignores `writer`. Writes a GLB, and its pictures as files "textures/NAME" next to it. The
 * GLB refers to the pictures in "../../textures", where cli_share_files moves them later. */
bool cli_write_shared(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                      const bspscene_output *output, bspscene_error *error);

#endif
