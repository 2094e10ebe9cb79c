/* fuzz_writers.c - the input is a map; its last 24 bytes choose the writer, all options, the limits of memory and
 * output, and whether the output fails. If writing fails, there is a message and no file stays open. If it succeeds,
 * all files are closed, and writing again gives the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"
#include "support/check/check_scene.h"
#include "support/make/shared_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TAIL BSPT_WRITING_BYTES
#define MEMORY ((uint64_t)128 << 20)

static bspscene_scene *load(const uint8_t *data, size_t size)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.name = "fuzz";
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.memory_limit = MEMORY;
	return bspscene_load_memory(data, size, &options, &error);
}

/* Writes the scene once and sets `*hash` to the hash of the written files. Returns their size, or 0 if writing failed
 * with an error. */
static uint64_t write_once(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                           uint64_t fail_after, uint64_t *hash, bspt_report *report)
{
	bspt_sink sink;
	bspscene_error error;
	bspscene_output output = bspt_sink_output(&sink);
	sink.fail_after = fail_after;
	bool ok = bspscene_write(scene, writer, options, &output, &error);
	*hash = sink.hash;
	if (!ok) bspt_check_error(&error, report);
	else BSPT_EXPECT(report, !sink.open_files && sink.size <= options->output_limit, "%s: %u files are open", writer,
	                 sink.open_files);
	return ok ? sink.size : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= TAIL) return 0;
	const uint8_t *tail = data + size - TAIL;
	bspscene_scene *scene = load(data, size - TAIL);
	if (!scene) return 0;
	const char *writer = bspt_choose_writer(tail[12]);
	/* Makes materials share pictures. Maps rarely do that, and writers then merge materials. */
	if (tail[21]) bspt_share_materials(scene, tail[21]);

	float styles[256];
	bspscene_write_options options;
	bspt_choose_writing(tail, styles, &options);
	uint64_t fail_after = tail[17] ? (uint64_t)tail[17] * tail[18] * 4 : UINT64_MAX;

	bspt_report report = { .failures = 0 };
	uint64_t hash, again;
	uint64_t written = write_once(scene, writer, &options, fail_after, &hash, &report);
	if (written && tail[19] & 1) {
		options.threads = 4 - options.threads;
		uint64_t rewritten = write_once(scene, writer, &options, fail_after, &again, &report);
		BSPT_EXPECT(&report, rewritten == written && again == hash, "%s: other bytes", writer);
	}
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
