/* writers.c - bspscene_write: finds the writer and gives it an output that counts, buffers and remembers its
 * first failure. See writers.h. */
#include "writers/writers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/costs.h"
#include "base/number.h"
#include "base/text.h"
#include "baking/baking.h"
#include "writers/sky/sky_choice.h"
#include "writers/sky/sky_surfaces.h"
#include "writers/writer_costs.h"

static const bspi_writer_format *const formats[] = {
#define BSPI_WRITER(name) &bspi_writer_##name,
#include "writers/writers.def"
#undef BSPI_WRITER
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const bspscene_writer *const *bspscene_writers(void)
{
	static const bspscene_writer *const writers[] = {
#define BSPI_WRITER(name) &bspi_writer_##name.about,
#include "writers/writers.def"
#undef BSPI_WRITER
		NULL,
	};
	return writers;
}

const bspscene_writer *bspscene_find_writer(const char *path)
{
	assert(path);
	const char *dot = strrchr(path, '.');
	for (int i = 0; dot && i < FORMAT_COUNT; i++) {
		const bspscene_writer *writer = &formats[i]->about;
		if (writer->chosen_by_extension && bspi_text_equal(dot + 1, writer->extension)) return writer;
	}
	return NULL;
}

static const bspi_writer_format *find_format(const char *name)
{
	for (int i = 0; i < FORMAT_COUNT; i++) {
		if (!strcmp(formats[i]->about.name, name)) return formats[i];
	}
	return NULL;
}

float bspscene_load_share(const char *writer, bspscene_write_lighting lighting)
{
	const bspi_writer_format *format = writer ? find_format(writer) : NULL;
	if (format && format->load_share > 0) return (float)format->load_share;
	if (format && lighting == BSPSCENE_WRITE_LIGHTING_DEFAULT) lighting = format->about.lighting;
	return (float)(lighting == BSPSCENE_WRITE_LIGHTING_VERTEX ? BSPI_VERTEX_LOAD_SHARE : BSPI_USUAL_LOAD_SHARE);
}

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

static bool report(bspi_writer *writer, const char *stage, double done)
{
	if (writer->failure.status) return false;
	return bspi_canceler_tell(&writer->canceler, stage, bspi_fraction_at(&writer->fraction, done)) ||
	       fail_canceled(writer);
}

/* Costs are estimates, so a fraction of 1 is only reported at the end. */
bool bspi_writer_worked(bspi_writer *writer, const char *stage, double cost)
{
	const double most = 0.995;
	writer->work_done += cost;
	return report(writer, stage, writer->work > 0 ? fmin(writer->work_done / writer->work, most) : 0);
}

/* A bspscene_progress_fn for the bake before the writing. */
static bspscene_progress_result report_bake(void *user, const char *stage, double fraction)
{
	return report(user, stage, fraction) ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

void *bspi_writer_push_zeroed(bspi_writer *writer, size_t count, size_t size)
{
	void *p = bspi_arena_alloc(&writer->arena, count, size);
	if (!p) bspi_writer_fail_memory(writer);
	return p;
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

static bool read_options(const bspscene_write_options *given, bspscene_write_options *out, bspscene_error *error)
{
	bspscene_write_options_init(out);
	const size_t first_size = BSPI_END_OF(bspscene_write_options, report);
	return !given || bspscene_struct_read(out, sizeof *out, first_size, given, "write_options", error);
}

static bool complete_options(bspi_writer *writer, const bspi_writer_format *format)
{
	bspscene_write_options *options = &writer->options;
	/* A model alone has no light: the host lights it. */
	bool is_model = !strcmp(writer->scene->family, "model") && strcmp(format->about.name, "atlas");
	if (is_model && options->lighting == BSPSCENE_WRITE_LIGHTING_DEFAULT)
		options->lighting = BSPSCENE_WRITE_LIGHTING_NONE;
	if (options->lighting == BSPSCENE_WRITE_LIGHTING_DEFAULT) options->lighting = format->about.lighting;
	if ((unsigned)options->merge > BSPSCENE_WRITE_MERGE_NONE) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS, "options: merge %d is unknown",
		                        (int)options->merge);
	}
	if ((unsigned)options->compress > BSPSCENE_COMPRESS_MESHOPT) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS, "options: compress %d is unknown",
		                        (int)options->compress);
	}
	if (!format->about.compresses) options->compress = BSPSCENE_COMPRESS_NONE;
	if (!options->baked_size) options->baked_size = BSPI_USUAL_BAKED_SIZE;
	if (options->baked_size < BSPI_LEAST_BAKED_SIZE || options->baked_size > BSPI_LARGEST_BAKED_SIZE) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS,
		                        "options: a baked size of %u is not between %u and %u", options->baked_size,
		                        BSPI_LEAST_BAKED_SIZE, BSPI_LARGEST_BAKED_SIZE);
	}
	if ((unsigned)options->lighting > BSPSCENE_WRITE_LIGHTING_BAKED) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS, "options: lighting %d is unknown",
		                        (int)options->lighting);
	}
	if (!(format->about.lightings >> options->lighting & 1)) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS,
		                        "options: light is baked into pictures in glTF, FBX, USD and OBJ alone");
	}
	const char *wrong = bspi_choose_sky(options, format->contents);
	return !wrong || bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS, "options: %s", wrong);
}

static bool set_limits(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	uint64_t usual = bspscene_default_limit(scene);
	uint64_t memory = writer->options.memory_limit, output = writer->options.output_limit;
	bspi_budget_begin(&writer->budget, memory ? memory : usual, writer->options.allocator);
	writer->output_limit = writer->output_left = output ? output : usual;
	return bspi_writer_take(writer, scene->memory_size);
}

/* A map's name comes from the file, so it may hold anything; the caller's file name is used as it is. */
static bool choose_names(bspi_writer *writer, const char *extension)
{
	const char *given = writer->options.file_name;
	const char *name = given ? given : *writer->scene->name ? writer->scene->name : "map";
	size_t length = strlen(name), tail = strlen(extension);
	assert(!given || (*given && !strpbrk(given, "/\\")));
	char *main_name = bspi_writer_push(writer, char, length + tail + 2);
	char *stem = bspi_writer_push(writer, char, length + 1);
	BSPI_TRY(main_name && stem);

	memcpy(stem, name, length);
	for (char *p = stem; !given && *p; p++) {
		if (strchr("/\\:*?\"<>|", *p) || (unsigned char)*p < 0x20) *p = '_';
	}
	snprintf(main_name, length + tail + 2, given ? "%s" : "%s.%s", stem, extension);
	char *dot = strrchr(stem, '.');
	if (given && dot && dot != stem) *dot = 0;
	writer->main_name = main_name;
	writer->stem = stem;
	return true;
}

/* Returns the allowed error of models' light, which is in their vertices whatever carries the map's light. */
static float model_light_error(const bspscene_write_options *options)
{
	if (options->lighting == BSPSCENE_WRITE_LIGHTING_NONE) return 0;
	return options->light_error > 0 ? options->light_error : BSPI_USUAL_LIGHT_ERROR;
}

/* Makes the scene that is written. The caller frees *baked, which is NULL if the scene is written as it is. */
static bool bake(bspi_writer *writer, const bspi_writer_format *format, bspscene_scene **baked)
{
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.light_styles = writer->options.light_styles;
	options.vertices = writer->options.lighting == BSPSCENE_WRITE_LIGHTING_VERTEX;
	options.clamp_to_white = format->stops_at_white;
	options.light_error = writer->options.light_error;
	options.model_light_error = model_light_error(&writer->options);
	options.triangle_limit = writer->options.triangle_limit;
	options.report = &writer->report;
	bspscene_bake_report_init(&writer->report);
	options.progress = writer->options.progress ? report_bake : NULL;
	options.progress_user = writer;
	options.memory_limit = writer->budget.limit;
	options.allocator = writer->options.allocator;
	options.threads = writer->options.threads;
	options.thread_pool = writer->options.thread_pool;
	if (format->raw || writer->options.separate_styles) return true;
	double cost = bspi_cost_of_bake(writer), after;
	BSPI_TRY(bspi_cost_of_writing(writer, format->contents, false, &after));
	bspi_fraction_part(&writer->fraction, 0, cost / (cost + after));
	*baked = bspscene_bake_light(writer->scene, &options, &writer->failure);
	if (!*baked || !bspi_writer_take(writer, (*baked)->memory_size - writer->scene->memory_size)) return false;
	writer->scene = *baked;
	if (writer->options.report && (options.vertices || options.model_light_error > 0)) {
		bspi_give_struct(writer->options.report, &writer->report, sizeof writer->report);
	}
	bspi_fraction_part(&writer->fraction, cost / (cost + after), 1);
	return true;
}

/* Runs the format, and frees everything except the writer. */
static bool write_with(bspi_writer *writer, const bspi_writer_format *format)
{
	bspscene_scene *baked = NULL;
	bspi_arena_init(&writer->arena, &writer->budget);
	writer->main_name = format->about.name;
	writer->triangle_cost = format->triangle_cost;
	bool written = complete_options(writer, format) && set_limits(writer) &&
	               choose_names(writer, format->about.extension) && report(writer, "write", 0) &&
	               (bspi_leave_out_skybox(writer, format->contents) || bspi_writer_fail_memory(writer)) &&
	               bake(writer, format, &baked) &&
	               bspi_cost_of_writing(writer, format->contents, true, &writer->work) && bspi_stand_sky(writer) &&
	               format->write(writer) && report(writer, "write", 1);
	assert(written == !writer->failure.status);
	/* An image that failed to decode because memory was out is not a damaged one. */
	if (writer->budget.exhausted) {
		writer->failure.status = BSPSCENE_OK;
		written = bspi_writer_fail_memory(writer);
	}
	bspscene_scene_free(baked);
	bspi_arena_reset(&writer->arena);
	return written;
}

bool bspi_write_by(const bspi_writer_format *format, const bspscene_scene *scene,
                   const bspscene_write_options *options, const bspscene_output *output, bspscene_error *error)
{
	const char *name = format->about.name;
	bspscene_write_options given;
	if (!read_options(options, &given, error)) return false;
	const bspi_heap heap = { .allocator = given.allocator ? *given.allocator : bspi_system_heap.allocator };
	bspi_writer *writer = bspi_heap_take_zeroed(&heap, sizeof *writer);
	if (!writer) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", name);

	writer->scene = writer->loaded = scene;
	writer->options = given;
	writer->output = output;
	bspi_canceler_begin(&writer->canceler, given.progress, given.progress_user, "write");
	bool written = write_with(writer, format);
	if (!written && error) *error = writer->failure;
	bspi_heap_give(&heap, writer);
	return written;
}

bool bspscene_write(const bspscene_scene *scene, const char *name, const bspscene_write_options *options,
                    const bspscene_output *output, bspscene_error *error)
{
	bspscene_output known;
	assert(scene && name && output);
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	if (!bspscene_struct_read(&known, sizeof known, BSPI_END_OF(bspscene_output, end), output, "output", error)) {
		return false;
	}
	assert(known.begin && known.write && known.end);
	const bspi_writer_format *format = find_format(name);
	if (!format) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: there is no such writer", name);
	}
	return bspi_write_by(format, scene, options, &known, error);
}
