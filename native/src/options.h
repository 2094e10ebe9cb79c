/* options.h - load options of any caller's version -> complete, checked options. */
#ifndef BSPI_OPTIONS_H
#define BSPI_OPTIONS_H

#include "base/ctx.h"

/* As they were given, in today's struct; `given` may be NULL. False, with `error` set, for a struct_size that is not
 * valid. */
bool bspi_read_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);
/* The same with defaults filled in and values checked. False, with `error` set, for a struct_size or value that is not
 * valid. */
bool bspi_complete_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error);

#endif
