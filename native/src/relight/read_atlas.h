/* read_atlas.h - the text of atlas.json as new light. */
#ifndef BSPI_READ_ATLAS_H
#define BSPI_READ_ATLAS_H

#include <bspscene/relight.h>

#include "base/ctx.h"

/* Also reads the pictures that it names; all of it lives in the result arena. */
bool bspi_read_atlas_text(bspi_ctx *ctx, bspi_bytes text, bspscene_edited_light *light);

#endif
