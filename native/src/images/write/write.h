/* write.h - the encoders of bspscene_write_picture and bspscene_write_lightmap_page, with memory from a heap. `pixels`
 * may be NULL for a black picture. `error` may be NULL. */
#ifndef BSPI_IMAGES_WRITE_H
#define BSPI_IMAGES_WRITE_H

#include "base/ctx.h"

#include <bspscene/image.h>
#include <bspscene/writer.h>

/* Copies the options to the current struct; `given` may be NULL. False, with `error` set, for an invalid struct_size.
 * images/write/image_files.c */
bool bspi_read_write_options(const bspscene_write_options *given, bspscene_write_options *out, bspscene_error *error);

/* How to encode a PNG. `light`: the pixels are luxels, for which other filters are better than for textures.
 * `may_shrink`: write gray or a palette if that is smaller, which viewers read but some editors do not expect. */
typedef struct bspi_png_kind {
	bspscene_compression compression;
	bool light, may_shrink;
	uint32_t channel_bits;             /* 8 or 16, in the machine's byte order; 0: 8 */
	const bspscene_picture_text *texts;
	uint32_t text_count;
	bspscene_progress_fn *progress;    /* called after each row; NULL: none */
	void *progress_user;
} bspi_png_kind;

/* Encodes 1, 3 or 4 channels, and writes while rows are compressed. images/write/png_write.c */
bool bspi_write_png(const bspi_heap *heap, const bspi_png_kind *kind, uint32_t width, uint32_t height,
                    uint32_t channels, const void *pixels, bspscene_write_fn *write, void *user, bspscene_error *error);
/* Returns the most memory that it takes from the heap. */
uint64_t bspi_png_work_size(uint32_t width, uint32_t channels);
/* Encodes 8-bit RGB with quality 1..100, without chroma subsampling. images/write/jpeg_write.c */
bool bspi_write_jpeg(const bspi_heap *heap, uint32_t width, uint32_t height, const uint8_t *pixels, int quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* Returns the most memory that it takes from the heap. */
uint64_t bspi_jpeg_work_size(uint32_t width, uint32_t height);
/* Encodes interleaved half-float RGB with PIZ. images/write/exr_write.c */
bool bspi_write_exr(const bspi_heap *heap, uint32_t width, uint32_t height, const uint16_t *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error);
/* True if the build has OpenEXR. */
bool bspi_can_write_exr(void);

/* A picture to encode as TGA or BMP (3 or 4 channels of 8 bits) or as HDR (3 half floats). */
typedef struct bspi_stb_picture {
	bspscene_picture_format format;
	uint32_t width, height, channels;
	const void *pixels;
	bspscene_progress_fn *progress;    /* after each portion; NULL: none */
	void *progress_user;
} bspi_stb_picture;

/* Encodes TGA, BMP or HDR. images/write/stb_write.c */
bool bspi_write_by_stb(const bspi_heap *heap, const bspi_stb_picture *picture, bspscene_write_fn *write, void *user,
                       bspscene_error *error);
/* Returns the most memory that it takes from the heap. */
uint64_t bspi_stb_work_size(const bspi_stb_picture *picture);

/* How to encode lightmap pages: the formats of 8-bit pages and of HDR pages (DEFAULT is allowed). */
typedef struct bspi_page_kind {
	bspscene_compression compression;
	bspscene_picture_format bytes, floats;
	bspscene_progress_fn *progress;    /* called after each portion, except for EXR; NULL: none */
	void *progress_user;
} bspi_page_kind;

/* Checks that pages can be written in these formats. False with the error set if not. images/write/page_write.c */
bool bspi_check_page_kind(const bspi_page_kind *kind, bspscene_error *error);
bspscene_picture_format bspi_page_format(const bspscene_lightmap_page *page, const bspi_page_kind *kind);
const char *bspi_picture_extension(bspscene_picture_format format); /* "png"; static */
bool bspi_write_page(const bspi_heap *heap, const bspscene_lightmap_page *page, const bspi_page_kind *kind,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* Returns the most memory that it takes from the heap. */
uint64_t bspi_page_work_size(const bspscene_lightmap_page *page, const bspi_page_kind *kind);

/* How to encode a WebP. `quality` is 0 to 100; above 100, the encoding is lossless. */
typedef struct bspi_webp_kind {
	float quality;
	bspscene_progress_fn *progress;    /* after each portion; NULL: none */
	void *progress_user;
} bspi_webp_kind;

/* Encodes WebP. images/write/webp_write.c */
bool bspi_write_webp(const bspi_webp_kind *kind, uint32_t width, uint32_t height, uint32_t channels,
                     const uint8_t *pixels, bspscene_write_fn *write, void *user, bspscene_error *error);
/* True if the build has libwebp and WebP can have this size. */
bool bspi_can_write_webp(uint32_t width, uint32_t height);

#endif
