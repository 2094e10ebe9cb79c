/* game_of.c - see open_source.h. Finds the game to which a file belongs. The game is the directory GAME for a map in
 * GAME/maps or below, and for a model in GAME/models or below. */
#include <string.h>

#include "base/text.h"
#include "file_system/game.h"
#include "sources/open_source.h"

static bool is_slash(char c)
{
	return c == '/' || c == '\\';
}

bool bspi_cut_game(char *directory)
{
	size_t end = strlen(directory);
	while (end && is_slash(directory[end - 1])) end--;
	while (end) {
		size_t start = end;
		while (start && !is_slash(directory[start - 1])) start--;
		bool found = end - start == strlen("maps") && bspi_text_starts(directory + start, "maps");
		end = start;
		/* Removes slashes at the end, except the only one of the root directory. */
		while (end > 1 && is_slash(directory[end - 1])) end--;
		if (found) {
			directory[end] = 0;
			return true;
		}
		if (end == 1 && is_slash(directory[0])) break;
	}
	return false;
}

/* Removes the last component of a path. Returns false if no component is left. */
static bool cut_part(char *directory)
{
	size_t end = strlen(directory);
	while (end && is_slash(directory[end - 1])) end--;
	while (end && !is_slash(directory[end - 1])) end--;
	while (end > 1 && is_slash(directory[end - 1])) end--;
	directory[end] = 0;
	return end > 1;
}

/* Shortens the path of a model's directory to the folder that contains the game's folder of models (models, progs,
 * sprites or xmodel). The path stays if it has no such folder. */
static void cut_before_folder(char *directory)
{
	static const char *const folders[] = { "models", "progs", "sprites", "xmodel" };
	size_t found = 0;
	for (size_t at = strlen(directory); at > 1 && !found; at--) {
		if (!is_slash(directory[at - 1])) continue;
		for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
			size_t size = strlen(folders[i]);
			bool whole = bspi_text_starts(directory + at, folders[i]) &&
			             (!directory[at + size] || is_slash(directory[at + size]));
			if (whole) found = at;
		}
	}
	if (found > 1) directory[found - 1] = 0;
}

void bspi_cut_model_game(char *directory)
{
	enum { MOST_PARTS = 12, MOST_BYTES = 4096 };
	size_t whole = strlen(directory);
	char around[MOST_BYTES];
	if (whole < sizeof around) {
		memcpy(around, directory, whole + 1);
		for (int i = 0; i < MOST_PARTS; i++) {
			if (bspi_is_game(around, "")) {
				directory[strlen(around)] = 0;
				return;
			}
			if (!cut_part(around)) break;
		}
	}
	cut_before_folder(directory);
}
