/* comma_locale.h - a locale whose decimal point is a comma. Programs with a user interface may set such a locale. */
#ifndef BSPT_COMMA_LOCALE_H
#define BSPT_COMMA_LOCALE_H

#include <stdbool.h>

/* Sets such a locale for the whole program, and makes one if none is installed. If that is impossible, prints the
 * reason and returns false. setlocale(LC_ALL, "C") ends it. */
bool bspt_set_comma_locale(void);

#endif
