/* game.c - mounts a game directory: first its archives in order (archive_names.c), then the directory itself. For a
 * Source game, each directory that gameinfo.txt lists is mounted in this way. Loose files have priority, as in
 * ioquake3, yquake2 and Source; only Quake III 1.32 preferred archives. */
#include "file_system/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_system/archive_names.h"
#include "file_system/gameinfo.h"
#include "io/system.h"

static bool fail_memory(const char *directory, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", directory);
}

typedef struct archive_list {
	bspi_archive_name *names;
	uint32_t count;
} archive_list;

/* Adds the archives of Garry's Mod's workshop, which are in a folder of their own. The engine mounts archives of other
 * kinds only outside of this folder. */
static bool add_workshop(bspi_arena *arena, const char *directory, const char *folder, archive_list *out,
                         bspscene_error *error)
{
	bspi_listing listing;
	size_t size = strlen(directory) + strlen(folder) + 2;
	char *path = bspi_arena_alloc(arena, size, 1);
	if (!path) return fail_memory(directory, error);
	snprintf(path, size, "%s/%s", directory, folder);
	if (!bspi_list_directory(arena, path, false, &listing, NULL)) return true;
	bspi_archive_name *names = bspi_arena_alloc(arena, out->count + (size_t)listing.count, sizeof *names);
	if (!names) return fail_memory(directory, error);
	if (out->count) memcpy(names, out->names, out->count * sizeof *names);
	out->names = names;
	for (uint32_t i = 0; i < listing.count; i++) {
		if (!bspi_text_ends(listing.paths[i], ".gma")) continue;
		size = strlen(folder) + strlen(listing.paths[i]) + 1;
		char *name = bspi_arena_alloc(arena, size, 1);
		if (!name) return fail_memory(directory, error);
		snprintf(name, size, "%s%s", folder, listing.paths[i]);
		names[out->count++] = (bspi_archive_name){ name, BSPI_GROUP_VPK, 0 };
	}
	return true;
}

/* Finds and sorts the archives in the directory and in its workshop folder. */
static bool find_archives(bspi_arena *arena, const char *directory, archive_list *out, bspscene_error *error)
{
	bspi_listing listing;
	*out = (archive_list){ .count = 0 };
	BSPI_TRY(bspi_list_directory(arena, directory, false, &listing, error));
	out->names = bspi_arena_alloc(arena, listing.count, sizeof *out->names);
	if (!out->names) return fail_memory(directory, error);
	const char *workshop = NULL;
	for (uint32_t i = 0; i < listing.count; i++) {
		bspi_archive_name archive = bspi_classify_archive(listing.paths[i]);
		if (archive.group != BSPI_GROUP_NONE) out->names[out->count++] = archive;
		if (bspi_text_equal(listing.paths[i], "addons/")) workshop = listing.paths[i];
	}
	if (workshop) BSPI_TRY(add_workshop(arena, directory, workshop, out, error));
	if (out->count) qsort(out->names, out->count, sizeof *out->names, bspi_compare_archives);
	return true;
}

static bool add_mount(bspi_mount_list *list, bspi_mount *mount, bspscene_error *error)
{
	bspi_mount **mounts = bspi_heap_grow(list->heap, list->mounts, list->count * sizeof *mounts,
	                                     (list->count + (size_t)1) * sizeof *mounts);
	if (!mounts) {
		fail_memory(mount->origin, error);
		bspi_mount_close(mount);
		return false;
	}
	list->mounts = mounts;
	list->mounts[list->count++] = mount;
	return true;
}

static bool is_open(const bspi_mount_list *list, const char *path)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (!strcmp(list->mounts[i]->origin, path)) return true;
	}
	return false;
}

/* Opens an archive. One that cannot be read is skipped, as in the engines. Only the first such error is reported. */
static bool open_archive(const char *path, bspi_mount_list *list, bspscene_error *error)
{
	bspscene_error problem = { 0 };
	if (is_open(list, path) || (list->but && !strcmp(path, list->but))) return true;
	bspi_mount *mount = bspi_mount_open(list->heap, path, &problem);
	if (mount) return add_mount(list, mount, error);
	bool fatal = problem.status == BSPSCENE_ERROR_OUT_OF_MEMORY;
	if (error && (fatal || !error->status)) *error = problem;
	return !fatal;
}

static bool open_archives(bspi_arena *arena, const char *directory, bspi_mount_list *list, bspscene_error *error)
{
	archive_list archives;
	BSPI_TRY(find_archives(arena, directory, &archives, error));
	for (uint32_t i = 0; i < archives.count; i++) {
		const char *name = archives.names[i].name;
		size_t size = strlen(directory) + strlen(name) + 2;
		char *path = bspi_arena_alloc(arena, size, 1);
		if (!path) return fail_memory(directory, error);
		snprintf(path, size, "%s/%s", directory, name);
		if (path[size - 2] == '/') path[size - 2] = 0;
		BSPI_TRY(open_archive(path, list, error));
	}
	return true;
}

static bool open_directory(bspi_arena *arena, const char *directory, bspi_mount_list *list, bspscene_error *error)
{
	BSPI_TRY(open_archives(arena, directory, list, error));
	bspscene_error problem;
	bspi_mount *loose = bspi_mount_open(list->heap, directory, &problem);
	if (loose) return add_mount(list, loose, error);
	if (error) *error = problem;
	return false;
}

static bool open_all(bspi_arena *arena, const char *directory, bspi_mount_list *list, bspscene_error *error)
{
	bspi_search_paths search;
	BSPI_TRY(bspi_find_search_paths(arena, directory, &search, error));
	if (!search.count) return open_directory(arena, directory, list, error);
	for (uint32_t i = search.count; i--; ) {
		const char *path = search.paths[i];
		bspscene_error problem = { 0 };
		bool ok = bspi_is_directory(path) ? open_directory(arena, path, list, &problem)
		                                  : open_archive(path, list, &problem);
		bool fatal = !ok && problem.status == BSPSCENE_ERROR_OUT_OF_MEMORY;
		if (error && problem.status && (fatal || !error->status)) *error = problem;
		BSPI_TRY(!fatal);
	}
	return true;
}

bool bspi_open_game(const bspi_heap *heap, const char *directory, const char *but, bspi_mount_list *out,
                    bspscene_error *error)
{
	bspi_budget budget = { .limit = (uint64_t)1 << 30, .heap = *heap };
	bspi_arena arena;
	*out = (bspi_mount_list){ .heap = heap, .but = but };
	bspi_arena_init(&arena, &budget);
	size_t size = strlen(directory) + 1;
	char *folded = bspi_arena_alloc(&arena, size, 1);
	if (folded) {
		memcpy(folded, directory, size);
		bspi_system_fold(folded);
	}
	bool ok = folded ? open_all(&arena, folded, out, error) : fail_memory(directory, error);
	bspi_arena_reset(&arena);
	if (ok) return true;
	for (uint32_t i = 0; i < out->count; i++) bspi_mount_close(out->mounts[i]);
	bspi_heap_give(heap, out->mounts);
	*out = (bspi_mount_list){ 0 };
	return false;
}

/* A numbered part of a VPK shows that the directory is a game's, just as a whole archive does. */
bool bspi_is_game(const char *directory, const char *archive)
{
	bspi_budget budget = { .limit = (uint64_t)1 << 30 };
	bspi_arena arena;
	bspi_listing listing;
	bool found = false;
	bspi_arena_init(&arena, &budget);
	if (!bspi_list_directory(&arena, directory, false, &listing, NULL)) listing.count = 0;
	for (uint32_t i = 0; i < listing.count && !found; i++) {
		const char *name = listing.paths[i];
		bool marks = bspi_text_equal(name, "gameinfo.txt") || bspi_text_equal(name, "liblist.gam");
		found = marks || (bspi_is_archive_part(name) && strcmp(name, archive) != 0);
	}
	bspi_arena_reset(&arena);
	return found;
}
