/* members.h - iterates over the files of an archive and of the archives in it. */
#ifndef CLI_MEMBERS_H
#define CLI_MEMBERS_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/work_budget.h"

/* Largest number of archives that are open at once, each inside the one before. */
#define CLI_MEMBERS_DEPTH 4
/* Largest size of a nested archive. It is kept in memory. The nested archives of known games are smaller. */
#define CLI_LARGEST_INNER ((uint64_t)512 << 20)

/* A member that may be a companion of maps. These facts about it are computed only once for all maps. */
typedef struct cli_member_mark {
	const char *name;
	cli_companion_kind kind;
	bool is_of_a_map;                  /* the file's name begins with the name of a map of this archive */
} cli_member_mark;

/* An open archive. */
typedef struct cli_members_level {
	bspscene_file_system *files;
	char *name;                        /* name of this archive in the archive around it; NULL for the outermost
	                                    * archive */
	void *data;                        /* bytes of this archive if it is in another archive */
	size_t size;                       /* size of `data` in bytes */
	char **names;                      /* all members, sorted */
	uint32_t count, room, next;        /* number of members; capacity of `names`; index of the next member to return */
	cli_member_mark *marks;            /* members that may belong to maps, in the order of names */
	uint32_t mark_count;
} cli_members_level;

typedef struct cli_members {
	cli_members_level levels[CLI_MEMBERS_DEPTH];
	uint32_t depth;                    /* number of open archives */
	cli_work_budget work;              /* budget of the outermost file; readers of members charge it */
} cli_members;

/* Opens the outermost file. Returns false, with the error, if the file cannot be opened as an archive. */
bool cli_members_begin(cli_members *members, const char *path, bspscene_error *error);
/* Returns the next member of the innermost archive. After its last member, closes it and continues with the archive
 * around it. Returns NULL after the last member of all. The result is valid until the next call. */
const char *cli_members_next(cli_members *members);
/* Opens a member that is an archive; it becomes the innermost archive. Returns false, with the error, if the member is
 * no archive or exceeds a limit. Do not call this after the work budget was exceeded. */
bool cli_members_enter(cli_members *members, const char *member, bspscene_error *error);
bool cli_members_open(const cli_members *members, const char *member, bspscene_stream *stream);
/* Returns why a member cannot be read, as bspscene_file_system_unreadable does. */
const char *cli_members_unreadable(const cli_members *members, const char *member);
/* Returns how many files of the innermost archive are not listed as members, because their names are not allowed. */
uint32_t cli_members_skipped(const cli_members *members);
/* Returns how many members of the open archives remain. */
uint64_t cli_members_left(const cli_members *members);
/* True if the innermost archive has a file of that name. */
bool cli_members_has(const cli_members *members, const char *path);
/* Sets `out` to the names of the nested archives that are open, followed by `member` unless it is NULL. Returns their
 * number. */
uint32_t cli_members_names(const cli_members *members, const char *member, const char *out[CLI_MEMBERS_DEPTH + 1]);
void cli_members_end(cli_members *members);

/* Returns `first` (NULL: nothing) followed by the first `count` names of `members`, each preceded by `separator`.
 * `members` is the array of that name in a catalog's line. The result is in new memory. */
char *cli_join_members(const char *first, const json_t *members, size_t count, const char *separator);

#endif
