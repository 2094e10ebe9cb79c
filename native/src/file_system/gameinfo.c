/* gameinfo.c - see gameinfo.h. In a search path, |all_source_engine_paths| means the directory above the game's. Paths
 * without a prefix are relative to that directory too (filesystem_init.cpp, FileSystem_LoadSearchPaths). Nothing
 * outside of that directory is searched, because a mod's gameinfo.txt is untrusted. "Name.vpk" means "Name_dir.vpk". In
 * the last component of a path, '*' and '?' match directories and VPKs. */
#include "file_system/gameinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyvalues.h"

enum { MOST_PATHS = 1024, MOST_ADDONS = 9 };
/* Limit for the number of characters that are compared. Real gameinfo.txt files need a few thousand. Hostile ones could
 * take forever. */
#define MOST_WORK ((uint64_t)1 << 27)
#define GAMEINFO "gameinfo.txt"
#define FOR_GAME "|gameinfo_path|"
#define FOR_ENGINE "|all_source_engine_paths|"
#define LARGEST_GAMEINFO ((size_t)BSPI_KV_LARGEST_TEXT)

/* The entries of a directory. */
typedef struct folder {
	const char *path;
	bspi_listing listing;
	const char **by_name;              /* sorted by name, ignoring case */
} folder;

typedef struct finder {
	bspi_arena *arena;
	const char *game, *engine;         /* `game`: the game's directory; `engine`: the directory above it */
	folder **seen;                     /* directories that were listed already, sorted by path */
	uint32_t seen_count, seen_capacity;
	uint64_t work;
	bspi_search_paths *out;
	bspscene_error *error;
} finder;

static bool fail_memory(const finder *f)
{
	return bspi_error_set(f->error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", f->game);
}

/* Returns "directory/name" without a '/' at the end. NULL if memory is out. */
static const char *join(bspi_arena *arena, const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	char *out = bspi_arena_alloc(arena, size, 1);
	if (!out) return NULL;
	bool here = !*directory || !strcmp(directory, ".");
	snprintf(out, size, "%s%s%s", here ? "" : directory, here || !strcmp(directory, "/") ? "" : "/", name);
	size_t length = strlen(out);
	while (length > 1 && out[length - 1] == '/') out[--length] = 0;
	return out;
}

/* Returns the directory above: "games" for "games/hl2", "." for "hl2". For a path that ends in "." or "..", appends
 * "/..". */
static const char *directory_above(bspi_arena *arena, const char *directory)
{
	size_t length = strlen(directory), last = length;
	while (last && directory[last - 1] != '/') last--;
	bool dots = length - last <= 2 && directory[last] == '.' && (length - last == 1 || directory[last + 1] == '.');
	char *out = bspi_arena_alloc(arena, length + 4, 1);
	if (!out) return NULL;
	if (dots) snprintf(out, length + 4, "%.*s/..", (int)length, directory);
	else if (last > 1) snprintf(out, length + 4, "%.*s", (int)last - 1, directory);
	else snprintf(out, length + 4, "%s", last ? "/" : ".");
	return out;
}

/* ---- Existing paths --------------------------------------------------------------------------------------- */

/* Doubles an array in the arena if it is full. False if memory is out. */
static bool make_room(finder *f, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
	if (count < *capacity) return true;
	uint32_t larger = *capacity ? *capacity * 2 : 16;
	void *copy = bspi_arena_alloc(f->arena, larger, size);
	if (!copy) return fail_memory(f);
	if (count) memcpy(copy, *items, count * size);
	*items = copy;
	*capacity = larger;
	return true;
}

static bool is_exhausted(finder *f, uint64_t work)
{
	f->work += work;
	return f->work > MOST_WORK || f->out->count >= MOST_PATHS;
}

static bool add_found(finder *f, const char *path)
{
	bspi_search_paths *out = f->out;
	void *paths = out->paths;
	if (!path) return fail_memory(f);
	for (uint32_t i = 0; i < out->count; i++) {
		if (!strcmp(out->paths[i], path)) return true;
	}
	if (!make_room(f, &paths, out->count, &out->capacity, sizeof *out->paths)) return false;
	out->paths = paths;
	out->paths[out->count++] = path;
	return true;
}

/* Adds a path, unless the limit for the number of paths, or for the characters compared (MOST_WORK), is reached. */
static bool add_path(finder *f, const char *path)
{
	return path && is_exhausted(f, (uint64_t)f->out->count * strlen(path)) ? true : add_found(f, path);
}

static int compare_names(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int order = bspi_text_compare(x, y);
	return order ? order : strcmp(x, y);
}

/* Returns the index of a directory in `seen`, or the index at which to insert it. */
static uint32_t find_seen(const finder *f, const char *path, bool *found)
{
	uint32_t low = 0, high = f->seen_count;
	*found = false;
	while (low < high && !*found) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(path, f->seen[middle]->path);
		*found = order == 0;
		if (order > 0) low = middle + 1;
		else high = middle;
	}
	return *found ? high : low;
}

/* Lists a directory. A directory that cannot be read counts as empty. NULL if memory is out. */
static const folder *list(finder *f, const char *path)
{
	bool found;
	uint32_t at = find_seen(f, path, &found);
	if (found) return f->seen[at];
	void *seen = f->seen;
	folder *d = bspi_arena_alloc(f->arena, 1, sizeof *d);
	if (!d || !make_room(f, &seen, f->seen_count, &f->seen_capacity, sizeof *f->seen)) return NULL;
	f->seen = seen;
	bspscene_error ignored;
	*d = (folder){ .path = path };
	if (!bspi_list_directory(f->arena, path, false, &d->listing, &ignored)) d->listing.count = 0;
	d->by_name = bspi_arena_alloc(f->arena, d->listing.count, sizeof *d->by_name);
	if (!d->by_name) return NULL;
	if (d->listing.count) {
		memcpy(d->by_name, d->listing.paths, d->listing.count * sizeof *d->by_name);
		qsort(d->by_name, d->listing.count, sizeof *d->by_name, compare_names);
	}
	memmove(f->seen + at + 1, f->seen + at, (f->seen_count - at) * sizeof *f->seen);
	f->seen[at] = d;
	f->seen_count++;
	return d;
}

/* Finds an entry of a directory, ignoring case. Its name is the first `length` bytes of `name`, then `ending`. Names of
 * directories end in '/'. NULL if there is none. */
static const char *find_entry(const folder *d, const char *name, size_t length, const char *ending)
{
	char wanted[BSPI_PATH_SIZE];
	int size = snprintf(wanted, sizeof wanted, "%.*s%s", (int)length, name, ending);
	if (size <= 0 || (size_t)size >= sizeof wanted) return NULL;
	uint32_t low = 0, high = d->listing.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (bspi_text_compare(d->by_name[middle], wanted) < 0) low = middle + 1;
		else high = middle;
	}
	return low < d->listing.count && bspi_text_equal(d->by_name[low], wanted) ? d->by_name[low] : NULL;
}

static bool is_vpk(const char *entry)
{
	size_t length = strlen(entry);
	if (!bspi_text_ends(entry, ".vpk")) return false;
	if (bspi_text_ends(entry, "_dir.vpk")) return true;
	/* A file like "pack_012.vpk" is a part of another VPK. */
	const size_t part = strlen("_000.vpk");
	if (length < part || entry[length - part] != '_') return true;
	for (const char *c = entry + length - part + 1; *c != '.'; c++) {
		if (*c < '0' || *c > '9') return true;
	}
	return false;
}

/* True if a name matches a pattern, in which '*' matches any string and '?' one character. A final '/' of the name is
 * ignored. */
static bool fits_pattern(const char *pattern, const char *name)
{
	const char *behind_star = NULL, *again = NULL;
	while (*name && strcmp(name, "/")) {
		if (*pattern == '*') {
			behind_star = ++pattern;
			again = name;
		} else if (*pattern == '?' || (*pattern && bspi_lower(*pattern) == bspi_lower(*name))) {
			pattern++;
			name++;
		} else if (behind_star) {
			pattern = behind_star;
			name = ++again;
		} else {
			return false;
		}
	}
	return !pattern[strspn(pattern, "*")];
}

/* Adds all entries of the directory that match. Those that come first in the alphabet have priority. */
static bool add_all(finder *f, const folder *d, const char *pattern)
{
	size_t size = strlen(pattern);
	for (uint32_t i = 0; i < d->listing.count; i++) {
		const char *entry = d->listing.paths[i];
		if (is_exhausted(f, (uint64_t)size * strlen(entry))) return true;
		bool known = entry[strlen(entry) - 1] == '/' || is_vpk(entry);
		if (!known || entry[0] == '.' || !fits_pattern(pattern, entry)) continue;
		if (!add_path(f, join(f->arena, d->path, entry))) return false;
	}
	return true;
}

/* Adds the last component of a search path: a directory, a VPK or a pattern. */
static bool add_last(finder *f, const folder *d, const char *name)
{
	if (strpbrk(name, "*?")) return add_all(f, d, name);
	size_t length = strlen(name);
	const char *entry = find_entry(d, name, length, "/");
	if (!entry && bspi_text_ends(name, ".vpk")) {
		entry = find_entry(d, name, length - strlen(".vpk"), "_dir.vpk");
		if (!entry) entry = find_entry(d, name, length, "");
	}
	return !entry || add_path(f, join(f->arena, d->path, entry));
}

/* Follows the components of a path on disk, ignoring case. */
static bool add_below(finder *f, const char *base, const char *relative)
{
	char path[BSPI_PATH_SIZE];
	const char *part = path;
	if (!bspi_text_path(relative, false, path, sizeof path)) return true;
	const folder *d = list(f, base);
	for (const char *slash; d && (slash = strchr(part, '/')); part = slash + 1) {
		const char *entry = find_entry(d, part, (size_t)(slash - part), "/");
		if (!entry) return true;
		const char *below = join(f->arena, d->path, entry);
		d = below ? list(f, below) : NULL;
	}
	return d ? add_last(f, d, part) : fail_memory(f);
}

/* ---- gameinfo.txt ----------------------------------------------------------------------------------------- */

/* True if any word of a key like "game+mod", "GAME" or "vpk" stands for files that maps use. */
static bool is_for_game(const char *key)
{
	static const char *const words[] = { "game", "mod", "platform", "vpk", "addon", "addonroot" };
	while (*key) {
		size_t length = strcspn(key, "+");
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			if (length == strlen(words[i]) && bspi_text_starts(key, words[i])) return true;
		}
		key += length + (key[length] == '+');
	}
	return false;
}

/* Adds a search path. If only "." or nothing follows the prefix for the game's directory, the path is that
 * directory. The directory above is never added as a whole. */
static bool add_search_path(finder *f, const char *value)
{
	const char *base = f->engine;
	if (bspi_text_starts(value, FOR_GAME)) {
		base = f->game;
		value += strlen(FOR_GAME);
	} else if (bspi_text_starts(value, FOR_ENGINE)) {
		value += strlen(FOR_ENGINE);
	} else if (*value == '/' || *value == '\\') {
		return true;
	}
	while (*value == '/' || *value == '\\') value++;
	size_t dots = strspn(value, "./\\");
	if (strstr(value, "..")) return true;
	if (value[dots]) return add_below(f, base, value);
	return base != f->game || add_path(f, base);
}

/* Adds directories that Portal 2 and other games search without being told: first update/, then game_dlc9 down to
 * game_dlc1, by decreasing priority (CBaseFileSystem::AddSearchPath). */
static bool add_additions(finder *f)
{
	BSPI_TRY(add_below(f, f->engine, "update"));
	for (int number = MOST_ADDONS; number; number--) {
		char name[BSPI_PATH_SIZE];
		snprintf(name, sizeof name, "%.200s_dlc%d", bspi_last_part(f->game), number);
		if (!add_below(f, f->engine, name)) return false;
	}
	return true;
}

static bool add_game(finder *f, const char *game, const char *gameinfo)
{
	f->game = game;
	f->engine = directory_above(f->arena, game);
	const char *path = join(f->arena, game, gameinfo);
	bspi_kv_tree tree;
	bspi_bytes text;
	if (!f->engine || !path) return fail_memory(f);
	if (!bspi_read_beginning(f->arena, path, LARGEST_GAMEINFO, &text)) return fail_memory(f);
	if (!bspi_kv_parse(f->arena, text, &tree)) return fail_memory(f);
	uint32_t root = bspi_kv_find(&tree, BSPI_KV_ROOT, "gameinfo", true);
	uint32_t system = root ? bspi_kv_find(&tree, root, "filesystem", true) : 0;
	uint32_t paths = system ? bspi_kv_find(&tree, system, "searchpaths", true) : 0;
	if (!add_additions(f)) return false;
	for (uint32_t i = paths ? tree.nodes[paths].first_child : 0; i; i = tree.nodes[i].next) {
		const bspi_kv *node = &tree.nodes[i];
		if (is_exhausted(f, 1)) break;
		if (node->value && is_for_game(node->key) && !add_search_path(f, node->value)) return false;
	}
	/* The game's own directory is always included. */
	return add_found(f, game);
}

/* Adds the games in a directory: only the base game (hl2) if `base` is true, else all others. */
static bool add_games_in(finder *f, const folder *d, bool base)
{
	for (uint32_t i = 0; i < d->listing.count && !is_exhausted(f, 1); i++) {
		const char *entry = d->listing.paths[i];
		if (entry[strlen(entry) - 1] != '/' || bspi_text_equal(entry, "hl2/") != base) continue;
		const char *game = join(f->arena, d->path, entry);
		const folder *listed = game ? list(f, game) : NULL;
		if (!listed) return fail_memory(f);
		const char *gameinfo = find_entry(listed, GAMEINFO, strlen(GAMEINFO), "");
		if (gameinfo && !add_game(f, game, gameinfo)) return false;
	}
	return true;
}

bool bspi_find_search_paths(bspi_arena *arena, const char *directory_path, bspi_search_paths *out,
                            bspscene_error *error)
{
	*out = (bspi_search_paths){ 0 };
	finder f = { .arena = arena, .game = directory_path, .out = out, .error = error };
	const char *path = join(arena, "", directory_path);
	const folder *d = path ? list(&f, path) : NULL;
	if (!d) return fail_memory(&f);
	const char *gameinfo = find_entry(d, GAMEINFO, strlen(GAMEINFO), "");
	if (gameinfo) return add_game(&f, path, gameinfo);
	return add_games_in(&f, d, false) && add_games_in(&f, d, true);
}
