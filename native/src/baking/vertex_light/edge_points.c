/* edge_points.c - divides the edges between charts, each edge once for all triangles that meet there. See
 * vertex_light.h. An edge gets the fewest points with which the light of all triangles along it is within the error.
 * Candidates for points are the crossings of the edge with the lines through the centers of luxels, between which
 * light is nearly linear. Points half way between two crossings are candidates too. The points form a minimum-link
 * path along the edge (Imai and Iri 1986). A piece of the path may link two candidates if the line between their
 * lights is within the error at every candidate and for every triangle. The cone of allowed slopes narrows with each
 * candidate (cone intersection, Sklansky and Gonzalez 1980), so testing a piece that is longer by one candidate takes
 * one step. */
#include "baking/vertex_light/vertex_light.h"

#include <math.h>

#include "base/vec.h"
#include "drawing/four.h"

enum {
	EDGES_PER_TASK = 2048,
	MOST_SIDES = 16,                   /* limit for the sides of an edge that are tested; further sides get the same
	                                    * points without a test */
	MOST_CROSSINGS = 512,              /* limit for the crossings of one side with the lines of one axis */
	MOST_CANDIDATES = 2048,
	MOST_TESTS = 1 << 17,              /* limit for the pairs of candidates that are tested for one edge */
	STEPS_OF_COLORS = 24
};

/* SHORTEST: an edge that is not longer is not divided. SHORTEST_PIECE: least length of a piece. Both are in half
 * luxels; for light in vertices, in game units. */
#define SHORTEST 0.5f
#define SHORTEST_PIECE 0.1f
#define HALVED 0.9f                    /* a piece that is longer may get a candidate in its middle */
#define ALONG_AXIS 0.05f

/* The light of one side along an edge, from the lower position to the higher one. */
typedef struct edge_side {
	const bspi_light_source *source;
	float places[2][2], colors[2][3];
	float length;                      /* half luxels */
} edge_side;

/* The light of one side at a candidate: linear light, the lowest and highest allowed light, and display values. Each is
 * RGB and one more number. */
typedef struct side_light {
	float light[4], low[4], high[4], display[4];
} side_light;

/* Working memory for one edge at a time, reused by a task. */
typedef struct profile {
	edge_side sides[MOST_SIDES]; uint32_t side_count;
	float candidates[MOST_CANDIDATES], merged[MOST_CANDIDATES]; uint32_t candidate_count;
	side_light *lights; size_t light_capacity; /* per candidate and side */
	float costs[MOST_CANDIDATES];
	uint32_t from[MOST_CANDIDATES];
	bspi_four steepest[MOST_SIDES], flattest[MOST_SIDES];
} profile;

typedef struct points_job {
	bspi_ctx *ctx;
	bspi_light_mesh *mesh;
	bool *is_divided;                  /* per edge: true if the work budget allows dividing it */
} points_job;

/* Result of a task: the number of points of each edge, then the points of all edges. */
typedef struct found_points {
	uint32_t *counts;
	float *points; uint32_t point_count, capacity;
} found_points;

/* ---- Sides ------------------------------------------------------------------------------------------------ */

static float length_on_page(const edge_side *side)
{
	float x = side->places[1][0] - side->places[0][0], y = side->places[1][1] - side->places[0][1];
	return sqrtf(x * x + y * y);
}

static edge_side side_of(const bspi_light_mesh *mesh, const bspi_shared_edge *edge, uint32_t side)
{
	const bspi_light_chart *chart = &mesh->charts[mesh->charts_of_triangles[side / 3]];
	edge_side out = { .source = &mesh->sources[chart->section] };
	uint32_t ends[2] = { mesh->mesh->indices[side], mesh->mesh->indices[side % 3 == 2 ? side - 2 : side + 1] };
	if (mesh->places[ends[0]] != edge->low) {
		uint32_t swap = ends[0];
		ends[0] = ends[1];
		ends[1] = swap;
	}
	for (int i = 0; i < 2; i++) {
		bspi_place_on_page(mesh, out.source, ends[i], out.places[i]);
		bspi_color_of_vertex(mesh, ends[i], out.colors[i]);
	}
	out.length = length_on_page(&out);
	return out;
}

static float length_in_game(const bspi_light_mesh *mesh, const bspi_shared_edge *edge)
{
	const float *positions = mesh->mesh->positions;
	return sqrtf(bspi_distance_squared(positions + 3 * (size_t)edge->low, positions + 3 * (size_t)edge->high));
}

/* True if vertex colors differ so much at the ends that a straight line may be off. */
static bool colors_differ(const edge_side *side, float error)
{
	float most = 0;
	for (int i = 0; i < 3; i++) most = fmaxf(most, fabsf(side->colors[1][i] - side->colors[0][i]));
	return most * side->source->scale * BSPI_MOST_OFF > error;
}

static bool is_needed(const edge_side *side, float length, float error)
{
	if (side->source->even) return false;
	if (side->source->page) return side->length > SHORTEST;
	return length > SHORTEST && colors_differ(side, error);
}

static bool same_side(const edge_side *a, const edge_side *b)
{
	return a->source == b->source && !memcmp(a->places, b->places, sizeof a->places) &&
	       (!a->source->colors || !memcmp(a->colors, b->colors, sizeof a->colors));
}

static void find_sides(const bspi_light_mesh *mesh, const bspi_shared_edge *edge, float error, profile *p)
{
	float length = length_in_game(mesh, edge);
	p->side_count = 0;
	uint32_t side = edge->first_side;
	for (uint32_t i = 0; i < edge->side_count && p->side_count < MOST_SIDES; i++, side = mesh->next_sides[side]) {
		edge_side *out = &p->sides[p->side_count];
		if (mesh->charts_of_triangles[side / 3] == BSPSCENE_NO_INDEX) continue;
		*out = side_of(mesh, edge, side);
		bool known = !is_needed(out, length, error);
		for (uint32_t k = 0; k < p->side_count; k++) known = known || same_side(out, &p->sides[k]);
		p->side_count += !known;
	}
}

/* ---- Candidates ------------------------------------------------------------------------------------------- */

/* Merges ascending numbers into a list. */
static void merge(profile *p, const float *added, uint32_t count)
{
	uint32_t i = 0, k = 0, at = 0, before = p->candidate_count;
	while (at < MOST_CANDIDATES && (i < before || k < count)) {
		bool first = k == count || (i < before && p->candidates[i] <= added[k]);
		p->merged[at++] = first ? p->candidates[i++] : added[k++];
	}
	memcpy(p->candidates, p->merged, at * sizeof *p->candidates);
	p->candidate_count = at;
}

/* Finds where a side crosses the lines through the centers of luxels, for one axis. Centers have odd coordinates. */
static void add_crossings(profile *p, const edge_side *side, int axis)
{
	float from = side->places[0][axis], to = side->places[1][axis], shares[MOST_CROSSINGS];
	float low = fmaxf(fminf(from, to), 0), high = fmaxf(from, to);
	uint32_t size = axis ? side->source->page->height : side->source->page->width, count = 0;
	high = fminf(high, 2 * (float)size);
	if (!(high - low > 1e-3f)) return;
	int32_t first = ((int32_t)low | 1), last = (int32_t)high, step = 2;
	while ((last - first) / step >= MOST_CROSSINGS) step *= 2;
	for (int32_t at = first; at <= last && count < MOST_CROSSINGS; at += step) {
		float share = ((float)at - from) / (to - from);
		if (share > 0 && share < 1) shares[count++] = share;
	}
	for (uint32_t i = 0; to < from && i < count / 2; i++) {
		float swap = shares[i];
		shares[i] = shares[count - 1 - i];
		shares[count - 1 - i] = swap;
	}
	merge(p, shares, count);
}

static void add_steps(profile *p)
{
	float shares[STEPS_OF_COLORS - 1];
	for (int i = 1; i < STEPS_OF_COLORS; i++) shares[i - 1] = (float)i / STEPS_OF_COLORS;
	merge(p, shares, STEPS_OF_COLORS - 1);
}

/* Drops candidates that are too close to the one before, and adds both ends of the edge. */
static void space_candidates(profile *p, float length)
{
	float least = SHORTEST_PIECE / length, before = 0;
	uint32_t count = 0;
	p->merged[count++] = 0;
	for (uint32_t i = 0; i < p->candidate_count && count < MOST_CANDIDATES - 1; i++) {
		float at = p->candidates[i];
		if (at - before < least || 1 - at < least) continue;
		p->merged[count++] = before = at;
	}
	p->merged[count++] = 1;
	memcpy(p->candidates, p->merged, count * sizeof *p->candidates);
	p->candidate_count = count;
}

static float find_candidates(profile *p)
{
	float length = 0;
	bool steps = false;
	p->candidate_count = 0;
	for (uint32_t i = 0; i < p->side_count; i++) {
		const edge_side *side = &p->sides[i];
		if (!side->source->page) steps = true;
		for (int axis = 0; side->source->page && axis < 2; axis++) add_crossings(p, side, axis);
		length = fmaxf(length, side->length);
	}
	if (steps) add_steps(p);
	if (steps) length = fmaxf(length, STEPS_OF_COLORS);
	space_candidates(p, length);
	return length;
}

static void ask_sides(const profile *p, float t, side_light *out)
{
	for (uint32_t s = 0; s < p->side_count; s++, out++) {
		const edge_side *side = &p->sides[s];
		float place[2], color[3] = { 1, 1, 1 };
		uint16_t levels[3];
		for (int k = 0; k < 2; k++) place[k] = side->places[0][k] + (side->places[1][k] - side->places[0][k]) * t;
		for (int k = 0; side->source->colors && k < 3; k++) {
			color[k] = side->colors[0][k] + (side->colors[1][k] - side->colors[0][k]) * t;
		}
		bspi_light_levels(side->source, place, color, levels);
		for (int k = 0; k < 3; k++) {
			const bspi_light_step *step = &side->source->steps[levels[k]];
			out->light[k] = step->light;
			out->low[k] = step->low;
			out->high[k] = step->high;
			out->display[k] = step->display;
		}
		out->light[3] = out->low[3] = out->high[3] = out->display[3] = 0;
	}
}

/* True if the light may be curved between candidates. Along an axis, it is linear between the centers of luxels. In
 * other directions it is quadratic, because pages are sampled bilinearly. */
static bool bends(const profile *p)
{
	for (uint32_t i = 0; i < p->side_count; i++) {
		const edge_side *side = &p->sides[i];
		float x = fabsf(side->places[1][0] - side->places[0][0]), y = fabsf(side->places[1][1] - side->places[0][1]);
		if (fminf(x, y) > ALONG_AXIS * fmaxf(x, y)) return true;
	}
	return false;
}

/* True if the light of some side differs so much between two neighboring candidates that a straight line may be off. */
static bool differ(const side_light *a, const side_light *b, uint32_t side_count, float error)
{
	for (uint32_t s = 0; s < side_count; s++) {
		bspi_four away = bspi_four_difference(bspi_four_load(a[s].display), bspi_four_load(b[s].display));
		if (bspi_four_beyond(bspi_four_times(away, BSPI_MOST_OFF), error)) return true;
	}
	return false;
}

/* Samples the light at all candidates, and half way between them where needed. */
static void ask_candidates(profile *p, float length, float error)
{
	uint32_t width = p->side_count, count = 0;
	bool halved = bends(p);
	for (uint32_t i = 0; i < p->candidate_count && count < MOST_CANDIDATES - 1; i++) {
		float at = p->candidates[i], before = count ? p->merged[count - 1] : 0;
		side_light *out = p->lights + (size_t)count * width;
		ask_sides(p, at, out);
		if (count && (at - before) * length > HALVED && (halved || differ(out - width, out, width, error))) {
			memcpy(out + width, out, width * sizeof *out);
			ask_sides(p, p->merged[count++] = (before + at) / 2, out);
		}
		p->merged[count++] = at;
	}
	memcpy(p->candidates, p->merged, count * sizeof *p->candidates);
	p->candidate_count = count;
}

/* ---- The fewest pieces ------------------------------------------------------------------------------------ */

/* Returns true if the straight line from `start` to `end` is within the cone of allowed slopes. Then narrows the cone
 * by the bounds at `end`. *passes is false if no line can pass any more. */
static bool look(profile *p, const side_light *start, const side_light *end, float scale, bool *passes)
{
	bool fits = true, any = true;
	for (uint32_t s = 0; s < p->side_count; s++) {
		bspi_four from = bspi_four_load(start[s].light);
		bspi_four slope = bspi_four_times(bspi_four_difference(bspi_four_load(end[s].light), from), scale);
		bspi_four low = bspi_four_times(bspi_four_difference(bspi_four_load(end[s].low), from), scale);
		bspi_four high = bspi_four_times(bspi_four_difference(bspi_four_load(end[s].high), from), scale);
		if (bspi_four_above(p->flattest[s], slope) || bspi_four_above(slope, p->steepest[s])) fits = false;
		p->flattest[s] = bspi_four_larger(low, p->flattest[s]);
		p->steepest[s] = bspi_four_smaller(high, p->steepest[s]);
		if (bspi_four_above(p->flattest[s], p->steepest[s])) any = false;
	}
	*passes = any;
	return fits;
}

/* The best path to candidate i is extended by one piece, to each later candidate that the error allows. Among paths
 * with the same number of pieces, the one with the least sum of squared lengths is kept, because its pieces are most
 * even. */
static void look_from(profile *p, uint32_t i, uint32_t window)
{
	uint32_t last = p->candidate_count - 1;
	const side_light *start = p->lights + (size_t)i * p->side_count;
	for (uint32_t s = 0; s < p->side_count; s++) {
		p->flattest[s] = bspi_four_same(-INFINITY);
		p->steepest[s] = bspi_four_same(INFINITY);
	}
	bool passes = true;
	for (uint32_t j = i + 1; j <= last && j - i <= window && passes; j++) {
		float across = p->candidates[j] - p->candidates[i];
		bool fits = look(p, start, p->lights + (size_t)j * p->side_count, 1 / across, &passes);
		if (!fits && j > i + 1) continue;
		float cost = p->costs[i] + 1 + 0.01f * across * across;
		if (cost >= p->costs[j]) continue;
		p->costs[j] = cost;
		p->from[j] = i;
	}
}

static bool put_points(bspi_task *task, const profile *p, found_points *out, uint32_t *count)
{
	uint32_t last = p->candidate_count - 1;
	*count = 0;
	for (uint32_t j = p->from[last]; j > 0; j = p->from[j]) ++*count;
	if (out->point_count + *count > out->capacity) {
		uint32_t capacity = 2 * (out->point_count + *count) + 256;
		float *points = bspi_arena_alloc_unset(&task->arena, capacity, sizeof *points);
		if (!points) return false;
		if (out->point_count) memcpy(points, out->points, out->point_count * sizeof *points);
		out->points = points;
		out->capacity = capacity;
	}
	uint32_t at = out->point_count += *count;
	for (uint32_t j = p->from[last]; j > 0; j = p->from[j]) out->points[--at] = p->candidates[j];
	return true;
}

/* Makes room for the light at all candidates and at the points half way between them. */
static bool make_lights(bspi_task *task, profile *p)
{
	size_t count = (2 * (size_t)p->candidate_count + 1) * p->side_count;
	if (count <= p->light_capacity) return true;
	p->lights = bspi_arena_alloc_unset(&task->arena, 2 * count, sizeof *p->lights);
	p->light_capacity = p->lights ? 2 * count : 0;
	return p->lights != NULL;
}

static bool divide_edge(bspi_task *task, profile *p, float error, found_points *out, uint32_t *count)
{
	*count = 0;
	if (!p->side_count) return true;
	float length = find_candidates(p);
	if (!make_lights(task, p)) return false;
	ask_candidates(p, length, error);
	if (p->candidate_count <= 2) return true;
	uint32_t window = MOST_TESTS / (p->candidate_count * p->side_count) + 1;
	for (uint32_t i = 0; i < p->candidate_count; i++) p->costs[i] = i ? INFINITY : 0;
	for (uint32_t i = 0; i + 1 < p->candidate_count; i++) {
		look_from(p, i, window);
		if (!i && p->costs[p->candidate_count - 1] < INFINITY) return true;
	}
	return put_points(task, p, out, count);
}

/* ---- All edges -------------------------------------------------------------------------------------------- */

static bool find_points(void *user, bspi_task *task)
{
	points_job *job = user;
	uint32_t first = task->index * EDGES_PER_TASK, count = job->mesh->edge_count - first;
	if (count > EDGES_PER_TASK) count = EDGES_PER_TASK;
	found_points *out = bspi_arena_alloc(&task->arena, 1, sizeof *out);
	profile *p = out ? bspi_arena_alloc_unset(&task->arena, 1, sizeof *p) : NULL;
	if (p) out->counts = bspi_arena_alloc(&task->arena, count, sizeof *out->counts);
	if (p) p->light_capacity = 0;
	bool well = p && out->counts;
	for (uint32_t i = 0; well && i < count; i++) {
		const bspi_shared_edge *edge = &job->mesh->edges[first + i];
		if (edge->inner || !job->is_divided[first + i]) continue;
		find_sides(job->mesh, edge, job->mesh->error, p);
		well = divide_edge(task, p, job->mesh->error, out, &out->counts[i]);
	}
	task->result = out;
	return well || bspi_task_fail_memory(task);
}

static bool take_points(void *user, bspi_task *task)
{
	points_job *job = user;
	const found_points *found = task->result;
	uint32_t first = task->index * EDGES_PER_TASK, count = job->mesh->edge_count - first, at = 0;
	if (count > EDGES_PER_TASK) count = EDGES_PER_TASK;
	float *points = bspi_arena_alloc_unset(&job->ctx->scratch, found->point_count, sizeof *points);
	if (!points) return bspi_task_fail_memory(task);
	if (found->point_count) memcpy(points, found->points, found->point_count * sizeof *points);
	for (uint32_t i = 0; i < count; i++) {
		job->mesh->edges[first + i].points = points + at;
		job->mesh->edges[first + i].point_count = found->counts[i];
		at += found->counts[i];
	}
	return true;
}

/* Returns the number of samples along an edge. */
static uint64_t size_of_edge(const bspi_light_mesh *mesh, const bspi_shared_edge *edge)
{
	uint32_t side = edge->first_side;
	double size = 0;
	for (uint32_t i = 0; i < edge->side_count && i < MOST_SIDES; i++, side = mesh->next_sides[side]) {
		if (mesh->charts_of_triangles[side / 3] == BSPSCENE_NO_INDEX) continue;
		size += fminf(side_of(mesh, edge, side).length, MOST_CROSSINGS) + 1;
	}
	return (uint64_t)size;
}

static bool is_edge_sampled(const bspi_light_mesh *mesh, const bspi_shared_edge *edge, double sampling_rate)
{
	uint32_t side = edge->first_side;
	for (uint32_t i = 0; i < edge->side_count; i++, side = mesh->next_sides[side]) {
		uint32_t chart = mesh->charts_of_triangles[side / 3];
		if (chart != BSPSCENE_NO_INDEX && bspi_is_chart_sampled(mesh, chart, sampling_rate)) return true;
	}
	return false;
}

bool bspi_find_edge_points(bspi_ctx *ctx, bspi_light_mesh *mesh, double sampling_rate, uint64_t *luxels_left)
{
	points_job user = { .ctx = ctx, .mesh = mesh };
	user.is_divided = bspi_push(ctx, &ctx->stage, bool, mesh->edge_count);
	BSPI_TRY(user.is_divided);
	for (uint32_t i = 0; i < mesh->edge_count; i++) {
		if (mesh->edges[i].inner || !is_edge_sampled(mesh, &mesh->edges[i], sampling_rate)) continue;
		uint64_t size = size_of_edge(mesh, &mesh->edges[i]);
		user.is_divided[i] = size <= *luxels_left;
		if (user.is_divided[i]) *luxels_left -= size;
		else mesh->left_out = true;
	}
	const bspi_job job = { .count = (mesh->edge_count + EDGES_PER_TASK - 1) / EDGES_PER_TASK, .work = find_points,
	                       .finish = take_points, .user = &user };
	bool well = bspi_run_load_job(ctx, &job);
	bspi_arena_reset(&ctx->stage);
	return well;
}
