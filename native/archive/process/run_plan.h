/* run_plan.h - compares a catalog with a store and plans the run before its first map. */
#ifndef CLI_RUN_PLAN_H
#define CLI_RUN_PLAN_H

#include "archive/catalog/catalog_read.h"
#include "archive/store/map_store.h"

/* Includes maps that come back from removed/. */
typedef struct cli_run_plan {
	uint32_t total, there;
	uint32_t moved;                    /* number of `there` of which only the places are to be written */
	bool *complete;                    /* for each map of the catalog: nothing is to do; the caller frees it */
} cli_run_plan;

cli_run_plan cli_plan_run(const cli_store *store, const cli_catalog *catalog, const cli_args *args);
/* Implements --dry-run: prints the plan and changes nothing. */
cli_exit cli_say_plan(const cli_args *args, const cli_catalog *catalog);

/* Returns the total size of a map's files. */
uint64_t cli_store_bytes(const cli_store *store, const char *id);

#endif
