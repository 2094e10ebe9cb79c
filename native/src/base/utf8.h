/* utf8.h - functions for UTF-8 that need no ctx, for messages and texts. utf8.c also has bspscene_sanitize_text. */
#ifndef BSPI_UTF8_H
#define BSPI_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the length of the well-formed sequence at `p` (Unicode table 3-7), or 0. */
size_t bspi_utf8_length(const uint8_t *p, size_t left);

#endif
