/* scripts.h - parses shader scripts in memory, one by one or indexed together. */
#ifndef BSPT_SCRIPTS_H
#define BSPT_SCRIPTS_H

#include "materials/shader/script_index.h"
#include "materials/shader/shader.h"

typedef struct bspt_scripts {
	bspi_ctx ctx;
	bspi_script_index index;
} bspt_scripts;

void bspt_script_begin(bspt_scripts *f);
/* Ends the parsing, and checks that all memory was freed. */
void bspt_script_end(bspt_scripts *f);

/* Adds a script at `path` to the index. */
void bspt_script_add(bspt_scripts *f, const char *path, const char *text, size_t size);
/* Returns the first warning of that code, or "". */
const char *bspt_script_warning(const bspt_scripts *f, bspscene_warning_code code);

/* Parses text after "name {". */
void bspt_parse(bspt_scripts *f, const char *text, bspi_shader *out);
void bspt_parse_text(bspt_scripts *f, const char *text, size_t size, bspi_shader *out);

#endif
