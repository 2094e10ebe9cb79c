/* join_entities.c - joins the entity texts of all parts, with origins moved to the joined map. */
#include "assembly/join_maps.h"

#include <stdio.h>

#include "base/text.h"
#include "stages/entities/entity_scan.h"

typedef struct text {
	bspi_ctx *ctx;
	uint8_t *data;
	size_t size, capacity;
} text;

static bool add(text *t, bspi_bytes more)
{
	if (more.size > t->capacity - t->size) {
		size_t capacity = 2 * (t->size + more.size);
		uint8_t *data = bspi_push_unset(t->ctx, &t->ctx->scratch, capacity, 1);
		BSPI_TRY(data);
		if (t->size) memcpy(data, t->data, t->size);
		t->data = data;
		t->capacity = capacity;
	}
	if (more.size) memcpy(t->data + t->size, more.data, more.size);
	t->size += more.size;
	return true;
}

static bool add_text(text *t, const char *more)
{
	return add(t, bspi_bytes_of(more, strlen(more)));
}

static bool is_key(bspi_bytes key, const char *wanted)
{
	return key.size == strlen(wanted) && !memcmp(key.data, wanted, key.size);
}

/* Writes "1 2 3" independently of the locale, rounded to a thousandth of a unit. */
static bool add_place(text *t, const float origin[3], const float shift[3])
{
	enum { PARTS = 1024 };
	BSPI_TRY(add_text(t, "\"origin\" \""));
	for (int i = 0; i < 3; i++) {
		double sum = (double)origin[i] + (double)shift[i];
		double limited = sum > 1e9 ? 1e9 : sum < -1e9 ? -1e9 : sum;
		long long parts = (long long)(limited * PARTS + (limited < 0 ? -0.5 : 0.5));
		unsigned long long size = parts < 0 ? 0ULL - (unsigned long long)parts : (unsigned long long)parts;
		unsigned fraction = (unsigned)(size % PARTS * 10000 / PARTS);
		char number[48];
		int length = snprintf(number, sizeof number, "%s%s%llu.%04u", i ? " " : "", parts < 0 ? "-" : "", size / PARTS,
		                      fraction);
		while (number[length - 1] == '0') number[--length] = 0;
		if (number[length - 1] == '.') number[--length] = 0;
		BSPI_TRY(add_text(t, number));
	}
	return add_text(t, "\"\n");
}

/* The facts that decide how an entity is moved, found in its pairs. An entity is moved if it has an origin or brushes,
 * except worldspawn. */
typedef struct placed_entity {
	float origin[3];
	bool has_origin, has_brushes, is_world;
} placed_entity;

static void read_text(bspi_bytes value, char *out, size_t size)
{
	size_t length = value.size < size ? value.size : size - 1;
	if (length) memcpy(out, value.data, length);
	out[length] = 0;
}

/* Returns the number n if the value is "*n" and the part has a model of this number. Otherwise returns 0. */
static uint32_t model_number(const bspi_map_part *part, bspi_bytes value)
{
	uint32_t number = 0;
	if (value.size < 2 || value.data[0] != '*') return 0;
	for (size_t i = 1; i < value.size; i++) {
		if (value.data[i] < '0' || value.data[i] > '9' || number >= part->map->models_count) return 0;
		number = number * 10 + (uint32_t)(value.data[i] - '0');
	}
	return number < part->map->models_count ? number : 0;
}

static bool add_pair(text *t, const bspi_map_part *part, const bspi_scanned_pair *pair, placed_entity *entity)
{
	char value[128];
	if (is_key(pair->key, "origin")) {
		read_text(pair->value, value, sizeof value);
		entity->has_origin = bspi_text_numbers(value, entity->origin, 3) == 3;
		return true;
	}
	if (is_key(pair->key, "classname")) entity->is_world = is_key(pair->value, "worldspawn");
	if (is_key(pair->key, "model") && pair->value.size && pair->value.data[0] == '*') {
		uint32_t number = model_number(part, pair->value);
		if (!number) return true;
		entity->has_brushes = true;
		snprintf(value, sizeof value, "\"model\" \"*%u\"\n", (unsigned)(part->first_model + number - 1));
		return add_text(t, value);
	}
	return add_text(t, "\"") && add(t, pair->key) && add_text(t, "\" \"") && add(t, pair->value) &&
	       add_text(t, "\"\n");
}

/* Adds an entity. The worldspawn of parts after the first is dropped. */
static bool add_entity(text *t, const bspi_map_part *part, bool first, bspi_entity_scan *scan)
{
	size_t begin = t->size;
	placed_entity entity = { 0 };
	bspi_scanned_pair pair;
	BSPI_TRY(add_text(t, "{\n"));
	while (bspi_scan_pair(scan, &pair)) BSPI_TRY(add_pair(t, part, &pair, &entity));
	if (entity.is_world && !first) {
		t->size = begin;
		return true;
	}
	bool placed = !entity.is_world && (entity.has_origin || entity.has_brushes);
	return (!placed || add_place(t, entity.origin, part->shift)) && add_text(t, "}\n");
}

bool bspi_join_entities(bspi_ctx *ctx, const bspi_map_part *parts, uint32_t count, bspi_bytes *out)
{
	text t = { .ctx = ctx };
	for (uint32_t i = 0; i < count; i++) {
		bspi_entity_scan scan = { .text = bspi_entity_text(parts[i].map->entities) };
		while (bspi_scan_entity(&scan)) BSPI_TRY(add_entity(&t, &parts[i], !i, &scan));
		bool torn = scan.unclosed || scan.lost_quotes;
		if (torn) {
			BSPI_TRY(bspi_warn(
				ctx, BSPSCENE_WARNING_TEXT, BSPI_LUMP("entities"),
				"the entity text of a tile ends inside an entity, or lacks a quote: the rest of it is left out"));
		}
	}
	*out = bspi_bytes_of(t.data, t.size);
	return true;
}
