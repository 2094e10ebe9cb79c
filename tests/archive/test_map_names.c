/* Promise: maps and archives are recognized by the end of their names, in letters of either case. Further parts of a
 * VPK are not archives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/catalog/map_names.h"

static void names_tell_what_they_are(void **state)
{
	static const struct {
		const char *name;
		bool map, archive;
		const char *other;
	} cases[] = {
		{ "maps/a.bsp", true, false, NULL },      { "a.BSP", true, false, NULL },
		{ "a.bsp.gz", true, false, NULL },        { "a.bsp.bz2", true, false, NULL },
		{ "a.bsp.xz", true, false, NULL },        { "a.bsp.zst", true, false, NULL },
		{ "a.bsp.txt", false, false, NULL },      { "bsp", false, false, NULL },
		{ "pak0.pk3", false, true, NULL },        { "pak0.PAK", false, true, NULL },
		{ "a.zip", false, true, NULL },           { "a.pk4", false, true, NULL },
		{ "a.iwd", false, true, NULL },           { "a.pkz", false, true, NULL },
		{ "a.dpk", false, true, NULL },           { "a.kpf", false, true, NULL },
		{ "a.GMA", false, true, NULL },           { "12_legacy.bin", false, true, NULL },
		{ "legacy.bin", false, false, NULL },
		{ "a.sin", false, true, NULL },           { "hl2_misc_dir.vpk", false, true, NULL },
		{ "hl2_misc_000.vpk", false, false, NULL }, { "x_123.VPK", false, false, NULL },
		{ "x_12a.vpk", false, true, NULL },       { "x1234.vpk", false, true, NULL },
		{ "_123.vpk", false, true, NULL },        { "own.vpk", false, true, NULL },
		{ ".vpk", false, false, NULL },           { "map_123.zip", false, true, NULL },
		{ "a.rar", false, false, "RAR" },         { "a.7z", false, false, "7z" },
		{ "a.tar.gz", false, false, "tar" },      { "a.lzh", false, false, "LHA" },
		{ "", false, false, NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = cases[i].name, *other = cli_other_archive_kind(name);
		if (cli_is_map_name(name) != cases[i].map) fail_msg("%s: %d", name, !cases[i].map);
		if (cli_is_archive_name(name) != cases[i].archive) fail_msg("%s as an archive: %d", name, !cases[i].archive);
		if (!other != !cases[i].other || (other && strcmp(other, cases[i].other) != 0)) {
			fail_msg("%s: %s", name, other ? other : "nothing");
		}
		if (cli_catalog_takes(name) != (cases[i].map || cases[i].archive || cases[i].other)) fail_msg("%s", name);
	}
}

static void maps_are_called_after_their_files(void **state)
{
	static const char *const cases[][2] = {
		{ "maps/atrium.bsp.gz", "atrium" }, { "atrium.BSP", "atrium" }, { "a/b.c/d.e.bsp", "d.e" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *name = cli_map_name(cases[i][0]);
		assert_string_equal(name, cases[i][1]);
		free(name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_what_they_are),
		cmocka_unit_test(maps_are_called_after_their_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
