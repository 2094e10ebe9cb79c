/* utf8.h - UTF-8 without a load, for messages and texts. Also bspscene_sanitize_text. */
#ifndef BSPI_UTF8_H
#define BSPI_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence at p (Unicode table 3-7), or 0. */
size_t bspi_utf8_length(const uint8_t *p, size_t left);

#endif
