/* subdivide.c - triangles are split where linear light between their corners is not the game's. See vertex_light.h.
 *
 * In rounds: edges of new triangles are looked at, and the middle of triangles none of whose edges is split; an edge
 * that is to be split is noted by its place, not its vertices, so that all triangles that have it, whatever their face,
 * material and light, split it in this round. One, two or three split edges make two, three or four triangles of one.
 * (Red and green refinement, with the decision shared across seams.) */
#include "passes/vertex_light.h"

#include <math.h>
#include <stdlib.h>

#include "base/pairs.h"
#include "base/vec.h"

enum { MOST_ROUNDS = 12, FEWEST_SAMPLES = 4, MOST_SAMPLES = 48, MOST_STEPS_INSIDE = 16 };

/* Shorter edges are left as they are: a luxel, or where light is in the vertices, a unit of length. */
#define SHORTEST 1.0f

/* How work goes on from round to round, on the average of the maps that were measured (tests/bench/bench_progress.c):
 * triangles get smaller, so one is looked at in less time than before; the next round has so many times the triangles
 * of this one as this one had of the last, and a little less. */
#define CHEAPER 0.72
#define LESS_GROWTH 0.8
#define FIRST_GROWTH 1.2
/* In a round: looking at edges, then inside, then splitting. */
#define SHARE_EDGES 0.55
#define SHARE_LOOKED 0.8
#define TRIANGLES_PER_STEP 8192u

typedef struct round_state {
	bspi_ctx *ctx;
	bspi_division *division;
	float error;
	const bspi_light_work *work;
	double cost, left;                 /* of this round; of it and those that are expected to follow */
	bspi_pairs asked;                  /* by vertices: was looked at in this round */
	bspi_pairs split;                  /* by places: is split at the place in its value */
	bspi_pairs middles;                /* by vertices: the vertex in the middle */
} round_state;

static const uint32_t ends[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };

static uint64_t key_of(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static uint64_t place_key(const bspi_division *d, uint32_t a, uint32_t b)
{
	return key_of(d->vertices[a].place, d->vertices[b].place);
}

static const bspi_light_rule *rule_of(const bspi_division *d, const bspi_lit_triangle *triangle)
{
	return &d->rules[d->sections[triangle->origin]];
}

static bool is_degenerate(const uint32_t *c)
{
	return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
}

/* ---- Looking ---------------------------------------------------------------------------------------------- */

/* Does the game's light at a point (weights of three corners) differ from what is interpolated there? */
static bool differs(const round_state *state, const bspi_light_rule *rule, const bspi_lit_vertex *const corners[3],
                    const float weights[3])
{
	float uv[2] = { 0, 0 }, color[3] = { 0, 0, 0 }, seen[3] = { 0, 0, 0 }, light[3];
	for (int k = 0; k < 3; k++) {
		const bspi_lit_vertex *v = corners[k];
		for (int i = 0; i < 2; i++) uv[i] += v->uv[i] * weights[k];
		for (int i = 0; i < 3; i++) color[i] += v->color[i] * weights[k];
		for (int i = 0; i < 3; i++) seen[i] += v->light[i] * weights[k];
	}
	bspi_light_at(rule, uv, color, light);
	for (int i = 0; i < 3; i++) {
		float difference = bspi_curve_display(rule->curves, light[i]) - bspi_curve_display(rule->curves, seen[i]);
		if (fabsf(difference) > state->error) return true;
	}
	return false;
}

/* Luxels along an edge, or its length in the game where light is in the vertices. */
static float length_of(const bspi_light_rule *rule, const bspi_lit_vertex *a, const bspi_lit_vertex *b)
{
	if (rule->page != BSPSCENE_NO_INDEX) return bspi_luxels_between(rule, a->uv, b->uv);
	float across[3] = { b->position[0] - a->position[0], b->position[1] - a->position[1],
	                    b->position[2] - a->position[2] };
	return sqrtf(bspi_dot(across, across));
}

static bool edge_differs(const round_state *state, const bspi_light_rule *rule, uint32_t from, uint32_t to)
{
	const bspi_lit_vertex *vertices = state->division->vertices, *a = &vertices[from], *b = &vertices[to];
	const bspi_lit_vertex *const corners[3] = { a, b, b };
	float length = length_of(rule, a, b);
	if (!(length > SHORTEST)) return false;
	bool mapped = rule->page != BSPSCENE_NO_INDEX;
	int samples = mapped ? (int)fminf(fmaxf(2 * length, FEWEST_SAMPLES), MOST_SAMPLES) : FEWEST_SAMPLES;
	for (int i = 1; i < samples; i++) {
		float t = (float)i / (float)samples;
		if (differs(state, rule, corners, (const float[3]){ 1 - t, t, 0 })) return true;
	}
	return false;
}

/* At the middle, and where the triangle is large, at a point for about each luxel. */
static bool inside_differs(const round_state *state, const bspi_light_rule *rule, const bspi_lit_triangle *triangle,
                           float longest)
{
	const bspi_lit_vertex *vertices = state->division->vertices;
	const bspi_lit_vertex *const corners[3] = { &vertices[triangle->corners[0]], &vertices[triangle->corners[1]],
	                                            &vertices[triangle->corners[2]] };
	static const float middle[3] = { 1 / 3.0f, 1 / 3.0f, 1 / 3.0f };
	if (differs(state, rule, corners, middle)) return true;
	int steps = rule->page != BSPSCENE_NO_INDEX ? (int)fminf(ceilf(longest), MOST_STEPS_INSIDE) : 0;
	for (int i = 1; i < steps; i++) {
		for (int j = 1; j < steps - i; j++) {
			float u = (float)i / (float)steps, v = (float)j / (float)steps;
			if (differs(state, rule, corners, (const float[3]){ 1 - u - v, u, v })) return true;
		}
	}
	return false;
}

static bool split_edge(round_state *state, uint32_t a, uint32_t b)
{
	bool is_new;
	uint32_t *place = bspi_pairs_add(state->ctx, &state->split, place_key(state->division, a, b), &is_new);
	BSPI_TRY(place);
	if (is_new) *place = state->division->place_count++;
	return true;
}

static bool is_split(const round_state *state, uint32_t a, uint32_t b)
{
	return bspi_pairs_find(&state->split, place_key(state->division, a, b)) != NULL;
}

static bool look_at_edges(round_state *state, const bspi_lit_triangle *triangle)
{
	for (int e = 0; e < 3; e++) {
		uint32_t a = triangle->corners[ends[e][0]], b = triangle->corners[ends[e][1]];
		bool is_new;
		BSPI_TRY(bspi_pairs_add(state->ctx, &state->asked, key_of(a, b), &is_new));
		if (!is_new || is_split(state, a, b)) continue;
		if (edge_differs(state, rule_of(state->division, triangle), a, b)) BSPI_TRY(split_edge(state, a, b));
	}
	return true;
}

static bool look_inside(round_state *state, const bspi_lit_triangle *triangle)
{
	const bspi_lit_vertex *vertices = state->division->vertices;
	const bspi_light_rule *rule = rule_of(state->division, triangle);
	float longest = 0;
	int which = 0;
	for (int e = 0; e < 3; e++) {
		uint32_t a = triangle->corners[ends[e][0]], b = triangle->corners[ends[e][1]];
		if (is_split(state, a, b)) return true;
		float length = length_of(rule, &vertices[a], &vertices[b]);
		if (length > longest) {
			longest = length;
			which = e;
		}
	}
	if (!(longest > SHORTEST) || !inside_differs(state, rule, triangle, longest)) return true;
	return split_edge(state, triangle->corners[ends[which][0]], triangle->corners[ends[which][1]]);
}

static bool is_open(const bspi_division *d, const bspi_lit_triangle *triangle)
{
	return !triangle->settled && !bspi_light_is_even(rule_of(d, triangle));
}

static uint32_t count_open(const bspi_division *d)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < d->triangle_count; i++) count += is_open(d, &d->triangles[i]);
	return count;
}

/* Of all rounds from one on that costs so much. */
static double cost_from(double cost, int round, double growth)
{
	double sum = 0;
	for (; round < MOST_ROUNDS; round++) {
		sum += cost;
		cost *= growth * CHEAPER;
		growth *= LESS_GROWTH;
	}
	return sum;
}

/* `share` of the round is done. */
static bool report(const round_state *state, double share)
{
	const bspi_light_work *work = state->work;
	double expected = work->done + state->left + cost_from(work->waiting, 0, FIRST_GROWTH);
	return bspi_progress_share(state->ctx, "light", expected > 0 ? (work->done + share * state->cost) / expected : 0);
}

static bool look(round_state *state, bool (*at)(round_state *state, const bspi_lit_triangle *triangle), double from,
                 double to)
{
	uint32_t count = state->division->triangle_count;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_lit_triangle *triangle = &state->division->triangles[i];
		if (i % TRIANGLES_PER_STEP == 0) BSPI_TRY(report(state, from + (to - from) * bspi_share_done(i, count)));
		if (is_open(state->division, triangle)) BSPI_TRY(at(state, triangle));
	}
	return true;
}

/* ---- Splitting -------------------------------------------------------------------------------------------- */

static bool make_room(bspi_ctx *ctx, bspi_division *d)
{
	if (d->vertex_count < d->vertex_capacity) return true;
	BSPI_CHECK(ctx, d->vertex_capacity <= UINT32_MAX / 4, BSPSCENE_ERROR_LIMIT, BSPI_NOWHERE, "too many vertices");
	uint32_t capacity = d->vertex_capacity * 2 + 64;
	bspi_lit_vertex *vertices = bspi_push_unset(ctx, &ctx->scratch, capacity, sizeof *vertices);
	BSPI_TRY(vertices);
	if (d->vertex_count) memcpy(vertices, d->vertices, d->vertex_count * sizeof *vertices);
	d->vertices = vertices;
	d->vertex_capacity = capacity;
	return true;
}

/* Both sides of a seam compute the same position: addition does not mind the order. */
static bspi_lit_vertex between(const bspi_division *d, const bspi_light_rule *rule, uint32_t from, uint32_t to,
                               uint32_t place)
{
	const bspi_lit_vertex *a = &d->vertices[from], *b = &d->vertices[to];
	bspi_lit_vertex out = { .parents = { from, to }, .place = place };
	out.after = a->after > b->after ? a->after : b->after;
	for (int i = 0; i < 3; i++) out.position[i] = (a->position[i] + b->position[i]) * 0.5f;
	for (int i = 0; i < 2; i++) out.uv[i] = (a->uv[i] + b->uv[i]) * 0.5f;
	for (int i = 0; i < 3; i++) out.color[i] = (a->color[i] + b->color[i]) * 0.5f;
	bspi_light_at(rule, out.uv, out.color, out.light);
	return out;
}

/* The vertex in the middle of each edge that is split, NO_INDEX for the others. */
static bool find_middles(round_state *state, const bspi_lit_triangle *triangle, uint32_t middles[3], int *count)
{
	bspi_division *d = state->division;
	*count = 0;
	for (int e = 0; e < 3; e++) {
		uint32_t a = triangle->corners[ends[e][0]], b = triangle->corners[ends[e][1]];
		const uint32_t *place = bspi_pairs_find(&state->split, place_key(d, a, b));
		middles[e] = BSPSCENE_NO_INDEX;
		if (!place) continue;
		bool is_new;
		uint32_t *vertex = bspi_pairs_add(state->ctx, &state->middles, key_of(a, b), &is_new);
		BSPI_TRY(vertex && make_room(state->ctx, d));
		if (is_new) {
			*vertex = d->vertex_count;
			d->vertices[d->vertex_count] = between(d, rule_of(d, triangle), a, b, *place);
			d->vertex_count++;
		}
		middles[e] = *vertex;
		++*count;
	}
	return true;
}

static float square_between(const bspi_division *d, uint32_t a, uint32_t b)
{
	float sum = 0;
	for (int i = 0; i < 3; i++) {
		float across = d->vertices[b].position[i] - d->vertices[a].position[i];
		sum += across * across;
	}
	return sum;
}

static bspi_lit_triangle *put(bspi_lit_triangle *out, uint32_t a, uint32_t b, uint32_t c, uint32_t origin)
{
	*out = (bspi_lit_triangle){ { a, b, c }, origin, false };
	return out + 1;
}

/* What the triangle becomes, wound as it was. */
static bspi_lit_triangle *put_parts(const bspi_division *d, const bspi_lit_triangle *triangle,
                                    const uint32_t middles[3], int count, bspi_lit_triangle *out)
{
	const uint32_t *c = triangle->corners, origin = triangle->origin;
	if (count == 0) {
		*out = *triangle;
		out->settled = true;
		return out + 1;
	}
	if (count == 3) {
		out = put(out, c[0], middles[0], middles[2], origin);
		out = put(out, middles[0], c[1], middles[1], origin);
		out = put(out, middles[2], middles[1], c[2], origin);
		return put(out, middles[0], middles[1], middles[2], origin);
	}
	/* Turned so that the first edge is split, and of two the first two. */
	int turn = 0;
	while (middles[turn] == BSPSCENE_NO_INDEX || (count == 2 && middles[(turn + 1) % 3] == BSPSCENE_NO_INDEX)) turn++;
	uint32_t a = c[turn], b = c[(turn + 1) % 3], last = c[(turn + 2) % 3];
	uint32_t m = middles[turn], n = middles[(turn + 1) % 3];
	if (count == 1) return put(put(out, a, m, last, origin), m, b, last, origin);
	out = put(out, m, b, n, origin);
	if (square_between(d, a, n) < square_between(d, m, last)) {
		return put(put(out, a, m, n, origin), a, n, last, origin);
	}
	return put(put(out, a, m, last, origin), m, n, last, origin);
}

static uint64_t count_parts(const round_state *state)
{
	const bspi_division *d = state->division;
	uint64_t total = 0;
	for (uint32_t i = 0; i < d->triangle_count; i++) {
		const uint32_t *c = d->triangles[i].corners;
		total += 1;
		for (int e = 0; !is_degenerate(c) && e < 3; e++) total += is_split(state, c[ends[e][0]], c[ends[e][1]]);
	}
	return total;
}

static bool split_triangles(round_state *state, uint32_t total)
{
	bspi_division *d = state->division;
	bspi_lit_triangle *out = bspi_push_unset(state->ctx, &state->ctx->scratch, total, sizeof *out), *first = out;
	BSPI_TRY(out);
	for (uint32_t i = 0; i < d->triangle_count; i++) {
		uint32_t middles[3] = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX };
		int count = 0;
		if (!is_degenerate(d->triangles[i].corners)) {
			BSPI_TRY(find_middles(state, &d->triangles[i], middles, &count));
		}
		out = put_parts(d, &d->triangles[i], middles, count, out);
	}
	d->triangles = first;
	d->triangle_count = total;
	return true;
}

bspi_division_result bspi_divide(bspi_ctx *ctx, bspi_division *division, float error, uint32_t most,
                                 bspi_light_work *work)
{
	double each = 1, before = 0;
	for (int round = 0; round < MOST_ROUNDS; round++, each *= CHEAPER) {
		double open = count_open(division), growth = round ? LESS_GROWTH * open / before : FIRST_GROWTH;
		round_state state = { .ctx = ctx, .division = division, .error = error, .work = work,
		                      .cost = open * each, .left = cost_from(open * each, round, growth) };
		before = open;
		bspi_arena_reset(&ctx->stage);
		if (!look(&state, look_at_edges, 0, SHARE_EDGES) || !look(&state, look_inside, SHARE_EDGES, SHARE_LOOKED)) {
			return BSPI_DIVISION_FAILED;
		}
		work->done += state.cost;
		if (!state.split.count) break;
		uint64_t total = count_parts(&state);
		if (total > most) return BSPI_DIVISION_TOO_LARGE;
		if (!split_triangles(&state, (uint32_t)total)) return BSPI_DIVISION_FAILED;
	}
	return BSPI_DIVIDED;
}

/* ---- Beginning -------------------------------------------------------------------------------------------- */

static bool find_places(bspi_ctx *ctx, bspi_division *d)
{
	bspi_pairs places = { 0 };
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		bspi_lit_vertex *v = &d->vertices[i];
		float at[3];
		for (int k = 0; k < 3; k++) at[k] = v->position[k] + 0.0f; /* one zero only */
		bool is_new;
		uint64_t key = bspi_pairs_hash(at, sizeof at);
		uint32_t *first = NULL;
		/* Another position of the same hash takes the next key. */
		for (;; key++) {
			BSPI_TRY(first = bspi_pairs_add(ctx, &places, key, &is_new));
			if (is_new || !memcmp(d->vertices[*first].position, at, sizeof at)) break;
		}
		memcpy(v->position, at, sizeof at);
		if (is_new) *first = i;
		v->place = is_new ? d->place_count++ : d->vertices[*first].place;
	}
	bspi_arena_reset(&ctx->stage);
	return true;
}

static void fill_vertices(const bspscene_mesh *mesh, const bspscene_section *section, const bspi_light_rule *rule,
                          bspi_division *d)
{
	for (uint32_t i = section->first_vertex; i < section->first_vertex + section->vertex_count; i++) {
		bspi_lit_vertex *v = &d->vertices[i];
		*v = (bspi_lit_vertex){ .parents = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX }, .after = i };
		memcpy(v->position, mesh->positions + 3 * (size_t)i, sizeof v->position);
		if (mesh->lightmap_uvs) memcpy(v->uv, mesh->lightmap_uvs + 2 * (size_t)i, sizeof v->uv);
		for (int k = 0; mesh->colors && k < 3; k++) v->color[k] = (float)mesh->colors[4 * (size_t)i + (size_t)k] / 255;
		bspi_light_at(rule, v->uv, v->color, v->light);
	}
}

bool bspi_begin_division(bspi_ctx *ctx, const bspscene_mesh *mesh, const bspi_light_rule *rules, bspi_division *out)
{
	uint32_t triangle_count = mesh->index_count / 3;
	uint32_t *sections = bspi_push(ctx, &ctx->scratch, uint32_t, triangle_count);
	*out = (bspi_division){ .rules = rules, .sections = sections, .vertex_count = mesh->vertex_count,
	                        .vertex_capacity = mesh->vertex_count, .triangle_count = triangle_count };
	out->vertices = bspi_push(ctx, &ctx->scratch, bspi_lit_vertex, mesh->vertex_count);
	out->triangles = bspi_push(ctx, &ctx->scratch, bspi_lit_triangle, triangle_count);
	BSPI_TRY(sections && out->vertices && out->triangles);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		const bspscene_section *section = &mesh->sections[s];
		fill_vertices(mesh, section, &rules[s], out);
		for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3) {
			bspi_lit_triangle *triangle = &out->triangles[i / 3];
			memcpy(triangle->corners, mesh->indices + i, sizeof triangle->corners);
			triangle->origin = i / 3;
			triangle->settled = is_degenerate(triangle->corners);
			sections[i / 3] = s;
		}
	}
	return find_places(ctx, out);
}
