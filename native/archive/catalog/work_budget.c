/* work_budget.c - see work_budget.h. */
#include "archive/catalog/work_budget.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/companion_names.h"
#include "cli/host/platform.h"
#include "cli/report.h"

/* The limit of each kind of work is `base`, plus `eighths` / 8 for each byte of the file. Game files compress by a
 * factor of 3 to 10, and maps with many zeros by more. A member takes at least 76 bytes in its archive, or fewer if the
 * archive is compressed as a whole. Each line of a catalog describes a map, which has at least some kilobytes. */
static const struct {
	uint64_t base, eighths;
	const char *what;
	unsigned shift;                    /* messages give the limit in units of 2^shift: 20 for MiB, 0 for single items */
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

static void meet(cli_work_budget *work, cli_work_kind kind)
{
	if (!work->is_met) work->met = kind;
	work->is_met = true;
}

/* The directory of a VPK is named base_dir.vpk. Its data is in base_000.vpk and so on, which count as part of the
 * file. */
static const char directory_ending[] = "_dir.vpk";

typedef struct volumes {
	const char *folder, *base;         /* the VPK's folder with a separator at its end; the VPK's file name without
	                                    * "dir.vpk", such as "base_" */
	size_t base_length;
	uint64_t size;
} volumes;

/* Implements cli_entry_fn. */
static void add_volume(const char *name, cli_path_kind kind, void *user)
{
	volumes *found = user;
	uint64_t size = 0;
	bool is_volume = kind == CLI_PATH_FILE && !strncasecmp(name, found->base, found->base_length) &&
	                 name[found->base_length] >= '0' && name[found->base_length] <= '9';
	char *path = is_volume ? cli_format("%s%s", found->folder, name) : NULL;
	if (path && cli_size_of(path, &size) && size < UINT64_MAX / 2 - found->size) found->size += size;
	free(path);
}

static uint64_t size_of_volumes(const char *path)
{
	const char *name = cli_file_name(path);
	size_t length = strlen(name), ending = sizeof directory_ending - 1;
	if (length < ending || strcasecmp(name + length - ending, directory_ending) != 0) return 0;
	char *folder = name == path ? cli_format("./") : cli_format("%.*s", (int)(name - path), path);
	volumes found = { .folder = folder, .base = name, .base_length = length - strlen("dir.vpk") };
	cli_each_entry(folder, add_volume, &found);
	free(folder);
	return found.size;
}

void cli_work_begin_archive(cli_work_budget *work, const char *path)
{
	uint64_t size;
	bool is_known = cli_kind_of(path, true) == CLI_PATH_FILE && cli_size_of(path, &size);
	cli_work_begin(work, is_known ? size + size_of_volumes(path) : UINT64_MAX);
}

bool cli_work_take(cli_work_budget *work, cli_work_kind kind, uint64_t amount)
{
	if (work->is_met) return false;
	uint64_t limit = limit_of(work, kind);
	if (amount <= limit - work->used[kind]) {
		work->used[kind] += amount;
		return true;
	}
	meet(work, kind);
	return false;
}

char *cli_work_describe(const cli_work_budget *work)
{
	uint64_t limit = limit_of(work, work->met) >> limits[work->met].shift;
	return cli_format("the outermost file, of %llu bytes, is limited to %llu %s", (unsigned long long)work->size,
	                  (unsigned long long)limit, limits[work->met].what);
}

/* ---- Loads -------------------------------------------------------------------------------------------------- */

static void *allocate(void *user, size_t size)
{
	cli_work_budget *work = user;
	if (size > work->room - work->allocated) {
		meet(work, CLI_WORK_UNPACKED);
		return NULL;
	}
	work->allocated += size;
	return malloc(size);
}

static void release(void *user, void *data)
{
	(void)user;
	free(data);
}

const bspscene_allocator *cli_work_allocator(cli_work_budget *work, bool refuses)
{
	work->allocated = 0;
	uint64_t left = limit_of(work, CLI_WORK_UNPACKED) - work->used[CLI_WORK_UNPACKED];
	work->room = refuses ? left : UINT64_MAX;
	work->allocator = (bspscene_allocator) { allocate, release, work };
	return &work->allocator;
}

void cli_work_take_load(cli_work_budget *work, const bspscene_scene *scene, uint64_t before)
{
	uint64_t size = scene ? scene->identity->size : work->allocated;
	if (size > before) cli_work_take(work, CLI_WORK_UNPACKED, size - before);
}
