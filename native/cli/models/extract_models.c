/* extract_models.c - copies the files of a map's models out of the game's archives. */
#include <stdlib.h>
#include <string.h>

#include "cli/models/extract_models.h"

/* Files that belong to a model have the model's name with one of these endings instead of the model's own. */
static const char *const siblings[] = { ".vvd",           ".dx90.vtx", ".dx80.vtx", ".sw.vtx",      ".vtx",
	                                    ".dx7_2bone.vtx", ".phy",      "T.mdl",     "_default.skin" };

static bool copy_stream(bspscene_stream *stream, const char *path, cli_output *output)
{
	unsigned char *bytes = NULL;
	bool ok = cli_output_allows(output, stream->size) && stream->size <= SIZE_MAX;
	if (ok && !stream->data) {
		bytes = malloc(stream->size ? (size_t)stream->size : 1);
		if (!bytes) cli_end_without_memory();
		ok = stream->read(stream->user, bytes, (size_t)stream->size) == stream->size;
	}
	ok = ok && cli_output_begin(output, path) &&
	     cli_output_write(output, bytes ? bytes : stream->data, (size_t)stream->size) && cli_output_end(output);
	free(bytes);
	return ok;
}

/* Copies a file if it exists. False if the output failed. */
static bool copy_file(bspscene_file_system *files, const char *path, cli_output *output, uint32_t *copied)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_MODEL)) return true;
	bool ok = copy_stream(&stream, path, output);
	if (stream.close) stream.close(stream.user);
	*copied += ok;
	return ok;
}

static bool copy_model(bspscene_file_system *files, const char *model, cli_output *output, uint32_t *copied)
{
	const char *dot = strrchr(model, '.');
	size_t stem = dot ? (size_t)(dot - model) : strlen(model);
	bool ok = copy_file(files, model, output, copied);
	for (size_t i = 0; ok && i < sizeof siblings / sizeof *siblings; i++) {
		char *path = cli_format("%.*s%s", (int)stem, model, siblings[i]);
		ok = copy_file(files, path, output, copied);
		free(path);
	}
	return ok;
}

/* Returns the path of a mesh's model: the mesh's name without the number of its skin. Unlike the names in props, this
 * path is normalized. */
static char *model_path(const bspscene_mesh *mesh)
{
	const char *skin = strstr(mesh->name, ":skin");
	return cli_format("%.*s", skin ? (int)(skin - mesh->name) : (int)strlen(mesh->name), mesh->name);
}

bool cli_extract_models(const bspscene_scene *scene, bspscene_file_system *files, cli_output *output, uint32_t *copied)
{
	bool ok = true, *seen = calloc((size_t)scene->mesh_count + 1, sizeof *seen);
	char **paths = calloc((size_t)scene->mesh_count + 1, sizeof *paths);
	uint32_t count = 0;
	if (!seen || !paths) cli_end_without_memory();
	*copied = 0;
	for (uint32_t i = 0; ok && files && i < scene->prop_count; i++) {
		uint32_t mesh = scene->nodes[scene->props[i]->node]->mesh;
		bool known = mesh == BSPSCENE_NO_INDEX || seen[mesh];
		if (known) continue;
		seen[mesh] = true;
		paths[count] = model_path(scene->meshes[mesh]);
		for (uint32_t k = 0; !known && k < count; k++) known = !strcmp(paths[k], paths[count]);
		if (!known) ok = copy_model(files, paths[count], output, copied);
		count++;
	}
	for (uint32_t i = 0; i < count; i++) free(paths[i]);
	free(paths);
	free(seen);
	return ok;
}
