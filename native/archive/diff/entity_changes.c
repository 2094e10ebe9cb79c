/* entity_changes.c - see entity_changes.h. */
#include "archive/diff/entity_changes.h"

#include "cli/json.h"
#include "cli/report.h"

static void print_name(const char *sign, const bspscene_entity_change *change)
{
	const char *name = change->targetname, *origin = change->origin;
	cli_print("%s %s%s%s%s%s", sign, change->classname, *name ? " " : "", name, *origin ? " at " : "", origin);
}

static void print_keys(const bspscene_entity_change *change)
{
	for (uint32_t i = 0; i < change->key_count; i++) {
		if (change->keys[i]->old_value) cli_print("    - %s: %s", change->keys[i]->key, change->keys[i]->old_value);
	}
	for (uint32_t i = 0; i < change->key_count; i++) {
		if (change->keys[i]->new_value) cli_print("    + %s: %s", change->keys[i]->key, change->keys[i]->new_value);
	}
}

void cli_print_entity_changes(const bspscene_entity_changes *changes)
{
	static const struct { bspscene_change_kind kind; const char *sign; } kinds[] = {
		{ BSPSCENE_ENTITY_REMOVED, "-" }, { BSPSCENE_ENTITY_ADDED, "+" }, { BSPSCENE_ENTITY_CHANGED, "*" },
	};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		for (uint32_t i = 0; i < changes->change_count; i++) {
			const bspscene_entity_change *change = changes->changes[i];
			if (change->kind != kinds[k].kind) continue;
			print_name(kinds[k].sign, change);
			if (change->kind == BSPSCENE_ENTITY_CHANGED) print_keys(change);
		}
	}
	if (changes->reordered) cli_print("entities stand in another order");
}

static json_t *describe_text(const char *text) { return text ? cli_json_text(text) : json_null(); }

static json_t *describe_keys(const bspscene_entity_change *change)
{
	json_t *keys = json_array();
	for (uint32_t i = 0; i < change->key_count; i++) {
		const bspscene_key_change *key = change->keys[i];
		json_array_append_new(keys, json_pack("{s:o,s:o,s:o}", "key", cli_json_text(key->key), "old",
		                                      describe_text(key->old_value), "new", describe_text(key->new_value)));
	}
	return keys;
}

json_t *cli_describe_entity_changes(const bspscene_entity_changes *changes)
{
	static const char *const kinds[] = {
		[BSPSCENE_ENTITY_CHANGED] = "changed",
		[BSPSCENE_ENTITY_ADDED] = "added",
		[BSPSCENE_ENTITY_REMOVED] = "removed",
	};
	json_t *array = json_array();
	for (uint32_t i = 0; i < changes->change_count; i++) {
		const bspscene_entity_change *change = changes->changes[i];
		json_t *object = json_object();
		json_object_set_new(object, "kind", json_string(kinds[change->kind]));
		json_object_set_new(object, "old", cli_json_index(change->old_entity));
		json_object_set_new(object, "new", cli_json_index(change->new_entity));
		json_object_set_new(object, "classname", cli_json_text(change->classname));
		json_object_set_new(object, "targetname", cli_json_text(change->targetname));
		json_object_set_new(object, "keys", describe_keys(change));
		json_array_append_new(array, object);
	}
	return array;
}
