/* game_of.c - <game>/maps/sub -> <game>. See open_place.h. */
#include <string.h>

#include "base/text.h"
#include "places/open_place.h"

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
		/* The root keeps its slash. */
		while (end > 1 && is_slash(directory[end - 1])) end--;
		if (found) {
			directory[end] = 0;
			return true;
		}
		if (end == 1 && is_slash(directory[0])) break;
	}
	return false;
}
