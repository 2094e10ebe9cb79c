/* ctx.h - the state of a load: options, memory, the first error, the warnings.
 *
 * Functions that can fail return bool or NULL; the reason is in ctx->error. Only bspi_fail sets it, so a breakpoint
 * there stops at the first error, which is the one that is kept. Repairs are counted by bspi_warn, which makes them the
 * error BAD_DATA if the caller asked for strict loading. */
#ifndef BSPI_CTX_H
#define BSPI_CTX_H

#include <bspscene/load.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/fraction.h"
#include "base/parallel/parallel.h"

#if defined(__GNUC__)
	#define BSPI_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
	#define BSPI_PRINTF(format_at, first)
#endif

/* Warnings are counted per code and location. */
#define BSPI_MAX_WARNINGS 256

typedef struct bspi_occurrence {
	bspscene_occurrence public;        /* its message is in the result arena */
	struct bspi_occurrence *next;
} bspi_occurrence;

typedef struct bspi_warning_slot {
	bspscene_warning_code code;
	const char *where;                 /* what the warning is about, such as the name of a lump; a static string */
	uint32_t count;
	const char *message;               /* message of the first occurrence */
	bspi_occurrence *first, *last; uint32_t kept; /* list of kept occurrences, in the scratch arena; length of
	                                               * the list */
} bspi_warning_slot;

typedef struct bspi_ctx {
	bspscene_load_options options;     /* complete: defaults filled in */
	const char *file;                  /* name of the file in messages */
	const char *name;                  /* map name without directory and extension, for sibling files */
	bool only_entities;                /* true for PARTS_ENTITIES: of sibling files, only entity files are opened */
	const char *entity_file;           /* file that the entities come from; NULL: the map */
	bspi_bytes own_entities;           /* with `entity_file`: the map's own entities */
	struct bspi_companion *companions, *last_companion; uint32_t companion_count; /* files next to the map, see
	                                                                               * io/map_companions.h */
	bspi_budget budget;
	bspi_arena stage, scratch, result;
	bspi_fraction fraction;            /* progress */
	bspscene_error error;
	bspi_warning_slot warnings[BSPI_MAX_WARNINGS];
	uint32_t warning_count;
	uint32_t occurrence_count;         /* kept occurrences, besides the first of each warning */
} bspi_ctx;

/* The kind of a record, so that warnings can refer to faces and entities. */
typedef enum bspi_record_kind { BSPI_RECORD_OTHER, BSPI_RECORD_FACE, BSPI_RECORD_ENTITY } bspi_record_kind;

/* Where in the file a problem is. Members that do not apply are NULL, BSPSCENE_NO_INDEX and BSPI_NO_OFFSET. */
typedef struct bspi_location {
	const char *lump;                  /* static */
	uint32_t record;
	uint64_t offset;
	bspi_record_kind kind;
} bspi_location;

#define BSPI_NO_OFFSET UINT64_MAX
#define BSPI_NOWHERE BSPI_LUMP(NULL)
#define BSPI_LUMP(name) BSPI_LUMP_AT((name), BSPI_NO_OFFSET)
#define BSPI_LUMP_AT(name, offset) ((bspi_location){ (name), BSPSCENE_NO_INDEX, (offset), BSPI_RECORD_OTHER })
#define BSPI_RECORD(name, index) ((bspi_location){ (name), (index), BSPI_NO_OFFSET, BSPI_RECORD_OTHER })
#define BSPI_FACE(index) ((bspi_location){ "faces", (index), BSPI_NO_OFFSET, BSPI_RECORD_FACE })
#define BSPI_ENTITY(index) ((bspi_location){ "entities", (index), BSPI_NO_OFFSET, BSPI_RECORD_ENTITY })

/* The first function initializes the arenas of a zeroed ctx. The second one frees them. */
void bspi_begin_memory(bspi_ctx *ctx);
void bspi_end_memory(bspi_ctx *ctx);

/* Sets the error, unless there is one already. Adds the file and the location to the message. Returns false. */
bool bspi_fail(bspi_ctx *ctx, bspscene_status status, bspi_location location, const char *format, ...)
	BSPI_PRINTF(4, 5);
/* For an error that was found by checking a result: puts `about` before its message, and makes it BAD_DATA. Errors
 * that the result did not cause (memory, limits, cancellation) stay unchanged. Returns false. */
bool bspi_fail_again(bspi_ctx *ctx, const char *about);
/* Counts a warning, for example about a repair. Returns false with the error set if memory is out or the load is
 * strict. Even strict loads accept warnings about missing and stale sibling files, and about unsupported features,
 * because the map itself is correct. */
bool bspi_warn(bspi_ctx *ctx, bspscene_warning_code code, bspi_location location, const char *format, ...)
	BSPI_PRINTF(4, 5);
/* Lists the warnings so far, in the result arena. */
bool bspi_list_warnings(bspi_ctx *ctx, const bspscene_warning *const **out, uint32_t *count);
/* Sets the error to the reason why the last allocation failed: no memory, or a limit. Returns false. */
bool bspi_fail_memory(bspi_ctx *ctx);
/* bspi_describe_refusal writes to `text` why a budget refused an allocation, and returns the status for that. */
#define BSPI_REFUSAL_SIZE 96
bspscene_status bspi_describe_refusal(const bspi_budget *budget, char text[BSPI_REFUSAL_SIZE]);
/* These report the progress of the current part: done / total, or the fraction `done`. False if the caller cancels. */
bool bspi_progress(bspi_ctx *ctx, const char *stage, uint64_t done, uint64_t total);
bool bspi_progress_share(bspi_ctx *ctx, const char *stage, double done);

/* Returns the threads that the caller allows. */
bspi_team bspi_load_team(const bspi_ctx *ctx);
/* Runs a job in the threads of bspi_load_team. An error of the job becomes the load's error. */
bool bspi_run_load_job(bspi_ctx *ctx, const bspi_job *job);
/* Work on `count` items that do not depend on each other. It is done in runs of `step` items, which begin at multiples
 * of `step`. The work must not allocate memory. */
typedef struct bspi_ranges {
	uint32_t count, step;
	void (*work)(void *user, uint32_t first, uint32_t end); /* called in any thread */
	void *user;
	const char *stage;                 /* stage for progress; NULL: no progress */
} bspi_ranges;

bool bspi_run_ranges(bspi_ctx *ctx, const bspi_ranges *ranges);
/* Sets task->error to the reason why the task's last allocation failed. Returns false. */
bool bspi_task_fail_memory(bspi_task *task);

#define BSPI_CHECK(ctx, condition, status, location, ...) \
	do { \
		if (!(condition)) return bspi_fail((ctx), (status), (location), __VA_ARGS__); \
	} while (0)
#define BSPI_TRY(expression) \
	do { \
		if (!(expression)) return false; \
	} while (0)

void *bspi_push_zeroed(bspi_ctx *ctx, bspi_arena *arena, size_t count, size_t size);
/* Like bspi_push_zeroed but uninitialized, for large arrays that are written completely at once. */
void *bspi_push_unset(bspi_ctx *ctx, bspi_arena *arena, size_t count, size_t size);
/* Returns `count` zeroed elements; NULL if ctx->error is set. */
#define bspi_push(ctx, arena, type, count) ((type *)bspi_push_zeroed((ctx), (arena), (count), sizeof(type)))
/* Copies `count` elements to the result arena. */
void *bspi_push_copy(bspi_ctx *ctx, const void *items, size_t count, size_t size);
/* Makes room for one more element in a list of `count`. The old array stays in the scratch arena. */
bool bspi_reserve(bspi_ctx *ctx, void **items, uint32_t count, uint32_t *capacity, size_t size);
/* Returns an array of pointers to `count` consecutive records, in the result arena. Scenes have arrays of pointers, so
 * that records can grow (bspscene.h). NULL if ctx->error is set. */
const void *bspi_push_table(bspi_ctx *ctx, const void *records, size_t count, size_t size);
#define bspi_table(ctx, type, records, count) \
	((const type *const *)bspi_push_table((ctx), 1 ? (records) : (const type *)NULL, (count), sizeof(type)))

/* Fills a public error (may be NULL) outside of a load: in writers, images, archives. Returns false. */
bool bspi_error_set(bspscene_error *error, bspscene_status status, const char *format, ...) BSPI_PRINTF(3, 4);

#endif
