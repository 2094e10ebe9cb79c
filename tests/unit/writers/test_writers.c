/* test_writers.c - every writer gives complete files or one error, for all options, failing outputs, canceling and
 * failing allocations. Also tests the text of a scene. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/binding.h>

#include "support/captured.h"
#include "support/hostile/comma_locale.h"
#include "support/make/sample_scene.h"
#include "support/text/scene_text.h"

/* Fails the test with the name of the writer if `wanted` is false. */
#define EXPECT(writer, wanted, ...)                                            \
	do {                                                                       \
		if (!(wanted)) {                                                       \
			print_error("the writer %s (writers.def): ", (writer)->name);      \
			fail_msg(__VA_ARGS__);                                             \
		}                                                                      \
	} while (false)

static bool write_to(bspt_captured *captured, const bspt_sample *sample, const char *writer,
                     const bspscene_write_options *options, bspscene_error *error)
{
	bspscene_output output = bspt_capture(captured);
	if (!strcmp(writer, "text")) {
		bspscene_error none;
		return bspt_write_text(&sample->scene, options, &output, error ? error : &none);
	}
	return bspscene_write(&sample->scene, writer, options, &output, error);
}

/* Hosts make menus of the table of writers. Each writer can be selected by name, and by extension if that is unique. */
static void the_table_says_what_is_written(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	const bspscene_writer *const *writers = bspscene_writers();
	(void)state;
	assert_non_null(*writers);
	for (; *writers; writers++) {
		const bspscene_writer *one = *writers;
		bspt_captured captured;
		bspscene_error error;
		char path[64], main_name[64];
		snprintf(path, sizeof path, "a.b/MAP.%s", one->extension);
		const bspscene_writer *found = bspscene_find_writer(path);
		EXPECT(one, found == (one->chosen_by_extension ? one : NULL),
		       "about.chosen_by_extension is %d, but bspscene_find_writer(\"%s\") is %s; two writers that "
		       "set it may not have the same extension", one->chosen_by_extension, path, found ? found->name : "NULL");
		snprintf(main_name, sizeof main_name, "sample.%s", one->extension);
		for (int lighting = 0; lighting <= BSPSCENE_WRITE_LIGHTING_BAKED; lighting++) {
			bspscene_write_options options;
			bspscene_write_options_init(&options);
			options.lighting = (bspscene_write_lighting)lighting;
			bool can = !lighting || one->lightings >> lighting & 1;
			bool written = write_to(&captured, sample, one->name, &options, &error);
			EXPECT(one, written == can && error.status == (can ? BSPSCENE_OK : BSPSCENE_ERROR_BAD_OPTIONS),
			       "about.lightings %s lighting %d, but bspscene_write ends with status %d: %s",
			       can ? "has the bit of" : "lacks the bit of", lighting, (int)error.status, error.message);
			EXPECT(one, !can || captured.file_count, "writes no file; call bspi_begin (writers.h)");
			EXPECT(one, !can || !strcmp(captured.files[0].name, main_name),
			       "its first file is called %s; with about.extension \"%s\" it should be %s", captured.files[0].name,
			       one->extension, main_name);
			bspt_captured_free(&captured);
			float share = bspscene_load_share(one->name, options.lighting);
			EXPECT(one, share > 0 && share < 1, "load_share is %g; it is a share between 0 and 1 (writers.h)",
			       (double)share);
		}
		float usual = bspscene_load_share(one->name, 0), named = bspscene_load_share(one->name, one->lighting);
		EXPECT(one, usual <= named && usual >= named, "the default lighting has the share %g, lighting %d has %g",
		       (double)usual, (int)one->lighting, (double)named);
		EXPECT(one, one->lightings >> one->lighting & 1,
		       "about.lighting is %d, of which about.lightings lacks the bit; add it", (int)one->lighting);
	}
	const bspscene_writer *glb = bspscene_find_writer("ATRIUM.GLB");
	assert_non_null(glb);
	assert_string_equal(glb->name, "glb");
	assert_null(bspscene_find_writer("glb"));
	assert_null(bspscene_find_writer(""));
	bspt_sample_free(sample);
}

static void bad_options_are_refused(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	bspt_captured captured;
	bspscene_error error;
	bspscene_write_options options;
	(void)state;
	assert_false(write_to(&captured, sample, "dae", NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(error.message, "dae"));
	const size_t first_size = offsetof(bspscene_write_options, report) + sizeof options.report;
	for (size_t size = 0; size < sizeof options + 8; size++) {
		bspscene_write_options given[2];
		memset(given, 0, sizeof given);
		given->struct_size = size;
		bool written = write_to(&captured, sample, "text", given, &error);
		assert_int_equal(written, size >= first_size);
		assert_int_equal(error.status, written ? BSPSCENE_OK : BSPSCENE_ERROR_BAD_OPTIONS);
		bspt_captured_free(&captured);
	}
	bspscene_write_options_init(&options);
	options.lighting = (bspscene_write_lighting)(BSPSCENE_WRITE_LIGHTING_BAKED + 1);
	assert_false(write_to(&captured, sample, "glb", &options, NULL));
	assert_int_equal(captured.calls, 0);
	bspscene_write_options_init(&options);
	options.compress = (bspscene_compress)(BSPSCENE_COMPRESS_MESHOPT + 1);
	assert_false(write_to(&captured, sample, "glb", &options, NULL));
	assert_int_equal(captured.calls, 0);
	bspt_sample_free(sample);
}

static void files_are_named_after_the_main_one(void **state)
{
	static const struct { const char *writer, *file_name, *scene_name, *want; } cases[] = {
		{ "glb", NULL, "sample", "sample.glb" }, { "text", NULL, "sample", "sample.txt" },
		{ "obj", "x.y.obj", "sample", "x.y.obj" },
		{ "glb", NULL, "../maps\\a:b\x01", ".._maps_a_b_.glb" }, { "glb", NULL, "", "map.glb" },
		{ "text", "plain", "sample", "plain" },
	};
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_captured captured;
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.file_name = cases[i].file_name;
		sample->scene.name = cases[i].scene_name;
		assert_true(write_to(&captured, sample, cases[i].writer, &options, NULL));
		assert_string_equal(captured.files[0].name, cases[i].want);
		bspt_captured_free(&captured);
	}
	bspt_sample_free(sample);
}

static void every_failure_of_the_output_ends_the_writer(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	for (const bspscene_writer *const *one = bspscene_writers(); *one; one++) {
		bool written = false;
		uint32_t call = 0;
		while (!written) {
			bspt_captured captured;
			bspscene_error error;
			bspscene_output output = bspt_capture(&captured);
			captured.fail_at_call = ++call;
			written = bspscene_write(&sample->scene, (*one)->name, NULL, &output, &error);
			EXPECT(*one, error.status == (written ? BSPSCENE_OK : BSPSCENE_ERROR_IO),
			       "call %u of the output fails, and the status is %d", call, (int)error.status);
			EXPECT(*one, !captured.called_after_failure, "calls the output again after its call %u failed", call);
			EXPECT(*one, written == (captured.calls < call), "says %s, although call %u of the output %s",
			       written ? "that all is written" : "that it failed", call,
			       captured.calls < call ? "never came" : "failed");
			bspt_captured_free(&captured);
		}
		EXPECT(*one, call >= 3, "made %u calls of the output; a file is begun, written and ended", call - 1);
	}
	bspt_sample_free(sample);
}

typedef struct patience {
	uint32_t calls, cancel_at;
} patience;

static bspscene_progress_result lose_patience(void *user, const char *stage, double fraction)
{
	patience *p = user;
	assert_true(*stage && fraction >= 0 && fraction <= 1);
	return ++p->calls == p->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

static void every_progress_call_can_cancel(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	for (const bspscene_writer *const *one = bspscene_writers(); *one; one++) {
		bool written = false;
		for (uint32_t at = 1; !written; at++) {
			patience p = { .cancel_at = at };
			bspt_captured captured;
			bspscene_error error;
			bspscene_write_options options;
			bspscene_write_options_init(&options);
			options.progress = lose_patience;
			options.progress_user = &p;
			written = write_to(&captured, sample, (*one)->name, &options, &error);
			EXPECT(*one, error.status == (written ? BSPSCENE_OK : BSPSCENE_ERROR_CANCELED),
			       "progress call %u cancels, and the status is %d", at, (int)error.status);
			EXPECT(*one, written == (p.calls < at), "%s, although progress call %u %s",
			       written ? "goes on" : "gives up", at, p.calls < at ? "never came" : "canceled");
			bspt_captured_free(&captured);
		}
	}
	bspt_sample_free(sample);
}

/* In this test, only allocations of jansson fail. They are many and small, so they stand for all allocations. */
static uint64_t json_allocations, json_limit;

static void *json_allocate(size_t size)
{
	return ++json_allocations == json_limit ? NULL : malloc(size);
}

static void memory_may_run_out_anywhere(void **state)
{
	json_malloc_t old_allocate;
	json_free_t old_free;
	bspt_sample *sample = bspt_sample_make();
	bool written = false;
	(void)state;
	json_get_alloc_funcs(&old_allocate, &old_free);
	json_set_alloc_funcs(json_allocate, free);
	for (uint64_t limit = 1; !written; limit += 1 + limit / 64) {
		bspt_captured captured;
		bspscene_error error;
		json_allocations = 0;
		json_limit = limit;
		written = write_to(&captured, sample, "glb", NULL, &error);
		assert_int_equal(error.status, written ? BSPSCENE_OK : BSPSCENE_ERROR_OUT_OF_MEMORY);
		assert_true(written == (json_allocations < limit));
		bspt_captured_free(&captured);
	}
	json_set_alloc_funcs(old_allocate, old_free);
	bspt_sample_free(sample);
}

/* The host may have set any locale; files always have decimal points. */
static void the_locale_changes_nothing(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	bool found = false;
	(void)state;
	for (const bspscene_writer *const *one = bspscene_writers(); *one; one++) {
		bspt_captured plain, local;
		assert_true(write_to(&plain, sample, (*one)->name, NULL, NULL));
		found = bspt_set_comma_locale();
		assert_true(write_to(&local, sample, (*one)->name, NULL, NULL));
		setlocale(LC_ALL, "C");
		EXPECT(*one, plain.file_count == local.file_count, "writes %u files, and %u in a locale with decimal commas",
		       plain.file_count, local.file_count);
		for (uint32_t f = 0; f < local.file_count; f++) {
			const bspt_bytes *a = &plain.files[f].bytes, *b = &local.files[f].bytes;
			EXPECT(*one, a->size == b->size && !memcmp(a->data, b->data, b->size),
			       "%s differs in a locale with decimal commas; write numbers with base/number.h", local.files[f].name);
		}
		bspt_captured_free(&plain);
		bspt_captured_free(&local);
	}
	bspt_sample_free(sample);
	if (!found) skip();
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

static char *text_of(const bspt_sample *sample)
{
	bspt_captured captured;
	bspscene_error error;
	if (!write_to(&captured, sample, "text", NULL, &error)) fail_msg("%s", error.message);
	const bspt_bytes *bytes = bspt_captured_file(&captured, "sample.txt");
	assert_non_null(bytes);
	char *text = calloc(bytes->size + 1, 1);
	memcpy(text, bytes->data, bytes->size);
	bspt_captured_free(&captured);
	return text;
}

static void text_says_everything(void **state)
{
	static const char *const lines[] = {
		"scene \"sample\" quake3 quake3 46\n",
		"bounds 0 0 0 to 640 64 72\n",
		"warning texture-missing 2 \"textures: textures/sample/missing\"\n",
		"nodes 12\n\t0 \"root\" root at 0 0 0\n\t1 \"worldspawn\" world parent 0 mesh 0 entity 0 at 0 0 0\n",
		"\t2 \"func_door:1\" brush-entity parent 0 mesh 1 entity 1 at 10 20 30 axes 0 1 0 -1 0 0 0 0 2\n",
		"\t9 \"flare:0\" flare parent 0 material 4 at 0 0 0 hidden color 1 1 1\n",
		"\t0 \"worldspawn\" node 1 model 0 at 0 0 0\n\t\t\"classname\" \"worldspawn\"\n",
		"\t\t\"message\" \"first \\\"line\\\"\\nand second\"\n\t\t\"message\" \"again\"\n",
		"meshes 4\n\t0 \"worldspawn\" model 0 vertices 40 triangles 20 bounds 0 0 0 to 640 64 72\n"
		"\t\thashes positions ",
		"\t3 \"empty\" vertices 0 triangles 0 bounds empty\n",
		"\t\tmaterial 3 fullbright sky vertices 16+4 indices 24+6 faces 4+1\n",
		"\t2 \"textures/sample/grate\" normal mask flags 0 0 size 0 0 image 3 two-sided cutoff 0.25\n",
		"page_sets 1 pages 2\n\tlight style 0 intensity 2\n\t\trgb8 4 4 hash ",
		"\tspot linear node 4 color 1 1 1 intensity 200 radius 400 angles 30 30 style 0\n",
		"camera intermission node 7 fov 90\n",
		"prop \"models/barrel.md3\" node 8 skin 0 static solid 6 flags 3 0 color 1 0.5 1 1 fade 100 200 fade-scale 0.5 "
		"lit-at 1 2 3 dx 0 90\n",
	};
	bspt_sample *sample = bspt_sample_make();
	char *text = text_of(sample);
	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (!strstr(text, lines[i])) fail_msg("no line \"%s\"", lines[i]);
	}
	free(text);
	bspt_sample_free(sample);
}

/* Two texts of a scene must be equal if values differ only by rounding, and must differ if values really change. */
static void text_shows_changes_but_not_noise(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	char *before = text_of(sample);
	(void)state;
	sample->positions[5] += 1e-5f;
	sample->normals[0] = -1e-8f;
	sample->nodes[2].transform[0] = -4.4e-8f;
	char *noise = text_of(sample);
	assert_string_equal(before, noise);
	sample->positions[5] += 1.0f / 256;
	char *moved = text_of(sample);
	assert_string_not_equal(before, moved);
	sample->positions[5] = 0;
	sample->luxels[1][7]++;
	char *lit = text_of(sample);
	assert_string_not_equal(before, lit);
	free(before);
	free(noise);
	free(moved);
	free(lit);
	bspt_sample_free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_says_what_is_written),
		cmocka_unit_test(bad_options_are_refused),
		cmocka_unit_test(files_are_named_after_the_main_one),
		cmocka_unit_test(every_failure_of_the_output_ends_the_writer),
		cmocka_unit_test(every_progress_call_can_cancel),
		cmocka_unit_test(memory_may_run_out_anywhere),
		cmocka_unit_test(the_locale_changes_nothing),
		cmocka_unit_test(text_says_everything),
		cmocka_unit_test(text_shows_changes_but_not_noise),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
