/* build_texture.h - VTF files of every version in memory, honest or not. */
#ifndef BSPT_BUILD_TEXTURE_H
#define BSPT_BUILD_TEXTURE_H

#include "support/bspt.h"

enum { BSPT_ZSTD = 93 };

typedef struct bspt_vtf {
	uint32_t minor;                    /* 0 to 6 */
	uint32_t format;
	uint32_t width, height;
	uint32_t flags, frames, first_frame, depth; /* frames and depth 0: 1 */
	uint32_t levels;                   /* 0: 1 */
	bool thumbnail;                    /* DXT1, 4 x 4 */
	const void *picture; size_t size;  /* the first one of the largest level */
	uint32_t pictures_before;          /* bytes of all smaller levels, filled with 0xee */
	uint32_t pictures_behind;          /* other bytes in the largest level */
	bool packed;                       /* 7.6: the picture is compressed, those before it have no bytes */
	uint32_t packed_before;            /* how many those are */
	uint32_t method;                   /* BSPT_ZSTD, otherwise deflate; 0: the format's default */
} bspt_vtf;

bspt_bytes bspt_encode_vtf(const bspt_vtf *vtf);

#endif
