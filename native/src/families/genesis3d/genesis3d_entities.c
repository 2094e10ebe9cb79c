/* genesis3d_entities.c - reads entities of Genesis3D: an i32 count; for each entity an i32 number of pairs; for each
 * pair key and value, each an i32 length and a string with a NUL. */
#include "families/genesis3d/genesis3d.h"

#include <inttypes.h>

#include "base/text.h"

/* Writes the entities as text. A first pass only counts the characters; a second one writes them. */
typedef struct text_writer {
	char *out;                         /* NULL: only count characters */
	size_t size;
} text_writer;

static void put(text_writer *w, const char *bytes, size_t size)
{
	if (w->out && size) memcpy(w->out + w->size, bytes, size);
	w->size += size;
}

static void put_text(text_writer *w, const char *text) { put(w, text, strlen(text)); }

/* Writes a string without its quotation marks, because these would end the value. */
static void put_quoted(text_writer *w, bspi_bytes text)
{
	put(w, "\"", 1);
	for (size_t i = 0; i < text.size; i++) put(w, text.data[i] == '"' ? "'" : (const char *)text.data + i, 1);
	put(w, "\"", 1);
}

static bool is_text(bspi_bytes bytes, const char *text)
{
	size_t size = strlen(text), i = 0;
	while (i < size && i < bytes.size && bspi_lower((char)bytes.data[i]) == bspi_lower(text[i])) i++;
	return size == bytes.size && i == size;
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

typedef struct stored_pair {
	bspi_bytes key, value;
} stored_pair;

static bool take_text(bspi_cursor *cursor, bspi_bytes *out)
{
	int32_t size = bspi_take_i32(cursor);
	const uint8_t *bytes = size < 0 ? NULL : bspi_take(cursor, (size_t)size);
	if (cursor->failed || !bytes) return false;
	const uint8_t *end = size ? memchr(bytes, 0, (size_t)size) : NULL;
	*out = bspi_bytes_of(bytes, end ? (size_t)(end - bytes) : (size_t)size);
	return true;
}

static bool take_pair(bspi_cursor *cursor, stored_pair *out)
{
	return take_text(cursor, &out->key) && take_text(cursor, &out->value);
}

/* Facts about an entity that decide how its pairs are written. */
typedef struct entity_head {
	int32_t pairs;
	bool named, is_model;
} entity_head;

static bool read_head(bspi_cursor cursor, entity_head *out)
{
	stored_pair pair;
	*out = (entity_head){ .pairs = bspi_take_i32(&cursor) };
	if (cursor.failed || out->pairs < 0) return false;
	for (int32_t i = 0; i < out->pairs; i++) {
		if (!take_pair(&cursor, &pair)) return false;
		if (!is_text(pair.key, "classname")) continue;
		out->named = true;
		out->is_model = is_text(pair.value, "%Model%");
	}
	return true;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

enum { AXES = 3 };

/* Splits a value into three numbers. False if it is something else. */
static bool split(bspi_bytes value, bspi_bytes words[AXES])
{
	size_t at = 0;
	for (int i = 0; i < AXES; i++) {
		while (at < value.size && value.data[at] <= ' ') at++;
		size_t begin = at;
		while (at < value.size && value.data[at] > ' ' && value.data[at] != '"') at++;
		if (at == begin) return false;
		bool number = strchr("+-.0123456789", value.data[begin]) != NULL;
		if (!number) return false;
		words[i] = bspi_bytes_of(value.data + begin, at - begin);
	}
	return true;
}

/* Negates a number as text, so that its digits stay the same. */
static void put_negated(text_writer *w, bspi_bytes number)
{
	bool nothing = true;
	for (size_t i = 0; i < number.size; i++) nothing &= number.data[i] < '1' || number.data[i] > '9';
	bool negative = number.data[0] == '-';
	if (!negative && !nothing) put(w, "-", 1);
	put(w, (const char *)number.data + negative, number.size - negative);
}

static void put_place(text_writer *w, const bspi_bytes words[AXES])
{
	put_text(w, "\"");
	put(w, (const char *)words[0].data, words[0].size);
	put_text(w, " ");
	put_negated(w, words[2]);
	put_text(w, " ");
	put(w, (const char *)words[1].data, words[1].size);
	put_text(w, "\"");
}

/* Writes a pair. The origin of a brush model is renamed to "pivot", because it is only the center of rotation: the
 * vertices are in world space. */
static void put_pair(text_writer *w, const entity_head *head, const stored_pair *pair)
{
	bspi_bytes words[AXES];
	bool origin = is_text(pair->key, "origin"), model = head->is_model && is_text(pair->key, "model");
	if (origin && head->is_model) put_text(w, "\"pivot\"");
	else put_quoted(w, pair->key);
	put_text(w, " ");
	if (model) {
		put_text(w, "\"*");
		for (size_t i = 0; i < pair->value.size; i++) {
			uint8_t c = pair->value.data[i];
			if (c >= '0' && c <= '9') put(w, (const char *)&pair->value.data[i], 1);
		}
		put_text(w, "\"");
	} else if (origin && split(pair->value, words)) {
		put_place(w, words);
	} else {
		put_quoted(w, pair->value);
	}
	put_text(w, "\n");
}

/* Writes the complete entities, and returns their number. *announced receives the number that the lump states. */
static int32_t write_entities(bspi_bytes bytes, text_writer *w, int32_t *announced)
{
	bspi_cursor cursor = bspi_cursor_at(bytes, 0);
	bool world = false;
	*announced = bspi_take_i32(&cursor);
	for (int32_t i = 0; i < *announced; i++) {
		entity_head head;
		if (!read_head(cursor, &head)) return i;
		bspi_take_i32(&cursor);
		put_text(w, "{\n");
		if (!head.named && !world) put_text(w, "\"classname\" \"worldspawn\"\n");
		world |= !head.named;
		for (int32_t k = 0; k < head.pairs; k++) {
			stored_pair pair;
			take_pair(&cursor, &pair);
			put_pair(w, &head, &pair);
		}
		put_text(w, "}\n");
	}
	return *announced;
}

bool bspi_genesis3d_entities(bspi_ctx *ctx, const bspi_lump *lump, bspi_bytes *text)
{
	text_writer writer = { NULL, 0 };
	int32_t announced = 0, found;
	if (!lump->bytes.size) return true;
	found = write_entities(lump->bytes, &writer, &announced);
	if (found < announced || announced < 0) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP_AT(lump->name, lump->offset),
		                   "%" PRId32 " entities can be read, but the lump claims %" PRId32 ": the rest is left out",
		                   found, announced));
	}
	writer.out = bspi_push_unset(ctx, &ctx->scratch, writer.size, 1);
	BSPI_TRY(writer.out);
	*text = bspi_bytes_of((const uint8_t *)writer.out, writer.size);
	writer.size = 0;
	write_entities(lump->bytes, &writer, &announced);
	return true;
}
