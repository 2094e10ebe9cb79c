/* bptc.h - decodes BC7 and BC6H: blocks of 4 x 4 pixels, as in Direct3D 11. */
#ifndef BSPI_BPTC_H
#define BSPI_BPTC_H

#include <stdbool.h>
#include <stdint.h>

#define BSPI_BPTC_SIZE 16u             /* bytes of a block */
#define BSPI_BPTC_PIXELS 16u

/* Any 16 bytes are a valid block. Blocks with reserved modes decode to zeros, which are transparent black in BC7 and
 * black in BC6H. */
void bspi_bc7_decode(const uint8_t block[BSPI_BPTC_SIZE], uint8_t rgba[4 * BSPI_BPTC_PIXELS]);
/* Decodes to half floats, which are all finite. The texture format tells whether the numbers are signed. */
void bspi_bc6h_decode(const uint8_t block[BSPI_BPTC_SIZE], bool is_signed, uint16_t rgb[3 * BSPI_BPTC_PIXELS]);

#endif
