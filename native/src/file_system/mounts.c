/* mounts.c - bspscene_file_system: combines mounts to one set of files.
 *
 * One array contains all entries of all mounts, sorted by folded name. Of the entries with the same name, only the
 * winner is kept. The array is sorted instead of hashed, because a hostile archive could choose names whose hashes
 * collide. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "file_system/mounts.h"
#include "base/caller_struct.h"
#include "base/parallel/threads.h"
#include "file_system/game.h"

struct bspscene_file_system {
	bspi_budget *budget;               /* budget of the load to which the file system belongs; NULL: none */
	bspi_heap heap;                    /* used if there is no budget */
	/* protects a caller's allocator, because several threads may open and read files; NULL: not needed */
	bspi_lock *lock;
	uint64_t charged;                  /* bytes charged for the arrays below */
	bspi_mount **mounts;
	uint32_t mount_count;
	const bspi_entry **by_name;        /* sorted by key */
	const bspi_entry **by_reading;     /* the same entries in the order of bspscene_file_system_list */
	uint32_t count;
	bool dates_entities;               /* see bspi_file_system_date_entities */
	const char *map;                   /* path of the map, for dates_entities; NULL: the map is in the file system */
};

bspscene_file_system *bspscene_file_system_create(const bspscene_allocator *allocator)
{
	const bspi_heap heap = { .allocator = allocator ? *allocator : bspi_system_heap.allocator };
	bspscene_file_system *files = bspi_heap_take_zeroed(&heap, sizeof *files);
	if (!files) return NULL;
	files->heap = heap;
	if (!allocator) return files;
	files->lock = bspi_heap_take_zeroed(&heap, sizeof *files->lock);
	if (!files->lock) {
		bspi_heap_give(&heap, files);
		return NULL;
	}
	bspi_lock_begin(files->lock);
	files->heap.lock = files->lock;
	return files;
}

bspscene_file_system *bspi_file_system_create_within(bspi_budget *budget)
{
	assert(budget);
	bspscene_file_system *files = bspi_heap_take_zeroed(&budget->heap, sizeof *files);
	if (files) files->budget = budget;
	return files;
}

const bspi_heap *bspi_file_system_heap(const bspscene_file_system *files)
{
	return files->budget ? &files->budget->heap : &files->heap;
}

static void free_arrays(bspscene_file_system *files)
{
	const bspi_heap *heap = bspi_file_system_heap(files);
	bspi_heap_give(heap, files->mounts);
	bspi_heap_give(heap, files->by_name);
	bspi_heap_give(heap, files->by_reading);
	if (files->budget) bspi_budget_give(files->budget, files->charged);
}

void bspscene_file_system_free(bspscene_file_system *files)
{
	if (!files) return;
	for (uint32_t i = 0; i < files->mount_count; i++) bspi_mount_close(files->mounts[i]);
	free_arrays(files);
	if (files->budget) {
		bspi_heap_give(&files->budget->heap, files);
		return;
	}
	const bspi_heap heap = { .allocator = files->heap.allocator };
	if (files->lock) bspi_lock_end(files->lock);
	bspi_heap_give(&heap, files->lock);
	bspi_heap_give(&heap, files);
}

/* Sorts by name. Among entries with the same name, the winner comes last. */
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

/* Allocates the arrays of a copy of `files` that has room for more entries. */
static bool make_arrays(const bspscene_file_system *files, size_t mount_count, size_t count, bspscene_file_system *out)
{
	*out = (bspscene_file_system){ .budget = files->budget, .heap = files->heap, .lock = files->lock,
		                           .dates_entities = files->dates_entities, .map = files->map };
	uint64_t size = (uint64_t)mount_count * sizeof *out->mounts + (uint64_t)count * 2 * sizeof *out->by_name;
	if (out->budget && !bspi_budget_take(out->budget, size)) return false;
	out->charged = size;
	const bspi_heap *heap = bspi_file_system_heap(files);
	out->mounts = bspi_heap_take(heap, (mount_count + 1) * sizeof *out->mounts);
	out->by_name = bspi_heap_take(heap, (count + 1) * sizeof *out->by_name);
	out->by_reading = bspi_heap_take(heap, (count + 1) * sizeof *out->by_reading);
	if (out->mounts && out->by_name && out->by_reading) return true;
	free_arrays(out);
	return false;
}

static void take_entries(bspscene_file_system *files, bspi_mount *const *added, uint32_t added_count, size_t at)
{
	for (uint32_t i = 0; i < added_count; i++) {
		added[i]->number = files->mount_count;
		files->mounts[files->mount_count++] = added[i];
		for (uint32_t j = 0; j < added[i]->entry_count; j++) files->by_name[at++] = &added[i]->entries[j];
	}
	qsort(files->by_name, at, sizeof *files->by_name, compare_names);
	files->count = keep_winners(files->by_name, at);
	memcpy(files->by_reading, files->by_name, files->count * sizeof *files->by_reading);
	qsort(files->by_reading, files->count, sizeof *files->by_reading, compare_reading);
}

/* Adds all mounts of `added`. On failure, closes all of them. */
static bool commit(bspscene_file_system *files, bspi_mount *const *added, uint32_t added_count, bspscene_error *error)
{
	bspscene_file_system grown;
	size_t count = files->count;
	for (uint32_t i = 0; i < added_count; i++) count += added[i]->entry_count;
	if (!make_arrays(files, (size_t)files->mount_count + added_count, count, &grown)) {
		for (uint32_t i = 0; i < added_count; i++) bspi_mount_close(added[i]);
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory while mounting %zu files", count);
	}
	if (files->mount_count) memcpy(grown.mounts, files->mounts, files->mount_count * sizeof *grown.mounts);
	if (files->count) memcpy(grown.by_name, files->by_name, files->count * sizeof *grown.by_name);
	grown.mount_count = files->mount_count;
	take_entries(&grown, added, added_count, files->count);
	free_arrays(files);
	*files = grown;
	return true;
}

bool bspscene_file_system_mount(bspscene_file_system *files, const char *path, bspscene_error *error)
{
	assert(files && path);
	if (error) *error = (bspscene_error){ 0 };
	bspi_mount *mount = bspi_mount_open(&files->heap, path, error);
	return mount && bspi_file_system_add(files, mount, error);
}

bool bspi_file_system_add(bspscene_file_system *files, bspi_mount *mount, bspscene_error *error)
{
	return commit(files, &mount, 1, error);
}

bool bspscene_file_system_mount_memory(bspscene_file_system *files, const char *name, const void *data, size_t size,
                                 bspscene_error *error)
{
	assert(files && name && (data || !size));
	if (error) *error = (bspscene_error){ 0 };
	bspi_mount *mount = bspi_mount_open_memory(&files->heap, name, bspi_bytes_of(data, size), files->budget, error);
	return mount && bspi_file_system_add(files, mount, error);
}

bool bspscene_file_system_mount_game(bspscene_file_system *files, const char *directory, bspscene_error *error)
{
	assert(files && directory);
	return bspi_file_system_mount_game_but(files, directory, NULL, error);
}

bool bspi_file_system_mount_game_but(bspscene_file_system *files, const char *directory, const char *archive,
                               bspscene_error *error)
{
	if (error) *error = (bspscene_error){ 0 };
	bspi_mount_list list;
	if (!bspi_open_game(&files->heap, directory, archive, &list, error)) return false;
	bool ok = commit(files, list.mounts, list.count, error);
	bspi_heap_give(&files->heap, list.mounts);
	return ok;
}

static int compare_key(const void *key, const void *entry)
{
	return strcmp(key, (*(const bspi_entry *const *)entry)->key);
}

/* Finds an entry; NULL if there is none. */
static const bspi_entry *find_entry(const bspscene_file_system *files, const char *path)
{
	char key[BSPI_PATH_SIZE];
	if (!files->count || !bspi_text_path(path, true, key, sizeof key)) return NULL;
	const bspi_entry *const *found = bsearch(key, files->by_name, files->count, sizeof *files->by_name, compare_key);
	return found ? *found : NULL;
}

const char *bspscene_file_system_unreadable(const bspscene_file_system *files, const char *path)
{
	assert(files && path);
	const bspi_entry *entry = find_entry(files, path);
	return entry ? entry->unreadable : NULL;
}

/* True if engines would read the map's entities from this file. */
static bool has_entities_for_map(const bspscene_file_system *files, const bspi_entry *entry)
{
	char map[BSPI_PATH_SIZE];
	if (entry->mount->is_base) return false;
	if (!files->dates_entities || !bspi_text_ends(entry->key, ".ent")) return true;
	size_t stem = strlen(entry->key) - strlen(".ent");
	if (stem + sizeof ".bsp" > sizeof map) return true;
	memcpy(map, entry->key, stem);
	memcpy(map + stem, ".bsp", sizeof ".bsp");
	return !bspi_is_older_than_map(entry, files->map ? NULL : find_entry(files, map), files->map);
}

bool bspscene_file_system_open(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const size_t first_size = BSPI_END_OF(bspscene_stream, origin);
	const bspscene_file_system *files = user;
	assert(files && stream && path);
	if (stream->struct_size < first_size || stream->struct_size > BSPI_LARGEST_STRUCT) return false;
	const bspi_entry *entry = find_entry(files, path);
	bspscene_stream whole = { 0 };
	if (entry && kind == BSPSCENE_FILE_ENTITIES && !has_entities_for_map(files, entry)) return false;
	if (!entry || !entry->mount->kind->open(entry->mount, entry, &whole)) return false;
	whole.stored_size = bspi_entry_stored_size(entry);
	bspi_give_struct(stream, &whole, sizeof whole);
	return true;
}

void bspscene_file_system_list(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                         void *found_user)
{
	const bspscene_file_system *files = user;
	assert(files && prefix && suffix && found);
	for (uint32_t i = 0; i < files->count; i++) {
		const bspi_entry *entry = files->by_reading[i];
		if (bspi_text_starts(entry->key, prefix) && bspi_text_ends(entry->key, suffix)) found(found_user, entry->path);
	}
}

void bspi_file_system_list_from(const bspscene_file_system *files, uint32_t first, const char *suffix,
                          bspscene_found_file_fn *found, void *found_user)
{
	for (uint32_t i = 0; i < files->count; i++) {
		const bspi_entry *entry = files->by_name[i];
		if (entry->mount->number >= first && bspi_text_ends(entry->key, suffix)) found(found_user, entry->path);
	}
}

void bspi_file_system_mark_bases(bspscene_file_system *files, uint32_t first)
{
	for (uint32_t i = first; i < files->mount_count; i++) files->mounts[i]->is_base = true;
}

void bspi_file_system_date_entities(bspscene_file_system *files, const char *map)
{
	files->dates_entities = true;
	files->map = map;
}

uint32_t bspi_file_system_mount_count(const bspscene_file_system *files)
{
	return files->mount_count;
}

uint32_t bspi_file_system_skipped_in(const bspscene_file_system *files, uint32_t mount, const char **origin)
{
	*origin = files->mounts[mount]->origin;
	return files->mounts[mount]->skipped_count;
}

uint32_t bspscene_file_system_skipped_names(const bspscene_file_system *files)
{
	uint32_t count = 0;
	assert(files);
	for (uint32_t i = 0; i < files->mount_count; i++) count += files->mounts[i]->skipped_count;
	return count;
}

const char *bspscene_file_system_search_path(const bspscene_file_system *files, uint32_t index)
{
	assert(files);
	for (size_t i = files->mount_count; i-- > 0;) {
		if (!files->mounts[i]->only_companions && !index--) return files->mounts[i]->origin;
	}
	return NULL;
}
