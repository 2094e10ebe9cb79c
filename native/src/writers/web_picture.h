/* web_picture.h - images and lightmap pages as the PNG or JPEG bytes that every reader of the written files
 * understands. */
#ifndef BSPI_WEB_PICTURE_H
#define BSPI_WEB_PICTURE_H

#include <bspscene/material.h>

#include "writers/writer_buffer.h"

/* How colors are kept when only "source over destination" is there to blend with. */
typedef enum bspi_picture_use {
	BSPI_PICTURE_PLAIN,
	BSPI_PICTURE_ADD,                  /* alpha from the brightest channel: exact over black */
	BSPI_PICTURE_ADD_BY_ALPHA,         /* the same of the picture times its alpha */
	BSPI_PICTURE_MODULATE,             /* alpha from the darkest channel: exact over white */
	BSPI_PICTURE_MODULATE_TWICE,       /* the same of the doubled picture: what would brighten changes nothing */
	BSPI_PICTURE_FADED_MODULATE,       /* both, the nearer to what changes nothing the less alpha there is */
	BSPI_PICTURE_FADED_MODULATE_TWICE,
	BSPI_PICTURE_TURNED_NORMALS,       /* green, which points down, pointing up; no alpha: it masks reflections */
	BSPI_PICTURE_OPAQUE,               /* without a channel of alpha: some readers cut out wherever there is one, or
	                                    * show black where it is 0 */
	BSPI_PICTURE_USE_COUNT
} bspi_picture_use;

/* Pictures that are compressed with and without loss, to take the smaller one: of so many pixels. */
#define BSPI_LARGEST_TRIED_TWICE (256u * 256u)

typedef struct bspi_picture {
	const void *data; size_t size;
	const char *mime, *extension;      /* static: "image/png", ".png" */
	bool transparent;                  /* may have pixels that are not opaque */
	bspi_buffer owned;                 /* empty when data belongs to the scene */
} bspi_picture;

/* How a material shows its base texture and those that are mixed with it, and its normal map. */
bspi_picture_use bspi_base_picture_use(const bspscene_material *material);
bspi_picture_use bspi_normal_picture_use(const bspscene_material *material);
/* The same, but plain where that makes no difference, so that equal pictures are one. */
bspi_picture_use bspi_picture_use_of(const bspscene_image *image, bspi_picture_use use);

/* An image's bytes: untouched when they are PNG or JPEG that any viewer reads, else decoded and written as PNG,
 * or as the options' packing says. One
 * that cannot be decoded becomes its stand-in, or level normals. Its channels are times the gains, as they are
 * displayed, up to white; NULL: as they are. */
bool bspi_picture_of_image(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use,
                           const float gains[3], bspi_picture *out);
/* The same by a task of a job: failures are told in *error, zeroed before, alone. */
bool bspi_picture_make(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use, const float gains[3],
                       bspi_picture *out, bspscene_error *error);
/* A page of light as display-space PNG. HDR light is divided by *peak (1 or more, linear) to fit; 1 for other pages. */
bool bspi_picture_of_page(bspi_writer *writer, const bspscene_lightmap_page *page, bspi_picture *out, float *peak);
/* The same by a task of a job, with the peak that it has. */
float bspi_peak_of_page(const bspscene_lightmap_page *page);
bool bspi_picture_make_page(bspi_writer *writer, const bspscene_lightmap_page *page, float peak, bspi_picture *out,
                            bspscene_error *error);
/* Painted pixels of 3 bytes, looked at and not measured, as a JPEG. */
bool bspi_picture_of_pixels(bspi_writer *writer, uint32_t width, uint32_t height, const uint8_t *rgb,
                            bspi_picture *out);
/* Is it handed on as it is? */
bool bspi_picture_passes(const bspscene_image *image, bspi_picture_use use);
void bspi_picture_free(bspi_picture *picture);

/* True when the bytes can be handed on as they are: complete, one frame, plain sRGB, and no feature that viewers
 * lack. */
bool bspi_png_passes(bspi_bytes bytes);
bool bspi_jpeg_passes(bspi_bytes bytes);

/* "<stem>_<words><extension>" in the arena. Of `words` only ASCII letters, digits and '-' stay as they are; when the
 * name is taken, `number` tells it apart. */
const char *bspi_picture_file_name(bspi_writer *writer, bspi_names *names, const char *words, uint32_t number,
                                   const char *extension);

#endif
