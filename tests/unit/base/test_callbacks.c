/* Promise: callbacks may fail, cancel, return wrong values, and call the library themselves. A callback that failed is
 * not called again, and streams are closed exactly once. Calls that a callback makes have the same results as other
 * calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bake.h>
#include <bspscene/file_system.h>
#include <bspscene/formats.h>
#include <bspscene/image.h>
#include <bspscene/rewrite.h>

#include "support/bspt.h"
#include "support/make/sample_scene.h"

#define ATRIUM "atrium/quake3/maps/atrium.bsp"

static bspt_bytes map;
static uint64_t hash_of_map;           /* hash of the scene that is loaded without companion files */

static int begin(void **state)
{
	(void)state;
	map = bspt_read_fixture(ATRIUM);
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, NULL, NULL);
	if (!scene) return -1;
	hash_of_map = bspt_scene_hash(scene);
	bspscene_scene_free(scene);
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(map.data);
	return 0;
}

/* ---- Calls within calls ----------------------------------------------------------------------------------- */

typedef struct nested {
	bspscene_file_system *files;
	uint32_t calls, same;
} nested;

/* Loads and writes a map from within a callback. The results must be the same as outside of a callback. */
static void call_again(nested *n)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	if (n->calls++ % 16) return;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, NULL, NULL);
	assert_non_null(scene);
	n->same += bspt_scene_hash(scene) == hash_of_map;
	assert_true(bspscene_write(scene, "obj", NULL, &output, NULL));
	bspscene_scene_free(scene);
}

static bool open_and_call(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	nested *n = user;
	call_again(n);
	return bspscene_file_system_open(n->files, stream, path, kind);
}

typedef struct listing {
	nested *nested;
	bspscene_found_file_fn *found;
	void *found_user;
} listing;

static void found_one(void *user, const char *path)
{
	listing *l = user;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	assert_true(bspscene_file_system_open(l->nested->files, &stream, path, BSPSCENE_FILE_SHADER));
	if (stream.close) stream.close(stream.user);
	l->found(l->found_user, path);
}

static void list_and_call(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                          void *found_user)
{
	listing l = { user, found, found_user };
	call_again(l.nested);
	bspscene_file_system_list(l.nested->files, prefix, suffix, found_one, &l);
}

static bspscene_progress_result progress_and_call(void *user, const char *stage, double fraction)
{
	(void)stage;
	(void)fraction;
	call_again(user);
	return BSPSCENE_PROGRESS_CONTINUE;
}

static void callbacks_may_call_the_library(void **state)
{
	(void)state;
	nested n = { .files = bspt_mount_fixtures("atrium/quake3", NULL) };
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, n.files);
	bspscene_scene *alone = bspscene_load_memory(map.data, map.size, &options, NULL);
	options.open_file = open_and_call;
	options.list_files = list_and_call;
	options.file_user = options.progress_user = &n;
	options.progress = progress_and_call;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, NULL);
	assert_true(alone && scene);
	assert_true(bspt_scene_hash(scene) == bspt_scene_hash(alone));
	assert_true(n.calls > 20 && n.same == (n.calls + 15) / 16);
	bspscene_scene_free(scene);
	bspscene_scene_free(alone);
	bspscene_file_system_free(n.files);
}

typedef struct outer {
	bspt_sink sink;
	bspscene_output inner;
	const bspscene_scene *scene;
} outer;

static bool begin_outer(void *user, const char *name)
{
	outer *o = user;
	return o->inner.begin(&o->sink, name);
}

static bool end_outer(void *user)
{
	outer *o = user;
	return o->inner.end(&o->sink);
}

static bool write_and_call(void *user, const void *data, size_t size)
{
	outer *o = user;
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	assert_true(bspscene_write(o->scene, "atlas", NULL, &output, NULL));
	return o->inner.write(&o->sink, data, size);
}

static void outputs_may_write_again(void **state)
{
	(void)state;
	bspt_sample *sample = bspt_sample_make();
	for (uint32_t i = 0; bspscene_writers()[i]; i++) {
		bspt_sink alone;
		bspscene_output plain = bspt_sink_output(&alone), output;
		outer o = { .scene = &sample->scene };
		o.inner = bspt_sink_output(&o.sink);
		bspscene_output_init(&output);
		output.user = &o;
		output.begin = begin_outer;
		output.write = write_and_call;
		output.end = end_outer;
		assert_true(bspscene_write(&sample->scene, bspscene_writers()[i]->name, NULL, &plain, NULL));
		assert_true(bspscene_write(&sample->scene, bspscene_writers()[i]->name, NULL, &output, NULL));
		assert_true(o.sink.hash == alone.hash && o.sink.size == alone.size);
	}
	bspt_sample_free(sample);
}

/* ---- Failures --------------------------------------------------------------------------------------------- */

typedef struct failing {
	uint32_t calls, fail_at;           /* `fail_at` is the number of the failing call, 0 for none */
	bool failed, called_after;
} failing;

static bool fail_now(failing *f)
{
	if (f->failed) f->called_after = true;
	if (++f->calls != f->fail_at) return false;
	return f->failed = true;
}

static bool begin_failing(void *user, const char *name)
{
	(void)name;
	return !fail_now(user);
}

static bool write_failing(void *user, const void *data, size_t size)
{
	(void)data;
	(void)size;
	return !fail_now(user);
}

static bool end_failing(void *user) { return !fail_now(user); }

static void outputs_that_fail_are_not_called_again(void **state)
{
	(void)state;
	bspt_sample *sample = bspt_sample_make();
	for (uint32_t i = 0; bspscene_writers()[i]; i++) {
		const char *writer = bspscene_writers()[i]->name;
		uint32_t calls = 0;
		for (uint32_t at = 0; at <= calls; at += at < 64 ? 1 : calls / 64 + 1) {
			failing f = { .fail_at = at };
			bspscene_error error;
			bspscene_output output;
			bspscene_output_init(&output);
			output.user = &f;
			output.begin = begin_failing;
			output.write = write_failing;
			output.end = end_failing;
			bool ok = bspscene_write(&sample->scene, writer, NULL, &output, &error);
			if (!at) calls = f.calls;
			if (ok != !at || f.called_after) fail_msg("%s: callback %u of %u", writer, at, calls);
			if (!ok) assert_int_equal(error.status, BSPSCENE_ERROR_IO);
		}
		assert_true(calls > 2);
	}
	bspt_sample_free(sample);
}

/* Returns a wrong value. Only CONTINUE continues; every other value cancels. */
static bspscene_progress_result progress_failing(void *user, const char *stage, double fraction)
{
	static const int32_t values[] = { BSPSCENE_PROGRESS_CANCEL, 0, 1, -1, 0x7fffffff };
	failing *f = user;
	(void)stage;
	(void)fraction;
	if (!fail_now(f)) return BSPSCENE_PROGRESS_CONTINUE;
	return (bspscene_progress_result)values[f->fail_at % 5];
}

static void progress_that_cancels_is_not_called_again(void **state)
{
	(void)state;
	uint32_t calls = 0;
	for (uint32_t at = 0; at <= calls; at += at < 32 ? 1 : calls / 32 + 1) {
		failing f = { .fail_at = at };
		bspscene_error error;
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.progress = progress_failing;
		options.progress_user = &f;
		bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, &error);
		if (!at) calls = f.calls;
		if ((scene != NULL) != !at || f.called_after) fail_msg("step %u of %u", at, calls);
		if (!scene) assert_int_equal(error.status, BSPSCENE_ERROR_CANCELED);
		bspscene_scene_free(scene);
	}
	assert_true(calls > 2);
}

/* ---- Lies ------------------------------------------------------------------------------------------------- */

enum lie { LIE_NOTHING, LIE_NO_READ, LIE_SIZE, LIE_ENDLESS, LIE_FAILS, LIE_EMPTY, LIES };

typedef struct liar {
	enum lie lie;
	uint32_t opened, closed;
} liar;

static size_t read_lie(void *user, void *data, size_t size)
{
	const liar *l = user;
	if (l->lie == LIE_FAILS) return SIZE_MAX;
	if (l->lie != LIE_ENDLESS) return 0;
	memset(data, 'a', size);
	return size;
}

static void close_lie(void *user) { ((liar *)user)->closed++; }

static bool open_lie(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	liar *l = user;
	(void)path;
	(void)kind;
	l->opened++;
	stream->user = l;
	stream->close = close_lie;
	if (l->lie == LIE_NOTHING) return true;
	if (l->lie != LIE_NO_READ) stream->read = read_lie;
	stream->size = l->lie == LIE_EMPTY ? 0 : l->lie == LIE_ENDLESS ? UINT64_MAX : (uint64_t)1 << 62;
	return true;
}

static void list_lies(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                      void *found_user)
{
	(void)user;
	(void)prefix;
	(void)suffix;
	found(found_user, "");
	found(found_user, "../../etc/passwd");
	found(found_user, "scripts/\x01.shader");
	for (int i = 0; i < 40; i++) found(found_user, "scripts/same.shader");
}

/* If a stream states a wrong size, its file is treated as missing or damaged. The load gives a scene or an error. */
static void files_may_lie(void **state)
{
	(void)state;
	for (int lie = 0; lie < LIES; lie++) {
		liar l = { .lie = (enum lie)lie };
		bspscene_error error;
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.open_file = open_lie;
		options.list_files = list_lies;
		options.file_user = &l;
		options.memory_limit = (uint64_t)64 << 20;
		bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, &error);
		if (!scene) assert_true(error.status != BSPSCENE_OK && error.message[0]);
		if (l.opened != l.closed) fail_msg("lie %d: %u opened, %u closed", lie, l.opened, l.closed);
		assert_true(l.opened > 0);
		bspscene_scene_free(scene);
		l.opened = l.closed = 0;
		bspscene_stream stream;
		bspscene_stream_init(&stream);
		open_lie(&l, &stream, "map", BSPSCENE_FILE_MAP);
		options.open_file = NULL;
		assert_null(bspscene_load_stream(&stream, &options, &error));
		assert_true(error.status != BSPSCENE_OK && l.closed == 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callbacks_may_call_the_library),
		cmocka_unit_test(outputs_may_write_again),
		cmocka_unit_test(outputs_that_fail_are_not_called_again),
		cmocka_unit_test(progress_that_cancels_is_not_called_again),
		cmocka_unit_test(files_may_lie),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
