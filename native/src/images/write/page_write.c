/* page_write.c - atlas pages and plain pixels to files: which format, and what of it is public. */
#include "images/write/write.h"

#include <assert.h>
#include <string.h>

bool bspscene_write_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                        bspscene_write_fn *write, void *user, bspscene_error *error)
{
	assert(width && height && (channels == 3 || channels == 4) && pixels && write);
	if (error) *error = (bspscene_error){ .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	return bspi_write_png(&bspi_system_heap, &(bspi_png_kind){ .light = false }, width, height, channels, pixels, write,
	                      user, error);
}

bool bspscene_write_jpeg(uint32_t width, uint32_t height, const uint8_t *rgb, uint32_t quality,
                         bspscene_write_fn *write, void *user, bspscene_error *error)
{
	assert(width && height && rgb && quality >= 1 && quality <= 100 && write);
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	return bspi_write_jpeg(&bspi_system_heap, width, height, rgb, (int)quality, write, user, error);
}

bool bspscene_write_lightmap_page(const bspscene_lightmap_page *page, bspscene_write_fn *write, void *user,
                                  bspscene_error *error)
{
	return bspi_write_page(&bspi_system_heap, page, BSPSCENE_COMPRESSION_DEFAULT, write, user, error);
}

bool bspi_write_page(const bspi_heap *heap, const bspscene_lightmap_page *page, bspscene_compression compression,
                     bspscene_write_fn *write, void *user, bspscene_error *error)
{
	assert(page && page->width && page->height && write);
	if (error) *error = (bspscene_error){ .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
		return bspi_write_exr(heap, page->width, page->height, page->data, write, user, error);
	}
	uint32_t channels = page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4 : 3;
	const bspi_png_kind kind = { .compression = compression, .light = true };
	return bspi_write_png(heap, &kind, page->width, page->height, channels, page->data, write, user, error);
}

const char *bspscene_lightmap_page_extension(const bspscene_lightmap_page *page)
{
	assert(page);
	return page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F ? "exr" : "png";
}
