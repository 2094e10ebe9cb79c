/* Promise: a map has three identities: of its bytes, compressed or not; of its faces, whatever their order and light;
 * of its entities, whatever white space is between them. Each changes with what it covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "support/make/build_archive.h"
#include "support/make/build_map.h"

/* Quake III's lumps and records, as in families/quake3/quake3.c. */
enum { ENTITIES = 0, VERTICES = 10, FACES = 13, LIGHTMAPS = 14, FACE_SIZE = 104 };

static uint8_t *lump(bspt_bytes file, int number, uint32_t *size)
{
	const uint8_t *entry = file.data + 8 + 8 * number;
	*size = bspi_load_u32(entry + 4);
	return file.data + bspi_load_u32(entry);
}

static bspscene_identity identity_of(bspt_bytes file, bspscene_parts parts)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.identify = true;
	options.parts = parts;
	options.textures = BSPSCENE_TEXTURES_NONE;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_non_null(scene->identity);
	bspscene_identity identity = *scene->identity;
	bspscene_scene_free(scene);
	return identity;
}

static void light_again(bspt_bytes file)
{
	uint32_t size;
	uint8_t *luxels = lump(file, LIGHTMAPS, &size);
	for (uint32_t i = 0; i < size; i++) luxels[i] ^= 0x15;
}

/* Swaps two neighboring faces. No other record changes, because all ranges of faces contain both of them or neither. */
static void order_again(bspt_bytes file)
{
	uint32_t size;
	uint8_t copy[FACE_SIZE], *faces = lump(file, FACES, &size);
	assert_true(size >= 2 * FACE_SIZE);
	memcpy(copy, faces, FACE_SIZE);
	memcpy(faces, faces + FACE_SIZE, FACE_SIZE);
	memcpy(faces + FACE_SIZE, copy, FACE_SIZE);
}

/* Changes the sign of a coordinate. */
static void move_vertex(bspt_bytes file)
{
	uint32_t size;
	uint8_t *vertex = lump(file, VERTICES, &size);
	vertex[3] ^= 0x80;
}

/* Changes the lowest bit of a coordinate. The identity of the faces must stay the same, because such bits depend on the
 * compiler. */
static void tremble_vertex(bspt_bytes file)
{
	uint32_t size;
	uint8_t *vertex = lump(file, VERTICES, &size);
	vertex[0] ^= 1;
}

static void space_entities(bspt_bytes file)
{
	uint32_t size;
	uint8_t *text = lump(file, ENTITIES, &size);
	for (uint32_t i = 0; i < size; i++) text[i] = text[i] == '\n' ? '\t' : text[i];
}

static void rename_entity(bspt_bytes file)
{
	uint32_t size;
	uint8_t *text = lump(file, ENTITIES, &size);
	for (uint32_t i = 0; i + 9 < size; i++) {
		if (!memcmp(text + i, "classname", 9)) text[i + 8] = 'f';
	}
}

static void changes(void **state)
{
	(void)state;
	static const struct {
		void (*change)(bspt_bytes file);
		bool same_geometry, same_entities;
	} cases[] = {
		{ light_again, true, true },  { order_again, true, true },    { tremble_vertex, true, true },
		{ move_vertex, false, true }, { space_entities, true, true }, { rename_entity, true, false },
	};
	bspt_bytes file = bspt_read_fixture("atrium/quake3/maps/atrium.bsp");
	bspscene_identity before = identity_of(file, BSPSCENE_PARTS_ALL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes changed = { malloc(file.size), file.size };
		memcpy(changed.data, file.data, file.size);
		cases[i].change(changed);
		bspscene_identity after = identity_of(changed, BSPSCENE_PARTS_ALL);
		if (!strcmp(before.bytes, after.bytes)) fail_msg("change %zu: the same bytes", i);
		if (!strcmp(before.geometry, after.geometry) != cases[i].same_geometry) fail_msg("change %zu: geometry", i);
		if (!strcmp(before.entities, after.entities) != cases[i].same_entities) fail_msg("change %zu: entities", i);
		free(changed.data);
	}
	free(file.data);
}

/* Two displacements with the same directions but other heights have different geometry. */
static void heights_are_geometry(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts) && parts.map.disp_vertices_count);
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	bspscene_identity before = identity_of(file, BSPSCENE_PARTS_ALL);
	free(file.data);
	size_t size = parts.map.disp_vertices_count * sizeof *parts.map.disp_vertices;
	bspi_disp_vertex *moved = malloc(size);
	memcpy(moved, parts.map.disp_vertices, size);
	for (uint32_t i = 0; i < parts.map.disp_vertices_count; i++) {
		moved[i].direction[2] = 1;
		moved[i].distance += 24;
	}
	parts.map.disp_vertices = moved;
	file = bspt_encode_parts(variant, &parts);
	bspscene_identity after = identity_of(file, BSPSCENE_PARTS_ALL);
	free(file.data);
	assert_string_not_equal(before.geometry, after.geometry);
	for (uint32_t i = 0; i < parts.map.disp_vertices_count; i++) moved[i].distance += 24;
	file = bspt_encode_parts(variant, &parts);
	bspscene_identity higher = identity_of(file, BSPSCENE_PARTS_ALL);
	assert_string_not_equal(after.geometry, higher.geometry);
	assert_string_equal(after.entities, higher.entities);
	free(file.data);
	free(moved);
}

static void bytes_are_sha256(void **state)
{
	(void)state;
	char want[BSPI_SHA256_TEXT_SIZE];
	bspt_bytes file = bspt_read_fixture("source/maps/room.bsp"), packed = bspt_gzip(file.data, file.size);
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	bspi_sha256_add(&hash, file.data, file.size);
	bspi_sha256_end_text(&hash, want);
	bspscene_identity plain = identity_of(file, BSPSCENE_PARTS_ALL), unpacked = identity_of(packed, BSPSCENE_PARTS_ALL);
	assert_string_equal(plain.bytes, want);
	assert_int_equal(plain.size, file.size);
	assert_memory_equal(&plain, &unpacked, sizeof plain);
	free(packed.data);
	free(file.data);
}

static void rooms_of_every_variant(void **state)
{
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++) {
			bspt_bytes file = bspt_build_room(bspi_families[f], &bspi_families[f]->variants[v]);
			bspscene_identity whole = identity_of(file, BSPSCENE_PARTS_ALL);
			bspscene_identity part = identity_of(file, BSPSCENE_PARTS_ENTITIES);
			assert_memory_equal(&whole, &part, sizeof whole);
			free(file.data);
		}
	}
}

static void only_when_asked(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture("atrium/quake/maps/atrium.bsp");
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
	assert_non_null(scene);
	assert_null(scene->identity);
	bspscene_scene_free(scene);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes),          cmocka_unit_test(heights_are_geometry),
		cmocka_unit_test(bytes_are_sha256), cmocka_unit_test(rooms_of_every_variant),
		cmocka_unit_test(only_when_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
