/* web_picture.h - encodes images and lightmap pages as PNG or JPEG, which every reader of the written files
 * understands. */
#ifndef BSPI_WEB_PICTURE_H
#define BSPI_WEB_PICTURE_H

#include <bspscene/material.h>

#include "writers/writer_buffer.h"

/* How to convert colors for formats that can only blend "source over destination". */
typedef enum bspi_picture_use {
	BSPI_PICTURE_PLAIN,
	BSPI_PICTURE_ADD,                  /* alpha from the brightest channel: exact over black */
	BSPI_PICTURE_ADD_BY_ALPHA,         /* the picture times its alpha; then as ADD */
	BSPI_PICTURE_MODULATE,             /* alpha from the darkest channel: exact over white */
	BSPI_PICTURE_MODULATE_TWICE, /* the doubled picture, at most 1; then as MODULATE */
	BSPI_PICTURE_FADED_MODULATE,       /* the picture mixed with white by its alpha; then as MODULATE */
	BSPI_PICTURE_FADED_MODULATE_TWICE,
	BSPI_PICTURE_TURNED_NORMALS, /* green inverted, so that it points up; alpha, which masks reflections, is dropped */
	BSPI_PICTURE_OPAQUE, /* no alpha channel: with one, some readers cut out texels or show black where it is 0 */
	BSPI_PICTURE_USE_COUNT
} bspi_picture_use;

/* Pictures up to this many pixels are compressed with and without loss, to keep the smaller one. */
#define BSPI_LARGEST_TRIED_TWICE (256u * 256u)

typedef struct bspi_picture {
	const void *data; size_t size;
	const char *mime, *extension;      /* static: "image/png", ".png" */
	bool transparent;                  /* may have transparent pixels */
	bspi_buffer owned;                 /* empty if data belongs to the scene */
} bspi_picture;

/* Return the conversion of a material's base texture (and those blended with it), and of its normal map. */
bspi_picture_use bspi_base_picture_use(const bspscene_material *material);
bspi_picture_use bspi_normal_picture_use(const bspscene_material *material);
/* Returns `use`, or PLAIN if that makes no difference for this image, so that equal pictures are shared. */
bspi_picture_use bspi_picture_use_of(const bspscene_image *image, bspi_picture_use use);

/* Returns an image's bytes: unchanged if they are PNG or JPEG that any viewer reads, else decoded and encoded as PNG or
 * as the options say. An image that cannot be decoded becomes its fallback color, or level normals. Display values are
 * multiplied by `gains` and clamped to white; NULL: unchanged. */
bool bspi_picture_of_image(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use,
                           const float gains[3], bspi_picture *out);
/* Like bspi_picture_of_image for a task of a job: failures are only stored in *error, which must be zeroed. */
bool bspi_picture_make(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use, const float gains[3],
                       bspi_picture *out, bspscene_error *error);
/* Encodes a lightmap page as PNG in display space. HDR light is divided by *peak (1 or more, linear) to fit; *peak is 1
 * for other pages. */
bool bspi_picture_of_page(bspi_writer *writer, const bspscene_lightmap_page *page, bspi_picture *out, float *peak);
/* make_page does the same for a task of a job, with the peak that peak_of_page returns. */
float bspi_peak_of_page(const bspscene_lightmap_page *page);
bool bspi_picture_make_page(bspi_writer *writer, const bspscene_lightmap_page *page, float peak, bspi_picture *out,
                            bspscene_error *error);
/* Encodes generated pixels of 3 bytes as JPEG: for looking at, not for computing. */
bool bspi_picture_of_pixels(bspi_writer *writer, uint32_t width, uint32_t height, const uint8_t *rgb,
                            bspi_picture *out);
/* Points *out at the image's bytes, if they can be used unchanged; returns false otherwise. */
bool bspi_picture_pass(const bspscene_image *image, bspi_picture_use use, bspi_picture *out);
/* True if the image's bytes can be used unchanged. */
bool bspi_picture_passes(const bspscene_image *image, bspi_picture_use use);
void bspi_picture_free(bspi_picture *picture);

/* True when the bytes can be handed on as they are: complete, one frame, plain sRGB, and no feature that viewers
 * lack. */
bool bspi_png_passes(bspi_bytes bytes);
bool bspi_jpeg_passes(bspi_bytes bytes);

/* Returns "<stem>_<words><extension>" in the arena. In `words` only ASCII letters, digits and '-' are kept; if the name
 * is taken, `number` is added. */
const char *bspi_picture_file_name(bspi_writer *writer, bspi_names *names, const char *words, uint32_t number,
                                   const char *extension);

#endif
