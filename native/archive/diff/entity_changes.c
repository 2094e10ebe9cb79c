/* entity_changes.c - see entity_changes.h. */
#include "archive/diff/entity_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/report.h"

static void print_name(const char *sign, const bspscene_entity_change *change)
{
	const char *name = change->targetname, *origin = change->origin;
	cli_print("%s %s%s%s%s%s", sign, change->classname, *name ? " " : "", name, *origin ? " at " : "", origin);
}

/* Parses three numbers. False if the text is anything else. */
static bool read_place(const char *text, double out[3])
{
	for (int i = 0; i < 3; i++) {
		char *end;
		out[i] = strtod(text, &end);
		if (end == text || !isfinite(out[i])) return false;
		text = end;
	}
	return !text[strspn(text, " ")];
}

/* True if this key is the entity's origin, and the entity was moved. Sets `by` to the offset in game units. */
static bool is_move(const bspscene_key_change *key, double by[3])
{
	double from[3], to[3];
	if (strcmp(key->key, "origin") != 0 || !key->old_value || !key->new_value) return false;
	if (!read_place(key->old_value, from) || !read_place(key->new_value, to)) return false;
	for (int i = 0; i < 3; i++) by[i] = to[i] - from[i];
	return by[0] != 0 || by[1] != 0 || by[2] != 0;
}

static void print_keys(const bspscene_entity_change *change)
{
	double by[3];
	for (uint32_t i = 0; i < change->key_count; i++) {
		const bspscene_key_change *key = change->keys[i];
		if (is_move(key, by)) cli_print("    moved by %g %g %g, to %s", by[0], by[1], by[2], key->new_value);
		else if (key->old_value) cli_print("    - %s: %s", key->key, key->old_value);
	}
	for (uint32_t i = 0; i < change->key_count; i++) {
		const bspscene_key_change *key = change->keys[i];
		if (key->new_value && !is_move(key, by)) cli_print("    + %s: %s", key->key, key->new_value);
	}
}

/* True if only the number of the brush model ("*12") differs. Every compilation numbers the brush models again. */
static bool is_renumbered(const bspscene_entity_change *change)
{
	const bspscene_key_change *key = change->key_count == 1 ? change->keys[0] : NULL;
	if (change->kind != BSPSCENE_CHANGE_MODIFIED || !key || strcmp(key->key, "model") != 0) return false;
	return key->old_value && key->new_value && key->old_value[0] == '*' && key->new_value[0] == '*';
}

/* Prints the changes of one kind. If `other_build`, does not print entities of which only the number of the brush model
 * differs, and returns their number. */
static uint32_t print_kind(const bspscene_entity_changes *changes, bspscene_change_kind kind, const char *sign,
                           bool other_build)
{
	uint32_t left_out = 0;
	for (uint32_t i = 0; i < changes->change_count; i++) {
		const bspscene_entity_change *change = changes->changes[i];
		bool left = other_build && is_renumbered(change);
		if (change->kind != kind) continue;
		left_out += left;
		if (left) continue;
		print_name(sign, change);
		if (kind == BSPSCENE_CHANGE_MODIFIED) print_keys(change);
	}
	return left_out;
}

void cli_print_entity_changes(const bspscene_entity_changes *changes, bool other_build)
{
	print_kind(changes, BSPSCENE_CHANGE_REMOVED, "-", other_build);
	print_kind(changes, BSPSCENE_CHANGE_ADDED, "+", other_build);
	uint32_t renumbered = print_kind(changes, BSPSCENE_CHANGE_MODIFIED, "*", other_build);
	if (renumbered) cli_print("entities that differ only in the number of their brush model: %u", renumbered);
	if (changes->reordered) cli_print("the order of the entities differs");
}

json_t *cli_describe_move(const bspscene_entity_change *change)
{
	double by[3];
	for (uint32_t i = 0; i < change->key_count; i++) {
		if (!is_move(change->keys[i], by)) continue;
		float rounded[3] = { (float)by[0], (float)by[1], (float)by[2] };
		return cli_json_floats(rounded, 3);
	}
	return json_null();
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
		[BSPSCENE_CHANGE_MODIFIED] = "changed",
		[BSPSCENE_CHANGE_ADDED] = "added",
		[BSPSCENE_CHANGE_REMOVED] = "removed",
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
