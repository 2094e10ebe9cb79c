/* Promise: a name in USD keeps letters and digits, gets '_' for all other characters and before a leading digit, and is
 * truncated before its unique suffix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "writers/usd/usd_text.h"

static void letters_and_digits_stay(void **state)
{
	(void)state;
	static const struct { const char *name, *want; } cases[] = {
		{ "", "_" }, { "wall", "wall" }, { "0", "_0" }, { "9a", "_9a" }, { "a0", "a0" },
		{ "textures/base wall", "textures_base_wall" },
		/* Cases have the first and last letter of each range, and their neighbors in ASCII. */
		{ "az", "az" }, { "AZ", "AZ" }, { "x09", "x09" },
		{ "`{", "__" }, { "@[", "__" }, { "/:", "__" }, { "\xc3\xa9", "__" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char got[BSPI_USD_NAME_SIZE];
		bspi_usd_identifier(cases[i].name, got);
		assert_string_equal(got, cases[i].want);
	}
}

static void long_names_are_cut(void **state)
{
	(void)state;
	char name[3 * BSPI_USD_NAME_SIZE], got[BSPI_USD_NAME_SIZE];
	memset(name, 'b', sizeof name);
	name[sizeof name - 1] = 0;
	bspi_usd_identifier(name, got);
	assert_in_range(strlen(got), BSPI_USD_NAME_SIZE / 2, BSPI_USD_NAME_SIZE - sizeof "_4294967295");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_and_digits_stay),
		cmocka_unit_test(long_names_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
