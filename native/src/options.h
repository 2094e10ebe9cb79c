/* options.h - converts load options of any header version to complete, checked ones. */
#ifndef BSPI_OPTIONS_H
#define BSPI_OPTIONS_H

#include "base/ctx.h"

/* Copies the options to the current struct; `given` may be NULL. False, with `error` set, for an invalid
 * struct_size. */
bool bspi_read_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);
/* Copies the options with defaults filled in and values checked. False, with `error` set, for an invalid struct_size or
 * value. */
bool bspi_complete_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);

#endif
