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
	uint64_t allocated;                /* bytes that loads with the allocator below took */
	bspscene_allocator allocator;
} cli_work_budget;

/* UINT64_MAX: the size is not known, nothing is limited. */
void cli_work_begin(cli_work_budget *work, uint64_t size);
/* Adds work that is about to be done. False, now and from then on: it is more than the file may lead to. */
bool cli_work_take(cli_work_budget *work, cli_work_kind kind, uint64_t amount);
/* "its 164362 bytes lead to more than 5 MiB of lines" and so on; new memory. */
char *cli_work_describe(const cli_work_budget *work);

/* Counts in `allocated` what a load takes. Valid as long as `work` stays where it is. */
const bspscene_allocator *cli_work_allocator(cli_work_budget *work);
/* Adds a load that has ended (NULL: failed, which may be after it unpacked anything). `before` bytes were added when it
 * began. */
void cli_work_take_load(cli_work_budget *work, const bspscene_scene *scene, uint64_t before);

#endif
