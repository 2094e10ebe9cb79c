/* writers.c - bspscene_write: finds the writer, reads the options, and bakes the scene as the writer needs it. See
 * writers.h. */
#include "writers/writers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/costs.h"
#include "base/text.h"
#include "baking/baking.h"
#include "images/write/write.h"
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

/* Reports the progress of the bake before writing. It is a bspscene_progress_fn. */
static bspscene_progress_result report_bake(void *user, const char *stage, double fraction)
{
	return bspi_writer_report(user, stage, fraction) ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

static bool complete_options(bspi_writer *writer, const bspi_writer_format *format)
{
	bspscene_write_options *options = &writer->options;
	/* The scene of a model file has no light. So by default no light is written, and the host lights the model. */
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
		                        "options: the format \"%s\" cannot hold light that is baked into pictures",
		                        format->about.name);
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

/* Chooses main_name and stem. The scene's name comes from a file, so characters that file names must not have are
 * replaced. If the options have a file_name, it is used unchanged. */
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

/* Returns the allowed error of the light on models in display steps (of 255); 0: no limit. Every lighting option but
 * NONE needs it, because models always have their light in the vertices. */
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

/* Runs the writer and frees its memory. */
static bool write_with(bspi_writer *writer, const bspi_writer_format *format)
{
	bspscene_scene *baked = NULL;
	bspi_arena_init(&writer->arena, &writer->budget);
	writer->main_name = format->about.name;
	writer->triangle_cost = format->triangle_cost;
	bool written = complete_options(writer, format) && set_limits(writer) &&
	               choose_names(writer, format->about.extension) && bspi_writer_report(writer, "write", 0) &&
	               (bspi_leave_out_skybox(writer, format->contents) || bspi_writer_fail_memory(writer)) &&
	               bake(writer, format, &baked) &&
	               bspi_cost_of_writing(writer, format->contents, true, &writer->work) && bspi_stand_sky(writer) &&
	               format->write(writer) && bspi_writer_report(writer, "write", 1);
	assert(written == !writer->failure.status);
	/* If memory was out, an image that could not be decoded need not be damaged. So the failure is reported as lack of
	 * memory. */
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
	if (!bspi_read_write_options(options, &given, error)) return false;
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
