/* starve.c - canceled loads, failing memory, streams and outputs. See hostile.h. */
#include "support/hostile/hostile.h"

#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"

/* ---- Cancel ----------------------------------------------------------------------------------------------- */

typedef struct canceller {
	uint32_t calls, cancel_at;         /* `cancel_at` is the number of the call that cancels, 0 for none */
	double last;
	bool bad_stage;                    /* true if a stage is unknown or the fraction decreased */
} canceller;

static bspscene_progress_result on_progress(void *user, const char *stage, double fraction)
{
	canceller *c = user;
	c->calls++;
	if (!bspt_is_text(stage) || !stage[0] || !(fraction >= c->last && fraction <= 1)) c->bad_stage = true;
	c->last = fraction;
	return c->calls == c->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

void bspt_hostile_cancel(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	canceller c = { 0 };
	bspscene_load_options options = victim->options;
	options.progress = on_progress;
	options.progress_user = &c;
	bspt_context(report, "%s with progress", victim->name);
	bspt_hostile_load(victim, victim->data, victim->size, &options, NULL, tally, report);
	uint32_t calls = c.calls;
	BSPT_EXPECT(report, calls > 0 && !c.bad_stage, "progress tells nothing in %u calls", calls);
	for (uint32_t at = 1; at <= calls && !report->failures; at++) {
		if (at > 64 && at % victim->stride) continue;
		c = (canceller){ .cancel_at = at };
		bspt_context(report, "%s canceled at call %u", victim->name, at);
		uint64_t canceled = tally->errors[BSPSCENE_ERROR_CANCELED];
		bspt_hostile_load(victim, victim->data, victim->size, &options, NULL, tally, report);
		BSPT_EXPECT(report, tally->errors[BSPSCENE_ERROR_CANCELED] == canceled + 1, "the load was not canceled");
		BSPT_EXPECT(report, c.calls == at, "progress was called %u times more", c.calls - at);
	}
}

/* ---- Memory ----------------------------------------------------------------------------------------------- */

static void starve_allocations(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	bspscene_load_options options = victim->options;
	bool loaded = false;
	for (uint64_t n = 1; !loaded && !report->failures; n += n < 256 ? 1 : n / 64 * victim->stride) {
		bspt_context(report, "%s with %llu allocations", victim->name, (unsigned long long)n);
		options.allocation_limit = n;
		uint64_t limited = tally->errors[BSPSCENE_ERROR_LIMIT];
		loaded = bspt_hostile_load(victim, victim->data, victim->size, &options, NULL, tally, report);
		BSPT_EXPECT(report, loaded || tally->errors[BSPSCENE_ERROR_LIMIT] == limited + 1, "the error is not the limit");
	}
}

/* The heap may exceed the limit by memory outside of the load's arenas: the context, and buffers of decoders. */
#define HEAP_SLACK ((size_t)512 << 10)

static void starve_memory(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	bspscene_load_options options = victim->options;
	bool loaded = false;
	for (uint64_t limit = 1; !loaded && !report->failures; limit += limit / 8 + 1024) {
		bspt_context(report, "%s within %llu bytes", victim->name, (unsigned long long)limit);
		options.memory_limit = limit;
		uint64_t limited = tally->errors[BSPSCENE_ERROR_MEMORY_LIMIT];
		bspt_heap_reset_peak();
		size_t before = bspt_heap_now();
		loaded = bspt_hostile_load(victim, victim->data, victim->size, &options, NULL, tally, report);
		size_t used = bspt_heap_peak() - before;
		BSPT_EXPECT(report, loaded || tally->errors[BSPSCENE_ERROR_MEMORY_LIMIT] == limited + 1,
		            "the error is not the limit");
		BSPT_EXPECT(report, used <= limit + HEAP_SLACK, "%zu bytes were used", used);
	}
}

void bspt_hostile_starve(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	bspt_victim silent = *victim;
	silent.write_stride = 0;               /* no scenes are written, because writers allocate separately */
	starve_allocations(&silent, tally, report);
	if (!report->failures) starve_memory(&silent, tally, report);
}

/* ---- Streams ---------------------------------------------------------------------------------------------- */

static void try_stream(const bspt_victim *victim, bspt_stream source, uint64_t claimed, bool readable, uint64_t hash,
                       bspt_tally *tally, bspt_report *report)
{
	bspscene_stream stream = bspt_stream_open(&source, claimed);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_stream(&stream, &victim->options, &error);
	tally->loads++;
	BSPT_EXPECT(report, source.closed == 1, "the stream was closed %u times", source.closed);
	BSPT_EXPECT(report, !scene == !readable, "the status is %s", bspscene_status_name(error.status));
	BSPT_EXPECT(report, !scene == (error.status != BSPSCENE_OK), "scene and status disagree");
	if (scene) {
		tally->scenes++;
		BSPT_EXPECT(report, bspt_scene_hash(scene) == hash, "the scene differs from the one in memory");
	} else {
		bspt_check_error(&error, report);
	}
	bspscene_scene_free(scene);
}

void bspt_hostile_streams(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	bspscene_scene *scene = bspscene_load_memory(victim->data, victim->size, &victim->options, NULL);
	BSPT_EXPECT(report, scene, "%s does not load", victim->name);
	if (!scene) return;
	uint64_t hash = bspt_scene_hash(scene);
	bspscene_scene_free(scene);

	const bspt_stream whole = { .data = victim->data, .size = victim->size, .fail_at = SIZE_MAX };
	/* Streams may state a wrong size. If the load then fails, any error is allowed. 0 means that the size is
	 * unknown. */
	const struct {
		uint64_t size;
		bool readable;
	} claims[] = {
		{ victim->size, true }, { UINT64_MAX, true }, { 0, true }, { 1, false },
		{ victim->size + 1, false }, { (uint64_t)1 << 40, false }, { UINT64_MAX - 1, false },
	};
	for (size_t i = 0; i < sizeof claims / sizeof *claims && !report->failures; i++) {
		bspt_context(report, "%s from a stream that claims %llu bytes", victim->name,
		             (unsigned long long)claims[i].size);
		try_stream(victim, whole, claims[i].size, claims[i].readable, hash, tally, report);
	}
	const size_t reads[] = { 1, 3, 4096, 65537 };
	for (size_t i = 0; i < sizeof reads / sizeof *reads && !report->failures; i++) {
		bspt_context(report, "%s in reads of %zu bytes", victim->name, reads[i]);
		bspt_stream slow = whole;
		slow.largest_read = reads[i];
		try_stream(victim, slow, UINT64_MAX, true, hash, tally, report);
	}
	const size_t failures[] = { 0, 1, 8, victim->size / 2, victim->size - 1, victim->size };
	for (size_t i = 0; i < sizeof failures / sizeof *failures && !report->failures; i++) {
		bspt_context(report, "%s from a stream that fails at byte %zu", victim->name, failures[i]);
		bspt_stream failing = whole;
		failing.fail_at = failures[i];
		failing.largest_read = 4096;
		try_stream(victim, failing, UINT64_MAX, false, hash, tally, report);
	}
}

/* ---- Outputs ---------------------------------------------------------------------------------------------- */

/* Limits the memory of writers. Without a limit, baked pictures would become as large as memory allows. */
#define OUTPUT_MEMORY ((uint64_t)32 << 20)

/* Writes repeatedly to an output that fails after a number of bytes, which grows each time. Each attempt repeats all
 * work before the first byte. So the sky, which takes longest, is not drawn. */
static void fill_outputs(const bspt_victim *victim, const bspscene_scene *scene, const char *writer,
                         bspscene_write_options options, bspt_report *report)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_error error;
	options.sky = BSPSCENE_WRITE_SKY_NONE;
	if (!bspscene_write(scene, writer, &options, &output, &error)) return;
	uint64_t size = sink.size, growth = victim->stride > 1 ? 32 : 4;
	for (uint64_t room = 0; room < size && !report->failures; room += (growth - 1) * room + 1) {
		bspt_context(report, "%s by %s into %llu bytes", victim->name, writer, (unsigned long long)room);
		output = bspt_sink_output(&sink);
		sink.fail_after = room;
		bool written = bspscene_write(scene, writer, &options, &output, &error);
		BSPT_EXPECT(report, !written && error.status == BSPSCENE_ERROR_IO, "a full output gives %s",
		            bspscene_status_name(error.status));
		bspt_check_error(&error, report);
	}
}

void bspt_hostile_outputs(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	bspscene_scene *scene = bspscene_load_memory(victim->data, victim->size, &victim->options, NULL);
	BSPT_EXPECT(report, scene, "%s does not load", victim->name);
	tally->loads++;
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.memory_limit = OUTPUT_MEMORY;
	if (victim->no_sky) options.sky = BSPSCENE_WRITE_SKY_NONE;
	for (uint32_t i = 0; scene && bspscene_writers()[i]; i++) {
		const char *writer = bspscene_writers()[i]->name;
		bspt_sink sink;
		bspscene_output output = bspt_sink_output(&sink);
		bspscene_error error;
		bool written = bspscene_write(scene, writer, &options, &output, &error);
		BSPT_EXPECT(report, written && error.status == BSPSCENE_OK, "%s: %s", writer,
		            written ? "status" : error.message);
		uint64_t size = sink.size, hash = sink.hash;
		output = bspt_sink_output(&sink);
		BSPT_EXPECT(report,
		            bspscene_write(scene, writer, &options, &output, NULL) && sink.size == size && sink.hash == hash,
		            "%s writes the same scene differently", writer);
		if (written) fill_outputs(victim, scene, writer, options, report);
	}
	bspscene_scene_free(scene);
}

void bspt_hostile_all(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	void (*const attacks[])(const bspt_victim *, bspt_tally *, bspt_report *) = {
		bspt_hostile_truncate, bspt_hostile_shift, bspt_hostile_patch, bspt_hostile_fields,
		bspt_hostile_cancel, bspt_hostile_starve, bspt_hostile_streams, bspt_hostile_siblings, bspt_hostile_outputs,
	};
	bspt_heap_known();                     /* the first call starts the counting */
	for (size_t i = 0; i < sizeof attacks / sizeof *attacks && !report->failures; i++) {
		attacks[i](victim, tally, report);
	}
}
