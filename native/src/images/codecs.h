/* codecs.h - the picture formats, one file each, between images.h and their decoders. */
#ifndef BSPI_CODECS_H
#define BSPI_CODECS_H

#include <bspscene/image.h>

#include "images/images.h"

typedef struct bspi_codec {
	bspscene_image_format format;
	const char *name;                  /* "PNG", for messages */
	/* True when the bytes are this format, from their first bytes alone; fills what the header says. */
	bool (*probe)(bspi_bytes bytes, bspi_image_info *info);
	/* Checks all that can be told without unpacking pixels: the size is in bounds, the data are there. The message
	 * begins with the reason. */
	bool (*check)(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error);
	/* Called only for what has passed the check. Formats that store one picture do not look at `wanted`. */
	bool (*decode)(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
	               bspscene_error *error);
	/* Of what the check lets through: the size that decode will give is put into `info` when it is not that of the
	 * header; returns the bytes that the decoder holds besides the pixels. NULL: the header's, and none. */
	uint64_t (*working_size)(bspi_bytes bytes, uint32_t side, bspi_image_info *info);
} bspi_codec;

/* The codec of a format, NULL when there is none. decode.c */
const bspi_codec *bspi_find_codec(bspscene_image_format format);

extern const bspi_codec bspi_png_codec, bspi_jpeg_codec, bspi_tga_codec, bspi_pcx_codec, bspi_bmp_codec, bspi_vtf_codec,
	bspi_ktx_codec, bspi_dds_codec, bspi_iwi_codec, bspi_webp_codec;

/* `least` is the smallest number of encoded bytes that could hold the picture: a header that promises more than its
 * file can keep is refused before any memory is taken. */
bool bspi_check_size(uint32_t width, uint32_t height, bspi_bytes bytes, uint64_t least, bspscene_error *error);
/* Zeroed memory for a picture of a size that was checked. */
bool bspi_pixels_create(const bspi_heap *heap, uint32_t width, uint32_t height, bspscene_pixels *out,
                        bspscene_error *error);

#endif
