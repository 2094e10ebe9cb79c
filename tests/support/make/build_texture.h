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
	const void *picture; size_t size;  /* bytes of the largest level's first picture */
	uint32_t pictures_before;          /* number of bytes of all smaller levels, filled with 0xee */
	uint32_t pictures_behind;          /* bytes of filler after the first picture of the largest level */
	/* True to compress the picture, as version 7.6 allows. The pictures before it then have no bytes. */
	bool packed;
	uint32_t packed_before;            /* number of pictures before the compressed one */
	uint32_t method;                   /* BSPT_ZSTD, 0 for the format's default, otherwise deflate */
} bspt_vtf;

bspt_bytes bspt_encode_vtf(const bspt_vtf *vtf);

#endif
