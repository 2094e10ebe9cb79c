/* web_picture.h - encodes images and lightmap pages as PNG or JPEG, which all readers understand. If the options say
 * so, it encodes them as WebP instead. */
#ifndef BSPI_WEB_PICTURE_H
#define BSPI_WEB_PICTURE_H

#include <bspscene/scene.h>

#include "writers/writer_buffer.h"

/* How the colors of a picture are converted. Colors must be converted because formats can only blend by alpha
 * ("source over destination"). */
typedef enum bspi_picture_use {
	BSPI_PICTURE_PLAIN,
	BSPI_PICTURE_ADD,                  /* the game adds the picture; the converted one has the brightest channel as
	                                    * alpha, and gives the exact result over a black background */
	BSPI_PICTURE_ADD_BY_ALPHA,         /* like ADD, but first the picture is multiplied by its alpha */
	BSPI_PICTURE_MODULATE,             /* the game multiplies by the picture; the converted one has 1 minus the darkest
	                                    * channel as alpha, and gives the exact result over a white background */
	BSPI_PICTURE_MODULATE_TWICE, /* like MODULATE, but first the picture is doubled, up to 1 */
	BSPI_PICTURE_FADED_MODULATE,       /* like MODULATE, but first the picture is mixed with white by its alpha */
	BSPI_PICTURE_FADED_MODULATE_TWICE,
	BSPI_PICTURE_TURNED_NORMALS, /* green is inverted, so that it points up; alpha is dropped, because it only masks
	                              * reflections */
	BSPI_PICTURE_OPAQUE, /* the alpha channel is dropped, because some readers cut out texels with alpha 0, or show them
	                      * black */
	BSPI_PICTURE_USE_COUNT
} bspi_picture_use;

/* Pictures with at most this many pixels are encoded with and without loss, and the smaller result is kept. */
#define BSPI_LARGEST_TRIED_TWICE (256u * 256u)

typedef struct bspi_picture {
	const void *data; size_t size;
	const char *mime, *extension;      /* static strings such as "image/png" and ".png" */
	bool transparent;                  /* true: some pixels may be transparent */
	bspi_buffer owned;                 /* the buffer that has the bytes; empty if they belong to the scene */
} bspi_picture;

/* bspi_base_picture_use returns how the base texture of a material and the textures that are blended over it are
 * converted. bspi_normal_picture_use returns how its normal map is converted. */
bspi_picture_use bspi_base_picture_use(const bspscene_material *material);
bspi_picture_use bspi_normal_picture_use(const bspscene_material *material);
/* Returns `use`, or PLAIN if the conversion changes nothing in this image, so that equal pictures are shared. */
bspi_picture_use bspi_picture_use_of(const bspscene_image *image, bspi_picture_use use);

/* Makes the picture of an image. If the image's bytes are PNG or JPEG that any viewer reads, they are used unchanged.
 * Otherwise the image is decoded, then encoded as PNG or as the options say. An image that cannot be decoded becomes
 * its fallback color, or flat normals. Display values are multiplied by `gains` and clamped to white; NULL leaves them
 * unchanged. */
bool bspi_picture_of_image(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use,
                           const float gains[3], bspi_picture *out);
/* Does the same as bspi_picture_of_image, for a task of a job. Failures go to *error, which must be zeroed before. */
bool bspi_picture_make(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use, const float gains[3],
                       bspi_picture *out, bspscene_error *error);
/* Encodes a lightmap page as PNG in display space. HDR light is divided by *peak (linear, at least 1), so that it fits.
 * For other pages *peak is 1. */
bool bspi_picture_of_page(bspi_writer *writer, const bspscene_lightmap_page *page, bspi_picture *out, float *peak);
/* bspi_picture_make_page does the same as bspi_picture_of_page, for a task of a job. `peak` is the result of
 * bspi_peak_of_page. */
float bspi_peak_of_page(const bspscene_lightmap_page *page);
bool bspi_picture_make_page(bspi_writer *writer, const bspscene_lightmap_page *page, float peak, bspi_picture *out,
                            bspscene_error *error);
/* Encodes generated RGB pixels (3 bytes each) as JPEG. Only for pictures that may lose detail. */
bool bspi_picture_of_pixels(bspi_writer *writer, uint32_t width, uint32_t height, const uint8_t *rgb,
                            bspi_picture *out);
/* If the image's own bytes can be used unchanged, *out points to them. Otherwise returns false. */
bool bspi_picture_pass(const bspscene_image *image, bspi_picture_use use, bspi_picture *out);
/* True if the image's bytes can be used unchanged. */
bool bspi_picture_passes(const bspscene_image *image, bspi_picture_use use);
void bspi_picture_free(bspi_picture *picture);

/* True if a file can be used unchanged: it is complete, has one frame and plain sRGB colors, and needs no feature that
 * viewers lack. */
bool bspi_png_passes(bspi_bytes bytes);
bool bspi_jpeg_passes(bspi_bytes bytes);

/* Returns "<stem>_<words><extension>", allocated in the arena. Of `words`, only ASCII letters, digits and '-' are kept.
 * If the name is taken, `number` is added to it. */
const char *bspi_picture_file_name(bspi_writer *writer, bspi_names *names, const char *words, uint32_t number,
                                   const char *extension);

#endif
