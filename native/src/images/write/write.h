/* write.h - the encoders that bspscene_write_picture and bspscene_write_lightmap_page use, with memory from a heap.
 * In all functions, `pixels` may be NULL for a black picture, and `error` may be NULL. */
#ifndef BSPI_IMAGES_WRITE_H
#define BSPI_IMAGES_WRITE_H

#include "base/ctx.h"

#include <bspscene/image.h>
#include <bspscene/writer.h>

/* Copies the caller's options to the current struct. `given` may be NULL. If its struct_size is invalid, sets `error`
 * and returns false. images/write/image_files.c */
bool bspi_read_write_options(const bspscene_write_options *given, bspscene_write_options *out, bspscene_error *error);

/* How to encode a PNG. `light`: the pixels are luxels, for which other filters are better than for textures.
 * `may_shrink`: pixels may be written as gray or with a palette if that is smaller. Viewers read such files, but some
 * editors do not expect them. */
typedef struct bspi_png_kind {
	bspscene_compression compression;
	bool light, may_shrink;
	uint32_t channel_bits;             /* 8, or 16 in the machine's byte order; 0 means 8 */
	const bspscene_picture_text *texts;
	uint32_t text_count;
	bspscene_progress_fn *progress;    /* called after each row; NULL: none */
	void *progress_user;
} bspi_png_kind;

/* Encodes pixels with 1, 3 or 4 channels. Writes each part as soon as it is compressed. images/write/png_write.c */
bool bspi_write_png(const bspi_heap *heap, const bspi_png_kind *kind, uint32_t width, uint32_t height,
                    uint32_t channels, const void *pixels, bspscene_write_fn *write, void *user, bspscene_error *error);
/* Returns the most memory that bspi_write_png takes from the heap. */
uint64_t bspi_png_work_size(uint32_t width, uint32_t channels);
/* Encodes 8-bit RGB as JPEG with quality 1..100, without chroma subsampling. images/write/jpeg_write.c */
bool bspi_write_jpeg(const bspi_heap *heap, uint32_t width, uint32_t height, const uint8_t *pixels, int quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* Returns the most memory that bspi_write_jpeg takes from the heap. */
uint64_t bspi_jpeg_work_size(uint32_t width, uint32_t height);
/* Encodes half-float RGB pixels as EXR with PIZ compression. images/write/exr_write.c */
bool bspi_write_exr(const bspi_heap *heap, uint32_t width, uint32_t height, const uint16_t *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error);
/* True if this build has OpenEXR. */
bool bspi_can_write_exr(void);

/* A picture to encode: as TGA or BMP with 3 or 4 channels of 8 bits, or as HDR with 3 half floats. */
typedef struct bspi_stb_picture {
	bspscene_picture_format format;
	uint32_t width, height, channels;
	const void *pixels;
	bspscene_progress_fn *progress;    /* called after each portion; NULL: none */
	void *progress_user;
} bspi_stb_picture;

/* Encodes TGA, BMP or HDR. images/write/stb_write.c */
bool bspi_write_by_stb(const bspi_heap *heap, const bspi_stb_picture *picture, bspscene_write_fn *write, void *user,
                       bspscene_error *error);
/* Returns the most memory that bspi_write_by_stb takes from the heap. */
uint64_t bspi_stb_work_size(const bspi_stb_picture *picture);

/* How to encode lightmap pages. `bytes` is the format of 8-bit pages, and `floats` that of HDR pages. Both may be
 * DEFAULT. */
typedef struct bspi_page_kind {
	bspscene_compression compression;
	bspscene_picture_format bytes, floats;
	bspscene_progress_fn *progress;    /* called after each portion, except for EXR; NULL: none */
	void *progress_user;
} bspi_page_kind;

/* Checks that pages can be written in these formats. If not, sets the error and returns false.
 * images/write/page_write.c */
bool bspi_check_page_kind(const bspi_page_kind *kind, bspscene_error *error);
bspscene_picture_format bspi_page_format(const bspscene_lightmap_page *page, const bspi_page_kind *kind);
const char *bspi_picture_extension(bspscene_picture_format format); /* such as "png"; the string is static */
bool bspi_write_page(const bspi_heap *heap, const bspscene_lightmap_page *page, const bspi_page_kind *kind,
                     bspscene_write_fn *write, void *user, bspscene_error *error);
/* Returns the most memory that bspi_write_page takes from the heap. */
uint64_t bspi_page_work_size(const bspscene_lightmap_page *page, const bspi_page_kind *kind);

/* How to encode a WebP. `quality` is 0 to 100. Above 100, the encoding is lossless. */
typedef struct bspi_webp_kind {
	float quality;
	bspscene_progress_fn *progress;    /* called after each portion; NULL: none */
	void *progress_user;
} bspi_webp_kind;

/* Encodes WebP. images/write/webp_write.c */
bool bspi_write_webp(const bspi_webp_kind *kind, uint32_t width, uint32_t height, uint32_t channels,
                     const uint8_t *pixels, bspscene_write_fn *write, void *user, bspscene_error *error);
/* True if this build has libwebp and a WebP can have this size. */
bool bspi_can_write_webp(uint32_t width, uint32_t height);

#endif
