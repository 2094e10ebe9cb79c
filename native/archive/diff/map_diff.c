/* map_diff.c - finds the differences between two scenes. See map_diff.h. To compare materials, sorts those of each
 * scene by a text that describes them, and merges the two lists. */
#include "archive/diff/map_diff.h"

#include <stdlib.h>
#include <string.h>

#include "archive/diff/entity_changes.h"
#include "archive/diff/light_diff.h"
#include "cli/json.h"
#include "cli/report.h"

/* ---- Faces and their light -------------------------------------------------------------------------------- */

static json_t *describe_faces(const bspscene_scene *a, const bspscene_scene *b, const cli_face_pairs *pairs)
{
	json_t *object = json_object();
	json_object_set_new(object, "a", json_integer(a->face_count));
	json_object_set_new(object, "b", json_integer(b->face_count));
	json_object_set_new(object, "removed", json_integer(a->face_count - pairs->same));
	json_object_set_new(object, "added", json_integer(b->face_count - pairs->same));
	json_object_set_new(object, "retextured", json_integer(pairs->retextured));
	return object;
}

static json_t *describe_count(const cli_light_count *count)
{
	return json_pack("{s:I,s:I}", "compared", (json_int_t)count->all, "changed", (json_int_t)count->changed);
}

static json_t *describe_light(const cli_light_diff *light)
{
	json_t *object = json_object();
	json_object_set_new(object, "faces", describe_count(&light->faces));
	json_object_set_new(object, "resized", json_integer(light->resized));
	json_object_set_new(object, "luxels", describe_count(&light->luxels));
	json_object_set_new(object, "vertices", describe_count(&light->vertices));
	json_object_set_new(object, "directions", describe_count(&light->directions));
	json_object_set_new(object, "corners", describe_count(&light->corners));
	json_object_set_new(object, "mean", cli_json_float((float)light->mean));
	json_object_set_new(object, "largest", json_integer(light->largest));
	json_object_set_new(object, "grid", light->other_grid ? json_null() : describe_count(&light->grid_points));
	return object;
}

/* ---- Materials and entities ------------------------------------------------------------------------------- */

/* A material of a map. `text` is compared; `value` is its description as JSON. */
typedef struct item {
	char *kind, *text;
	json_t *value;                     /* owned; released with the item */
	bool matched;
} item;

typedef struct item_list {
	item *items;
	uint32_t count;
} item_list;

static int compare_items(const void *a, const void *b)
{
	const item *one = a, *other = b;
	int order = strcmp(one->kind, other->kind);
	return order ? order : strcmp(one->text, other->text);
}

static void sort(item_list *list)
{
	if (list->count) qsort(list->items, list->count, sizeof *list->items, compare_items);
}

static void free_items(item_list *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		free(list->items[i].kind);
		free(list->items[i].text);
		json_decref(list->items[i].value);
	}
	free(list->items);
}

static item_list list_materials(const bspscene_scene *scene)
{
	item_list list = { cli_allocate(scene->material_count, sizeof(item)), scene->material_count };
	for (uint32_t i = 0; i < list.count; i++) {
		const char *name = scene->materials[i]->name;
		list.items[i] = (item){ cli_format("%s", name), cli_format("%s", ""), cli_json_text(name), false };
	}
	sort(&list);
	return list;
}

static json_t *describe_entity(const bspscene_scene *scene, const bspscene_entity *entity)
{
	json_t *pairs = json_array();
	for (uint32_t i = 0; i < entity->pair_count; i++) {
		const bspscene_pair *pair = &scene->pairs[entity->first_pair + i];
		json_array_append_new(pairs, json_pack("[o,o]", cli_json_text(pair->key), cli_json_text(pair->value)));
	}
	return pairs;
}

/* Describes the removed, added and changed entities. */
static json_t *diff_entities(const bspscene_scene *a, const bspscene_scene *b, const bspscene_entity_changes *changes)
{
	json_t *removed = json_array(), *added = json_array(), *changed = json_array();
	for (uint32_t i = 0; i < changes->change_count; i++) {
		const bspscene_entity_change *change = changes->changes[i];
		bool in_a = change->old_entity != BSPSCENE_NO_INDEX, in_b = change->new_entity != BSPSCENE_NO_INDEX;
		json_t *old = in_a ? describe_entity(a, a->entities[change->old_entity]) : NULL;
		json_t *new = in_b ? describe_entity(b, b->entities[change->new_entity]) : NULL;
		if (old && new) {
			json_t *moved = cli_describe_move(change);
			json_array_append_new(changed, json_pack("{s:o,s:o,s:o}", "a", old, "b", new, "moved", moved));
			continue;
		}
		json_array_append_new(old ? removed : added, old ? old : new);
	}
	return json_pack("{s:o,s:o,s:o}", "removed", removed, "added", added, "changed", changed);
}

/* Sets `matched` in the items that both lists have. The lists are sorted. */
static void match(item_list *a, item_list *b)
{
	uint32_t i = 0, k = 0;
	while (i < a->count && k < b->count) {
		item *one = &a->items[i], *other = &b->items[k];
		int order = compare_items(one, other);
		if (order == 0) one->matched = other->matched = true;
		i += order <= 0;
		k += order >= 0;
	}
}

static json_t *unmatched(const item_list *list)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < list->count; i++) {
		if (!list->items[i].matched) json_array_append(array, list->items[i].value);
	}
	return array;
}

static json_t *diff_items(item_list a, item_list b)
{
	json_t *object = json_object();
	match(&a, &b);
	json_object_set_new(object, "removed", unmatched(&a));
	json_object_set_new(object, "added", unmatched(&b));
	free_items(&a);
	free_items(&b);
	return object;
}

json_t *cli_diff_maps(const bspscene_scene *a, const bspscene_scene *b, const bspscene_entity_changes *changes)
{
	json_t *object = json_object(), *same = json_object();
	cli_face_pairs pairs = cli_pair_faces(a, b);
	cli_light_diff light = cli_diff_light(a, b, &pairs);
	json_object_set_new(same, "bytes", json_boolean(!strcmp(a->identity->bytes, b->identity->bytes)));
	json_object_set_new(same, "geometry", json_boolean(!strcmp(a->identity->geometry, b->identity->geometry)));
	json_object_set_new(same, "entities", json_boolean(!strcmp(a->identity->entities, b->identity->entities)));
	json_object_set_new(same, "light", json_boolean(cli_is_same_light(&light)));
	json_object_set_new(object, "same", same);
	json_object_set_new(object, "faces", describe_faces(a, b, &pairs));
	json_object_set_new(object, "light", describe_light(&light));
	json_object_set_new(object, "materials", diff_items(list_materials(a), list_materials(b)));
	json_object_set_new(object, "entities", diff_entities(a, b, changes));
	cli_light_diff_free(&light);
	cli_face_pairs_free(&pairs);
	return object;
}

/* ---- Text output ------------------------------------------------------------------------------------------ */

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void print_faces(const json_t *faces)
{
	json_int_t retextured = number_of(faces, "retextured");
	char *more = cli_format(", %lld with another material", (long long)retextured);
	cli_print("faces     %lld removed of %lld, %lld added of %lld%s", (long long)number_of(faces, "removed"),
	          (long long)number_of(faces, "a"), (long long)number_of(faces, "added"), (long long)number_of(faces, "b"),
	          retextured ? more : "");
	free(more);
}

/* Prints "luxels    12 of 340 differ". */
static void print_light_count(const char *what, const json_t *count)
{
	json_int_t changed = number_of(count, "changed");
	if (!changed) return;
	cli_print("%-9s %lld of %lld differ", what, (long long)changed, (long long)number_of(count, "compared"));
}

static void print_light(const json_t *light)
{
	const json_t *faces = json_object_get(light, "faces"), *grid = json_object_get(light, "grid");
	print_light_count("lit faces", faces);
	print_light_count("luxels", json_object_get(light, "luxels"));
	print_light_count("corners", json_object_get(light, "corners"));
	print_light_count("vertices", json_object_get(light, "vertices"));
	if (number_of(light, "largest")) {
		cli_print("          by %.3g of 255 on average, %lld at most", json_real_value(json_object_get(light, "mean")),
		          (long long)number_of(light, "largest"));
	}
	print_light_count("directions", json_object_get(light, "directions"));
	if (json_is_null(grid)) cli_print("grid      has another size, or only one map has one");
	else print_light_count("grid", grid);
}

static void print_materials(const char *sign, const json_t *names)
{
	for (size_t i = 0; i < json_array_size(names); i++) {
		cli_print("%s material %s", sign, json_string_value(json_array_get(names, i)));
	}
}

void cli_print_map_diff(const json_t *diff, const bspscene_entity_changes *changes)
{
	static const char *const parts[] = { "bytes", "geometry", "entities", "light" };
	const json_t *same = json_object_get(diff, "same"), *materials = json_object_get(diff, "materials");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		cli_print("%-9s %s", parts[i], json_is_true(json_object_get(same, parts[i])) ? "the same" : "different");
	}
	print_faces(json_object_get(diff, "faces"));
	print_light(json_object_get(diff, "light"));
	print_materials("-", json_object_get(materials, "removed"));
	print_materials("+", json_object_get(materials, "added"));
	cli_print_entity_changes(changes, !json_is_true(json_object_get(same, "geometry")));
}

static void append_count(char **list, json_int_t count, const char *what)
{
	if (!count) return;
	char *text = cli_format("%lld %s", (long long)count, what);
	cli_append(list, text);
	free(text);
}

char *cli_sum_up_map_diff(const json_t *diff)
{
	const json_t *faces = json_object_get(diff, "faces"), *light = json_object_get(diff, "light");
	const json_t *entities = json_object_get(diff, "entities");
	static const char *const kinds[] = { "removed", "added", "changed" };
	char *list = NULL;
	append_count(&list, number_of(faces, "removed"), "faces removed");
	append_count(&list, number_of(faces, "added"), "faces added");
	append_count(&list, number_of(faces, "retextured"), "faces with another material");
	append_count(&list, number_of(json_object_get(light, "faces"), "changed"), "faces with other light");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char *what = cli_format("entities %s", kinds[i]);
		append_count(&list, (json_int_t)json_array_size(json_object_get(entities, kinds[i])), what);
		free(what);
	}
	return list ? list : cli_format("only bytes that are not compared");
}
