/* process_map.h - one map of a catalog to the files that an archive keeps of it. */
#ifndef CLI_PROCESS_MAP_H
#define CLI_PROCESS_MAP_H

#include <jansson.h>

#include "archive/store/products.h"

typedef struct cli_map_work {
	const cli_args *args;
	const json_t *entry;               /* its line of the catalog */
	const json_t *places;              /* an array of where else it is */
	bspscene_place *place;             /* that holds it; see cli_open_place_of */
	const char *folder;                /* exists; gets the files */
	const char *store;                 /* gets the pictures that maps share */
	const char *kept_folder;           /* what was made of the map before, and is in `there` */
	cli_products wanted, there;
	uint32_t kept_warnings;            /* of the plain steps in `there` */
} cli_map_work;

/* A file, or an archive in archives, that holds maps, with the games around it. */
typedef struct cli_map_place {
	char *key;                         /* what it is found again by */
	bspscene_place *place;
	void *data;                        /* an inner archive's bytes */
} cli_map_place;

/* The place of an entry's map. False: `error` says why not. */
bool cli_open_place_of(const json_t *entry, const cli_args *args, cli_map_place *out, bspscene_error *error);
/* Is it this entry's place? */
bool cli_is_place_of(const json_t *entry, const cli_map_place *place);
void cli_close_place(cli_map_place *place);

/* A cli_child_fn; user is the cli_map_work. Writes the steps' files, or keeps those that are there, and result.json,
 * which are the same whenever and wherever they are made, and run.json, which says how long that took. Errors are on
 * standard error, the last line counts. */
int cli_process_map(void *user, int out);

/* The members that all results have: id, name, status, and what it was made with. */
json_t *cli_begin_result(const json_t *entry, const json_t *places, const cli_args *args,
                         const cli_products *products, const char *status);
/* Is the result what these arguments ask for? */
bool cli_result_suffices(const json_t *result, const cli_args *args);

#endif
