/* build_texture.h - makes VTF files of every version in memory, valid or not. */
#ifndef BSPT_BUILD_TEXTURE_H
#define BSPT_BUILD_TEXTURE_H

#include "support/bspt.h"

enum { BSPT_ZSTD = 93 };

typedef struct bspt_vtf {
	uint32_t minor;                    /* 0 to 6 */
	uint32_t format;
	uint32_t width, height;
	uint32_t flags, frames, first_frame, depth; /* 0 frames or depth: 1 */
	uint32_t levels;                   /* 0: 1 */
	bool thumbnail;                    /* adds one of 4 x 4 pixels in DXT1 */
	const void *picture; size_t size;  /* the first picture of the largest level */
	uint32_t pictures_before;          /* bytes of all smaller levels, filled with 0xee */
	uint32_t pictures_behind;          /* further bytes in the largest level */
	bool packed;                       /* version 7.6: the picture is compressed, and those before it have no bytes */
	uint32_t packed_before;            /* number of pictures before it */
	uint32_t method;                   /* BSPT_ZSTD, otherwise deflate; 0: the format's default */
} bspt_vtf;

bspt_bytes bspt_encode_vtf(const bspt_vtf *vtf);

#endif
