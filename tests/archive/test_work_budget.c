/* test_work_budget.c - checks the limits of the work that a small archive can cause in a catalog: numbers of lines and
 * members, and of bytes that are unpacked and hashed. The argument is a folder with the output of archive_bombs.py. A
 * second argument names the only test to run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/catalog/catalog_entry.h"
#include "archive/catalog/members.h"

static const char *folder;

/* What the catalog of one file printed: counts of lines by kind, and the last line. */
typedef struct catalog_result {
	uint32_t maps, errors, stops;
	cli_work_budget work;
	char last[4096];                   /* the last line of the catalog */
} catalog_result;

/* A cli_catalog_line_fn that counts the lines and keeps the last one. */
static bool count_line(void *user, char *line)
{
	catalog_result *result = user;
	bool is_error = strstr(line, "\"error\":") != NULL;
	result->maps += !is_error;
	result->errors += is_error;
	result->stops += strstr(line, "\"error\":\"stopped: ") != NULL;
	snprintf(result->last, sizeof result->last, "%s", line);
	free(line);
	return true;
}

static char *path_of(const char *name, char out[4096])
{
	snprintf(out, 4096, "%s/%s", folder, name);
	return out;
}

static catalog_result catalog(const char *name)
{
	char path[4096];
	const cli_map_folder *folders[2] = { NULL, NULL };
	cli_args args = { .quiet = true };
	catalog_result result = { .maps = 0 };
	assert_true(cli_catalog_file(path_of(name, path), folders, &args, count_line, &result, &result.work));
	return result;
}

/* For a file of at most a million bytes, these are the limits of work_budget.c. */
enum { MIB = 1 << 20 };
#define MOST_UNPACKED ((uint64_t)256 * MIB + 64 * 1000000)
#define MOST_WRITTEN ((uint64_t)4 * MIB + 4 * 1000000)

static void bombs_are_stopped(void **state)
{
	static const struct {
		const char *name;
		uint32_t most_maps;
		cli_work_kind met;
	} cases[] = {
		{ "fan.zip", 12000, CLI_WORK_WRITTEN },
		{ "wide.pk3", 60, CLI_WORK_UNPACKED },
		{ "packed_maps.pk3", 8, CLI_WORK_UNPACKED },
		{ "broken_packed_maps.pk3", 0, CLI_WORK_UNPACKED },
#ifdef HAVE_LIBARCHIVE
		{ "tars.zip", 0, CLI_WORK_UNPACKED },
		{ "refused_tars.zip", 0, CLI_WORK_UNPACKED },
		{ "broken_tars.zip", 0, CLI_WORK_UNPACKED },
#endif
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		catalog_result result = catalog(cases[i].name);
		print_message("%s: %u maps, %u errors, %llu bytes unpacked\n", cases[i].name, result.maps, result.errors,
		              (unsigned long long)result.work.used[CLI_WORK_UNPACKED]);
		assert_true(result.maps <= cases[i].most_maps);
		assert_int_equal(result.stops, 1);
		assert_int_equal(result.work.met, cases[i].met);
		assert_true(result.work.used[CLI_WORK_UNPACKED] <= MOST_UNPACKED);
		assert_true(result.work.used[CLI_WORK_WRITTEN] <= MOST_WRITTEN);
		assert_non_null(strstr(result.last, " more are left out; the outermost file, of "));
	}
}

/* The last line of the catalog says in which nested archive the catalog stopped. Once, it named only the outermost
 * file. */
static void the_place_where_it_stopped_is_told(void **state)
{
	(void)state;
	const catalog_result fan = catalog("fan.zip");
	assert_non_null(strstr(fan.last, "\"members\":[\"0_x.pk3\",\"1"));
	assert_non_null(strstr(fan.last, "_x.bsp\"],\"error\":\"stopped: this file and "));
	assert_non_null(strstr(catalog("wide.pk3").last, "\"members\":[\"1042.pk3\",\"maps/a00000.bsp\"]"));
}

/* Ten thousand names of the archive share one content, so only the first name is read. */
static void overlaps_are_refused(void **state)
{
	(void)state;
	catalog_result result = catalog("overlap.pk3");
	assert_int_equal(result.maps, 1);
	assert_int_equal(result.errors, 9999);
	assert_int_equal(result.stops, 0);
	assert_true(result.work.used[CLI_WORK_UNPACKED] < 7 * MIB);
}

/* Light files next to maps of a nested archive are read from the open archive. Once, all outer archives were read again
 * for each map. */
static void light_is_read_from_open_archives(void **state)
{
	(void)state;
	catalog_result result = catalog("lights.zip");
	assert_int_equal(result.maps, 1000);
	assert_int_equal(result.stops, 0);
	assert_non_null(strstr(result.last, "\"light\":"));
}

static void honest_archives_are_whole(void **state)
{
	(void)state;
	catalog_result result = catalog("nested.zip");
	assert_int_equal(result.maps, 200);
	assert_int_equal(result.errors, 0);
	/* A valid archive causes much less work than the limits allow. */
	assert_true(result.work.used[CLI_WORK_UNPACKED] * 8 < MOST_UNPACKED);
	assert_true(result.work.used[CLI_WORK_WRITTEN] * 8 < MOST_WRITTEN);
	assert_int_equal(result.work.used[CLI_WORK_MEMBERS], 800);
}

/* If the budget is spent, the error says so. Once, it said "cannot be unpacked". */
static void a_spent_budget_is_the_reason(void **state)
{
	char path[4096];
	cli_members members = { .depth = 0 };
	bspscene_error error;
	(void)state;
	assert_true(cli_members_begin(&members, path_of("nested.zip", path), &error));
	assert_false(cli_work_take(&members.work, CLI_WORK_UNPACKED, UINT64_MAX));
	assert_false(cli_members_enter(&members, cli_members_next(&members), &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_LIMIT);
	assert_non_null(strstr(error.message, " bytes, is limited to "));
	assert_int_equal(cli_members_left(&members), 199);
	cli_members_end(&members);
}

/* Loading a map ends as soon as the archive's budget is spent. */
static void a_load_takes_no_more_than_is_left(void **state)
{
	cli_work_budget work;
	(void)state;
	cli_work_begin(&work, 0);
	assert_true(cli_work_take(&work, CLI_WORK_UNPACKED, (uint64_t)255 * MIB));
	const bspscene_allocator *allocator = cli_work_allocator(&work, true);
	void *data = allocator->allocate(allocator->user, MIB / 2);
	assert_non_null(data);
	allocator->release(allocator->user, data);
	assert_false(work.is_met);
	assert_null(allocator->allocate(allocator->user, MIB));
	assert_true(work.is_met);
	assert_int_equal(work.met, CLI_WORK_UNPACKED);
}

/* The size of a VPK includes its volumes, because its directory alone is small. */
static void volumes_are_part_of_the_size(void **state)
{
	static const struct { const char *name; long size; } files[] = {
		{ "base_dir.vpk", 100 }, { "base_000.vpk", 5000 }, { "base_017.vpk", 300 }, { "base_dirt.vpk", 7 },
		{ "other_000.vpk", 90000 },
	};
	char path[4096];
	cli_work_budget work;
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		FILE *file = fopen(path_of(files[i].name, path), "wb");
		assert_non_null(file);
		for (long k = 0; k < files[i].size; k++) fputc(0, file);
		assert_int_equal(fclose(file), 0);
	}
	cli_work_begin_archive(&work, path_of("base_dir.vpk", path));
	assert_int_equal(work.size, 5400);
	cli_work_begin_archive(&work, path_of("other_000.vpk", path));
	assert_int_equal(work.size, 90000);
	cli_work_begin_archive(&work, folder);
	assert_true(work.size == UINT64_MAX);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bombs_are_stopped),
		cmocka_unit_test(the_place_where_it_stopped_is_told),
		cmocka_unit_test(overlaps_are_refused),
		cmocka_unit_test(light_is_read_from_open_archives),
		cmocka_unit_test(honest_archives_are_whole),
		cmocka_unit_test(a_spent_budget_is_the_reason),
		cmocka_unit_test(a_load_takes_no_more_than_is_left),
		cmocka_unit_test(volumes_are_part_of_the_size),
	};
	if (argc < 2) return 2;
	folder = argv[1];
	if (argc > 2) cmocka_set_test_filter(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
