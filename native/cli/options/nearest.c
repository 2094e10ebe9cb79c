/* nearest.c - see nearest.h. */
#include "cli/options/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Computes the optimal string alignment distance (Damerau 1964): the least number of letters that are inserted,
 * deleted, replaced or swapped with the next one. Both texts have at most LONGEST letters. */
static size_t distance_between(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b), cost[LONGEST + 1][LONGEST + 1];
	for (size_t i = 0; i <= a_length; i++) {
		for (size_t k = 0; k <= b_length; k++) {
			if (!i || !k) {
				cost[i][k] = i + k;
				continue;
			}
			bool differs = a[i - 1] != b[k - 1];
			cost[i][k] = least(least(cost[i - 1][k], cost[i][k - 1]) + 1, cost[i - 1][k - 1] + differs);
			bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
			if (swapped) cost[i][k] = least(cost[i][k], cost[i - 2][k - 2] + 1);
		}
	}
	return cost[a_length][b_length];
}

void cli_nearest_offer(cli_nearest *nearest, const char *name)
{
	size_t length = strlen(nearest->typed);
	if (!length || length > LONGEST || strlen(name) > LONGEST) return;
	/* Accepts a known name if at most about one typed letter in three is wrong, or if it begins with the typed text. */
	bool begins = length > 1 && !strncmp(name, nearest->typed, length);
	size_t distance = begins ? 0 : distance_between(nearest->typed, name), most = (length + 1) / 3;
	if (distance > most || (nearest->name && distance >= nearest->distance)) return;
	nearest->name = name;
	nearest->distance = distance;
}
