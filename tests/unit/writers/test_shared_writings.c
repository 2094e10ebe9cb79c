/* test_shared_writings.c - every writer writes scenes whose materials share pictures with every option, without a
 * fault. The argument is the tier, quick (default), full or exhaustive: 400, 5,000 or 100,000 writings; a second
 * argument is the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/shared_scene.h"

static uint64_t writing_count = 400, first_seed = 1;

/* Most writings have the usual limits, so that few end early, and are without a sky, which takes long. */
static void choose_bytes(uint64_t *seed, uint8_t bytes[BSPT_WRITING_BYTES])
{
	for (int i = 0; i < BSPT_WRITING_BYTES; i++) bytes[i] = (uint8_t)bspt_random(seed);
	if (bspt_random(seed) % 8) bytes[7] = bytes[10] = bytes[11] = 0;
	if (bspt_random(seed) % 4) bytes[12] = (uint8_t)(bspt_random(seed) & 1); /* glb, gltf */
	if (bspt_random(seed) % 4) bytes[1] = BSPSCENE_WRITE_LIGHTING_VERTEX;
}

static bool write_one(uint64_t seed)
{
	uint8_t bytes[BSPT_WRITING_BYTES];
	float styles[256];
	bspt_sink sink;
	bspscene_error error;
	bspscene_write_options options;
	bspt_report report = { .failures = 0 };
	bspt_sample *sample = bspt_sample_make();
	bspt_share_sample(sample, seed);
	choose_bytes(&seed, bytes);
	bspt_choose_writing(bytes, styles, &options);
	const char *writer = bspt_choose_writer(bytes[12]);
	bspscene_output output = bspt_sink_output(&sink);
	sink.fail_after = UINT64_MAX;
	bool ok = bspscene_write(&sample->scene, writer, &options, &output, &error);
	if (ok) BSPT_EXPECT(&report, !sink.open_files && sink.size, "%s leaves files open", writer);
	bspt_assert_clean(&report);
	bspt_sample_free(sample);
	return ok;
}

static void shared_materials_are_written(void **state)
{
	uint64_t whole = 0;
	(void)state;
	for (uint64_t i = 0; i < writing_count; i++) whole += write_one(first_seed + i);
	print_message("%llu of %llu writings are whole\n", (unsigned long long)whole, (unsigned long long)writing_count);
	assert_true(whole > writing_count / 2);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full")) writing_count = 5000;
	if (argc > 1 && !strcmp(argv[1], "exhaustive")) writing_count = 100000;
	if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
	const struct CMUnitTest tests[] = { cmocka_unit_test(shared_materials_are_written) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
