/* sparse_pages.c - stores pages of all lightmap sets but the first as blocks. Few tiles have switchable light or
 * directions of their own, so such pages are mostly black. */
#include "stages/light/sparse_pages.h"

#include <string.h>

#include "base/page_luxels.h"

enum { SIDE = BSPSCENE_LIGHTMAP_BLOCK, BLOCK_LUXELS = SIDE * SIDE };

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high)
{
	return value < low ? low : value > high ? high : value;
}

bool bspi_mark_blocks(bspi_ctx *ctx, bspi_block_plan *plan, const bspscene_lightmap_page *page, const bspi_tile *tile,
                      const bspi_luxel_source *source)
{
	const uint32_t gutter = ctx->options.lightmap_gutter, columns = bspi_blocks_along(page->width);
	if (!plan->indices) {
		const size_t count = (size_t)columns * bspi_blocks_along(page->height);
		plan->indices = bspi_push_unset(ctx, &ctx->stage, count, sizeof *plan->indices);
		BSPI_TRY(plan->indices);
		memset(plan->indices, 0xff, count * sizeof *plan->indices); /* BSPSCENE_NO_INDEX, whose bytes are all 0xff */
	}
	const uint32_t first = (tile->x - gutter) / SIDE, last = (tile->x + tile->box.width + gutter - 1) / SIDE;
	const uint32_t top = (tile->y - gutter) / SIDE, bottom = (tile->y + tile->box.height + gutter - 1) / SIDE;
	for (uint32_t y = top; y <= bottom; y++) {
		for (uint32_t x = first; x <= last; x++) {
			uint32_t *index = &plan->indices[(size_t)y * columns + x];
			if (*index == BSPSCENE_NO_INDEX) *index = plan->count++;
		}
	}
	plan->colored = plan->colored || source->encoder->in_size != 1;
	return true;
}

bool bspi_make_blocks(bspi_ctx *ctx, const bspi_block_plan *plan, bspscene_lightmap_page *page)
{
	if (!plan->indices) return true;
	const bool gray = !plan->colored && page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8;
	const size_t luxel_size = gray ? 1 : bspi_luxel_bytes(page->format);
	const uint32_t columns = bspi_blocks_along(page->width), rows = bspi_blocks_along(page->height);
	const size_t index_count = (size_t)columns * rows;
	const uint64_t size = (uint64_t)plan->count * BLOCK_LUXELS * luxel_size + index_count * sizeof *plan->indices +
	                      sizeof(bspscene_lightmap_blocks);
	if (2 * size > bspi_page_bytes(page)) return true;
	bspscene_lightmap_blocks *blocks = bspi_push(ctx, &ctx->result, bspscene_lightmap_blocks, 1);
	uint32_t *indices = bspi_push_unset(ctx, &ctx->result, index_count, sizeof *indices);
	uint8_t *luxels = bspi_push_zeroed(ctx, &ctx->result, (size_t)plan->count * BLOCK_LUXELS, luxel_size);
	BSPI_TRY(blocks && indices && luxels);
	memcpy(indices, plan->indices, index_count * sizeof *indices);
	*blocks = (bspscene_lightmap_blocks){
		.columns = columns, .rows = rows, .block_count = plan->count, .luxel_size = (uint32_t)luxel_size,
		.indices = indices, .luxels = luxels,
	};
	page->blocks = blocks;
	return true;
}

/* Copies luxels. The compiler inlines this with constant sizes for speed, because most luxels have one byte or
 * three. */
static inline void copy_luxels(uint8_t *out, const uint8_t *luxels, size_t step, size_t size, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) memcpy(out + i * size, luxels + i * step, size);
}

static void store_luxels(uint8_t *out, size_t size, const uint8_t *luxels, size_t step, uint32_t count)
{
	if (size == 1) copy_luxels(out, luxels, step, 1, count);
	else if (size == 3) copy_luxels(out, luxels, step, 3, count);
	else copy_luxels(out, luxels, step, size, count);
}

/* Writes the luxels of one row of a tile that are in one block. Outside of the tile, its border luxels are repeated. */
static void write_part(const bspi_tile *tile, const bspi_luxel_source *source, const uint8_t *row, uint32_t x,
                       uint32_t count, size_t size, uint8_t *out)
{
	uint8_t encoded[(SIDE + 2) * BSPI_LARGEST_LUXEL];
	const bspi_light_encoder *encoder = source->encoder;
	const uint32_t left = tile->x, right = tile->x + tile->box.width - 1;
	const uint32_t first = source->solid ? left : clamp(x, left, right);
	const uint32_t last = source->solid ? left : clamp(x + count - 1, left, right);
	const uint32_t before = x < first ? (first - x < count ? first - x : count) : 0;
	const uint32_t inside = x + before + last - first + 1 <= x + count ? last - first + 1 : 0;
	const uint8_t *end = encoded + (size_t)(last - first) * encoder->out_size;
	encoder->row(encoder, row + (size_t)(first - left) * encoder->in_size, last - first + 1, encoded);
	store_luxels(out, size, encoded, 0, before);
	store_luxels(out + before * size, size, encoded, encoder->out_size, inside);
	store_luxels(out + (before + inside) * size, size, end, 0, count - before - inside);
}

void bspi_write_blocks(const bspi_tile *tile, const bspi_luxel_source *source, uint32_t gutter,
                       const bspscene_lightmap_blocks *blocks)
{
	const uint32_t end_x = tile->x + tile->box.width + gutter, end_y = tile->y + tile->box.height + gutter;
	for (uint32_t y = tile->y - gutter; y < end_y; y++) {
		const uint32_t row = clamp(y, tile->y, tile->y + tile->box.height - 1) - tile->y;
		const uint8_t *luxels = source->luxels + (source->solid ? 0 : row * source->stride);
		for (uint32_t x = tile->x - gutter, count; x < end_x; x += count) {
			count = SIDE - x % SIDE < end_x - x ? SIDE - x % SIDE : end_x - x;
			uint8_t *out = (uint8_t *)(uintptr_t)bspi_block_luxel(blocks, x, y);
			write_part(tile, source, luxels, x, count, blocks->luxel_size, out);
		}
	}
}
