/* page_luxels.c - reads rectangles of lightmap pages, whole or sparse. */
#include <assert.h>
#include <string.h>

#include "base/page_luxels.h"

static void read_sparse_row(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint32_t width, uint8_t *out)
{
	const size_t size = bspi_luxel_bytes(page->format);
	for (uint32_t end = x + width, count; x < end; x += count, out += count * size) {
		count = BSPSCENE_LIGHTMAP_BLOCK - x % BSPSCENE_LIGHTMAP_BLOCK;
		if (count > end - x) count = end - x;
		const uint8_t *stored = bspi_block_luxel(page->blocks, x, y);
		if (stored) bspi_expand_luxels(page->blocks, stored, count, size, out);
		else memset(out, 0, count * size);
	}
}

void bspscene_lightmap_page_read(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint32_t width,
                                 uint32_t height, void *out)
{
	assert(page && width <= page->width && x <= page->width - width);
	assert(height <= page->height && y <= page->height - height && (out || !width || !height));
	const size_t size = bspi_luxel_bytes(page->format), row_size = width * size;
	uint8_t *row = out;
	for (uint32_t end = y + height; y < end && width; y++, row += row_size) {
		if (page->data) {
			memcpy(row, (const uint8_t *)page->data + ((size_t)y * page->width + x) * size, row_size);
		} else if (page->blocks) {
			read_sparse_row(page, x, y, width, row);
		} else {
			memset(row, 0, row_size);
		}
	}
}
