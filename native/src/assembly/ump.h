/* ump.h - the rules by which UFO: Alien Invasion assembles a map from tiles, and the tiles that are chosen. */
#ifndef BSPI_UMP_H
#define BSPI_UMP_H

#include "assembly/assembly.h"

/* Limits for a text. Released texts have at most 62 tiles of their own, and assemblies of at most 17 x 14 squares. */
enum {
	BSPI_MOST_TILES = 512, BSPI_MOST_TILE_SETS = 128, BSPI_MOST_TILES_IN_SET = 128, BSPI_MOST_FIXED_TILES = 256,
	BSPI_LARGEST_ASSEMBLY = 32, BSPI_LARGEST_TILE = BSPI_LARGEST_ASSEMBLY + 2, BSPI_MOST_OF_TILE = 1024
};

/* ---- Tokens ----------------------------------------------------------------------------------------------- */

typedef struct bspi_ump_scan {
	bspi_bytes text;
	size_t at;
	bool quoted;                       /* the last word was in quotes */
} bspi_ump_scan;

/* Reads the next word: a brace, a quoted string without its quotes, or a plain word. False at the end of the text. */
bool bspi_ump_word(bspi_ump_scan *scan, bspi_bytes *out);
/* True if the word equals `wanted` and is not quoted. */
bool bspi_ump_is(const bspi_ump_scan *scan, bspi_bytes word, const char *wanted);
/* Moves after the brace that closes the block whose opening brace was read. */
void bspi_ump_skip_block(bspi_ump_scan *scan);

/* ---- Rules ------------------------------------------------------------------------------------------------ */

/* A cell is a set of bits. Bit 0 means solid: the tile itself is there. Each of the other bits is a kind of ground.
 * Cells of two tiles fit together if they have a kind in common. */
#define BSPI_CELL_SOLID 1u
#define BSPI_CELL_ANY 0xfffffffeu

typedef struct bspi_ump_tile {
	const char *id, *path;             /* name of the tile in the rules; path of its map: "maps/farm/f_wind.bsp" */
	uint32_t width, height;            /* in cells, including a border of one cell around the tile */
	const uint32_t *cells;             /* rows from the lowest y on */
	bool is_solid;                     /* true if some cell is solid; a tile without solid cells is placed only where
	                                    * the rules fix it */
	uint32_t least, most;              /* how often the tile may be placed, in addition to fixed placements */
} bspi_ump_tile;

typedef struct bspi_tile_set {
	const char *id;
	uint32_t tiles[BSPI_MOST_TILES_IN_SET], tile_count;
} bspi_tile_set;

/* A tile that is placed. Its border begins at the cell (x, y). */
typedef struct bspi_placed_tile {
	uint32_t tile, x, y;
} bspi_placed_tile;

typedef struct bspi_ump {
	bspi_ump_tile *tiles; uint32_t tile_count;
	bspi_tile_set *sets; uint32_t set_count;
	const char *assembly;              /* name of the assembly that is read */
	bspi_bytes block;                  /* text of the assembly's rules */

	/* The members below are set by bspi_draw_rules. */
	uint32_t width, height;            /* in squares */
	uint32_t step[2];                  /* x and y of a placed tile are multiples of these, in squares */
	bspi_placed_tile *fixed; uint32_t fixed_count;
} bspi_ump;

/* SplitMix64 (Steele, Lea and Flood 2014; public domain), which gives the same numbers on every system. */
typedef struct bspi_random {
	uint64_t state;
} bspi_random;
/* Returns 0 .. count - 1; `count` must not be 0. arrange.c */
uint32_t bspi_random_below(bspi_random *random, uint32_t count);

/* Reads a text, and the texts that it includes by "extends". `wanted` is the name of the assembly to read. If it is
 * empty, the first assembly is read. read_ump.c */
bool bspi_read_ump(bspi_ctx *ctx, bspi_bytes text, bspi_bytes wanted, bspi_ump *out);
/* Reads the assembly's size, its fixed tiles and the bounds for each tile, and draws tiles from sets. Invalid rules
 * are counted as warnings only if `first` is true, because an assembly may be drawn several times. assembly_rules.c */
bool bspi_draw_rules(bspi_ctx *ctx, bspi_random *random, bool first, bspi_ump *ump);
/* Finds a way to fill the assembly with tiles, and stores it in the scratch arena. *count is 0 if no way was found.
 * arrange.c */
bool bspi_arrange_tiles(bspi_ctx *ctx, bspi_random *random, const bspi_ump *ump, const bspi_placed_tile **out,
                        uint32_t *count);

#endif
