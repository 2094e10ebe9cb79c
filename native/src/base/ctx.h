/* ctx.h - what one load carries from stage to stage: options, memory, the first error, the warnings.
 *
 * Functions that can fail return bool (or NULL); the reason is then in ctx->error, set by bspi_fail, the one place
 * where a breakpoint stops at the first error. The first error wins.
 * Repairs go through bspi_warn, which turns them into the error BAD_DATA when the caller asked to be strict. */
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

/* Warnings are counted per code and place. */
#define BSPI_MAX_WARNINGS 256

typedef struct bspi_occurrence {
	bspscene_occurrence public;        /* its message is in the result arena */
	struct bspi_occurrence *next;
} bspi_occurrence;

typedef struct bspi_warning_slot {
	bspscene_warning_code code;
	const char *where;                 /* a static name: lump or kind of file */
	uint32_t count;
	const char *message;               /* the first one's */
	bspi_occurrence *first, *last; uint32_t kept; /* in the scratch arena */
} bspi_warning_slot;

typedef struct bspi_ctx {
	bspscene_load_options options;     /* complete: defaults filled in */
	const char *file;                  /* as the caller named it, for messages */
	const char *name;                  /* the map's name without directory and ending, for sibling files */
	bool only_entities;                /* no other sibling is opened */
	const char *entity_file;           /* that the entities are from; NULL: the map */
	bspi_bytes own_entities;           /* with `entity_file`: the map's */
	struct bspi_companion *companions, *last_companion; uint32_t companion_count; /* io/map_companions.h */
	bspi_budget budget;
	bspi_arena stage, scratch, result;
	bspi_fraction fraction;            /* of the work, for progress */
	bspscene_error error;
	bspi_warning_slot warnings[BSPI_MAX_WARNINGS];
	uint32_t warning_count;
	uint32_t occurrence_count;         /* occurrences kept in addition to the first of each warning */
} bspi_ctx;

/* The kind of a record, so that warnings can name faces and entities. */
typedef enum bspi_record_kind { BSPI_RECORD_OTHER, BSPI_RECORD_FACE, BSPI_RECORD_ENTITY } bspi_record_kind;

/* Where in the file something is wrong; members that do not apply are NULL, BSPSCENE_NO_INDEX and BSPI_NO_OFFSET. */
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

/* Makes the arenas of a zeroed ctx ready, and frees what they hold. */
void bspi_begin_memory(bspi_ctx *ctx);
void bspi_end_memory(bspi_ctx *ctx);

/* Always returns false. The message says what is wrong; file and place are put around it. */
bool bspi_fail(bspi_ctx *ctx, bspscene_status status, bspi_location location, const char *format, ...)
	BSPI_PRINTF(4, 5);
/* An error of looking at something once more, at what was made of it: says so before the words that there are. What is
 * not its fault (memory, limits, a caller that gave up) stays as it is. Always returns false. */
bool bspi_fail_again(bspi_ctx *ctx, const char *about);
/* Counts a repair. Returns false, with the error set, only when the load is strict or memory is out.
 * Missing and stale siblings, and unsupported features, stay warnings even then: the map itself is well. */
bool bspi_warn(bspi_ctx *ctx, bspscene_warning_code code, bspi_location location, const char *format, ...)
	BSPI_PRINTF(4, 5);
/* The warnings so far, in the result arena. */
bool bspi_list_warnings(bspi_ctx *ctx, const bspscene_warning *const **out, uint32_t *count);
/* Says why the last allocation failed: the system or a limit. Always returns false. */
bool bspi_fail_memory(bspi_ctx *ctx);
/* The same in words, for whoever has a budget but no load. */
#define BSPI_REFUSAL_SIZE 96
bspscene_status bspi_describe_refusal(const bspi_budget *budget, char text[BSPI_REFUSAL_SIZE]);
/* Reports the progress of the present part, and asks the caller whether to continue. */
bool bspi_progress(bspi_ctx *ctx, const char *stage, uint64_t done, uint64_t total);
bool bspi_progress_share(bspi_ctx *ctx, const char *stage, double done);

/* The threads that the caller of the load allows. */
bspi_team bspi_load_team(const bspi_ctx *ctx);
/* Runs a job in them; its error becomes the load's. */
bool bspi_run_load_job(bspi_ctx *ctx, const bspi_job *job);
/* Items that know nothing of each other and take no memory, in runs of `step`, whose ends are multiples of it. */
typedef struct bspi_ranges {
	uint32_t count, step;
	void (*work)(void *user, uint32_t first, uint32_t end); /* in any thread */
	void *user;
	const char *stage;                 /* what is told of the progress; NULL: nothing */
} bspi_ranges;

bool bspi_run_ranges(bspi_ctx *ctx, const bspi_ranges *ranges);
/* Says in task->error why its last allocation failed. Always returns false. */
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
/* The same with anything in it, for large arrays that are written from end to end at once. */
void *bspi_push_unset(bspi_ctx *ctx, bspi_arena *arena, size_t count, size_t size);
/* `count` zeroed elements, typed; NULL means that ctx->error is set. */
#define bspi_push(ctx, arena, type, count) ((type *)bspi_push_zeroed((ctx), (arena), (count), sizeof(type)))
/* A copy of `count` elements in the result arena. */
void *bspi_push_copy(bspi_ctx *ctx, const void *items, size_t count, size_t size);
/* Pointers to `count` records that lie one after the other, in the result arena: what a scene's arrays of records are,
 * so that records can grow (bspscene.h). NULL means that ctx->error is set. */
const void *bspi_push_table(bspi_ctx *ctx, const void *records, size_t count, size_t size);
#define bspi_table(ctx, type, records, count) \
	((const type *const *)bspi_push_table((ctx), 1 ? (records) : (const type *)NULL, (count), sizeof(type)))

/* Fills a public error (which may be NULL) outside of a load: writers, images, archives. Always returns false. */
bool bspi_error_set(bspscene_error *error, bspscene_status status, const char *format, ...) BSPI_PRINTF(3, 4);

#endif
