/* run_plan.h - compares a catalog with a store and plans the run before its first map. */
#ifndef CLI_RUN_PLAN_H
#define CLI_RUN_PLAN_H

#include "archive/catalog/catalog_read.h"
#include "archive/store/map_store.h"

/* Numbers of maps in a catalog. `there` includes maps that can be restored from removed/. */
typedef struct cli_run_plan {
	uint32_t total, there;             /* all maps; maps that have all requested products */
	uint32_t moved;                    /* how many of the maps in `there` need only new places in their results */
	bool *complete;                    /* for each map: true if the run has nothing to do for it; the caller frees the
	                                    * array */
} cli_run_plan;

cli_run_plan cli_plan_run(const cli_store *store, const cli_catalog *catalog, const cli_args *args);
/* Implements --dry-run: prints the plan and changes nothing. */
cli_exit cli_say_plan(const cli_args *args, const cli_catalog *catalog);

/* Returns the total size of a map's files. */
uint64_t cli_store_bytes(const cli_store *store, const char *id);

#endif
