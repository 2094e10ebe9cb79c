/* io.h - bytes from outside: the map itself and the sibling files the caller hands over. Nothing else
 * opens files. */
#ifndef BSPI_IO_H
#define BSPI_IO_H

#include "base/ctx.h"

typedef struct bspscene_output bspscene_output;

/* Reads all of the map's stream and closes it, whatever happens, within the load's memory limit; reports the progress
 * of the stage "read". The bytes live in `arena`; what a stream lends (`stream->data`) ends with it and is copied. */
bool bspi_read_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out);
/* The same without progress and without failing the load when the stream fails: *trouble says why then. It is NULL when
 * the load itself failed. */
bool bspi_try_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out,
                     const char **trouble);

/* A file for the caller's output. */
bool bspi_output_file(bspi_ctx *ctx, const bspscene_output *output, const char *name, bspi_bytes bytes);

/* The map's bytes out of what is packed by gzip, bzip2, xz or Zstandard, as servers keep maps; any other bytes as they
 * are. An error of the load for damaged streams, and for those that unpack to more than a map is. packed_map.c */
bool bspi_unpack_map(bspi_ctx *ctx, bspi_arena *arena, bspi_bytes file, bspi_bytes *out);
/* The first bytes of what is packed, as far as `head` has them; returns how many. packed_map.c */
size_t bspi_unpack_head(bspi_bytes head, uint8_t *out, size_t size);

/* A stream on a file of this machine; directories and unreadable files are errors that say so. `heap` must live until
 * it is closed. */
bool bspi_open_native(const bspi_heap *heap, const char *path, bspscene_stream *stream, bspscene_error *error);

/* What a sibling file turned out to be. */
typedef struct bspi_sibling {
	bspi_bytes bytes;                  /* in the arena; empty after bspi_find_sibling */
	const char *path;                  /* the game path that was found, in the result arena */
	const char *archive;               /* where it came from, in the result arena; "" when the caller does not say */
} bspi_sibling;

/* Opens a sibling through the caller's open_file. The path is made safe first: one that could leave the game directory
 * is counted as a warning and not opened; so is a file that cannot be read to its end. False: there is none
 * (ctx->error is clear) or the load failed (it is set). */
bool bspi_open_sibling(bspi_ctx *ctx, bspi_arena *arena, const char *path, bspscene_file_kind kind, bspi_sibling *out);
/* The same, but only finds out whether it is there: the stream is closed unread. */
bool bspi_find_sibling(bspi_ctx *ctx, const char *path, bspscene_file_kind kind, bspi_sibling *out);

#endif
