/* comma_locale_posix.c - see comma_locale.h. */
#define _POSIX_C_SOURCE 200809L       /* declares setenv */

#include "support/hostile/comma_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"

static bool has_comma(const char *name)
{
	if (setlocale(LC_ALL, name) && !strcmp(localeconv()->decimal_point, ",")) return true;
	setlocale(LC_ALL, "C");
	return false;
}

/* Makes a locale in temporary files. The C library keeps a loaded locale, so the files can be removed at once. */
static bool make_one(void)
{
	char directory[256], command[640];
	bspt_make_directory(directory, sizeof directory);
	snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >'%s/log' 2>&1", directory,
	         directory);
	bool made = system(command) == 0 && setenv("LOCPATH", directory, 1) == 0 && has_comma("de_DE.UTF-8");
	unsetenv("LOCPATH");
	bspt_remove_directory(directory);
	return made;
}

bool bspt_set_comma_locale(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "da_DK.UTF-8", "pl_PL.UTF-8", "ru_RU.UTF-8" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (has_comma(names[i])) return true;
	}
	if (make_one()) return true;
	printf("skipped: there is no locale with a decimal comma, and localedef (package locales) made none\n");
	return false;
}
