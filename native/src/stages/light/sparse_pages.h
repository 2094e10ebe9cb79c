/* sparse_pages.h - stores pages of further lightmap sets as blocks, see bspscene_lightmap_blocks. */
#ifndef BSPI_SPARSE_PAGES_H
#define BSPI_SPARSE_PAGES_H

#include "stages/light/light.h"

/* The blocks of one page that tiles use, before their memory is allocated. */
typedef struct bspi_block_plan {
	uint32_t *indices;                 /* bspscene_lightmap_blocks.indices, in the stage arena; NULL: no tile has blocks
	                                    * on this page */
	uint32_t count;
	bool colored;                      /* some tile's luxels are stored with more than one byte each */
} bspi_block_plan;

/* Marks the blocks that a tile and the gutter around it cover. */
bool bspi_mark_blocks(bspi_ctx *ctx, bspi_block_plan *plan, const bspscene_lightmap_page *page, const bspi_tile *tile,
                      const bspi_luxel_source *source);
/* Stores the page as blocks if they take at most half of the memory of a whole page. */
bool bspi_make_blocks(bspi_ctx *ctx, const bspi_block_plan *plan, bspscene_lightmap_page *page);
/* Writes a tile and repeats its border luxels in the gutter. The blocks that it covers must be marked. Tiles may be
 * written by several threads, because they share no bytes. */
void bspi_write_blocks(const bspi_tile *tile, const bspi_luxel_source *source, uint32_t gutter,
                       const bspscene_lightmap_blocks *blocks);

#endif
