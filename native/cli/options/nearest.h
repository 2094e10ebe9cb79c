/* nearest.h - finds the name that somebody meant who typed another one. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

typedef struct cli_nearest {
	const char *typed;
	const char *name;                  /* the nearest so far; NULL: none is near enough */
	size_t distance;                   /* of it */
} cli_nearest;

/* Compares a known name with what was typed. Take the first name of equal ones. */
void cli_nearest_offer(cli_nearest *nearest, const char *name);

#endif
