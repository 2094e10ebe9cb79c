/* shared_pictures.c - see shared_pictures.h.
 *
 * The library writes a glTF in parts; its text and its buffer are kept and become the GLB once the names of all
 * pictures are known. */
#include "archive/pictures/shared_pictures.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/byte_buffer.h"
#include "cli/names.h"
#include "cli/host/platform.h"
#include "cli/report.h"
#include "cli/text_set.h"

#define FOLDER "textures"

typedef struct parts {
	const bspscene_output *output;
	cli_bytes text, buffer, picture;
	cli_bytes *current; /* the part that is being written */
	char *ending;       /* of the picture's name */
	json_t *names;      /* of all pictures, in their order */
} parts;

/* ---- Parts ------------------------------------------------------------------------------------------------ */

static bool begin_part(void *user, const char *name)
{
	parts *p = user;
	const char *ending = cli_ending(name);
	p->current = !strcmp(ending, "gltf") ? &p->text : !strcmp(ending, "bin") ? &p->buffer : &p->picture;
	p->current->size = 0;
	free(p->ending);
	p->ending = cli_format("%s", ending);
	return true;
}

static bool write_part(void *user, const void *data, size_t size)
{
	cli_bytes_add(((parts *)user)->current, data, size);
	return true;
}

static bool put_file(const bspscene_output *output, const char *name, const cli_bytes *data)
{
	return output->begin(output->user, name) && output->write(output->user, data->at, data->size) &&
	       output->end(output->user);
}

static bool has_name(const json_t *names, const char *name)
{
	for (size_t i = 0; i < json_array_size(names); i++) {
		if (!strcmp(json_string_value(json_array_get(names, i)), name)) return true;
	}
	return false;
}

static bool end_part(void *user)
{
	parts *p = user;
	const cli_bytes *picture = &p->picture;
	if (p->current != picture) return true;
	char *name = cli_format("%016" PRIx64 "-%zx.%s", cli_hash(picture->at, picture->size), picture->size, p->ending);
	char *path = cli_format(FOLDER "/%s", name);
	bool ok = has_name(p->names, name) || put_file(p->output, path, picture);
	json_array_append_new(p->names, json_string(name));
	free(path);
	free(name);
	return ok;
}

/* ---- The GLB ---------------------------------------------------------------------------------------------- */

static bool fail(bspscene_error *error, bspscene_status status, const char *what)
{
	*error = (bspscene_error) { .status = status, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
	snprintf(error->message, sizeof error->message, "%s", what);
	return false;
}

static void refer_to_pictures(json_t *document, const json_t *names)
{
	json_t *images = json_object_get(document, "images");
	for (size_t i = 0; i < json_array_size(images); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		char *uri = cli_format("../../" FOLDER "/%.2s/%s", name, name);
		json_object_set_new(json_array_get(images, i), "uri", json_string(uri));
		free(uri);
	}
	json_object_del(json_array_get(json_object_get(document, "buffers"), 0), "uri");
}

static void append_word(cli_bytes *to, uint64_t word)
{
	unsigned char little[4];
	for (int i = 0; i < 4; i++) little[i] = (unsigned char)(word >> 8 * i);
	cli_bytes_add(to, little, sizeof little);
}

/* A chunk with its length and kind, filled up to whole words. */
static void append_chunk(cli_bytes *to, const char *kind, const cli_bytes *data, char filling)
{
	size_t size = (data->size + 3) / 4 * 4;
	append_word(to, size);
	cli_bytes_add(to, kind, 4);
	cli_bytes_add(to, data->at, data->size);
	for (size_t i = data->size; i < size; i++) cli_bytes_add(to, &filling, 1);
}

static bool put_glb(parts *p, const char *name, bspscene_error *error)
{
	json_t *document = json_loadb(p->text.at, p->text.size, 0, NULL);
	if (!document) return fail(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	refer_to_pictures(document, p->names);
	char *line = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(document);
	if (!line) return fail(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	cli_bytes text = { .at = line, .size = strlen(line) }, chunks = { 0 }, header = { 0 };
	append_chunk(&chunks, "JSON", &text, ' ');
	if (p->buffer.size) append_chunk(&chunks, "BIN\0", &p->buffer, 0);
	free(line);
	bool ok = chunks.size <= UINT32_MAX - 12;
	if (!ok) fail(error, BSPSCENE_ERROR_LIMIT, "a GLB holds less than 4096 MiB");
	append_word(&header, 0x46546c67); /* "glTF" */
	append_word(&header, 2);
	append_word(&header, 12 + chunks.size);
	ok = ok && p->output->begin(p->output->user, name) && p->output->write(p->output->user, header.at, header.size) &&
	     p->output->write(p->output->user, chunks.at, chunks.size) && p->output->end(p->output->user);
	free(header.at);
	free(chunks.at);
	return ok;
}

bool cli_write_shared(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                      const bspscene_output *output, bspscene_error *error)
{
	(void)writer;
	parts p = { .output = output, .names = json_array() };
	bspscene_write_options as_gltf = *options;
	as_gltf.file_name = "map.gltf";
	bspscene_output into;
	bspscene_output_init(&into);
	into.user = &p;
	into.begin = begin_part;
	into.write = write_part;
	into.end = end_part;
	bool ok = bspscene_write(scene, "gltf", &as_gltf, &into, error) && put_glb(&p, options->file_name, error);
	free(p.text.at);
	free(p.buffer.at);
	free(p.picture.at);
	free(p.ending);
	json_decref(p.names);
	return ok;
}

/* ---- The store -------------------------------------------------------------------------------------------- */

typedef struct sharing {
	const char *from, *to;
	bool failed;
} sharing;

static bool is_same(const char *one, const char *other)
{
	FILE *files[2] = { cli_open_to_read(one), cli_open_to_read(other) };
	bool same = files[0] && files[1];
	while (same) {
		char blocks[2][4096];
		size_t size = fread(blocks[0], 1, sizeof blocks[0], files[0]);
		same = fread(blocks[1], 1, sizeof blocks[1], files[1]) == size && !memcmp(blocks[0], blocks[1], size);
		if (size < sizeof blocks[0]) break;
	}
	for (int i = 0; i < 2; i++) {
		if (files[i]) fclose(files[i]);
	}
	return same;
}

static bool fail_of_system(const char *path)
{
	cli_output_note_system_error(errno);
	return cli_fail("%s: %s", path, strerror(errno)) == CLI_DONE;
}

/* Others may be putting the same there: a rename over it changes nothing. Whoever makes other bytes of the same name
 * does it on purpose. */
static bool share(const char *from, const char *folder, const char *to)
{
	if (!cli_make_directory(folder) && errno != EEXIST) return fail_of_system(folder);
	if (cli_kind_of(to, false) != CLI_PATH_ABSENT) {
		if (!is_same(from, to)) return cli_fail("%s: is another picture of the same name", to) == CLI_DONE;
		cli_remove_file(from);
		return true;
	}
	return cli_rename(from, to) || fail_of_system(to);
}

/* A cli_entry_fn. */
static void share_one(const char *name, cli_path_kind kind, void *user)
{
	sharing *s = user;
	if (kind != CLI_PATH_FILE || s->failed) return;
	char *from = cli_format("%s/%s", s->from, name), *folder = cli_format("%s/%.2s", s->to, name);
	char *to = cli_format("%s/%s", folder, name);
	s->failed = !share(from, folder, to);
	free(to);
	free(folder);
	free(from);
}

bool cli_share_pictures(const char *folder, const char *store)
{
	char *from = cli_format("%s/" FOLDER, folder), *to = cli_format("%s/" FOLDER, store);
	sharing s = { from, to, false };
	if (cli_kind_of(from, false) == CLI_PATH_DIRECTORY) {
		if (!cli_make_directory(to) && errno != EEXIST) s.failed = !fail_of_system(to);
		if (!s.failed && !cli_each_entry(from, share_one, &s)) s.failed = !fail_of_system(from);
		cli_remove_directory(from);
	}
	free(to);
	free(from);
	return !s.failed;
}
