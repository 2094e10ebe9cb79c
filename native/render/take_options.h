/* take_options.h - checks the options of callers, and sets errors. */
#ifndef BSPR_TAKE_OPTIONS_H
#define BSPR_TAKE_OPTIONS_H

#include "memory.h"

/* Sets the error. Returns false. `error` may be NULL. */
bool bspr_fail(bspscene_error *error, bspscene_status status, const char *message);
/* Sets the error of a failed allocation: the limit was exceeded, or memory is short. Returns false. */
bool bspr_fail_memory(const bspr_memory *memory, bspscene_error *error);
/* Checks the options of a caller and fills in the defaults. `given` may be NULL, or a struct of an older version. */
bool bspr_take_options(const bspscene_render_options *given, bspscene_render_options *out, bspscene_error *error);

#endif
