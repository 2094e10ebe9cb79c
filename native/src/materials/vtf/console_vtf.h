/* console_vtf.h - converts Source textures of Xbox 360 and PS3 (VTFX and VTF3) to VTF of the PC. */
#ifndef BSPI_CONSOLE_VTF_H
#define BSPI_CONSOLE_VTF_H

#include "base/ctx.h"

/* True if the first bytes are those of a console's VTF. */
bool bspi_is_console_vtf(bspi_bytes file);
/* Converts a console's VTF to VTF 7.2, in the result arena. If it fails, *why says what is wrong. *why is NULL if that
 * was already reported, or ctx->error is set. */
bool bspi_turn_console_vtf(bspi_ctx *ctx, bspi_bytes file, bspi_bytes *out, const char **why);

#endif
