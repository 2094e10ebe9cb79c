/* options.h - converts load options of any header version to complete, checked ones. */
#ifndef BSPI_OPTIONS_H
#define BSPI_OPTIONS_H

#include "base/ctx.h"

/* Copies the options to the current struct; `given` may be NULL. Returns false with `error` set if struct_size is not
 * valid. */
bool bspi_read_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);
/* Copies the options with defaults filled in and values checked. Returns false with `error` set if struct_size or a
 * value is not valid. */
bool bspi_complete_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);

#endif
