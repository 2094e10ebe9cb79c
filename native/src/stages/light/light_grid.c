/* light_grid.c - converts stored light for moving objects to one regular grid. Quake III and Raven's games store a
 * grid, Medal of Honor stores columns of samples, BSPX an octree of boxes of samples. */
#include "stages/light/light_grid.h"

#include "base/text.h"
#include "base/vec.h"

#define LARGEST_GRID_SIDE 4096         /* in samples; the product of three sides stays far below 2^64 */

enum { SETS = BSPI_GRID_SETS, CELLS_AT_ONCE = 64, CELLS_IN_A_THREAD = 512 * CELLS_AT_ONCE };

/* ---- Stored as a grid ------------------------------------------------------------------------------------- */

/* Computes the grid's size in 32-bit floats like the engine. With other rounding, a step like 76.800003 would give a
 * size that the lump does not have. */
static bool measure(const bspi_build *build, const char *key, bspscene_light_grid *grid)
{
	const bspi_map *map = build->map;
	memcpy(grid->step, map->rules.grid_step, sizeof grid->step);
	float step[3];
	if (key && bspi_text_numbers(key, step, 3) == 3) memcpy(grid->step, step, sizeof step);
	if (!map->models_count) return false;
	for (int i = 0; i < 3; i++) {
		if (!(grid->step[i] > 0)) grid->step[i] = map->rules.grid_step[i];
		if (!(grid->step[i] > 0)) return false;
		grid->origin[i] = grid->step[i] * ceilf(map->models[0].mins[i] / grid->step[i]);
		float top = grid->step[i] * floorf(map->models[0].maxs[i] / grid->step[i]);
		float count = (top - grid->origin[i]) / grid->step[i] + 1;
		if (!(count >= 1 && count <= LARGEST_GRID_SIDE)) return false;
		grid->counts[i] = (uint32_t)count;
	}
	return true;
}

bool bspi_measure_grid(const bspi_build *build, bspi_grid *out, bspscene_light_grid *grid)
{
	const bspi_map *map = build->map;
	bool styled = map->light_grid_index.size > 0;
	*out = (bspi_grid) {
		.samples = map->light_grid, .index = map->light_grid_index,
		.sample_size = styled ? BSPI_STYLED_SAMPLE : BSPI_PLAIN_SAMPLE,
	};
	out->sample_count = out->samples.size / out->sample_size;
	grid->style_count = styled ? SETS : 1;
	bool fits = measure(build, bspi_world_value(build, "gridsize"), grid);
	uint64_t cells = (uint64_t)grid->counts[0] * grid->counts[1] * grid->counts[2];
	return fits && cells == (styled ? out->index.size / 2 : out->sample_count);
}

const uint8_t *bspi_grid_sample(const bspi_grid *stored, size_t cell)
{
	size_t at = stored->index.size ? bspi_load_u16(stored->index.data + 2 * cell) : cell;
	return at < stored->sample_count ? stored->samples.data + at * stored->sample_size : NULL;
}

/* The arrays of the scene's grid, while they are being filled (in bspscene_light_grid they are read-only). */
typedef struct grid_arrays {
	uint8_t *ambient, *directed, *directions;
	uint8_t *styles;                   /* NULL: the grid has no styles */
} grid_arrays;

/* Reads cells `first` to `end`, at most CELLS_AT_ONCE. Callers pass a constant `sets`, so that small copies are
 * inlined. Members are copied to locals, because the compiler would reload them after each byte that is written. */
static inline void read_cells(const bspi_build *build, const bspi_grid *grid, size_t first, size_t end, size_t sets,
                              const grid_arrays *out)
{
	uint8_t ambient[CELLS_AT_ONCE * SETS * 3], directed[CELLS_AT_ONCE * SETS * 3];
	static const uint8_t black[BSPI_STYLED_SAMPLE]; /* black, like a sample inside a wall; used for samples whose index
	                                                 * is invalid */
	const bspi_grid stored = *grid;
	uint8_t *directions = out->directions, *styles = out->styles;
	size_t light_size = 3 * sets;
	for (size_t cell = first, at = 0; cell < end; cell++, at += light_size) {
		const uint8_t *found = bspi_grid_sample(&stored, cell), *sample = found ? found : black;
		memcpy(ambient + at, sample, light_size);
		memcpy(directed + at, sample + light_size, light_size);
		if (styles) memcpy(styles + cell * sets, sample + 2 * light_size, sets);
		memcpy(directions + 2 * cell, sample + stored.sample_size - 2, 2);
	}
	bspi_encode_light(build, ambient, (uint32_t)((end - first) * sets), out->ambient + first * light_size);
	bspi_encode_light(build, directed, (uint32_t)((end - first) * sets), out->directed + first * light_size);
}

typedef struct grid_job {
	const bspi_build *build;
	const bspi_grid *stored;
	grid_arrays out;
} grid_job;

static inline void read_range(const grid_job *job, uint32_t from, uint32_t to, size_t sets)
{
	for (size_t first = from; first < to; first += CELLS_AT_ONCE) {
		size_t end = to - first < CELLS_AT_ONCE ? to : first + CELLS_AT_ONCE;
		read_cells(job->build, job->stored, first, end, sets, &job->out);
	}
}

static void read_plain(void *user, uint32_t first, uint32_t end) { read_range(user, first, end, 1); }
static void read_styled(void *user, uint32_t first, uint32_t end) { read_range(user, first, end, SETS); }

static bool build_stored(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bool styled = build->map->light_grid_index.size > 0;
	bspi_grid stored;
	bspscene_light_grid grid = { .style_count = 0 };
	if (!bspi_measure_grid(build, &stored, &grid)) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("light grid"),
		                 "light grid left out: its size does not fit the map's bounds");
	}
	size_t count = (size_t)grid.counts[0] * grid.counts[1] * grid.counts[2], sets = grid.style_count;
	grid_arrays out = {
		.ambient = bspi_push_unset(ctx, &ctx->result, count * sets, 3),
		.directed = bspi_push_unset(ctx, &ctx->result, count * sets, 3),
		.directions = bspi_push_unset(ctx, &ctx->result, count, 2),
		.styles = styled ? bspi_push_unset(ctx, &ctx->result, count, sets) : NULL,
	};
	BSPI_TRY(out.ambient && out.directed && out.directions && (out.styles || !styled));
	grid_job job = { build, &stored, out };
	const bspi_ranges ranges = { (uint32_t)count, CELLS_IN_A_THREAD, styled ? read_styled : read_plain, &job, NULL };
	BSPI_TRY(bspi_run_ranges(ctx, &ranges));
	grid.ambient = out.ambient;
	grid.directed = out.directed;
	grid.directions = out.directions;
	grid.styles = out.styles;
	build->parts->light_grid = grid;
	return true;
}

/* ---- Stored as columns ------------------------------------------------------------------------------------- */

/* Layout of the columns (openmohaa, tr_light.c R_GetLightingGridValue). First there is a u16 for each x, in units of
 * 256 bytes. Then there is a u16 for each x and y, in bytes. The sum of both is the offset of a column. A column
 * lists its samples from the bottom up, as runs that begin with a signed byte n. If n is negative, -n indices into
 * the palette follow, one for each sample. Otherwise a single index follows, for n + 2 samples. Index 0 means no
 * light. There are no directions. */
enum { PALETTE_COLORS = 256, MOST_SAMPLES = 1 << 26, UPPER_STEP = 256 };

typedef struct column_grid {
	bspi_bytes columns, offsets;
	uint8_t palette[3 * PALETTE_COLORS]; /* RGB of each color in display values; color 0 is black */
	bspscene_light_grid grid;          /* output */
	uint8_t *ambient;
} column_grid;

/* Reads the indices of a column. Returns false if the data ends early; the indices before that are valid. */
static bool read_column(bspi_bytes columns, size_t at, uint8_t *indices, uint32_t count)
{
	while (count) {
		if (at >= columns.size) return false;
		uint8_t code = columns.data[at++];
		bool literal = code >= 128;
		uint32_t run = literal ? 256u - code : code + 2u;
		if (run > count) run = count;
		if ((literal ? run : 1) > columns.size - at) return false;
		if (literal) memcpy(indices, columns.data + at, run);
		else memset(indices, columns.data[at], run);
		at += literal ? run : 1;
		indices += run;
		count -= run;
	}
	return true;
}

static bool fill_column(bspi_ctx *ctx, column_grid *stored, uint32_t x, uint32_t y)
{
	const uint32_t *counts = stored->grid.counts;
	uint8_t indices[LARGEST_GRID_SIDE] = { 0 };
	const uint8_t *upper = stored->offsets.data + 2 * (size_t)x;
	const uint8_t *lower = stored->offsets.data + 2 * ((size_t)counts[0] + (size_t)x * counts[1] + y);
	size_t at = (size_t)bspi_load_u16(upper) * UPPER_STEP + bspi_load_u16(lower);
	if (!read_column(stored->columns, at, indices, counts[2])) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("light grid"),
		                   "a column ends early: the light grid is dark from there"));
	}
	for (uint32_t z = 0; z < counts[2]; z++) {
		size_t sample = ((size_t)z * counts[1] + y) * counts[0] + x;
		memcpy(stored->ambient + 3 * sample, stored->palette + 3 * (size_t)indices[z], 3);
	}
	return true;
}

static bool build_from_columns(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	const bspi_map *map = build->map;
	bspi_bytes palette = map->light_grid_palette;
	uint8_t colors[3 * PALETTE_COLORS] = { 0 };
	column_grid stored = { .columns = map->light_grid, .offsets = map->light_grid_index, .grid = { .style_count = 1 } };
	bool fits = measure(build, NULL, &stored.grid);
	const uint32_t *counts = stored.grid.counts;
	uint64_t columns = (uint64_t)counts[0] * counts[1], samples = columns * counts[2];
	if (!fits || samples > MOST_SAMPLES || stored.offsets.size / 2 < columns + counts[0]) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("light grid"),
		                 "light grid left out: its size does not fit the map's bounds");
	}
	memcpy(colors, palette.data, palette.size < sizeof colors ? palette.size : sizeof colors);
	memset(colors, 0, 3);
	bspi_encode_light(build, colors, PALETTE_COLORS, stored.palette);
	stored.ambient = bspi_push(ctx, &ctx->result, uint8_t, samples * 3);
	stored.grid.directed = bspi_push(ctx, &ctx->result, uint8_t, samples * 3);
	stored.grid.directions = bspi_push(ctx, &ctx->result, uint8_t, samples * 2);
	BSPI_TRY(stored.ambient && stored.grid.directed && stored.grid.directions);
	for (uint32_t x = 0; x < counts[0]; x++) {
		for (uint32_t y = 0; y < counts[1]; y++) BSPI_TRY(fill_column(ctx, &stored, x, y));
	}
	stored.grid.ambient = stored.ambient;
	build->parts->light_grid = stored.grid;
	return true;
}

/* ---- Stored as an octree ---------------------------------------------------------------------------------- */

/* Layout of the lump (FTE: specs/bspx.txt):
 *     f32 step[3]; i32 size[3]; f32 mins[3]; u8 number of styles; u32 root;
 *     u32 number of nodes; for each node: u32 middle[3], child[8];
 *     u32 number of leaves; for each leaf: i32 mins[3], size[3], then its samples.
 * Among the samples of a leaf, x varies fastest and z slowest. A sample is a u8 count, then that many colors: a u8
 * style and RGB each. A child, like the root, is the index of a node, or the index of a leaf plus IS_LEAF, or
 * IS_MISSING. */
#define IS_LEAF 0x80000000u
#define IS_MISSING 0x40000000u
#define IN_A_WALL 255
#define UNUSED_STYLE 255

enum { NODE = 44, CHILDREN = 12, CHILD_COUNT = 8, LEAF = 24, COLOR = 4, LARGEST_STEP = 65536, SPARSENESS = 8 };

typedef struct octree {
	bspi_bytes lump;
	const uint8_t *nodes; uint32_t node_count;
	size_t *leafs; uint32_t leaf_count;/* for each leaf, its offset in the lump */
	uint32_t root;
	bspscene_light_grid grid;          /* only its size is used */
	bspi_octree_sample_fn *sample;
	void *user;
} octree;

/* The box of samples in a leaf. On each axis, `first` is its first cell in the grid, and `count` its number of
 * cells. */
typedef struct sample_box {
	int32_t first[3], count[3];
} sample_box;

static bool take_box(bspi_cursor *cursor, sample_box *out)
{
	for (int i = 0; i < 3; i++) out->first[i] = bspi_take_i32(cursor);
	for (int i = 0; i < 3; i++) out->count[i] = bspi_take_i32(cursor);
	uint64_t samples = 1;
	for (int i = 0; i < 3; i++) {
		if (out->count[i] < 0 || out->count[i] > LARGEST_GRID_SIDE) return false;
		samples *= (uint32_t)out->count[i];
	}
	return !cursor->failed && samples <= cursor->bytes.size - cursor->at;
}

static uint32_t box_samples(const sample_box *box)
{
	return (uint32_t)box->count[0] * (uint32_t)box->count[1] * (uint32_t)box->count[2];
}

/* Finds the offsets of all leaves. Leaves differ in size, so they must be read one after the other. */
static bool find_leafs(bspi_ctx *ctx, octree *tree, bspi_cursor *cursor)
{
	uint32_t count = bspi_take_u32(cursor);
	if (cursor->failed || count > tree->lump.size / LEAF) return false;
	tree->leafs = bspi_push(ctx, &ctx->stage, size_t, count);
	if (!tree->leafs) return false;
	for (tree->leaf_count = 0; tree->leaf_count < count; tree->leaf_count++) {
		sample_box box;
		tree->leafs[tree->leaf_count] = cursor->at;
		if (!take_box(cursor, &box)) return false;
		for (uint32_t left = box_samples(&box); left; left--) {
			uint8_t colors = bspi_take_u8(cursor);
			if (colors != IN_A_WALL) bspi_take(cursor, (size_t)colors * COLOR);
		}
		if (cursor->failed) return false;
	}
	return true;
}

/* Reads the size of the grid. Refuses trees with very few leaves for their size, because they would take memory for
 * nothing. Real trees only leave out what is outside of the map. */
static bool read_size(bspi_bytes lump, bspi_cursor *cursor, bspscene_light_grid *grid)
{
	uint64_t samples = 1;
	for (int i = 0; i < 3; i++) grid->step[i] = bspi_take_f32(cursor);
	for (int i = 0; i < 3; i++) grid->counts[i] = bspi_take_u32(cursor);
	for (int i = 0; i < 3; i++) grid->origin[i] = bspi_take_f32(cursor);
	for (int i = 0; i < 3; i++) {
		bool fits = grid->step[i] > 0 && grid->step[i] <= LARGEST_STEP && grid->counts[i] >= 1 &&
		            grid->counts[i] <= LARGEST_GRID_SIDE;
		if (!fits) return false;
		samples *= grid->counts[i];
	}
	return !cursor->failed && bspi_is_position(grid->origin) && samples <= (uint64_t)lump.size * SPARSENESS;
}

static bool read_octree(bspi_ctx *ctx, bspi_bytes lump, octree *tree)
{
	bspi_cursor cursor = bspi_cursor_at(lump, 0);
	tree->lump = lump;
	if (!read_size(lump, &cursor, &tree->grid)) return false;
	bspi_take_u8(&cursor);
	tree->root = bspi_take_u32(&cursor);
	tree->node_count = bspi_take_u32(&cursor);
	if (cursor.failed || tree->node_count > lump.size / NODE) return false;
	tree->nodes = bspi_take(&cursor, (size_t)tree->node_count * NODE);
	return tree->nodes && find_leafs(ctx, tree, &cursor);
}

static void read_sample(const octree *tree, bspi_cursor *cursor, int64_t x, int64_t y, int64_t z)
{
	const uint32_t *counts = tree->grid.counts;
	bool inside = x >= 0 && x < counts[0] && y >= 0 && y < counts[1] && z >= 0 && z < counts[2];
	uint8_t count = bspi_take_u8(cursor);
	if (count == IN_A_WALL) return;
	const uint8_t *colors = bspi_take(cursor, (size_t)count * COLOR);
	if (!colors || !inside) return;
	const uint32_t at[3] = { (uint32_t)x, (uint32_t)y, (uint32_t)z };
	tree->sample(tree->user, at, colors, count);
}

static void read_leaf(const octree *tree, uint32_t leaf)
{
	bspi_cursor cursor = bspi_cursor_at(tree->lump, tree->leafs[leaf]);
	sample_box box;
	if (!take_box(&cursor, &box)) return;
	for (int64_t z = box.first[2]; z < (int64_t)box.first[2] + box.count[2]; z++) {
		for (int64_t y = box.first[1]; y < (int64_t)box.first[1] + box.count[1]; y++) {
			for (int64_t x = box.first[0]; x < (int64_t)box.first[0] + box.count[0]; x++) {
				read_sample(tree, &cursor, x, y, z);
			}
		}
	}
}

/* Reads every leaf that the tree reaches from its root, but none of them twice. */
static bool read_leafs(bspi_ctx *ctx, const octree *tree)
{
	uint32_t *open = bspi_push(ctx, &ctx->stage, uint32_t, (size_t)tree->node_count + 1), open_count = 0;
	bool *node_met = bspi_push(ctx, &ctx->stage, bool, tree->node_count);
	bool *leaf_met = bspi_push(ctx, &ctx->stage, bool, tree->leaf_count);
	BSPI_TRY(open && node_met && leaf_met);
	/* The loop starts with the root alone, then reads the children of one node at a time. */
	uint32_t children[CHILD_COUNT] = { tree->root };
	for (uint32_t count = 1;; count = CHILD_COUNT) {
		for (uint32_t i = 0; i < count; i++) {
			uint32_t child = children[i], index = child & ~(IS_LEAF | IS_MISSING);
			if (child & IS_MISSING) continue;
			if (child & IS_LEAF) {
				if (index < tree->leaf_count && !leaf_met[index]) read_leaf(tree, index);
				if (index < tree->leaf_count) leaf_met[index] = true;
			} else if (index < tree->node_count && !node_met[index]) {
				node_met[index] = true;
				open[open_count++] = index;
			}
		}
		if (!open_count) return true;
		const uint8_t *node = tree->nodes + (size_t)open[--open_count] * NODE;
		for (int i = 0; i < CHILD_COUNT; i++) children[i] = bspi_load_u32(node + CHILDREN + 4 * i);
	}
}

bool bspi_measure_octree(bspi_bytes lump, bspscene_light_grid *grid)
{
	bspi_cursor cursor = bspi_cursor_at(lump, 0);
	*grid = (bspscene_light_grid) { .style_count = SETS };
	return read_size(lump, &cursor, grid);
}

bool bspi_visit_octree(bspi_ctx *ctx, bspi_bytes lump, bspi_octree_sample_fn *sample, void *user)
{
	octree tree = { .sample = sample, .user = user };
	return read_octree(ctx, lump, &tree) && read_leafs(ctx, &tree);
}

/* The arrays that receive the colors of the octree: up to SETS colors for each sample, one per light style. */
typedef struct octree_colors {
	const bspi_build *build;
	const uint32_t *counts;
	uint8_t *colors, *styles;
} octree_colors;

/* Stores the colors and styles of one sample; at most SETS of them are kept. */
static void fill_sample(void *user, const uint32_t at[3], const uint8_t *colors, uint32_t count)
{
	const octree_colors *to = user;
	size_t sample = ((size_t)at[2] * to->counts[1] + at[1]) * to->counts[0] + at[0];
	for (uint32_t i = 0; i < count && i < SETS; i++, colors += COLOR) {
		to->styles[sample * SETS + i] = colors[0];
		bspi_encode_light(to->build, colors + 1, 1, to->colors + (sample * SETS + i) * 3);
	}
}

static bool warn_of_octree(bspi_ctx *ctx)
{
	return !ctx->error.status && bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("LIGHTGRID_OCTREE"),
	                                       "light grid left out: it ends early, or its size is not usable");
}

/* The octree has no directions, so all of its light is ambient. */
static bool build_from_octree(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bspi_bytes lump = build->map->light_octree;
	bspscene_light_grid grid;
	if (!bspi_measure_octree(lump, &grid)) return warn_of_octree(ctx);
	size_t samples = (size_t)grid.counts[0] * grid.counts[1] * grid.counts[2];
	octree_colors to = { .build = build, .counts = grid.counts };
	grid.ambient = to.colors = bspi_push(ctx, &ctx->result, uint8_t, samples * SETS * 3);
	grid.styles = to.styles = bspi_push(ctx, &ctx->result, uint8_t, samples * SETS);
	grid.directed = bspi_push(ctx, &ctx->result, uint8_t, samples * SETS * 3);
	grid.directions = bspi_push(ctx, &ctx->result, uint8_t, samples * 2);
	BSPI_TRY(to.colors && to.styles && grid.directed && grid.directions);
	memset(to.styles, UNUSED_STYLE, samples * SETS);
	if (!bspi_visit_octree(ctx, lump, fill_sample, &to)) return warn_of_octree(ctx);
	build->parts->light_grid = grid;
	return true;
}

bool bspi_build_light_grid(bspi_build *build)
{
	if (build->map->light_grid_palette.size) return build_from_columns(build);
	if (build->map->light_grid.size) return build_stored(build);
	return !build->map->light_octree.size || build_from_octree(build);
}
