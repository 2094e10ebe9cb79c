/* Promise: eight times as many names cause about eight times the work: maps of an archive that look like compressed
 * copies of one map, and GoldSrc textures with as many emissive entities. An earlier version compared each name with
 * all others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "counted.h"
#include "families/quake/quake_common.h"
#include "support/make/build_archive.h"
#include "support/make/build_map.h"
#include "support/store.h"

enum { FACTOR = 8, WORST_RATIO = 12, NAME_SIZE = 32 };

typedef uint64_t measure_fn(uint32_t count);

static void check(const char *name, measure_fn *measure, uint32_t count)
{
	uint64_t one = measure(count), many = measure(count * FACTOR);
	double ratio = (double)many / (double)one;
	print_message("%s: %u: %.3f M, %u: %.3f M, %.1f times\n", name, count, (double)one / 1e6, count * FACTOR,
	              (double)many / 1e6, ratio);
	assert_true(ratio < WORST_RATIO);
}

static uint64_t list_archive(uint32_t count)
{
	bspt_member *members = calloc(count, sizeof *members);
	char(*names)[NAME_SIZE] = malloc((size_t)count * sizeof *names);
	assert_true(members && names);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(names[i], sizeof names[i], "maps/a.bsp.%u.bsp", i);
		members[i] = (bspt_member) { .name = names[i], .text = "x" };
	}
	bspt_bytes archive = bspt_zip(members, count);
	bspscene_source_options options;
	bspscene_error error;
	bspscene_source_options_init(&options);
	options.data = archive.data;
	options.size = archive.size;
	uint64_t before = bspt_counted_work();
	bspscene_source *source = bspscene_source_open("maps.zip", &options, &error);
	uint64_t work = bspt_counted_work() - before;
	if (!source) fail_msg("%s", error.message);
	assert_int_equal(bspscene_source_map_count(source), count);
	bspscene_source_free(source);
	free(archive.data);
	free(names);
	free(members);
	return work;
}

/* Makes a lump of textures without pixels, called t0, t1, ... */
static uint8_t *make_textures(uint32_t count, size_t *size)
{
	enum { HEAD = 40 };
	*size = 4 + (4 + HEAD) * (size_t)count;
	uint8_t *lump = calloc(1, *size);
	assert_non_null(lump);
	for (uint32_t i = 0; i <= count; i++) {
		uint32_t number = i ? 4 + 4 * count + HEAD * (i - 1) : count;
		bspt_store_u32(lump + 4 * i, number);
		if (!i) continue;
		snprintf((char *)lump + number, 16, "t%u", i - 1);
		lump[number + 16] = lump[number + 20] = 16;
	}
	return lump;
}

static char *make_lights(uint32_t count, size_t *size)
{
	enum { ROOM = 96 };
	char *text = malloc((size_t)(count + 1) * ROOM);
	assert_non_null(text);
	*size = (size_t)snprintf(text, ROOM, "{ \"classname\" \"worldspawn\" }\n");
	for (uint32_t i = 0; i < count; i++) {
		*size +=
			(size_t)snprintf(text + *size, ROOM, "{ \"classname\" \"light\" \"_tex\" \"x%u\" \"_light\" \"5\" }\n", i);
	}
	return text;
}

/* Loads a map with a face for each texture. */
static uint64_t load_texture_lights(uint32_t count)
{
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	bspt_parts parts;
	size_t texture_size, text_size;
	assert_true(bspt_room_parts(&bspi_family_goldsrc, variant, &parts));
	uint8_t *textures = make_textures(count, &texture_size);
	char *text = make_lights(count, &text_size);
	bspi_face *faces = malloc(count * sizeof *faces);
	bspi_texinfo *infos = malloc(count * sizeof *infos);
	bspi_model model = parts.map.models[0];
	assert_true(faces && infos);
	for (uint32_t i = 0; i < count; i++) {
		faces[i] = parts.map.faces[0];
		faces[i].texinfo = (int32_t)i;
		infos[i] = parts.map.texinfos[0];
		infos[i].texture = (int32_t)i;
	}
	model.first_face = 0;
	model.face_count = (int32_t)count;
	parts.map.faces = faces;
	parts.map.texinfos = infos;
	parts.map.models = &model;
	parts.map.faces_count = parts.map.texinfos_count = count;
	parts.map.models_count = 1;
	parts.raw[QUAKE_TEXTURES] = bspi_bytes_of(textures, texture_size);
	parts.raw[QUAKE_ENTITIES] = bspi_bytes_of((const uint8_t *)text, text_size);
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.threads = 1;
	uint64_t before = bspt_counted_work();
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	uint64_t work = bspt_counted_work() - before;
	if (!scene) fail_msg("%s", error.message);
	assert_true(scene->material_count >= count);
	bspscene_scene_free(scene);
	free(file.data);
	free(infos);
	free(faces);
	free(text);
	free(textures);
	return work;
}

static void names_of_an_archive(void **state)
{
	(void)state;
	check("maps of an archive", list_archive, 500);
}

static void textures_that_shine(void **state)
{
	(void)state;
	check("textures that shine", load_texture_lights, 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_an_archive),
		cmocka_unit_test(textures_that_shine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
