/* comma_locale_windows.c - every Windows has the locale. See comma_locale.h. */
#include "support/hostile/comma_locale.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

bool bspt_set_comma_locale(void)
{
	if (setlocale(LC_ALL, "German") && !strcmp(localeconv()->decimal_point, ",")) return true;
	setlocale(LC_ALL, "C");
	printf("skipped: there is no locale with a decimal comma\n");
	return false;
}
