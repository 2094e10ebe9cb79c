/* entity.c - parses the entity text into entities and key-value pairs, in the order of the file. The text is parsed
 * twice: first to count, then to fill the arrays. */
#include "stages/entities/entity_scan.h"
#include "stages/stages.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/vec.h"

static const char *copy_text(bspi_build *build, bspi_bytes text)
{
	bool repaired = false;
	if (build->map->escaped_text && !bspi_unescape(build->ctx, text, &text)) return NULL;
	const char *copy = build->map->rules.quake_text ? bspi_text_copy_quake(build->ctx, text, &repaired)
	                                                : bspi_text_copy(build->ctx, text, &repaired);
	if (!copy) return NULL;
	if (repaired && !build->map->rules.quake_text &&
	    !bspi_warn(build->ctx, BSPSCENE_WARNING_TEXT, BSPI_LUMP("entities"),
	               "the text is not UTF-8: it was read as Windows-1252"))
		return NULL;
	return copy;
}

static bool fill_pairs(bspi_build *build, bspi_entity_scan *s, bspscene_pair *pairs, uint32_t *count)
{
	bspi_scanned_pair found;
	while (bspi_scan_pair(s, &found)) {
		bspscene_pair *pair = &pairs[(*count)++];
		pair->key = copy_text(build, found.key);
		pair->value = copy_text(build, found.value);
		BSPI_TRY(pair->key && pair->value);
	}
	return true;
}

static const char *find_value(const bspscene_scene *scene, const bspscene_entity *entity, const char *key)
{
	const bspscene_pair *pairs = scene->pairs + entity->first_pair;
	const char *found = NULL;
	for (uint32_t i = 0; i < entity->pair_count; i++) {
		if (!bspi_text_equal(pairs[i].key, key)) continue;
		found = pairs[i].value;
		if (scene->first_key_wins) break;
	}
	return found;
}

const char *bspscene_entity_value(const bspscene_scene *scene, uint32_t entity, const char *key)
{
	return entity < scene->entity_count ? find_value(scene, scene->entities[entity], key) : NULL;
}

const char *bspi_entity_value(const bspi_build *build, uint32_t entity, const char *key)
{
	return bspscene_entity_value(build->scene, entity, key);
}

static uint32_t read_numbers(const bspi_build *build, const char *text, float *out, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) out[i] = 0;
	if (!text) return 0;
	return build->map->rules.scanned_numbers ? bspi_text_scan(text, out, count) : bspi_text_numbers(text, out, count);
}

uint32_t bspi_entity_numbers(const bspi_build *build, uint32_t entity, const char *key, float *out, uint32_t count)
{
	return read_numbers(build, bspi_entity_value(build, entity, key), out, count);
}

uint32_t bspi_spawnflags(const bspi_build *build, uint32_t entity)
{
	const float past_last = 4294967296.0f;
	float flags;
	bool found = bspi_entity_numbers(build, entity, "spawnflags", &flags, 1) > 0;
	return found && flags > 0 && flags < past_last ? (uint32_t)flags : 0;
}

const char *bspi_world_value(const bspi_build *build, const char *key)
{
	const bspscene_scene *scene = build->scene;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (bspi_text_equal(scene->entities[i]->classname, "worldspawn")) {
			return find_value(scene, scene->entities[i], key);
		}
	}
	return NULL;
}

/* Reads the number of a brush model: "*3" is model 3. Returns false for anything else, because that is the name of a
 * file. */
static bool find_model(const bspi_build *build, const char *value, uint32_t index, uint32_t *model)
{
	float number;
	*model = BSPSCENE_NO_INDEX;
	if (!value || value[0] != '*' || bspi_text_number(value + 1, &number) == value + 1) return true;
	if (number >= 1 && number < (float)build->map->models_count) {
		*model = (uint32_t)number;
		return true;
	}
	return bspi_warn(build->ctx, BSPSCENE_WARNING_REFERENCE, BSPI_ENTITY(index),
	                 "it names brush model \"%s\", but the map has %u brush models: it stays empty", value,
	                 build->map->models_count ? build->map->models_count - 1 : 0);
}

static bool read_entity(const bspi_build *build, bspscene_entity *entity, uint32_t index)
{
	const bspscene_scene *scene = build->scene;
	const char *classname = find_value(scene, entity, "classname");
	const char *targetname = find_value(scene, entity, "targetname");
	const char *origin = find_value(scene, entity, "origin");
	const char *model = find_value(scene, entity, "model");
	entity->classname = classname ? classname : "";
	entity->targetname = targetname ? targetname : "";
	entity->target_entity = entity->node = BSPSCENE_NO_INDEX;
	bool is_world = bspi_text_equal(entity->classname, "worldspawn") && build->map->models_count;
	entity->model = 0;
	if (!is_world) BSPI_TRY(find_model(build, model, index, &entity->model));
	read_numbers(build, origin, entity->origin, 3);
	if (bspi_is_position(entity->origin)) return true;
	memset(entity->origin, 0, sizeof entity->origin);
	return bspi_warn(build->ctx, BSPSCENE_WARNING_TEXT, BSPI_ENTITY(index),
	                 "origin \"%s\" is too far away for a map: 0 0 0 is used", origin);
}

typedef struct target_name {
	const char *name;
	uint32_t entity;
} target_name;

static int compare_targets(const void *left, const void *right)
{
	const target_name *a = left, *b = right;
	int order = bspi_text_compare(a->name, b->name);
	return order ? order : (a->entity > b->entity) - (a->entity < b->entity);
}

/* Finds the first entity that has this name. The names are sorted, so this is a binary search. */
static uint32_t find_target(const target_name *names, uint32_t count, const char *name)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (bspi_text_compare(names[middle].name, name) < 0) low = middle + 1;
		else high = middle;
	}
	return low < count && bspi_text_equal(names[low].name, name) ? names[low].entity : BSPSCENE_NO_INDEX;
}

/* Finds the parent that each entity names. `parentname` is a name such as "train", or a name and an attachment such as
 * "train,hook". */
static bool link_parents(bspi_build *build, const target_name *names, uint32_t name_count,
                         const bspscene_entity *entities, uint32_t count)
{
	uint32_t *parents = bspi_push(build->ctx, &build->ctx->scratch, uint32_t, count);
	BSPI_TRY(parents);
	for (uint32_t i = 0; i < count; i++) {
		const char *text = find_value(build->scene, &entities[i], "parentname");
		char name[256];
		size_t length = text ? strcspn(text, ",") : 0;
		parents[i] = BSPSCENE_NO_INDEX;
		if (!length || length >= sizeof name) continue;
		memcpy(name, text, length);
		name[length] = 0;
		parents[i] = find_target(names, name_count, name);
	}
	build->parents = parents;
	return true;
}

static bool link_targets(bspi_build *build, bspscene_entity *entities, uint32_t count)
{
	target_name *names = bspi_push(build->ctx, &build->ctx->stage, target_name, count);
	BSPI_TRY(names);
	uint32_t name_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (entities[i].targetname[0]) names[name_count++] = (target_name){ entities[i].targetname, i };
	}
	qsort(names, name_count, sizeof *names, compare_targets);
	for (uint32_t i = 0; i < count; i++) {
		const char *target = find_value(build->scene, &entities[i], "target");
		if (target && *target) entities[i].target_entity = find_target(names, name_count, target);
	}
	return !build->map->rules.entities->parents || link_parents(build, names, name_count, entities, count);
}

bool bspi_build_entities(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bspscene_scene *scene = build->scene;
	bspi_bytes text = bspi_entity_text(build->map->entities);
	bspi_scanned_pair ignored;

	uint32_t entity_count = 0, pair_count = 0;
	const bspi_entity_scan from = { .text = text, .escapes = build->map->escaped_text };
	for (bspi_entity_scan s = from; bspi_scan_entity(&s); entity_count++) {
		while (bspi_scan_pair(&s, &ignored)) pair_count++;
	}
	bspscene_entity *entities = bspi_push(ctx, &ctx->result, bspscene_entity, entity_count);
	bspscene_pair *pairs = bspi_push(ctx, &ctx->result, bspscene_pair, pair_count);
	BSPI_TRY(entities && pairs);
	scene->entities = bspi_table(ctx, bspscene_entity, entities, entity_count);
	BSPI_TRY(scene->entities);
	scene->first_key_wins = build->map->rules.first_value_wins;
	scene->escaped_text = build->map->escaped_text;
	scene->entity_count = entity_count;
	scene->pairs = pairs;
	scene->pair_count = pair_count;

	bspi_entity_scan s = from;
	uint32_t filled = 0;
	for (uint32_t i = 0; i < entity_count; i++) {
		bspi_scan_entity(&s);
		entities[i].first_pair = filled;
		BSPI_TRY(fill_pairs(build, &s, pairs, &filled));
		entities[i].pair_count = filled - entities[i].first_pair;
		BSPI_TRY(read_entity(build, &entities[i], i));
	}
	for (uint32_t i = 0; i < s.lost_quotes; i++) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_TEXT, BSPI_LUMP("entities"),
		                   "a quote is not closed: the rest of its entity is left out"));
	}
	if (s.unclosed) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_TEXT, BSPI_LUMP("entities"),
		                   "the text ends inside an entity: it is cut off or damaged"));
	}
	return link_targets(build, entities, entity_count);
}
