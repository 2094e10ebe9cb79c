/* vtf_pixels.h - the pixel formats of VTF: how large a picture is, and how it becomes RGBA. */
#ifndef BSPI_VTF_PIXELS_H
#define BSPI_VTF_PIXELS_H

#include "images/images.h"

typedef struct bspi_vtf_format bspi_vtf_format;

/* NULL for a number that is no format. */
const bspi_vtf_format *bspi_vtf_find_format(uint32_t number);
/* What the number means in another branch of the engine, with fewer bytes; NULL: nothing else. */
const bspi_vtf_format *bspi_vtf_other_format(const bspi_vtf_format *format);
const char *bspi_vtf_format_name(const bspi_vtf_format *format);
bool bspi_vtf_format_has_alpha(const bspi_vtf_format *format);
/* One bit of alpha for some pixels of DXT1 only when the file's flags say so too. */
bool bspi_vtf_alpha_is_optional(const bspi_vtf_format *format);
/* Can this build decode it? */
bool bspi_vtf_format_is_read(const bspi_vtf_format *format);
/* Bytes of one picture; sides up to 65535 do not overflow. */
uint64_t bspi_vtf_picture_size(const bspi_vtf_format *format, uint32_t width, uint32_t height);
/* `data` is as large as the above. Light of HDR formats is cut off at white. */
void bspi_vtf_decode_pixels(const bspi_vtf_format *format, const uint8_t *data, bool alpha, bspscene_pixels *out);

#endif
