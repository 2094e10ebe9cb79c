/* page_luxels.h - reads luxels of lightmap pages, whole or sparse. */
#ifndef BSPI_PAGE_LUXELS_H
#define BSPI_PAGE_LUXELS_H

#include <bspscene/lighting.h>

#include <string.h>

#define BSPI_LARGEST_LUXEL 6u          /* bytes */

static inline bool bspi_page_has_light(const bspscene_lightmap_page *page)
{
	return page->data || page->blocks;
}
static inline bool bspi_page_is_sparse(const bspscene_lightmap_page *page)
{
	return !page->data && page->blocks;
}

/* Returns the bytes per luxel of a page that is not sparse. */
static inline size_t bspi_luxel_bytes(bspscene_lightmap_page_format format)
{
	if (format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) return BSPI_LARGEST_LUXEL;
	return format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4 : 3;
}
static inline size_t bspi_page_bytes(const bspscene_lightmap_page *page)
{
	return (size_t)page->width * page->height * bspi_luxel_bytes(page->format);
}
static inline uint32_t bspi_blocks_along(uint32_t luxels)
{
	return (luxels + BSPSCENE_LIGHTMAP_BLOCK - 1) / BSPSCENE_LIGHTMAP_BLOCK;
}

/* Returns the stored luxel at a position. The luxels to its right in the same block follow it. NULL: the block is
 * black. */
static inline const uint8_t *bspi_block_luxel(const bspscene_lightmap_blocks *blocks, uint32_t x, uint32_t y)
{
	const uint32_t side = BSPSCENE_LIGHTMAP_BLOCK;
	uint32_t block = blocks->indices[(size_t)(y / side) * blocks->columns + x / side];
	if (block == BSPSCENE_NO_INDEX) return NULL;
	size_t luxel = ((size_t)block * side + y % side) * side + x % side;
	return blocks->luxels + luxel * blocks->luxel_size;
}

/* Returns a luxel of a sparse page in the page's format. If the luxel is stored as one byte, expands it into `gray` and
 * returns `gray`. */
static inline const void *bspi_sparse_luxel(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint8_t gray[3])
{
	static const uint16_t black[BSPI_LARGEST_LUXEL / sizeof(uint16_t)];
	const uint8_t *stored = bspi_block_luxel(page->blocks, x, y);
	if (!stored) return black;
	if (page->blocks->luxel_size != 1) return stored;
	gray[0] = gray[1] = gray[2] = *stored;
	return gray;
}

/* Returns a luxel of a page that has light. For a sparse page, does what bspi_sparse_luxel does. */
static inline const void *bspi_luxel_at(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint8_t gray[3])
{
	if (!page->data) return bspi_sparse_luxel(page, x, y, gray);
	return (const uint8_t *)page->data + ((size_t)y * page->width + x) * bspi_luxel_bytes(page->format);
}

/* Copies `count` luxels that are next to each other in a row of a block. If luxels are stored as one byte, expands each
 * to `size` equal bytes. */
static inline void bspi_expand_luxels(const bspscene_lightmap_blocks *blocks, const uint8_t *stored, uint32_t count,
                                      size_t size, uint8_t *out)
{
	if (blocks->luxel_size == size) {
		memcpy(out, stored, count * size);
		return;
	}
	for (uint32_t i = 0; i < count; i++, out += size) memset(out, stored[i], size);
}

#endif
