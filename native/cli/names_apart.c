/* names_apart.c - see names_apart.h. */
#include "cli/names_apart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/report.h"

/* Returns the lowercase of a letter that UTF-8 writes as two bytes (Unicode, CaseFolding.txt). */
static unsigned fold_letter(unsigned letter)
{
	if (letter >= 0xC0 && letter <= 0xDE && letter != 0xD7) return letter + 0x20;
	if (letter >= 0x391 && letter <= 0x3A9) return letter + 0x20;
	if (letter >= 0x400 && letter <= 0x40F) return letter + 0x50;
	if (letter >= 0x410 && letter <= 0x42F) return letter + 0x20;
	return letter;
}

static void fold(char *name)
{
	for (unsigned char *c = (unsigned char *)name; *c; c++) {
		if (*c >= 'A' && *c <= 'Z') *c = (unsigned char)(*c - 'A' + 'a');
		if (*c < 0xC2 || *c > 0xDF || (c[1] & 0xC0) != 0x80) continue;
		unsigned letter = fold_letter((*c & 0x1Fu) << 6 | (c[1] & 0x3Fu));
		*c = (unsigned char)(0xC0 | letter >> 6);
		*++c = (unsigned char)(0x80 | (letter & 0x3F));
	}
}

/* Adds the name in lowercase to the set, and returns its number. */
static size_t take(cli_names_apart *names, const char *name, bool *is_new)
{
	char *folded = cli_format("%s", name);
	fold(folded);
	size_t number = cli_text_set_add(&names->folded, folded, is_new);
	free(folded);
	if (number > names->room) {
		size_t room = names->room ? 2 * names->room : 64;
		uint32_t *next = realloc(names->next, room * sizeof *next);
		if (!next) cli_end_without_memory();
		names->next = next;
		names->room = room;
	}
	if (*is_new) names->next[number - 1] = 2;
	return number;
}

/* Remembers which number to try next for each name. So many equal names, as in a hostile map, take only linear time. */
char *cli_name_apart(cli_names_apart *names, const char *name)
{
	const char *ending = cli_ending(name);
	int stem = (int)(strlen(name) - strlen(ending) - (*ending != 0));
	char *own = cli_format("%s", name);
	bool is_new;
	size_t number = take(names, own, &is_new);
	while (!is_new) {
		free(own);
		own = cli_format("%.*s_%" PRIu32 "%s", stem, name, names->next[number - 1]++, name + stem);
		take(names, own, &is_new);
	}
	return own;
}

void cli_names_apart_free(cli_names_apart *names)
{
	cli_text_set_free(&names->folded);
	free(names->next);
	*names = (cli_names_apart) { 0 };
}
