/* json_arena.h - an arena for jansson values that are made, read and freed together. */
#ifndef CLI_JSON_ARENA_H
#define CLI_JSON_ARENA_H

#include <stddef.h>

typedef struct cli_json_chunk cli_json_chunk;

/* An arena. It is empty if all bytes are zero. */
typedef struct cli_json_arena {
	cli_json_chunk *newest;
	size_t size;        /* bytes of all chunks */
} cli_json_arena;

/* From now on, new jansson values live in the arena until its reset, without json_decref. No jansson value may exist at
 * the first call. jansson's allocation functions are global, so only one thread may make values until
 * cli_json_arena_end. Other threads may read values. */
void cli_json_arena_use(cli_json_arena *arena);
/* Frees all values; keeps some memory for the next ones. */
void cli_json_arena_reset(cli_json_arena *arena);
/* Gives jansson its own allocation functions back. */
void cli_json_arena_end(void);
/* Frees an arena that is not used any more. */
void cli_json_arena_free(cli_json_arena *arena);

#endif
