/* build_archive.h - archives made in memory, valid or not: every number in a directory can be replaced. */
#ifndef BSPT_BUILD_ARCHIVE_H
#define BSPT_BUILD_ARCHIVE_H

#include "support/bspt.h"

typedef struct bspt_member {
	const char *name;
	const char *text;                  /* unpacked contents; NULL: `packed` is used unchanged */
	uint16_t method;                   /* zip: 0 stored, 8 deflate, 12 bzip2, 14 LZMA; how `text` is packed */
	bspt_bytes packed;
	bool claims; uint32_t claimed_size;/* the directory states `claimed_size` as the unpacked size */
	uint16_t flags;                    /* zip: general purpose flags */
	bool bad_checksum;                 /* zip: the checksum is wrong */
	uint16_t archive;                  /* VPK: number + 1 of the archive part; 0: the directory file */
	uint16_t preload;                  /* VPK: number of bytes that are stored in the tree */
	uint32_t offset;                   /* VPK, with `archive`: the offset there; pak: replaces the true offset if not
	                                    * 0 */
} bspt_member;

bspt_bytes bspt_zip(const bspt_member *members, size_t count);
/* The same, with every size and offset in Zip64's extra field. */
bspt_bytes bspt_zip64(const bspt_member *members, size_t count);
/* name_size: 56 (Quake), 120 (SiN, with its own tag). */
bspt_bytes bspt_pak(const bspt_member *members, size_t count, size_t name_size);
/* Makes a `_dir.vpk` of version 1 or 2. Each member gets separate lists of extensions and folders, which is valid but
 * unusual. */
bspt_bytes bspt_vpk(const bspt_member *members, size_t count, uint32_t version);
/* Makes a pack of Bloodlines. */
bspt_bytes bspt_troika(const bspt_member *members, size_t count);

/* Raw deflate; LZMA as in zip's method 14, with or without an end mark. */
bspt_bytes bspt_deflate(const void *data, size_t size);
bspt_bytes bspt_lzma(const void *data, size_t size, bool end_mark);
/* Complete compressed files. bzip2 needs BSPI_HAVE_BZIP2, zstd BSPI_HAVE_ZSTD. */
bspt_bytes bspt_gzip(const void *data, size_t size);
bspt_bytes bspt_bzip2(const void *data, size_t size);
bspt_bytes bspt_xz(const void *data, size_t size);
bspt_bytes bspt_zstd(const void *data, size_t size);

#endif
