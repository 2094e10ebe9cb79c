/* atlas_pages.h - decodes pictures of an atlas to pages. */
#ifndef BSPI_ATLAS_PAGES_H
#define BSPI_ATLAS_PAGES_H

#include "base/ctx.h"

/* Size and format that a page must have. */
typedef struct bspi_page_wanted {
	uint32_t width, height;
	bspscene_lightmap_page_format format;
	bool directions;
} bspi_page_wanted;

/* A page to be decoded from a picture. */
typedef struct bspi_page_read {
	const char *name;                  /* file name of the picture */
	bspi_page_wanted wanted;
	bspscene_lightmap_page *out;
} bspi_page_read;

/* Decodes the pictures, which open_file of the options opens by name. Pixels live in the result arena. The calling
 * thread opens the files in batches; up to as many threads as the caller allows decode them. */
bool bspi_read_atlas_pages(bspi_ctx *ctx, const bspi_page_read *reads, uint32_t count);

#endif
