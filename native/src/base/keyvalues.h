/* keyvalues.h - Valve's KeyValues text (materials, gameinfo.txt) as a tree: blocks of pairs and blocks.
 *
 * Nothing is an error: a block or quote that does not end, ends with the line or the text, as in the engine. */
#ifndef BSPI_KEYVALUES_H
#define BSPI_KEYVALUES_H

#include "base/arena.h"
#include "base/bytes.h"

#define BSPI_KV_ROOT 0u
/* Deeper blocks and longer texts are left out; the games' own stay far below. */
#define BSPI_KV_MOST_DEPTH 64u
#define BSPI_KV_LARGEST_TEXT (1u << 20)

typedef struct bspi_kv {
	const char *key;                   /* as written; "" for the root */
	const char *value;                 /* NULL: a block */
	uint32_t first_child, next;        /* 0: none */
} bspi_kv;

typedef struct bspi_kv_tree {
	const bspi_kv *nodes;              /* nodes[BSPI_KV_ROOT] holds the outermost ones */
	uint32_t count;
} bspi_kv_tree;

/* False: memory is out. What [$X360] and the like exclude on a PC is left out. */
bool bspi_kv_parse(bspi_arena *arena, bspi_bytes text, bspi_kv_tree *out);
/* The first child of that key, case ignored, that is a pair or, with `block`, a block. 0: there is none. */
uint32_t bspi_kv_find(const bspi_kv_tree *tree, uint32_t parent, const char *key, bool block);

#endif
