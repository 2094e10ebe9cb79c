/* fuzzed.h - what all fuzz targets do with a scene. */
#ifndef BSPT_FUZZED_H
#define BSPT_FUZZED_H

#include "base/bytes.h"
#include "support/bspt.h"

/* Loads a map and checks all promises of the scene, or of the error (NULL then). The caller frees the scene. */
bspscene_scene *bspt_load_fuzzed(bspi_bytes map, const bspscene_load_options *options, bspt_report *report);
/* Writes into a sink; a failure must set the error. `options` may be NULL. */
void bspt_write_fuzzed(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                       bspt_report *report);
/* Returns one of eight names for `model_pose.sequence`, which few models have; 0: NULL. */
const char *bspt_fuzzed_sequence(uint8_t number);

#endif
