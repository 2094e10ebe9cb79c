/* console_vtf.h - converts Source textures of Xbox 360 and PS3 (VTFX and VTF3) to VTF of the PC. */
#ifndef BSPI_CONSOLE_VTF_H
#define BSPI_CONSOLE_VTF_H

#include "base/ctx.h"

/* Decides by the first bytes. */
bool bspi_is_console_vtf(bspi_bytes file);
/* Converts to VTF 7.2, in the result arena. False: *why says what is wrong, or is NULL if that was already reported or
 * ctx->error is set. */
bool bspi_turn_console_vtf(bspi_ctx *ctx, bspi_bytes file, bspi_bytes *out, const char **why);

#endif
