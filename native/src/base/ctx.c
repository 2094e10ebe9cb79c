/* ctx.c - errors, counted warnings and progress of one load. See ctx.h. */
#include "base/ctx.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Limit for the bytes of a warning's text without its location. The longest texts are lists of names. */
#define MOST_WORDS 1100

void bspi_begin_memory(bspi_ctx *ctx)
{
	bspi_arena_init(&ctx->stage, &ctx->budget);
	bspi_arena_init(&ctx->scratch, &ctx->budget);
	bspi_arena_init(&ctx->result, &ctx->budget);
}

void bspi_end_memory(bspi_ctx *ctx)
{
	bspi_arena_reset(&ctx->stage);
	bspi_arena_reset(&ctx->scratch);
	bspi_arena_reset(&ctx->result);
}

/* Appends formatted text to a buffer, terminated by a NUL. Text that does not fit is cut. Returns the new length. */
static size_t append(char *buffer, size_t size, size_t at, const char *format, ...) BSPI_PRINTF(4, 5);

static size_t append(char *buffer, size_t size, size_t at, const char *format, ...)
{
	if (at >= size) return at;
	va_list arguments;
	va_start(arguments, format);
	int written = vsnprintf(buffer + at, size - at, format, arguments);
	va_end(arguments);
	return written < 0 ? at : at + (size_t)written;
}

static void format_location(char *buffer, size_t size, bspi_location location, const char *what)
{
	size_t at = 0;
	buffer[0] = 0;
	if (location.kind == BSPI_RECORD_FACE || location.kind == BSPI_RECORD_ENTITY) {
		const char *name = location.kind == BSPI_RECORD_FACE ? "face" : "entity";
		at = append(buffer, size, at, "%s %" PRIu32 ": ", name, location.record);
	} else {
		bool has_record = location.record != BSPSCENE_NO_INDEX;
		if (location.lump) at = append(buffer, size, at, "%s: ", location.lump);
		if (has_record) at = append(buffer, size, at, "record %" PRIu32 ": ", location.record);
	}
	at = append(buffer, size, at, "%s", what);
	if (location.offset != BSPI_NO_OFFSET) append(buffer, size, at, " (offset 0x%" PRIx64 ")", location.offset);
}

static bool fail_with(bspi_ctx *ctx, bspscene_status status, bspi_location location, const char *what)
{
	if (ctx->error.status) return false;
	char where[400];
	format_location(where, sizeof where, location, what);
	ctx->error.status = status;
	ctx->error.record = location.record;
	ctx->error.offset = location.offset;
	append(ctx->error.lump, sizeof ctx->error.lump, 0, "%s", location.lump ? location.lump : "");
	append(ctx->error.message, sizeof ctx->error.message, 0, "%s: %s", ctx->file, where);
	bspscene_sanitize_text(ctx->error.message);
	return false;
}

bool bspi_fail(bspi_ctx *ctx, bspscene_status status, bspi_location location, const char *format, ...)
{
	char what[320];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	return fail_with(ctx, status, location, what);
}

bspscene_status bspi_describe_refusal(const bspi_budget *budget, char text[BSPI_REFUSAL_SIZE])
{
	const size_t size = BSPI_REFUSAL_SIZE;
	uint64_t mebibytes = budget->limit >> 20;
	switch (bspi_budget_refused(budget)) {
	case BSPI_REFUSED_MEMORY:
		snprintf(text, size, "needs more than the memory limit of %" PRIu64 " MiB", mebibytes);
		return BSPSCENE_ERROR_MEMORY_LIMIT;
	case BSPI_REFUSED_PIXELS:
		snprintf(text, size, "unpacks more pictures than the memory limit of %" PRIu64 " MiB allows", mebibytes);
		return BSPSCENE_ERROR_MEMORY_LIMIT;
	case BSPI_REFUSED_ALLOCATION:
		snprintf(text, size, "needs more than the limit of %" PRIu64 " allocations", budget->allocation_limit);
		return BSPSCENE_ERROR_LIMIT;
	default:
		snprintf(text, size, "out of memory");
		return BSPSCENE_ERROR_OUT_OF_MEMORY;
	}
}

bool bspi_fail_memory(bspi_ctx *ctx)
{
	char why[BSPI_REFUSAL_SIZE];
	bspscene_status status = bspi_describe_refusal(&ctx->budget, why);
	return bspi_fail(ctx, status, BSPI_NOWHERE, "%s", why);
}

void *bspi_push_zeroed(bspi_ctx *ctx, bspi_arena *arena, size_t count, size_t size)
{
	void *p = bspi_arena_alloc(arena, count, size);
	if (!p) bspi_fail_memory(ctx);
	return p;
}

void *bspi_push_unset(bspi_ctx *ctx, bspi_arena *arena, size_t count, size_t size)
{
	void *p = bspi_arena_alloc_unset(arena, count, size);
	if (!p) bspi_fail_memory(ctx);
	return p;
}

bool bspi_reserve(bspi_ctx *ctx, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
	if (count < *capacity) return true;
	if (count > UINT32_MAX / 4) return bspi_fail(ctx, BSPSCENE_ERROR_LIMIT, BSPI_NOWHERE, "a list is too long");
	uint32_t wanted = count ? count * 2 : 32;
	void *grown = bspi_push_zeroed(ctx, &ctx->scratch, wanted, size);
	BSPI_TRY(grown);
	if (count) memcpy(grown, *items, count * size);
	*items = grown;
	*capacity = wanted;
	return true;
}

void *bspi_push_copy(bspi_ctx *ctx, const void *items, size_t count, size_t size)
{
	void *out = bspi_push_unset(ctx, &ctx->result, count, size);
	if (out && count) memcpy(out, items, count * size);
	return out;
}

const void *bspi_push_table(bspi_ctx *ctx, const void *records, size_t count, size_t size)
{
	const unsigned char *record = records;
	const void **table = bspi_push_unset(ctx, &ctx->result, count, sizeof *table);
	if (!table) return NULL;
	for (size_t i = 0; i < count; i++) table[i] = record + i * size;
	return table;
}

static bool stays_a_warning(bspscene_warning_code code)
{
	return code == BSPSCENE_WARNING_FILE_MISSING || code == BSPSCENE_WARNING_FILE_STALE ||
	       code == BSPSCENE_WARNING_TEXTURE_MISSING || code == BSPSCENE_WARNING_IMAGE_BAD ||
	       code == BSPSCENE_WARNING_SHADER_BAD || code == BSPSCENE_WARNING_MODEL_BAD ||
	       code == BSPSCENE_WARNING_UNSUPPORTED;
}

static bspi_warning_slot *find_slot(bspi_ctx *ctx, bspscene_warning_code code, const char *where)
{
	for (uint32_t i = 0; i < ctx->warning_count; i++) {
		bspi_warning_slot *slot = &ctx->warnings[i];
		if (slot->code == code && !strcmp(slot->where, where)) return slot;
	}
	return NULL;
}

/* Keeps the message of a further occurrence of a warning. Above BSPSCENE_MAX_OCCURRENCES, occurrences are only
 * counted. */
static bool keep_occurrence(bspi_ctx *ctx, bspi_warning_slot *slot, bspi_location location, const char *what)
{
	char message[MOST_WORDS + 100];
	format_location(message, sizeof message, location, what);
	bspscene_sanitize_text(message);
	size_t length = strlen(message);
	char *kept = bspi_push(ctx, &ctx->result, char, length + 1);
	bspi_occurrence *one = bspi_push(ctx, &ctx->scratch, bspi_occurrence, 1);
	BSPI_TRY(kept && one);
	memcpy(kept, message, length + 1);
	one->public = (bspscene_occurrence){
		.message = kept,
		.offset = location.offset,
		.record = location.record,
		.entity = location.kind == BSPI_RECORD_ENTITY ? location.record : BSPSCENE_NO_INDEX,
		.face = location.kind == BSPI_RECORD_FACE ? location.record : BSPSCENE_NO_INDEX,
	};
	if (slot->last) slot->last->next = one;
	else slot->first = one;
	slot->last = one;
	slot->kept++;
	return true;
}

bool bspi_warn(bspi_ctx *ctx, bspscene_warning_code code, bspi_location location, const char *format, ...)
{
	const char *where = location.lump ? location.lump : "";
	bspi_warning_slot *slot = find_slot(ctx, code, where);
	bool strict = ctx->options.strict && !stays_a_warning(code);
	if (slot && slot->count < UINT32_MAX) slot->count++;
	bool full = slot ? ctx->occurrence_count == BSPSCENE_MAX_OCCURRENCES : ctx->warning_count == BSPI_MAX_WARNINGS;
	if (full && !strict) return true;

	char what[MOST_WORDS];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	if (strict) return fail_with(ctx, BSPSCENE_ERROR_BAD_DATA, location, what);
	if (slot) {
		ctx->occurrence_count++;
		return keep_occurrence(ctx, slot, location, what);
	}
	bspi_warning_slot made = { .code = code, .where = where, .count = 1 };
	BSPI_TRY(keep_occurrence(ctx, &made, location, what));
	made.message = made.first->public.message;
	ctx->warnings[ctx->warning_count++] = made;
	return true;
}

bool bspi_progress(bspi_ctx *ctx, const char *stage, uint64_t done, uint64_t total)
{
	return bspi_progress_share(ctx, stage, bspi_share_done(done, total));
}

bool bspi_progress_share(bspi_ctx *ctx, const char *stage, double done)
{
	double fraction = bspi_fraction_at(&ctx->fraction, done);
	if (!ctx->options.progress) return true;
	bspscene_progress_result answer = ctx->options.progress(ctx->options.progress_user, stage, fraction);
	if (answer == BSPSCENE_PROGRESS_CONTINUE) return true;
	return bspi_fail(ctx, BSPSCENE_ERROR_CANCELED, BSPI_NOWHERE, "canceled");
}

bspi_team bspi_load_team(const bspi_ctx *ctx)
{
	return (bspi_team){ ctx->options.threads, ctx->options.thread_pool };
}

bool bspi_run_load_job(bspi_ctx *ctx, const bspi_job *job)
{
	const bspi_team team = bspi_load_team(ctx);
	bspscene_error error;
	if (bspi_run_job(&team, &ctx->budget, job, &error)) return true;
	return error.status && bspi_fail(ctx, error.status, BSPI_NOWHERE, "%s", error.message);
}

typedef struct ranges_job {
	bspi_ctx *ctx;
	const bspi_ranges *ranges;
} ranges_job;

static uint32_t end_of_range(const bspi_ranges *ranges, uint32_t index)
{
	return ranges->count - index * ranges->step < ranges->step ? ranges->count : (index + 1) * ranges->step;
}

static bool work_on_range(void *user, bspi_task *task)
{
	const bspi_ranges *ranges = ((const ranges_job *)user)->ranges;
	ranges->work(ranges->user, task->index * ranges->step, end_of_range(ranges, task->index));
	return true;
}

static bool report_range(void *user, uint32_t done)
{
	const ranges_job *job = user;
	const bspi_ranges *ranges = job->ranges;
	return !ranges->stage || bspi_progress(job->ctx, ranges->stage, end_of_range(ranges, done - 1), ranges->count);
}

bool bspi_run_ranges(bspi_ctx *ctx, const bspi_ranges *ranges)
{
	ranges_job user = { ctx, ranges };
	const bspi_job job = {
		.count = ranges->count / ranges->step + (ranges->count % ranges->step != 0),
		.work = work_on_range, .report = report_range, .user = &user,
	};
	return bspi_run_load_job(ctx, &job);
}

bool bspi_task_fail_memory(bspi_task *task)
{
	char why[BSPI_REFUSAL_SIZE];
	bspscene_status status = bspi_describe_refusal(task->arena.budget, why);
	return bspi_error_set(&task->error, status, "%s", why);
}

bool bspi_error_set(bspscene_error *error, bspscene_status status, const char *format, ...)
{
	if (!error) return false;
	*error = (bspscene_error){ .status = status, .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof error->message, format, arguments);
	va_end(arguments);
	bspscene_sanitize_text(error->message);
	return false;
}

static const char *const warning_names[] = {
	[BSPSCENE_WARNING_LUMP_TAIL] = "lump-tail",
	[BSPSCENE_WARNING_LUMP_BAD] = "lump-bad",
	[BSPSCENE_WARNING_FACE_DROPPED] = "face-dropped",
	[BSPSCENE_WARNING_TRIANGLE_DROPPED] = "triangle-dropped",
	[BSPSCENE_WARNING_REFERENCE] = "reference",
	[BSPSCENE_WARNING_LIGHTMAP] = "lightmap",
	[BSPSCENE_WARNING_TEXT] = "text",
	[BSPSCENE_WARNING_TREE] = "tree",
	[BSPSCENE_WARNING_FILE_MISSING] = "file-missing",
	[BSPSCENE_WARNING_FILE_STALE] = "file-stale",
	[BSPSCENE_WARNING_TEXTURE_MISSING] = "texture-missing",
	[BSPSCENE_WARNING_IMAGE_BAD] = "image-bad",
	[BSPSCENE_WARNING_SHADER_BAD] = "shader-bad",
	[BSPSCENE_WARNING_NAME_UNSAFE] = "name-unsafe",
	[BSPSCENE_WARNING_LIMIT] = "limit",
	[BSPSCENE_WARNING_MODEL_BAD] = "model-bad",
	[BSPSCENE_WARNING_UNSUPPORTED] = "unsupported",
};

const char *bspscene_warning_name(bspscene_warning_code code)
{
	return (unsigned)code < sizeof warning_names / sizeof *warning_names ? warning_names[code] : "unknown";
}

const char *bspscene_status_name(bspscene_status status)
{
	static const char *const names[] = {
		[BSPSCENE_OK] = "ok",
		[BSPSCENE_ERROR_OUT_OF_MEMORY] = "out-of-memory",
		[BSPSCENE_ERROR_LIMIT] = "limit",
		[BSPSCENE_ERROR_CANCELED] = "canceled",
		[BSPSCENE_ERROR_BAD_OPTIONS] = "bad-options",
		[BSPSCENE_ERROR_NOT_FOUND] = "not-found",
		[BSPSCENE_ERROR_IO] = "io",
		[BSPSCENE_ERROR_UNKNOWN_FORMAT] = "unknown-format",
		[BSPSCENE_ERROR_UNSUPPORTED_FORMAT] = "unsupported-format",
		[BSPSCENE_ERROR_BAD_HEADER] = "bad-header",
		[BSPSCENE_ERROR_BAD_LUMP] = "bad-lump",
		[BSPSCENE_ERROR_BAD_DATA] = "bad-data",
		[BSPSCENE_ERROR_MEMORY_LIMIT] = "memory-limit",
		[BSPSCENE_ERROR_OUTPUT_LIMIT] = "output-limit",
	};
	return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

static bool copy_warning(bspi_ctx *ctx, const bspi_warning_slot *slot, bspscene_warning *out)
{
	bspscene_occurrence *occurrences = bspi_push(ctx, &ctx->result, bspscene_occurrence, slot->kept);
	BSPI_TRY(occurrences);
	*out = (bspscene_warning){
		.code = slot->code, .count = slot->count, .lump = slot->where, .message = slot->message,
		.occurrences = bspi_table(ctx, bspscene_occurrence, occurrences, slot->kept), .occurrence_count = slot->kept,
	};
	BSPI_TRY(out->occurrences);
	for (const bspi_occurrence *one = slot->first; one; one = one->next) *occurrences++ = one->public;
	return true;
}

bool bspi_list_warnings(bspi_ctx *ctx, const bspscene_warning *const **out, uint32_t *count)
{
	bspscene_warning *warnings = bspi_push(ctx, &ctx->result, bspscene_warning, ctx->warning_count);
	BSPI_TRY(warnings);
	for (uint32_t i = 0; i < ctx->warning_count; i++) BSPI_TRY(copy_warning(ctx, &ctx->warnings[i], &warnings[i]));
	*out = bspi_table(ctx, bspscene_warning, warnings, ctx->warning_count);
	*count = ctx->warning_count;
	return *out != NULL;
}

bool bspi_fail_again(bspi_ctx *ctx, const char *about)
{
	const bspscene_error why = ctx->error;
	bool ours = why.status == BSPSCENE_ERROR_OUT_OF_MEMORY || why.status == BSPSCENE_ERROR_LIMIT ||
	            why.status == BSPSCENE_ERROR_MEMORY_LIMIT || why.status == BSPSCENE_ERROR_CANCELED;
	if (ours) return false;
	ctx->error.status = BSPSCENE_OK;
	return bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_NOWHERE, "%s: %s", about, why.message);
}
