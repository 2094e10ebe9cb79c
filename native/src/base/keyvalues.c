/* keyvalues.c - see keyvalues.h. Words are copied to one buffer; pairs and blocks are nodes that point into it. */
#include "base/keyvalues.h"

#include <assert.h>

#include "base/text.h"

typedef struct parser {
	bspi_arena *arena;
	bspi_bytes text;
	size_t at;
	char *words; size_t word_size;     /* copies of all words, each with a NUL; so they need at most twice the text's
	                                    * size */
	bspi_kv *nodes; uint32_t count, capacity;
} parser;

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_OPEN, TOKEN_CLOSE } token_kind;

/* ---- Words ------------------------------------------------------------------------------------------------ */

static int peek(const parser *p, size_t ahead)
{
	return ahead < p->text.size - p->at ? p->text.data[p->at + ahead] : -1;
}

static bool is_space(int c) { return c >= 0 && c <= ' '; }

static void skip_line(parser *p)
{
	while (peek(p, 0) >= 0 && peek(p, 0) != '\n') p->at++;
}

static void skip_comment(parser *p)
{
	const size_t mark = 2;
	p->at += mark;
	while (peek(p, 0) >= 0 && !(peek(p, 0) == '*' && peek(p, 1) == '/')) p->at++;
	p->at += peek(p, 0) >= 0 ? mark : 0;
}

static void skip_space(parser *p)
{
	for (;;) {
		int c = peek(p, 0), next = peek(p, 1);
		if (is_space(c)) p->at++;
		else if (c == '/' && next == '/') skip_line(p);
		else if (c == '/' && next == '*') skip_comment(p);
		else return;
	}
}

static bool ends_word(int c, char quote)
{
	if (c < 0 || c == '\n' || c == '\r') return true;
	if (quote) return c == quote;
	return is_space(c) || c == '"' || c == '{' || c == '}';
}

/* Reads a word. Quotes have no escapes, because values contain backslashes of paths. A word that begins with a bracket
 * ends at the closing one. */
static const char *take_word(parser *p)
{
	char quote = peek(p, 0) == '"' ? '"' : 0, *word = p->words + p->word_size, *out = word;
	if (quote) p->at++;
	else if (peek(p, 0) == '[') quote = ']';
	while (!ends_word(peek(p, 0), quote)) *out++ = (char)p->text.data[p->at++];
	if (quote && peek(p, 0) == quote) {
		if (quote == ']') *out++ = quote;
		p->at++;
	}
	*out++ = 0;
	p->word_size = (size_t)(out - p->words);
	assert(p->word_size <= 2 * p->at);
	return word;
}

static token_kind take_token(parser *p, const char **word)
{
	skip_space(p);
	int c = peek(p, 0);
	if (c < 0) return TOKEN_END;
	if (c == '{' || c == '}') {
		p->at++;
		return c == '{' ? TOKEN_OPEN : TOKEN_CLOSE;
	}
	*word = take_word(p);
	return TOKEN_WORD;
}

/* ---- Conditions ------------------------------------------------------------------------------------------- */

/* True if a PC fulfills a condition: "$WIN32", but not "$X360". */
static bool is_pc(const char *name, size_t length)
{
	static const char *const names[] = { "$WIN32", "$WINDOWS", "$PC", "$LDR", "$ENGLISH" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strlen(names[i]) == length && bspi_text_starts(name, names[i])) return true;
	}
	return false;
}

/* Evaluates a condition such as "[$WIN32 !$X360]" from left to right. */
static bool is_met(const char *condition)
{
	bool met = false, both = false;
	for (const char *c = condition + 1; *c && *c != ']'; ) {
		bool negated = *c == '!';
		c += negated;
		size_t length = strcspn(c, "|&!] ");
		bool holds = is_pc(c, length) != negated;
		if (length) met = both ? met && holds : met || holds;
		c += length;
		if (*c == '&' || *c == '|') both = *c == '&';
		if (!length && !negated) c++;
	}
	return met;
}

/* True if a bracket begins a condition. Values can begin with a bracket too: "[1 .5 0]". */
static bool is_condition(const parser *p)
{
	size_t ahead = 1;
	if (peek(p, 0) != '[') return false;
	while (peek(p, ahead) == ' ') ahead++;
	return peek(p, ahead) == '$' || peek(p, ahead) == '!';
}

/* Reads the condition after a pair or after a block's name, if there is one. Returns true if it holds or there is
 * none. */
static bool take_condition(parser *p)
{
	skip_space(p);
	return !is_condition(p) || is_met(take_word(p));
}

/* ---- Tree ------------------------------------------------------------------------------------------------- */

static bool add_node(parser *p, const char *key, const char *value, uint32_t *index)
{
	if (p->count == p->capacity) {
		uint32_t capacity = p->capacity ? p->capacity * 2 : 32;
		bspi_kv *nodes = bspi_arena_alloc(p->arena, capacity, sizeof *nodes);
		if (!nodes) return false;
		if (p->count) memcpy(nodes, p->nodes, p->count * sizeof *nodes);
		p->nodes = nodes;
		p->capacity = capacity;
	}
	*index = p->count++;
	p->nodes[*index] = (bspi_kv){ key, value, 0, 0 };
	return true;
}

/* The position of the parser in the tree: the open blocks, and the last child so far of each. */
typedef struct place {
	uint32_t parents[BSPI_KV_MOST_DEPTH + 1], last[BSPI_KV_MOST_DEPTH + 1], depth;
	uint32_t left_out;                 /* number of open blocks that are skipped; 0: none */
} place;

static bool add_child(parser *p, place *at, const char *key, const char *value)
{
	uint32_t index, last = at->last[at->depth];
	if (!add_node(p, key, value, &index)) return false;
	if (last) p->nodes[last].next = index;
	else p->nodes[at->parents[at->depth]].first_child = index;
	at->last[at->depth] = index;
	return true;
}

static bool open_block(parser *p, place *at, const char *key, bool met)
{
	if (at->left_out || !met || at->depth == BSPI_KV_MOST_DEPTH) {
		at->left_out++;
		return true;
	}
	if (!add_child(p, at, key, NULL)) return false;
	at->parents[at->depth + 1] = at->last[at->depth];
	at->last[++at->depth] = 0;
	return true;
}

static void close_block(place *at)
{
	if (at->left_out) at->left_out--;
	else if (at->depth) at->depth--;
}

/* Reads what follows a key: a block, a value, or nothing. */
static bool take_pair(parser *p, place *at, const char *key)
{
	const char *value = NULL;
	bool met = take_condition(p);
	size_t before = p->at;
	switch (take_token(p, &value)) {
	case TOKEN_OPEN: return open_block(p, at, key, met);
	case TOKEN_WORD:
		met = take_condition(p) && met;
		return at->left_out || !met || add_child(p, at, key, value);
	case TOKEN_CLOSE: p->at = before; return true;
	default: return true;
	}
}

static bool parse(parser *p)
{
	place at = { .depth = 0 };
	uint32_t root;
	if (!add_node(p, "", NULL, &root)) return false;
	for (;;) {
		const char *key = "";
		switch (take_token(p, &key)) {
		case TOKEN_END: return true;
		case TOKEN_CLOSE: close_block(&at); break;
		case TOKEN_OPEN:
			if (!open_block(p, &at, "", true)) return false;
			break;
		default:
			if (!take_pair(p, &at, key)) return false;
		}
	}
}

bool bspi_kv_parse(bspi_arena *arena, bspi_bytes text, bspi_kv_tree *out)
{
	static const uint8_t mark[3] = { 0xef, 0xbb, 0xbf };
	if (text.size >= sizeof mark && !memcmp(text.data, mark, sizeof mark)) {
		bspi_slice(text, sizeof mark, text.size - sizeof mark, &text);
	}
	if (text.size > BSPI_KV_LARGEST_TEXT) text.size = BSPI_KV_LARGEST_TEXT;
	parser p = { .arena = arena, .text = text, .words = bspi_arena_alloc(arena, text.size, 2) };
	if (!p.words || !parse(&p)) return false;
	*out = (bspi_kv_tree){ p.nodes, p.count };
	return true;
}

uint32_t bspi_kv_find(const bspi_kv_tree *tree, uint32_t parent, const char *key, bool block)
{
	uint32_t i = tree->nodes[parent].first_child;
	while (i && ((tree->nodes[i].value == NULL) != block || !bspi_text_equal(tree->nodes[i].key, key))) {
		i = tree->nodes[i].next;
	}
	return i;
}
