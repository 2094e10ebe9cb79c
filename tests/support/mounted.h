/* mounted.h - a directory and a file system for each test: cmocka's setup and teardown, and functions that add
 * files. */
#ifndef BSPT_MOUNTED_H
#define BSPT_MOUNTED_H

#include "support/make/build_archive.h"

typedef struct bspt_mounted {
	char root[200];
	bspscene_file_system *files;
} bspt_mounted;

/* Setup: *state becomes a bspt_mounted with an empty directory. Teardown frees both. */
int bspt_mounted_begin(void **state);
int bspt_mounted_end(void **state);

/* Returns "<root>/<name>" in a buffer that the second call after this one reuses. */
const char *bspt_mounted_at(const bspt_mounted *p, const char *name);
void bspt_mounted_folder(const bspt_mounted *p, const char *name);
void bspt_mounted_text(const bspt_mounted *p, const char *name, const char *text);
/* Writes the archive to a file, and frees it. */
void bspt_mounted_archive(const bspt_mounted *p, const char *name, bspt_bytes archive);
/* Fails unless the file system has this text under this path or, if the text is NULL, has nothing there. */
void bspt_mounted_expect(const bspt_mounted *p, const char *path, const char *want);

#endif
