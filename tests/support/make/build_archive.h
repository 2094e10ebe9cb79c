/* build_archive.h - archives made in memory, valid or not: every number in a directory can be replaced. */
#ifndef BSPT_BUILD_ARCHIVE_H
#define BSPT_BUILD_ARCHIVE_H

#include "support/bspt.h"

typedef struct bspt_member {
	const char *name;
	const char *text;                  /* unpacked contents; if NULL, `packed` is written unchanged */
	/* How a zip packs `text`: 0 stored, 8 deflate, 12 bzip2, 14 LZMA. */
	uint16_t method;
	bspt_bytes packed;
	/* If true, the directory states `claimed_size` as the unpacked size. */
	bool claims; uint32_t claimed_size;
	uint16_t flags;                    /* general purpose flags of a zip's entry */
	bool bad_checksum;                 /* true if a zip's entry has a wrong checksum */
	/* In a VPK: 0 if the contents are in the directory file, otherwise 1 plus the number of their archive file. */
	uint16_t archive;
	uint16_t preload;                  /* in a VPK: how many bytes of the contents are in the directory tree */
	/* In a VPK, with `archive`: offset of the contents in the archive file. In a pak: the offset that the directory
	 * states; 0 means the true one. */
	uint32_t offset;
} bspt_member;

bspt_bytes bspt_zip(const bspt_member *members, size_t count);
/* Makes a zip with every size and offset in Zip64's extra field. */
bspt_bytes bspt_zip64(const bspt_member *members, size_t count);
/* Makes a pak with names of 56 bytes (Quake) or of 120 bytes (SiN, with its own tag). */
bspt_bytes bspt_pak(const bspt_member *members, size_t count, size_t name_size);
/* Makes a `_dir.vpk` of version 1 or 2. Each member gets its own lists of extensions and folders in the tree, which is
 * valid but unusual. */
bspt_bytes bspt_vpk(const bspt_member *members, size_t count, uint32_t version);
/* Makes a pack of Bloodlines. */
bspt_bytes bspt_troika(const bspt_member *members, size_t count);

/* Make a raw deflate stream, and LZMA data as in zip's method 14. If `end_mark`, the LZMA data end with a mark. */
bspt_bytes bspt_deflate(const void *data, size_t size);
bspt_bytes bspt_lzma(const void *data, size_t size, bool end_mark);
/* Make complete compressed files. bzip2 needs BSPI_HAVE_BZIP2, zstd needs BSPI_HAVE_ZSTD. */
bspt_bytes bspt_gzip(const void *data, size_t size);
bspt_bytes bspt_bzip2(const void *data, size_t size);
bspt_bytes bspt_xz(const void *data, size_t size);
bspt_bytes bspt_zstd(const void *data, size_t size);

#endif
