/* extract_models.h - copies the files of a map's models. */
#ifndef CLI_EXTRACT_MODELS_H
#define CLI_EXTRACT_MODELS_H

#include <bspscene/bspscene.h>

#include "cli/output.h"
#include "cli/report.h"

/* Copies the files of all models that the scene shows. *copied is the number of models. `files` may be NULL. Returns
 * false if the output failed. */
bool cli_extract_models(const bspscene_scene *scene, bspscene_file_system *files, cli_output *output, uint32_t *copied);

#endif
