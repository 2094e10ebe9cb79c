/* atlas_pages.h - a picture of an atlas as a page. */
#ifndef BSPI_ATLAS_PAGES_H
#define BSPI_ATLAS_PAGES_H

#include "base/ctx.h"

/* What a page is to be. */
typedef struct bspi_page_wanted {
	uint32_t width, height;
	bspscene_lightmap_page_format format;
	bool directions;
} bspi_page_wanted;

/* A page to be read. */
typedef struct bspi_page_read {
	const char *name;                  /* of its picture */
	bspi_page_wanted wanted;
	bspscene_lightmap_page *out;
} bspi_page_read;

/* Reads the pictures that the options' open_file finds by these names; their pixels live in the result arena. Files are
 * opened by the calling thread, some at a time, and decoded in the threads that the caller allows. */
bool bspi_read_atlas_pages(bspi_ctx *ctx, const bspi_page_read *reads, uint32_t count);

#endif
