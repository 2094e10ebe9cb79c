/* nearest.h - finds the known name that is nearest to a mistyped one. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

typedef struct cli_nearest {
	const char *typed;
	const char *name;                  /* the nearest name so far; NULL: none is near enough */
	size_t distance;                   /* the distance of `name` from `typed` */
} cli_nearest;

/* Compares a known name with the typed one. Of equally near names, keeps the first. */
void cli_nearest_offer(cli_nearest *nearest, const char *name);

#endif
