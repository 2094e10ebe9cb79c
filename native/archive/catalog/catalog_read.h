/* catalog_read.h - reads a catalog: each map once, with all places where it was found. */
#ifndef CLI_CATALOG_READ_H
#define CLI_CATALOG_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cli_catalog_map {
	char id[65];
	char **lines;                      /* lines of the catalog, in its order */
	uint32_t line_count;
} cli_catalog_map;

typedef struct cli_catalog {
	cli_catalog_map *maps;             /* the maps, in the order of the first line of each */
	uint32_t map_count;
	char **errors;                     /* lines about files that could not be read */
	uint32_t error_count;
	uint32_t bad_count, first_bad;     /* number of lines that are not lines of a catalog, and the number of the first
	                                    * of them, counted from 1 */
	char *text;                        /* the whole file, into which the lines point */
	char **lines;
} cli_catalog;

/* Reads the maps of a catalog (NULL: standard input) that belong to part `shard` of `shard_count`, counted from 1. If
 * `shard` is 0, reads all maps. False after an error, which is printed, for example if no line is a catalog's. */
bool cli_catalog_read(cli_catalog *catalog, const char *path, uint32_t shard, uint32_t shard_count);
/* Returns the map's lines as an array, which the caller releases. */
json_t *cli_catalog_entries(const cli_catalog_map *map);
void cli_catalog_free(cli_catalog *catalog);

#endif
