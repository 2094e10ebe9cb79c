/* io.h - bytes from outside: the map itself and the sibling files the caller hands over. The only code that opens files. */
#ifndef BSPI_IO_H
#define BSPI_IO_H

#include "base/ctx.h"

/* Reads all of a stream and closes it, within the load's memory limit. The bytes live in `arena`. When the stream lends its
 * data (`stream->data`) that is copied too, because it ends with the stream. */
bool bspi_read_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, const char *name, bspi_bytes *out);

/* A stream on a file of this machine; directories and unreadable files are errors that say so. */
bool bspi_open_native(const char *path, bspscene_stream *stream, bspscene_error *error);

/* What a sibling file turned out to be. */
typedef struct bspi_sibling {
	bspi_bytes bytes;                  /* in the arena; empty when only `exists` was asked */
	const char *path;                  /* the game path that was found, in the result arena */
	const char *archive;               /* where it came from, in the result arena; "" when the caller does not say */
} bspi_sibling;

/* Opens a sibling through the caller's open_file. The path is made safe first: one that could leave the game directory
 * is counted as a warning and not opened. False: there is none (ctx->error is clear) or the load failed (it is set). */
bool bspi_open_sibling(bspi_ctx *ctx, bspi_arena *arena, const char *path, bspscene_file_kind kind, bspi_sibling *out);
/* The same, but only finds out whether it is there: the stream is closed unread. */
bool bspi_find_sibling(bspi_ctx *ctx, const char *path, bspscene_file_kind kind, bspi_sibling *out);

#endif
