/* unpack.h - packed bytes to bytes, a portion at a time: deflate and gzip by zlib, bzip2 by libbz2, LZMA and xz by
 * liblzma, Zstandard by libzstd. No decoder runs ahead of its reader, so what is unpacked is the reader's to limit. */
#ifndef BSPI_UNPACK_H
#define BSPI_UNPACK_H

#include "base/ctx.h"
#include "io/charged.h"

typedef enum bspi_packing {
	BSPI_PACKING_NONE,                 /* stored as it is */
	BSPI_PACKING_DEFLATE,              /* bare (RFC 1951) */
	BSPI_PACKING_GZIP,
	BSPI_PACKING_BZIP2,
	BSPI_PACKING_XZ,
	BSPI_PACKING_ZSTD,
	BSPI_PACKING_LZMA,                 /* bare, with the 13 bytes of a .lzma file before it; it has no magic */
	BSPI_PACKING_ZIP_LZMA,             /* as zip's method 14 frames it (APPNOTE 5.8.8) */
	BSPI_PACKING_KEYED                 /* not packed: a key lies over all of it */
} bspi_packing;

/* GZIP, BZIP2, XZ, ZSTD or KEYED by a file's first bytes; NONE for anything else. */
bspi_packing bspi_packing_of(bspi_bytes head);
/* "gzip" and so on, for messages. */
const char *bspi_packing_name(bspi_packing packing);

typedef struct bspi_unpacker bspi_unpacker;

/* Unpacks what `read` gives. ZIP_LZMA needs the `size` that it unpacks to. All that the unpacker and its decoder hold
 * is charged to `charge`, which must live until the unpacker is freed. Its `refused` tells damage from lack of room.
 * NULL: no room, out of memory, or this build has no libbz2 or libzstd. */
bspi_unpacker *bspi_unpacker_create(bspi_charge *charge, bspi_packing packing, uint64_t size, bspscene_read_fn *read,
                                    void *user);
/* Returns how many bytes were stored: fewer than asked only at the end, SIZE_MAX for damaged or cut off streams. */
size_t bspi_unpacker_read(bspi_unpacker *unpacker, void *data, size_t size);
/* Can this build unpack it? */
bool bspi_packing_known(bspi_packing packing);
void bspi_unpacker_free(bspi_unpacker *unpacker); /* NULL is fine */

/* Begins the `user` of a stream that unpacks as it is read. Who reads the stream for a load sets the charge's budget
 * before the first read. */
typedef struct bspi_unpacking {
	bspi_charge charge;
	void (*close)(struct bspi_unpacking *unpacking);
} bspi_unpacking;

/* The `close` of these streams, by which they are known. */
void bspi_close_unpacking(void *unpacking);
/* NULL: it is another kind of stream. */
bspi_charge *bspi_charge_of_stream(const bspscene_stream *stream);

#endif
