/* file_set.c - see file_set.h.
 *
 * 1. Lock the folder, so that sets of two programs do not mix.
 * 2. Write the record: which files, under which temporary names.
 * 3. Give every old file a second name, by a link where the file system has links. A file that may not be replaced
 *    (immutable, another user's, a folder) fails here or before, while nothing has changed.
 * 4. Rename the new files. When one fails, the old files get their names back in reverse order.
 * 5. Remove the second names, beginning with that of the first old file, then the record.
 *
 * A program that finds the record of a killed one looks for the second name of the first old file. That name exists
 * from the beginning of step 3 to the end of step 4, and undoing removes it last. If it exists, everything is undone.
 * Otherwise only step 5 is left to do. */
#include "system/file_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "system/file_set_record.h"

enum { LONGEST_WAIT = 30000, LONGEST_NAP = 50 }; /* milliseconds */

static const bspi_set_system *system_of(const bspi_file_set *set)
{
	return set->system ? set->system : &bspi_set_native;
}

static bspi_set_locking lock_folder(const char *folder, const bspi_set_system *on, intptr_t *lock)
{
	bspi_set_locking result;
	unsigned nap = 1;
	for (unsigned waited = 0;; waited += nap) {
		result = on->lock(*folder ? folder : ".", lock);
		if (result != BSPI_SET_HELD || waited >= LONGEST_WAIT) return result;
		on->wait(nap);
		nap = nap * 2 < LONGEST_NAP ? nap * 2 : LONGEST_NAP;
	}
}

void bspi_file_set_repair(const char *folder, const bspi_set_system *system)
{
	const bspi_set_system *on = system ? system : &bspi_set_native;
	intptr_t lock;
	if (!bspi_set_record_is_there(folder, on)) return;
	if (lock_folder(folder, on, &lock) != BSPI_SET_LOCKED) return;
	bspi_set_record_undo(folder, on);
	on->unlock(lock);
}

bool bspi_file_set_begin(bspi_file_set *set)
{
	if (set->count < 2) {
		bspi_file_set_repair(set->folder, set->system);
		return true;
	}
	bspi_set_locking result = lock_folder(set->folder, system_of(set), &set->lock);
	set->busy = result == BSPI_SET_HELD;
	set->locked = result == BSPI_SET_LOCKED;
	if (set->locked) bspi_set_record_undo(set->folder, system_of(set));
	return !set->busy;
}

static bool fail(bspi_file_set *set, const bspi_set_file *file, int error)
{
	set->failed = file->target;
	errno = error;
	return false;
}

/* Finds out which of the new files replace an old file. Changes nothing. */
static bool look_at_targets(bspi_file_set *set, bspi_file_mark *old)
{
	for (size_t i = 0; i < set->count; i++) {
		bspi_set_file *file = &set->files[i];
		bspi_set_kind kind = system_of(set)->look(file->target, &old[i]);
		if (kind == BSPI_SET_DIRECTORY) return fail(set, file, EISDIR);
		if (system_of(set)->look(file->temporary, &file->mark) != BSPI_SET_FILE) return fail(set, file, ENOENT);
		if (kind == BSPI_SET_ABSENT) continue;
		file->kept = bspi_set_kept_name(file->temporary);
		if (!file->kept) return fail(set, file, ENOMEM);
	}
	return true;
}

/* Gives each old file its second name. */
static bool keep_old(bspi_file_set *set)
{
	const bspi_set_system *on = system_of(set);
	for (size_t i = 0; i < set->count; i++) {
		bspi_set_file *file = &set->files[i];
		if (!file->kept || on->link(file->target, file->kept)) continue;
		int error = errno;
		bool taken = error == EEXIST;
		if (!taken && on->rename(file->target, file->kept)) {
			file->moved = true;
			continue;
		}
		if (!taken) error = errno;
		for (; i < set->count; i++) { /* no old file was kept for this file and those after it */
			free(set->files[i].kept);
			set->files[i].kept = NULL;
		}
		return fail(set, file, error);
	}
	return true;
}

static bool place_new(bspi_file_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		bspi_set_file *file = &set->files[i];
		file->placed = system_of(set)->rename(file->temporary, file->target);
		if (!file->placed) return fail(set, file, errno);
	}
	return true;
}

static bool undo_file(const bspi_set_file *file, const bspi_set_system *on)
{
	if (file->kept && (file->placed || file->moved)) return on->rename(file->kept, file->target);
	if (file->kept) on->remove(file->kept);
	else if (file->placed) on->remove(file->target);
	return true;
}

/* Gives the old files their names back. The first of the second names is removed last. Returns false if the record must
 * stay. */
static bool undo(bspi_file_set *set)
{
	size_t first = 0;
	bool ok = true;
	int error = errno;
	while (first < set->count && !set->files[first].kept) first++;
	for (size_t i = set->count; i-- > 0 && ok;) {
		if (i != first) ok = undo_file(&set->files[i], system_of(set));
	}
	if (ok && first < set->count) ok = undo_file(&set->files[first], system_of(set));
	errno = error;
	return ok;
}

/* Removes the second names, the first one before the others. As long as the first one exists, a program that finds the
 * record would undo the set. */
static void forget_old(bspi_file_set *set)
{
	bool is_first = true;
	for (size_t i = 0; i < set->count; i++) {
		if (!set->files[i].kept) continue;
		bool removed = system_of(set)->remove(set->files[i].kept);
		if (!removed && is_first && set->recorded) bspi_set_record_remove(set->folder, system_of(set));
		is_first = false;
	}
}

static bool replace_all(bspi_file_set *set, bspi_file_mark *old)
{
	if (!look_at_targets(set, old)) return false;
	set->recorded = set->locked && bspi_set_record_write(set->folder, set->files, old, set->count, system_of(set));
	bool ok = keep_old(set) && place_new(set), clean = ok || undo(set);
	if (ok) forget_old(set);
	if (set->recorded && clean) {
		int error = errno;
		bspi_set_record_remove(set->folder, system_of(set));
		errno = error;
	}
	return ok;
}

static bool replace_one(bspi_file_set *set)
{
	bspi_set_file *file = set->files;
	if (system_of(set)->rename(file->temporary, file->target)) return true;
	return fail(set, file, errno);
}

bool bspi_file_set_finish(bspi_file_set *set)
{
	if (set->count < 2) return !set->count || replace_one(set);
	bspi_file_mark *old = calloc(set->count, sizeof *old);
	bool ok = old ? replace_all(set, old) : fail(set, set->files, ENOMEM);
	int error = errno;
	for (size_t i = 0; i < set->count; i++) free(set->files[i].kept);
	free(old);
	if (set->locked) system_of(set)->unlock(set->lock);
	errno = error;
	return ok;
}
