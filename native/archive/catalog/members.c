/* members.c - keeps nested archives open on a stack. See members.h. */
#include "archive/catalog/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/map_names.h"
#include "cli/host/platform.h"
#include "cli/read_stream.h"
#include "cli/report.h"

/* Bytes that are charged for an archive which is unpacked whole when it is mounted. AT_ONCE is added to the size of its
 * files. If the archive is refused, the number of unpacked bytes is not known, so an upper bound is charged instead:
 * IN_VAIN if the archive exceeds a limit, TO_DAMAGE after any other error. */
#define UNPACKED_AT_ONCE ((uint64_t)1 << 20)
#define UNPACKED_IN_VAIN ((uint64_t)64 << 20)
#define UNPACKED_TO_DAMAGE ((uint64_t)8 << 20)

static bool fail(bspscene_error *error, bspscene_status status, const char *name, const char *what)
{
	*error = (bspscene_error) { .status = status, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
	snprintf(error->message, sizeof error->message, "%.300s: %s", name, what);
	return false;
}

char *cli_join_members(const char *first, const json_t *members, size_t count, const char *separator)
{
	char *joined = cli_format("%s", first ? first : "");
	for (size_t i = 0; i < count; i++) {
		const char *name = json_string_value(json_array_get(members, i));
		char *longer = cli_format("%s%s%s", joined, i || first ? separator : "", name ? name : "");
		free(joined);
		joined = longer;
	}
	return joined;
}

/* ---- Levels ----------------------------------------------------------------------------------------------- */

static void add_name(void *user, const char *name)
{
	cli_members_level *level = user;
	if (level->count == level->room) {
		level->room = level->room ? 2 * level->room : 256;
		level->names = cli_resize(level->names, level->room, sizeof *level->names);
	}
	level->names[level->count++] = cli_format("%s", name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sets mark->is_of_a_map if the file's name begins with the name of a map. Checks only texts and documents: one that is
 * named after no map may belong to several maps. */
static void find_owner(cli_member_mark *mark, char *const *maps, uint32_t map_count)
{
	if (mark->kind != CLI_COMPANION_TEXT && mark->kind != CLI_COMPANION_DOCUMENT) return;
	for (uint32_t i = 0; i < map_count && !mark->is_of_a_map; i++) {
		mark->is_of_a_map = cli_is_called_by(mark->name, maps[i]);
	}
}

static void mark_companions(cli_members_level *level, cli_work_budget *work)
{
	char **maps = cli_allocate(level->count, sizeof *maps);
	uint32_t map_count = 0;
	level->marks = cli_allocate(level->count, sizeof *level->marks);
	for (uint32_t i = 0; i < level->count; i++) {
		const char *name = level->names[i];
		cli_companion_kind kind = cli_companion_kind_of(name);
		if (cli_is_map_name(name)) maps[map_count++] = cli_map_name(name);
		else if (kind) level->marks[level->mark_count++] = (cli_member_mark) { .name = name, .kind = kind };
	}
	bool may_compare = cli_work_take(work, CLI_WORK_COMPARED, (uint64_t)map_count * level->mark_count);
	for (uint32_t i = 0; may_compare && i < level->mark_count; i++) find_owner(&level->marks[i], maps, map_count);
	for (uint32_t i = 0; i < map_count; i++) free(maps[i]);
	free(maps);
}

static void list(cli_members_level *level, cli_work_budget *work)
{
	bspscene_file_system_list(level->files, "", "", add_name, level);
	cli_work_take(work, CLI_WORK_MEMBERS, level->count);
	if (level->count) qsort(level->names, level->count, sizeof *level->names, compare_names);
	mark_companions(level, work);
}

static void close_level(cli_members_level *level)
{
	bspscene_file_system_free(level->files);
	for (uint32_t i = 0; i < level->count; i++) free(level->names[i]);
	free(level->names);
	free(level->marks);
	free(level->name);
	free(level->data);
	*level = (cli_members_level) { 0 };
}

bool cli_members_begin(cli_members *members, const char *path, bspscene_error *error)
{
	cli_members_level *level = &members->levels[0];
	level->files = bspscene_file_system_create(NULL);
	if (!level->files) cli_end_without_memory();
	if (!bspscene_file_system_mount(level->files, path, error)) {
		close_level(level);
		return false;
	}
	cli_work_begin_archive(&members->work, path);
	members->depth = 1;
	list(level, &members->work);
	return true;
}

const char *cli_members_next(cli_members *members)
{
	while (members->depth) {
		cli_members_level *level = &members->levels[members->depth - 1];
		if (level->next < level->count) return level->names[level->next++];
		close_level(level);
		members->depth--;
	}
	return NULL;
}

bool cli_members_open(const cli_members *members, const char *member, bspscene_stream *stream)
{
	bspscene_stream_init(stream);
	return bspscene_file_system_open(members->levels[members->depth - 1].files, stream, member, BSPSCENE_FILE_OTHER);
}

uint32_t cli_members_skipped(const cli_members *members)
{
	return members->depth ? bspscene_file_system_skipped_names(members->levels[members->depth - 1].files) : 0;
}

uint64_t cli_members_left(const cli_members *members)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < members->depth; i++) count += members->levels[i].count - members->levels[i].next;
	return count;
}

const char *cli_members_unreadable(const cli_members *members, const char *member)
{
	return bspscene_file_system_unreadable(members->levels[members->depth - 1].files, member);
}

bool cli_members_has(const cli_members *members, const char *path)
{
	bspscene_stream stream;
	if (!cli_members_open(members, path, &stream)) return false;
	if (stream.close) stream.close(stream.user);
	return true;
}

/* Charges the size of a nested archive to the work budget. */
static bool take_inner(cli_members *members, const bspscene_stream *stream)
{
	uint64_t sum = stream->size < CLI_LARGEST_INNER ? stream->size : CLI_LARGEST_INNER;
	return cli_work_take(&members->work, CLI_WORK_UNPACKED, sum);
}

/* An open archive, and the total size in bytes of those of its files that are in memory. */
typedef struct unpacked_sum {
	bspscene_file_system *files;
	uint64_t size;
} unpacked_sum;

/* Implements bspscene_found_file_fn. */
static void add_unpacked(void *user, const char *name)
{
	unpacked_sum *sum = user;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(sum->files, &stream, name, BSPSCENE_FILE_OTHER)) return;
	if (stream.data && stream.size < UINT64_MAX - sum->size) sum->size += stream.size;
	if (stream.close) stream.close(stream.user);
}

/* 7z, RAR and tar archives are unpacked whole when they are mounted, including files that are not members. */
static bool is_unpacked_at_once(const cli_members_level *level)
{
	return level->size < 2 || memcmp(level->data, "PK", 2) != 0;
}

static void take_unpacked(const cli_members_level *level, cli_work_budget *work)
{
	if (!is_unpacked_at_once(level)) return;
	unpacked_sum sum = { .files = level->files, .size = UNPACKED_AT_ONCE };
	bspscene_file_system_list(level->files, "", "", add_unpacked, &sum);
	cli_work_take(work, CLI_WORK_UNPACKED, sum.size);
}

static void take_refused(const cli_members_level *level, cli_work_budget *work, bspscene_status why)
{
	if (!is_unpacked_at_once(level) || why == BSPSCENE_ERROR_UNKNOWN_FORMAT) return;
	cli_work_take(work, CLI_WORK_UNPACKED, why == BSPSCENE_ERROR_LIMIT ? UNPACKED_IN_VAIN : UNPACKED_TO_DAMAGE);
}

static bool fail_budget(const cli_members *members, const char *member, bspscene_error *error)
{
	char *why = cli_work_describe(&members->work);
	fail(error, BSPSCENE_ERROR_LIMIT, member, why);
	free(why);
	return false;
}

bool cli_members_enter(cli_members *members, const char *member, bspscene_error *error)
{
	bspscene_stream stream;
	size_t size;
	if (members->depth == CLI_MEMBERS_DEPTH) {
		return fail(error, BSPSCENE_ERROR_LIMIT, member, "archives are nested too deep: this one is not opened");
	}
	if (!cli_members_open(members, member, &stream)) return fail(error, BSPSCENE_ERROR_IO, member, "cannot be opened");
	if (!take_inner(members, &stream)) {
		if (stream.close) stream.close(stream.user);
		return fail_budget(members, member, error);
	}
	void *data = cli_read_stream(&stream, CLI_LARGEST_INNER, &size);
	if (!data) {
		return fail(error, BSPSCENE_ERROR_LIMIT, member, "is damaged, or too large to be unpacked into memory");
	}
	cli_members_level *level = &members->levels[members->depth];
	*level = (cli_members_level) {
		.files = bspscene_file_system_create(NULL), .data = data, .size = size, .name = cli_format("%s", member)
	};
	if (!level->files) cli_end_without_memory();
	if (!bspscene_file_system_mount_memory(level->files, member, data, size, error)) {
		take_refused(level, &members->work, error->status);
		close_level(level);
		return false;
	}
	members->depth++;
	take_unpacked(level, &members->work);
	list(level, &members->work);
	return true;
}

uint32_t cli_members_names(const cli_members *members, const char *member, const char *out[CLI_MEMBERS_DEPTH + 1])
{
	uint32_t count = 0;
	for (uint32_t i = 1; i < members->depth; i++) out[count++] = members->levels[i].name;
	if (member) out[count++] = member;
	return count;
}

void cli_members_end(cli_members *members)
{
	while (members->depth) close_level(&members->levels[--members->depth]);
}
