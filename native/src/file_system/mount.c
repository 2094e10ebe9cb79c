/* mount.c - opens a directory or archive. Recognizes archives by their content, and lists the entries. */
#include "file_system/mounts.h"

#include <stdio.h>
#include <string.h>

#include "io/system.h"

/* Limit for the memory of one mount's names and entries. A game's largest archive needs about 10 MB; a million files
 * need about 300 MB. */
#define MOUNT_MEMORY_LIMIT ((uint64_t)1 << 30)

/* Kinds of archives, in the order in which they are tried. */
static const bspi_mount_kind *const archive_kinds[] = {
	&bspi_zip_mount, &bspi_pak_mount, &bspi_sin_pak_mount, &bspi_vpk_mount, &bspi_troika_mount,
	&bspi_gma_mount,
#ifdef BSPI_HAVE_LIBARCHIVE
	&bspi_libarchive_mount,
#endif
};

bool bspi_mount_fail_memory(const bspi_mount *mount, bspscene_error *error)
{
	if (mount->arena.budget->refused) {
		return bspi_error_set(error, BSPSCENE_ERROR_LIMIT, "%s: the names of its files need more than %llu MiB",
		                      mount->origin, (unsigned long long)(mount->arena.budget->limit >> 20));
	}
	return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", mount->origin);
}

static bspi_mount *create(const bspi_heap *heap, const char *origin, bspi_budget *budget, bspscene_error *error)
{
	if (budget) heap = &budget->heap;
	bspi_mount *mount = bspi_heap_take_zeroed(heap, sizeof *mount);
	if (!mount) {
		bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", origin);
		return NULL;
	}
	mount->own_budget.limit = MOUNT_MEMORY_LIMIT;
	mount->own_budget.heap = *heap;
	mount->memory = BSPI_NO_BYTES;
	bspi_arena_init(&mount->arena, budget ? budget : &mount->own_budget);
	size_t size = strlen(origin) + 1;
	char *copy = bspi_arena_alloc(&mount->arena, size, 1);
	mount->origin = copy ? copy : origin;
	if (!copy) {
		bspi_mount_fail_memory(mount, error);
		bspi_mount_close(mount);
		return NULL;
	}
	memcpy(copy, origin, size);
	bspi_system_fold(copy);
	return mount;
}

const bspi_heap *bspi_mount_heap(const bspi_mount *mount)
{
	return &mount->arena.budget->heap;
}

void bspi_mount_close(bspi_mount *mount)
{
	if (!mount) return;
	bspi_file_close(mount->file);
	bspi_arena_reset(&mount->arena);
	/* a copy, because the mount may contain its own budget */
	const bspi_heap heap = *bspi_mount_heap(mount);
	bspi_heap_give(&heap, mount);
}

static bool fail_unknown(const bspi_mount *mount, const uint8_t *head, size_t size, bspscene_error *error)
{
	char shown[16] = "";
	if (!size) return bspi_error_set(error, BSPSCENE_ERROR_UNKNOWN_FORMAT, "%s: is empty", mount->origin);
	for (size_t i = 0; i < size; i++) shown[i] = head[i] >= 0x20 && head[i] < 0x7f ? (char)head[i] : '?';
	return bspi_error_set(error, BSPSCENE_ERROR_UNKNOWN_FORMAT,
	                      "%s: is neither a directory nor an archive (pk3, zip, pak, _dir.vpk): it begins with \"%s\"",
	                      mount->origin, shown);
}

static bool recognize(bspi_mount *mount, bspscene_error *error)
{
	uint8_t head[8];
	size_t size = mount->size < sizeof head ? (size_t)mount->size : sizeof head;
	if (!bspi_mount_read(mount, 0, head, size)) {
		return bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: reading failed", mount->origin);
	}
	for (size_t i = 0; i < sizeof archive_kinds / sizeof *archive_kinds; i++) {
		const bspi_mount_kind *kind = archive_kinds[i];
		size_t magic_size = kind->magic ? strlen(kind->magic) : 0;
		bool begins = kind->magic && size >= magic_size && !memcmp(head, kind->magic, magic_size);
		if (!begins && !(kind->recognize && kind->recognize(mount))) continue;
		mount->kind = kind;
		return true;
	}
	return fail_unknown(mount, head, size, error);
}

/* Adds up the stored sizes of entries. If entries overlap, a small archive seems to contain many large files. The sum
 * then exceeds the size of the archive. */
static bspi_mount *finish(bspi_mount *mount)
{
	for (uint32_t i = 0; i < mount->entry_count; i++) {
		for (int k = 0; k < 2; k++) {
			const bspi_span *span = &mount->entries[i].spans[k];
			if (span->volume) continue;
			mount->stored_size += span->size < mount->size ? span->size : mount->size;
		}
	}
	return mount;
}

uint64_t bspi_entry_stored_size(const bspi_entry *entry)
{
	const bspi_mount *mount = entry->mount;
	uint64_t size = entry->spans[0].size;
	if (!size || entry->spans[0].volume || mount->stored_size <= mount->size) return size;
	double share = (double)mount->size / (double)mount->stored_size;
	return (uint64_t)((double)(size < mount->size ? size : mount->size) * share) + 1;
}

bspi_mount *bspi_mount_open(const bspi_heap *heap, const char *path, bspscene_error *error)
{
	bspi_mount *mount = create(heap, path, NULL, error);
	bool ok = mount != NULL;
	if (ok && bspi_is_directory(path)) {
		mount->kind = &bspi_directory_mount;
	} else if (ok) {
		mount->file = bspi_file_open(bspi_mount_heap(mount), path, error);
		mount->size = mount->file ? bspi_file_size(mount->file) : 0;
		ok = mount->file && recognize(mount, error);
	}
	if (ok && mount->kind->read(mount, error)) return finish(mount);
	bspi_mount_close(mount);
	return NULL;
}

bspi_mount *bspi_mount_directory(const char *path, bspscene_error *error)
{
	bspi_mount *mount = create(&bspi_system_heap, path, NULL, error);
	if (mount) mount->kind = &bspi_directory_mount;
	return mount;
}

bspi_mount *bspi_mount_open_memory(const bspi_heap *heap, const char *name, bspi_bytes memory, bspi_budget *budget,
                                   bspscene_error *error)
{
	bspi_mount *mount = create(heap, name, budget, error);
	if (!mount) return NULL;
	mount->memory = memory;
	mount->in_memory = true;
	mount->size = memory.size;
	if (recognize(mount, error) && mount->kind->read(mount, error)) return finish(mount);
	bspi_mount_close(mount);
	return NULL;
}

static bool grow(bspi_mount *mount)
{
	uint32_t capacity = mount->entry_capacity ? mount->entry_capacity * 2 : 64;
	bspi_entry *entries = bspi_arena_alloc(&mount->arena, capacity, sizeof *entries);
	if (!entries) return false;
	if (mount->entry_count) memcpy(entries, mount->entries, mount->entry_count * sizeof *entries);
	mount->entries = entries;
	mount->entry_capacity = capacity;
	return true;
}

bool bspi_mount_add(bspi_mount *mount, const char *name, uint32_t order, bspi_entry **out, bspscene_error *error)
{
	char path[BSPI_PATH_SIZE];
	*out = NULL;
	if (!bspi_text_path(name, false, path, sizeof path)) {
		mount->skipped_count += *name != 0;
		return true;
	}
	if (mount->entry_count >= BSPI_MOST_FILES) {
		return bspi_error_set(error, BSPSCENE_ERROR_LIMIT, "%s: has more than %u files, which is the limit",
		                      mount->origin, BSPI_MOST_FILES);
	}
	size_t size = strlen(path) + 1;
	char *copies = bspi_arena_alloc(&mount->arena, 2, size);
	bool full = mount->entry_count == mount->entry_capacity;
	if (!copies || (full && !grow(mount))) return bspi_mount_fail_memory(mount, error);
	char *key = copies + size;
	memcpy(copies, path, size);
	for (size_t i = 0; i < size; i++) key[i] = bspi_lower(path[i]);
	*out = &mount->entries[mount->entry_count++];
	**out = (bspi_entry){ .path = copies, .key = key, .mount = mount, .order = order };
	return true;
}

bool bspi_mount_read(const bspi_mount *mount, uint64_t offset, void *data, size_t size)
{
	bspi_bytes part;
	if (mount->file) return bspi_file_read(mount->file, offset, data, size) == size;
	if (!bspi_slice(mount->memory, offset, size, &part)) return false;
	memcpy(data, part.data, size);
	return true;
}

bool bspi_mount_load(bspi_mount *mount, uint64_t offset, uint64_t size, const char *what, bspi_bytes *out,
                     bspscene_error *error)
{
	if (offset > mount->size || size > mount->size - offset) {
		return bspi_error_set(
			error, BSPSCENE_ERROR_BAD_HEADER,
			"%s: the %s reaches past the end of the file (%llu bytes at %llu of %llu): the file is cut off or damaged",
			mount->origin, what, (unsigned long long)size, (unsigned long long)offset, (unsigned long long)mount->size);
	}
	if (mount->in_memory) return bspi_slice(mount->memory, offset, size, out);
	uint8_t *data = size <= SIZE_MAX ? bspi_arena_alloc(&mount->arena, (size_t)size, 1) : NULL;
	if (!data) return bspi_mount_fail_memory(mount, error);
	if (!bspi_mount_read(mount, offset, data, (size_t)size)) {
		return bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: reading the %s failed", mount->origin, what);
	}
	*out = bspi_bytes_of(data, (size_t)size);
	return true;
}
