/* map_diff.c - two scenes to what only one of them has. See map_diff.h.
 *
 * Faces, materials and entities are sorted by what they are and then compared as two lists, so a map with very many of
 * a kind costs no more than sorting them. */
#include "archive/diff/map_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/report.h"

/* ---- Faces ------------------------------------------------------------------------------------------------ */

/* Positions count to an eighth of a game unit, as in bspscene_identity. */
#define STEPS_PER_UNIT 8.0

/* 64-bit FNV-1a of the corners of its triangles. */
static uint64_t hash_face(const bspscene_scene *scene, const bspscene_face *face)
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (uint32_t i = 0; i < face->index_count; i++) {
		const float *position = mesh->positions + (size_t)mesh->indices[face->first_index + i] * 3;
		for (int k = 0; k < 3; k++) {
			double steps = fmin(fmax((double)position[k], -1e9), 1e9) * STEPS_PER_UNIT;
			hash = (hash ^ (uint64_t)llround(steps)) * UINT64_C(0x100000001b3);
		}
	}
	return hash;
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return (one > other) - (one < other);
}

static uint64_t *sorted_faces(const bspscene_scene *scene)
{
	uint64_t *hashes = cli_allocate(scene->face_count, sizeof *hashes);
	for (uint32_t i = 0; i < scene->face_count; i++) hashes[i] = hash_face(scene, &scene->faces[i]);
	if (scene->face_count) qsort(hashes, scene->face_count, sizeof *hashes, compare_hashes);
	return hashes;
}

static json_t *diff_faces(const bspscene_scene *a, const bspscene_scene *b)
{
	uint64_t *in_a = sorted_faces(a), *in_b = sorted_faces(b);
	uint32_t i = 0, k = 0, same = 0;
	while (i < a->face_count && k < b->face_count) {
		bool both = in_a[i] == in_b[k], first = in_a[i] < in_b[k];
		same += both;
		i += both || first;
		k += both || !first;
	}
	free(in_a);
	free(in_b);
	json_t *object = json_object();
	json_object_set_new(object, "a", json_integer(a->face_count));
	json_object_set_new(object, "b", json_integer(b->face_count));
	json_object_set_new(object, "removed", json_integer(a->face_count - same));
	json_object_set_new(object, "added", json_integer(b->face_count - same));
	return object;
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

static bool same_page(const bspscene_page *a, const bspscene_page *b)
{
	if (a->width != b->width || a->height != b->height || a->format != b->format) return false;
	if (!a->data || !b->data) return a->data == b->data;
	static const size_t sizes[] = { [BSPSCENE_PAGE_RGB8] = 3, [BSPSCENE_PAGE_RGB16F] = 6, [BSPSCENE_PAGE_RAW32] = 4 };
	return !memcmp(a->data, b->data, (size_t)a->width * a->height * sizes[a->format]);
}

static bool same_pages(const bspscene_scene *a, const bspscene_scene *b)
{
	if (a->page_count != b->page_count || a->page_set_count != b->page_set_count) return false;
	for (uint32_t s = 0; s < a->page_set_count; s++) {
		for (uint32_t i = 0; i < a->page_count; i++) {
			if (!same_page(&a->page_sets[s].pages[i], &b->page_sets[s].pages[i])) return false;
		}
	}
	return true;
}

static bool same_colors(const bspscene_scene *a, const bspscene_scene *b)
{
	if (a->mesh_count != b->mesh_count) return false;
	for (uint32_t i = 0; i < a->mesh_count; i++) {
		const bspscene_mesh *one = a->meshes[i], *other = b->meshes[i];
		if (one->vertex_count != other->vertex_count || !one->colors != !other->colors) return false;
		if (one->colors && memcmp(one->colors, other->colors, (size_t)one->vertex_count * 4) != 0) return false;
	}
	return true;
}

/* ---- Materials and entities ------------------------------------------------------------------------------- */

/* What is compared by a text, and belongs together by a shorter one. */
typedef struct item {
	char *kind, *text;
	json_t *value;                     /* borrowed by nobody: released with the item */
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

/* Pairs of entities of the two scenes. */
static json_t *diff_entities(const bspscene_scene *a, const bspscene_scene *b, const bspscene_entity_changes *changes)
{
	json_t *removed = json_array(), *added = json_array(), *changed = json_array();
	for (uint32_t i = 0; i < changes->change_count; i++) {
		const bspscene_entity_change *change = changes->changes[i];
		bool in_a = change->old_entity != BSPSCENE_NO_INDEX, in_b = change->new_entity != BSPSCENE_NO_INDEX;
		json_t *old = in_a ? describe_entity(a, a->entities[change->old_entity]) : NULL;
		json_t *new = in_b ? describe_entity(b, b->entities[change->new_entity]) : NULL;
		if (old && new) json_array_append_new(changed, json_pack("{s:o,s:o}", "a", old, "b", new));
		else json_array_append_new(old ? removed : added, old ? old : new);
	}
	return json_pack("{s:o,s:o,s:o}", "removed", removed, "added", added, "changed", changed);
}

/* Marks what both lists have alike. */
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
	json_object_set_new(same, "bytes", json_boolean(!strcmp(a->identity->bytes, b->identity->bytes)));
	json_object_set_new(same, "geometry", json_boolean(!strcmp(a->identity->geometry, b->identity->geometry)));
	json_object_set_new(same, "entities", json_boolean(!strcmp(a->identity->entities, b->identity->entities)));
	json_object_set_new(same, "light", json_boolean(same_pages(a, b) && same_colors(a, b)));
	json_object_set_new(object, "same", same);
	json_object_set_new(object, "faces", diff_faces(a, b));
	json_object_set_new(object, "materials", diff_items(list_materials(a), list_materials(b)));
	json_object_set_new(object, "entities", diff_entities(a, b, changes));
	return object;
}
