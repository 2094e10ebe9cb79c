/* unpack.h - unpacks data in portions: deflate and gzip by zlib, bzip2 by libbz2, LZMA and xz by liblzma, Zstandard by
 * libzstd. Decoders only do as much as their reader requests, so the reader limits the output. */
#ifndef BSPI_UNPACK_H
#define BSPI_UNPACK_H

#include "base/ctx.h"
#include "io/charged.h"

typedef enum bspi_packing {
	BSPI_PACKING_NONE,                 /* stored */
	BSPI_PACKING_DEFLATE,              /* raw deflate (RFC 1951) */
	BSPI_PACKING_GZIP,
	BSPI_PACKING_BZIP2,
	BSPI_PACKING_XZ,
	BSPI_PACKING_ZSTD,
	BSPI_PACKING_LZMA,                 /* an LZMA stream with the 13-byte header of a .lzma file; it has no magic */
	BSPI_PACKING_ZIP_LZMA,             /* an LZMA stream in the format of zip's method 14 (APPNOTE 5.8.8) */
	BSPI_PACKING_KEYED                 /* not packed, but XORed with a key */
} bspi_packing;

/* Recognizes GZIP, BZIP2, XZ, ZSTD or KEYED by the first bytes of a file. Returns NONE for other files. */
bspi_packing bspi_packing_of(bspi_bytes head);
/* Returns a name like "gzip", for messages. */
const char *bspi_packing_name(bspi_packing packing);

typedef struct bspi_unpacker bspi_unpacker;

/* Makes an unpacker for what `read` returns. ZIP_LZMA needs `size`, the unpacked size. All memory of the unpacker and
 * its decoder is charged to `charge`, which must live until the unpacker is freed. After a failure, charge->refused
 * is true if the budget refused memory, and false if the data is damaged. Returns NULL if the budget refuses, if
 * memory is out, or if this build lacks libbz2 or libzstd. */
bspi_unpacker *bspi_unpacker_create(bspi_charge *charge, bspi_packing packing, uint64_t size, bspscene_read_fn *read,
                                    void *user);
/* Returns how many bytes were stored. There are fewer than requested only at the end. Returns SIZE_MAX if the stream is
 * damaged or cut off. */
size_t bspi_unpacker_read(bspi_unpacker *unpacker, void *data, size_t size);
/* True if this build can unpack data that is packed in this way. */
bool bspi_packing_known(bspi_packing packing);
void bspi_unpacker_free(bspi_unpacker *unpacker); /* may be NULL */

/* The `user` of each stream that unpacks while it is read begins with this struct. To charge the memory to a load, set
 * the budget of `charge` before the first read. */
typedef struct bspi_unpacking {
	bspi_charge charge;
	void (*close)(struct bspi_unpacking *unpacking);
} bspi_unpacking;

/* The `close` function of all streams that unpack while they are read. It also identifies such a stream. */
void bspi_close_unpacking(void *unpacking);
/* Returns the charge of a stream that unpacks while it is read; NULL for other streams. */
bspi_charge *bspi_charge_of_stream(const bspscene_stream *stream);

#endif
