/* dxt.h - blocks of 4 x 4 pixels as graphics cards keep them (S3TC, 3Dc), one by one. */
#ifndef BSPI_DXT_H
#define BSPI_DXT_H

#include <stdint.h>

typedef enum bspi_dxt_kind {
	BSPI_DXT1, BSPI_DXT3, BSPI_DXT5,
	BSPI_DXT_ONE,                      /* one channel of 8 bits (ATI1N, BC4), in red */
	BSPI_DXT_TWO,                      /* two of them, in red and green (BC5) */
	BSPI_DXT_TWO_SWAPPED               /* in green and red: ATI2N, as Direct3D 9 has it */
} bspi_dxt_kind;

/* The block has 8 bytes for DXT1 and ONE, else 16; any bytes are one. */
void bspi_dxt_decode(bspi_dxt_kind kind, const uint8_t *block, uint8_t rgba[64]);
/* The same as a picture: one channel is gray, two are those of a unit normal, whose third part is computed. */
void bspi_dxt_decode_shown(bspi_dxt_kind kind, const uint8_t *block, uint8_t rgba[64]);

#endif
