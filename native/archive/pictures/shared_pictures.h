/* shared_pictures.h - GLBs that refer to pictures in one folder of a store, where each is once, however many maps have
 * it. A picture's name is of its bytes. */
#ifndef CLI_SHARED_PICTURES_H
#define CLI_SHARED_PICTURES_H

#include "cli/output.h"

/* A cli_write_fn that ignores `writer`: writes a GLB that refers to its pictures in "../../textures", and the pictures
 * as "textures/NAME" next to it, for cli_share_files. */
bool cli_write_shared(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                      const bspscene_output *output, bspscene_error *error);

#endif
