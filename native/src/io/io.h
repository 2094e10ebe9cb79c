/* io.h - input: the map itself, and sibling files that the caller opens. */
#ifndef BSPI_IO_H
#define BSPI_IO_H

#include "base/ctx.h"

typedef struct bspscene_output bspscene_output;

/* Reads the map's whole stream within the load's memory limit and closes it in any case. Reports progress of the stage
 * "read". The bytes are in `arena`; bytes borrowed from the stream (`stream->data`) are copied. */
bool bspi_read_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out);
/* The same without progress, and without failing the load if the stream fails: *trouble is then the reason, or NULL if
 * the load itself failed. */
bool bspi_try_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out,
                     const char **trouble);

/* Writes a file to the caller's output. */
bool bspi_output_file(bspi_ctx *ctx, const bspscene_output *output, const char *name, bspi_bytes bytes);

/* Unpacks a map packed by gzip, bzip2, xz or Zstandard, as servers store maps; other bytes are returned unchanged.
 * Fails the load for damaged streams, and for those that unpack to more than a map can be. packed_map.c */
bool bspi_unpack_map(bspi_ctx *ctx, bspi_arena *arena, bspi_bytes file, bspi_bytes *out);
/* Unpacks the beginning of a packed file as far as `head` allows. Returns the number of bytes. packed_map.c */
size_t bspi_unpack_head(bspi_bytes head, uint8_t *out, size_t size);

/* Opens a stream of a file on disk. The error tells directories and unreadable files apart. `heap` must live until it
 * is closed. */
bool bspi_open_native(const bspi_heap *heap, const char *path, bspscene_stream *stream, bspscene_error *error);

/* A sibling file that was found. */
typedef struct bspi_sibling {
	bspi_bytes bytes;                  /* in the arena; empty after bspi_find_sibling */
	const char *path;                  /* game path that was found, in the result arena */
	const char *archive; /* archive that it comes from, in the result arena; "" if the caller does not say */
} bspi_sibling;

/* Opens a sibling by the caller's open_file. A path that could leave the game directory is counted as a warning and not
 * opened; a file that cannot be read completely is counted too. False if there is none (ctx->error is clear) or the
 * load failed (it is set). */
bool bspi_open_sibling(bspi_ctx *ctx, bspi_arena *arena, const char *path, bspscene_file_kind kind, bspi_sibling *out);
/* Tests if a sibling exists: the stream is closed unread. Returns as bspi_open_sibling. */
bool bspi_find_sibling(bspi_ctx *ctx, const char *path, bspscene_file_kind kind, bspi_sibling *out);

#endif
