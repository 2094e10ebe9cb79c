/* image.h - pixels of a scene's images and lightmap pages, and the pictures they are stored as. */
#ifndef BSPSCENE_IMAGE_H
#define BSPSCENE_IMAGE_H

#include <bspscene/lighting.h>
#include <bspscene/material.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decoded pixels: RGBA, 8 bits, top row first. Free with bspscene_pixels_free. */
typedef struct bspscene_pixels {
	uint32_t width, height;
	uint8_t *data;
} bspscene_pixels;

/* Decodes an image of a scene; MISSING gives its stand-in. At most 8192 x 8192. `error` may be NULL. */
BSPSCENE_API bool bspscene_image_decode(const bspscene_image *image, bspscene_pixels *out, bspscene_error *error);
/* The same, but of images that are stored in several sizes (VTF) the largest one that is no wider and no higher than
 * `side`, or the smallest. */
BSPSCENE_API bool bspscene_image_decode_small(const bspscene_image *image, uint32_t side, bspscene_pixels *out,
                                              bspscene_error *error);
/* Bytes that bspscene_image_decode_small takes at its height, the pixels included; 0 when it would fail. A file of few
 * KB may ask for a gigabyte. */
BSPSCENE_API uint64_t bspscene_image_decode_size(const bspscene_image *image, uint32_t side);
BSPSCENE_API void bspscene_pixels_free(bspscene_pixels *pixels); /* also of zeroed or freed ones */

/* How hard what is written is compressed: PNG, and the arrays of FBX. Pixels and numbers are the same. */
typedef enum bspscene_compression {
	BSPSCENE_COMPRESSION_DEFAULT,      /* as small as costs no more than making it */
	BSPSCENE_COMPRESSION_FAST,
	BSPSCENE_COMPRESSION_SMALL,        /* a tenth smaller, some ten times slower: for what is kept or sent */
	BSPSCENE_COMPRESSION_FORCE_32BIT = 0x7fffffff
} bspscene_compression;

/* Receives bytes in order; returns false to stop with BSPSCENE_ERROR_IO. */
typedef bool bspscene_write_fn(void *user, const void *data, size_t size);

/* PNG of RGB (channels 3) or RGBA (4) rows, 8 bits, top first, tightly packed: for hosts that store pictures they
 * decoded or drew themselves (bspscene_image_decode, bspscene_render) as the writers store theirs. */
BSPSCENE_API bool bspscene_write_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* JPEG of RGB rows, quality 1..100, for pictures of skies and the like: the same bytes wherever TurboJPEG is the
 * same. */
BSPSCENE_API bool bspscene_write_jpeg(uint32_t width, uint32_t height, const uint8_t *rgb, uint32_t quality,
                                      bspscene_write_fn *write, void *user, bspscene_error *error);
/* PNG of an 8-bit page (RGBA for RAW32), EXR (half, PIZ) of an HDR page. A page without data is written black. What its
 * numbers mean was decided when the map was loaded (bspscene_lightmap_encoding). */
BSPSCENE_API bool bspscene_write_lightmap_page(const bspscene_lightmap_page *page, bspscene_write_fn *write, void *user,
                                      bspscene_error *error);
/* The same into a file, whole or not at all. `path` is UTF-8; its ending is the caller's. */
BSPSCENE_API bool bspscene_write_lightmap_page_file(const bspscene_lightmap_page *page, const char *path, bspscene_error *error);
/* The numbers of an HDR page, BSPSCENE_LIGHTMAP_PAGE_RGB16F: 3 * width * height halves to as many floats. */
BSPSCENE_API void bspscene_halves_to_floats(const void *halves, size_t count, float *out);
BSPSCENE_API const char *bspscene_lightmap_page_extension(const bspscene_lightmap_page *page); /* "png" or "exr" */

#ifdef __cplusplus
}
#endif
#endif
