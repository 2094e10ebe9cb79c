/* mounted.c - see mounted.h. */
#define _XOPEN_SOURCE 700
#include "support/mounted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

int bspt_mounted_begin(void **state)
{
	bspt_mounted *p = calloc(1, sizeof *p);
	*state = p;
	if (!p) return -1;
	bspt_make_directory(p->root, sizeof p->root);
	p->files = bspscene_file_system_create(NULL);
	return p->files ? 0 : -1;
}

int bspt_mounted_end(void **state)
{
	bspt_mounted *p = *state;
	bspscene_file_system_free(p->files);
	bspt_remove_directory(p->root);
	free(p);
	return 0;
}

const char *bspt_mounted_at(const bspt_mounted *p, const char *name)
{
	static char paths[2][600];
	static unsigned turn;
	char *path = paths[turn++ % 2];
	snprintf(path, sizeof paths[0], "%s/%s", p->root, name);
	return path;
}

void bspt_mounted_folder(const bspt_mounted *p, const char *name)
{
	if (mkdir(bspt_mounted_at(p, name), 0777)) bspt_die("create", name);
}

void bspt_mounted_text(const bspt_mounted *p, const char *name, const char *text)
{
	bspt_write_file(bspt_mounted_at(p, name), text, strlen(text));
}

void bspt_mounted_archive(const bspt_mounted *p, const char *name, bspt_bytes archive)
{
	bspt_write_file(bspt_mounted_at(p, name), archive.data, archive.size);
	free(archive.data);
}

static bool open_text(bspscene_file_system *files, const char *path, char *text, size_t size)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_TEXTURE)) return false;
	size_t got = stream.read(stream.user, text, size - 1);
	stream.close(stream.user);
	text[got < size ? got : 0] = 0;
	return true;
}

void bspt_mounted_expect(const bspt_mounted *p, const char *path, const char *want)
{
	char got[64] = "";
	bool found = open_text(p->files, path, got, sizeof got);
	if (found != (want != NULL)) fail_msg("%s: %s", path, found ? "should not be there" : "not found");
	if (want && strcmp(got, want)) fail_msg("%s: \"%s\" instead of \"%s\"", path, got, want);
}
