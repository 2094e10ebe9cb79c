/* json_arena.h - memory of jansson's values that are made, read and forgotten together. */
#ifndef CLI_JSON_ARENA_H
#define CLI_JSON_ARENA_H

/* From now on jansson's values live until the next reset: json_decref need not be called. No value may be alive. */
void cli_json_arena_begin(void);
/* Forgets all values. */
void cli_json_arena_reset(void);
/* The same, and jansson has its own memory again. */
void cli_json_arena_end(void);

#endif
