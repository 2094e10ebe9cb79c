/* entity_scan.h - the text of a map's entities, token by token, with where each was: what entity.c reads scenes from,
 * and what is rewritten in place.
 *
 * Tokens are braces, quoted strings and bare words; `//` outside quotes is a comment; a quote cannot be escaped (no
 * engine but Strata Source does); the end of the text closes what is open, and a line that begins with } what a lost
 * quote opened. */
#ifndef BSPI_ENTITY_SCAN_H
#define BSPI_ENTITY_SCAN_H

#include "map/map.h"

typedef struct bspi_entity_scan {
	bspi_bytes text;
	size_t at;
	bool escapes;                      /* a quote after a backslash does not end its string */
	bool unclosed;                     /* a quote or an entity ran into the end */
	bool odd;                          /* something of the present entity is left out: what is read is not all of it */
	uint32_t lost_quotes;              /* quotes that ran into the end of their entity */
} bspi_entity_scan;

/* A key and its value: parts of the text without quotes, the key without blanks around it; and the span of both with
 * quotes. */
typedef struct bspi_scanned_pair {
	bspi_bytes key, value;
	size_t begin, end, value_begin;
} bspi_scanned_pair;

/* The map's text up to its NUL. */
bspi_bytes bspi_entity_text(bspi_bytes lump);
/* Behind the next opening brace. False: there is none. */
bool bspi_scan_entity(bspi_entity_scan *scan);
/* Reads the entity's next pair. False: its closing brace was passed. Pairs without a value or with an empty key are
 * dropped. */
bool bspi_scan_pair(bspi_entity_scan *scan, bspi_scanned_pair *out);
/* Replaces \" \\ \n \t by what they stand for; other backslashes stay. The result is `text` itself, or a copy in the
 * scratch arena. False: memory is out. */
bool bspi_unescape(bspi_ctx *ctx, bspi_bytes text, bspi_bytes *out);

#endif
