/* process_map.h - makes the files of a store for one map. */
#ifndef CLI_PROCESS_MAP_H
#define CLI_PROCESS_MAP_H

#include <jansson.h>

#include "archive/store/products.h"

typedef struct cli_map_work {
	const cli_args *args;
	const json_t *entry;               /* the map's line of the catalog */
	const json_t *places;              /* array of the map's other places */
	bspscene_source *place;            /* the opened file or archive that has the map, from cli_open_place_of */
	const char *folder;                /* an existing folder for the files */
	const char *store;                 /* the store's folder, for pictures that maps share */
	const char *kept_folder;           /* folder of the earlier result, from which files are kept */
	cli_products wanted, there;        /* products to make; products to keep from the earlier result */
	uint32_t kept_warnings;            /* number of warnings that the plain steps of the earlier result gave */
	json_t *original;                  /* contents of the map's original.json, from cli_keep_original; NULL: not
	                                    * requested */
	char *label;                       /* name of the map in messages */
} cli_map_work;

/* An open file or nested archive that holds maps, with the games around it. */
typedef struct cli_map_place {
	char *key;                         /* identifies the file or archive */
	bspscene_source *place;
	void *data;                        /* bytes of the archive if it is nested in another one; else NULL */
} cli_map_place;

/* True if the games that --game names exist. If one were missing, maps would lack textures. Returns false after an
 * error, which is printed. */
bool cli_can_open_games(const cli_args *args);
/* Opens the place of an entry's map. Returns false, with `error`, on failure. */
bool cli_open_place_of(const json_t *entry, const cli_args *args, cli_map_place *out, bspscene_error *error);
/* True if `place` is the place of the entry's map. */
bool cli_is_place_of(const json_t *entry, const cli_args *args, const cli_map_place *place);
void cli_close_place(cli_map_place *place);

/* Results of cli_process_map. Only CLI_MAP_REFUSED is the map's fault. */
typedef enum cli_map_end {
	CLI_MAP_MADE = CLI_DONE,
	CLI_MAP_REFUSED = CLI_FAILED,
	CLI_MAP_UNREADABLE = 3,            /* the map's file is missing, changed or unreadable */
	CLI_MAP_NO_MEMORY = 4,             /* an allocation failed, because the process or the system has no memory left */
	CLI_MAP_UNWRITABLE = 5             /* the store cannot be written; the child sends the reason to the parent, because
	                                    * there may be no space for messages */
} cli_map_end;

/* True if a place could not be opened because of the place, and not because of the map. */
bool cli_is_fault_of_place(const json_t *entry, const cli_args *args, const bspscene_error *error);

/* Implements cli_child_fn; user is the cli_map_work. Writes or keeps the files of the steps and result.json, which are
 * the same in every run, and run.json with the time it took. Errors go to standard error. The parent uses the last line
 * as the reason. */
int cli_process_map(void *user, int out);

/* Sets the members that all results have: id, name, status and the options. */
json_t *cli_begin_result(const json_t *entry, const json_t *places, const cli_args *args,
                         const cli_products *products, const char *status);
/* True if the result has all products that `args` request, so that the map need not be processed again. A result that
 * is an error is enough only if it was made with the same limits and --retry is not given. */
bool cli_result_suffices(const json_t *result, const cli_args *args);

#endif
