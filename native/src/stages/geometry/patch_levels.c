/* patch_levels.c - decides how finely patches are subdivided, for all patches of the map together.
 *
 * A band (see patch.c) is divided into 1 << level strips, over the whole patch. The numbers are powers of two because
 * the engine halves too (tr_curve.c R_SubdividePatchToGrid). So our vertices include those of the engine. Levels follow
 * from the largest allowed distance between the surface and its triangles. The engine tests both directions separately.
 * Here the sum of both is tested, so that the limit also holds for domes and twisted patches.
 *
 * Patches with a common border must divide it alike. Otherwise pixels flicker through gaps. The engine adds vertices
 * afterward, to close gaps (tr_bsp.c R_StitchPatches). Here, gaps are avoided:
 *   1. border control points of the same model that are closer than WELD_DISTANCE become one point;
 *   2. bands form a group if their border curves have the same three control points, in either direction (union-find);
 *   3. each group gets the finest level that one of its bands needs;
 *   4. if a patch then has too many vertices, its finest groups are made coarser, in all patches.
 * Gaps remain where borders overlap but do not have the same curves. */
#include "stages/geometry/geometry.h"

#include "base/vec.h"

/* Distance in game units within which the engine stitches points together. Map compilers move control points by less
 * than this. In editors, they are farther apart. */
#define WELD_DISTANCE 0.1f
#define CELL_SIZE 0.25f
/* A search in a hash table ends after this many steps. So a hostile file can cause gaps between patches, but cannot
 * make searches slow. */
#define MAX_STEPS 64
#define MAX_LEVEL 6

typedef struct curve {
	uint32_t ends[2], middle;          /* draw vertices of the curve's control points; `ends` are sorted by the
	                                    * bytes of their positions */
	uint32_t model, band;
} curve;

typedef struct planner {
	bspi_build *build;
	uint32_t *patches;                 /* surface indices of the patches */
	uint32_t patch_count, band_count;
	size_t border_count;               /* upper bound of the number of control points on borders */
	uint32_t *parents;                 /* for each band, a band of the same group or itself (union-find); a group
	                                    * is identified by its root */
	uint8_t *levels;                   /* for the root of each group, the level of all bands in the group */
	uint32_t *table;                   /* hash table of indices + 1, 0 if empty; first for points, later for
	                                    * curves */
	uint32_t table_mask;
	uint32_t *points, *point_models; uint32_t point_count;   /* welded points: a draw vertex at that position, and
	                                                          * its model */
	curve *curves; uint32_t curve_count;
} planner;

/* ---- Patches and their parts ---- */

static const bspi_surface *patch_surface(const planner *p, uint32_t patch)
{
	return &p->build->plan.surfaces[p->patches[patch]];
}

static const bspi_face *patch_face(const planner *p, uint32_t patch)
{
	return &p->build->map->faces[patch_surface(p, patch)->face];
}

static const float *position_of(const planner *p, uint32_t draw_vertex)
{
	return p->build->map->draw_vertices[draw_vertex].position;
}

/* One of the two directions in a patch. `step` is the index step along it, which crosses the bands one after the other.
 * `across` is the index step to the next line of control points. */
typedef struct direction {
	uint32_t first_vertex;
	uint32_t count, step;              /* number of control points in a line; index step between them */
	uint32_t line_count, across;       /* number of lines; index step between them */
	uint32_t first_band, band_count;
} direction;

static direction patch_direction(const planner *p, uint32_t patch, bool rows)
{
	const bspi_face *face = patch_face(p, patch);
	uint32_t width = (uint32_t)face->patch_width, height = (uint32_t)face->patch_height;
	uint32_t first_band = patch_surface(p, patch)->first_band;
	direction columns = { (uint32_t)face->first_vertex, width, 1, height, width, first_band, (width - 1) / 2 };
	if (!rows) return columns;
	return (direction){ columns.first_vertex, height, width, width, 1, columns.first_band + columns.band_count,
	                    (height - 1) / 2 };
}

/* Returns the draw vertex of a control point: number `along` in line `line`. */
static uint32_t control_of(const direction *d, uint32_t line, uint32_t along)
{
	return d->first_vertex + line * d->across + along * d->step;
}

static bool find_patches(planner *p)
{
	bspi_plan *plan = &p->build->plan;
	p->patches = bspi_push(p->build->ctx, &p->build->ctx->stage, uint32_t, plan->surface_count);
	BSPI_TRY(p->patches);
	for (uint32_t i = 0; i < plan->surface_count; i++) {
		const bspi_face *face = &p->build->map->faces[plan->surfaces[i].face];
		if (face->kind != BSPI_FACE_PATCH) continue;
		plan->surfaces[i].first_band = p->band_count;
		p->patches[p->patch_count++] = i;
		p->band_count += (uint32_t)(face->patch_width - 1) / 2 + (uint32_t)(face->patch_height - 1) / 2;
		p->border_count += 2 * (size_t)(face->patch_width + face->patch_height);
		BSPI_CHECK(p->build->ctx, p->border_count < UINT32_MAX / 4, BSPSCENE_ERROR_LIMIT, BSPI_LUMP("faces"),
		           "too many patches");
	}
	return true;
}

static bool allocate_planner(planner *p)
{
	bspi_ctx *ctx = p->build->ctx;
	uint32_t table_size = 64;
	while (table_size < 2 * p->border_count) table_size *= 2; /* at most 2^31: border_count was limited */
	p->parents = bspi_push(ctx, &ctx->stage, uint32_t, p->band_count);
	p->levels = bspi_push(ctx, &ctx->stage, uint8_t, p->band_count);
	p->table = bspi_push(ctx, &ctx->stage, uint32_t, table_size);
	p->points = bspi_push(ctx, &ctx->stage, uint32_t, p->border_count);
	p->point_models = bspi_push(ctx, &ctx->stage, uint32_t, p->border_count);
	p->curves = bspi_push(ctx, &ctx->stage, curve, 2 * (size_t)p->band_count);
	p->build->plan.band_levels = bspi_push(ctx, &ctx->scratch, uint8_t, p->band_count);
	p->table_mask = table_size - 1;
	return p->parents && p->levels && p->table && p->points && p->point_models && p->curves &&
	       p->build->plan.band_levels;
}

/* ---- Welding ---- */

static uint64_t mix(uint64_t hash, uint32_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static bool is_near(const float a[3], const float b[3])
{
	return fabsf(a[0] - b[0]) <= WELD_DISTANCE && fabsf(a[1] - b[1]) <= WELD_DISTANCE &&
	       fabsf(a[2] - b[2]) <= WELD_DISTANCE;
}

static uint32_t cell_start(const planner *p, uint32_t model, const int32_t cell[3])
{
	uint64_t hash = mix(0, model);
	for (int i = 0; i < 3; i++) hash = mix(hash, (uint32_t)cell[i]);
	return (uint32_t)hash & p->table_mask;
}

/* Searches one cell of the hash grid for the oldest welded point near `position`, and returns its index. Returns
 * `best` if the cell has no such point, or if point `best` is older. */
static uint32_t search_cell(const planner *p, uint32_t model, const float position[3], const int32_t cell[3],
                            uint32_t best)
{
	uint32_t at = cell_start(p, model, cell);
	for (int step = 0; step < MAX_STEPS && p->table[at]; step++, at = (at + 1) & p->table_mask) {
		uint32_t point = p->table[at] - 1;
		if (point < best && p->point_models[point] == model && is_near(position_of(p, p->points[point]), position)) {
			best = point;
		}
	}
	return best;
}

static void add_point(planner *p, uint32_t model, uint32_t draw_vertex, const int32_t cell[3])
{
	uint32_t at = cell_start(p, model, cell);
	for (int step = 0; step < MAX_STEPS; step++, at = (at + 1) & p->table_mask) {
		if (p->table[at]) continue;
		p->points[p->point_count] = draw_vertex;
		p->point_models[p->point_count] = model;
		p->table[at] = ++p->point_count;
		return;
	}
}

/* Moves a control point to the oldest welded point near it. If there is none, adds the control point as a new one.
 * Later points do not change this, because the oldest one is chosen. */
static void weld_point(planner *p, uint32_t model, uint32_t draw_vertex)
{
	float *position = p->build->map->draw_vertices[draw_vertex].position;
	int32_t low[3], high[3], cell[3], own[3];
	for (int i = 0; i < 3; i++) {
		own[i] = (int32_t)floorf(position[i] / CELL_SIZE);
		low[i] = (int32_t)floorf((position[i] - WELD_DISTANCE) / CELL_SIZE);
		high[i] = (int32_t)floorf((position[i] + WELD_DISTANCE) / CELL_SIZE);
	}
	uint32_t found = BSPSCENE_NO_INDEX;
	for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
		for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
			for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) found = search_cell(p, model, position, cell, found);
		}
	}
	if (found == BSPSCENE_NO_INDEX) add_point(p, model, draw_vertex, own);
	else bspi_copy3(position, position_of(p, p->points[found]));
}

static void weld_borders(planner *p)
{
	for (uint32_t patch = 0; patch < p->patch_count; patch++) {
		for (int rows = 0; rows < 2; rows++) {
			direction d = patch_direction(p, patch, rows);
			for (uint32_t i = 0; i < d.count; i++) {
				weld_point(p, patch_surface(p, patch)->part, control_of(&d, 0, i));
				weld_point(p, patch_surface(p, patch)->part, control_of(&d, d.line_count - 1, i));
			}
		}
	}
}

/* ---- Groups ---- */

static uint32_t find_root(planner *p, uint32_t band)
{
	while (p->parents[band] != band) {
		p->parents[band] = p->parents[p->parents[band]];
		band = p->parents[band];
	}
	return band;
}

/* Joins two groups. The root with the smaller index becomes the root of both, so that the result does not depend on the
 * order of joining. */
static void unite(planner *p, uint32_t a, uint32_t b)
{
	a = find_root(p, a);
	b = find_root(p, b);
	if (a < b) p->parents[b] = a;
	else p->parents[a] = b;
}

static int compare_positions(const planner *p, uint32_t a, uint32_t b)
{
	return memcmp(position_of(p, a), position_of(p, b), 3 * sizeof(float));
}

static bool same_curve(const planner *p, const curve *a, const curve *b)
{
	return a->model == b->model && !compare_positions(p, a->ends[0], b->ends[0]) &&
	       !compare_positions(p, a->ends[1], b->ends[1]) && !compare_positions(p, a->middle, b->middle);
}

static uint32_t curve_start(const planner *p, const curve *c)
{
	const uint32_t vertices[3] = { c->ends[0], c->ends[1], c->middle };
	uint64_t hash = mix(0, c->model);
	for (int i = 0; i < 9; i++) {
		uint32_t bits;
		memcpy(&bits, &position_of(p, vertices[i / 3])[i % 3], sizeof bits);
		hash = mix(hash, bits);
	}
	return (uint32_t)hash & p->table_mask;
}

static void add_curve(planner *p, curve c)
{
	bool collapsed = !compare_positions(p, c.ends[0], c.middle) && !compare_positions(p, c.ends[1], c.middle);
	if (collapsed) return;
	if (compare_positions(p, c.ends[0], c.ends[1]) > 0) {
		uint32_t swap = c.ends[0];
		c.ends[0] = c.ends[1];
		c.ends[1] = swap;
	}
	uint32_t at = curve_start(p, &c);
	for (int step = 0; step < MAX_STEPS; step++, at = (at + 1) & p->table_mask) {
		if (!p->table[at]) {
			p->curves[p->curve_count] = c;
			p->table[at] = ++p->curve_count;
			return;
		}
		const curve *other = &p->curves[p->table[at] - 1];
		if (!same_curve(p, other, &c)) continue;
		unite(p, c.band, other->band);
		return;
	}
}

static void group_bands(planner *p)
{
	memset(p->table, 0, ((size_t)p->table_mask + 1) * sizeof *p->table);
	for (uint32_t i = 0; i < p->band_count; i++) p->parents[i] = i;
	for (uint32_t patch = 0; patch < p->patch_count; patch++) {
		for (int rows = 0; rows < 2; rows++) {
			direction d = patch_direction(p, patch, rows);
			for (uint32_t i = 0; i < 2 * d.band_count; i++) {
				uint32_t band = i / 2, line = i % 2 ? d.line_count - 1 : 0;
				add_curve(p, (curve){
					.ends = { control_of(&d, line, 2 * band), control_of(&d, line, 2 * band + 2) },
					.middle = control_of(&d, line, 2 * band + 1),
					.model = patch_surface(p, patch)->part, .band = d.first_band + band,
				});
			}
		}
	}
}

/* ---- Levels ---- */

/* How much a curve differs from a straight line. */
typedef struct bend {
	double whole; /* distance of the curve's center from the line through its ends */
	double total;                      /* distance of the curve's center from the middle between its ends; halving
	                                    * the curve divides it by 4 */
} bend;

static bend measure_bend(const double c0[3], const double c1[3], const double c2[3])
{
	double chord_squared = 0, along = 0, squared = 0;
	for (int i = 0; i < 3; i++) {
		double chord = c2[i] - c0[i], away = (c0[i] - 2 * c1[i] + c2[i]) / 4;
		chord_squared += chord * chord;
		along += chord * away;
		squared += away * away;
	}
	double across = chord_squared > 0 ? squared - along * along / chord_squared : squared;
	return (bend){ sqrt(fmax(across, 0)), sqrt(squared) };
}

static double bend_error(const bend *b, uint8_t level)
{
	return fmin(b->whole, b->total / (double)(1u << 2 * level));
}

/* Returns the largest bend of a sub-patch in one direction. Several curves inside of it are measured, because a surface
 * may be curved although its lines of control points are straight. */
static bend worst_bend(const planner *p, const direction *d, uint32_t line, uint32_t band)
{
	enum { SAMPLES = 4 };
	bend worst = { 0, 0 };
	for (int sample = 0; sample <= SAMPLES; sample++) {
		double t = (double)sample / SAMPLES, weights[3] = { (1 - t) * (1 - t), 2 * t * (1 - t), t * t };
		double curve_points[3][3] = { { 0 } };
		for (uint32_t k = 0; k < 9; k++) {
			const float *position = position_of(p, control_of(d, line + k / 3, 2 * band + k % 3));
			for (int i = 0; i < 3; i++) curve_points[k % 3][i] += weights[k / 3] * (double)position[i];
		}
		bend b = measure_bend(curve_points[0], curve_points[1], curve_points[2]);
		worst.whole = fmax(worst.whole, b.whole);
		worst.total = fmax(worst.total, b.total);
	}
	return worst;
}

/* Measures how far a twisted sub-patch is from its triangles if its cell is not divided. A cell with twist t is t / 4
 * away from its diagonal. The twist of the surface is up to four times that of its control points. */
static double measure_twist(const planner *p, const direction *d, uint32_t line, uint32_t band)
{
	double worst = 0;
	for (uint32_t cell = 0; cell < 4; cell++) {
		uint32_t y = line + cell / 2, x = 2 * band + cell % 2;
		const float *corners[4] = { position_of(p, control_of(d, y, x)), position_of(p, control_of(d, y, x + 1)),
			                        position_of(p, control_of(d, y + 1, x)),
			                        position_of(p, control_of(d, y + 1, x + 1)) };
		double u[3], v[3], twist[3], normal[3], length = 0, out = 0;
		for (int i = 0; i < 3; i++) {
			u[i] = (double)corners[3][i] - (double)corners[0][i];
			v[i] = (double)corners[2][i] - (double)corners[1][i];
			twist[i] = (double)corners[0][i] - (double)corners[1][i] - (double)corners[2][i] + (double)corners[3][i];
		}
		for (int i = 0; i < 3; i++) {
			int j = (i + 1) % 3, k = (i + 2) % 3;
			normal[i] = u[j] * v[k] - u[k] * v[j];
			length += normal[i] * normal[i];
			out += normal[i] * twist[i];
		}
		if (length > 0) worst = fmax(worst, fabs(out) / sqrt(length));
	}
	return worst;
}

/* Subdivides the two bands of a sub-patch more finely, until the sub-patch is close enough to its triangles. */
static void refine_sub_patch(planner *p, const direction *columns, const direction *rows, uint32_t column, uint32_t row,
                             double tolerance)
{
	bend across = worst_bend(p, columns, 2 * row, column), down = worst_bend(p, rows, 2 * column, row);
	double twist = measure_twist(p, columns, 2 * row, column);
	uint8_t *x = &p->levels[columns->first_band + column], *y = &p->levels[rows->first_band + row];
	for (;;) {
		double x_error = bend_error(&across, *x), y_error = bend_error(&down, *y);
		double error = x_error + y_error + twist / (double)(1u << (*x + *y));
		bool wants_x = x_error > y_error || (x_error >= y_error && *x <= *y);
		if (error <= tolerance || (*x == MAX_LEVEL && *y == MAX_LEVEL)) return;
		if ((wants_x && *x < MAX_LEVEL) || *y == MAX_LEVEL) ++*x;
		else ++*y;
	}
}

/* Returns the largest allowed distance for a patch. In FAKK, a patch may have its own; then the smaller one of this and
 * the caller's is used. */
static double patch_tolerance(const planner *p, uint32_t patch)
{
	double requested = (double)p->build->ctx->options.patch_error, own = (double)patch_face(p, patch)->subdivisions;
	return own > 0 ? fmin(requested, fmax(own, 0.25)) : requested;
}

static void choose_levels(planner *p)
{
	for (uint32_t patch = 0; patch < p->patch_count; patch++) {
		direction columns = patch_direction(p, patch, false), rows = patch_direction(p, patch, true);
		for (uint32_t row = 0; row < rows.band_count; row++) {
			for (uint32_t column = 0; column < columns.band_count; column++) {
				refine_sub_patch(p, &columns, &rows, column, row, patch_tolerance(p, patch));
			}
		}
	}
	for (uint32_t band = 0; band < p->band_count; band++) {
		uint32_t root = find_root(p, band);
		if (p->levels[band] > p->levels[root]) p->levels[root] = p->levels[band];
	}
}

/* ---- Limit of vertices ---- */

static uint32_t count_strips(planner *p, const direction *d)
{
	uint32_t strips = 0;
	for (uint32_t i = 0; i < d->band_count; i++) strips += 1u << p->levels[find_root(p, d->first_band + i)];
	return strips;
}

/* Reduces levels until the patch has at most BSPI_PATCH_VERTICES vertices in this direction. Levels are never
 * increased. So a patch that is within the limit stays within it, and each patch needs to be visited only once. */
static bool limit_direction(planner *p, uint32_t patch, const direction *d)
{
	if (count_strips(p, d) < BSPI_PATCH_VERTICES) return true;
	while (count_strips(p, d) >= BSPI_PATCH_VERTICES) {
		uint32_t finest = find_root(p, d->first_band);
		for (uint32_t i = 1; i < d->band_count; i++) {
			uint32_t root = find_root(p, d->first_band + i);
			if (p->levels[root] > p->levels[finest]) finest = root;
		}
		p->levels[finest]--;
	}
	return bspi_warn(p->build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_FACE(patch_surface(p, patch)->face),
	                 "the patch is divided more coarsely than asked for: a side has at most %d vertices",
	                 BSPI_PATCH_VERTICES);
}

static bool limit_levels(planner *p)
{
	for (uint32_t patch = 0; patch < p->patch_count; patch++) {
		for (int rows = 0; rows < 2; rows++) {
			direction d = patch_direction(p, patch, rows);
			BSPI_TRY(limit_direction(p, patch, &d));
		}
	}
	return true;
}

static void fill_surfaces(planner *p)
{
	for (uint32_t i = 0; i < p->band_count; i++) p->build->plan.band_levels[i] = p->levels[find_root(p, i)];
	for (uint32_t patch = 0; patch < p->patch_count; patch++) {
		bspi_surface *surface = &p->build->plan.surfaces[p->patches[patch]];
		direction columns = patch_direction(p, patch, false), rows = patch_direction(p, patch, true);
		uint32_t across = count_strips(p, &columns), down = count_strips(p, &rows);
		surface->patch_columns = (uint16_t)(across + 1);
		surface->patch_rows = (uint16_t)(down + 1);
		surface->vertex_count = (across + 1) * (down + 1);
		surface->index_count = 6 * across * down;
	}
}

bool bspi_plan_patches(bspi_build *build)
{
	planner p = { .build = build };
	BSPI_TRY(find_patches(&p));
	if (!p.patch_count) return true;
	BSPI_TRY(allocate_planner(&p));
	weld_borders(&p);
	group_bands(&p);
	choose_levels(&p);
	BSPI_TRY(limit_levels(&p));
	fill_surfaces(&p);
	return true;
}
