/* read_entities.c - reads sets of entities from text, JSON or records. They come from a user or a map, so everything is
 * checked. */
#include "rewrite/rewrite_parts.h"

#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "stages/entities/entity_scan.h"

#define HERE BSPI_LUMP("new entities")
#define RECORD(index) BSPI_RECORD("new entities", (index))
#define MOST_ENTITIES (1u << 24)

/* ---- Shared by all forms ---------------------------------------------------------------------------------- */

static bool push_set(bspi_ctx *ctx, uint32_t entities, uint32_t pairs, bspi_entity_set *out)
{
	*out = (bspi_entity_set){ .text = BSPI_NO_BYTES };
	out->entities = bspi_push(ctx, &ctx->scratch, bspi_edit_entity, entities);
	out->pairs = bspi_push(ctx, &ctx->scratch, bspi_edit_pair, pairs);
	return out->entities && out->pairs;
}

static bspi_edit_entity *begin_entity(bspi_entity_set *set, uint32_t source)
{
	bspi_edit_entity *entity = &set->entities[set->count++];
	entity->first_pair = set->pair_count;
	entity->source = source;
	return entity;
}

/* Adds a key and its value. White space at both ends of the key is removed. */
static bool add_pair(bspi_ctx *ctx, bspi_entity_set *set, const char *key, const char *value)
{
	bspi_edit_pair *pair = &set->pairs[set->pair_count++];
	size_t size = strlen(key);
	while (size && (uint8_t)key[size - 1] <= ' ') size--;
	while (size && (uint8_t)*key <= ' ') key++, size--;
	pair->key = bspi_text_copy(ctx, bspi_bytes_of(key, size), NULL);
	pair->value = bspi_text_keep(ctx, value);
	set->entities[set->count - 1].pair_count++;
	return pair->key && pair->value;
}

const char *bspi_edit_value(const bspi_entity_set *set, uint32_t entity, const char *key)
{
	const bspi_edit_entity *of = &set->entities[entity];
	for (uint32_t i = of->first_pair; i < of->first_pair + of->pair_count; i++) {
		if (bspi_text_equal(set->pairs[i].key, key)) return set->pairs[i].value;
	}
	return "";
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

static const char *read_text(bspi_ctx *ctx, bspi_bytes text, const bspi_map *map)
{
	if (map->escaped_text && !bspi_unescape(ctx, text, &text)) return NULL;
	return map->rules.quake_text ? bspi_text_copy_quake(ctx, text, NULL) : bspi_text_copy(ctx, text, NULL);
}

/* Returns the bytes if they are not the same as the UTF-8 text, otherwise NULL. */
static const uint8_t *keep_bytes(bspi_bytes bytes, const char *text, uint32_t *size)
{
	bool same = strlen(text) == bytes.size && !memcmp(text, bytes.data, bytes.size);
	*size = same ? 0 : (uint32_t)bytes.size;
	return same ? NULL : bytes.data;
}

static bool fill_entity(bspi_ctx *ctx, bspi_entity_scan *scan, const bspi_map *map, bspi_entity_set *set)
{
	bspi_scanned_pair found;
	while (bspi_scan_pair(scan, &found)) {
		bspi_edit_pair *pair = &set->pairs[set->pair_count++];
		pair->key = read_text(ctx, found.key, map);
		pair->value = read_text(ctx, found.value, map);
		BSPI_TRY(pair->key && pair->value);
		pair->key_bytes = keep_bytes(found.key, pair->key, &pair->key_size);
		pair->value_bytes = keep_bytes(found.value, pair->value, &pair->value_size);
		pair->begin = found.begin;
		pair->end = found.end;
		pair->value_begin = found.value_begin;
		set->entities[set->count - 1].pair_count++;
	}
	return true;
}

bool bspi_scan_entities(bspi_ctx *ctx, bspi_bytes text, const bspi_map *map, bspi_entity_set *out)
{
	uint32_t entities = 0, pairs = 0;
	bspi_scanned_pair ignored;
	text = bspi_entity_text(text);
	BSPI_CHECK(ctx, text.size <= INT32_MAX, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "the text has %zu bytes, but may have at most 2 GiB", text.size);
	const bspi_entity_scan from = { .text = text, .escapes = map->escaped_text };
	for (bspi_entity_scan scan = from; bspi_scan_entity(&scan); entities++) {
		while (bspi_scan_pair(&scan, &ignored)) pairs++;
	}
	BSPI_TRY(push_set(ctx, entities, pairs, out));
	out->text = text;
	bspi_entity_scan scan = from;
	for (size_t begin = 0; bspi_scan_entity(&scan); begin = scan.at) {
		bspi_edit_entity *entity = begin_entity(out, BSPSCENE_NO_INDEX);
		entity->begin = begin;
		entity->open = scan.at;
		BSPI_TRY(fill_entity(ctx, &scan, map, out));
		entity->end = scan.at;
		entity->odd = scan.odd;
	}
	return true;
}

/* ---- JSON ------------------------------------------------------------------------------------------------- */

/* True if the text begins like JSON: with an array, or with an object in which a colon follows the first string. */
static bool is_json(bspi_bytes text)
{
	const char *p = (const char *)text.data, *end = p + text.size;
	while (p < end && (uint8_t)*p <= ' ') p++;
	if (p == end || *p == '[') return p < end;
	if (*p != '{') return false;
	for (p++; p < end && (uint8_t)*p <= ' ';) p++;
	if (p < end && *p == '"') p = memchr(p + 1, '"', (size_t)(end - p - 1));
	for (p = p && p < end ? p + 1 : end; p < end && (uint8_t)*p <= ' ';) p++;
	return p < end && *p == ':';
}

static bool read_json_pairs(bspi_ctx *ctx, const json_t *pairs, uint32_t number, bspi_entity_set *out)
{
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);
		const char *key = json_string_value(json_array_get(pair, 0));
		const char *value = json_string_value(json_array_get(pair, 1));
		BSPI_CHECK(ctx, key && value && json_array_size(pair) == 2, BSPSCENE_ERROR_BAD_DATA, RECORD(number),
		           "pair %zu is not [\"key\", \"value\"]", i);
		BSPI_TRY(add_pair(ctx, out, key, value));
	}
	return true;
}

static bool read_json(bspi_ctx *ctx, const json_t *document, bspi_entity_set *out)
{
	const json_t *list = json_is_object(document) ? json_object_get(document, "entities") : document;
	size_t count = json_array_size(list), pairs = 0;
	BSPI_CHECK(ctx, json_is_array(list), BSPSCENE_ERROR_BAD_DATA, HERE, "the JSON has no list of entities");
	BSPI_CHECK(ctx, count < MOST_ENTITIES, BSPSCENE_ERROR_BAD_DATA, HERE, "%zu entities are more than is supported",
	           count);
	for (size_t i = 0; i < count; i++) {
		const json_t *own = json_object_get(json_array_get(list, i), "pairs");
		BSPI_CHECK(ctx, json_is_array(own), BSPSCENE_ERROR_BAD_DATA, RECORD((uint32_t)i), "has no list of \"pairs\"");
		pairs += json_array_size(own);
	}
	BSPI_TRY(push_set(ctx, (uint32_t)count, (uint32_t)pairs, out));
	for (size_t i = 0; i < count; i++) {
		begin_entity(out, BSPSCENE_NO_INDEX);
		BSPI_TRY(read_json_pairs(ctx, json_object_get(json_array_get(list, i), "pairs"), (uint32_t)i, out));
	}
	return true;
}

static bool parse_json(bspi_ctx *ctx, bspi_bytes text, bspi_entity_set *out)
{
	/* The memory of the JSON parser is not in our budget. It takes about 50 bytes for each byte of text. */
	enum { PARSED_PER_BYTE = 50 };
	uint64_t parsed = (uint64_t)text.size * PARSED_PER_BYTE;
	json_error_t fault;
	if (!bspi_budget_take(&ctx->budget, parsed)) return bspi_fail_memory(ctx);
	json_t *document = json_loadb((const char *)text.data, text.size, 0, &fault);
	if (!document) {
		bspscene_sanitize_text(fault.text);
		bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, HERE, "line %d: %s", fault.line, fault.text);
	}
	bool read = document && read_json(ctx, document, out);
	json_decref(document);
	bspi_budget_give(&ctx->budget, parsed);
	return read;
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static bool read_records(bspi_rewrite *r, const bspscene_edited_entities *from, bspi_entity_set *out)
{
	bspi_ctx *ctx = r->ctx;
	uint64_t pairs = 0;
	for (uint32_t i = 0; i < from->entity_count; i++) {
		const bspscene_edited_entity *entity = &from->entities[i];
		bool inside = entity->first_pair <= from->pair_count &&
		              entity->pair_count <= from->pair_count - entity->first_pair;
		BSPI_CHECK(ctx, inside, BSPSCENE_ERROR_BAD_OPTIONS, RECORD(i),
		           "first_pair and pair_count are not inside the caller's pairs");
		bool known = entity->original_entity == BSPSCENE_NO_INDEX || entity->original_entity < r->old.count;
		BSPI_CHECK(ctx, known, BSPSCENE_ERROR_OTHER_MAP, RECORD(i),
		           "its original_entity is %u, but the map has %u entities", entity->original_entity, r->old.count);
		pairs += entity->pair_count;
	}
	BSPI_CHECK(ctx, pairs <= INT32_MAX, BSPSCENE_ERROR_BAD_OPTIONS, HERE, "the entities have too many keys together");
	BSPI_TRY(push_set(ctx, from->entity_count, (uint32_t)pairs, out));
	for (uint32_t i = 0; i < from->entity_count; i++) {
		const bspscene_edited_entity *entity = &from->entities[i];
		begin_entity(out, entity->original_entity);
		out->numbered = out->numbered || entity->original_entity != BSPSCENE_NO_INDEX;
		for (uint32_t k = 0; k < entity->pair_count; k++) {
			const bspscene_pair *pair = &from->pairs[entity->first_pair + k];
			BSPI_TRY(add_pair(ctx, out, pair->key, pair->value));
		}
	}
	return true;
}

bool bspi_read_new_entities(bspi_rewrite *r, const bspscene_edited_entities *from)
{
	static const uint8_t mark[] = { 0xEF, 0xBB, 0xBF };
	bspi_ctx *ctx = r->ctx;
	if (!from->text) return read_records(r, from, &r->new);
	bspi_bytes text = bspi_bytes_of(from->text, from->text_size);
	bspi_budget_read(&ctx->budget, text.size);
	if (text.size >= sizeof mark && !memcmp(text.data, mark, sizeof mark)) {
		text = bspi_bytes_of(text.data + sizeof mark, text.size - sizeof mark);
	}
	if (is_json(text)) return parse_json(ctx, text, &r->new);
	BSPI_TRY(bspi_scan_entities(ctx, text, &r->map, &r->new));
	for (uint32_t i = 0; i < r->new.count; i++) {
		BSPI_CHECK(ctx, !r->new.entities[i].odd, BSPSCENE_ERROR_BAD_DATA, RECORD(i),
		           "cannot be read completely: a quote or brace is not closed, or a key has no value");
	}
	return true;
}

bool bspi_take_scene_entities(bspi_ctx *ctx, const bspscene_scene *scene, bspi_entity_set *out)
{
	BSPI_TRY(push_set(ctx, scene->entity_count, scene->pair_count, out));
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		begin_entity(out, BSPSCENE_NO_INDEX);
		for (uint32_t k = 0; k < entity->pair_count; k++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + k];
			BSPI_TRY(add_pair(ctx, out, pair->key, pair->value));
		}
	}
	return true;
}
