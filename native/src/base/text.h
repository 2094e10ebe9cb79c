/* text.h - untrusted text: UTF-8 repair, numbers independent of the locale, safe game paths, ASCII case. */
#ifndef BSPI_TEXT_H
#define BSPI_TEXT_H

#include "base/ctx.h"

/* Copies `text` (up to its first NUL) as UTF-8 to the result arena. Invalid bytes are read as Windows-1252; *repaired
 * (may be NULL) is then set to true; it is never set to false. NULL if memory is out. */
char *bspi_text_copy(bspi_ctx *ctx, bspi_bytes text, bool *repaired);
/* Does the same as bspi_text_copy for a NUL-terminated name, which comes from a file or from the caller. */
char *bspi_text_keep(bspi_ctx *ctx, const char *text);
/* Like bspi_text_copy, for text in Quake's character set, where bit 7 selects the bronze letters. */
char *bspi_text_copy_quake(bspi_ctx *ctx, bspi_bytes text, bool *repaired);
/* Returns the code point of a byte in Windows-1252. */
uint32_t bspi_code_of_cp1252(uint8_t byte);
/* Formats text like printf into an arena. Returns NULL if memory is out. */
char *bspi_text_format(bspi_ctx *ctx, bspi_arena *arena, const char *format, ...) BSPI_PRINTF(3, 4);

static inline char bspi_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
/* Compares two strings like strcmp, but ignores ASCII case. */
int bspi_text_compare(const char *a, const char *b);
/* Compares strings without a NUL, ignoring ASCII case. */
int bspi_text_compare_parts(const char *a, size_t size_a, const char *b, size_t size_b);
static inline bool bspi_text_equal(const char *a, const char *b) { return bspi_text_compare(a, b) == 0; }
bool bspi_text_starts(const char *text, const char *prefix);
/* True if the name equals the pattern. If the pattern ends with '*', true if the name begins with the text before that.
 * ASCII case is ignored. */
bool bspi_text_matches(const char *text, const char *pattern);
bool bspi_text_ends(const char *text, const char *suffix);
bool bspi_text_contains(const char *text, const char *part);

/* Reads a number like strtof in the C locale; never infinite or NaN. Returns the end of the number, or `text` if there
 * is none. */
const char *bspi_text_number(const char *text, float *out);
/* Reads up to `count` numbers, separated by any other text ("5, 0, 0"). Returns how many were read. */
uint32_t bspi_text_numbers(const char *text, float *out, uint32_t count);
/* Reads numbers that are separated by white space only, as sscanf does with "%f %f": "0;5" gives one number. */
uint32_t bspi_text_scan(const char *text, float *out, uint32_t count);

/* Normalizes a game path into `out`: '/' for '\', no leading '/', no "." components, ASCII lower case if `lower`.
 * Invalid UTF-8 is read as Windows-1252 like in all texts, so that names in archives and in maps match. False, with an
 * empty string, for paths that could leave their directory (.., drives, device names), and for control characters,
 * empty names, and names that do not fit. */
bool bspi_text_path(const char *path, bool lower, char *out, size_t size);
#define BSPI_PATH_SIZE 256

/* Returns the part of `path` after its last '/' or '\\'. */
const char *bspi_last_part(const char *path);
/* Returns "atrium" for "maps/atrium.bsp", "atrium.bsp.bz2" and so on; the last component if it does not contain ".bsp".
 * Points into `path`. */
bspi_bytes bspi_map_stem(const char *path);
/* Returns the length of a path before ".bsp". */
size_t bspi_map_path_size(const char *path);

/* Returns the 64-bit FNV-1a hash of the data, for hash tables. Hostile data can make hashes equal. */
uint64_t bspi_hash(const void *data, size_t size);

#endif
