/* mounted.h - a directory and game files for each test: cmocka's setup and teardown, and what tests put there. */
#ifndef BSPT_MOUNTED_H
#define BSPT_MOUNTED_H

#include "support/make/build_archive.h"

typedef struct bspt_mounted {
	char root[200];
	bspscene_file_system *files;
} bspt_mounted;

/* *state becomes a bspt_mounted, whose directory is empty; and back. */
int bspt_mounted_begin(void **state);
int bspt_mounted_end(void **state);

/* "<root>/<name>", in a buffer that the second call after this one reuses. */
const char *bspt_mounted_at(const bspt_mounted *p, const char *name);
void bspt_mounted_folder(const bspt_mounted *p, const char *name);
void bspt_mounted_text(const bspt_mounted *p, const char *name, const char *text);
/* Frees the archive. */
void bspt_mounted_archive(const bspt_mounted *p, const char *name, bspt_bytes archive);
/* True if the files have that text under this path; NULL: if they have nothing there. */
void bspt_mounted_expect(const bspt_mounted *p, const char *path, const char *want);

#endif
