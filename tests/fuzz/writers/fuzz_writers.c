/* fuzz_writers.c - the input is a map, its last 24 bytes choose what writes it, and how: every option of a writing,
 * limits of memory and of output, an output that fails. A writing that fails says why and leaves no file open for
 * good; one that succeeds has closed what it began, and gives the same bytes when it is asked again. */
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"
#include "support/check/check_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TAIL 24
#define MEMORY ((uint64_t)128 << 20)

static bspscene_scene *load(const uint8_t *data, size_t size)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.name = "fuzz";
	options.include = BSPSCENE_INCLUDE_ALL;
	options.memory_limit = MEMORY;
	return bspscene_load_memory(data, size, &options, &error);
}

static void choose(const uint8_t *tail, const float *styles, bspscene_write_options *out)
{
	static const float errors[] = { 0, 1, 5, 14, 64, 255 };
	bspscene_write_options_init(out);
	out->file_name = tail[0] & 1 ? "fuzz.out" : NULL;
	out->lighting = (bspscene_write_lighting)(tail[1] % 5);
	out->merge = (bspscene_write_merge)(tail[2] % 3);
	/* A sky has the same size whatever the map: one in 64 is drawn. */
	out->sky = tail[3] < 4 ? (bspscene_write_sky)tail[3] : BSPSCENE_WRITE_NO_SKY;
	out->light_styles = tail[4] & 1 ? styles : NULL;
	out->every_style = tail[4] & 2;
	out->no_lights = tail[4] & 4;
	out->no_entities = tail[4] & 8;
	out->embed = tail[4] & 16;
	out->centimetres = tail[4] & 32;
	out->compress = tail[4] & 64;
	out->packing = (bspscene_write_packing)(tail[20] % 4);
	out->lamp_limit = tail[5] & 1 ? BSPSCENE_NO_INDEX : tail[5] / 2u;
	out->light_error = errors[tail[6] % 6];
	out->triangle_limit = tail[7] * 16u;
	out->compression = (bspscene_compression)(tail[8] % 3);
	out->threads = tail[9] % 4;
	out->memory_limit = tail[10] ? (uint64_t)tail[10] << 14 : MEMORY;
	out->output_limit = tail[11] ? (uint64_t)tail[11] << 8 : (uint64_t)16 << 20;
}

/* The size of the writing, and its hash; 0: it failed, and said so. */
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
	uint32_t writer_count = 0;
	while (bspscene_writers()[writer_count]) writer_count++;
	const char *writer = bspscene_writers()[tail[12] % writer_count]->name;

	float styles[256];
	for (size_t i = 0; i < 256; i++) styles[i] = (float)(tail[13 + i % 4] * (i + 1) % 512) / 255;
	bspscene_write_options options;
	choose(tail, styles, &options);
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
