/* test_shared_writings.c - scenes whose materials share pictures are written by every writer with random options. This
 * must cause no fault. The scenes are the sample and rooms of every variant. The first argument is the tier: quick
 * (default) writes 400 times, full 2,500 times, and exhaustive 100,000 times. A second argument is the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/check_scene.h"
#include "support/make/build_map.h"
#include "support/make/shared_scene.h"

#define MEMORY ((uint64_t)128 << 20)
enum { LIGHTINGS = 5, MERGES = 3, WRITERS = 16 };

static uint64_t writing_count = 400, first_seed = 1;
static uint64_t by_choice[LIGHTINGS][MERGES], by_writer[WRITERS];

/* Chooses random options. In most cases, the limits of triangles, memory and output are the usual ones, so that few
 * writings fail early. */
static void choose_bytes(uint64_t *seed, uint8_t bytes[BSPT_WRITING_BYTES])
{
	for (int i = 0; i < BSPT_WRITING_BYTES; i++) bytes[i] = (uint8_t)bspt_random(seed);
	if (bspt_random(seed) % 8) bytes[7] = bytes[10] = bytes[11] = 0;
	if (bspt_random(seed) % 2) bytes[12] = (uint8_t)(bspt_random(seed) & 1); /* GLB or glTF in every second case */
	if (bspt_random(seed) % 2) bytes[1] = BSPSCENE_WRITE_LIGHTING_VERTEX;
}

static bool write_scene(const bspscene_scene *scene, uint64_t seed)
{
	uint8_t bytes[BSPT_WRITING_BYTES];
	float styles[256];
	bspt_sink sink;
	bspscene_error error;
	bspscene_write_options options;
	bspt_report report = { .failures = 0 };
	choose_bytes(&seed, bytes);
	bspt_choose_writing(bytes, styles, &options);
	const char *writer = bspt_choose_writer(bytes[12]);
	bspscene_output output = bspt_sink_output(&sink);
	bool ok = bspscene_write(scene, writer, &options, &output, &error);
	if (ok) BSPT_EXPECT(&report, !sink.open_files && sink.size, "%s leaves files open", writer);
	else bspt_check_error(&error, &report);
	bspt_assert_clean(&report);
	by_choice[options.lighting][options.merge] += ok;
	for (uint32_t i = 0; i < WRITERS && bspscene_writers()[i]; i++) {
		if (!strcmp(bspscene_writers()[i]->name, writer)) by_writer[i] += ok;
	}
	return ok;
}

static bool write_sample(uint64_t seed)
{
	bspt_sample *sample = bspt_sample_make();
	bspt_share_sample(sample, seed);
	bool ok = write_scene(&sample->scene, seed);
	bspt_sample_free(sample);
	return ok;
}

static bool write_room(uint64_t seed)
{
	uint64_t choice = seed;
	const bspi_family *family = bspi_families[bspt_random(&choice) % bspi_family_count];
	bspt_bytes room = bspt_build_room(family, &family->variants[bspt_random(&choice) % family->variant_count]);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.memory_limit = MEMORY;
	bspscene_scene *scene = bspscene_load_memory(room.data, room.size, &options, NULL);
	assert_non_null(scene);
	bspt_share_materials(scene, seed);
	bool ok = write_scene(scene, seed);
	bspscene_scene_free(scene);
	free(room.data);
	return ok;
}

static void print_counts(void)
{
	for (int lighting = 0; lighting < LIGHTINGS; lighting++) {
		print_message("lighting %d:", lighting);
		for (int merge = 0; merge < MERGES; merge++) {
			print_message(" merge %d %llu", merge, (unsigned long long)by_choice[lighting][merge]);
		}
		print_message("\n");
	}
	for (uint32_t i = 0; i < WRITERS && bspscene_writers()[i]; i++) {
		print_message("%s %llu\n", bspscene_writers()[i]->name, (unsigned long long)by_writer[i]);
	}
}

static void shared_materials_are_written(void **state)
{
	uint64_t whole = 0;
	(void)state;
	for (uint64_t i = 0; i < writing_count; i++) {
		whole += i % 4 ? write_sample(first_seed + i) : write_room(first_seed + i);
		if ((i + 1) % 10000) continue;
		print_message("%llu writings, %llu whole\n", (unsigned long long)(i + 1), (unsigned long long)whole);
	}
	print_message("%llu of %llu writings are whole\n", (unsigned long long)whole, (unsigned long long)writing_count);
	print_counts();
	assert_true(whole > writing_count / 2);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full")) writing_count = 2500;
	if (argc > 1 && !strcmp(argv[1], "exhaustive")) writing_count = 100000;
	if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
	const struct CMUnitTest tests[] = { cmocka_unit_test(shared_materials_are_written) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
