/* map_facts.c - see map_facts.h. */
#include "archive/companions/map_facts.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "cli/json.h"

enum { LONGEST_LABEL = 40 };

typedef enum fact { NO_FACT, TITLE, AUTHOR, DATE, MODES } fact;

/* ---- Facts ------------------------------------------------------------------------------------------------- */

static bool is_letter(char letter)
{
	return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

static bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t';
}

/* Stores a fact without the quotes and blanks around it. A fact that is too long is cut at the end of a UTF-8
 * character. */
static void set(char out[CLI_LONGEST_FACT + 1], const char *value, size_t length)
{
	if (*out || !length) return;
	while (length && (is_blank(*value) || *value == '"')) value++, length--;
	while (length && (is_blank(value[length - 1]) || value[length - 1] == '"')) length--;
	if (length > CLI_LONGEST_FACT) {
		length = CLI_LONGEST_FACT;
		while (length && (value[length] & 0xc0) == 0x80) length--;
	}
	memcpy(out, value, length);
	out[length] = 0;
}

/* Adds a game mode unless it was added before. If `is_known_alone`, adds only modes whose words are in the list below.
 * This is for readmes, which contain other words too. Otherwise adds every word. This is for scripts, which may name
 * modes of their own game. */
static void add_mode(cli_map_facts *facts, const char *word, size_t length, bool is_known_alone)
{
	static const struct {
		const char *word, *mode;
	} rows[] = {
		{ "ffa", "deathmatch" },          { "dm", "deathmatch" },           { "deathmatch", "deathmatch" },
		{ "team", "team deathmatch" },    { "tdm", "team deathmatch" },     { "teamdeathmatch", "team deathmatch" },
		{ "tourney", "tournament" },      { "tournament", "tournament" },   { "duel", "tournament" },
		{ "ctf", "capture the flag" },    { "capturetheflag", "capture the flag" },
		{ "single", "single player" },    { "singleplayer", "single player" }, { "sp", "single player" },
		{ "coop", "cooperative" },        { "cooperative", "cooperative" }, { "multiplayer", "multiplayer" },
	};
	json_t *mode = is_known_alone ? NULL : json_stringn(word, length);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strlen(rows[i].word) != length || strncasecmp(word, rows[i].word, length) != 0) continue;
		json_decref(mode);
		mode = json_string(rows[i].mode);
	}
	if (!facts->modes) facts->modes = json_array();
	for (size_t i = 0; i < json_array_size(facts->modes); i++) {
		if (!json_equal(mode, json_array_get(facts->modes, i))) continue;
		json_decref(mode);
		return;
	}
	if (mode && length <= LONGEST_LABEL) json_array_append(facts->modes, mode);
	json_decref(mode);
}

/* Adds modes of a list such as "ffa tourney" or "dm, ctf". */
static void add_modes(cli_map_facts *facts, const char *words, size_t length, bool is_known_alone)
{
	static const char between[] = " \t\n,;/()\"+&";
	for (size_t i = 0; i < length;) {
		size_t end = i;
		while (end < length && !strchr(between, words[end])) end++;
		if (end > i) add_mode(facts, words + i, end - i, is_known_alone);
		i = end + 1;
	}
}

/* ---- Read-mes ---------------------------------------------------------------------------------------------- */

static fact fact_of(const char *label)
{
	static const struct {
		const char *label;
		fact fact;
	} rows[] = {
		{ "title", TITLE },      { "maptitle", TITLE },    { "mapname", TITLE },       { "levelname", TITLE },
		{ "nameofmap", TITLE },  { "name", TITLE },        { "author", AUTHOR },       { "authors", AUTHOR },
		{ "authorname", AUTHOR }, { "mapper", AUTHOR },    { "madeby", AUTHOR },       { "createdby", AUTHOR },
		{ "by", AUTHOR },        { "designer", AUTHOR },   { "leveldesigner", AUTHOR }, { "creator", AUTHOR },
		{ "mapauthor", AUTHOR }, { "levelauthor", AUTHOR }, { "builtby", AUTHOR },     { "date", DATE },
		{ "releasedate", DATE }, { "released", DATE },     { "release", DATE },        { "dateofrelease", DATE },
		{ "datereleased", DATE }, { "completed", DATE },   { "finished", DATE },       { "completiondate", DATE },
		{ "gametype", MODES },   { "gametypes", MODES },   { "gamemode", MODES },      { "gamemodes", MODES },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!strcmp(label, rows[i].label)) return rows[i].fact;
	}
	return NO_FACT;
}

/* Returns the game mode of a label, or NULL if it is not one. The readme template of Quake's map archive has lines such
 * as "Deathmatch 2-16". */
static const char *mode_of(const char *label)
{
	static const char *const rows[][2] = {
		{ "singleplayer", "singleplayer" }, { "cooperative", "coop" },           { "coop", "coop" },
		{ "teamdeathmatch", "tdm" },        { "deathmatch", "dm" },              { "dm", "dm" },
		{ "capturetheflag", "ctf" },        { "ctf", "ctf" },                    { "tourney", "tourney" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!strcmp(label, rows[i][0])) return rows[i][1];
	}
	return NULL;
}

/* Copies the letters of a label, in lowercase. False if there are none or too many. */
static bool read_label(const char *line, size_t length, char out[LONGEST_LABEL + 1])
{
	size_t size = 0;
	for (size_t i = 0; i < length; i++) {
		if (!is_letter(line[i])) continue;
		if (size == LONGEST_LABEL) return false;
		out[size++] = (char)(line[i] | 0x20);
	}
	out[size] = 0;
	return size > 0;
}

static void read_line(cli_map_facts *facts, const char *line, size_t length)
{
	char label[LONGEST_LABEL + 1];
	size_t colon = 0;
	while (colon < length && line[colon] != ':' && line[colon] != '=') colon++;
	if (colon == length || !read_label(line, colon, label)) return;
	const char *value = line + colon + 1, *mode = mode_of(label);
	size_t size = length - colon - 1;
	while (size && is_blank(*value)) value++, size--;
	if (!size) return;
	bool says_yes = *value == 'y' || *value == 'Y' || (*value >= '1' && *value <= '9');
	if (mode && says_yes && !facts->are_modes_told) add_mode(facts, mode, strlen(mode), true);
	switch (fact_of(label)) {
	case TITLE: set(facts->title, value, size); break;
	case AUTHOR: set(facts->author, value, size); break;
	case DATE: set(facts->date, value, size); break;
	case MODES:
		if (!facts->are_modes_told) add_modes(facts, value, size, true);
		break;
	case NO_FACT: break;
	}
}

void cli_read_me_facts(cli_map_facts *facts, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		read_line(facts, text, length);
		text += length + (text[length] == '\n');
	}
}

void cli_mapinfo_facts(cli_map_facts *facts, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n"), key = strcspn(text, " \t\n"), end;
		const char *value = text + key;
		size_t size = length - key;
		while (size && is_blank(*value)) value++, size--;
		for (end = 0; end < size && !is_blank(value[end]);) end++;
		if (key == 5 && !strncmp(text, "title", key)) set(facts->title, value, size);
		if (key == 6 && !strncmp(text, "author", key)) set(facts->author, value, size);
		/* In .mapinfo files, the first word of "type dm 20 20 0" is the mode. */
		if ((key == 4 && !strncmp(text, "type", key)) || (key == 8 && !strncmp(text, "gametype", key))) {
			add_modes(facts, value, end, false);
		}
		text += length + (text[length] == '\n');
	}
}

/* ---- Scripts ----------------------------------------------------------------------------------------------- */

typedef struct word {
	const char *at;
	size_t length;
} word;

static bool is_word(word one, const char *text)
{
	return one.length == strlen(text) && !strncasecmp(one.at, text, one.length);
}

/* Reads the next word. Braces and parentheses are words of their own. False at the end of the text. */
static bool next_word(const char **text, word *out)
{
	const char *at = *text;
	while (*at && (is_blank(*at) || *at == '\n' || (at[0] == '/' && at[1] == '/'))) {
		if (*at == '/') at += strcspn(at, "\n");
		else at++;
	}
	if (*at == '"') {
		*out = (word) { at + 1, strcspn(at + 1, "\"\n") };
		*text = out->at + out->length + (out->at[out->length] == '"');
		return true;
	}
	*out = (word) { at, *at && strchr("{}()", *at) ? 1 : strcspn(at, " \t\n\"{}()") };
	*text = at + out->length;
	return out->length > 0;
}

/* Reads a value: a word, or a list in parentheses. */
static bool next_value(const char **text, word *out)
{
	word inside;
	if (!next_word(text, out) || is_word(*out, "}")) return false;
	if (!is_word(*out, "(")) return true;
	const char *end = out->at;
	while (next_word(text, &inside) && !is_word(inside, ")")) end = *text;
	*out = (word) { out->at, (size_t)(end - out->at) };
	return true;
}

/* Reads a block of a script from `text`, after its "{", and returns where the block ends. Stores the block's facts if
 * its `map` is this map. If `is_ours`, that is not checked. */
static const char *read_block(cli_map_facts *facts, const char *text, bool is_ours)
{
	enum { MAP, LONG_NAME, DESCRIPTION, WRITER, TYPE, TYPES, MULTIPLAYER, KEYS };
	static const char *const keys[KEYS] = { "map",  "longname",  "description", "author",
		                                    "type", "gametypes", "multiplayer" };
	word values[KEYS] = { 0 }, key, value;
	while (next_word(&text, &key) && !is_word(key, "}")) {
		if (!next_value(&text, &value)) break;
		for (int i = 0; i < KEYS; i++) {
			if (is_word(key, keys[i])) values[i] = value;
		}
	}
	/* In UFO: Alien Invasion, "+farm" names a map that is assembled from tiles, and "_Farm" is a text that is
	 * translated. */
	word map = values[MAP], name = values[LONG_NAME].length ? values[LONG_NAME] : values[DESCRIPTION];
	if (map.length && *map.at == '+') map = (word) { map.at + 1, map.length - 1 };
	if (name.length && *name.at == '_') name = (word) { name.at + 1, name.length - 1 };
	if (!is_ours && !is_word(map, facts->map)) return text;
	set(facts->title, name.at, name.length);
	set(facts->author, values[WRITER].at, values[WRITER].length);
	add_modes(facts, values[TYPE].at, values[TYPE].length, false);
	add_modes(facts, values[TYPES].at, values[TYPES].length, false);
	if (is_word(values[MULTIPLAYER], "true")) add_mode(facts, "multiplayer", strlen("multiplayer"), true);
	return text;
}

void cli_script_facts(cli_map_facts *facts, const char *text)
{
	word before = { 0 }, one;
	while (next_word(&text, &one)) {
		if (is_word(one, "{")) text = read_block(facts, text, is_word(before, facts->map));
		before = one;
	}
}
