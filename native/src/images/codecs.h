/* codecs.h - the picture formats, one file each, between images.h and their decoders. */
#ifndef BSPI_CODECS_H
#define BSPI_CODECS_H

#include "images/images.h"

typedef struct bspi_codec {
	bspscene_image_format format;
	const char *name;                  /* "PNG", for messages */
	/* True when the bytes are this format, from their header alone; fills what the header says. */
	bool (*probe)(bspi_bytes bytes, bspi_image_info *info);
	/* NULL: known, but not read. The messages begin with the reason: name and file are put before them. */
	bool (*decode)(bspi_bytes bytes, bspscene_pixels *out, bspscene_error *error);
} bspi_codec;

extern const bspi_codec bspi_png_codec, bspi_jpeg_codec, bspi_tga_codec, bspi_pcx_codec, bspi_bmp_codec;

/* Memory for a picture of this size, zeroed; the only place where decoders take it, so the only one that bounds it.
 * `least` is the smallest number of encoded bytes that could hold the picture: a header that promises more than its file
 * can keep is refused before any memory is taken. */
bool bspi_pixels_create(uint32_t width, uint32_t height, bspi_bytes bytes, uint64_t least, bspscene_pixels *out, bspscene_error *error);
bool bspi_check_size(uint32_t width, uint32_t height, bspi_bytes bytes, uint64_t least, bspscene_error *error);

#endif
