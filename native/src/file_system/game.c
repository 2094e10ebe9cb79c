/* game.c - a game directory to its mounts in order: VPKs, pak0, pak1, ..., other paks, pk3 and pk4, the directory
 * itself; for Source's games the same for each directory that gameinfo.txt names.
 *
 * Quake and Quake II number their paks and let later ones win; Quake III and its relatives sort theirs by name ignoring
 * case (FS_AddGameDirectory) and take unpacked .pk3dir directories for archives. Loose files win over all, as in
 * ioquake3, yquake2 and Source; Quake III 1.32 itself preferred its archives. */
#include "file_system/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_system/gameinfo.h"
#include "io/system.h"

typedef struct archive_name {
	const char *name;
	uint32_t group;                    /* mounted first to last */
	uint32_t number;                   /* of a numbered pak */
} archive_name;

enum { GROUP_VPK, GROUP_NUMBERED_PAK, GROUP_PAK, GROUP_PK3, GROUP_NONE };

/* "pak12.pak" is 12. */
static bool pak_number(const char *name, uint32_t *number)
{
	const char *p = name + 3;
	*number = 0;
	if (!bspi_text_starts(name, "pak")) return false;
	for (; *p >= '0' && *p <= '9' && *number < 100000000u; p++) *number = *number * 10 + (uint32_t)(*p - '0');
	return p > name + 3 && bspi_text_equal(p, ".pak");
}

/* "pack000.vpk" of Bloodlines. */
static bool is_pack(const char *name)
{
	const char *p = name + strlen("pack");
	if (!bspi_text_starts(name, "pack")) return false;
	while (*p >= '0' && *p <= '9') p++;
	return p > name + strlen("pack") && bspi_text_equal(p, ".vpk");
}

static archive_name classify(const char *name)
{
	archive_name archive = { name, GROUP_NONE, 0 };
	if (bspi_text_ends(name, "_dir.vpk") || is_pack(name)) archive.group = GROUP_VPK;
	else if (pak_number(name, &archive.number)) archive.group = GROUP_NUMBERED_PAK;
	else if (bspi_text_ends(name, ".pak")) archive.group = GROUP_PAK;
	else if (bspi_text_ends(name, ".pk3") || bspi_text_ends(name, ".pk4") || bspi_text_ends(name, ".iwd") ||
	         bspi_text_ends(name, ".pk3dir/")) {
		archive.group = GROUP_PK3;
	}
	return archive;
}

static int compare_archives(const void *a, const void *b)
{
	const archive_name *x = a, *y = b;
	if (x->group != y->group) return x->group < y->group ? -1 : 1;
	if (x->group == GROUP_NUMBERED_PAK && x->number != y->number) return x->number < y->number ? -1 : 1;
	int order = bspi_text_compare(x->name, y->name);
	return order ? order : strcmp(x->name, y->name);
}

/* The archives right in the directory, sorted. */
static bool find_archives(bspi_arena *arena, const char *directory, archive_name **out, uint32_t *count,
                          bspscene_error *error)
{
	bspi_listing listing;
	BSPI_TRY(bspi_list_directory(arena, directory, false, &listing, error));
	archive_name *archives = bspi_arena_alloc(arena, listing.count, sizeof *archives);
	if (!archives) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", directory);
	*out = archives;
	*count = 0;
	for (uint32_t i = 0; i < listing.count; i++) {
		archive_name archive = classify(listing.paths[i]);
		if (archive.group != GROUP_NONE) archives[(*count)++] = archive;
	}
	if (*count) qsort(archives, *count, sizeof *archives, compare_archives);
	return true;
}

static bool fail_memory(const char *directory, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", directory);
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

/* The engines go on without an archive that they cannot read; so does this, and says which the first one was. */
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
	archive_name *archives = NULL;
	uint32_t count = 0;
	BSPI_TRY(find_archives(arena, directory, &archives, &count, error));
	for (uint32_t i = 0; i < count; i++) {
		size_t size = strlen(directory) + strlen(archives[i].name) + 2;
		char *path = bspi_arena_alloc(arena, size, 1);
		if (!path) return fail_memory(directory, error);
		snprintf(path, size, "%s/%s", directory, archives[i].name);
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

/* A VPK's numbered parts count too: they lie where the game does. */
bool bspi_is_game(const char *directory, const char *archive)
{
	static const char *const endings[] = { ".pk3", ".pk4", ".iwd", ".pak", ".vpk", ".pk3dir/" };
	bspi_budget budget = { .limit = (uint64_t)1 << 30 };
	bspi_arena arena;
	bspi_listing listing;
	bool found = false;
	bspi_arena_init(&arena, &budget);
	if (!bspi_list_directory(&arena, directory, false, &listing, NULL)) listing.count = 0;
	for (uint32_t i = 0; i < listing.count && !found; i++) {
		const char *name = listing.paths[i];
		found = bspi_text_equal(name, "gameinfo.txt") || bspi_text_equal(name, "liblist.gam");
		for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
			found |= bspi_text_ends(name, endings[k]) && strcmp(name, archive) != 0;
		}
	}
	bspi_arena_reset(&arena);
	return found;
}
