/* etc1.h - decodes blocks of 4 x 4 pixels of mobile graphics hardware (GL_OES_compressed_ETC1_RGB8_texture). */
#ifndef BSPI_ETC1_H
#define BSPI_ETC1_H

#include <stdint.h>

/* Any 8 bytes are a valid block; `rgba` is 16 opaque pixels, row by row. */
void bspi_etc1_decode(const uint8_t *block, uint8_t *rgba);

#endif
