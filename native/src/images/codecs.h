/* codecs.h - the interface between images.h and the decoders, one file for each format. */
#ifndef BSPI_CODECS_H
#define BSPI_CODECS_H

#include <bspscene/image.h>

#include "images/images.h"

typedef struct bspi_codec {
	bspscene_image_format format;
	const char *name;                  /* "PNG", for messages */
	/* Recognizes the format by its first bytes, and fills in `info` from the header. */
	bool (*probe)(bspi_bytes bytes, bspi_image_info *info);
	/* Checks everything except the pixels: that the size is allowed and the data are complete. The error message begins
	 * with the reason. */
	bool (*check)(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error);
	/* Decodes a picture. Only called after a successful check. Formats with a single picture per file ignore
	 * `wanted`. */
	bool (*decode)(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
	               bspscene_error *error);
	/* Returns the number of bytes that decoding allocates in addition to the pixels. Changes the size in `info` if the
	 * decoded size differs from the header's. Only called after a successful check. NULL: decoding needs no additional
	 * memory, and the header's size is right. */
	uint64_t (*working_size)(bspi_bytes bytes, uint32_t side, bspi_image_info *info);
} bspi_codec;

/* Returns the codec of a format, or NULL. decode.c */
const bspi_codec *bspi_find_codec(bspscene_image_format format);

extern const bspi_codec bspi_png_codec, bspi_jpeg_codec, bspi_tga_codec, bspi_pcx_codec, bspi_bmp_codec, bspi_vtf_codec,
	bspi_ktx_codec, bspi_dds_codec, bspi_iwi_codec, bspi_webp_codec;

/* Checks the size that a header states, before memory is allocated. `least` is the smallest number of encoded bytes
 * that a picture of this size can have. A file with fewer bytes is refused. */
bool bspi_check_size(uint32_t width, uint32_t height, bspi_bytes bytes, uint64_t least, bspscene_error *error);
/* Allocates zeroed pixels of a checked size. */
bool bspi_pixels_create(const bspi_heap *heap, uint32_t width, uint32_t height, bspscene_pixels *out,
                        bspscene_error *error);

#endif
