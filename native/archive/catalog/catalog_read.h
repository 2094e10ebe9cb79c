/* catalog_read.h - lines of a catalog to the maps in it, each once with all places where it is. */
#ifndef CLI_CATALOG_READ_H
#define CLI_CATALOG_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cli_catalog_map {
	char id[65];
	char **lines;                      /* of the catalog, in its order */
	uint32_t line_count;
} cli_catalog_map;

typedef struct cli_catalog {
	cli_catalog_map *maps;             /* in the order of their first lines */
	uint32_t map_count;
	char **errors;                     /* lines that say what could not be read */
	uint32_t error_count;
	uint32_t bad_count, first_bad;     /* lines that are none of a catalog, and the number of the first, from 1 */
	char *text;                        /* of the whole file, which the lines are parts of */
	char **lines;
} cli_catalog;

/* All maps of the file (NULL: standard input) that are in this of `shard_count` parts, counted from 1; 0: in all.
 * False: the error is printed; no line is one of a catalog. */
bool cli_catalog_read(cli_catalog *catalog, const char *path, uint32_t shard, uint32_t shard_count);
/* The map's lines as an array; release it. */
json_t *cli_catalog_entries(const cli_catalog_map *map);
void cli_catalog_free(cli_catalog *catalog);

#endif
