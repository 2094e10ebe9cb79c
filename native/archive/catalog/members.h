/* members.h - what is in an archive and in the archives in it, one after the other. */
#ifndef CLI_MEMBERS_H
#define CLI_MEMBERS_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/work_budget.h"

/* Archives deeper in each other than this are somebody's joke. */
#define CLI_MEMBERS_DEPTH 4
/* Archives in archives are in memory; those of all maps of a game are smaller, in bytes. */
#define CLI_LARGEST_INNER ((uint64_t)512 << 20)

/* A member that may belong to maps: asked about for each of thousands of maps, but known once. */
typedef struct cli_member_mark {
	const char *name;
	cli_companion_kind kind;
	bool is_of_a_map;                  /* it is called by one of the archive's maps */
} cli_member_mark;

/* An open archive. */
typedef struct cli_members_level {
	bspscene_file_system *files;
	char *name;                        /* as a member of the one around it; NULL: the outermost */
	void *data;                        /* its bytes, when it lies in another */
	size_t size;                       /* of them */
	char **names;                      /* all of its members, sorted */
	uint32_t count, room, next;
	cli_member_mark *marks;            /* in the order of names */
	uint32_t mark_count;
} cli_members_level;

typedef struct cli_members {
	cli_members_level levels[CLI_MEMBERS_DEPTH];
	uint32_t depth;                    /* open archives */
	cli_work_budget work;              /* of the outermost file; who opens members adds what is read of them */
} cli_members;

/* False with the error: it is no archive. */
bool cli_members_begin(cli_members *members, const char *path, bspscene_error *error);
/* The next member of the innermost open archive, which is left at its end; NULL: no more at all. Valid until the next
 * call. */
const char *cli_members_next(cli_members *members);
/* Goes into a member that is an archive. False with the error: it is none, or there is too much in it. When the budget
 * of work is met, nothing more may be opened. */
bool cli_members_enter(cli_members *members, const char *member, bspscene_error *error);
bool cli_members_open(const cli_members *members, const char *member, bspscene_stream *stream);
/* Why it cannot be read, as bspscene_file_system_unreadable has it. */
const char *cli_members_unreadable(const cli_members *members, const char *member);
/* Returns how many files of the innermost archive are no members because of their names. */
uint32_t cli_members_skipped(const cli_members *members);
/* Returns how many members of the open archives are still to come. */
uint64_t cli_members_left(const cli_members *members);
/* True if the innermost archive has a file of that name. */
bool cli_members_has(const cli_members *members, const char *path);
/* Lists the inner archives' names and `member` (NULL: none). Returns their number. */
uint32_t cli_members_names(const cli_members *members, const char *member, const char *out[CLI_MEMBERS_DEPTH + 1]);
void cli_members_end(cli_members *members);

/* Joins the first `count` names of a catalog entry's `members` after `first` (NULL: nothing), each preceded by
 * `separator`. New memory. */
char *cli_join_members(const char *first, const json_t *members, size_t count, const char *separator);

/* All bytes of a stream, which is closed, in new memory. NULL: it cannot be read, or has more than `most`. */
void *cli_read_stream(bspscene_stream *stream, uint64_t most, size_t *size);

#endif
