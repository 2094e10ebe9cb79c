/* find_games.c - finds directories of games in Steam's libraries, GOG's folders and other usual places. It reads only
 * file names, and Steam's list of libraries. See find_games.h. */
#include "sources/find_games.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyvalues.h"
#include "base/text.h"
#include "io/file.h"
#include "io/system.h"

enum {
	DEEPEST = 3, /* number of folder levels below a library, as in "Jedi Academy/GameData/base" */
	MOST_FOLDERS = 5000, /* largest number of folders that are listed */
	MOST_ENTRIES = 200000, /* largest number of entries in all listed folders together */
	LARGEST_LIST = 1 << 20,
	PATH_SIZE = 4096
};
#define MEMORY_LIMIT ((uint64_t)1 << 28)

typedef struct waiting_folder {
	const char *path;
	int depth;
} waiting_folder;

typedef struct search {
	bspi_budget budget;
	bspi_arena arena;
	waiting_folder folders[MOST_FOLDERS]; /* in the order in which they are listed */
	uint32_t count, entry_count;
	uint64_t seen[MOST_FOLDERS]; /* hashes of the real paths of all folders that were listed */
	uint32_t seen_count;
	const waiting_folder *current;
	bool is_game; /* true if the current folder is a game */
	uint32_t first_child; /* index of the current folder's first subfolder in `folders` */
} search;

static char *copy_path(search *s, const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = size <= PATH_SIZE ? bspi_arena_alloc(&s->arena, size, 1) : NULL;
	if (path) snprintf(path, size, "%s%s%s", folder, *name ? "/" : "", name);
	return path;
}

static void wait_for(search *s, const char *path, int depth)
{
	if (path && s->count < MOST_FOLDERS) s->folders[s->count++] = (waiting_folder) { path, depth };
}

/* ---- Folders to search -------------------------------------------------------------------------------------- */

static bool is_absolute(const char *path)
{
	bool drive = ((path[0] | 0x20) >= 'a' && (path[0] | 0x20) <= 'z') && path[1] == ':';
	return path[0] == '/' || drive;
}

/* Replaces an environment variable at the beginning, as in "$HOME/Games". Returns NULL if it is not set. */
static const char *expand(search *s, const char *place)
{
	char name[64];
	if (place[0] != '$') return place;
	size_t size = strcspn(place + 1, "/");
	if (size >= sizeof name) return NULL;
	memcpy(name, place + 1, size);
	name[size] = 0;
	char *value = bspi_system_variable(name);
	bool usable = value && is_absolute(value);
	const char *rest = place[1 + size] ? place + 2 + size : "";
	const char *path = usable ? copy_path(s, value, rest) : NULL;
	free(value);
	return path;
}

/* Converts "\\" in Windows paths to '\'. */
static void unescape(const char *from, char *out, size_t size)
{
	size_t at = 0;
	for (; *from && at + 1 < size; from++) {
		if (*from == '\\' && from[1]) from++;
		out[at++] = *from;
	}
	out[at] = 0;
	bspi_system_fold(out);
}

static void add_library(search *s, const char *value)
{
	char path[PATH_SIZE];
	if (!value || strlen(value) >= sizeof path) return;
	unescape(value, path, sizeof path);
	if (is_absolute(path)) wait_for(s, copy_path(s, path, "steamapps/common"), 0);
}

/* Reads a text file. Returns false if it does not exist or is not one of Steam's. */
static bool read_list(search *s, const char *path, bspi_bytes *out)
{
	bspi_file *file = bspi_file_open(&bspi_system_heap, path, NULL);
	if (!file) return false;
	uint64_t size = bspi_file_size(file);
	size = size < LARGEST_LIST ? size : LARGEST_LIST;
	uint8_t *data = bspi_arena_alloc(&s->arena, (size_t)size + 1, 1);
	size_t got = data ? bspi_file_read(file, 0, data, (size_t)size) : SIZE_MAX;
	bspi_file_close(file);
	if (got == SIZE_MAX) return false;
	*out = bspi_bytes_of(data, got);
	return true;
}

/* Adds the libraries of Steam's list of libraries. Each one is a block with a key "path". Before 2021 it was a pair of
 * a number and a path. */
static void add_libraries(search *s, const char *steam)
{
	bspi_bytes text;
	bspi_kv_tree tree;
	const char *path = copy_path(s, steam, "steamapps/libraryfolders.vdf");
	wait_for(s, copy_path(s, steam, "steamapps/common"), 0);
	if (!path || !read_list(s, path, &text) || !bspi_kv_parse(&s->arena, text, &tree)) return;
	for (uint32_t list = tree.nodes[BSPI_KV_ROOT].first_child; list; list = tree.nodes[list].next) {
		if (tree.nodes[list].value) continue;
		for (uint32_t i = tree.nodes[list].first_child; i; i = tree.nodes[i].next) {
			const bspi_kv *node = &tree.nodes[i];
			uint32_t named = node->value ? 0 : bspi_kv_find(&tree, i, "path", false);
			bool numbered = node->value && *node->key && strspn(node->key, "0123456789") == strlen(node->key);
			add_library(s, numbered ? node->value : named ? tree.nodes[named].value : NULL);
		}
	}
}

/* ---- Searching ---------------------------------------------------------------------------------------------- */

static bool is_mark(const char *name)
{
	static const char *const marks[] = { "gameinfo.txt", "liblist.gam", "pak0.pak", "pak0.pk3" };
	static const char *const endings[] = { ".pk3", ".iwd", "_dir.vpk", ".dpk" };
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (bspi_text_equal(name, marks[i]) || bspi_text_ends(name, endings[i])) return true;
	}
	return false;
}

/* Looks at an entry of the current folder (a bspi_entry_fn). */
static bool look_at(void *user, const char *name, bspi_path_kind kind)
{
	search *s = user;
	char path[PATH_SIZE];
	if (++s->entry_count > MOST_ENTRIES) return false;
	if (name[0] == '.') return true;
	if (kind == BSPI_PATH_LINK) {
		int size = snprintf(path, sizeof path, "%s/%s", s->current->path, name);
		kind = size > 0 && size < PATH_SIZE ? bspi_system_kind(path) : BSPI_PATH_OTHER;
	}
	if (kind == BSPI_PATH_FILE) s->is_game |= is_mark(name);
	else if (kind == BSPI_PATH_DIRECTORY && s->current->depth < DEEPEST) {
		wait_for(s, copy_path(s, s->current->path, name), s->current->depth + 1);
	}
	return !s->is_game;
}

static bool is_new(search *s, const char *path)
{
	char *real = bspi_system_real_path(path);
	if (!real) return false;
	uint64_t hash = bspi_hash(real, strlen(real));
	free(real);
	for (uint32_t i = 0; i < s->seen_count; i++) {
		if (s->seen[i] == hash) return false;
	}
	s->seen[s->seen_count++] = hash;
	return true;
}

static int compare_folders(const void *a, const void *b)
{
	return strcmp(((const waiting_folder *)a)->path, ((const waiting_folder *)b)->path);
}

/* Lists a folder. If it is a game, reports it and drops its subfolders. Games of Source and Quake are next to each
 * other, not in each other. */
static void look_into(search *s, uint32_t number, bspscene_found_game_fn *found, void *user)
{
	waiting_folder folder = s->folders[number];
	s->current = &folder;
	s->first_child = s->count;
	s->is_game = false;
	if (!is_new(s, folder.path)) return;
	bspi_system_list(folder.path, look_at, s);
	s->current = NULL;
	if (s->is_game) {
		s->count = s->first_child;
		found(user, folder.path);
		return;
	}
	/* Sorts the subfolders, because operating systems list them in any order. */
	if (s->count > s->first_child) {
		qsort(s->folders + s->first_child, s->count - s->first_child, sizeof *s->folders, compare_folders);
	}
}

bool bspi_find_games(const bspi_game_places *places, bspscene_found_game_fn *found, void *user)
{
	search *s = bspi_heap_take_zeroed(&bspi_system_heap, sizeof *s);
	if (!s) return false;
	s->budget.limit = MEMORY_LIMIT;
	bspi_arena_init(&s->arena, &s->budget);
	for (const char *const *steam = places->steam; *steam; steam++) {
		const char *path = expand(s, *steam);
		if (path) add_libraries(s, path);
	}
	for (const char *const *usual = places->usual; *usual; usual++) wait_for(s, expand(s, *usual), 0);
	for (uint32_t i = 0; i < s->count; i++) look_into(s, i, found, user);
	bspi_arena_reset(&s->arena);
	bspi_heap_give(&bspi_system_heap, s);
	return true;
}

bool bspscene_find_games(bspscene_found_game_fn *found, void *user)
{
	assert(found);
	const bspi_game_places places = { bspi_system_steam_folders, bspi_system_game_folders };
	return bspi_find_games(&places, found, user);
}
