/* file_set_record.c - see file_set_record.h.
 *
 * A record is a list of strings: "bspscene set 1 NUMBER", for each file its marks and two names, and "end". NUMBER is
 * the file number (inode) of the record itself. A record from an archive or a copied folder has another number and is
 * ignored. Names are relative to the folder. */
#include "system/file_set_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_RECORD = 64 << 20, MARKS_SIZE = 160 };

static const char own_name[] = ".bspscene-set";
static const char kept_ending[] = "kept";

static char *join(const char *folder, const char *name)
{
	size_t before = strlen(folder), after = strlen(name) + 1;
	char *path = malloc(before + after);
	if (!path) return NULL;
	memcpy(path, folder, before);
	memcpy(path + before, name, after);
	return path;
}

char *bspi_set_kept_name(const char *temporary)
{
	char *name = join("", temporary);
	if (name) memcpy(name + strlen(name) - (sizeof kept_ending - 1), kept_ending, sizeof kept_ending - 1);
	return name;
}

static FILE *open_own(const char *folder, FILE *(*how)(const char *path))
{
	char *path = join(folder, own_name);
	FILE *file = path ? how(path) : NULL;
	free(path);
	return file;
}

bool bspi_set_record_is_there(const char *folder, const bspi_set_system *on)
{
	FILE *file = open_own(folder, on->open);
	if (file) fclose(file);
	return file != NULL;
}

void bspi_set_record_remove(const char *folder, const bspi_set_system *on)
{
	char *path = join(folder, own_name);
	if (path) on->remove(path);
	free(path);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/* False if a name could lead out of the folder. It is checked by the rules of all systems, whichever system this is. */
static bool is_below(const char *name)
{
	for (const char *part = name;; part++) {
		size_t length = strcspn(part, "/");
		if (!length || !strncmp(part, "..", length) || strcspn(part, "\\:") < length) return false;
		part += length;
		if (!*part) return true;
	}
}

/* Returns the part of a path after the folder, or NULL if the path is not in the folder. */
static const char *name_below(const char *folder, const char *path)
{
	size_t length = strlen(folder);
	return !strncmp(path, folder, length) && is_below(path + length) ? path + length : NULL;
}

static void write_text(FILE *file, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, file);
}

static void write_file(FILE *file, const char *folder, const bspi_set_file *one, const bspi_file_mark *old)
{
	char marks[MARKS_SIZE];
	const bspi_file_mark *now = &one->mark;
	snprintf(marks, sizeof marks,
	         "%c %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, one->kept ? 'k' : 'n',
	         now->number, now->size, now->written, old->number, old->size, old->written);
	write_text(file, marks);
	write_text(file, name_below(folder, one->temporary));
	write_text(file, name_below(folder, one->target));
}

bool bspi_set_record_write(const char *folder, const bspi_set_file *files, const bspi_file_mark *old, size_t count,
                           const bspi_set_system *on)
{
	for (size_t i = 0; i < count; i++) {
		if (!name_below(folder, files[i].temporary) || !name_below(folder, files[i].target)) return false;
	}
	FILE *file = open_own(folder, on->create);
	if (!file && errno == EEXIST) { /* an old record that nobody needs, because otherwise it would have been undone */
		bspi_set_record_remove(folder, on);
		file = open_own(folder, on->create);
	}
	uint64_t number;
	if (!file) return false;
	bool ok = on->number(file, &number);
	if (ok) {
		char head[MARKS_SIZE];
		snprintf(head, sizeof head, "bspscene set 1 %" PRIu64, number);
		write_text(file, head);
		for (size_t i = 0; i < count; i++) write_file(file, folder, &files[i], &old[i]);
		write_text(file, "end");
		ok = !ferror(file);
	}
	ok = fclose(file) == 0 && ok;
	if (!ok) bspi_set_record_remove(folder, on);
	return ok;
}

/* ---- Undoing ------------------------------------------------------------------------------------------------ */

typedef struct recorded_file {
	const char *temporary, *target;    /* paths relative to the folder */
	bspi_file_mark now, old;
	bool has_old;
} recorded_file;

/* Returns the next string and moves *at behind it. Returns NULL if there is none. */
static const char *next_text(const char **at, const char *end)
{
	const char *text = *at, *stop = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
	if (stop) *at = stop + 1;
	return stop ? text : NULL;
}

static bool read_file(const char **at, const char *end, recorded_file *out)
{
	char letter;
	const char *marks = next_text(at, end);
	out->temporary = next_text(at, end);
	out->target = next_text(at, end);
	if (!out->target || !is_below(out->temporary) || !is_below(out->target) || strlen(out->temporary) < 4) return false;
	out->has_old = *marks == 'k';
	return sscanf(marks, "%c %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &letter,
	              &out->now.number, &out->now.size, &out->now.written, &out->old.number, &out->old.size,
	              &out->old.written) == 7;
}

static bool is_file(const char *path, const bspi_file_mark *mark, const bspi_set_system *on)
{
	bspi_file_mark found;
	return on->look(path, &found) != BSPI_SET_ABSENT && found.number == mark->number && found.size == mark->size &&
	       found.written == mark->written;
}

/* True if the old file is still under its second name. Only its number is compared, because somebody may have changed
 * the file through its first name. */
static bool is_kept_file(const char *path, const recorded_file *file, const bspi_set_system *on)
{
	bspi_file_mark found;
	return file->has_old && on->look(path, &found) != BSPI_SET_ABSENT && found.number == file->old.number;
}

/* If `undoes` is true, undoes one file. If somebody has put another file at `target` since then, that file stays. If
 * `undoes` is false, only removes the second name and the temporary file. */
static void undo_file(const recorded_file *file, const char *temporary, const char *kept, const char *target,
                      bool undoes, const bspi_set_system *on)
{
	bool is_kept = is_kept_file(kept, file, on);
	bool is_new = undoes && is_file(target, &file->now, on);
	if (is_kept && undoes && (is_new || on->look(target, NULL) == BSPI_SET_ABSENT)) on->rename(kept, target);
	else if (is_kept) on->remove(kept);
	else if (is_new && !file->has_old) on->remove(target);
	if (is_file(temporary, &file->now, on)) on->remove(temporary);
}

/* Returns whether the old file of a record has its second name. Unless `undoes` is NULL, it then calls undo_file,
 * which may remove that name. */
static bool on_paths(const char *folder, const recorded_file *file, const bool *undoes, const bspi_set_system *on)
{
	char *temporary = join(folder, file->temporary), *target = join(folder, file->target);
	char *kept = temporary ? bspi_set_kept_name(temporary) : NULL;
	bool there = kept && target && is_kept_file(kept, file, on);
	if (kept && target && undoes) undo_file(file, temporary, kept, target, *undoes, on);
	free(temporary);
	free(target);
	free(kept);
	return there;
}

static void undo_files(const char *folder, const recorded_file *files, size_t count, const bspi_set_system *on)
{
	size_t first = 0;
	while (first < count && !files[first].has_old) first++;
	bool undoes = first == count || on_paths(folder, &files[first], NULL, on);
	for (size_t i = count; i-- > 0;) {
		if (i != first || !undoes) on_paths(folder, &files[i], &undoes, on);
	}
	if (first < count && undoes) on_paths(folder, &files[first], &undoes, on);
}

/* Reads a record. Returns false if it is cut short, is not a record, or has the number of another file. */
static bool read_record(const char *data, size_t size, uint64_t number, recorded_file *files, size_t *count)
{
	const char *at = data, *end = data + size;
	char head[MARKS_SIZE];
	snprintf(head, sizeof head, "bspscene set 1 %" PRIu64, number);
	const char *text = next_text(&at, end);
	if (!text || strcmp(text, head) != 0) return false;
	for (*count = 0; at < end && strcmp(at, "end") != 0; ++*count) {
		if (!read_file(&at, end, &files[*count])) return false;
	}
	return at < end;
}

static char *read_all(FILE *file, size_t *size)
{
	char *data = NULL;
	size_t room = 4096;
	*size = 0;
	do {
		char *more = realloc(data, room + 1);
		if (!more) break;
		data = more;
		*size += fread(data + *size, 1, room - *size, file);
	} while (*size == room && (room *= 2) <= LARGEST_RECORD);
	if (data) data[*size] = 0;
	return data;
}

void bspi_set_record_undo(const char *folder, const bspi_set_system *on)
{
	FILE *file = open_own(folder, on->open);
	if (!file) return;
	uint64_t number = 0;
	size_t size, count = 0;
	bool known = on->number(file, &number);
	char *data = read_all(file, &size);
	fclose(file);
	/* room for the largest number of entries: an entry has more than 8 bytes */
	recorded_file *files = data ? calloc(size / 8 + 1, sizeof *files) : NULL;
	if (files && known && read_record(data, size, number, files, &count)) undo_files(folder, files, count, on);
	if (files) bspi_set_record_remove(folder, on);
	free(files);
	free(data);
}
