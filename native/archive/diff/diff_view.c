/* diff_view.c - finds where changed faces and entities are densest, and places cameras around that. See diff_view.h. */
#include "archive/diff/diff_view.h"

#ifdef CLI_HAVE_RENDER

	#include <math.h>
	#include <stdlib.h>
	#include <string.h>

	#include "archive/diff/light_diff.h"
	#include "archive/pictures/tile_view.h"
	#include "cli/report.h"

enum {
	MOST_SPOTS = 3,                    /* number of clusters around which cameras are placed */
	DIRECTIONS = 8,
	HEIGHTS = 2,
	DISTANCES = 3
};
	#define CELL 256.0f /* in game units: the size of a room */
	#define NEAREST_RADIUS 64.0f
	#define FARTHEST_RADIUS 512.0f
	#define ENTITY_WEIGHT 16.0f /* an entity weighs as much as a changed face whose area is a square with this side */
	#define DEGREES 57.29577951308232
	#define FOV 90.0f

/* A changed face or entity. */
typedef struct change {
	float at[3];
	float weight;                      /* side of a square with the area of the changed face; smaller if only the face's
	                                    * light differs */
	int32_t cell[3];
} change;

typedef struct change_list {
	change *changes;
	uint32_t count, room;
} change_list;

/* A cluster of neighboring changes. */
typedef struct spot {
	float at[3], radius, weight;
} spot;

/* ---- Changed faces and entities
 * ----------------------------------------------------------------------------------------- */

static void add_change(change_list *list, const float at[3], float weight)
{
	change one = { .weight = weight };
	if (!(weight > 0)) return;
	for (int k = 0; k < 3; k++) {
		one.at[k] = at[k];
		one.cell[k] = (int32_t)floorf(fminf(fmaxf(at[k], -1e6f), 1e6f) / CELL);
	}
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 256;
		list->changes = cli_resize(list->changes, list->room, sizeof *list->changes);
	}
	list->changes[list->count++] = one;
}

/* For each mesh, finds the index of the first node that shows it, or NO_INDEX. The caller frees the array. */
static uint32_t *nodes_of_meshes(const bspscene_scene *scene)
{
	uint32_t *nodes = cli_allocate(scene->mesh_count, sizeof *nodes);
	for (uint32_t i = 0; i < scene->mesh_count; i++) nodes[i] = BSPSCENE_NO_INDEX;
	for (uint32_t i = scene->node_count; i-- > 0;) {
		if (scene->nodes[i]->mesh != BSPSCENE_NO_INDEX) nodes[scene->nodes[i]->mesh] = i;
	}
	return nodes;
}

static double triangle_area(const float *a, const float *b, const float *c)
{
	double u[3], v[3];
	for (int k = 0; k < 3; k++) {
		u[k] = (double)b[k] - (double)a[k];
		v[k] = (double)c[k] - (double)a[k];
	}
	double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
	return sqrt(x * x + y * y + z * z) / 2;
}

/* Computes the face's center in the world, and the side of a square of its area. */
static float measure_face(const bspscene_scene *scene, const uint32_t *nodes, const bspscene_face *face, float at[3])
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	float middle[3] = { 0 }, place[12];
	double area = 0;
	for (uint32_t i = 0; i + 2 < face->index_count; i += 3) {
		const float *corners[3];
		for (uint32_t k = 0; k < 3; k++) {
			corners[k] = mesh->positions + (size_t)mesh->indices[face->first_index + i + k] * 3;
			for (int axis = 0; axis < 3; axis++) middle[axis] += corners[k][axis] / (float)face->index_count;
		}
		area += triangle_area(corners[0], corners[1], corners[2]);
	}
	memcpy(at, middle, sizeof middle);
	if (nodes[face->mesh] == BSPSCENE_NO_INDEX) return 0;
	bspscene_node_world_transform(scene, nodes[face->mesh], place);
	for (int i = 0; i < 3; i++) {
		const float *row = place + 4 * i;
		at[i] = row[0] * middle[0] + row[1] * middle[1] + row[2] * middle[2] + row[3];
	}
	return (float)sqrt(area);
}

static void add_faces(change_list *list, const bspscene_scene *a, const bspscene_scene *b)
{
	uint32_t *nodes_a = nodes_of_meshes(a), *nodes_b = nodes_of_meshes(b);
	cli_face_pairs pairs = cli_pair_faces(a, b);
	cli_light_diff light = cli_diff_light(a, b, &pairs);
	float at[3];
	for (uint32_t i = 0; i < a->face_count; i++) {
		float side = measure_face(a, nodes_a, &a->faces[i], at);
		uint32_t other = pairs.in_b[i];
		bool whole = other == BSPSCENE_NO_INDEX || cli_is_retextured(a, &a->faces[i], b, &b->faces[other]);
		add_change(list, at, whole ? side : side * light.by_face[i] / 255);
	}
	for (uint32_t i = 0; i < b->face_count; i++) {
		if (pairs.in_a[i] != BSPSCENE_NO_INDEX) continue;
		float side = measure_face(b, nodes_b, &b->faces[i], at);
		add_change(list, at, side);
	}
	cli_light_diff_free(&light);
	cli_face_pairs_free(&pairs);
	free(nodes_a);
	free(nodes_b);
}

static void add_entity(change_list *list, const bspscene_scene *scene, uint32_t entity)
{
	if (entity == BSPSCENE_NO_INDEX || !bspscene_entity_value(scene, entity, "origin")) return;
	add_change(list, scene->entities[entity]->origin, ENTITY_WEIGHT);
}

static void add_entities(change_list *list, const bspscene_scene *a, const bspscene_scene *b)
{
	bspscene_entity_changes *changes = bspscene_compare_entities(a, b, NULL);
	for (uint32_t i = 0; changes && i < changes->change_count; i++) {
		add_entity(list, a, changes->changes[i]->old_entity);
		add_entity(list, b, changes->changes[i]->new_entity);
	}
	bspscene_entity_changes_free(changes);
}

/* ---- Clusters --------------------------------------------------------------------------------------------- */

static int compare_cells(const change *a, const change *b)
{
	for (int k = 0; k < 3; k++) {
		if (a->cell[k] != b->cell[k]) return a->cell[k] < b->cell[k] ? -1 : 1;
	}
	return 0;
}

static int compare_changes(const void *a, const void *b)
{
	const change *one = a, *other = b;
	int order = compare_cells(one, other);
	if (order) return order;
	order = memcmp(one->at, other->at, sizeof one->at);
	return order ? order : (one->weight > other->weight) - (one->weight < other->weight);
}

static spot describe_cell(const change *first, uint32_t count)
{
	spot out = { .radius = NEAREST_RADIUS };
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) out.at[k] += first[i].at[k] * first[i].weight;
		out.weight += first[i].weight;
	}
	for (int k = 0; k < 3; k++) out.at[k] /= out.weight;
	for (uint32_t i = 0; i < count; i++) {
		float away = first[i].weight / 2;
		for (int k = 0; k < 3; k++) away += fabsf(first[i].at[k] - out.at[k]) / 2;
		out.radius = fminf(fmaxf(out.radius, away), FARTHEST_RADIUS);
	}
	return out;
}

/* Finds the cells with the largest weights, and returns their number. The heaviest comes first; of equally heavy cells,
 * the first in the list. */
static uint32_t find_spots(change_list *list, spot out[MOST_SPOTS])
{
	uint32_t found = 0;
	if (list->count) qsort(list->changes, list->count, sizeof *list->changes, compare_changes);
	for (uint32_t first = 0, next; first < list->count; first = next) {
		for (next = first + 1; next < list->count; next++) {
			if (compare_cells(&list->changes[first], &list->changes[next])) break;
		}
		spot one = describe_cell(&list->changes[first], next - first);
		uint32_t at = found < MOST_SPOTS ? found++ : MOST_SPOTS;
		for (; at && out[at - 1].weight < one.weight; at--) {
			if (at < MOST_SPOTS) out[at] = out[at - 1];
		}
		if (at < MOST_SPOTS) out[at] = one;
	}
	return found;
}

/* ---- Cameras ---------------------------------------------------------------------------------------------- */

static bool is_inside_wall(const bspscene_scene *scene, const float point[3])
{
	uint32_t leaf = bspscene_find_leaf(scene, point);
	return leaf != BSPSCENE_NO_INDEX && scene->tree->leafs[leaf].cluster == BSPSCENE_NO_INDEX;
}

/* Places a camera that looks at the cluster from a direction, as far away as free space allows. Returns false if there
 * is too little space. */
static bool look_at(const bspscene_scene *scene, const spot *at, double yaw, double pitch, bspscene_view *out)
{
	static const float shares[DISTANCES] = { 1, 0.6f, 0.35f };
	double back[3] = { -cos(yaw) * cos(pitch), -sin(yaw) * cos(pitch), sin(pitch) };
	for (int i = 0; i < DISTANCES; i++) {
		float eye[3], distance = (at->radius * 1.6f + 64) * shares[i];
		for (int k = 0; k < 3; k++) eye[k] = at->at[k] + (float)back[k] * distance;
		if (is_inside_wall(scene, eye)) continue;
		*out = (bspscene_view){
			.pitch = (float)(pitch * DEGREES), .yaw = (float)(yaw * DEGREES), .fov_degrees = FOV,
		};
		memcpy(out->origin, eye, sizeof eye);
		return true;
	}
	return false;
}

static uint32_t look_around(const bspscene_scene *scene, const spot *at, bspscene_view *out)
{
	static const double pitches[HEIGHTS] = { 12 / DEGREES, 40 / DEGREES };
	uint32_t count = 0;
	for (int height = 0; height < HEIGHTS; height++) {
		for (int turn = 0; turn < DIRECTIONS; turn++) {
			double yaw = (turn * 360.0 / DIRECTIONS - 157.5) / DEGREES;
			count += look_at(scene, at, yaw, pitches[height], &out[count]);
		}
	}
	return count;
}

uint32_t cli_list_diff_views(const bspscene_scene *a, const bspscene_scene *b, bspscene_view out[CLI_MOST_DIFF_VIEWS])
{
	change_list list = { 0 };
	spot spots[MOST_SPOTS];
	cli_tile_view views[CLI_MOST_TILE_VIEWS];
	uint32_t count = 0;
	add_faces(&list, a, b);
	add_entities(&list, a, b);
	uint32_t spot_count = find_spots(&list, spots);
	for (uint32_t i = 0; i < spot_count; i++) count += look_around(b, &spots[i], out + count);
	uint32_t view_count = cli_list_tile_views(b, 4, 3, views);
	for (uint32_t i = 0; i < view_count; i++) {
		if (!views[i].above) out[count++] = views[i].view;
	}
	free(list.changes);
	return count;
}

#else

typedef int cli_no_diff_view; /* a source file in C must declare something */

#endif
