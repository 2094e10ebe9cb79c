/* writer.c - functions that all writers use: failures, progress, memory, threads, and output that is buffered and
 * counted. See writers.h. */
#include "writers/writers.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

bool bspi_writer_fail(bspi_writer *writer, bspscene_status status, const char *format, ...)
{
	if (writer->failure.status) return false;
	char what[320];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	return bspi_error_set(&writer->failure, status, "%s: %s", writer->main_name, what);
}

static bool fail_canceled(bspi_writer *writer)
{
	return bspi_writer_fail(writer, BSPSCENE_ERROR_CANCELED, "canceled");
}

bool bspi_writer_report(bspi_writer *writer, const char *stage, double done)
{
	if (writer->failure.status) return false;
	return bspi_canceler_tell(&writer->canceler, stage, bspi_fraction_at(&writer->fraction, done)) ||
	       fail_canceled(writer);
}

/* See writers.h. Costs are only estimates, so a progress of 1 is not reported before the end. */
bool bspi_writer_worked(bspi_writer *writer, const char *stage, double cost)
{
	const double most = 0.995;
	writer->work_done += cost;
	return bspi_writer_report(writer, stage, writer->work > 0 ? fmin(writer->work_done / writer->work, most) : 0);
}

void *bspi_writer_push_zeroed(bspi_writer *writer, size_t count, size_t size)
{
	void *p = bspi_arena_alloc(&writer->arena, count, size);
	if (!p) bspi_writer_fail_memory(writer);
	return p;
}

void *bspi_writer_grow(bspi_writer *writer, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	if (count < *capacity) return array;
	uint32_t larger = *capacity < UINT32_MAX / 2 ? 2 * *capacity + 16 : UINT32_MAX;
	void *grown = larger > count ? bspi_writer_push_zeroed(writer, larger, size) : NULL;
	if (!grown) {
		bspi_writer_fail_memory(writer);
		return NULL;
	}
	if (count) memcpy(grown, array, count * size);
	*capacity = larger;
	return grown;
}

bool bspi_writer_fail_memory(bspi_writer *writer)
{
	char why[BSPI_REFUSAL_SIZE];
	bspscene_status status = bspi_describe_refusal(&writer->budget, why);
	return bspi_writer_fail(writer, status, "%s", why);
}

bool bspi_writer_take(bspi_writer *writer, uint64_t size)
{
	return bspi_budget_take(&writer->budget, size) || bspi_writer_fail_memory(writer);
}

void bspi_writer_give(bspi_writer *writer, uint64_t size)
{
	bspi_budget_give(&writer->budget, size);
}

static bool run_job(bspi_writer *writer, const bspi_team *team, const bspi_job *job)
{
	bspscene_error error;
	if (bspi_run_job(team, &writer->budget, job, &error)) return true;
	if (bspi_canceled(&writer->canceler)) return fail_canceled(writer);
	return error.status && bspi_writer_fail(writer, error.status, "%s", error.message);
}

bspi_team bspi_writer_team(const bspi_writer *writer)
{
	return (bspi_team){ writer->options.threads, writer->options.thread_pool };
}

bool bspi_run_writer_job(bspi_writer *writer, const bspi_job *job)
{
	const bspi_team team = bspi_writer_team(writer);
	return run_job(writer, &team, job);
}

bool bspi_run_short_writer_job(bspi_writer *writer, const bspi_job *job)
{
	const bspi_team alone = { .threads = 1 };
	return run_job(writer, &alone, job);
}

static bool fail_output(bspi_writer *writer)
{
	return bspi_writer_fail(writer, BSPSCENE_ERROR_IO, "could not be written");
}

bool bspi_begin(bspi_writer *writer, const char *name)
{
	assert(!writer->is_open && !strpbrk(name, "/\\"));
	if (writer->failure.status) return false;
	if (!writer->output->begin(writer->output->user, name)) return fail_output(writer);
	writer->is_open = true;
	writer->file_size = 0;
	return true;
}

static bool flush(bspi_writer *writer)
{
	size_t size = writer->buffered;
	writer->buffered = 0;
	return !size || writer->output->write(writer->output->user, writer->buffer, size) || fail_output(writer);
}

bool bspi_put(bspi_writer *writer, const void *data, size_t size)
{
	assert(writer->is_open);
	if (writer->failure.status) return false;
	if (size > writer->output_left) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_OUTPUT_LIMIT,
		                        "would be more than the output limit of %" PRIu64 " MiB", writer->output_limit >> 20);
	}
	writer->output_left -= size;
	writer->file_size += size;
	if (size > sizeof writer->buffer - writer->buffered) {
		BSPI_TRY(flush(writer));
		if (size >= sizeof writer->buffer) {
			return writer->output->write(writer->output->user, data, size) || fail_output(writer);
		}
	}
	if (size) memcpy(writer->buffer + writer->buffered, data, size);
	writer->buffered += size;
	return true;
}

bool bspi_put_text(bspi_writer *writer, const char *text)
{
	return bspi_put(writer, text, strlen(text));
}

bool bspi_put_format(bspi_writer *writer, const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	int size = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (size < 0) return bspi_writer_fail_memory(writer);
	if ((size_t)size < sizeof text) return bspi_put(writer, text, (size_t)size);

	char *long_text = bspi_writer_push(writer, char, (size_t)size + 1);
	BSPI_TRY(long_text);
	va_start(arguments, format);
	vsnprintf(long_text, (size_t)size + 1, format, arguments);
	va_end(arguments);
	return bspi_put(writer, long_text, (size_t)size);
}

bool bspi_put_number(bspi_writer *writer, double value, int digits)
{
	char text[BSPI_NUMBER_SIZE];
	return bspi_put(writer, text, bspi_format_number(text, value, digits));
}

bool bspi_end(bspi_writer *writer)
{
	assert(writer->is_open);
	BSPI_TRY(flush(writer));
	writer->is_open = false;
	return writer->output->end(writer->output->user) || fail_output(writer);
}

bool bspi_names_init(bspi_writer *writer, bspi_names *names, size_t largest_count)
{
	names->slot_count = 16;
	while (names->slot_count < 2 * largest_count) names->slot_count *= 2;
	names->hashes = bspi_writer_push(writer, uint64_t, names->slot_count);
	return names->hashes != NULL;
}

bool bspi_names_take(bspi_names *names, const char *name)
{
	uint64_t hash = bspi_hash(name, strlen(name)) | 1;
	size_t at = (size_t)(hash >> 32) & (names->slot_count - 1);
	while (names->hashes[at] && names->hashes[at] != hash) at = (at + 1) & (names->slot_count - 1);
	bool is_new = !names->hashes[at];
	names->hashes[at] = hash;
	return is_new;
}

const char *bspi_sibling_name(bspi_writer *writer, const char *suffix)
{
	size_t stem = strlen(writer->stem), tail = strlen(suffix) + 1;
	char *name = bspi_writer_push(writer, char, stem + tail);
	if (!name) return NULL;
	memcpy(name, writer->stem, stem);
	memcpy(name + stem, suffix, tail);
	return name;
}
