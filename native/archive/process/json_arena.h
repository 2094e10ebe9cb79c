/* json_arena.h - memory of jansson's values that are made, read and forgotten together. */
#ifndef CLI_JSON_ARENA_H
#define CLI_JSON_ARENA_H

#include <stddef.h>

typedef struct cli_json_chunk cli_json_chunk;

/* Zeroed: holds nothing. */
typedef struct cli_json_arena {
	cli_json_chunk *newest;
	size_t size;        /* bytes of all chunks */
} cli_json_arena;

/* From now on new values of jansson live in the arena until its reset: json_decref need not be called. The first call
 * is for when no value is alive; jansson's functions are the process's, so one thread alone makes values until
 * cli_json_arena_end. Others may read them. */
void cli_json_arena_use(cli_json_arena *arena);
/* Forgets the arena's values. It keeps some memory for the next ones. */
void cli_json_arena_reset(cli_json_arena *arena);
/* jansson has its own memory again. */
void cli_json_arena_end(void);
/* Frees an arena that is not used any more. */
void cli_json_arena_free(cli_json_arena *arena);

#endif
