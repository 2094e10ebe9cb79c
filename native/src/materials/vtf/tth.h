/* tth.h - textures of Vampire: The Masquerade - Bloodlines: a VTF in two parts, of which the second is deflated. */
#ifndef BSPI_TTH_H
#define BSPI_TTH_H

#include "base/ctx.h"

/* The VTF file that `head` (.tth) and `rest` (.ttz, empty where there is none) were made of, in the result arena.
 * False: *why says what does not fit, or ctx->error is set. */
bool bspi_join_tth(bspi_ctx *ctx, bspi_bytes head, bspi_bytes rest, bspi_bytes *out, const char **why);

#endif
