/* arrange.c - places tiles so that they cover the whole assembly and fit their neighbors. The number of placements of
 * each tile stays within its bounds. The tiles are found by a backtracking search. Each step decides either which tile
 * covers a certain square, or where a certain tile is placed. It takes the square or tile for which the fewest options
 * are left. The seed determines the pseudo-random order of the options. */
#include "assembly/ump.h"

/* A search gives up after it has tested this many cells. read_assembly.c then draws other tiles and searches again.
 * Successful searches of known maps take a tenth of this. */
#define MOST_WORK ((uint64_t)1 << 26)
#define MOST_OPTIONS ((uint32_t)1 << 20)     /* limit for the options of all steps together */
enum { SIDE = BSPI_LARGEST_TILE, MOST_STEPS = BSPI_LARGEST_ASSEMBLY * BSPI_LARGEST_ASSEMBLY };

typedef uint32_t grid[SIDE][SIDE];

/* One decision of the search: which tile covers a square, or where a tile is placed. */
typedef struct step {
	grid cells;                        /* the grid before this decision */
	uint32_t first, count, at;         /* range of the options left at this step, in `options` of the search; the next
	                                    * option to try, counted from `first` */
	bool of_tile;
	uint32_t tile, x, y;               /* the tile that is placed if `of_tile`, else the square that is covered */
} step;

typedef struct search {
	bspi_ctx *ctx;
	const bspi_ump *ump;
	bspi_random *random;
	uint32_t *placed_of;               /* per tile: how often it is placed, not counting fixed placements */
	uint32_t *options_of;              /* per tile: number of its options in the present step */
	bspi_placed_tile *options;         /* the choices of all steps, one step after the other */
	bspi_placed_tile *placed; uint32_t fixed_count;
	step **steps; uint32_t depth;
	uint64_t work;
} search;

uint32_t bspi_random_below(bspi_random *random, uint32_t count)
{
	uint64_t n = random->state += UINT64_C(0x9e3779b97f4a7c15);
	n = (n ^ (n >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	n = (n ^ (n >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((n ^ (n >> 31)) % count);
}

static const bspi_ump_tile *tile_of(const search *s, const bspi_placed_tile *option)
{
	return &s->ump->tiles[option->tile];
}

/* ---- A single tile ---------------------------------------------------------------------------------------- */

/* True if all cells of the tile fit: each has a kind of ground in common with the grid's cell, and not both are
 * solid. */
static bool fits(search *s, const grid cells, const bspi_placed_tile *option)
{
	const bspi_ump_tile *tile = tile_of(s, option);
	for (uint32_t y = 0; y < tile->height; y++) {
		for (uint32_t x = 0; x < tile->width; x++) {
			uint32_t common = cells[option->y + y][option->x + x] & tile->cells[y * tile->width + x];
			s->work++;
			if (!common || (common & BSPI_CELL_SOLID)) return false;
		}
	}
	return true;
}

/* Marks the cells of a placed tile in the grid. A fixed tile may lie outside of the assembly or on another tile. */
static void lay(const search *s, grid cells, const bspi_placed_tile *option)
{
	const bspi_ump_tile *tile = tile_of(s, option);
	for (uint32_t y = 0; y < tile->height && option->y + y < SIDE; y++) {
		for (uint32_t x = 0; x < tile->width && option->x + x < SIDE; x++) {
			uint32_t *cell = &cells[option->y + y][option->x + x], own = tile->cells[y * tile->width + x];
			if (*cell & BSPI_CELL_SOLID) continue;
			*cell = own & BSPI_CELL_SOLID ? own : *cell & own;
		}
	}
}

static bool covers(const search *s, const bspi_placed_tile *option, uint32_t x, uint32_t y)
{
	const bspi_ump_tile *tile = tile_of(s, option);
	if (x < option->x || y < option->y || x - option->x >= tile->width || y - option->y >= tile->height) return false;
	return tile->cells[(y - option->y) * tile->width + x - option->x] & BSPI_CELL_SOLID;
}

/* ---- Choosing the next decision --------------------------------------------------------------------------- */

typedef struct fewest {
	uint32_t ways, equal;              /* fewest choices of a decision so far; number of decisions that have so few */
} fewest;

/* True if this decision is chosen because it has the fewest choices so far. Among decisions with equally few, each is
 * chosen with the same probability (reservoir sampling). */
static bool is_next(search *s, fewest *least, uint32_t ways)
{
	if (ways > least->ways) return false;
	least->equal = ways < least->ways ? 1 : least->equal + 1;
	least->ways = ways;
	return !bspi_random_below(s->random, least->equal);
}

static void count_ways(search *s, const step *now, grid ways)
{
	memset(s->options_of, 0, s->ump->tile_count * sizeof *s->options_of);
	memset(ways, 0, sizeof(grid));
	for (uint32_t i = 0; i < now->count; i++) {
		const bspi_placed_tile *option = &s->options[now->first + i];
		const bspi_ump_tile *tile = tile_of(s, option);
		s->options_of[option->tile]++;
		for (uint32_t y = 0; y < tile->height; y++) {
			for (uint32_t x = 0; x < tile->width; x++) {
				ways[option->y + y][option->x + x] += tile->cells[y * tile->width + x] & BSPI_CELL_SOLID;
				s->work++;
			}
		}
	}
}

/* Chooses the next decision: the one with the fewest choices. Returns false if everything is covered and each tile is
 * placed as often as required. */
static bool decide(search *s, step *now)
{
	grid ways;
	fewest least = { .ways = UINT32_MAX };
	count_ways(s, now, ways);
	for (uint32_t y = 1; y <= s->ump->height; y++) {
		for (uint32_t x = 1; x <= s->ump->width; x++) {
			if ((now->cells[y][x] & BSPI_CELL_SOLID) || !is_next(s, &least, ways[y][x])) continue;
			now->of_tile = false;
			now->x = x;
			now->y = y;
		}
	}
	for (uint32_t i = 0; i < s->ump->tile_count; i++) {
		const bspi_ump_tile *tile = &s->ump->tiles[i];
		if (s->placed_of[i] >= tile->least) continue;
		bool enough = s->options_of[i] >= tile->least - s->placed_of[i];
		if (!is_next(s, &least, enough ? s->options_of[i] : 0)) continue;
		now->of_tile = true;
		now->tile = i;
	}
	now->at = least.ways ? 0 : now->count; /* no options: backtrack */
	return least.ways != UINT32_MAX;
}

/* ---- The search ------------------------------------------------------------------------------------------- */

static step *push_step(search *s)
{
	if (!s->steps[s->depth]) s->steps[s->depth] = bspi_push(s->ctx, &s->ctx->stage, step, 1);
	return s->steps[s->depth];
}

static bool is_of(const search *s, const step *now, const bspi_placed_tile *option)
{
	return now->of_tile ? option->tile == now->tile : covers(s, option, now->x, now->y);
}

/* Copies the options that still fit after the option `taken` is placed. */
static void keep_fitting(search *s, const step *now, const bspi_placed_tile *taken, step *next)
{
	const bspi_ump_tile *by = tile_of(s, taken);
	for (uint32_t i = 0; i < now->count && next->first + next->count < MOST_OPTIONS; i++) {
		const bspi_placed_tile *option = &s->options[now->first + i];
		const bspi_ump_tile *tile = tile_of(s, option);
		if (s->placed_of[option->tile] >= tile->most) continue;
		bool apart = option->x >= taken->x + by->width || taken->x >= option->x + tile->width ||
		             option->y >= taken->y + by->height || taken->y >= option->y + tile->height;
		s->work++;
		if (apart || fits(s, (const uint32_t (*)[SIDE])next->cells, option)) {
			s->options[next->first + next->count++] = *option;
		}
	}
}

/* Makes one step of the search. Returns true if the search has ended. *found tells whether it succeeded or gave up
 * (ctx->error, or too much work). */
static bool advance(search *s, bool *found)
{
	step *now = s->steps[s->depth];
	while (now->at < now->count && !is_of(s, now, &s->options[now->first + now->at])) now->at++;
	if (now->at == now->count) {
		if (!s->depth) return true;
		s->depth--;
		s->placed_of[s->placed[s->fixed_count + s->depth].tile]--;
		return false;
	}
	const bspi_placed_tile taken = s->options[now->first + now->at++];
	s->placed[s->fixed_count + s->depth] = taken;
	s->placed_of[taken.tile]++;
	s->depth++;
	step *next = push_step(s);
	if (!next) return true;
	memcpy(next->cells, now->cells, sizeof next->cells);
	next->first = now->first + now->count;
	next->count = 0;
	lay(s, next->cells, &taken);
	keep_fitting(s, now, &taken, next);
	*found = !decide(s, next);
	return *found || s->work > MOST_WORK;
}

/* Lists all positions at which a tile fits in the empty assembly. */
static void list_options(search *s, step *first)
{
	const bspi_ump *ump = s->ump;
	for (uint32_t i = 0; i < ump->tile_count; i++) {
		const bspi_ump_tile *tile = &ump->tiles[i];
		bool counts = tile->most && tile->is_solid;
		for (uint32_t y = 0; counts && y + tile->height <= ump->height + 2; y += ump->step[1]) {
			for (uint32_t x = 0; x + tile->width <= ump->width + 2; x += ump->step[0]) {
				bspi_placed_tile option = { i, x, y };
				if (first->count == MOST_OPTIONS / 2) return;
				if (!fits(s, (const uint32_t (*)[SIDE])first->cells, &option)) continue;
				uint32_t at = bspi_random_below(s->random, ++first->count);
				s->options[first->count - 1] = s->options[at];
				s->options[at] = option;
			}
		}
	}
}

static bool begin(search *s)
{
	const bspi_ump *ump = s->ump;
	bspi_arena *arena = &s->ctx->stage;
	s->placed_of = bspi_push(s->ctx, arena, uint32_t, ump->tile_count);
	s->options_of = bspi_push(s->ctx, arena, uint32_t, ump->tile_count);
	s->options = bspi_push_unset(s->ctx, arena, MOST_OPTIONS, sizeof *s->options);
	s->steps = bspi_push(s->ctx, arena, step *, MOST_STEPS + 2);
	s->placed = bspi_push(s->ctx, &s->ctx->scratch, bspi_placed_tile, MOST_STEPS + 2 + BSPI_MOST_FIXED_TILES);
	BSPI_TRY(s->placed_of && s->options_of && s->options && s->steps && s->placed);
	step *first = push_step(s);
	BSPI_TRY(first);
	for (uint32_t y = 0; y < SIDE; y++) {
		for (uint32_t x = 0; x < SIDE; x++) first->cells[y][x] = BSPI_CELL_ANY;
	}
	for (uint32_t i = 0; i < ump->fixed_count; i++) {
		lay(s, first->cells, &ump->fixed[i]);
		s->placed[s->fixed_count++] = ump->fixed[i];
	}
	list_options(s, first);
	return true;
}

/* False if the assembly has only fixed tiles, which may leave holes. */
static bool has_choice(const bspi_ump *ump)
{
	bool some = !ump->fixed_count;
	for (uint32_t i = 0; i < ump->tile_count; i++) some = some || ump->tiles[i].most;
	return some;
}

bool bspi_arrange_tiles(bspi_ctx *ctx, bspi_random *random, const bspi_ump *ump, const bspi_placed_tile **out,
                        uint32_t *count)
{
	search s = { .ctx = ctx, .ump = ump, .random = random };
	*count = 0;
	BSPI_TRY(begin(&s));
	bool found = !has_choice(ump) || !decide(&s, s.steps[0]);
	while (!found && !advance(&s, &found)) continue;
	BSPI_TRY(!ctx->error.status);
	*out = s.placed;
	if (found) *count = s.fixed_count + s.depth;
	bspi_arena_rewind(&ctx->stage);
	return true;
}
