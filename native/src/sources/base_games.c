/* base_games.c - see base_games.h. The table `games` has the games for which there are mods.
 *
 * These are the directories that engines search after that of the mod, and where that is documented:
 * - Quake, Quake II: COM_InitFilesystem and FS_InitFilesystem add id1 or baseq2 first, then the directory that -game
 *   names. QuakeWorld has qw in between. DarkPlaces' documentation ("File System") says the same of its own games,
 *   whose base is called data. There -game may be given several times.
 * - Hexen II: data1, then portals with the mission pack, then the mod (readme of Hammer of Thyrion).
 * - GoldSrc: the mod, the game (valve), the fallback_dir, and after all of them the _downloads directories (Valve's
 *   developer wiki, "GoldSrc/SteamPipe directories" and "The liblist.gam File Structure"). Xash3D's FS_Rescan reads
 *   basedir and fallback_dir of its own gameinfo.txt, and adds each with its own bases.
 * - Quake III and its relatives: FS_Startup adds fs_basegame, then fs_game. missionpack is a mod like all others, and
 *   no other mod uses its files.
 * - Source: gameinfo.txt lists all directories, see gameinfo.c. */
#include "sources/base_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyvalues.h"
#include "base/text.h"
#include "file_system/game.h"
#include "io/file.h"
#include "io/system.h"

enum { MOST_BASES = 3, MOST_PATHS = 24, MOST_FALLBACKS = 4, MOST_LEVELS = 8, LARGEST_TEXT = 1 << 16, PATH_SIZE = 4096 };

typedef struct game_row {
	const char *bases[MOST_BASES];     /* directories in increasing priority; any of them may be missing */
	const char *maps;                  /* families and variants of its maps, each with a space before and after
	                                    * it */
	bool needs_archives;               /* true if the first directory has a common name, so it counts only if it
	                                    * contains archives */
} game_row;

/* If a folder has several of these games, `list` opens the first one in this order. So more specific names come
 * first. */
static const game_row games[] = {
	{ { "baseoa" }, " quake3 ", false },
	{ { "baseq3" }, " quake3 rtcw ", false },
	{ { "baseq2" }, " quake2 ", false },
	{ { "id1", "qw" }, " quake ", false },
	{ { "data1", "portals" }, " hexen2 ", true },
	{ { "valve" }, " goldsrc ", false },
	{ { "hl2" }, "", false },
	{ { "main" }, " rtcw uebertools callofduty callofduty4 kingpin ", true },
	{ { "etmain" }, " rtcw ", false },
	{ { "base" }, " quake3 raven uebertools ufoai heretic2 sin sof ", true },
	{ { "baseEF" }, " quake3 ", false },
	{ { "basewsw" }, " qfusion ", false },
	{ { "basewf" }, " qfusion ", false },
	{ { "fakk" }, " uebertools ", false },
	{ { "data" }, " quake quake3 daikatana ", true },
};
enum { GAMES = sizeof games / sizeof *games };

typedef struct finder {
	bspi_arena *arena;
	const char *parent;                /* the directory that contains the directories of the games */
	const char *directory;             /* the mod or game whose base games are searched */
	bspi_base_games *out;
	bool failed;                       /* memory is out */
} finder;

/* ---- Directories next to the game ------------------------------------------------------------------------- */

static char *copy_text(finder *f, const char *text, size_t size)
{
	char *copy = bspi_arena_alloc(f->arena, size + 1, 1);
	if (copy) memcpy(copy, text, size);
	f->failed |= !copy;
	return copy;
}

/* Returns "parent/name". The number `spelling` says if the name is as given, in lower case, in upper case, or
 * capitalized. */
static char *spell(finder *f, const char *name, int spelling)
{
	size_t size = strlen(f->parent) + strlen(name) + 2;
	char *path = bspi_arena_alloc(f->arena, size, 1);
	f->failed |= !path;
	if (!path) return NULL;
	snprintf(path, size, "%s/%s", strcmp(f->parent, "/") ? f->parent : "", name);
	for (char *c = path + size - 1 - strlen(name); *c && spelling; c++) {
		bool first = c[-1] == '/';
		bool upper = spelling == 2 || (spelling == 3 && first);
		*c = bspi_lower(*c);
		if (upper && *c >= 'a' && *c <= 'z') *c = (char)(*c - ('a' - 'A'));
	}
	return path;
}

/* True if the name is a single component of a path. A text of a mod must not lead out of the folder of the games. */
static bool is_plain_name(const char *name)
{
	char folded[BSPI_PATH_SIZE];
	return *name && name[0] != '.' && !strpbrk(name, "/\\:") && bspi_text_path(name, false, folded, sizeof folded) &&
	       !strcmp(folded, name);
}

/* Finds the directory with this name next to the game. NULL if there is none. Tests several spellings. It does not list
 * the folder, because everything else in it is private. */
static const char *find_sibling(finder *f, const char *name)
{
	enum { SPELLINGS = 4 };
	if (!is_plain_name(name)) return NULL;
	for (int i = 0; i < SPELLINGS; i++) {
		const char *path = spell(f, name, i);
		if (!path) return NULL;
		if (!bspi_is_directory(path)) continue;
		char *real = bspi_system_real_path(path);
		bool inside = real && bspi_lies_below(real, f->parent);
		const char *found = inside && strcmp(real, f->directory) != 0 ? copy_text(f, real, strlen(real)) : NULL;
		free(real);
		if (found || f->failed) return found;
	}
	return NULL;
}

/* ---- The list ---------------------------------------------------------------------------------------------- */

static bool is_among(const char *const *paths, uint32_t count, const char *path)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(paths[i], path)) return true;
	}
	return false;
}

static void add_path(finder *f, const char *path)
{
	bspi_base_games *out = f->out;
	bool is_new = path && !is_among(out->paths, out->count, path);
	if (is_new && out->count < MOST_PATHS) out->paths[out->count++] = path;
}

static void add_named(finder *f, const char *name, const char *ending)
{
	char whole[BSPI_PATH_SIZE];
	int size = snprintf(whole, sizeof whole, "%s%s", name, ending);
	if (size > 0 && (size_t)size < sizeof whole) add_path(f, find_sibling(f, whole));
}

/* ---- GoldSrc ----------------------------------------------------------------------------------------------- */

/* Joins a directory and a name to "directory/name". Returns false if that is too long. */
static bool join(char out[PATH_SIZE], const char *directory, const char *name)
{
	int length = snprintf(out, PATH_SIZE, "%s/%s", directory, name);
	return length > 0 && length < PATH_SIZE;
}

/* Names of the text files that mark a game's directory, in several spellings. Each list ends with NULL. */
enum { GAMEINFO, LIBLIST, TEXTS };
static const char *const texts[TEXTS][5] = {
	[GAMEINFO] = { "gameinfo.txt", "GameInfo.txt", "Gameinfo.txt", "GAMEINFO.TXT" },
	[LIBLIST] = { "liblist.gam", "LibList.gam", "Liblist.gam", "LIBLIST.GAM" },
};

/* Finds a text file of a game's directory. Returns false if it is not there. */
static bool find_text(const char *directory, int text, char path[PATH_SIZE])
{
	for (const char *const *name = texts[text]; *name; name++) {
		if (join(path, directory, *name) && bspi_system_kind(path) == BSPI_PATH_FILE) return true;
	}
	return false;
}

static bool has_text(const char *directory, int text)
{
	char path[PATH_SIZE];
	return find_text(directory, text, path);
}

/* Reads a text file of a game's directory. If it is missing, or is a link to a place outside of the directory, the tree
 * is empty. */
static void read_tree(finder *f, const char *directory, int file, bspi_kv_tree *out)
{
	char path[PATH_SIZE];
	bspi_bytes text = BSPI_NO_BYTES;
	char *real = find_text(directory, file, path) ? bspi_system_real_path(path) : NULL;
	if (real && bspi_lies_below(real, directory)) {
		f->failed |= !bspi_read_beginning(f->arena, real, LARGEST_TEXT, &text);
	}
	free(real);
	if (bspi_kv_parse(f->arena, text, out)) return;
	*out = (bspi_kv_tree){ 0 };
	f->failed = true;
}

/* Finds the directory that a top-level key of a text file names. Returns NULL if there is none, or if it is `directory`
 * itself. */
static const char *find_named(finder *f, const bspi_kv_tree *tree, const char *key, const char *directory)
{
	uint32_t found = tree->nodes ? bspi_kv_find(tree, BSPI_KV_ROOT, key, false) : 0;
	const char *name = found ? tree->nodes[found].value : NULL;
	const char *path = name ? find_sibling(f, name) : NULL;
	return path && strcmp(path, directory) != 0 ? path : NULL;
}

/* Finds the directory that a directory's text files name as its base. If they name several, it is the last one. */
static const char *find_fallback(finder *f, const char *directory)
{
	static const char *const keys[] = { "basedir", "fallback_dir" };
	const char *last = NULL;
	for (int text = 0; text < TEXTS; text++) {
		bspi_kv_tree tree;
		read_tree(f, directory, text, &tree);
		for (size_t k = 0; k < 2; k++) {
			const char *path = find_named(f, &tree, keys[k], directory);
			if (path) last = path;
		}
	}
	return last;
}

/* Follows the chain of bases from one directory to the next, and adds them. The last one of the chain has the lowest
 * priority. */
static void add_fallbacks(finder *f, const char *directory)
{
	const char *chain[MOST_FALLBACKS] = { 0 }, *next = find_fallback(f, directory);
	uint32_t count = 0;
	while (next && !f->failed && count < MOST_FALLBACKS && !is_among(chain, count, next)) {
		chain[count++] = next;
		next = find_fallback(f, next);
	}
	while (count) add_path(f, chain[--count]);
}

/* Finds the mod to which a directory of downloads belongs: "cstrike" for "cstrike_downloads". Returns false for other
 * names. */
static bool mod_of_downloads(const char *name, char out[BSPI_PATH_SIZE])
{
	static const char *const parts[] = { "_downloads", "_addon", "_hd" };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		size_t size = strlen(name), end = strlen(parts[i]);
		if (size <= end || size >= BSPI_PATH_SIZE || !bspi_text_ends(name, parts[i])) continue;
		memcpy(out, name, size - end);
		out[size - end] = 0;
		return true;
	}
	return false;
}

static void add_goldsrc(finder *f, const char *base)
{
	char mod[BSPI_PATH_SIZE];
	const char *name = bspi_last_part(f->directory);
	bool is_part = mod_of_downloads(name, mod);
	const char *owner = is_part ? find_sibling(f, mod) : f->directory;
	add_named(f, base, "_downloads");
	add_named(f, is_part ? mod : name, "_downloads");
	add_named(f, base, "");
	if (owner) add_fallbacks(f, owner);
	if (is_part) add_path(f, owner);
}

/* ---- The table --------------------------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
	char wanted[64];
	int size = word ? snprintf(wanted, sizeof wanted, " %s ", word) : 0;
	return size > 0 && (size_t)size < sizeof wanted && strstr(words, wanted);
}

static bool is_called(const char *name, size_t size, const char *base)
{
	return strlen(base) == size && bspi_text_starts(name, base);
}

uint32_t bspi_base_game_rank(const char *name, size_t size)
{
	for (uint32_t i = 0; i < GAMES; i++) {
		if (is_called(name, size, games[i].bases[0])) return i;
	}
	return BSPI_NO_RANK;
}

/* True if the row's game is the directory itself or is next to it. *itself is the index of the directory's name in the
 * row. It is MOST_BASES if the directory is not of that game, which means that it is a mod. */
static bool is_there(finder *f, const game_row *row, int *itself)
{
	const char *name = bspi_last_part(f->directory);
	*itself = MOST_BASES;
	for (int i = 0; i < MOST_BASES && row->bases[i]; i++) {
		if (is_called(name, strlen(name), row->bases[i])) *itself = i;
	}
	if (*itself == 0) return true;
	const char *base = find_sibling(f, row->bases[0]);
	return base && (!row->needs_archives || bspi_is_game(base, ""));
}

static void add_row(finder *f, const game_row *row, int itself)
{
	if (!strcmp(row->bases[0], "valve")) {
		add_goldsrc(f, row->bases[0]);
		return;
	}
	for (int i = 0; i < MOST_BASES && row->bases[i] && i < itself; i++) add_named(f, row->bases[i], "");
}

/* True if a file in the mod's directory says that it is a mod of this game. */
static bool is_marked(const char *directory, const game_row *row)
{
	return !strcmp(row->bases[0], "valve") && has_text(directory, LIBLIST);
}

/* Chooses a game. A row that names the maps' variant is preferred to one that names their family. Only few of Quake
 * III's relatives have a family of their own. */
static const game_row *choose_row(finder *f, bspi_map_kind kind, int *itself)
{
	enum { MARKED = 2 }; /* added for the directory's own name, or a file in it that names the game */
	const game_row *chosen = NULL;
	int best = -1;
	for (uint32_t i = 0; i < GAMES && !f->failed; i++) {
		int own = has_word(games[i].maps, kind.variant) ? 2 : has_word(games[i].maps, kind.family) || !kind.family, at;
		if (!own || !*games[i].maps || own + MARKED < best || !is_there(f, &games[i], &at)) continue;
		if (at < MOST_BASES || is_marked(f->directory, &games[i])) own += MARKED;
		if (own < best) continue;
		f->out->rivals[0] = own == best ? chosen->bases[0] : NULL;
		f->out->rivals[1] = own == best ? games[i].bases[0] : NULL;
		if (own == best) continue;
		best = own;
		chosen = &games[i];
		*itself = at;
	}
	return chosen;
}

bool bspi_find_base_games(bspi_arena *arena, const char *directory, bspi_map_kind kind, bspi_base_games *out)
{
	finder f = { .arena = arena, .directory = directory, .out = out };
	const char *name = bspi_last_part(directory);
	*out = (bspi_base_games){ .paths = bspi_arena_alloc(arena, MOST_PATHS, sizeof *out->paths) };
	if (directory[0] == 0 || name == directory || !*name || !out->paths) return out->paths != NULL;
	size_t size = (size_t)(name - directory);
	f.parent = copy_text(&f, directory, size > 1 ? size - 1 : 1);
	if (!f.parent) return false;
	int itself = MOST_BASES;
	const game_row *row = choose_row(&f, kind, &itself);
	if (row && !out->rivals[0]) add_row(&f, row, itself);
	return !f.failed;
}

/* ---- Games above the map ----------------------------------------------------------------------------------- */

/* True if the directory is the user's home directory, or the folder of all home directories. Neither is a game. */
static bool is_home(const char *directory)
{
	static const char *const variables[] = { "HOME", "USERPROFILE" };
	bool home = false;
	for (size_t i = 0; i < sizeof variables / sizeof *variables && !home; i++) {
		char *value = bspi_system_variable(variables[i]), *real = value ? bspi_system_real_path(value) : NULL;
		home = real && !strcmp(real, directory);
		free(real);
		free(value);
	}
	return home;
}

const char *bspi_find_game_above(bspi_arena *arena, const char *directory, bspi_map_kind kind)
{
	bool source = kind.family && !strcmp(kind.family, "source");
	bool goldsrc = kind.family && !strcmp(kind.family, "goldsrc");
	size_t size = strlen(directory);
	char *path = source || goldsrc ? bspi_arena_alloc(arena, size + 1, 1) : NULL;
	if (!path) return NULL;
	memcpy(path, directory, size);
	for (int i = 0; i < MOST_LEVELS && size > 1 && !is_home(path); i++) {
		if (has_text(path, GAMEINFO) || (goldsrc && has_text(path, LIBLIST))) return path;
		while (size && path[size - 1] != '/') size--;
		if (size < 2) return NULL;
		path[--size] = 0;
	}
	return NULL;
}
