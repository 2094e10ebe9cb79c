/* dxt.h - decodes blocks of 4 x 4 pixels (S3TC, 3Dc). */
#ifndef BSPI_DXT_H
#define BSPI_DXT_H

#include <stdint.h>

typedef enum bspi_dxt_kind {
	BSPI_DXT1, BSPI_DXT3, BSPI_DXT5,
	BSPI_DXT_ONE,                      /* one channel of 8 bits (ATI1N, BC4), in red */
	BSPI_DXT_TWO,                      /* two channels, in red and green (BC5) */
	BSPI_DXT_TWO_SWAPPED               /* two channels, in green and red: ATI2N of Direct3D 9 */
} bspi_dxt_kind;

/* Decodes a block. It has 8 bytes for DXT1 and ONE, and 16 bytes for other kinds. Any bytes are valid. */
void bspi_dxt_decode(bspi_dxt_kind kind, const uint8_t *block, uint8_t rgba[64]);
/* Decodes a block for display as a picture. A single channel becomes gray. Two channels are x and y of a unit normal,
 * and blue is computed from them as its z. */
void bspi_dxt_decode_shown(bspi_dxt_kind kind, const uint8_t *block, uint8_t rgba[64]);

#endif
