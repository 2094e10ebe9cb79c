/* check_entities.c - refuses entities that no map can have, and warns of entities that an engine may reject. Entities
 * that the map had before are not checked. */
#include "rewrite/rewrite_parts.h"

#include <string.h>

#include "base/text.h"
#include "io/io.h"

#define RECORD(index) BSPI_RECORD("new entities", (index))
#define CHECK(r, condition, entity, ...) \
	BSPI_CHECK((r)->ctx, condition, BSPSCENE_ERROR_BAD_DATA, RECORD(entity), __VA_ARGS__)

static bool is_kept(const bspi_rewrite *r, uint32_t pair)
{
	uint32_t old = r->keys.old_of_new[pair];
	return old != BSPSCENE_NO_INDEX && !strcmp(r->old.pairs[old].value, r->new.pairs[pair].value);
}

/* True if the text can be stored between quotes. Few engines can read a quoted string that contains a quote. In all
 * other engines, a line of the text that begins with } would end the entity. */
static bool can_stand_in_quotes(const bspi_rewrite *r, const char *text)
{
	return r->map.escaped_text || (!strchr(text, '"') && !strstr(text, "\n}"));
}

/* Refuses brush models that the map does not have, because only the map's compiler can make them. */
static bool check_model(const bspi_rewrite *r, uint32_t entity, const char *value)
{
	float number;
	bool brush = value[0] == '*' && bspi_text_number(value + 1, &number) != value + 1;
	bool known = brush && number >= 1 && number < (float)r->map.models_count;
	CHECK(r, !brush || known, entity, "it names brush model \"%.40s\", but the map has %u brush models", value,
	      r->map.models_count ? r->map.models_count - 1 : 0);
	return true;
}

static bool check_pair(const bspi_rewrite *r, uint32_t entity, uint32_t number)
{
	const bspi_edit_pair *pair = &r->new.pairs[number];
	if (is_kept(r, number)) return true;
	CHECK(r, pair->key[0], entity, "the value \"%.60s\" has an empty key", pair->value);
	CHECK(r, can_stand_in_quotes(r, pair->key) && can_stand_in_quotes(r, pair->value), entity,
	      "\"%.40s\": entities cannot have a quote, or a line that begins with }, in a key or value", pair->key);
	return bspi_text_equal(pair->key, "model") ? check_model(r, entity, pair->value) : true;
}

bool bspi_check_entities(bspi_rewrite *r)
{
	const char *world = "worldspawn";
	bool led = r->old.count && bspi_text_equal(bspi_edit_value(&r->old, 0, "classname"), world);
	bool leads = r->new.count && bspi_text_equal(bspi_edit_value(&r->new, 0, "classname"), world);
	CHECK(r, !led || leads, 0, "the first entity has to be worldspawn, as it is in the map");
	for (uint32_t i = 0; i < r->new.count; i++) {
		const bspi_edit_entity *of = &r->new.entities[i];
		for (uint32_t k = 0; k < of->pair_count; k++) BSPI_TRY(check_pair(r, i, of->first_pair + k));
	}
	return true;
}

/* ---- Engines ---------------------------------------------------------------------------------------------- */

static bool warn_of_pair(const bspi_rewrite *r, uint32_t entity, const bspi_edit_pair *pair)
{
	const bspi_entity_limits *limits = r->map.rules.entity_limits;
	size_t key = strlen(pair->key), value = strlen(pair->value);
	if (limits->key && key > limits->key) {
		BSPI_TRY(bspi_warn(r->ctx, BSPSCENE_WARNING_LIMIT, RECORD(entity),
		                   "the key \"%.40s...\" has %zu bytes; %s reads at most %u", pair->key, key, limits->engine,
		                   limits->key));
	}
	if (!limits->value || value <= limits->value) return true;
	return bspi_warn(r->ctx, BSPSCENE_WARNING_LIMIT, RECORD(entity),
	                 "the value of \"%.40s\" has %zu bytes; %s reads at most %u", pair->key, value, limits->engine,
	                 limits->value);
}

static bool warn_of_entity(const bspi_rewrite *r, uint32_t entity)
{
	const bspi_entity_limits *limits = r->map.rules.entity_limits;
	const bspi_edit_entity *of = &r->new.entities[entity];
	size_t text = 0;
	bool changed = r->pairing.old_of_new[entity] == BSPSCENE_NO_INDEX;
	for (uint32_t i = of->first_pair; i < of->first_pair + of->pair_count; i++) {
		text += strlen(r->new.pairs[i].key) + strlen(r->new.pairs[i].value) + 2;
		if (is_kept(r, i)) continue;
		changed = true;
		BSPI_TRY(warn_of_pair(r, entity, &r->new.pairs[i]));
	}
	if (!changed) return true;
	if (limits->pairs && of->pair_count > limits->pairs) {
		BSPI_TRY(bspi_warn(r->ctx, BSPSCENE_WARNING_LIMIT, RECORD(entity),
		                   "it has %u keys; %s reads at most %u of an entity", of->pair_count, limits->engine,
		                   limits->pairs));
	}
	if (!limits->pair_text || text <= limits->pair_text) return true;
	return bspi_warn(r->ctx, BSPSCENE_WARNING_LIMIT, RECORD(entity),
	                 "its keys and values have %zu bytes; %s reads at most %u of an entity", text, limits->engine,
	                 limits->pair_text);
}

static bool warn_of_file(const bspi_rewrite *r)
{
	bspi_ctx *ctx = r->ctx;
	bspi_sibling file;
	const char *ending = r->map.rules.entity_file;
	if (!ending || r->options.form != BSPSCENE_REWRITE_FORM_MAP) return true;
	const char *path = bspi_text_format(ctx, &ctx->scratch, "maps/%s%s", ctx->name, ending);
	BSPI_TRY(path);
	if (!bspi_find_sibling(ctx, path, BSPSCENE_FILE_ENTITIES, &file)) return ctx->error.status == BSPSCENE_OK;
	return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("entities"),
	                 "%s is next to the map: engines read the entities of a file of that name in place of the map's",
	                 path);
}

bool bspi_warn_of_entities(bspi_rewrite *r)
{
	const bspi_entity_limits *limits = r->map.rules.entity_limits;
	BSPI_TRY(warn_of_file(r));
	if (r->options.form == BSPSCENE_REWRITE_FORM_ENT && !r->map.rules.entity_file) {
		BSPI_TRY(bspi_warn(r->ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("entities"),
		                   "no engine of this game is known to read an .ent file"));
	}
	if (!limits || r->report.identical) return true;
	for (uint32_t i = 0; i < r->new.count; i++) BSPI_TRY(warn_of_entity(r, i));
	bool larger = r->text.size > r->map.entities.size && limits->text && r->text.size > limits->text;
	return !larger || bspi_warn(r->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("entities"),
	                            "the text has %zu bytes; the compilers and engine of %s take at most %u", r->text.size,
	                            limits->engine, limits->text);
}
