/* work_budget.c - see work_budget.h. */
#include "archive/catalog/work_budget.h"

#include <stdlib.h>

#include "cli/report.h"

/* Limits: a base for any file, and an addition for each of its bytes, in eighths. Game files are packed 3 to 10 times,
 * maps with zeroes some more. A member takes at least 76 bytes of its archive, fewer in a packed one. A line describes
 * a map of some kilobytes. */
static const struct {
	uint64_t base, eighths;
	const char *what;
	unsigned shift;                    /* of the unit in `what` */
} limits[CLI_WORK_KINDS] = {
	[CLI_WORK_UNPACKED] = { (uint64_t)256 << 20, 8 * 64, "MiB of unpacked data", 20 },
	[CLI_WORK_MEMBERS] = { 65536, 1, "members of archives", 0 },
	[CLI_WORK_COMPARED] = { (uint64_t)16 << 20, 8 * 4, "comparisons of names", 0 },
	[CLI_WORK_WRITTEN] = { (uint64_t)4 << 20, 8 * 4, "MiB of lines", 20 },
};

static uint64_t limit_of(const cli_work_budget *work, cli_work_kind kind)
{
	uint64_t part = work->size / 8;
	bool is_known = part < (UINT64_MAX - limits[kind].base) / limits[kind].eighths;
	return is_known ? limits[kind].base + part * limits[kind].eighths : UINT64_MAX;
}

void cli_work_begin(cli_work_budget *work, uint64_t size)
{
	*work = (cli_work_budget) { .size = size };
}

bool cli_work_take(cli_work_budget *work, cli_work_kind kind, uint64_t amount)
{
	if (work->is_met) return false;
	uint64_t limit = limit_of(work, kind);
	if (amount <= limit - work->used[kind]) {
		work->used[kind] += amount;
		return true;
	}
	work->is_met = true;
	work->met = kind;
	return false;
}

char *cli_work_describe(const cli_work_budget *work)
{
	uint64_t limit = limit_of(work, work->met) >> limits[work->met].shift;
	return cli_format("its %llu bytes lead to more than %llu %s", (unsigned long long)work->size,
	                  (unsigned long long)limit, limits[work->met].what);
}

/* ---- Loads -------------------------------------------------------------------------------------------------- */

static void *allocate(void *user, size_t size)
{
	((cli_work_budget *)user)->allocated += size;
	return malloc(size);
}

static void release(void *user, void *data)
{
	(void)user;
	free(data);
}

const bspscene_allocator *cli_work_allocator(cli_work_budget *work)
{
	work->allocated = 0;
	work->allocator = (bspscene_allocator) { allocate, release, work };
	return &work->allocator;
}

void cli_work_take_load(cli_work_budget *work, const bspscene_scene *scene, uint64_t before)
{
	uint64_t size = scene ? scene->identity->size : work->allocated;
	if (size > before) cli_work_take(work, CLI_WORK_UNPACKED, size - before);
}
