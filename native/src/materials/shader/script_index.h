/* script_index.h - all scripts of a game, scanned once for the names they define; what a name means is parsed when a
 * map uses it. */
#ifndef BSPI_SCRIPT_INDEX_H
#define BSPI_SCRIPT_INDEX_H

#include "materials/shader/script.h"

/* Beyond these the rest is left out with a warning: engines read 4096 scripts, and games define up to 10,000 names. */
#define BSPI_MAX_SCRIPTS 4096u
#define BSPI_MAX_DEFINITIONS 262144u
#define BSPI_MAX_BROKEN_PLACES 1000u   /* a file with more of them is no script */

typedef struct bspi_script_file {
	const char *path;                  /* in the scratch arena, as list_files gave it */
	bspi_bytes text;                   /* in the scratch arena */
} bspi_script_file;

/* "name { ... }" */
typedef struct bspi_definition {
	const char *name;                  /* folded: lower case, '/' */
	uint32_t file, line, body_line;
	uint32_t number;                   /* in the order of reading: of equal names the smallest counts */
	size_t begin, body, end;           /* bytes in the file: of the name, behind '{', behind '}' */
	void *meaning;                     /* whatever the rules made of it, kept for the next use */
} bspi_definition;

typedef struct bspi_script_index {
	bspi_script_file *files; uint32_t file_count, file_capacity;
	bspi_definition *definitions; uint32_t definition_count, definition_capacity; /* sorted by name, then number */
} bspi_script_index;

/* Reads and scans every file that list_files names. Broken scripts keep the definitions that can be told apart. */
bool bspi_index_scripts(bspi_ctx *ctx, const char *prefix, const char *suffix, bspi_script_index *index);
/* Scans one more text; bspi_sort_definitions comes after the last. */
bool bspi_index_text(bspi_ctx *ctx, bspi_script_index *index, const char *path, bspi_bytes text);
void bspi_sort_definitions(bspi_script_index *index);

/* `name` in any case, with any slashes. NULL: no script defines it. */
bspi_definition *bspi_find_definition(const bspi_script_index *index, const char *name);

#endif
