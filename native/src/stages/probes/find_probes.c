/* find_probes.c - finds the map's light probes: where they are, and where the file stores their light. */
#include "stages/probes/probes.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "stages/light/light_grid.h"

/* State of the search, which runs twice: to count probes, then to fill them in. */
typedef struct finding {
	const bspi_map *map;
	bspi_probe *items;                 /* NULL: probes are only counted */
	uint64_t count;
	uint64_t steps;                    /* number of visited tree nodes */
	bspscene_light_grid grid;          /* only its size is used */
	uint8_t *moves;                    /* for each point of the grid: CLOSED, STAYS, or MOVED plus a number (see below);
	                                    * filled while counting */
} finding;

/* Limit for visited tree nodes. Trees of the largest maps are some forty nodes deep. The tree of a hostile file can be
 * as deep as it has nodes. */
#define MOST_STEPS (UINT64_C(1) << 30)

static void add(finding *f, const float origin[3], uint32_t style, const uint8_t *stored, uint32_t point, uint8_t set)
{
	if (f->items) {
		bspi_probe *probe = &f->items[f->count];
		*probe = (bspi_probe) { .shown = { .style = style }, .stored = stored, .point = point, .set = set };
		bspi_copy3(probe->shown.origin, origin);
	}
	f->count++;
}

static void place_sample(const bspscene_light_grid *grid, const uint32_t at[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = grid->origin[i] + (float)at[i] * grid->step[i];
}

/* ---- A grid ----------------------------------------------------------------------------------------------- */

/* True if a point is not in a solid leaf. A map without a tree is open everywhere. */
static bool is_open(finding *f, const float point[3])
{
	const bspi_map *map = f->map;
	int32_t child = 0;
	if (!map->nodes_count) return true;
	while (child >= 0) {
		if (++f->steps > MOST_STEPS) return false;
		const bspi_node *node = &map->nodes[child];
		const bspi_plane *plane = &map->planes[node->plane];
		child = node->children[bspi_dot(plane->normal, point) < plane->distance];
	}
	return map->leafs[-1 - child].cluster >= 0;
}

/* True if the surroundings of a point are open too. Points of a grid often lie on floors, where half of their
 * surroundings is solid. */
static bool is_clear(finding *f, const float point[3])
{
	const float room = 2;
	if (!is_open(f, point)) return false;
	for (int side = 0; side < BSPI_SIDES; side++) {
		float beside[3];
		bspi_copy3(beside, point);
		beside[side / 2] += side % 2 ? -room : room;
		if (!is_open(f, beside)) return false;
	}
	return true;
}

/* Where the light of a grid point is sampled. CLOSED: nowhere. STAYS: at the point. MOVED plus a number: at the offset
 * with that number, a distance (one of TRIES) in a direction (one of WAYS). */
enum { CLOSED, STAYS, MOVED, TRIES = 4, WAYS = 27 };

static void move_by(const finding *f, int far, int way, const float start[3], float out[3])
{
	const int turn[3] = { way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1 };
	for (int i = 0; i < 3; i++) {
		out[i] = start[i] + (float)(turn[i] * far) * f->grid.step[i] / (float)(2 * TRIES + 1);
	}
}

/* Finds the nearest clear position within half a grid step of a point. q3map2 tries random positions in the same range
 * (TraceGrid). */
static uint8_t find_move(finding *f, const float start[3])
{
	if (is_clear(f, start)) return STAYS;
	for (int far = 1; far <= TRIES; far++) {
		for (int axes = 1; axes <= 3; axes++) {
			for (int way = 0; way < WAYS; way++) {
				float point[3];
				if (abs(way % 3 - 1) + abs(way / 3 % 3 - 1) + abs(way / 9 - 1) != axes) continue;
				move_by(f, far, way, start, point);
				if (is_clear(f, point)) return (uint8_t)(MOVED + (far - 1) * WAYS + way);
			}
		}
	}
	return is_open(f, start) ? STAYS : CLOSED;
}

/* True if the record has any light. Records of points inside walls have none. */
static bool is_lit(const uint8_t *sample, uint32_t sets)
{
	for (uint32_t i = 0; i < 2 * 3 * sets; i++) {
		if (sample[i]) return true;
	}
	return false;
}

static void find_in_grid(finding *f, const bspi_grid *stored)
{
	const uint32_t *counts = f->grid.counts, sets = f->grid.style_count;
	uint32_t cell = 0, at[3];
	for (at[2] = 0; at[2] < counts[2]; at[2]++) {
		for (at[1] = 0; at[1] < counts[1]; at[1]++) {
			for (at[0] = 0; at[0] < counts[0]; at[0]++, cell++) {
				const uint8_t *sample = bspi_grid_sample(stored, cell);
				uint8_t *move = &f->moves[cell];
				float start[3], point[3];
				place_sample(&f->grid, at, start);
				if (!f->items && sample && (is_open(f, start) || is_lit(sample, sets))) *move = find_move(f, start);
				if (*move == CLOSED) continue;
				bspi_copy3(point, start);
				if (*move >= MOVED) move_by(f, (*move - MOVED) / WAYS + 1, (*move - MOVED) % WAYS, start, point);
				for (uint32_t set = 0; set < sets; set++) {
					uint8_t style = sets > 1 ? sample[2 * 3 * sets + set] : 0;
					if (style != BSPI_NO_STYLE) add(f, point, style, sample, cell, (uint8_t)set);
				}
			}
		}
	}
}

/* ---- An octree ------------------------------------------------------------------------------------------- */

static void find_in_octree(void *user, const uint32_t at[3], const uint8_t *colors, uint32_t count)
{
	enum { COLOR = 4 };
	finding *f = user;
	float point[3];
	place_sample(&f->grid, at, point);
	for (uint32_t i = 0; i < count; i++) add(f, point, colors[COLOR * i], colors + COLOR * i + 1, 0, 0);
}

static void find_cubes(finding *f)
{
	for (uint32_t i = 0; i < f->map->ambients_count; i++) {
		const bspi_ambient *ambient = &f->map->ambients[i];
		add(f, ambient->origin, 0, ambient->stored, (uint32_t)ambient->leaf, 0);
	}
}

/* ---- Octrees and cubes ------------------------------------------------------------------------------------ */

static bspi_probe_kind kind_of(const bspi_build *build, bspi_grid *stored, bspscene_light_grid *grid)
{
	const bspi_map *map = build->map;
	if (map->light_grid_palette.size) return BSPI_NO_PROBES; /* probes would share colors, because points are indices
	                                                          * into a palette */
	if (map->light_grid.size) return bspi_measure_grid(build, stored, grid) ? BSPI_GRID_PROBES : BSPI_NO_PROBES;
	if (map->light_octree.size) {
		return bspi_measure_octree(map->light_octree, grid) ? BSPI_OCTREE_PROBES : BSPI_NO_PROBES;
	}
	return map->ambients_count ? BSPI_CUBE_PROBES : BSPI_NO_PROBES;
}

/* Runs the search once, either to count the probes or to fill them in. */
static bool find(bspi_build *build, bspi_probe_kind kind, const bspi_grid *stored, finding *f)
{
	f->count = f->steps = 0;
	switch (kind) {
	case BSPI_GRID_PROBES: find_in_grid(f, stored); return true;
	case BSPI_OCTREE_PROBES:
		return bspi_visit_octree(build->ctx, f->map->light_octree, find_in_octree, f) ||
		       !build->ctx->error.status; /* a damaged octree has no probes; the load warns of it */
	case BSPI_CUBE_PROBES: find_cubes(f); return true;
	default: return true;
	}
}

static void fill_table(const bspi_rules *rules, bspi_probes *out)
{
	const double scale = (double)rules->overbright * (double)rules->intensity;
	for (size_t i = 0; i < sizeof out->light / sizeof *out->light; i++) {
		out->light[i] = pow((double)i / 255 * scale, BSPI_LIGHT_GAMMA);
	}
}

bool bspi_find_probes(bspi_build *build, bspi_arena *arena, bspi_probes *out)
{
	bspi_ctx *ctx = build->ctx;
	finding f = { .map = build->map };
	bspi_grid stored;
	*out = (bspi_probes) { .kind = kind_of(build, &stored, &f.grid) };
	if (out->kind == BSPI_GRID_PROBES) {
		const uint32_t *counts = f.grid.counts;
		f.moves = bspi_push(ctx, arena, uint8_t, (size_t)counts[0] * counts[1] * counts[2]);
		BSPI_TRY(f.moves);
	}
	BSPI_TRY(find(build, out->kind, &stored, &f));
	BSPI_CHECK(ctx, f.steps <= MOST_STEPS, BSPSCENE_ERROR_LIMIT, BSPI_LUMP("light grid"),
	           "it has too many points to look all of them up in the map's tree");
	BSPI_CHECK(ctx, f.count <= UINT32_MAX / BSPI_SIDES, BSPSCENE_ERROR_LIMIT, BSPI_LUMP("light grid"),
	           "it has more points than is supported");
	if (!f.count) out->kind = BSPI_NO_PROBES;
	if (!f.count) return true;
	fill_table(&build->map->rules, out);
	out->sets = f.grid.style_count;
	out->items = f.items = bspi_push_unset(ctx, arena, (size_t)f.count, sizeof *f.items);
	BSPI_TRY(f.items && find(build, out->kind, &stored, &f));
	out->count = (uint32_t)f.count;
	return true;
}
