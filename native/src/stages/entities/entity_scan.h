/* entity_scan.h - a tokenizer for entity text that also gives the offsets of tokens. entity.c reads entities with it,
 * and bspscene_rewrite changes text in place with it.
 *
 * Tokens are braces, quoted strings and bare words. `//` outside quotes begins a comment. A quote cannot be escaped
 * (only Strata Source can). The end of the text closes what is open, and a line that begins with } closes a string
 * whose end quote is missing. */
#ifndef BSPI_ENTITY_SCAN_H
#define BSPI_ENTITY_SCAN_H

#include "map/map.h"

typedef struct bspi_entity_scan {
	bspi_bytes text;
	size_t at;
	bool escapes;                      /* a backslash escapes a quote (Strata Source) */
	bool unclosed;                     /* the text ended in a string or an entity */
	bool odd;                          /* the text of the present entity has parts that are skipped */
	uint32_t lost_quotes;              /* strings without an end quote */
} bspi_entity_scan;

/* A key and its value without quotes. White space around the key is removed. The offsets include the quotes. */
typedef struct bspi_scanned_pair {
	bspi_bytes key, value;
	size_t begin, end, value_begin;
} bspi_scanned_pair;

/* Returns the entity text of a lump, which ends at the first NUL. */
bspi_bytes bspi_entity_text(bspi_bytes lump);
/* Moves after the next opening brace. False if there is none. */
bool bspi_scan_entity(bspi_entity_scan *scan);
/* Reads the entity's next pair. False at the entity's closing brace, which is then passed. Pairs without a value or
 * with an empty key are dropped. */
bool bspi_scan_pair(bspi_entity_scan *scan, bspi_scanned_pair *out);
/* Replaces the escapes \" \\ \n \t by their characters; other backslashes stay. The result is `text` itself, or a copy
 * in the scratch arena. False: memory is out. */
bool bspi_unescape(bspi_ctx *ctx, bspi_bytes text, bspi_bytes *out);

#endif
