/* Promise: streams are read completely in portions of any size, closed exactly once, and checked for wrong sizes. Other
 * files are opened only by safe paths, and an invalid one is a counted warning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "io/io.h"
#include "support/bspt.h"

enum { SIZE = 200000 };
static uint8_t content[SIZE];

static void begin(bspi_ctx *ctx, uint64_t limit)
{
	memset(ctx, 0, sizeof *ctx);
	ctx->file = "test.bsp";
	ctx->budget.limit = limit;
	bspi_begin_memory(ctx);
	for (size_t i = 0; i < SIZE; i++) content[i] = (uint8_t)(i * 31 ^ i >> 7);
}

static void end(bspi_ctx *ctx)
{
	bspi_end_memory(ctx);
	assert_int_equal(ctx->budget.used, 0);
}

static void streams_are_read_whole(void **state)
{
	(void)state;
	static const struct {
		size_t size, largest_read;
		uint64_t claimed;
	} cases[] = {
		{ SIZE, 0, SIZE },
		{ SIZE, 1, SIZE },
		{ SIZE, 4097, SIZE },
		{ SIZE, 0, UINT64_MAX },
		{ SIZE, 1, UINT64_MAX },
		{ SIZE, 65536, UINT64_MAX },
		{ 65536, 0, UINT64_MAX },
		{ 131072, 0, UINT64_MAX },
		{ 0, 0, 0 },
		{ 0, 0, UINT64_MAX },
		{ 1, 0, 1 },
		{ 1, 0, UINT64_MAX },
		{ SIZE, 4097, 0 },
		{ 1, 0, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_ctx ctx;
		begin(&ctx, 64 << 20);
		bspt_stream source = { content, cases[i].size, 0, cases[i].largest_read, SIZE_MAX, 0 };
		bspscene_stream stream = bspt_stream_open(&source, cases[i].claimed);
		bspi_bytes bytes;
		if (!bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes)) fail_msg("case %zu: %s", i, ctx.error.message);
		assert_int_equal(bytes.size, cases[i].size);
		assert_non_null(bytes.data);
		assert_memory_equal(bytes.data, content, bytes.size);
		assert_int_equal(source.closed, 1);
		end(&ctx);
	}
}

static void broken_streams_are_errors(void **state)
{
	(void)state;
	static const struct {
		size_t fail_at;
		uint64_t claimed, limit;
		bspscene_status status;
	} cases[] = {
		{ 0, SIZE, 64 << 20, BSPSCENE_ERROR_IO },
		{ 100000, SIZE, 64 << 20, BSPSCENE_ERROR_IO },
		{ 100000, UINT64_MAX, 64 << 20, BSPSCENE_ERROR_IO },
		{ SIZE_MAX, SIZE + 1, 64 << 20, BSPSCENE_ERROR_IO },
		{ SIZE_MAX, SIZE, SIZE - 1, BSPSCENE_ERROR_MEMORY_LIMIT },
		{ SIZE_MAX, UINT64_MAX, SIZE, BSPSCENE_ERROR_MEMORY_LIMIT },
		{ SIZE_MAX, (uint64_t)1 << 40, 64 << 20, BSPSCENE_ERROR_MEMORY_LIMIT },
		{ SIZE_MAX, (uint64_t)1 << 63, 64 << 20, BSPSCENE_ERROR_MEMORY_LIMIT },
		{ SIZE_MAX, UINT64_MAX - 1, UINT64_MAX, BSPSCENE_ERROR_IO },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_ctx ctx;
		begin(&ctx, cases[i].limit);
		bspt_stream source = { content, SIZE, 0, 5000, cases[i].fail_at, 0 };
		bspscene_stream stream = bspt_stream_open(&source, cases[i].claimed);
		bspi_bytes bytes;
		assert_false(bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes));
		if (ctx.error.status != cases[i].status) fail_msg("case %zu: %s", i, ctx.error.message);
		assert_int_equal(source.closed, 1);
		end(&ctx);
	}
}

static size_t read_too_much(void *user, void *data, size_t size)
{
	(void)user, (void)data;
	return size + 1;
}

static void readers_are_not_believed(void **state)
{
	(void)state;
	for (int known = 0; known < 2; known++) {
		bspi_ctx ctx;
		begin(&ctx, 64 << 20);
		const bspscene_stream stream = { .read = read_too_much, .size = known ? 16 : UINT64_MAX };
		bspi_bytes bytes;
		assert_false(bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes));
		assert_int_equal(ctx.error.status, BSPSCENE_ERROR_IO);
		end(&ctx);
	}
}

/* A callback that returned true but did not set a member of the stream gives an error that names the member. */
static void what_is_not_set_is_said(void **state)
{
	(void)state;
	static const struct {
		bspscene_stream stream;
		const char *words;
	} cases[] = {
		{ { .size = 16 }, "has neither data nor a read function" },
		{ { .size = UINT64_MAX }, "has neither data nor a read function" },
		{ { .data = content, .size = UINT64_MAX }, "has data of unknown size" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_ctx ctx;
		begin(&ctx, 64 << 20);
		bspi_bytes bytes;
		assert_false(bspi_read_stream(&ctx, &ctx.scratch, &cases[i].stream, &bytes));
		assert_int_equal(ctx.error.status, BSPSCENE_ERROR_IO);
		assert_non_null(strstr(ctx.error.message, cases[i].words));
		end(&ctx);
	}
}

/* A stream may lend its memory, which is only valid until the stream is closed. So the load copies what it needs. */
static void lent_bytes_are_copied(void **state)
{
	(void)state;
	bspi_ctx ctx;
	begin(&ctx, 64 << 20);
	uint8_t lent[16] = { 1, 2, 3 };
	const bspscene_stream stream = { .data = lent, .size = sizeof lent };
	bspi_bytes bytes;
	assert_true(bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes));
	memset(lent, 0, sizeof lent);
	assert_int_equal(bytes.size, sizeof lent);
	assert_int_equal(bytes.data[2], 3);
	end(&ctx);
}

typedef struct progress {
	double last;
	uint64_t calls, cancel_at;
} progress;

static bspscene_progress_result watch(void *user, const char *stage, double fraction)
{
	progress *p = user;
	assert_string_equal(stage, "read");
	assert_true(fraction >= p->last && fraction <= 1);
	p->last = fraction;
	return ++p->calls == p->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

static void reading_reports_and_cancels(void **state)
{
	(void)state;
	enum { LARGE = 9 << 20 };
	uint8_t *large = calloc(LARGE, 1);
	assert_non_null(large);
	for (uint64_t cancel_at = 0; cancel_at <= 3; cancel_at++) {
		bspi_ctx ctx;
		progress p = { 0, 0, cancel_at };
		begin(&ctx, 64 << 20);
		ctx.options.progress = watch;
		ctx.options.progress_user = &p;
		bspt_stream source = { large, LARGE, 0, 65536, SIZE_MAX, 0 };
		bspscene_stream stream = bspt_stream_open(&source, cancel_at % 2 ? LARGE : UINT64_MAX);
		bspi_bytes bytes;
		assert_int_equal(bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes), !cancel_at);
		/* Progress is called every 4 MiB, not for each small portion. */
		assert_int_equal(p.calls, cancel_at ? cancel_at : 3);
		assert_int_equal(ctx.error.status, cancel_at ? BSPSCENE_ERROR_CANCELED : BSPSCENE_OK);
		assert_int_equal(source.closed, 1);
		end(&ctx);
	}
	free(large);
}

/* ---- Files and siblings ----------------------------------------------------------------------------------- */

static void files_are_opened(void **state)
{
	(void)state;
	char directory[512], path[600], message[600];
	bspt_make_directory(directory, sizeof directory);
	snprintf(path, sizeof path, "%s/file", directory);
	for (size_t i = 0; i < SIZE; i++) content[i] = (uint8_t)i;
	bspt_write_file(path, content, SIZE);
	bspi_ctx ctx;
	begin(&ctx, 64 << 20);
	bspscene_stream stream;
	bspscene_error error = { 0 };
	bspi_bytes bytes;
	assert_true(bspi_open_native(&bspi_system_heap, path, &stream, &error));
	assert_int_equal(stream.size, SIZE);
	assert_true(bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes));
	bspt_bytes wanted = bspt_read_file(path);
	assert_int_equal(bytes.size, wanted.size);
	assert_memory_equal(bytes.data, wanted.data, wanted.size);
	free(wanted.data);
	end(&ctx);

	assert_false(bspi_open_native(&bspi_system_heap, directory, &stream, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_IO);
	snprintf(message, sizeof message, "%s: is a directory", directory);
	assert_string_equal(error.message, message);
	snprintf(path, sizeof path, "%s/none", directory);
	assert_false(bspi_open_native(&bspi_system_heap, path, &stream, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_NOT_FOUND);
	assert_false(bspi_open_native(&bspi_system_heap, path, &stream, NULL));
	bspt_remove_directory(directory);
}

typedef struct game {
	bspt_stream stream;
	uint64_t claimed;
	const char *origin;
	uint32_t asked;
	char path[300];
	bspscene_file_kind kind;
} game;

static bool open_in_game(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	game *g = user;
	g->asked++;
	g->kind = kind;
	snprintf(g->path, sizeof g->path, "%s", path);
	if (!strstr(path, "there")) return false;
	*stream = bspt_stream_open(&g->stream, g->claimed);
	stream->origin = g->origin;
	return true;
}

static void siblings_come_by_safe_paths(void **state)
{
	(void)state;
	static const struct {
		const char *path, *asked;
	} cases[] = {
		{ "textures/there.tga", "textures/there.tga" },
		{ "Textures\\There\\there.tga", "Textures/There/there.tga" },
		{ "/./textures//there.tga", "textures/there.tga" },
		{ "../there.tga", NULL },
		{ "textures/../../there.tga", NULL },
		{ "c:\\quake3\\there.tga", NULL },
		{ "", NULL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int only_find = 0; only_find < 2; only_find++) {
			bspi_ctx ctx;
			begin(&ctx, 64 << 20);
			game g = { .stream = { content, 100, 0, 0, SIZE_MAX, 0 }, .claimed = 100, .origin = "pak0.pk3" };
			ctx.options.open_file = open_in_game;
			ctx.options.file_user = &g;
			bspi_sibling found = { BSPI_NO_BYTES, NULL, NULL };
			bool ok = only_find ? bspi_find_sibling(&ctx, cases[i].path, BSPSCENE_FILE_TEXTURE, &found)
			                    : bspi_open_sibling(&ctx, &ctx.scratch, cases[i].path, BSPSCENE_FILE_TEXTURE, &found);
			assert_int_equal(ctx.error.status, BSPSCENE_OK);
			assert_int_equal(ok, cases[i].asked != NULL);
			assert_int_equal(g.asked, ok);
			assert_int_equal(g.stream.closed, ok);
			if (ok) {
				assert_string_equal(g.path, cases[i].asked);
				assert_int_equal(g.kind, BSPSCENE_FILE_TEXTURE);
				assert_string_equal(found.path, cases[i].asked);
				assert_string_equal(found.archive, "pak0.pk3");
				assert_int_equal(found.bytes.size, only_find ? 0 : 100);
			} else {
				assert_int_equal(ctx.warning_count, 1);
				assert_int_equal(ctx.warnings[0].code, BSPSCENE_WARNING_NAME_UNSAFE);
			}
			end(&ctx);
		}
	}
}

static void broken_siblings_are_warnings(void **state)
{
	(void)state;
	static const struct {
		size_t fail_at;
		uint64_t claimed, limit;
		bspscene_status status;
		uint32_t warnings;
	} cases[] = {
		{ 50, 100, 1 << 20, BSPSCENE_OK, 1 },
		{ 50, UINT64_MAX, 1 << 20, BSPSCENE_OK, 1 },
		{ SIZE_MAX, 101, 1 << 20, BSPSCENE_OK, 1 },
		{ SIZE_MAX, 2 << 20, 1 << 20, BSPSCENE_ERROR_MEMORY_LIMIT, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_ctx ctx;
		begin(&ctx, cases[i].limit);
		ctx.options.strict = true;     /* strict, so that only this file can fail the load */
		game g = { .stream = { content, 100, 0, 0, cases[i].fail_at, 0 }, .claimed = cases[i].claimed };
		ctx.options.open_file = open_in_game;
		ctx.options.file_user = &g;
		bspi_sibling found;
		assert_false(bspi_open_sibling(&ctx, &ctx.scratch, "there", BSPSCENE_FILE_LIGHT, &found));
		assert_int_equal(ctx.error.status, cases[i].status);
		assert_int_equal(ctx.warning_count, cases[i].warnings);
		if (cases[i].warnings) assert_int_equal(ctx.warnings[0].code, BSPSCENE_WARNING_FILE_MISSING);
		assert_int_equal(g.stream.closed, 1);
		end(&ctx);
	}
	bspi_ctx ctx;
	bspi_sibling found;
	begin(&ctx, 1 << 20);
	assert_false(bspi_open_sibling(&ctx, &ctx.scratch, "there", BSPSCENE_FILE_LIGHT, &found));
	assert_false(bspi_find_sibling(&ctx, "there", BSPSCENE_FILE_LIGHT, &found));
	assert_int_equal(ctx.warning_count, 0);
	end(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_are_read_whole),
		cmocka_unit_test(broken_streams_are_errors),
		cmocka_unit_test(readers_are_not_believed),
		cmocka_unit_test(what_is_not_set_is_said),
		cmocka_unit_test(lent_bytes_are_copied),
		cmocka_unit_test(reading_reports_and_cancels),
		cmocka_unit_test(files_are_opened),
		cmocka_unit_test(siblings_come_by_safe_paths),
		cmocka_unit_test(broken_siblings_are_warnings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
