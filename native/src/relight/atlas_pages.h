/* atlas_pages.h - a picture of an atlas as a page. */
#ifndef BSPI_ATLAS_PAGES_H
#define BSPI_ATLAS_PAGES_H

#include "base/ctx.h"

/* What a page is to be. */
typedef struct bspi_page_wanted {
	uint32_t width, height;
	bspscene_page_format format;
	bool directions;
} bspi_page_wanted;

/* Reads the picture that the options' open_file finds by this name; its pixels live in the result arena. */
bool bspi_read_atlas_page(bspi_ctx *ctx, const char *name, const bspi_page_wanted *wanted, bspscene_page *out);

#endif
