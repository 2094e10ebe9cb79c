/* gallery_likeness.h - records of maps to those that are most like each, by the files they need and their entities.
 *
 * Two maps are as alike as the part of all that either has which both have (Jaccard). That part is estimated from a
 * signature of each map (MinHash: Broder, On the resemblance and containment of documents, 1997), and only maps with an
 * equal piece of it are compared, so that a hundred thousand take a second and not a day. */
#ifndef CLI_GALLERY_LIKENESS_H
#define CLI_GALLERY_LIKENESS_H

#include <jansson.h>
#include <stdint.h>

enum { CLI_NEIGHBORS = 6 };
/* Percent; what is less alike is none. */
enum { CLI_LEAST_LIKENESS = 25 };

typedef struct cli_neighbor {
	uint32_t map; /* in the order in which they were added */
	uint32_t percent;
} cli_neighbor;

typedef struct cli_likeness cli_likeness;

cli_likeness *cli_likeness_begin(size_t count);
void cli_likeness_add(cli_likeness *likeness, const json_t *record);
/* Compares all. `groups` has a number for each map: of maps with the same one none is the other's neighbor, and the
 * most alike of them stands for them as somebody else's. */
void cli_likeness_find(cli_likeness *likeness, const uint32_t *groups);
/* The most alike first; a percentage of 0 ends them. */
const cli_neighbor *cli_likeness_of(const cli_likeness *likeness, size_t map);
void cli_likeness_free(cli_likeness *likeness);

#endif
