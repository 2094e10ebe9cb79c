/* entity_scan.h - divides entity text into tokens, and also gives their offsets. entity.c reads entities with it.
 * bspscene_rewrite needs the offsets to change the text.
 *
 * Tokens are braces, quoted strings and words without quotes. `//` outside of quotes begins a comment. A quote cannot
 * be escaped, except in Strata Source. At the end of the text, an open string or entity is closed. A line that begins
 * with } closes a string whose closing quote is missing. */
#ifndef BSPI_ENTITY_SCAN_H
#define BSPI_ENTITY_SCAN_H

#include "map/map.h"

typedef struct bspi_entity_scan {
	bspi_bytes text;
	size_t at;
	bool escapes;                      /* a quote in a string can be written with a backslash (Strata Source) */
	bool unclosed;                     /* the text ended inside a string or an entity */
	bool odd;                          /* the text of the current entity has parts that are skipped */
	uint32_t lost_quotes;              /* number of strings whose closing quote is missing */
} bspi_entity_scan;

/* A key and its value, both without quotes. White space around the key is removed. The byte offsets
 * in the text are those of the beginning and the end of the pair, and of the beginning of the value. Quotes belong to
 * the pair and to the value. */
typedef struct bspi_scanned_pair {
	bspi_bytes key, value;
	size_t begin, end, value_begin;
} bspi_scanned_pair;

/* Returns the entity text in a lump. It ends at the first NUL. */
bspi_bytes bspi_entity_text(bspi_bytes lump);
/* Moves after the next opening brace. Returns false if there is none. */
bool bspi_scan_entity(bspi_entity_scan *scan);
/* Reads the next pair of the entity. At the entity's closing brace, moves after it and returns false. Skips a key
 * without value, and an empty key. */
bool bspi_scan_pair(bspi_entity_scan *scan, bspi_scanned_pair *out);
/* Replaces \" \\ \n and \t by the characters that they stand for. Other backslashes stay. The result is `text` itself,
 * or a copy in the scratch arena. Returns false if memory is out. */
bool bspi_unescape(bspi_ctx *ctx, bspi_bytes text, bspi_bytes *out);

#endif
