/* fuzzed.h - what all fuzz targets do with a scene. */
#ifndef BSPT_FUZZED_H
#define BSPT_FUZZED_H

#include "base/bytes.h"
#include "support/bspt.h"

/* Loads a map and checks all promises of the scene, which the caller frees. If the load fails, checks the error and
 * returns NULL. */
bspscene_scene *bspt_load_fuzzed(bspi_bytes map, const bspscene_load_options *options, bspt_report *report);
/* Writes the scene into a sink and checks that a failure sets the error. `options` may be NULL. */
void bspt_write_fuzzed(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                       bspt_report *report);
/* Returns NULL for 0, else one of eight names for `model_pose.sequence`, which few models have. */
const char *bspt_fuzzed_sequence(uint8_t number);

#endif
