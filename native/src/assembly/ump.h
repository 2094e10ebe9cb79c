/* ump.h - rules by which tiles become a map, and what is chosen by them. */
#ifndef BSPI_UMP_H
#define BSPI_UMP_H

#include "assembly/assembly.h"

/* Largest numbers of a text; released ones have 62 tiles of their own, and 17 x 14 squares. */
enum {
	BSPI_MOST_TILES = 512, BSPI_MOST_TILE_SETS = 128, BSPI_MOST_TILES_IN_SET = 128, BSPI_MOST_FIXED_TILES = 256,
	BSPI_LARGEST_ASSEMBLY = 32, BSPI_LARGEST_TILE = BSPI_LARGEST_ASSEMBLY + 2, BSPI_MOST_OF_TILE = 1024
};

/* ---- Words of a text -------------------------------------------------------------------------------------- */

typedef struct bspi_ump_scan {
	bspi_bytes text;
	size_t at;
	bool quoted;                       /* the last word was */
} bspi_ump_scan;

/* The next word, quoted text without its quotes, or brace. False at the end. */
bool bspi_ump_word(bspi_ump_scan *scan, bspi_bytes *out);
/* Is it this word, and not in quotes? */
bool bspi_ump_is(const bspi_ump_scan *scan, bspi_bytes word, const char *wanted);
/* Behind the brace that closes the block whose opening one was read. */
void bspi_ump_skip_block(bspi_ump_scan *scan);

/* ---- Rules ------------------------------------------------------------------------------------------------ */

/* A cell tells by bits what may lie there: bit 0, the tile itself; the others are kinds of ground, which neighbors
 * must have in common. */
#define BSPI_CELL_SOLID 1u
#define BSPI_CELL_ANY 0xfffffffeu

typedef struct bspi_ump_tile {
	const char *id, *path;             /* as the rules name it; of its map: "maps/farm/f_wind.bsp" */
	uint32_t width, height;            /* cells, one around the tile itself with them */
	const uint32_t *cells;             /* rows from the lowest y on */
	bool is_solid;                     /* some cell is: others lie only where they are fixed */
	uint32_t least, most;              /* how often it lies in the assembly, besides where it is fixed */
} bspi_ump_tile;

typedef struct bspi_tile_set {
	const char *id;
	uint32_t tiles[BSPI_MOST_TILES_IN_SET], tile_count;
} bspi_tile_set;

/* Where a tile lies: cells from the corner of the cells around the assembly. */
typedef struct bspi_placed_tile {
	uint32_t tile, x, y;
} bspi_placed_tile;

typedef struct bspi_ump {
	bspi_ump_tile *tiles; uint32_t tile_count;
	bspi_tile_set *sets; uint32_t set_count;
	const char *assembly;              /* the name of the one that is wanted */
	bspi_bytes block;                  /* its rules */

	/* Drawn from its rules. */
	uint32_t width, height;            /* squares */
	uint32_t step[2];                  /* where tiles may begin: at multiples of it */
	bspi_placed_tile *fixed; uint32_t fixed_count;
} bspi_ump;

/* SplitMix64 (public domain): the same numbers everywhere. */
typedef struct bspi_random {
	uint64_t state;
} bspi_random;
/* 0 .. count - 1; count is not 0. arrange.c */
uint32_t bspi_random_below(bspi_random *random, uint32_t count);

/* Reads a text, and those whose tiles it takes over. `wanted` empty: the first assembly. read_ump.c */
bool bspi_read_ump(bspi_ctx *ctx, bspi_bytes text, bspi_bytes wanted, bspi_ump *out);
/* Size, fixed tiles and how often each of the others may lie in the assembly: sets of tiles are drawn from. What the
 * rules have that cannot be is counted with `first`. assembly_rules.c */
bool bspi_draw_rules(bspi_ctx *ctx, bspi_random *random, bool first, bspi_ump *ump);
/* Fills the assembly with tiles. What is placed is in the scratch arena; *count is 0 when no way was found.
 * arrange.c */
bool bspi_arrange_tiles(bspi_ctx *ctx, bspi_random *random, const bspi_ump *ump, const bspi_placed_tile **out,
                        uint32_t *count);

#endif
