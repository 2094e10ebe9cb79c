/* Promise: a model file that is opened by its path is opened with its game: the nearest directory around it that is a
 * game, or the directory in which the folder of models lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "sources/open_source.h"

static void folders_of_models_lie_in_the_game(void **state)
{
	static const char *const cases[][2] = {
		{ "/no/such/game/models", "/no/such/game" },
		{ "/no/such/game/models/players/p", "/no/such/game" },
		{ "/no/such/game/progs", "/no/such/game" },
		{ "/no/such/game/sprites/models", "/no/such/game/sprites" },
		{ "/no/such/game/models2", "/no/such/game/models2" },
		{ "/no/such/mymodels/p", "/no/such/mymodels/p" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char directory[64];
		snprintf(directory, sizeof directory, "%s", cases[i][0]);
		bspi_cut_model_game(directory);
		assert_string_equal(directory, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_of_models_lie_in_the_game),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
