/* furnished.c - see furnished.h. */
#include "support/models/furnished.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/models/build_model.h"
#include "support/check/check_scene.h"
#include "support/check/scene_find.h"

enum { ENTITIES = 0 };

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_furnished *g = user;
	(void)kind;
	for (uint32_t i = 0; i < g->file_count; i++) {
		if (strcmp(g->files[i].path, path) != 0) continue;
		stream->data = g->files[i].bytes.data;
		stream->size = g->files[i].bytes.size;
		return true;
	}
	return false;
}

void bspt_furnished_add(bspt_furnished *g, const char *path, const void *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	assert_true(copy && g->file_count < BSPT_FURNISHED_FILES);
	memcpy(copy, data, size);
	g->files[g->file_count].path = path;
	g->files[g->file_count++].bytes = (bspt_bytes) { copy, size };
}

void bspt_furnished_add_model(bspt_furnished *g, const char *format, const char *path)
{
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (!strcmp(file.format, format)) {
			bspt_furnished_add(g, path, file.bytes.data, file.bytes.size);
			return;
		}
	}
	fail_msg("no model of format %s", format);
}

void bspt_furnished_begin(bspt_furnished *g)
{
	memset(g, 0, sizeof *g);
	bspscene_load_options_init(&g->options);
	g->options.open_file = open_file;
	g->options.file_user = g;
}

void bspt_furnished_load_room(bspt_furnished *g, const bspi_family *family, const bspi_variant *variant,
                              const char *entities)
{
	bspt_parts parts;
	assert_true(bspt_room_parts(family, variant, &parts));
	/* Entities are not replaced in formats whose entities are not text, or whose first lump is not the entities. */
	if (!parts.heads) parts.raw[ENTITIES] = bspi_bytes_of(entities, strlen(entities));
	bspt_furnished_load_parts(g, variant, &parts);
}

void bspt_furnished_load_parts(bspt_furnished *g, const bspi_variant *variant, const bspt_parts *parts)
{
	bspscene_error error;
	bspt_report report = { 0 };
	g->map = bspt_encode_parts(variant, parts);
	g->scene = bspscene_load_memory(g->map.data, g->map.size, &g->options, &error);
	if (!g->scene) fail_msg("%s", error.message);
	bspt_check_scene(g->scene, &g->options, &report);
	bspt_assert_clean(&report);
}

void bspt_furnished_load(bspt_furnished *g, const bspi_family *family, const char *entities)
{
	bspt_furnished_load_room(g, family, &family->variants[0], entities);
}

void bspt_furnished_end(bspt_furnished *g)
{
	bspscene_scene_free(g->scene);
	free(g->map.data);
	for (uint32_t i = 0; i < g->file_count; i++) free(g->files[i].bytes.data);
}

uint32_t bspt_furnished_mesh(const bspt_furnished *g, const char *node)
{
	return bspt_find_node(g->scene, node)->mesh;
}
