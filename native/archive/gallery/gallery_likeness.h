/* gallery_likeness.h - finds the most similar maps for each map, by the files that they need and by their entities.
 *
 * The similarity of two maps is the number of items that both have, divided by the number that either has (Jaccard
 * index). MinHash signatures estimate it (Broder, On the resemblance and containment of documents, 1997). A signature
 * is divided into bands of a few hashes. Only maps with an equal band are compared. So a hundred thousand maps take a
 * second and not a day. */
#ifndef CLI_GALLERY_LIKENESS_H
#define CLI_GALLERY_LIKENESS_H

#include <jansson.h>
#include <stdint.h>

enum { CLI_NEIGHBORS = 6 };
/* Smallest similarity in percent of maps that are listed as neighbors. */
enum { CLI_LEAST_LIKENESS = 25 };

typedef struct cli_neighbor {
	uint32_t map; /* index of the map, in the order of cli_likeness_add */
	uint32_t percent;
} cli_neighbor;

typedef struct cli_likeness cli_likeness;

cli_likeness *cli_likeness_begin(size_t count);
void cli_likeness_add(cli_likeness *likeness, const json_t *record);
/* Compares all maps. `groups` has the number of each map's group. Maps of the same group are not neighbors of each
 * other. Of any other group, only the map that is most similar can be a neighbor. */
void cli_likeness_find(cli_likeness *likeness, const uint32_t *groups);
/* Returns the neighbors of a map, most similar first. A percentage of 0 ends the list. */
const cli_neighbor *cli_likeness_of(const cli_likeness *likeness, size_t map);
void cli_likeness_free(cli_likeness *likeness);

#endif
