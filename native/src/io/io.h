/* io.h - input: the map itself, and sibling files that the caller opens. */
#ifndef BSPI_IO_H
#define BSPI_IO_H

#include "base/ctx.h"

typedef struct bspscene_output bspscene_output;

/* Reads the map's whole stream within the load's memory limit. Closes the stream in any case. Reports progress of the
 * stage "read". The bytes are in `arena`, also if the stream provides them in memory (`stream->data`). */
bool bspi_read_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out);
/* Like bspi_read_stream, but without progress. If the stream fails, the load does not fail: *trouble is then the
 * reason. *trouble is NULL if the load itself failed. */
bool bspi_try_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out,
                     const char **trouble);

/* Writes a file to the caller's output. */
bool bspi_output_file(bspi_ctx *ctx, const bspscene_output *output, const char *name, bspi_bytes bytes);

/* Unpacks a map that is packed by gzip, bzip2, xz or Zstandard, as servers store maps. Other bytes are returned
 * unchanged. The load fails if the stream is damaged, or unpacks to more bytes than a map can have. packed_map.c */
bool bspi_unpack_map(bspi_ctx *ctx, bspi_arena *arena, bspi_bytes file, bspi_bytes *out);
/* Unpacks the beginning of a packed file, as far as `head` has the bytes for it. Returns the number of unpacked bytes.
 * packed_map.c */
size_t bspi_unpack_head(bspi_bytes head, uint8_t *out, size_t size);

/* Opens a stream of a file on disk. On failure, the error tells whether it is a directory or cannot be read. `heap`
 * must live until the stream is closed. */
bool bspi_open_native(const bspi_heap *heap, const char *path, bspscene_stream *stream, bspscene_error *error);

/* A sibling file that was found. */
typedef struct bspi_sibling {
	bspi_bytes bytes;                  /* the content, in the arena; empty after bspi_find_sibling */
	const char *path;                  /* game path of the file; in the result arena */
	/* archive that contains the file, in the result arena; "" if the caller's open_file does not tell */
	const char *archive;
} bspi_sibling;

/* Opens a sibling by the caller's open_file. If its path could lead out of the game directory, it is not opened, and a
 * warning is counted. If it cannot be read completely, a warning is counted too. Returns false if there is no such file
 * (then ctx->error is clear) or if the load failed (then ctx->error is set). */
bool bspi_open_sibling(bspi_ctx *ctx, bspi_arena *arena, const char *path, bspscene_file_kind kind, bspi_sibling *out);
/* Tests if a sibling exists. Its stream is closed without reading it. Returns the same values as bspi_open_sibling. */
bool bspi_find_sibling(bspi_ctx *ctx, const char *path, bspscene_file_kind kind, bspi_sibling *out);

#endif
