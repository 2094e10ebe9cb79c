/* entity_bytes.c - makes the new text of entities. What is unchanged keeps its bytes: entities, keys of changed
 * entities, comments, white space, text that engines do not read, and everything after the text's end. */
#include "rewrite/rewrite_parts.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* The new text while it is written. Its largest possible size, `room`, is computed before. */
typedef struct growing {
	bspi_rewrite *r;
	uint8_t *bytes;
	size_t size, room;
	const char *line_end;
} growing;

static void put(growing *g, const void *bytes, size_t size)
{
	if (g->room - g->size < size) {
		bspi_fail(g->r->ctx, BSPSCENE_ERROR_LIMIT, BSPI_LUMP("entities"),
		          "the new text is larger than was computed before: this is a bug");
		return;
	}
	if (size) memcpy(g->bytes + g->size, bytes, size);
	g->size += size;
}

static void put_line_end(growing *g) { put(g, g->line_end, strlen(g->line_end)); }

static void put_old(growing *g, size_t begin, size_t end)
{
	put(g, g->r->old.text.data + begin, end - begin);
}

/* ---- Strings ---------------------------------------------------------------------------------------------- */

static uint32_t take_code(const uint8_t **p)
{
	uint32_t first = *(*p)++;
	int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
	uint32_t code = more ? first & (0x3Fu >> more) : first;
	while (more--) code = code << 6 | (*(*p)++ & 0x3Fu);
	return code;
}

/* Returns the byte of Windows-1252 for a code point; 0 if there is none. */
static uint8_t find_latin(uint32_t code)
{
	if (code < 0x80 || (code >= 0xA0 && code < 0x100)) return (uint8_t)code;
	for (uint32_t byte = 0x80; byte < 0xA0; byte++) {
		if (bspi_code_of_cp1252((uint8_t)byte) == code) return (uint8_t)byte;
	}
	return 0;
}

/* Returns the character after the backslash with which a code point is written; 0 if it is written without a
 * backslash. */
static char find_escape(const bspi_rewrite *r, uint32_t code)
{
	if (!r->map.escaped_text) return 0;
	switch (code) {
	case '\n': return 'n';
	case '\t': return 't';
	case '"': case '\\': return (char)code;
	default: return 0;
	}
}

/* Writes UTF-8 text in the encoding of the map's own text. */
static bool put_text(growing *g, uint32_t entity, const char *text)
{
	const bspi_rewrite *r = g->r;
	const uint8_t *p = (const uint8_t *)text, *end = p + strlen(text);
	while (p < end) {
		const uint8_t *from = p;
		uint32_t code = take_code(&p);
		const char escape[2] = { '\\', find_escape(r, code) };
		if (escape[1]) {
			put(g, escape, sizeof escape);
			continue;
		}
		bool quake = r->map.rules.quake_text;
		uint8_t byte = code < 0x80 ? (uint8_t)code : quake ? 0 : find_latin(code);
		if (code >= 0x80 && !quake && !r->latin) put(g, from, (size_t)(p - from));
		else if (byte) put(g, &byte, 1);
		else {
			return bspi_fail(r->ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_RECORD("new entities", entity),
			                 "\"%.60s\" has a character that %s", text,
			                 quake ? "Quake's font does not have"
			                       : "Windows-1252, the encoding of the map's text, does not have");
		}
	}
	return true;
}

/* Writes a string between quotes. If `bytes` is not NULL, it is the string in the file's encoding, and is written as it
 * is. */
static bool put_word(growing *g, uint32_t entity, const char *text, const uint8_t *bytes, uint32_t size)
{
	put(g, "\"", 1);
	if (bytes) put(g, bytes, size);
	else BSPI_TRY(put_text(g, entity, text));
	put(g, "\"", 1);
	return true;
}

static bool put_value(growing *g, uint32_t entity, const bspi_edit_pair *pair)
{
	return put_word(g, entity, pair->value, pair->value_bytes, pair->value_size);
}

static bool put_pair(growing *g, uint32_t entity, const bspi_edit_pair *pair)
{
	BSPI_TRY(put_word(g, entity, pair->key, pair->key_bytes, pair->key_size));
	put(g, " ", 1);
	return put_value(g, entity, pair);
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

/* Begins a new line, unless the text is at the beginning of one. */
static void begin_line(growing *g)
{
	if (g->size && g->bytes[g->size - 1] != '\n') put_line_end(g);
}

/* Writes an entity that is new. A pair that equals an old pair is written with the old bytes. */
static bool put_whole(growing *g, uint32_t entity)
{
	const bspi_rewrite *r = g->r;
	const bspi_edit_entity *of = &r->new.entities[entity];
	begin_line(g);
	put(g, "{", 1);
	put_line_end(g);
	for (uint32_t i = 0; i < of->pair_count; i++) {
		const bspi_edit_pair *pair = &r->new.pairs[of->first_pair + i];
		uint32_t from = r->keys.old_of_new[of->first_pair + i];
		bool same = from != BSPSCENE_NO_INDEX && !strcmp(r->old.pairs[from].value, pair->value);
		BSPI_TRY(put_pair(g, entity, same ? &r->old.pairs[from] : pair));
		put_line_end(g);
	}
	put(g, "}", 1);
	return true;
}

/* Writes a changed entity with the bytes of the old one. A removed key is removed together with the text before it. New
 * keys are written after the last key that stays. */
static bool put_changed(growing *g, uint32_t entity, uint32_t from)
{
	const bspi_rewrite *r = g->r;
	const bspi_edit_entity *old = &r->old.entities[from], *new = &r->new.entities[entity];
	size_t at = old->begin, kept = old->open;
	for (uint32_t i = old->first_pair; i < old->first_pair + old->pair_count; i++) {
		const bspi_edit_pair *was = &r->old.pairs[i];
		uint32_t to = r->keys.new_of_old[i];
		if (to == BSPSCENE_NO_INDEX) {
			put_old(g, at, kept);
		} else if (!strcmp(was->value, r->new.pairs[to].value)) {
			put_old(g, at, was->end);
		} else {
			put_old(g, at, was->value_begin);
			BSPI_TRY(put_value(g, entity, &r->new.pairs[to]));
		}
		at = kept = was->end;
	}
	put_old(g, at, kept);
	for (uint32_t i = new->first_pair; i < new->first_pair + new->pair_count; i++) {
		if (r->keys.old_of_new[i] != BSPSCENE_NO_INDEX) continue;
		put_line_end(g);
		BSPI_TRY(put_pair(g, entity, &r->new.pairs[i]));
	}
	put_old(g, at, old->end);
	return true;
}

static bool put_entity(growing *g, uint32_t entity)
{
	const bspi_rewrite *r = g->r;
	uint32_t from = r->pairing.old_of_new[entity];
	if (from == BSPSCENE_NO_INDEX) return put_whole(g, entity);
	const bspi_edit_entity *old = &r->old.entities[from];
	bool same = bspi_same_keys(&r->old, from, &r->new, entity, &r->keys);
	bool last = from + 1 == r->old.count && entity + 1 == r->new.count;
	if (old->odd && !(same && last) && (!same || from + 1 == r->old.count)) return put_whole(g, entity);
	/* The entity that was first in the old text has no line end before it. It needs one if other text now comes before
	 * it. */
	if (g->size && r->old.text.data[old->begin] > ' ') begin_line(g);
	if (!same) return put_changed(g, entity, from);
	put_old(g, old->begin, old->end);
	return true;
}

/* ---- The text --------------------------------------------------------------------------------------------- */

/* Returns an upper bound for the size in bytes that a string has in the new text. */
static uint64_t reckon_text(const bspi_rewrite *r, const uint8_t *bytes, uint32_t size, const char *text)
{
	return bytes ? size : strlen(text) * (uint64_t)(r->map.escaped_text ? 2 : 1);
}

/* Returns an upper bound for the size in bytes of the new text. Each old entity and each new pair is written at most
 * once, with quotes and line ends. */
static uint64_t reckon(const bspi_rewrite *r)
{
	enum { AROUND_PAIR = 8, AROUND_ENTITY = 8 };
	uint64_t room = (uint64_t)r->map.entities.size + 1 + (uint64_t)r->new.count * AROUND_ENTITY;
	for (uint32_t i = 0; i < r->new.pair_count; i++) {
		const bspi_edit_pair *pair = &r->new.pairs[i];
		room += reckon_text(r, pair->key_bytes, pair->key_size, pair->key) + AROUND_PAIR;
		room += reckon_text(r, pair->value_bytes, pair->value_size, pair->value);
	}
	return room;
}

static bool is_utf8(bspi_bytes text)
{
	for (size_t i = 0; i < text.size;) {
		size_t length = bspi_utf8_length(text.data + i, text.size - i);
		if (!length) return false;
		i += length;
	}
	return true;
}

static const char *find_line_end(bspi_bytes text)
{
	const uint8_t *end = text.size ? memchr(text.data, '\n', text.size) : NULL;
	return end && end > text.data && end[-1] == '\r' ? "\r\n" : "\n";
}

bool bspi_make_entity_bytes(bspi_rewrite *r)
{
	bspi_ctx *ctx = r->ctx;
	bspi_bytes old = r->old.text;
	uint64_t room = reckon(r);
	BSPI_CHECK(ctx, room <= INT32_MAX, BSPSCENE_ERROR_BAD_DATA, BSPI_LUMP("new entities"),
	           "their text would be larger than 2 GiB, the most that a lump holds");
	r->latin = !is_utf8(old);
	growing g = { .r = r, .room = (size_t)room, .line_end = find_line_end(old) };
	g.bytes = bspi_push_unset(ctx, &ctx->scratch, g.room, 1);
	BSPI_TRY(g.bytes);
	for (uint32_t i = 0; i < r->new.count; i++) BSPI_TRY(put_entity(&g, i));
	size_t end = r->old.count ? r->old.entities[r->old.count - 1].end : 0;
	if (r->map.entities.size) put(&g, r->map.entities.data + end, r->map.entities.size - end);
	else put(&g, "\n", sizeof "\n");
	r->text = bspi_bytes_of(g.bytes, g.size);
	return ctx->error.status == BSPSCENE_OK;
}
