/* gameinfo.c - see gameinfo.h. The engine's own directory, |all_source_engine_paths|, is the one above the game's;
 * paths without a mark are below it too (filesystem_init.cpp, FileSystem_LoadSearchPaths). Nothing outside of it is
 * looked at: a mod's gameinfo.txt is somebody else's file. "Name.vpk" stands for "Name_dir.vpk"; '*' and '?' in the
 * last name for every directory and VPK that fits. */
#include "files/gameinfo.h"

#include <stdio.h>
#include <string.h>

#include "base/keyvalues.h"

enum { MOST_PLACES = 1024, MOST_ADDONS = 9 };
#define GAMEINFO "gameinfo.txt"
#define FOR_GAME "|gameinfo_path|"
#define FOR_ENGINE "|all_source_engine_paths|"
#define LARGEST_GAMEINFO ((uint64_t)BSPI_KV_LARGEST_TEXT)

typedef struct finder {
	bspi_arena *arena;
	const char *game, *engine;         /* directories */
	bspi_places *out;
	bspscene_error *error;
} finder;

static bool fail_memory(const finder *f)
{
	return bspi_error_set(f->error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", f->game);
}

/* "directory/name", without a '/' at the end. NULL: memory is out. */
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

/* "games/hl2" is in "games", "hl2" in ".", and what ends in dots in what they say. */
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

static const char *name_of(const char *directory)
{
	const char *slash = strrchr(directory, '/');
	return slash ? slash + 1 : directory;
}

/* ---- Paths that exist ------------------------------------------------------------------------------------- */

static bool add_place(finder *f, const char *path)
{
	bspi_places *out = f->out;
	if (!path) return fail_memory(f);
	for (uint32_t i = 0; i < out->count; i++) {
		if (!strcmp(out->paths[i], path)) return true;
	}
	if (out->count == MOST_PLACES) return true;
	if (out->count == out->capacity) {
		uint32_t capacity = out->capacity ? out->capacity * 2 : 16;
		const char **paths = bspi_arena_alloc(f->arena, capacity, sizeof *paths);
		if (!paths) return fail_memory(f);
		if (out->count) memcpy(paths, out->paths, out->count * sizeof *paths);
		out->paths = paths;
		out->capacity = capacity;
	}
	out->paths[out->count++] = path;
	return true;
}

/* What is right in a directory; nothing when it cannot be read. */
static bspi_listing list(const finder *f, const char *directory)
{
	bspi_listing listing;
	bspscene_error ignored;
	if (!bspi_list_directory(f->arena, directory, false, &listing, &ignored)) listing.count = 0;
	return listing;
}

/* The entry whose name is the first `length` letters of `name`, in any case; directories end in '/'. NULL: there is
 * none. */
static const char *find_entry(const bspi_listing *listing, const char *name, size_t length, bool directory)
{
	for (uint32_t i = 0; i < listing->count; i++) {
		const char *entry = listing->paths[i];
		size_t at = 0;
		while (at < length && bspi_lower(entry[at]) == bspi_lower(name[at])) at++;
		if (at == length && !strcmp(entry + at, directory ? "/" : "")) return entry;
	}
	return NULL;
}

/* A file in the directory whose name begins with the first `length` letters and goes on with the ending. */
static const char *find_file(const bspi_listing *listing, const char *name, size_t length, const char *ending)
{
	char wanted[BSPI_PATH_SIZE];
	int size = snprintf(wanted, sizeof wanted, "%.*s%s", (int)length, name, ending);
	return size > 0 && (size_t)size < sizeof wanted ? find_entry(listing, wanted, (size_t)size, false) : NULL;
}

static bool is_vpk(const char *entry)
{
	size_t length = strlen(entry);
	if (!bspi_text_ends(entry, ".vpk")) return false;
	if (bspi_text_ends(entry, "_dir.vpk")) return true;
	/* "pack_012.vpk" is a part of another one. */
	const size_t part = strlen("_000.vpk");
	if (length < part || entry[length - part] != '_') return true;
	for (const char *c = entry + length - part + 1; *c != '.'; c++) {
		if (*c < '0' || *c > '9') return true;
	}
	return false;
}

/* '*' is any letters, '?' is one; a '/' at the end of a name does not count. */
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

/* Everything of such a name in the directory, the first in the alphabet best. */
static bool add_all(finder *f, const char *directory, const char *pattern)
{
	bspi_listing listing = list(f, directory);
	for (uint32_t i = 0; i < listing.count; i++) {
		const char *entry = listing.paths[i];
		bool known = entry[strlen(entry) - 1] == '/' || is_vpk(entry);
		if (!known || entry[0] == '.' || !fits_pattern(pattern, entry)) continue;
		if (!add_place(f, join(f->arena, directory, entry))) return false;
	}
	return true;
}

/* The last part of a search path: a directory, a VPK or a pattern. */
static bool add_last(finder *f, const char *directory, const char *name)
{
	if (strpbrk(name, "*?")) return add_all(f, directory, name);
	bspi_listing listing = list(f, directory);
	size_t length = strlen(name);
	const char *entry = find_entry(&listing, name, length, true);
	if (!entry && bspi_text_ends(name, ".vpk")) {
		entry = find_file(&listing, name, length - strlen(".vpk"), "_dir.vpk");
		if (!entry) entry = find_entry(&listing, name, length, false);
	}
	return !entry || add_place(f, join(f->arena, directory, entry));
}

/* Follows the parts of a path on the disk, whatever their case. */
static bool add_below(finder *f, const char *directory, const char *relative)
{
	char path[BSPI_PATH_SIZE];
	const char *part = path;
	if (!bspi_text_path(relative, false, path, sizeof path)) return true;
	for (const char *slash; (slash = strchr(part, '/')); part = slash + 1) {
		bspi_listing listing = list(f, directory);
		const char *entry = find_entry(&listing, part, (size_t)(slash - part), true);
		if (!entry) return true;
		directory = join(f->arena, directory, entry);
		if (!directory) return fail_memory(f);
	}
	return add_last(f, directory, part);
}

/* ---- gameinfo.txt ----------------------------------------------------------------------------------------- */

/* "game+mod", "GAME", "vpk": is one of the words about files that a map may use? */
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

/* "." and nothing mean the directory itself; all of the engine's is no place for a game's files. */
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
	return base != f->game || add_place(f, base);
}

/* Additions that Portal 2 and others look for by themselves: update/ wins over game_dlc2, that over game_dlc1
 * (CBaseFileSystem::AddSearchPath). */
static bool add_additions(finder *f)
{
	BSPI_TRY(add_below(f, f->engine, "update"));
	for (int number = MOST_ADDONS; number; number--) {
		char name[BSPI_PATH_SIZE];
		snprintf(name, sizeof name, "%.200s_dlc%d", name_of(f->game), number);
		if (!add_below(f, f->engine, name)) return false;
	}
	return true;
}

static bool read_text(const finder *f, const char *path, bspi_bytes *out)
{
	bspi_file *file = bspi_file_open(path, NULL);
	uint64_t size = file ? bspi_file_size(file) : 0;
	*out = BSPI_NO_BYTES;
	if (size > LARGEST_GAMEINFO) size = LARGEST_GAMEINFO;
	uint8_t *data = size ? bspi_arena_alloc(f->arena, (size_t)size, 1) : NULL;
	bool read = data && bspi_file_read(file, 0, data, (size_t)size) == size;
	bspi_file_close(file);
	if (read) *out = bspi_bytes_of(data, (size_t)size);
	return !size || data || fail_memory(f);
}

static bool add_game(bspi_arena *arena, const char *directory, const char *gameinfo, bspi_places *out,
                     bspscene_error *error)
{
	finder f = { arena, directory, directory_above(arena, directory), out, error };
	const char *path = join(arena, directory, gameinfo);
	bspi_kv_tree tree;
	bspi_bytes text;
	if (!f.engine || !path) return fail_memory(&f);
	if (!read_text(&f, path, &text)) return false;
	if (!bspi_kv_parse(arena, text, &tree)) return fail_memory(&f);
	uint32_t game = bspi_kv_find(&tree, BSPI_KV_ROOT, "gameinfo", true);
	uint32_t system = game ? bspi_kv_find(&tree, game, "filesystem", true) : 0;
	uint32_t paths = system ? bspi_kv_find(&tree, system, "searchpaths", true) : 0;
	if (!add_additions(&f)) return false;
	for (uint32_t i = paths ? tree.nodes[paths].first_child : 0; i; i = tree.nodes[i].next) {
		const bspi_kv *node = &tree.nodes[i];
		if (node->value && is_for_game(node->key) && !add_search_path(&f, node->value)) return false;
	}
	/* Whatever the file says: the game's own directory belongs to it. */
	return add_place(&f, directory);
}

static const char *find_gameinfo(bspi_arena *arena, const char *directory)
{
	finder f = { .arena = arena };
	bspi_listing listing = list(&f, directory);
	return find_entry(&listing, GAMEINFO, strlen(GAMEINFO), false);
}

/* The game that the others are built on comes last. */
static bool add_games_in(bspi_arena *arena, const char *directory, bool base, bspi_places *out, bspscene_error *error)
{
	finder f = { .arena = arena, .game = directory, .error = error };
	bspi_listing listing = list(&f, directory);
	for (uint32_t i = 0; i < listing.count; i++) {
		const char *entry = listing.paths[i];
		if (entry[strlen(entry) - 1] != '/' || bspi_text_equal(entry, "hl2/") != base) continue;
		const char *game = join(arena, directory, entry), *gameinfo = game ? find_gameinfo(arena, game) : NULL;
		if (!game) return fail_memory(&f);
		if (gameinfo && !add_game(arena, game, gameinfo, out, error)) return false;
	}
	return true;
}

bool bspi_find_places(bspi_arena *arena, const char *directory, bspi_places *out, bspscene_error *error)
{
	*out = (bspi_places){ 0 };
	directory = join(arena, "", directory);
	if (!directory) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	const char *gameinfo = find_gameinfo(arena, directory);
	if (gameinfo) return add_game(arena, directory, gameinfo, out, error);
	return add_games_in(arena, directory, false, out, error) && add_games_in(arena, directory, true, out, error);
}
