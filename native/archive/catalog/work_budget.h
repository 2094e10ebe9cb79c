/* work_budget.h - bounds the work for a file by its size, because a small archive may unpack to any number of maps. All
 * limits are far above what archives of games and maps need. */
#ifndef CLI_WORK_BUDGET_H
#define CLI_WORK_BUDGET_H

#include <bspscene/bspscene.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_work_kind {
	CLI_WORK_UNPACKED,                 /* bytes unpacked and hashed */
	CLI_WORK_MEMBERS,                  /* number of members of all archives */
	CLI_WORK_COMPARED,                 /* number of comparisons of members' names with maps' names */
	CLI_WORK_WRITTEN,                  /* bytes of the catalog's lines */
	CLI_WORK_KINDS
} cli_work_kind;

typedef struct cli_work_budget {
	uint64_t size;                     /* size of the outermost file in bytes */
	uint64_t used[CLI_WORK_KINDS];
	bool is_met;
	cli_work_kind met;                 /* the first kind that exceeded its limit */
	uint64_t allocated, room;          /* number of bytes that the current load took from `allocator`; largest number
	                                    * that it may take */
	bspscene_allocator allocator;
} cli_work_budget;

/* Sets the limits for a file of `size` bytes. UINT64_MAX means that the size is unknown, and nothing is limited. */
void cli_work_begin(cli_work_budget *work, uint64_t size);
/* Sets the limits for an archive by the total size of its data files. The work for a folder is not limited. */
void cli_work_begin_archive(cli_work_budget *work, const char *path);
/* Charges work before it is done. Returns false if the work exceeds the limit. All later calls then return false
 * too. */
bool cli_work_take(cli_work_budget *work, cli_work_kind kind, uint64_t amount);
/* Returns text such as "the outermost file, of 164362 bytes, is limited to 5 MiB of lines", in new memory. */
char *cli_work_describe(const cli_work_budget *work);

/* Returns an allocator for one load, which counts bytes in `allocated`. If `refuses` is true, allocations fail once the
 * load has taken all that is left of the limit for CLI_WORK_UNPACKED. The budget then counts as exceeded. The allocator
 * is valid while `work` stays at its address. */
const bspscene_allocator *cli_work_allocator(cli_work_budget *work, bool refuses);
/* Charges the bytes that a finished load unpacked. `scene` is NULL if the load failed. `before` is the number of bytes
 * that the caller charged before the load. */
void cli_work_take_load(cli_work_budget *work, const bspscene_scene *scene, uint64_t before);

#endif
