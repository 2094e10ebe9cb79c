/* files.c - mounted places as one set of game files: the public bspscene_files.
 *
 * All entries of all places stand in one array sorted by folded name, one winner for each. Sorting, not hashing: a
 * hostile archive cannot choose names that collide. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "files/files.h"
#include "files/game.h"

struct bspscene_files {
	bspi_mount **mounts;
	uint32_t mount_count;
	const bspi_entry **by_name;        /* sorted by key */
	const bspi_entry **by_reading;     /* the same in the order of bspscene_files_list */
	uint32_t count;
};

bspscene_files *bspscene_files_create(void)
{
	return calloc(1, sizeof(bspscene_files));
}

void bspscene_files_free(bspscene_files *files)
{
	if (!files) return;
	for (uint32_t i = 0; i < files->mount_count; i++) bspi_mount_close(files->mounts[i]);
	free(files->mounts);
	free(files->by_name);
	free(files->by_reading);
	free(files);
}

/* By name; of equal names the one that wins comes last. */
static int compare_names(const void *a, const void *b)
{
	const bspi_entry *x = *(const bspi_entry *const *)a, *y = *(const bspi_entry *const *)b;
	int order = strcmp(x->key, y->key);
	if (order) return order;
	if (x->mount != y->mount) return x->mount->number < y->mount->number ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_reading(const void *a, const void *b)
{
	const bspi_entry *x = *(const bspi_entry *const *)a, *y = *(const bspi_entry *const *)b;
	if (x->mount != y->mount) return x->mount->number < y->mount->number ? -1 : 1;
	return x->order > y->order ? -1 : x->order < y->order;
}

static uint32_t keep_winners(const bspi_entry **entries, size_t count)
{
	uint32_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && !strcmp(entries[i]->key, entries[i + 1]->key)) continue;
		entries[kept++] = entries[i];
	}
	return kept;
}

/* Takes over all of `added`, or none of them and closes them. */
static bool commit(bspscene_files *files, bspi_mount *const *added, uint32_t added_count, bspscene_error *error)
{
	size_t count = files->count, mount_count = (size_t)files->mount_count + added_count;
	for (uint32_t i = 0; i < added_count; i++) count += added[i]->entry_count;
	bspi_mount **mounts = malloc((mount_count + 1) * sizeof *mounts);
	const bspi_entry **by_name = malloc((count + 1) * sizeof *by_name),
	                 **by_reading = malloc((count + 1) * sizeof *by_reading);
	if (!mounts || !by_name || !by_reading) {
		free(mounts);
		free(by_name);
		free(by_reading);
		for (uint32_t i = 0; i < added_count; i++) bspi_mount_close(added[i]);
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory while mounting %zu files", count);
	}
	if (files->mount_count) memcpy(mounts, files->mounts, files->mount_count * sizeof *mounts);
	if (files->count) memcpy(by_name, files->by_name, files->count * sizeof *by_name);
	size_t at = files->count;
	for (uint32_t i = 0; i < added_count; i++) {
		mounts[files->mount_count + i] = added[i];
		added[i]->number = files->mount_count + i;
		for (uint32_t j = 0; j < added[i]->entry_count; j++) by_name[at++] = &added[i]->entries[j];
	}
	qsort(by_name, count, sizeof *by_name, compare_names);
	uint32_t kept = keep_winners(by_name, count);
	memcpy(by_reading, by_name, kept * sizeof *by_reading);
	qsort(by_reading, kept, sizeof *by_reading, compare_reading);

	free(files->mounts);
	free(files->by_name);
	free(files->by_reading);
	*files = (bspscene_files){ mounts, (uint32_t)mount_count, by_name, by_reading, kept };
	return true;
}

bool bspscene_files_mount(bspscene_files *files, const char *path, bspscene_error *error)
{
	assert(files && path);
	if (error) *error = (bspscene_error){ 0 };
	bspi_mount *mount = bspi_mount_open(path, error);
	return mount && commit(files, &mount, 1, error);
}

bool bspscene_files_mount_memory(bspscene_files *files, const char *name, const void *data, size_t size,
                                 bspscene_error *error)
{
	assert(files && name && (data || !size));
	if (error) *error = (bspscene_error){ 0 };
	bspi_mount *mount = bspi_mount_open_memory(name, bspi_bytes_of(data, size), error);
	return mount && commit(files, &mount, 1, error);
}

bool bspscene_files_mount_game(bspscene_files *files, const char *directory, bspscene_error *error)
{
	assert(files && directory);
	if (error) *error = (bspscene_error){ 0 };
	bspi_mount_list list;
	if (!bspi_open_game(directory, &list, error)) return false;
	bool ok = commit(files, list.mounts, list.count, error);
	free(list.mounts);
	return ok;
}

static int compare_key(const void *key, const void *entry)
{
	return strcmp(key, (*(const bspi_entry *const *)entry)->key);
}

bool bspscene_files_open(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspscene_files *files = user;
	char key[BSPI_PATH_SIZE];
	assert(files && stream && path);
	(void)kind;
	if (!files->count || !bspi_text_path(path, true, key, sizeof key)) return false;
	const bspi_entry *const *found = bsearch(key, files->by_name, files->count, sizeof *files->by_name, compare_key);
	return found && (*found)->mount->kind->open((*found)->mount, *found, stream);
}

void bspscene_files_list(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                         void *found_user)
{
	const bspscene_files *files = user;
	assert(files && prefix && suffix && found);
	for (uint32_t i = 0; i < files->count; i++) {
		const bspi_entry *entry = files->by_reading[i];
		if (bspi_text_starts(entry->key, prefix) && bspi_text_ends(entry->key, suffix)) found(found_user, entry->path);
	}
}

const char *bspscene_files_place(const bspscene_files *files, uint32_t index)
{
	assert(files);
	return index < files->mount_count ? files->mounts[files->mount_count - 1 - index]->origin : NULL;
}
