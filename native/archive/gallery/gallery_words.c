/* gallery_words.c - see gallery_words.h. */
#include "archive/gallery/gallery_words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "archive/gallery/gallery_record.h"
#include "cli/report.h"
#include "cli/text_set.h"

enum {
	SHORTEST = 2,                      /* number of characters at the beginning of a word that name its piece */
	LONGEST = 60,                      /* longer words are cut */
	LEAST_ROOM = 8,                    /* smallest capacity of a list, in digits; it is small because most words occur
	                                    * in few maps */
	DIGIT_BITS = 5
};

/* The maps that use a word, encoded as in gallery_words.h. */
typedef struct list {
	char *digits;
	uint32_t size, room;
	uint32_t next;                     /* index of the map that was added to the list last, plus 1; 0: the list is
	                                    * empty */
} list;

struct cli_words {
	cli_text_set set;
	list *lists;                       /* the list of each word; its index is the number of the word in `set`, minus
	                                    * 1 */
	size_t room;
	uint32_t maps;
};

cli_words *cli_words_begin(void)
{
	return cli_allocate(1, sizeof(cli_words));
}

/* ---- Lists ------------------------------------------------------------------------------------------------ */

static void put_digit(list *to, uint32_t digit)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	if (to->size == to->room) {
		to->room = to->room ? 2 * to->room : LEAST_ROOM;
		to->digits = cli_resize(to->digits, to->room, 1);
	}
	to->digits[to->size++] = alphabet[digit];
}

static void put_number(list *to, uint32_t number)
{
	const uint32_t more = 1u << DIGIT_BITS;
	for (; number >= more; number >>= DIGIT_BITS) put_digit(to, more | (number & (more - 1)));
	put_digit(to, number);
}

/* ---- Words ------------------------------------------------------------------------------------------------ */

static void add_word(cli_words *words, const char *word)
{
	bool is_new;
	size_t index = cli_text_set_add(&words->set, word, &is_new) - 1;
	if (index >= words->room) {
		size_t room = words->room ? 2 * words->room : 1024;
		words->lists = cli_resize(words->lists, room, sizeof *words->lists);
		memset(words->lists + words->room, 0, (room - words->room) * sizeof *words->lists);
		words->room = room;
	}
	list *to = &words->lists[index];
	if (to->next == words->maps + 1) return; /* the map is in the list already; it has the word twice */
	put_number(to, words->maps - to->next);
	to->next = words->maps + 1;
}

/* Returns a letter in lowercase, and a digit or "_" unchanged. 0 for characters that separate words. */
static char fold(char letter)
{
	if (letter >= 'A' && letter <= 'Z') return (char)(letter - 'A' + 'a');
	bool stays = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
	return stays ? letter : 0;
}

/* True if the word, or a suffix of it that is indexed, begins at this index: at the start, or at a letter after "_". */
static bool begins(const char *word, size_t at)
{
	if (word[at] == '_') return false;
	return at == 0 || (word[at - 1] == '_' && word[at] > '9');
}

static void add_run(cli_words *words, const char *run, size_t length)
{
	char word[LONGEST + 1];
	if (length > LONGEST) length = LONGEST;
	for (size_t i = 0; i < length; i++) word[i] = fold(run[i]);
	word[length] = 0;
	size_t first = strspn(word, "_");
	for (size_t at = first; at + SHORTEST <= length; at++) {
		if (begins(word + first, at - first)) add_word(words, word + at);
	}
}

static void add_text(cli_words *words, const char *text)
{
	while (*text) {
		size_t length = 0;
		while (fold(text[length])) length++;
		add_run(words, text, length);
		text += length + (text[length] != 0);
	}
}

void cli_words_add(cli_words *words, const json_t *record)
{
	const json_t *needs = json_object_get(record, "needs"), *classes = json_object_get(record, "classes");
	for (size_t i = 0; i < json_array_size(needs); i++) {
		add_text(words, cli_record_text(json_array_get(needs, i), "name"));
	}
	for (size_t i = 0; i < json_array_size(classes); i++) {
		add_text(words, json_string_value(json_array_get(json_array_get(classes, i), 0)));
	}
	words->maps++;
}

/* ---- Pieces ----------------------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const cli_text_entry *)a)->text, ((const cli_text_entry *)b)->text);
}

/* Returns all words with their numbers, sorted, in new memory. */
static cli_text_entry *sort_words(const cli_words *words)
{
	cli_text_entry *sorted = cli_allocate(words->set.count, sizeof *sorted);
	size_t count = 0;
	for (size_t i = 0; i < words->set.room; i++) {
		if (words->set.entries[i].text) sorted[count++] = words->set.entries[i];
	}
	if (count) qsort(sorted, count, sizeof *sorted, compare_entries);
	return sorted;
}

static void put_line(cli_bytes *piece, const cli_text_entry *word, const list *maps)
{
	cli_bytes_add(piece, piece->size ? ",\n[\"" : "[\"", piece->size ? 4 : 2);
	cli_bytes_add(piece, word->text, strlen(word->text));
	cli_bytes_add(piece, "\",\"", 3);
	cli_bytes_add(piece, maps->digits, maps->size);
	cli_bytes_add(piece, "\"]", 2);
}

bool cli_words_write(const cli_words *words, cli_words_piece_fn *write, void *user)
{
	cli_text_entry *sorted = sort_words(words);
	cli_bytes piece = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < words->set.count; i++) {
		put_line(&piece, &sorted[i], &words->lists[sorted[i].number - 1]);
		bool more = i + 1 < words->set.count && !strncmp(sorted[i].text, sorted[i + 1].text, SHORTEST);
		if (more) continue;
		const char head[SHORTEST + 1] = { sorted[i].text[0], sorted[i].text[1], 0 };
		ok = write(head, &piece, user);
		piece.size = 0;
	}
	free(piece.at);
	free(sorted);
	return ok;
}

void cli_words_free(cli_words *words)
{
	if (!words) return;
	for (size_t i = 0; i < words->set.count; i++) free(words->lists[i].digits);
	cli_text_set_free(&words->set);
	free(words->lists);
	free(words);
}
