/* script_index.h - scans all scripts of a game once for the names that they define. A definition is parsed when a map
 * uses it. */
#ifndef BSPI_SCRIPT_INDEX_H
#define BSPI_SCRIPT_INDEX_H

#include "materials/shader/script.h"

/* Limits. Scripts and definitions beyond them are left out with a warning. Engines read up to 4096 scripts, and games
 * define up to 10,000 names. */
#define BSPI_MAX_SCRIPTS 4096u
#define BSPI_MAX_DEFINITIONS 262144u
#define BSPI_MAX_BROKEN_PLACES 1000u   /* a file with more errors is not a script, and reading it ends */

typedef struct bspi_script_file {
	const char *path;                  /* from list_files; in the scratch arena */
	bspi_bytes text;                   /* in the scratch arena */
} bspi_script_file;

typedef struct bspi_style_set bspi_style_set;

/* A definition in a script: "name { ... }". */
typedef struct bspi_definition {
	const char *name;                  /* in lower case, with '/' */
	uint32_t file, line, body_line;
	uint32_t number;                   /* position in the order of reading; of several definitions with one name, the
	                                    * smallest number counts */
	size_t begin, body, end;           /* offsets in the file: begin of the name, position after '{', position after
	                                    * '}' */
	void *meaning;                     /* what the material rules parsed from it */
	bspi_style_set *styles;            /* light styles of the faces that use it, if the rules need them; see
	                                    * styled_light.c */
} bspi_definition;

typedef struct bspi_script_index {
	bspi_script_file *files; uint32_t file_count, file_capacity;
	bspi_definition *definitions; uint32_t definition_count, definition_capacity; /* sorted by name, then number */
} bspi_script_index;

/* Reads every file that list_files finds, and lists its definitions. If a script is damaged, its unambiguous
 * definitions are still listed. */
bool bspi_index_scripts(bspi_ctx *ctx, const char *prefix, const char *suffix, bspi_script_index *index);
/* Lists the definitions of one more text. After the last text, call bspi_sort_definitions. */
bool bspi_index_text(bspi_ctx *ctx, bspi_script_index *index, const char *path, bspi_bytes text);
void bspi_sort_definitions(bspi_script_index *index);

/* Finds a definition by name; case and kind of slash are ignored. NULL if there is none. */
bspi_definition *bspi_find_definition(const bspi_script_index *index, const char *name);

#endif
