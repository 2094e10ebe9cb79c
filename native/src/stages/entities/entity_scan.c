/* entity_scan.c - see entity_scan.h. */
#include "stages/entities/entity_scan.h"

#include <string.h>

typedef enum token_kind { TOKEN_END, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_TEXT } token_kind;

static void skip_space(bspi_entity_scan *s)
{
	const uint8_t *p = s->text.data;
	while (s->at < s->text.size) {
		if (p[s->at] <= ' ') {
			s->at++;
		} else if (p[s->at] == '/' && s->at + 1 < s->text.size && p[s->at + 1] == '/') {
			while (s->at < s->text.size && p[s->at] != '\n') s->at++;
		} else {
			return;
		}
	}
}

static bool ends_word(uint8_t c) { return c <= ' ' || c == '"' || c == '{' || c == '}'; }

/* Returns how many bytes the next character of a string has: 2 if it is written with a backslash. */
static size_t escape_size(const bspi_entity_scan *s)
{
	const uint8_t *p = s->text.data + s->at;
	bool pair = p[0] == '\\' && s->at + 1 < s->text.size && (p[1] == '\\' || p[1] == '"');
	return pair ? 2 : 1;
}

static token_kind next_token(bspi_entity_scan *s, bspi_bytes *out)
{
	skip_space(s);
	*out = BSPI_NO_BYTES;
	if (s->at == s->text.size) return TOKEN_END;
	const uint8_t *p = s->text.data;
	uint8_t c = p[s->at];
	if (c == '{' || c == '}') {
		s->at++;
		return c == '{' ? TOKEN_OPEN : TOKEN_CLOSE;
	}
	bool quoted = c == '"';
	size_t start = s->at += quoted;
	while (s->at < s->text.size && (quoted ? p[s->at] != '"' : !ends_word(p[s->at]))) {
		/* A quoted string also ends at a line that begins with }, because its closing quote is missing. Tools that
		 * protect maps from decompilers insert a single quote. Without this rule, all later pairs would be wrong. */
		if (quoted && p[s->at] == '\n' && s->at + 1 < s->text.size && p[s->at + 1] == '}') {
			s->at += 2;
			s->lost_quotes++;
			s->odd = true;
			return TOKEN_CLOSE;
		}
		s->at += quoted && s->escapes ? escape_size(s) : 1;
	}
	*out = bspi_bytes_of(p + start, s->at - start);
	if (quoted && s->at < s->text.size) s->at++;
	else if (quoted) s->unclosed = s->odd = true;
	return TOKEN_TEXT;
}

/* Returns the character that a letter after a backslash stands for; 0 if it stands for none. */
static uint8_t escaped_letter(uint8_t letter)
{
	switch (letter) {
	case 'n': return '\n';
	case 't': return '\t';
	case '"': case '\\': return letter;
	default: return 0;
	}
}

bool bspi_unescape(bspi_ctx *ctx, bspi_bytes text, bspi_bytes *out)
{
	*out = text;
	if (!text.size || !memchr(text.data, '\\', text.size)) return true;
	uint8_t *letters = bspi_push_unset(ctx, &ctx->scratch, text.size, 1);
	size_t size = 0;
	BSPI_TRY(letters);
	for (size_t i = 0; i < text.size; i++) {
		bool pair = text.data[i] == '\\' && i + 1 < text.size;
		uint8_t letter = pair ? escaped_letter(text.data[i + 1]) : 0;
		i += letter != 0;
		letters[size++] = letter ? letter : text.data[i];
	}
	*out = bspi_bytes_of(letters, size);
	return true;
}

static bspi_bytes trim(bspi_bytes text)
{
	while (text.size && text.data[text.size - 1] <= ' ') text.size--;
	while (text.size && text.data[0] <= ' ') text = bspi_bytes_of(text.data + 1, text.size - 1);
	return text;
}

bool bspi_scan_pair(bspi_entity_scan *s, bspi_scanned_pair *out)
{
	for (;;) {
		skip_space(s);
		out->begin = s->at;
		token_kind kind = next_token(s, &out->key);
		s->odd = s->odd || kind == TOKEN_OPEN || kind == TOKEN_END;
		if (kind == TOKEN_OPEN) continue;
		if (kind == TOKEN_END) s->unclosed = true;
		if (kind != TOKEN_TEXT) return false;
		skip_space(s);
		out->value_begin = s->at;
		kind = next_token(s, &out->value);
		out->end = s->at;
		if (kind == TOKEN_TEXT) {
			out->key = trim(out->key);
			if (out->key.size) return true;
		}
		s->odd = true;
		if (kind == TOKEN_CLOSE) return false;
		if (kind != TOKEN_TEXT) s->at = out->value_begin;
	}
}

bool bspi_scan_entity(bspi_entity_scan *s)
{
	bspi_bytes ignored;
	s->odd = false;
	for (;;) {
		token_kind kind = next_token(s, &ignored);
		if (kind == TOKEN_OPEN) break;
		if (kind == TOKEN_END) return false;
	}
	s->odd = false;
	return true;
}

bspi_bytes bspi_entity_text(bspi_bytes lump)
{
	const uint8_t *nul = lump.size ? memchr(lump.data, 0, lump.size) : NULL;
	return nul ? bspi_bytes_of(lump.data, (size_t)(nul - lump.data)) : lump;
}
