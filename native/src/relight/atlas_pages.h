/* atlas_pages.h - decodes pictures of an atlas to pages. */
#ifndef BSPI_ATLAS_PAGES_H
#define BSPI_ATLAS_PAGES_H

#include "base/ctx.h"

/* The size and the format that a page must have. */
typedef struct bspi_page_wanted {
	uint32_t width, height;
	bspscene_lightmap_page_format format;
	bool directions;
} bspi_page_wanted;

/* A page, and the picture from which it is decoded. */
typedef struct bspi_page_read {
	const char *name;                  /* file name of the picture */
	bspi_page_wanted wanted;
	bspscene_lightmap_page *out;
} bspi_page_read;

/* Opens the pictures by name with the callback open_file of the load options, and decodes them. The pixels are in the
 * result arena. The calling thread opens the files in batches. As many threads as the caller allows decode them. */
bool bspi_read_atlas_pages(bspi_ctx *ctx, const bspi_page_read *reads, uint32_t count);

#endif
