/* tth.h - joins textures of Vampire: The Masquerade - Bloodlines: a VTF in two parts, the second one deflated. */
#ifndef BSPI_TTH_H
#define BSPI_TTH_H

#include "base/ctx.h"

/* Joins the bytes of the .tth (`head`) and of the .ttz (`rest`, may be empty) to a VTF in the result arena. Returns
 * false if *why says what is wrong or ctx->error is set. */
bool bspi_join_tth(bspi_ctx *ctx, bspi_bytes head, bspi_bytes rest, bspi_bytes *out, const char **why);

#endif
