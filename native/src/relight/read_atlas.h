/* read_atlas.h - reads the text of atlas.json. */
#ifndef BSPI_READ_ATLAS_H
#define BSPI_READ_ATLAS_H

#include <bspscene/relight.h>

#include "base/ctx.h"

/* Reads the text and the pictures that it names into the result arena. */
bool bspi_read_atlas_text(bspi_ctx *ctx, bspi_bytes text, bspscene_edited_light *light);

#endif
