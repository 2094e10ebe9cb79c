/* script.c - see script.h. Splits text into words like ioquake3: COM_ParseExt after COM_Compress (q_shared.c). Bytes up
 * to ' ' and from 0x80 on are white space. Comments after // end only at line feeds. There are no escapes. */
#include "materials/shader/script.h"

bspi_script bspi_script_open(bspi_bytes text)
{
	const uint8_t *nul = text.size ? memchr(text.data, 0, text.size) : NULL;
	if (nul) text.size = (size_t)(nul - text.data);
	return (bspi_script){ .text = text, .line = 1 };
}

static bool is_space(uint8_t c) { return c <= ' ' || c >= 0x80; }
static bool is_brace(uint8_t c) { return c == '{' || c == '}'; }

static uint8_t peek(const bspi_script *s, size_t ahead)
{
	return ahead < s->text.size - s->at ? s->text.data[s->at + ahead] : 0;
}

/* True at a line end. A carriage return without a line feed counts too: the engine turns it into a line feed before
 * parsing. */
static bool ends_line(const bspi_script *s)
{
	return peek(s, 0) == '\n' || (peek(s, 0) == '\r' && peek(s, 1) != '\n');
}

static void advance(bspi_script *s)
{
	s->line += ends_line(s);
	s->at++;
}

static void skip_comment(bspi_script *s)
{
	bool block = peek(s, 1) == '*';
	s->at += 2;
	while (s->at < s->text.size) {
		if (block && peek(s, 0) == '*' && peek(s, 1) == '/') {
			s->at += 2;
			return;
		}
		if (!block && peek(s, 0) == '\n') return;
		advance(s);
	}
}

static bool at_comment(const bspi_script *s)
{
	return peek(s, 0) == '/' && (peek(s, 1) == '/' || peek(s, 1) == '*');
}

/* Moves to the next word. Returns true if a line ended before it. Line ends inside of block comments do not count. */
static bool skip_space(bspi_script *s)
{
	bool ended = false;
	while (s->at < s->text.size) {
		if (at_comment(s)) {
			skip_comment(s);
		} else if (is_space(s->text.data[s->at])) {
			ended |= peek(s, 0) == '\n' || peek(s, 0) == '\r';
			advance(s);
		} else {
			break;
		}
	}
	return ended;
}

/* True at a brace that is a word of its own or ends a name: "{ {", "name{", "identity}". False at a brace that begins a
 * name: "{fence". */
static bool at_brace(const bspi_script *s)
{
	uint8_t c = peek(s, 0), next = peek(s, 1);
	bool comment = next == '/' && (peek(s, 2) == '/' || peek(s, 2) == '*');
	return is_brace(c) && (s->at + 1 == s->text.size || is_space(next) || is_brace(next) || comment);
}

static void take_word(bspi_script *s)
{
	size_t length = 0;
	bool brace = peek(s, 0) == '}' || at_brace(s);
	s->quoted = peek(s, 0) == '"';
	if (s->quoted) s->at++;
	while (s->at < s->text.size) {
		uint8_t c = s->text.data[s->at];
		if (s->quoted ? c == '"' : is_space(c) || at_comment(s) || (length && (brace || at_brace(s)))) break;
		if (length < sizeof s->word - 1) s->word[length++] = (char)c;
		advance(s);
	}
	if (s->quoted && s->at < s->text.size) s->at++;
	s->word[length] = 0;
}

bool bspi_script_next(bspi_script *s)
{
	bool ended = skip_space(s);
	s->first_in_line = ended || !s->word_line;
	s->word[0] = 0;
	s->quoted = false;
	s->word_at = s->at;
	s->word_line = s->line;
	if (s->at >= s->text.size) return false;
	take_word(s);
	return true;
}

bool bspi_script_opens_block(bspi_script *s)
{
	size_t at = s->at;
	uint32_t line = s->line;
	skip_space(s);
	bool opens = peek(s, 0) == '{' && at_brace(s);
	s->at = at;
	s->line = line;
	return opens;
}

bool bspi_script_argument(bspi_script *s)
{
	size_t at = s->at;
	uint32_t line = s->line;
	bool ended = skip_space(s) || s->at >= s->text.size || peek(s, 0) == '}' || at_brace(s);
	s->at = at;
	s->line = line;
	return !ended && bspi_script_next(s);
}

float bspi_script_number(bspi_script *s)
{
	float value = 0;
	if (bspi_script_argument(s)) bspi_text_number(s->word, &value);
	return value;
}

bool bspi_script_vector(bspi_script *s, float *out, uint32_t count)
{
	uint32_t found = 0;
	memset(out, 0, count * sizeof *out);
	while (found < count && bspi_script_argument(s)) {
		found += bspi_text_numbers(s->word, out + found, count - found);
	}
	size_t at = s->at;
	uint32_t line = s->line;
	if (bspi_script_argument(s) && strcmp(s->word, ")")) {
		s->at = at;
		s->line = line;
	}
	return found == count;
}

void bspi_script_skip_line(bspi_script *s)
{
	while (bspi_script_argument(s)) continue;
}

bspi_bytes bspi_script_rest_of_line(const bspi_script *s)
{
	size_t end = s->at;
	while (end < s->text.size && s->text.data[end] != '\n' && s->text.data[end] != '\r') end++;
	return bspi_bytes_of(s->text.data + s->at, end - s->at);
}
