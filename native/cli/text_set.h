/* text_set.h - texts to numbers, the same for equal ones. */
#ifndef CLI_TEXT_SET_H
#define CLI_TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64-bit FNV-1a. Whoever wants to can make two that are equal. */
uint64_t cli_hash(const void *data, size_t size);
/* The same of bytes that come in pieces. */
#define CLI_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t cli_hash_more(uint64_t hash, const void *data, size_t size);

typedef struct cli_text_entry {
	uint64_t hash;
	char *text;      /* NULL: no entry */
	size_t number;
} cli_text_entry;

/* {0} has none. */
typedef struct cli_text_set {
	cli_text_entry *entries;           /* open addressing; at most half of `room`, a power of two, is used */
	size_t count, room;
} cli_text_set;

/* The text's number, from 1 in the order in which they come. *is_new: it was not there. */
size_t cli_text_set_add(cli_text_set *set, const char *text, bool *is_new);
void cli_text_set_free(cli_text_set *set);

#endif
