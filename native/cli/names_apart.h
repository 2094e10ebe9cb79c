/* names_apart.h - names that stay apart on every system: many tell "A.tga" and "a.tga" for one file. */
#ifndef CLI_NAMES_APART_H
#define CLI_NAMES_APART_H

#include "cli/text_set.h"

/* {0} has none. */
typedef struct cli_names_apart {
	cli_text_set folded;               /* all names given out, without their case */
	uint32_t *next;                    /* what to try next for the name of each number; there is room for `room` */
	size_t room;
} cli_names_apart;

/* The name itself when no other was like it, else with a number before its ending ("a_2.tga"), in new memory. Letters
 * without accents, Latin-1, Greek and Cyrillic lose their case. */
char *cli_name_apart(cli_names_apart *names, const char *name);
void cli_names_apart_free(cli_names_apart *names);

#endif
