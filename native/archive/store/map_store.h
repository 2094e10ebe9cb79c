/* map_store.h - a folder of results, one for each map, that any number of workers on any number of machines fill.
 *
 *     STORE/ab/abcdef.../       results of the map with that id; the folder exists only when it is complete
 *     STORE/.work/ID.N/         results that are being made
 *     STORE/.claims/ID.N        file that names the worker which makes them
 *
 * A worker claims a map by creating the file in .claims, which succeeds for only one of several workers. The worker
 * updates the file's time regularly. If it stops doing so, another worker claims the map with the next N. So claims are
 * never taken over, and no two workers have the same one. */
#ifndef CLI_MAP_STORE_H
#define CLI_MAP_STORE_H

#include <jansson.h>

#include "cli/options/args.h"

#define CLI_ID_LENGTH 64u

typedef struct cli_store {
	const char *path;
	uint32_t here;                     /* identifies this machine and its process namespace, from cli_process_place */
} cli_store;

typedef enum cli_claiming { CLI_CLAIMED, CLI_CLAIMED_BY_OTHER, CLI_CLAIM_FAILED } cli_claiming;

/* Makes the folders, and removes claims that killed workers left on complete results. False after an error, which is
 * printed. */
bool cli_store_open(cli_store *store, const char *path);
/* Removes the working folders if no worker runs. Returns false if a worker runs. */
bool cli_store_close(const cli_store *store);

/* True for 64 lowercase hexadecimal digits. File names are made only of ids that passed this test. */
bool cli_is_id(const char *text);
/* Returns the path of the map's folder, or of file `name` in it, in new memory. */
char *cli_store_path(const cli_store *store, const char *id, const char *name);
/* Returns the result of a map, or NULL if there is none. The caller releases it. */
json_t *cli_store_result(const cli_store *store, const char *id);

/* Claims a map, sets *number to N of the claim's name, and makes an empty working folder. If it returns
 * CLI_CLAIM_FAILED, the error was printed. */
cli_claiming cli_store_claim(const cli_store *store, const char *id, uint32_t *number);
char *cli_store_work(const cli_store *store, const char *id, uint32_t number, const char *name);
/* Returns the path of the file for messages of the worker, which is next to the working folder. */
char *cli_store_words(const cli_store *store, const char *id, uint32_t number);
/* Updates the claim's time, which shows that the worker still runs. */
void cli_store_touch(const cli_store *store, const char *id, uint32_t number);
/* Empties the working folder. */
bool cli_store_clear(const cli_store *store, const char *id, uint32_t number);
/* Writes result.json into the working folder. False after an error, which is printed. */
bool cli_store_put_result(const cli_store *store, const char *id, uint32_t number, const json_t *result);
/* Replaces result.json of the map by the one in the working folder, and nothing else. Returns false after an error,
 * which is printed. */
bool cli_store_replace_result(const cli_store *store, const char *id, uint32_t number);
/* Replaces the map's folder with the working folder. False after an error, which is printed. */
bool cli_store_commit(const cli_store *store, const char *id, uint32_t number);
/* Moves the map's folder to STORE/removed/ab/ID. An older folder there is replaced. Returns false after an error, which
 * is printed. */
bool cli_store_remove(const cli_store *store, const char *id);
/* Moves a map's folder back from STORE/removed. The store must not have the map. Returns false if the folder is not
 * there or cannot be moved. */
bool cli_store_restore(const cli_store *store, const char *id);
/* Ends the claim, and removes the working folder. */
void cli_store_release(const cli_store *store, const char *id, uint32_t number);

#endif
