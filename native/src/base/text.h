/* text.h - untrusted text: UTF-8 repair, numbers without locale, safe game paths, ASCII case. */
#ifndef BSPI_TEXT_H
#define BSPI_TEXT_H

#include "base/ctx.h"

/* A copy of `text` (ending at its first NUL) as UTF-8 in the result arena. Bytes that are not UTF-8 are read as
 * Windows-1252. *repaired is set, never cleared, when that happened; it may be NULL. NULL: memory is out. */
char *bspi_text_copy(bspi_ctx *ctx, bspi_bytes text, bool *repaired);
/* The same for text that is terminated, a name from a file or a caller. */
char *bspi_text_keep(bspi_ctx *ctx, const char *text);
/* The same for Quake's font: letters with bit 7 set are the bronze ones. */
char *bspi_text_copy_quake(bspi_ctx *ctx, bspi_bytes text, bool *repaired);
/* The code point of a byte of Windows-1252. */
uint32_t bspi_code_of_cp1252(uint8_t byte);
/* printf into an arena. NULL: memory is out. */
char *bspi_text_format(bspi_ctx *ctx, bspi_arena *arena, const char *format, ...) BSPI_PRINTF(3, 4);

static inline char bspi_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
/* ASCII case ignored. */
int bspi_text_compare(const char *a, const char *b);
/* The same for texts that do not end with a NUL. */
int bspi_text_compare_parts(const char *a, size_t size_a, const char *b, size_t size_b);
static inline bool bspi_text_equal(const char *a, const char *b) { return bspi_text_compare(a, b) == 0; }
bool bspi_text_starts(const char *text, const char *prefix);
/* True if the name equals the pattern, or begins with it up to a '*' at its end. ASCII case is ignored. */
bool bspi_text_matches(const char *text, const char *pattern);
bool bspi_text_ends(const char *text, const char *suffix);
bool bspi_text_contains(const char *text, const char *part);

/* Reads a number as C's strtof would in the C locale; never infinite or NaN. Returns where it stopped: `text` itself
 * when there is no number. */
const char *bspi_text_number(const char *text, float *out);
/* Reads up to `count` numbers separated by anything else ("5, 0, 0"). Returns their number. */
uint32_t bspi_text_numbers(const char *text, float *out, uint32_t count);
/* The same with only blanks between them, as sscanf reads "%f %f": "0;5" is one number. */
uint32_t bspi_text_scan(const char *text, float *out, uint32_t count);

/* Folds a game path into `out`: '/' for '\', no leading '/', no "." parts, ASCII lower case if `lower`. Bytes that are
 * no UTF-8 are taken for Windows-1252, as in all texts, so that files in archives and what maps call them stay equal.
 * False, leaving an empty string, for what could leave its directory (.., drives, device names), control characters, an
 * empty name, or one that does not fit. */
bool bspi_text_path(const char *path, bool lower, char *out, size_t size);
#define BSPI_PATH_SIZE 256

/* What follows the last '/' or '\\' of a path. Part of `path`. */
const char *bspi_last_part(const char *path);
/* "atrium" of "maps/atrium.bsp", and of "atrium.bsp.bz2" and whatever else may follow; the last part as it is when
 * there is no ".bsp" in it. Part of `path`. */
bspi_bytes bspi_map_stem(const char *path);
/* How long a path is without ".bsp" and what follows that. */
size_t bspi_map_path_size(const char *path);

/* 64-bit FNV-1a, for hash tables and goldens. */
uint64_t bspi_hash(const void *data, size_t size);

#endif
