/* shown_part.c - see shown_part.h. */
#include "overview/shown_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Leaving out distant surroundings ----------------------------------------------------------------------- */

/* Largest number of corners or triangles to sort. If there are more, as with a model in thousands of places, only every
 * n-th one is used. */
enum { MOST_SORTED = 1 << 21 };

/* Returns n such that every n-th of `count` elements is used, to sort at most MOST_SORTED elements. */
static uint64_t step_of(uint64_t count)
{
	return count / MOST_SORTED + 1;
}

static uint64_t count_vertices(const bspr_parts *parts)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < parts->count; i++) count += parts->parts[i].mesh->vertex_count;
	return count;
}

static int compare_floats(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;
	return (a > b) - (a < b);
}

/* Returns the bounds without a fraction of the outermost corners on each side, because maps have skies and hidden rooms
 * far outside. */
static bspscene_bounds main_part(const bspr_parts *parts)
{
	enum { OUTERMOST = 500, SLACK = 16, FEWEST = 8 };
	uint64_t all = count_vertices(parts), step = step_of(all);
	uint32_t room = (uint32_t)(all / step);
	bspscene_bounds box = parts->scene->bounds;
	float *values = room >= FEWEST ? malloc(room * sizeof *values) : NULL;
	for (uint32_t axis = 0; values && axis < 3; axis++) {
		uint32_t count = 0;
		uint64_t met = 0;
		for (bspr_corners c = { .parts = parts }; count < room && bspr_next_corner(&c); met++) {
			if (met % step == 0) values[count++] = c.at[axis];
		}
		if (count < FEWEST) continue;
		qsort(values, count, sizeof *values, compare_floats);
		float low = values[count / OUTERMOST], high = values[count - 1 - count / OUTERMOST];
		box.min[axis] = low - (high - low) / SLACK;
		box.max[axis] = high + (high - low) / SLACK;
	}
	free(values);
	return box;
}

/* The extent of a triangle along one axis. */
typedef struct span {
	float low, high;
} span;

/* A sample of triangles, sorted. */
typedef struct spans {
	span *spans; uint32_t count, room;
	uint64_t step, met;                /* every step-th triangle is in the sample; number of triangles seen so far, in
	                                    * the sample or not */
} spans;

static void add_spans(const bspr_part *part, const bspscene_section *section, const bspscene_bounds *box, uint32_t axis,
                      spans *out)
{
	for (uint32_t t = 0; t + 2 < section->index_count && out->count < out->room; t += 3) {
		if (out->met++ % out->step) continue;
		const uint32_t *index = part->mesh->indices + section->first_index + t;
		float at[3][3];
		for (int k = 0; k < 3; k++) bspr_place_corner(part, index[k], at[k]);
		if (!bspr_in_box(at[0], box) || !bspr_in_box(at[1], box) || !bspr_in_box(at[2], box)) continue;
		out->spans[out->count++] = (span){ fminf(fminf(at[0][axis], at[1][axis]), at[2][axis]),
			                               fmaxf(fmaxf(at[0][axis], at[1][axis]), at[2][axis]) };
	}
}

/* Lists the extents along an axis of the sampled triangles in the box, and sorts them. */
static void sort_spans(const bspr_parts *parts, const bspscene_bounds *box, uint32_t axis, spans *out)
{
	out->count = 0;
	out->met = 0;
	bspr_corners c = { .parts = parts };
	for (const bspscene_section *section; (section = bspr_next_section(&c)); c.section++) {
		add_spans(&parts->parts[c.part], section, box, axis, out);
	}
	/* compares `low`, which is the first member */
	if (out->count) qsort(out->spans, out->count, sizeof *out->spans, compare_floats);
}

static uint64_t count_triangles(const bspr_parts *parts)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < parts->count; i++) count += parts->parts[i].mesh->index_count / 3;
	return count;
}

/* Leaves out small parts that are far from the rest with empty space between, such as rooms behind a teleporter. */
static void leave_islands(const bspr_parts *parts, bspscene_bounds *box)
{
	/* An island is left out if it has at most 1/LARGEST of the triangles. The empty gap before it must be at least
	 * 1/NEAREST of the box's length. The map must have at least FEWEST_TRIANGLES. */
	enum { PASSES = 2, LARGEST = 10, FEWEST_TRIANGLES = 100, NEAREST = 10 };
	uint64_t all = count_triangles(parts), step = step_of(all);
	spans sorted = { .room = (uint32_t)(all / step), .step = step };
	sorted.spans = sorted.room ? malloc(sorted.room * sizeof *sorted.spans) : NULL;
	for (uint32_t i = 0; sorted.spans && i < PASSES * 3; i++) {
		uint32_t axis = i % 3;
		sort_spans(parts, box, axis, &sorted);
		if (sorted.count < FEWEST_TRIANGLES) continue;
		float reach = sorted.spans[0].high, gap = (box->max[axis] - box->min[axis]) / NEAREST;
		for (uint32_t k = 1; k < sorted.count; reach = fmaxf(reach, sorted.spans[k++].high)) {
			if (sorted.spans[k].low - reach < gap) continue;
			if (k <= sorted.count / LARGEST) {
				box->min[axis] = sorted.spans[k].low;
			} else if (sorted.count - k <= sorted.count / LARGEST) {
				box->max[axis] = reach;
				break;
			}
		}
	}
	free(sorted.spans);
}

/* ---- Player starts and items -------------------------------------------------------------------------------- */

/* Returns the bounds of player starts and items, enlarged by the space around them. Empty if the map has neither. */
static bspscene_bounds players_part(const bspscene_scene *scene)
{
	const float reach = 512, share = 1.0f / 8;
	bspscene_bounds box = bspr_starts(scene, true);
	for (int i = 0; i < 3 && !bspr_is_empty(&box); i++) {
		float grown = reach + (box.max[i] - box.min[i]) * share;
		box.min[i] -= grown;
		box.max[i] += grown;
	}
	return box;
}

static void intersect(bspscene_bounds *box, const bspscene_bounds *other)
{
	for (int i = 0; i < 3; i++) {
		box->min[i] = fmaxf(box->min[i], other->min[i]);
		box->max[i] = fminf(box->max[i], other->max[i]);
	}
}

/* True if at least 90 % of the corners in the box are also in the smaller box. */
static bool holds_most(const bspr_parts *parts, const bspscene_bounds *box, const bspscene_bounds *smaller)
{
	const double most = 0.9;
	uint32_t all = 0, kept = 0;
	for (bspr_corners c = { .parts = parts }; bspr_next_corner(&c);) {
		if (!bspr_in_box(c.at, box)) continue;
		all++;
		kept += bspr_in_box(c.at, smaller);
	}
	return kept && kept >= most * all;
}

/* ---- Visibility from player starts -------------------------------------------------------------------------- */

static void reach_cluster(bool *reached, uint32_t *queue, uint32_t *count, uint32_t cluster)
{
	if (reached[cluster]) return;
	reached[cluster] = true;
	queue[(*count)++] = cluster;
}

static void reach_node(const bspscene_scene *scene, uint32_t node, bool *reached, uint32_t *queue, uint32_t *count)
{
	float transform[12];
	bspscene_node_world_transform(scene, node, transform);
	const float place[3] = { transform[3], transform[7], transform[11] };
	uint32_t leaf = bspscene_find_leaf(scene, place);
	uint32_t cluster = leaf == BSPSCENE_NO_INDEX ? leaf : scene->tree->leafs[leaf].cluster;
	if (cluster < scene->vis->cluster_count) reach_cluster(reached, queue, count, cluster);
}

/* Marks the clusters that are visible from a start or an item, or (transitively) from a marked one. Returns their
 * number. */
static uint32_t reach_clusters(const bspscene_scene *scene, bool *reached, uint32_t *queue)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->camera_count; i++) {
		if (scene->cameras[i]->kind != BSPSCENE_CAMERA_SPAWN) continue;
		reach_node(scene, scene->cameras[i]->node, reached, queue, &count);
	}
	for (uint32_t i = 0; i < scene->prop_count; i++) {
		if (scene->props[i]->entity != BSPSCENE_NO_INDEX) {
			reach_node(scene, scene->props[i]->node, reached, queue, &count);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < scene->vis->cluster_count; k++) {
			if (!reached[k] && bspscene_cluster_visible(scene, queue[i], k)) reach_cluster(reached, queue, &count, k);
		}
	}
	return count;
}

/* Returns the bounds of those faces of the world that are in the reached clusters or in no cluster. */
static bspscene_bounds bounds_of_reached(const bspr_parts *parts, const bspscene_bounds *box, const bool *reached)
{
	const bspscene_scene *scene = parts->scene;
	bspscene_bounds out = bspr_nothing;
	bspr_corners c = { .parts = parts };
	for (const bspscene_section *section; (section = bspr_next_section(&c)); c.section++) {
		for (uint32_t i = section->first_face; i < section->first_face + section->face_count; i++) {
			const bspscene_face *face = &scene->faces[i];
			if (face->cluster < scene->vis->cluster_count && !reached[face->cluster]) continue;
			for (uint32_t v = 0; v < face->vertex_count; v++) {
				float at[3];
				bspr_place_corner(&parts->parts[c.part], face->first_vertex + v, at);
				if (bspr_in_box(at, box)) bspr_add_point(&out, at);
			}
		}
	}
	return out;
}

/* Computes the bounds without places that are not visible from where players can be, such as scenery around the sky.
 * False if the map has no data to decide this. */
static bool find_reached(const bspr_parts *parts, const bspscene_bounds *box, bspscene_bounds *out)
{
	enum { MOST_CLUSTERS = 16384 };
	uint32_t clusters = parts->scene->vis->cluster_count;
	if (!clusters || clusters > MOST_CLUSTERS || !parts->scene->faces) return false;
	bool *reached = calloc(clusters, sizeof *reached);
	uint32_t *queue = malloc(clusters * sizeof *queue), count = 0;
	if (reached && queue) count = reach_clusters(parts->scene, reached, queue);
	if (count && count < clusters) *out = bounds_of_reached(parts, box, reached);
	free(reached);
	free(queue);
	return count && count < clusters && !bspr_is_empty(out);
}

bspscene_bounds bspr_shown_part(const bspr_parts *parts, bspr_is_nearer_fn *is_nearer)
{
	bspscene_bounds box = main_part(parts), mainland = box, players = players_part(parts->scene), reached;
	leave_islands(parts, &mainland);
	if (is_nearer(parts, &mainland, &box)) box = mainland;
	if (find_reached(parts, &box, &reached) && is_nearer(parts, &reached, &box)) box = reached;
	players.max[2] = box.max[2]; /* keeps towers and roofs, which are visible from below */
	intersect(&players, &box);
	if (holds_most(parts, &box, &players) && is_nearer(parts, &players, &box)) box = players;
	return box;
}
