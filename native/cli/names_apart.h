/* names_apart.h - makes names unique without regard to case, because many systems take "A.tga" and "a.tga" for one
 * file. */
#ifndef CLI_NAMES_APART_H
#define CLI_NAMES_APART_H

#include "cli/text_set.h"

/* A set of names. It is empty if all bytes are zero. */
typedef struct cli_names_apart {
	cli_text_set folded;               /* all returned names, in lowercase */
	uint32_t *next;                    /* for each name in `folded`, the next number to try */
	size_t room;
} cli_names_apart;

/* Returns the name itself if it is unique, else with a number before its ending ("a_2.tga"), in new memory. Lowercase
 * is computed for ASCII, Latin-1, Greek and Cyrillic. */
char *cli_name_apart(cli_names_apart *names, const char *name);
void cli_names_apart_free(cli_names_apart *names);

#endif
