/* stream.c - reads whole streams: that of the map, and those of siblings that the caller opens. See io.h. */
#include "io/map_companions.h"
#include "io/io.h"

#include <bspscene/writer.h>

#include "base/text.h"
#include "io/file.h"
#include "io/unpack.h"

/* Reads in portions, so that long reads show progress and can be canceled. */
#define PORTION ((size_t)4 << 20)
#define FIRST_BUFFER ((size_t)64 << 10)

/* State of reading. `trouble` says why the stream failed. Errors of the load itself are in ctx->error. */
typedef struct reading {
	bspi_ctx *ctx;
	bspi_arena *arena;
	const bspscene_stream *stream;
	bool report;
	uint64_t done, next_report;
	const char *trouble;
} reading;

static bool fail_stream(reading *r, const char *trouble)
{
	r->trouble = trouble;
	return false;
}

static bool is_size_known(const bspscene_stream *stream)
{
	return stream->data || !stream->read || (stream->size && stream->size != UINT64_MAX);
}

static bool report_progress(reading *r)
{
	if (!r->report || r->done < r->next_report) return true;
	r->next_report = r->done + PORTION;
	return bspi_progress(r->ctx, "read", r->done, is_size_known(r->stream) ? r->stream->size : 0);
}

/* Reads `size` bytes, or fewer if the stream ends before. *got receives their number. A single read may return less
 * than requested, as sockets and pipes do. */
static bool read_into(reading *r, uint8_t *data, size_t size, size_t *got)
{
	*got = 0;
	while (*got < size) {
		size_t portion = size - *got < PORTION ? size - *got : PORTION;
		BSPI_TRY(report_progress(r));
		size_t stored = r->stream->read(r->stream->user, data + *got, portion);
		if (stored > portion) return fail_stream(r, "cannot be read");
		if (!stored) break;
		*got += stored;
		r->done += stored;
	}
	return true;
}

static bool read_known(reading *r, bspi_bytes *out)
{
	uint64_t size = r->stream->size;
	bspi_budget_read(&r->ctx->budget, r->stream->stored_size ? r->stream->stored_size : size);
	/* The memory limit is tested before the range of size_t, so that 32-bit systems report the same error. */
	if (size > r->ctx->budget.limit) {
		bspi_budget_refuse(&r->ctx->budget, BSPI_REFUSED_MEMORY);
		return bspi_fail_memory(r->ctx);
	}
	if (size > SIZE_MAX / 2) return fail_stream(r, "its stated size is larger than memory can be");
	uint8_t *data = bspi_push_unset(r->ctx, r->arena, (size_t)size, 1);
	size_t got;
	BSPI_TRY(data);
	if (r->stream->data) {
		if (size) memcpy(data, r->stream->data, (size_t)size);
	} else {
		BSPI_TRY(read_into(r, data, (size_t)size, &got));
		if (got != size)
			return fail_stream(r, "ends before its stated size: it is cut off, or it changed while it was read");
	}
	*out = bspi_bytes_of(data, (size_t)size);
	return true;
}

typedef struct buffer {
	uint8_t *data;
	size_t size, capacity;
} buffer;

static bool grow(bspi_ctx *ctx, buffer *b)
{
	size_t more = b->capacity ? b->capacity : FIRST_BUFFER;
	if (b->capacity > SIZE_MAX / 4 || !bspi_budget_take(&ctx->budget, more)) return bspi_fail_memory(ctx);
	uint8_t *data = bspi_heap_grow(&ctx->budget.heap, b->data, b->capacity, b->capacity + more);
	if (!data) {
		bspi_budget_give(&ctx->budget, more);
		return bspi_fail_memory(ctx);
	}
	b->data = data;
	b->capacity += more;
	return true;
}

static bool read_all(reading *r, buffer *b)
{
	size_t got;
	do {
		BSPI_TRY(grow(r->ctx, b));
		BSPI_TRY(read_into(r, b->data + b->size, b->capacity - b->size, &got));
		b->size += got;
		if (!r->stream->stored_size) bspi_budget_read(&r->ctx->budget, got);
	} while (b->size == b->capacity);
	return true;
}

/* Reads a stream of unknown size. Reads into a buffer that doubles within the load's budget, and then copies its
 * content. */
static bool read_unknown(reading *r, bspi_bytes *out)
{
	buffer b = { 0 };
	bspi_budget_read(&r->ctx->budget, r->stream->stored_size);
	uint8_t *data = read_all(r, &b) ? bspi_push_unset(r->ctx, r->arena, b.size, 1) : NULL;
	if (data) {
		memcpy(data, b.data, b.size);
		*out = bspi_bytes_of(data, b.size);
	}
	bspi_heap_give(&r->ctx->budget.heap, b.data);
	bspi_budget_give(&r->ctx->budget, b.capacity);
	return data != NULL;
}

/* True if the callbacks are set. This is not an assertion, because bindings of other languages set them. */
static bool is_complete(reading *r)
{
	const bspscene_stream *stream = r->stream;
	if (!stream->data && !stream->read && stream->size) return fail_stream(r, "has neither data nor a read function");
	return !stream->data || stream->size != UINT64_MAX || fail_stream(r, "has data of unknown size");
}

static bool read_and_close(reading *r, bspi_bytes *out)
{
	const bspscene_stream *stream = r->stream;
	*out = BSPI_NO_BYTES;
	bspi_charge *charge = bspi_charge_of_stream(stream);
	if (charge) charge->budget = &r->ctx->budget;
	bool ok = is_complete(r) && report_progress(r) &&
	          (is_size_known(stream) ? read_known(r, out) : read_unknown(r, out));
	if (!ok && charge && charge->refused) {
		r->trouble = NULL;
		bspi_fail_memory(r->ctx);
	}
	if (stream->close) stream->close(stream->user);
	return ok;
}

bool bspi_read_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out)
{
	reading r = { .ctx = ctx, .arena = arena, .stream = stream, .report = true };
	if (read_and_close(&r, out)) return true;
	return r.trouble ? bspi_fail(ctx, BSPSCENE_ERROR_IO, BSPI_NOWHERE, "%s", r.trouble) : false;
}

bool bspi_try_stream(bspi_ctx *ctx, bspi_arena *arena, const bspscene_stream *stream, bspi_bytes *out,
                     const char **trouble)
{
	reading r = { .ctx = ctx, .arena = arena, .stream = stream };
	bool ok = read_and_close(&r, out);
	*trouble = r.trouble;
	return ok;
}

/* ---- Files on disk ---------------------------------------------------------------------------------------- */

typedef struct native_stream {
	const bspi_heap *heap;
	bspi_file *file;
	uint64_t at;
} native_stream;

static size_t read_native(void *user, void *data, size_t size)
{
	native_stream *native = user;
	size_t got = bspi_file_read(native->file, native->at, data, size);
	if (got != SIZE_MAX) native->at += got;
	return got;
}

static void close_native(void *user)
{
	native_stream *native = user;
	bspi_file_close(native->file);
	bspi_heap_give(native->heap, native);
}

bool bspi_open_native(const bspi_heap *heap, const char *path, bspscene_stream *stream, bspscene_error *error)
{
	bspi_file *file = bspi_file_open(heap, path, error);
	if (!file) return false;
	native_stream *native = bspi_heap_take(heap, sizeof *native);
	if (!native) {
		bspi_file_close(file);
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", path);
	}
	*native = (native_stream){ heap, file, 0 };
	*stream = (bspscene_stream){
		.user = native, .read = read_native, .close = close_native, .size = bspi_file_size(file)
	};
	return true;
}

/* ---- Siblings --------------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {
	[BSPSCENE_FILE_MAP] = "map",
	[BSPSCENE_FILE_TEXTURE] = "textures",
	[BSPSCENE_FILE_SHADER] = "shaders",
	[BSPSCENE_FILE_LIGHTMAP] = "external lightmaps",
	[BSPSCENE_FILE_PALETTE] = "palette",
	[BSPSCENE_FILE_WAD] = "texture archives",
	[BSPSCENE_FILE_LIGHT] = "external light",
	[BSPSCENE_FILE_ENTITIES] = "external entities",
	[BSPSCENE_FILE_MODEL] = "models",
	[BSPSCENE_FILE_OTHER] = "other files",
};

/* Opens a sibling's stream. Returns false if there is no such file (then ctx->error is clear) or if the load failed. */
static bool open_safely(bspi_ctx *ctx, const char *path, bspscene_file_kind kind, char *safe, size_t safe_size,
                        bspscene_stream *stream)
{
	if (!ctx->options.open_file || (ctx->only_entities && kind != BSPSCENE_FILE_ENTITIES)) return false;
	if (!bspi_text_path(path, false, safe, safe_size)) {
		bspi_warn(ctx, BSPSCENE_WARNING_NAME_UNSAFE, BSPI_LUMP(kind_names[kind]),
		          "\"%s\" is not a path inside the game: it is not opened", path);
		return false;
	}
	bspscene_stream_init(stream);
	return ctx->options.open_file(ctx->options.file_user, stream, safe, kind);
}

/* Copies the path and the origin of a sibling. They are not valid any more when the stream is closed. */
static bool name_sibling(bspi_ctx *ctx, const char *safe, const bspscene_stream *stream, bspi_sibling *out)
{
	const char *origin = stream->origin ? stream->origin : "";
	*out = (bspi_sibling){ BSPI_NO_BYTES, bspi_text_copy(ctx, bspi_bytes_of(safe, strlen(safe)), NULL),
	                       bspi_text_copy(ctx, bspi_bytes_of(origin, strlen(origin)), NULL) };
	return out->path && out->archive;
}

bool bspi_open_sibling(bspi_ctx *ctx, bspi_arena *arena, const char *path, bspscene_file_kind kind, bspi_sibling *out)
{
	char safe[BSPI_PATH_SIZE];
	bspscene_stream stream;
	if (!open_safely(ctx, path, kind, safe, sizeof safe, &stream)) return false;
	bool named = name_sibling(ctx, safe, &stream, out);
	reading r = { .ctx = ctx, .arena = arena, .stream = &stream };
	if (read_and_close(&r, &out->bytes)) return named && bspi_use_companion(ctx, kind, out->path, out->archive);
	if (r.trouble) {
		bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP(kind_names[kind]), "\"%s\" %s", safe, r.trouble);
	}
	return false;
}

bool bspi_find_sibling(bspi_ctx *ctx, const char *path, bspscene_file_kind kind, bspi_sibling *out)
{
	char safe[BSPI_PATH_SIZE];
	bspscene_stream stream;
	if (!open_safely(ctx, path, kind, safe, sizeof safe, &stream)) return false;
	bool named = name_sibling(ctx, safe, &stream, out);
	if (stream.close) stream.close(stream.user);
	return named;
}

bool bspi_output_file(bspi_ctx *ctx, const bspscene_output *output, const char *name, bspi_bytes bytes)
{
	bool written = output->begin(output->user, name) && output->write(output->user, bytes.data, bytes.size) &&
	               output->end(output->user);
	return written || bspi_fail(ctx, BSPSCENE_ERROR_IO, BSPI_NOWHERE, "%s: writing failed", name);
}
