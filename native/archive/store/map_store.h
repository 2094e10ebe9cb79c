/* map_store.h - a folder of results, one for each map, that any number of workers on any number of machines fill.
 *
 *     STORE/ab/abcdef.../       results of the map with that id; there complete or not at all
 *     STORE/.work/ID.N/         results that are being made
 *     STORE/.claims/ID.N        who makes them
 *
 * A claim is made by creating its file, which one of several workers succeeds in. Its worker touches it now and then;
 * when that has stopped, whoever needs the map claims it with the next N. So nobody ever takes a claim away from
 * another, and two never make the same one. */
#ifndef CLI_MAP_STORE_H
#define CLI_MAP_STORE_H

#include <jansson.h>

#include "cli/options/args.h"

#define CLI_ID_LENGTH 64u

typedef struct cli_store {
	const char *path;
	uint32_t here;                     /* this machine and its processes: cli_process_place */
} cli_store;

typedef enum cli_claiming { CLI_CLAIMED, CLI_CLAIMED_BY_OTHER, CLI_CLAIM_FAILED } cli_claiming;

/* Makes the folders and removes what ended workers left of results that are complete. False: the error is printed. */
bool cli_store_open(cli_store *store, const char *path);
/* Removes the folders for work when nobody works. False: somebody does. */
bool cli_store_close(const cli_store *store);

/* 64 lower-case hex digits? All names of files are made of what passed this. */
bool cli_is_id(const char *text);
/* The map's folder, and a file in it; new memory. `name` may be NULL. */
char *cli_store_path(const cli_store *store, const char *id, const char *name);
/* Returns the result of a map; NULL: none. The caller releases it. */
json_t *cli_store_result(const cli_store *store, const char *id);

/* Takes a map for us and makes its folder for work, empty. FAILED: the error is printed. */
cli_claiming cli_store_claim(const cli_store *store, const char *id, uint32_t *number);
char *cli_store_work(const cli_store *store, const char *id, uint32_t number, const char *name);
/* Path of its worker's messages, next to the working folder. */
char *cli_store_words(const cli_store *store, const char *id, uint32_t number);
/* Says that we are still at it. */
void cli_store_touch(const cli_store *store, const char *id, uint32_t number);
/* Empties the folder for work again. */
bool cli_store_clear(const cli_store *store, const char *id, uint32_t number);
/* Writes result.json into the folder for work. False: the error is printed. */
bool cli_store_put_result(const cli_store *store, const char *id, uint32_t number, const json_t *result);
/* Only the result.json of the folder for work becomes the map's. False: the error is printed. */
bool cli_store_replace_result(const cli_store *store, const char *id, uint32_t number);
/* The folder for work becomes the map's, in place of what was there. False: the error is printed. */
bool cli_store_commit(const cli_store *store, const char *id, uint32_t number);
/* The map's folder becomes STORE/removed/ab/ID, in place of what was there. False: the error is printed. */
bool cli_store_remove(const cli_store *store, const char *id);
/* The way back, of a map that has no folder. False: nothing is there, or it cannot be. */
bool cli_store_restore(const cli_store *store, const char *id);
/* Ends the claim, with all that lies in the folder for work. */
void cli_store_release(const cli_store *store, const char *id, uint32_t number);

#endif
