/* work_budget.h - bounds the work for a file by its size, because a small archive may unpack to any number of maps. All
 * limits are far above what archives of games and maps need. */
#ifndef CLI_WORK_BUDGET_H
#define CLI_WORK_BUDGET_H

#include <bspscene/bspscene.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_work_kind {
	CLI_WORK_UNPACKED,                 /* bytes that are unpacked and hashed */
	CLI_WORK_MEMBERS,                  /* members of all archives in it */
	CLI_WORK_COMPARED,                 /* names of members and maps that are compared */
	CLI_WORK_WRITTEN,                  /* bytes of lines */
	CLI_WORK_KINDS
} cli_work_kind;

typedef struct cli_work_budget {
	uint64_t size;                     /* bytes of the file */
	uint64_t used[CLI_WORK_KINDS];
	bool is_met;
	cli_work_kind met;                 /* the first kind that was too much */
	uint64_t allocated, room;          /* bytes that a load with the allocator below took and may take */
	bspscene_allocator allocator;
} cli_work_budget;

/* UINT64_MAX: the size is not known, nothing is limited. */
void cli_work_begin(cli_work_budget *work, uint64_t size);
/* The same by the size of an archive with all its volumes. A directory is not limited. */
void cli_work_begin_archive(cli_work_budget *work, const char *path);
/* Adds work that is about to be done. False, now and from then on: it is more than the file may lead to. */
bool cli_work_take(cli_work_budget *work, cli_work_kind kind, uint64_t amount);
/* "164362 bytes may lead to 5 MiB of lines at most" and so on; new memory. */
char *cli_work_describe(const cli_work_budget *work);

/* For one load: counts in `allocated` what it takes and, if `refuses`, gives no more than the budget has left of
 * CLI_WORK_UNPACKED, which is met then. Valid as long as `work` stays where it is. */
const bspscene_allocator *cli_work_allocator(cli_work_budget *work, bool refuses);
/* Adds a load that has ended (NULL: failed, which may be after it unpacked anything). `before` bytes were added when it
 * began. */
void cli_work_take_load(cli_work_budget *work, const bspscene_scene *scene, uint64_t before);

#endif
