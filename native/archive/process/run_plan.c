/* run_plan.c - see run_plan.h. */
#include "archive/process/run_plan.h"

#include <stdlib.h>

#include "archive/process/known_map.h"
#include "cli/host/platform.h"
#include "cli/host/walk.h"
#include "cli/report.h"

cli_run_plan cli_plan_run(const cli_store *store, const cli_catalog *catalog, const cli_args *args)
{
	cli_run_plan plan = { .total = catalog->map_count };
	plan.complete = cli_allocate(catalog->map_count, sizeof *plan.complete);
	for (uint32_t i = 0; i < catalog->map_count; i++) {
		cli_known_map known = cli_know_map(store, &catalog->maps[i], args);
		plan.complete[i] = known.complete;
		plan.there += known.same_source;
		plan.moved += known.same_source && !known.complete;
		cli_forget_map(&known);
	}
	return plan;
}

cli_exit cli_say_plan(const cli_args *args, const cli_catalog *catalog)
{
	cli_store store = { .path = args->source };
	cli_run_plan plan = cli_plan_run(&store, catalog, args);
	cli_print("%u maps: %u to do, %u there already", plan.total, plan.total - plan.there, plan.there);
	if (plan.moved) cli_print("%u of these are in other places now", plan.moved);
	free(plan.complete);
	return cli_finish_stdout();
}

static bool takes_all(const char *name)
{
	(void)name;
	return true;
}

uint64_t cli_store_bytes(const cli_store *store, const char *id)
{
	cli_paths files = { 0 };
	char *folder = cli_store_path(store, id, NULL);
	uint64_t total = 0;
	if (cli_walk(&files, folder, true, takes_all)) {
		for (uint32_t i = 0; i < files.count; i++) {
			uint64_t size;
			if (cli_size_of(files.paths[i], &size)) total += size;
		}
	}
	cli_paths_free(&files);
	free(folder);
	return total;
}
