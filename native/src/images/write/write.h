/* write.h - the encoders behind bspscene_write_lightmap_page, with the memory of a heap. `pixels` may be NULL: all
 * black. `error` may be NULL. */
#ifndef BSPI_IMAGES_WRITE_H
#define BSPI_IMAGES_WRITE_H

#include "base/ctx.h"

#include <bspscene/image.h>

/* `light`: luxels, which want other filters than textures. `may_shrink`: to a palette or gray, for who shows the
 * picture and does not edit it. */
typedef struct bspi_png_kind {
	bspscene_compression compression;
	bool light, may_shrink;
} bspi_png_kind;

/* 8 bits per channel; channels is 3 or 4. images/write/png_write.c */
bool bspi_write_png(const bspi_heap *heap, const bspi_png_kind *kind, uint32_t width, uint32_t height,
                    uint32_t channels, const void *pixels, bspscene_write_fn *write, void *user, bspscene_error *error);
/* What that takes of the heap at most. */
uint64_t bspi_png_work_size(uint32_t width, uint32_t height, uint32_t channels);
/* RGB of 8 bits, quality 1..100, no color coarser than the rest. images/jpeg_write.c */
bool bspi_write_jpeg(const bspi_heap *heap, uint32_t width, uint32_t height, const uint8_t *pixels, int quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* What that takes of the heap at most. */
uint64_t bspi_jpeg_work_size(uint32_t width, uint32_t height);
/* Half floats, RGB interleaved, PIZ. images/exr_write.c */
bool bspi_write_exr(const bspi_heap *heap, uint32_t width, uint32_t height, const uint16_t *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error);
/* What bspscene_write_lightmap_page writes. images/page_write.c */
bool bspi_write_page(const bspi_heap *heap, const bspscene_lightmap_page *page, bspscene_compression compression,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* WebP, which keeps every pixel when quality (0..100) is beyond 100. images/webp_write.c */
bool bspi_write_webp(uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels, float quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* False for sizes that WebP does not have, and always when the build lacks libwebp. */
bool bspi_can_write_webp(uint32_t width, uint32_t height);

#endif
