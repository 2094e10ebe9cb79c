/* vtf_pixels.h - pixel formats of VTF: sizes of pictures, and decoding to RGBA. */
#ifndef BSPI_VTF_PIXELS_H
#define BSPI_VTF_PIXELS_H

#include "images/images.h"

typedef struct bspi_vtf_format bspi_vtf_format;

/* Returns the format with that number, or NULL. */
const bspi_vtf_format *bspi_vtf_find_format(uint32_t number);
/* Some numbers have another meaning in another branch of the engine. Returns the next meaning of the format's number;
 * NULL if there is none. */
const bspi_vtf_format *bspi_vtf_other_format(const bspi_vtf_format *format);
const char *bspi_vtf_format_name(const bspi_vtf_format *format);
bool bspi_vtf_format_has_alpha(const bspi_vtf_format *format);
/* True for DXT1. Its one bit of alpha only counts if the flags of the file say so. */
bool bspi_vtf_alpha_is_optional(const bspi_vtf_format *format);
/* True if this build can decode the format. */
bool bspi_vtf_format_is_read(const bspi_vtf_format *format);
/* Returns the number of bytes of a picture. The result does not overflow for sides up to 65535. */
uint64_t bspi_vtf_picture_size(const bspi_vtf_format *format, uint32_t width, uint32_t height);
/* Decodes a picture to RGBA. `data` has bspi_vtf_picture_size bytes. In HDR formats, colors brighter than white
 * become white. */
void bspi_vtf_decode_pixels(const bspi_vtf_format *format, const uint8_t *data, bool alpha, bspscene_pixels *out);

#endif
