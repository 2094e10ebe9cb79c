/* keyvalues.h - parses Valve's KeyValues text (materials, gameinfo.txt) as a tree of blocks and pairs.
 *
 * There are no errors: an unclosed quote ends with the line, an unclosed block with the text, as in the engine. */
#ifndef BSPI_KEYVALUES_H
#define BSPI_KEYVALUES_H

#include "base/arena.h"
#include "base/bytes.h"

#define BSPI_KV_ROOT 0u
/* Blocks that are nested deeper and texts with more bytes than this are skipped. Files of games stay far below. */
#define BSPI_KV_MOST_DEPTH 64u
#define BSPI_KV_LARGEST_TEXT (1u << 20)

typedef struct bspi_kv {
	const char *key;                   /* as written; "" for the root */
	const char *value;                 /* NULL: a block */
	uint32_t first_child, next;        /* indices in `nodes` of the tree: of a block's first child, and of the next
	                                    * node in the same block; 0: none */
} bspi_kv;

typedef struct bspi_kv_tree {
	const bspi_kv *nodes;              /* nodes[BSPI_KV_ROOT] contains the top-level ones */
	uint32_t count;
} bspi_kv_tree;

/* Parses a text. Returns false if memory is out. Pairs and blocks whose conditions, such as [$X360], exclude a PC are
 * dropped. */
bool bspi_kv_parse(bspi_arena *arena, bspi_bytes text, bspi_kv_tree *out);
/* Returns the first child with this key, ignoring case: a pair or, with `block`, a block. 0 if there is none. */
uint32_t bspi_kv_find(const bspi_kv_tree *tree, uint32_t parent, const char *key, bool block);

#endif
