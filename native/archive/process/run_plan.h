/* run_plan.h - a catalog and a store to what a run has to do, before its first map. */
#ifndef CLI_RUN_PLAN_H
#define CLI_RUN_PLAN_H

#include "archive/catalog/catalog_read.h"
#include "archive/store/map_store.h"

/* A map that comes back from removed/ is to be done here. */
typedef struct cli_run_plan {
	uint32_t total, there;
	uint32_t moved;					/* of `there`: only their places are to be written */
	bool *complete;					/* of each map of the catalog: nothing at all is to do; the caller's */
} cli_run_plan;

cli_run_plan cli_plan_run(const cli_store *store, const cli_catalog *catalog, const cli_args *args);
/* --dry-run: says it, and touches nothing. */
cli_exit cli_say_plan(const cli_args *args, const cli_catalog *catalog);

/* Bytes of a map's files. */
uint64_t cli_store_bytes(const cli_store *store, const char *id);

#endif
