/* build_texture.h - makes VTF files of every version in memory, valid or not. */
#ifndef BSPT_BUILD_TEXTURE_H
#define BSPT_BUILD_TEXTURE_H

#include "support/bspt.h"

enum { BSPT_ZSTD = 93 };

typedef struct bspt_vtf {
	uint32_t minor;                    /* minor version, 0 to 6 */
	uint32_t format;
	uint32_t width, height;
	uint32_t flags, frames, first_frame, depth; /* `frames` and `depth`: 0 means 1 */
	uint32_t levels;                   /* number of levels; 0 means 1 */
	bool thumbnail;                    /* true to add a thumbnail of 4 x 4 pixels in DXT1 */
	const void *picture; size_t size;  /* pixels of one picture of the largest level; `size` in bytes */
	/* How many bytes of 0xee the file has before and behind `picture`. They stand for the smaller levels, and for the
	 * other frames, faces and slices of the largest level. */
	uint32_t pictures_before;
	uint32_t pictures_behind;
	/* True to compress `picture`, as version 7.6 allows. The bytes before and behind it stay 0xee. */
	bool packed;
	uint32_t packed_before;            /* with `packed`: number of pictures that share the bytes of pictures_before */
	uint32_t method;                   /* number of the compression in the file: BSPT_ZSTD; all others are deflate */
} bspt_vtf;

bspt_bytes bspt_encode_vtf(const bspt_vtf *vtf);

#endif
