/* text_set.h - numbers strings; equal strings get the same number. */
#ifndef CLI_TEXT_SET_H
#define CLI_TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the 64-bit FNV-1a hash. It is not safe against deliberate collisions. */
uint64_t cli_hash(const void *data, size_t size);
/* cli_hash_more adds bytes to a hash and returns the new hash. The hash of no bytes is CLI_HASH_BEGIN. */
#define CLI_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t cli_hash_more(uint64_t hash, const void *data, size_t size);

typedef struct cli_text_entry {
	uint64_t hash;
	char *text;      /* the string; NULL: the entry is free */
	size_t number;
} cli_text_entry;

/* A set of strings. All zero: it is empty. */
typedef struct cli_text_set {
	cli_text_entry *entries;           /* open addressing: `room` entries, a power of two; at most half are used */
	size_t count, room;
} cli_text_set;

/* Returns the string's number: 1, 2, ... in order of insertion. Sets *is_new to true if it was inserted. */
size_t cli_text_set_add(cli_text_set *set, const char *text, bool *is_new);
void cli_text_set_free(cli_text_set *set);

#endif
