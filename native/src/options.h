/* options.h - converts load options of any version of the header to complete options with checked values. */
#ifndef BSPI_OPTIONS_H
#define BSPI_OPTIONS_H

#include "base/ctx.h"

/* Copies the options to the current version of the struct. `given` may be NULL. If struct_size is not valid, sets
 * `error` and returns false. */
bool bspi_read_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);
/* Copies the options, replaces 0 by defaults, and checks the values. If struct_size or a value is not valid, sets
 * `error` and returns false. */
bool bspi_complete_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);

#endif
