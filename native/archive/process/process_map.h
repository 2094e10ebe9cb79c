/* process_map.h - one map of a catalog to the files that an archive keeps of it. */
#ifndef CLI_PROCESS_MAP_H
#define CLI_PROCESS_MAP_H

#include <jansson.h>

#include "archive/store/products.h"

typedef struct cli_map_work {
	const cli_args *args;
	const json_t *entry;               /* its line of the catalog */
	const json_t *places;              /* an array of where else it is */
	bspscene_source *place;            /* keeps it open; see cli_open_place_of */
	const char *folder;                /* exists; gets the files */
	const char *store;                 /* gets the pictures that maps share */
	const char *kept_folder;           /* what was made of the map before, and is in `there` */
	cli_products wanted, there;
	uint32_t kept_warnings;            /* of the plain steps in `there` */
	json_t *original;                  /* of the file that it is in: cli_keep_original; NULL: it is not asked for */
	char *label;                       /* in its process: what messages call the map */
} cli_map_work;

/* A file, or an archive in archives, that holds maps, with the games around it. */
typedef struct cli_map_place {
	char *key;                         /* what it is found again by */
	bspscene_source *place;
	void *data;                        /* an inner archive's bytes */
} cli_map_place;

/* True if the games of --game exist; a run without one would make poor maps. False: the error was printed. */
bool cli_can_open_games(const cli_args *args);
/* The place of an entry's map. False: `error` says why not. */
bool cli_open_place_of(const json_t *entry, const cli_args *args, cli_map_place *out, bspscene_error *error);
/* True if it is this entry's place. */
bool cli_is_place_of(const json_t *entry, const cli_args *args, const cli_map_place *place);
void cli_close_place(cli_map_place *place);

/* Results of cli_process_map. Only a refused map is the map's fault. */
typedef enum cli_map_end {
	CLI_MAP_MADE = CLI_DONE,
	CLI_MAP_REFUSED = CLI_FAILED,
	CLI_MAP_UNREADABLE = 3,            /* not there, another one, or not to be read */
	CLI_MAP_NO_MEMORY = 4,             /* the system gave none: by the limits of the process or its own */
	CLI_MAP_UNWRITABLE = 5             /* the store; why is told to the parent, since words may find no room either */
} cli_map_end;

/* True if a failure to open a place is the place's fault, not the map's. */
bool cli_is_fault_of_place(const json_t *entry, const cli_args *args, const bspscene_error *error);

/* A cli_child_fn; user is the cli_map_work. Writes or keeps the files of the steps and result.json, which are the same
 * in every run, and run.json with the time it took. Errors go to standard error; the last line counts. */
int cli_process_map(void *user, int out);

/* The members that all results have: id, name, status, and what it was made with. */
json_t *cli_begin_result(const json_t *entry, const json_t *places, const cli_args *args,
                         const cli_products *products, const char *status);
/* True if the result has what these arguments ask for. */
bool cli_result_suffices(const json_t *result, const cli_args *args);

#endif
