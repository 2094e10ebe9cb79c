/* map_places.c - see map_places.h. */
#include "archive/catalog/map_places.h"

#include <stdlib.h>
#include <string.h>

#include "archive/catalog/members.h"
#include "cli/report.h"

/* Members of a catalog's line that describe one place where the map was found. All other members are the same in the
 * lines of all places of a map. */
static const char *const of_place[] = { "name", "path", "members", "root", "stored_size", "modified", "companions",
	                                    "around" };
enum { OF_PLACE = sizeof of_place / sizeof *of_place };

char *cli_place_key(const json_t *place)
{
	const char *root = json_string_value(json_object_get(place, "root"));
	const char *path = json_string_value(json_object_get(place, "path"));
	const json_t *members = json_object_get(place, "members");
	char *outermost = cli_format("%s\x01%s", root ? root : "", path ? path : "");
	char *key = cli_join_members(outermost, members, json_array_size(members), "\x01");
	free(outermost);
	return key;
}

/* Returns a copy of `line` in which the members that `of_place` lists are taken from `place`. */
static json_t *line_of(const json_t *line, const json_t *place)
{
	json_t *copy = json_deep_copy(line);
	for (int i = 0; i < OF_PLACE; i++) {
		json_t *value = json_object_get(place, of_place[i]);
		if (value) json_object_set(copy, of_place[i], value);
		else json_object_del(copy, of_place[i]);
	}
	return copy;
}

static void add(json_t *found, json_t *line)
{
	char *key = cli_place_key(line);
	json_object_set_new(found, key, line);
	free(key);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static json_t *sort(json_t *found)
{
	const char **keys = cli_allocate(json_object_size(found), sizeof *keys), *key;
	json_t *sorted = json_array(), *line;
	size_t count = 0;
	json_object_foreach(found, key, line) keys[count++] = key;
	qsort(keys, count, sizeof *keys, compare_keys);
	for (size_t i = 0; i < count; i++) json_array_append(sorted, json_object_get(found, keys[i]));
	free(keys);
	return sorted;
}

json_t *cli_places_merge(const json_t *entries, const json_t *result)
{
	json_t *found = json_object(), *line = json_object_get(result, "catalog");
	const json_t *places = json_object_get(result, "places");
	for (size_t i = 0; i < json_array_size(places); i++) add(found, line_of(line, json_array_get(places, i)));
	if (json_is_object(line)) add(found, json_incref(line));
	for (size_t i = 0; i < json_array_size(entries); i++) add(found, json_incref(json_array_get(entries, i)));
	json_t *sorted = sort(found);
	json_decref(found);
	return sorted;
}

json_t *cli_places_but(const json_t *places, size_t but)
{
	json_t *others = json_array();
	for (size_t i = 0; i < json_array_size(places); i++) {
		if (i == but) continue;
		json_t *other = json_object();
		for (int k = 0; k < OF_PLACE; k++) {
			json_t *value = json_object_get(json_array_get(places, i), of_place[k]);
			if (value) json_object_set(other, of_place[k], value);
		}
		json_array_append_new(others, other);
	}
	return others;
}

static bool has_same(const json_t *place, const json_t *other, const char *member)
{
	const json_t *one = json_object_get(place, member), *two = json_object_get(other, member);
	return one ? json_equal(one, two) : !two;
}

bool cli_is_same_source(const json_t *place, const json_t *other)
{
	char *keys[] = { cli_place_key(place), cli_place_key(other) };
	bool same = !strcmp(keys[0], keys[1]) && has_same(place, other, "companions") && has_same(place, other, "around");
	free(keys[0]);
	free(keys[1]);
	return same;
}
