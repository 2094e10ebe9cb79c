/* console_vtf.h - textures of Source on Xbox 360 and PS3: VTFX and VTF3 as the VTF that a PC would have. */
#ifndef BSPI_CONSOLE_VTF_H
#define BSPI_CONSOLE_VTF_H

#include "base/ctx.h"

/* By the first bytes. */
bool bspi_is_console_vtf(bspi_bytes file);
/* The same picture as a VTF 7.2, in the result arena. False: *why says what does not fit; NULL: it was warned of, or
 * ctx->error is set. */
bool bspi_turn_console_vtf(bspi_ctx *ctx, bspi_bytes file, bspi_bytes *out, const char **why);

#endif
