/* Promise: a file that is no supported map is described by its first bytes, without a read past its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "map/family.h"
#include "support/map/map_reading.h"

static void foreign_files_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *start;
		size_t size;
		const char *says;
		bspscene_status status;
	} cases[] = {
		{ "", 0, "an empty file", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "I", 1, "text beginning with \"I\"", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "\n\n", 2, "a text without letters", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "\t\r\nint x;\n", 10, "text beginning with \"int x;\"", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "IBSP", 4, "cut off", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "IBSP\x2e\0\0", 7, "cut off", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "BSP\x2e\0\0\0\x20", 8, "a map whose first byte is missing", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "BSP is a tree", 13, "text beginning with \"BSP is a tree\"", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "IBSP\x2e\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "version https://git-lfs.github.com/spec/v1\n", 43, "Git LFS pointer", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "IDP3\x0f\0\0\0", 8, "MD3 model", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "PK\3\4\x14\0\0\0", 8, "ZIP archive (pk3), which may hold maps", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "#include <stdio.h>\nint main", 27, "text beginning with \"#include <stdio.h>\"",
		  BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "\1\2\3\4\xff\xfe\xfd\xfc", 8, "unknown data beginning with 01 02 03 04 ff fe fd fc",
		  BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "\0\0\0\0\0\0\0\0\0\0", 10, "unknown data", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "IBSP\x1f\0\0\0", 8, "IBSP map of an unknown version", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "IBSP\x16\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "IBSP\x3b\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "IBSP\x11\0\0\0", 8, "unknown version", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "IBSP\x3a\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "IBSP\x4e\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "IBSP\x48\0\0\0", 8, "UFO: Alien Invasion", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "IBSP\x29\0\0\0", 8, "Daikatana", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "IBSP\x2d\0\0\0", 8, "Q3Test", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "IBSP\x63\0\0\0", 8, "unknown version", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "IBSP\x04\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "rBSP\x25\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "rBSP\x31\0\1\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "rBSP\x1e\0\0\0", 8, "Titanfall", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "PSBr\0\0\0\x1d", 8, "big-endian console map", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "PSBV\0\0\0\x14", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "PSBV\0\0\0\x13", 8, "big-endian Source", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "VBSP\x1b\0\0\0", 8, "ends in its header", BSPSCENE_ERROR_BAD_HEADER },
		{ "VBSP\x2a\0\0\0", 8, "Desolation", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "VBSP\x2b\0\0\0", 8, "Desolation", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "BZh91AY&SY", 10, "bzip2", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "<!DOCTYPE html>", 15, "an HTML page", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "<html><head>", 12, "an HTML page", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "\xEF\xBB\xBF\n <HTML>", 11, "an HTML page, perhaps the error page of a download; download the file again",
		  BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "<?xml version='1.0'?><Error>", 28, "an HTML page", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "<h", 2, "text beginning with \"<h\"", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "/annex/objects/SHA256E-s1--0.bsp\n", 33, "git annex get", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "[InternetShortcut]\r\nURL=http://a", 32, "a saved link", BSPSCENE_ERROR_UNKNOWN_FORMAT },
		{ "\0\0\0\x1d\0\0\0\x7c", 8, "big-endian Quake", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
		{ "\x1c\0\0\0\x7c\0\0\0", 8, "pre-release", BSPSCENE_ERROR_UNSUPPORTED_FORMAT },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		/* The buffer is exactly as large as the file, so that reads past its end are detected. */
		uint8_t *data = malloc(cases[i].size ? cases[i].size : 1);
		assert_non_null(data);
		memcpy(data, cases[i].start, cases[i].size);
		bspt_reading f;
		assert_false(bspt_read_bytes(&f, data, cases[i].size, false));
		if (f.ctx.error.status != cases[i].status || !strstr(f.ctx.error.message, cases[i].says)) {
			fail_msg("case %zu: %s: %s", i, bspscene_status_name(f.ctx.error.status), f.ctx.error.message);
		}
		assert_null(strchr(f.ctx.error.message, '\n'));
		bspt_end_reading(&f);
		free(data);
	}
}

/* Maps of Quake and Half-Life have no magic, of which a part could remain. They must be recognized by their
 * directory. */
static void maps_without_their_first_byte_are_named(void **state)
{
	(void)state;
	uint32_t named = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++) {
			const bspi_variant *variant = &bspi_families[f]->variants[v];
			bspt_parts parts;
			if (!bspt_room_parts(bspi_families[f], variant, &parts)) continue;
			bspt_bytes room = bspt_build_room(bspi_families[f], variant);
			bspt_reading reading;
			assert_false(bspt_read_bytes(&reading, room.data + 1, room.size - 1, false));
			bool is_named = strstr(reading.ctx.error.message, "first byte is missing") != NULL;
			bool quake = !strcmp(variant->name, "quake") || !strcmp(variant->name, "goldsrc");
			if (quake && !is_named) fail_msg("%s: %s", variant->name, reading.ctx.error.message);
			named += is_named;
			bspt_end_reading(&reading);
			free(room.data);
		}
	}
	assert_true(named >= 20);
}

static void all_families_are_named(void **state)
{
	(void)state;
	bspt_reading f;
	assert_false(bspt_read_bytes(&f, (const uint8_t *)"text", 4, false));
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		const char *title = bspi_families[i]->about.title;
		if (!strstr(f.ctx.error.message, title)) fail_msg("no %s: %s", title, f.ctx.error.message);
	}
	assert_non_null(strchr(f.ctx.error.message, ')'));
	bspt_end_reading(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_files_are_named),
		cmocka_unit_test(maps_without_their_first_byte_are_named),
		cmocka_unit_test(all_families_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
