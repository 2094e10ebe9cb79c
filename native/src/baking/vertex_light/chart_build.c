/* chart_build.c - builds the triangles of a chart in the plane of its page, with the points of their edges. See
 * chart.h. */
#include "baking/vertex_light/chart.h"

#include <math.h>

#include "base/vec.h"
#include "drawing/four.h"

/* PLAIN_SIZE: triangles without a page are scaled so that their longest side has this length in half luxels. FLAT: a
 * triangle whose height is at most this share of its longest side counts as a line. */
#define PLAIN_SIZE 16.0
#define FLAT 1e-4
/* Largest differences from an affine function at which vertex attributes still count as affine over a group. */
#define POSITION_OFF 0.05f             /* game units */
#define UV_OFF 0.002f                  /* repeats of the texture */
#define NORMAL_OFF 0.02f
#define SHARE_OFF 0.01f                /* for alphas and weights, 0..1 */
#define SAMPLES_PER_HALF_LUXEL 60
#define FEWEST_SAMPLES 2048
#define MOST_SPARE 65536u              /* for fewer half luxels than this, twice the memory is allocated, so that later
                                        * charts fit too */

/* ---- Places ----------------------------------------------------------------------------------------------- */

/* Returns corner k of a triangle of the mesh, counter-clockwise on the page. */
static uint32_t corner_of(const bspi_chart *chart, uint32_t triangle, uint32_t k)
{
	return chart->mesh->mesh->indices[3 * (size_t)triangle + (chart->light->mirrored && k ? 3 - k : k)];
}

/* Returns the side (3 * triangle + edge, as in bspi_shared_edge) opposite of corner k. */
static uint32_t side_of(const bspi_chart *chart, uint32_t triangle, uint32_t k)
{
	static const uint32_t sides[2][3] = { { 1, 2, 0 }, { 1, 0, 2 } };
	return 3 * triangle + sides[chart->light->mirrored][k];
}

static void page_place(const bspi_chart *chart, uint32_t vertex, double out[2])
{
	float place[2];
	bspi_place_on_page(chart->mesh, chart->source, vertex, place);
	for (int i = 0; i < 2; i++) out[i] = (double)place[i];
}

/* Places the corners of a single triangle in its own plane. */
static bool plain_places(const bspi_chart *chart, double out[3][2])
{
	const float *at[3];
	double b[3], c[3], bb = 0, bc = 0, cc = 0;
	for (uint32_t k = 0; k < 3; k++) {
		at[k] = chart->mesh->mesh->positions + 3 * (size_t)corner_of(chart, chart->light->first_triangle, k);
	}
	for (int i = 0; i < 3; i++) {
		b[i] = (double)at[1][i] - (double)at[0][i];
		c[i] = (double)at[2][i] - (double)at[0][i];
		bb += b[i] * b[i];
		bc += b[i] * c[i];
		cc += c[i] * c[i];
	}
	double length = sqrt(bb), along = bb > 0 ? bc / length : 0, height = sqrt(fmax(cc - along * along, 0));
	double most = fmax(length, fmax(sqrt(cc), sqrt(fmax(bb + cc - 2 * bc, 0))));
	if (!(most > 0) || !(height > FLAT * most) || !(length > FLAT * most)) return false;
	const double places[3][2] = { { 0, 0 }, { length, 0 }, { along, height } };
	for (int k = 0; k < 3; k++) for (int i = 0; i < 2; i++) out[k][i] = places[k][i] * PLAIN_SIZE / most;
	return true;
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

static bool add_corner(bspi_chart *chart, uint32_t vertex, const double place[2], uint32_t *out)
{
	BSPI_TRY(bspi_chart_add_vertex(chart, place[0], place[1], out));
	bspi_chart_vertex *v = &chart->vertices[*out];
	v->origin = vertex;
	v->stays = true;
	memcpy(v->levels, chart->mesh->levels + 3 * (size_t)vertex, sizeof v->levels);
	for (int i = 0; i < 3; i++) v->light[i] = chart->source->steps[v->levels[i]].light;
	return true;
}

/* Prepares the table that maps vertices of the mesh to vertices of the chart. The vertices of a face are consecutive,
 * and the table covers all of them. */
static bool begin_locals(bspi_chart *chart, uint32_t *first)
{
	uint32_t low = UINT32_MAX, high = 0;
	for (uint32_t i = 0; i < 3 * chart->light->triangle_count; i++) {
		uint32_t vertex = chart->mesh->mesh->indices[3 * (size_t)chart->light->first_triangle + i];
		low = vertex < low ? vertex : low;
		high = vertex > high ? vertex : high;
	}
	uint32_t count = high - low + 1;
	if (count > chart->local_capacity) {
		chart->locals = bspi_arena_alloc_unset(&chart->task->arena, 2 * (size_t)count, sizeof *chart->locals);
		chart->local_capacity = chart->locals ? 2 * count : 0;
		BSPI_TRY(chart->locals);
	}
	for (uint32_t i = 0; i < count; i++) chart->locals[i] = BSPSCENE_NO_INDEX;
	*first = low;
	return true;
}

static bool find_corner(bspi_chart *chart, uint32_t first, uint32_t vertex, uint32_t *out)
{
	uint32_t *local = &chart->locals[vertex - first];
	double place[2];
	if (*local == BSPSCENE_NO_INDEX) {
		page_place(chart, vertex, place);
		BSPI_TRY(add_corner(chart, vertex, place, local));
	}
	*out = *local;
	return true;
}

/* ---- Groups ----------------------------------------------------------------------------------------------- */

static bool add_group(bspi_chart *chart, uint32_t triangle, const uint32_t v[3])
{
	BSPI_TRY(bspi_chart_grow(chart, &chart->groups, chart->group_count, &chart->group_capacity,
	                         sizeof *chart->groups));
	bspi_chart_group *group = &chart->groups[chart->group_count++];
	*group = (bspi_chart_group){ .triangle = triangle, .area = bspi_chart_area(chart, v[0], v[1], v[2]) };
	for (int k = 0; k < 3; k++) {
		group->corners[k][0] = chart->vertices[v[k]].x;
		group->corners[k][1] = chart->vertices[v[k]].y;
	}
	return true;
}

/* Computes barycentric weights at a point: those of the second and third corner of the triangle that defines the
 * group. */
static void shares_in(const bspi_chart_group *group, double x, double y, double out[2])
{
	const double (*c)[2] = group->corners;
	double bx = c[1][0] - c[0][0], by = c[1][1] - c[0][1], cx = c[2][0] - c[0][0], cy = c[2][1] - c[0][1];
	x -= c[0][0];
	y -= c[0][1];
	out[0] = (x * cy - cx * y) / group->area;
	out[1] = (bx * y - x * by) / group->area;
}

static bool fits(const float *array, uint32_t width, const uint32_t corners[3], const double shares[2],
                 uint32_t vertex, float off)
{
	for (uint32_t i = 0; array && i < width; i++) {
		double a = (double)array[(size_t)corners[0] * width + i];
		double b = (double)array[(size_t)corners[1] * width + i], c = (double)array[(size_t)corners[2] * width + i];
		double expected = a + (b - a) * shares[0] + (c - a) * shares[1];
		if (!(fabs(expected - (double)array[(size_t)vertex * width + i]) <= (double)off)) return false;
	}
	return true;
}

/* True if a vertex's alpha fits the plane. The RGB of its color is not compared, because the light comes from the
 * page. */
static bool alpha_fits(const uint8_t *colors, const uint32_t corners[3], const double shares[2], uint32_t vertex)
{
	if (!colors) return true;
	double a = colors[4 * (size_t)corners[0] + 3], b = colors[4 * (size_t)corners[1] + 3];
	double c = colors[4 * (size_t)corners[2] + 3], expected = a + (b - a) * shares[0] + (c - a) * shares[1];
	return fabs(expected - colors[4 * (size_t)vertex + 3]) <= 255 * (double)SHARE_OFF;
}

/* True if all attributes of a vertex agree with the group's affine functions. */
static bool is_on_plane(const bspi_chart *chart, const bspi_chart_group *group, const bspi_chart_vertex *v)
{
	const bspscene_mesh *mesh = chart->mesh->mesh;
	uint32_t corners[3];
	double shares[2];
	for (uint32_t k = 0; k < 3; k++) corners[k] = corner_of(chart, group->triangle, k);
	shares_in(group, v->x, v->y, shares);
	return fits(mesh->positions, 3, corners, shares, v->origin, POSITION_OFF) &&
	       fits(mesh->uvs, 2, corners, shares, v->origin, UV_OFF) &&
	       fits(mesh->normals, 3, corners, shares, v->origin, NORMAL_OFF) &&
	       fits(mesh->blend_alphas, 1, corners, shares, v->origin, SHARE_OFF) &&
	       fits(mesh->blend_weights, 4, corners, shares, v->origin, SHARE_OFF) &&
	       alpha_fits(mesh->colors, corners, shares, v->origin);
}

static uint32_t tag_of(const bspi_chart *chart, uint32_t triangle)
{
	return chart->mesh->mesh->triangle_tags ? chart->mesh->mesh->triangle_tags[triangle] : 0;
}

/* Makes a group from the largest triangle, and one for each triangle that does not fit it. */
static bool find_groups(bspi_chart *chart)
{
	double most = 0;
	uint32_t largest = 0, first = chart->light->first_triangle;
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		const uint32_t *v = chart->triangles[i].v;
		double area = bspi_chart_area(chart, v[0], v[1], v[2]);
		if (area <= most) continue;
		most = area;
		largest = i;
	}
	BSPI_TRY(add_group(chart, first + largest, chart->triangles[largest].v));
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		bspi_chart_triangle *t = &chart->triangles[i];
		bool on_plane = tag_of(chart, first + i) == tag_of(chart, first + largest);
		for (int k = 0; on_plane && k < 3; k++) {
			on_plane = is_on_plane(chart, &chart->groups[0], &chart->vertices[t->v[k]]);
		}
		t->group = on_plane ? 0 : chart->group_count;
		if (!on_plane) BSPI_TRY(add_group(chart, first + i, t->v));
	}
	return true;
}

/* ---- Triangles -------------------------------------------------------------------------------------------- */

static uint32_t beyond_side(const bspi_chart *chart, uint32_t side)
{
	uint32_t index = chart->mesh->edges_of_sides[side];
	if (index == BSPSCENE_NO_INDEX || !chart->mesh->edges[index].inner) return BSPSCENE_NO_INDEX;
	const bspi_shared_edge *edge = &chart->mesh->edges[index];
	uint32_t other = edge->first_side == side ? chart->mesh->next_sides[side] : edge->first_side;
	return other / 3 - chart->light->first_triangle;
}

static bool add_triangles(bspi_chart *chart)
{
	uint32_t count = chart->light->triangle_count, first_local = 0;
	bool plain = chart->light->kind == BSPI_CHART_PLAIN;
	double places[3][2];
	if (plain && !plain_places(chart, places)) return true; /* a triangle without area is left out */
	if (count > 1) BSPI_TRY(begin_locals(chart, &first_local));
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(bspi_chart_grow(chart, &chart->triangles, i, &chart->triangle_capacity, sizeof *chart->triangles));
		bspi_chart_triangle *t = &chart->triangles[chart->triangle_count++];
		*t = (bspi_chart_triangle){ .group = 0 };
		for (uint32_t k = 0; k < 3; k++) {
			uint32_t vertex = corner_of(chart, chart->light->first_triangle + i, k);
			if (count > 1) {
				BSPI_TRY(find_corner(chart, first_local, vertex, &t->v[k]));
			} else {
				if (!plain) page_place(chart, vertex, places[k]);
				BSPI_TRY(add_corner(chart, vertex, places[k], &t->v[k]));
			}
			t->n[k] = beyond_side(chart, side_of(chart, chart->light->first_triangle + i, k));
			chart->vertices[t->v[k]].triangle = i;
		}
	}
	BSPI_TRY(find_groups(chart));
	for (uint32_t i = 0; i < count; i++) {
		bspi_chart_triangle *t = &chart->triangles[i];
		for (int k = 0; k < 3; k++) {
			t->folds[k] = t->n[k] != BSPSCENE_NO_INDEX && chart->triangles[t->n[k]].group != t->group;
		}
	}
	return true;
}

/* ---- Points of edges -------------------------------------------------------------------------------------- */

/* Adds a point on the edge between two vertices of the chart. `share` is 0 at `low` and 1 at `high`. */
static bool add_point(bspi_chart *chart, uint32_t low, uint32_t high, float share, uint32_t *out)
{
	const bspi_chart_vertex a = chart->vertices[low], b = chart->vertices[high];
	double t = (double)share;
	BSPI_TRY(bspi_chart_add_vertex(chart, a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, out));
	bspi_chart_vertex *v = &chart->vertices[*out];
	v->stays = true;
	v->parents[0] = a.origin;
	v->parents[1] = b.origin;
	v->share = share;
	float places[2][2], colors[2][3], place[2], color[3];
	for (int i = 0; i < 2; i++) {
		bspi_place_on_page(chart->mesh, chart->source, v->parents[i], places[i]);
		bspi_color_of_vertex(chart->mesh, v->parents[i], colors[i]);
	}
	for (int i = 0; i < 2; i++) place[i] = places[0][i] + (places[1][i] - places[0][i]) * share;
	for (int i = 0; i < 3; i++) color[i] = colors[0][i] + (colors[1][i] - colors[0][i]) * share;
	bspi_light_levels(chart->source, place, color, v->levels);
	for (int i = 0; i < 3; i++) v->light[i] = chart->source->steps[v->levels[i]].light;
	return true;
}

static const bspi_shared_edge *divided_edge(const bspi_chart *chart, uint32_t side)
{
	uint32_t index = chart->mesh->edges_of_sides[side];
	const bspi_shared_edge *edge = index == BSPSCENE_NO_INDEX ? NULL : &chart->mesh->edges[index];
	return edge && !edge->inner && edge->point_count ? edge : NULL;
}

/* Inserts the points that divide an edge of the chart, which is opposite of corner k of `triangle`. *last becomes the
 * triangle with the last part of this edge. */
static bool split_side(bspi_chart *chart, const bspi_shared_edge *edge, uint32_t triangle, uint32_t k, uint32_t *last)
{
	uint32_t from = chart->triangles[triangle].v[(k + 1) % 3], to = chart->triangles[triangle].v[(k + 2) % 3];
	bool rising = chart->mesh->places[chart->vertices[from].origin] == edge->low;
	*last = triangle;
	for (uint32_t i = 0; i < edge->point_count; i++) {
		float share = edge->points[rising ? i : edge->point_count - 1 - i];
		uint32_t point;
		BSPI_TRY(add_point(chart, rising ? from : to, rising ? to : from, share, &point));
		BSPI_TRY(bspi_chart_split_border(chart, *last, i ? 0 : k, point, last));
	}
	return true;
}

/* Inserts the points of all three sides of a triangle. Each split cuts the triangle, so the sides that are not yet
 * divided may then belong to another part of it. */
static bool split_sides(bspi_chart *chart, uint32_t local)
{
	uint32_t holders[3] = { local, local, local }, opposite[3] = { 0, 1, 2 };
	for (uint32_t k = 0; k < 3; k++) {
		const bspi_shared_edge *edge =
			divided_edge(chart, side_of(chart, chart->light->first_triangle + local, k));
		if (!edge) continue;
		uint32_t last, next = (k + 1) % 3, after = (k + 2) % 3, holder = holders[k], at = opposite[k];
		bool has_next = holders[next] == holder, has_after = holders[after] == holder;
		BSPI_TRY(split_side(chart, edge, holder, at, &last));
		/* The triangle `last` reaches the end of this side, so it has the next side, opposite of its corner 1. The
		 * triangle `holder` keeps the start of this side, so it has the third side, opposite of its corner 2. */
		if (has_next) {
			holders[next] = last;
			opposite[next] = 1;
		}
		if (has_after) opposite[after] = 2;
	}
	return true;
}

/* ---- The page --------------------------------------------------------------------------------------------- */

static void tint(bspi_chart *chart)
{
	float colors[3][3];
	uint16_t *level = chart->levels;
	for (uint32_t k = 0; k < 3; k++) {
		bspi_color_of_vertex(chart->mesh, corner_of(chart, chart->light->first_triangle, k), colors[k]);
	}
	for (uint32_t j = 0; j < chart->size[1]; j++) {
		for (uint32_t i = 0; i < chart->size[0]; i++, level += BSPI_GRID_WIDTH) {
			double shares[2];
			shares_in(&chart->groups[0], (double)chart->first[0] + i, (double)chart->first[1] + j, shares);
			for (int c = 0; c < 3; c++) {
				double color = (double)colors[0][c] + (double)(colors[1][c] - colors[0][c]) * shares[0] +
				               (double)(colors[2][c] - colors[0][c]) * shares[1];
				level[c] = bspi_light_tinted(chart->source, level[c], (float)fmin(fmax(color, 0), 1));
			}
		}
	}
}

static bool make_room(bspi_chart *chart, size_t count)
{
	if (count <= chart->capacity) return true;
	size_t capacity = count < MOST_SPARE ? 2 * count : count;
	bspi_arena *arena = &chart->task->arena;
	chart->levels = bspi_arena_alloc_unset(arena, capacity, BSPI_GRID_WIDTH * sizeof *chart->levels);
	chart->game = bspi_arena_alloc_unset(arena, capacity, BSPI_GAME_WIDTH * sizeof *chart->game);
	chart->capacity = chart->levels && chart->game ? capacity : 0;
	return chart->capacity > 0;
}

static bspi_four first_of(const bspi_light_step *step)
{
	float numbers[4];
	memcpy(numbers, step, sizeof numbers);
	return bspi_four_load(numbers);
}

static void take_game(bspi_chart *chart, size_t count)
{
	const bspi_light_step *steps = chart->source->steps;
	const uint16_t *levels = chart->levels;
	float *game = chart->game;
	for (size_t i = 0; i < count; i++, levels += BSPI_GRID_WIDTH, game += BSPI_GAME_WIDTH) {
		bspi_four columns[3];
		bspi_four_columns(first_of(&steps[levels[0]]), first_of(&steps[levels[1]]), first_of(&steps[levels[2]]),
		                  columns);
		for (int k = 0; k < 3; k++) bspi_four_store(game + 4 * k, columns[k]);
	}
}

static bool take_levels(bspi_chart *chart)
{
	double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
	for (uint32_t i = 0; i < chart->vertex_count; i++) {
		const double at[2] = { chart->vertices[i].x, chart->vertices[i].y };
		for (int k = 0; k < 2; k++) {
			low[k] = fmin(low[k], at[k]);
			high[k] = fmax(high[k], at[k]);
		}
	}
	for (int k = 0; k < 2; k++) {
		chart->first[k] = (int32_t)floor(low[k]);
		chart->size[k] = (uint32_t)((int32_t)ceil(high[k]) - chart->first[k] + 1);
	}
	size_t count = (size_t)chart->size[0] * chart->size[1];
	chart->samples_left = FEWEST_SAMPLES + SAMPLES_PER_HALF_LUXEL * (int64_t)count;
	BSPI_TRY(make_room(chart, count));
	bspi_light_grid_levels(chart->source, chart->first, chart->size, chart->levels);
	if (chart->source->colors) tint(chart);
	take_game(chart, count);
	return true;
}

/* Divides a triangle that is nearly a line: makes a fan of triangles from its corners and the points of its sides. The
 * light inside the fan is not compared with the game's. */
static bool build_fan(bspi_chart *chart)
{
	static const double nowhere[2] = { 0, 0 };
	uint32_t triangle = chart->light->first_triangle, corners[3];
	for (uint32_t k = 0; k < 3; k++) BSPI_TRY(add_corner(chart, corner_of(chart, triangle, k), nowhere, &corners[k]));
	BSPI_TRY(add_group(chart, triangle, corners));
	for (uint32_t k = 0; k < 3; k++) {
		const bspi_shared_edge *edge = divided_edge(chart, side_of(chart, triangle, k));
		uint32_t from = corners[(k + 1) % 3], to = corners[(k + 2) % 3], last = from;
		bool rising = edge && chart->mesh->places[chart->vertices[from].origin] == edge->low;
		for (uint32_t i = 0; i <= (edge ? edge->point_count : 0); i++) {
			uint32_t next = to;
			if (edge && i < edge->point_count) {
				float share = edge->points[rising ? i : edge->point_count - 1 - i];
				BSPI_TRY(add_point(chart, rising ? from : to, rising ? to : from, share, &next));
			}
			BSPI_TRY(bspi_chart_grow(chart, &chart->triangles, chart->triangle_count, &chart->triangle_capacity,
			                         sizeof *chart->triangles));
			if (last != corners[0] && next != corners[0]) {
				chart->triangles[chart->triangle_count++] = (bspi_chart_triangle){ .v = { corners[0], last, next } };
			}
			last = next;
		}
	}
	return true;
}

static bool make_delaunay(bspi_chart *chart)
{
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		for (uint32_t k = 0; k < 3; k++) BSPI_TRY(bspi_chart_push(chart, i, k));
	}
	BSPI_TRY(bspi_chart_flip(chart, true));
	for (uint32_t i = 0; i < chart->touched_count; i++) chart->triangles[chart->touched[i]].touched = false;
	chart->touched_count = 0;
	return true;
}

bool bspi_chart_build(bspi_chart *chart)
{
	chart->vertex_count = chart->triangle_count = chart->group_count = 0;
	chart->stack_count = chart->touched_count = 0;
	chart->step = 0;
	chart->has_inside = chart->has_flipped = false;
	BSPI_TRY(add_triangles(chart));
	if (!chart->triangle_count) return build_fan(chart);
	uint32_t count = chart->triangle_count;
	for (uint32_t i = 0; i < count; i++) BSPI_TRY(split_sides(chart, i));
	if (chart->triangle_count > 1) BSPI_TRY(make_delaunay(chart));
	chart->first_inner = chart->vertex_count;
	chart->has_inside = chart->light->size > 0;
	return !chart->has_inside || take_levels(chart);
}
