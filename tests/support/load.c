/* load.c - mounts fixtures, makes streams that fail on request, and hashes written files and scenes. See bspt.h. */
#include "support/bspt.h"

#include <stdarg.h>
#include <string.h>

#include "support/text/scene_text.h"

bspscene_file_system *bspt_mount_fixtures(const char *first, ...)
{
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!files) bspt_die("mount", first);
	va_list names;
	va_start(names, first);
	for (const char *name = first; name; name = va_arg(names, const char *)) {
		bspscene_error error;
		if (!bspscene_file_system_mount_game(files, bspt_fixture_path(name), &error)) bspt_die("mount", error.message);
	}
	va_end(names);
	return files;
}

void bspt_use_files(bspscene_load_options *options, bspscene_file_system *files)
{
	options->open_file = bspscene_file_system_open;
	options->list_files = bspscene_file_system_list;
	options->file_user = files;
}

static size_t read_stream(void *user, void *data, size_t size)
{
	bspt_stream *stream = user;
	size_t left = stream->size - stream->at;
	if (size > left) size = left;
	if (stream->largest_read && size > stream->largest_read) size = stream->largest_read;
	if (stream->at + size > stream->fail_at || (stream->at == stream->fail_at && !left)) return SIZE_MAX;
	memcpy(data, stream->data + stream->at, size);
	stream->at += size;
	return size;
}

static void close_stream(void *user)
{
	bspt_stream *stream = user;
	stream->closed++;
}

bspscene_stream bspt_stream_open(bspt_stream *stream, uint64_t claimed_size)
{
	return (bspscene_stream){
		sizeof(bspscene_stream), .user = stream, .read = read_stream, .close = close_stream, .size = claimed_size,
	};
}

static void hash_bytes(uint64_t *hash, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	for (size_t i = 0; i < size; i++) *hash = (*hash ^ bytes[i]) * 0x100000001b3u;
}

static bool sink_begin(void *user, const char *name)
{
	bspt_sink *sink = user;
	sink->files++;
	sink->open_files++;
	hash_bytes(&sink->hash, name, strlen(name) + 1);
	return true;
}

static bool sink_write(void *user, const void *data, size_t size)
{
	bspt_sink *sink = user;
	sink->size += size;
	if (sink->size > sink->fail_after) return false;
	hash_bytes(&sink->hash, data, size);
	return true;
}

static bool sink_end(void *user)
{
	bspt_sink *sink = user;
	sink->open_files--;
	return true;
}

bspscene_output bspt_sink_output(bspt_sink *sink)
{
	*sink = (bspt_sink){ .hash = 0xcbf29ce484222325u, .fail_after = UINT64_MAX };
	return (bspscene_output){ sizeof(bspscene_output), sink, sink_begin, sink_write, sink_end };
}

static void hash_mesh(uint64_t *hash, const bspscene_mesh *mesh)
{
	size_t vertices = mesh->vertex_count;
	if (vertices) {
		hash_bytes(hash, mesh->positions, vertices * 3 * sizeof(float));
		hash_bytes(hash, mesh->normals, vertices * 3 * sizeof(float));
		hash_bytes(hash, mesh->uvs, vertices * 2 * sizeof(float));
		if (mesh->lightmap_uvs) hash_bytes(hash, mesh->lightmap_uvs, vertices * 2 * sizeof(float));
		if (mesh->colors) hash_bytes(hash, mesh->colors, vertices * 4);
		if (mesh->blend_alphas) hash_bytes(hash, mesh->blend_alphas, vertices * sizeof(float));
	}
	if (mesh->index_count) hash_bytes(hash, mesh->indices, mesh->index_count * sizeof *mesh->indices);
}

uint64_t bspt_scene_hash(const bspscene_scene *scene)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_error error;
	if (!bspt_write_text(scene, NULL, &output, &error)) bspt_die("write", error.message);
	uint64_t hash = sink.hash;
	for (uint32_t i = 0; i < scene->mesh_count; i++) hash_mesh(&hash, scene->meshes[i]);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		for (uint32_t k = 0; k < scene->lightmap_page_count; k++) {
			const bspscene_lightmap_page *page = &scene->lightmap_sets[i].pages[k];
			size_t texel = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F  ? 6
			               : page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4
			                                                              : 3;
			if (page->data) hash_bytes(&hash, page->data, (size_t)page->width * page->height * texel);
		}
	}
	return hash;
}
