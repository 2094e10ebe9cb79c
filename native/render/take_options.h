/* take_options.h - what a caller asks of a picture, and how failures are told. */
#ifndef BSPR_TAKE_OPTIONS_H
#define BSPR_TAKE_OPTIONS_H

#include "memory.h"

/* Always returns false. `error` may be NULL. */
bool bspr_fail(bspscene_error *error, bspscene_status status, const char *message);
/* Sets the error for a failed allocation: the limit, or the system. */
bool bspr_fail_memory(const bspr_memory *memory, bspscene_error *error);
/* Complete options from those of a caller with any header of this layout; `given` may be NULL. */
bool bspr_take_options(const bspscene_render_options *given, bspscene_render_options *out, bspscene_error *error);

#endif
