/* shared_pictures.c - see shared_pictures.h.
 *
 * The library writes a glTF in parts; its text and its buffer are kept and become the GLB once the names of all
 * pictures are known. */
#include "archive/pictures/shared_pictures.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/byte_buffer.h"
#include "cli/names.h"
#include "cli/report.h"
#include "archive/shared/shared_files.h"

#define FOLDER "textures"

typedef struct parts {
	const bspscene_output *output;
	cli_bytes text, buffer, picture;
	cli_bytes *current; /* the file that is being written: the glTF's text, its buffer or a picture */
	char *ending;       /* extension of the picture that is being written */
	json_t *names;      /* names of all pictures, in their order */
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
	char *bytes = cli_shared_name(picture->at, picture->size), *name = cli_format("%s.%s", bytes, p->ending);
	free(bytes);
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

/* Writes a chunk with its length and type, padded to 4 bytes. */
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
	if (!ok) fail(error, BSPSCENE_ERROR_LIMIT, "the GLB would have 4096 MiB or more, which the format cannot hold");
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
