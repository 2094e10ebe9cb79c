/* comma_locale.h - a locale whose decimal point is a comma, as hosts with a user interface may have set. */
#ifndef BSPT_COMMA_LOCALE_H
#define BSPT_COMMA_LOCALE_H

#include <stdbool.h>

/* Sets such a locale for the whole program, making one when none is installed. False, and the reason is printed,
 * when that cannot be done here. setlocale(LC_ALL, "C") ends it. */
bool bspt_set_comma_locale(void);

#endif
