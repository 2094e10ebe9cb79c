/* Promise: Genesis3D's maps are read from chunks with headers, with the right axis up. Polygons have vertex indices,
 * luxels lie where the compiler put them, textures come from the map's own texels and palettes, and binary entities
 * become text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/build_map.h"
#include "support/map/map_reading.h"
#include "support/store.h"

/* Faces of the room in tests/support/rooms/build_genesis3d.c. */
enum { FLOOR, WALL, CEILING, GLASS, LEDGE, DOOR, FACE_COUNT };
enum { ENTITIES = 16, TEXINFO = 17, LIGHTING = 20, HEAD = 12, HEADER_END = HEAD + 28, MODEL = 80 };

static const bspi_variant *variant(void) { return &bspi_family_genesis3d.variants[0]; }

static bspt_parts room(void)
{
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_genesis3d, variant(), &parts));
	return parts;
}

static void read_well(bspt_reading *f, bspt_bytes file)
{
	if (!bspt_read_bytes(f, file.data, file.size, true)) fail_msg("%s", f->ctx.error.message);
}

static bspscene_scene *load(const bspt_parts *parts)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = true;
	options.include_mask = BSPSCENE_SURFACE_ALL;
	return bspt_load_parts(variant(), parts, &options);
}

static const bspscene_face *face_of(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == source) return &scene->faces[i];
	}
	fail_msg("no face %u", source);
	return NULL;
}

static const bspscene_section *section_of(const bspscene_scene *scene, uint32_t source)
{
	const bspscene_face *face = face_of(scene, source);
	return scene->meshes[face->mesh]->sections[face->section];
}

/* ---- Chunks ----------------------------------------------------------------------------------------------- */

static void maps_stand_upright(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	bspt_reading f;
	read_well(&f, file);
	assert_int_equal(f.map.faces_count, FACE_COUNT);
	const float *normal = f.map.planes[0].normal;
	assert_true(normal[0] == 0 && normal[1] == 0 && normal[2] == 1);
	const bspi_model *door = &f.map.models[1];
	assert_true(door->mins[0] == 120 && door->mins[1] == -96 && door->mins[2] == 0);
	assert_true(door->maxs[0] == 128 && door->maxs[1] == -32 && door->maxs[2] == 64);
	assert_int_equal(f.map.cluster_count, 2);
	assert_int_equal(f.map.vis_rows[0], 3);
	assert_int_equal(f.map.vis_rows[1], 2);
	assert_int_equal(f.map.area_portals[0].portal, 1);
	bspt_end_reading(&f);
	free(file.data);
}

static void expect_refused(const uint8_t *data, size_t size, bspscene_status status, const char *says)
{
	bspt_reading f;
	assert_false(bspt_read_bytes(&f, data, size, false));
	if (f.ctx.error.status != status || !strstr(f.ctx.error.message, says)) fail_msg("%s", f.ctx.error.message);
	bspt_end_reading(&f);
}

static void chunks_that_lie_are_refused(void **state)
{
	static const struct { size_t at; uint32_t value; const char *says; } cases[] = {
		{ 4, 81, "its records have 81 bytes, not 80" },
		{ 4, 0x80000000, "do not lie inside the file" },
		{ 8, 0xffffffff, "do not lie inside the file" },
		{ 8, 0x7fffffff, "do not lie inside the file" },
	};
	(void)state;
	bspt_parts parts = room();
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	uint8_t *models = file.data + HEADER_END;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t kept = bspi_load_u32(models + cases[i].at);
		bspt_store_u32(models + cases[i].at, cases[i].value);
		expect_refused(file.data, file.size, BSPSCENE_ERROR_BAD_LUMP, cases[i].says);
		bspt_store_u32(models + cases[i].at, kept);
	}
	expect_refused(file.data, file.size - HEAD + 2, BSPSCENE_ERROR_BAD_HEADER, "ends before its last chunk");
	expect_refused(file.data, file.size - HEAD, BSPSCENE_ERROR_BAD_HEADER, "ends before its last chunk");
	uint8_t *second = models + HEAD + bspi_load_u32(models + 8) * MODEL;
	uint32_t type = bspi_load_u32(second), size = bspi_load_u32(second + 4), count = bspi_load_u32(second + 8);
	bspt_store_u32(second, 1);
	bspt_store_u32(second + 4, MODEL);
	bspt_store_u32(second + 8, 1);
	expect_refused(file.data, file.size, BSPSCENE_ERROR_BAD_LUMP, "twice");

	/* Makes a chunk's type unknown, so that it is skipped. */
	bspt_store_u32(second, 900);
	bspt_store_u32(second + 4, size);
	bspt_store_u32(second + 8, count);
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, file.data, file.size, false));
	assert_int_equal(type, 2);
	assert_int_equal(f.map.nodes_count, 0);
	assert_int_equal(f.map.faces_count, FACE_COUNT);
	bspt_end_reading(&f);
	free(file.data);
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Returns the luxel byte at an offset of the room's light. */
static uint8_t stored(size_t at) { return (uint8_t)(at * 11 % 251); }

static void luxels_follow_the_byte_before_them(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspscene_scene *scene = load(&parts);
	const bspscene_face *floor = face_of(scene, FLOOR), *wall = face_of(scene, WALL);
	assert_true(floor->lightmap_width == 9 && floor->lightmap_height == 9 && wall->lightmap_width == 9);
	assert_true(wall->styles[0] == 0 && wall->styles[1] == 11);
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[floor->lightmap_page];
	const uint8_t *texel = (const uint8_t *)page->data;
	for (size_t i = 0; i < 81; i++) {
		size_t at = 3 * ((floor->lightmap_y + i / 9) * page->width + floor->lightmap_x + i % 9);
		for (size_t k = 0; k < 3; k++) assert_int_equal(texel[at + k], stored(1 + 3 * i + k));
	}
	/* Corner (0, 0) of the floor lies on the center of the floor's first luxel, and corner (128, 128) on that of its
	 * last. */
	const bspscene_mesh *mesh = scene->meshes[floor->mesh];
	for (uint32_t i = floor->first_vertex; i < floor->first_vertex + floor->vertex_count; i++) {
		const float *p = mesh->positions + 3 * (size_t)i, *uv = mesh->lightmap_uvs + 2 * (size_t)i;
		float x = ((float)floor->lightmap_x + 0.5f + p[0] / 16) / (float)page->width;
		float y = ((float)floor->lightmap_y + 0.5f - p[1] / 16) / (float)page->height;
		assert_true(fabsf(uv[0] - x) < 1e-5f && fabsf(uv[1] - y) < 1e-5f);
	}
	bspscene_scene_free(scene);
}

/* The file states the size of each rectangle of luxels. The origin of the rectangle is computed from the face's
 * vertices, as in the engine. */
static void sizes_are_the_files(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspi_face faces[FACE_COUNT];
	memcpy(faces, parts.map.faces, sizeof faces);
	faces[DOOR].lightmap_width = 4;
	parts.map.faces = faces;
	bspscene_scene *scene = load(&parts);
	assert_int_equal(face_of(scene, DOOR)->lightmap_width, 4);
	bspscene_scene_free(scene);
}

/* On each axis, a face's rectangle begins at the least luxel coordinate of the face's corners, rounded down. This
 * holds wherever the map is moved. */
static void rectangles_begin_before_their_corners(void **state)
{
	enum { MOST_VERTICES = 64 };
	(void)state;
	for (int by = -40; by <= 40; by += 3) {
		bspt_parts parts = room();
		bspi_vertex vertices[MOST_VERTICES];
		assert_in_range(parts.map.vertices_count, 1, MOST_VERTICES);
		memcpy(vertices, parts.map.vertices, parts.map.vertices_count * sizeof *vertices);
		for (uint32_t i = 0; i < parts.map.vertices_count; i++) {
			for (int k = 0; k < 3; k++) vertices[i].position[k] += (float)by;
		}
		parts.map.vertices = vertices;
		bspt_bytes file = bspt_encode_parts(variant(), &parts);
		bspt_reading f;
		assert_true(bspt_read_bytes(&f, file.data, file.size, false));
		uint32_t lit = 0;
		for (uint32_t i = 0; i < f.map.faces_count; i++) {
			const bspi_face *face = &f.map.faces[i];
			if (face->light_offset < 0) continue;
			const int32_t first[2] = { face->lightmap_x[0], face->lightmap_y[0] };
			for (int k = 0; k < 2; k++) {
				const float *vector = f.map.light_projections[face->light_projection].vectors[k];
				float least = INFINITY;
				for (int32_t e = 0; e < face->edge_count; e++) {
					uint32_t vertex = f.map.edges[face->first_edge + e].vertices[0];
					const float *p = f.map.vertices[vertex].position;
					least = fminf(least, p[0] * vector[0] + p[1] * vector[1] + p[2] * vector[2]);
				}
				float beyond = least - (float)first[k];
				if (beyond < 0 || beyond >= 1) fail_msg("moved by %d: face %u, axis %d: %g", by, i, k, (double)beyond);
			}
			lit++;
		}
		assert_true(lit > 2);
		bspt_end_reading(&f);
		free(file.data);
	}
}

static void what_has_no_light_is_black_unless_it_never_has(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspi_face faces[FACE_COUNT];
	memcpy(faces, parts.map.faces, sizeof faces);
	faces[FLOOR].light_offset = -1;
	parts.map.faces = faces;
	bspscene_scene *scene = load(&parts);
	assert_int_equal(section_of(scene, FLOOR)->lighting, BSPSCENE_LIGHTING_BLACK);
	assert_int_equal(section_of(scene, WALL)->lighting, BSPSCENE_LIGHTING_LIGHTMAP);
	assert_int_equal(section_of(scene, CEILING)->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
	bspscene_scene_free(scene);
}

static void ledges_are_lit_by_their_corners(void **state)
{
	static const uint8_t colors[3][3] = { { 255, 0, 0 }, { 0, 128, 0 }, { 0, 255, 64 } };
	(void)state;
	bspt_parts parts = room();
	bspscene_scene *scene = load(&parts);
	const bspscene_face *ledge = face_of(scene, LEDGE);
	const bspscene_mesh *mesh = scene->meshes[ledge->mesh];
	assert_int_equal(section_of(scene, LEDGE)->lighting, BSPSCENE_LIGHTING_VERTEX);
	assert_int_equal(ledge->index_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		size_t at = ledge->first_vertex + i;
		assert_memory_equal(mesh->colors + 4 * at, colors[i], 3);
		assert_true(mesh->normals[3 * at + 2] == 1);
	}
	bspscene_scene_free(scene);

	/* Faces without vertex colors are black. */
	parts = room();
	parts.raw[15] = BSPI_NO_BYTES;
	scene = load(&parts);
	assert_int_equal(section_of(scene, LEDGE)->lighting, BSPSCENE_LIGHTING_BLACK);
	bspscene_scene_free(scene);
}

/* ---- Pictures --------------------------------------------------------------------------------------------- */

static const bspscene_material *material_of(const bspscene_scene *scene, uint32_t source)
{
	return scene->materials[section_of(scene, source)->material];
}

static void pictures_are_the_maps(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspscene_scene *scene = load(&parts);
	const bspscene_material *floor = material_of(scene, FLOOR), *glass = material_of(scene, GLASS),
	                        *door = material_of(scene, DOOR);
	const bspscene_image *image = scene->images[floor->base_image];
	assert_string_equal(image->name, "floor");
	assert_true(image->width == 16 && image->height == 16);
	const uint8_t fifth[4] = { 28, 251, 0, 255 };
	assert_memory_equal((const uint8_t *)image->data + 4 * 4, fifth, 4);
	assert_int_equal(glass->alpha_mode, BSPSCENE_ALPHA_MODE_BLEND);
	assert_true(fabsf(glass->color[3] - 0.4f) < 1e-6f);
	assert_int_equal(door->alpha_mode, BSPSCENE_ALPHA_MODE_MASK);
	assert_int_equal(door->base_image, glass->base_image); /* two faces with one texture share its image */
	image = scene->images[door->base_image];
	assert_int_equal(((const uint8_t *)image->data)[3], 0);
	assert_int_equal(((const uint8_t *)image->data)[4 * 8 + 3], 255);

	/* The floor has two texels for each of its 128 units. They begin at texel 4 of 16. */
	const bspscene_face *face = face_of(scene, FLOOR);
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	for (uint32_t i = face->first_vertex; i < face->first_vertex + face->vertex_count; i++) {
		const float *p = mesh->positions + 3 * (size_t)i, *uv = mesh->uvs + 2 * (size_t)i;
		assert_true(fabsf(uv[0] - (p[0] * 2 + 4) / 16) < 1e-5f);
		assert_true(fabsf(uv[1] - (-p[1] / 2 + 8) / 16) < 1e-5f);
	}
	bspscene_scene_free(scene);
}

/* The four walls of the sky show the file's picture (8 x 4) unchanged. The picture of the ceiling is rotated by 90
 * degrees in the scene's sky box, so its rows become columns. The floor's picture is rotated the other way. */
static void skies_are_turned_as_boxes_are(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspscene_scene *scene = load(&parts);
	const bspscene_sky *sky = material_of(scene, CEILING)->sky;
	assert_non_null(sky);
	const bspscene_image *wall = scene->images[sky->box[0]], *up = scene->images[sky->box[4]],
	                     *down = scene->images[sky->box[5]];
	for (int i = 0; i < 4; i++) assert_int_equal(sky->box[i], sky->box[0]);
	assert_true(wall->width == 8 && wall->height == 4 && up->width == 4 && up->height == 8 && down->width == 4);
	const uint32_t *from = wall->data, *above = up->data, *below = down->data;
	for (uint32_t y = 0; y < 8; y++) {
		for (uint32_t x = 0; x < 4; x++) {
			assert_int_equal(above[y * 4 + x], from[(3 - x) * 8 + y]);
			assert_int_equal(below[y * 4 + x], from[x * 8 + 7 - y]);
		}
	}
	bspscene_scene_free(scene);
}

static void pictures_that_are_not_there_are_told(void **state)
{
	(void)state;
	for (int what = 0; what < 3; what++) {
		bspt_parts parts = room();
		bspi_texture textures[3];
		memcpy(textures, parts.map.textures, sizeof textures);
		if (what == 0) textures[0].render_mode = 0x7fffffff;
		if (what == 1) textures[0].effect = 3;
		if (what == 2) textures[0].width = 0xffffffff;
		parts.map.textures = textures;
		bspt_bytes file = bspt_encode_parts(variant(), &parts);
		bspt_reading f;
		assert_true(bspt_read_bytes(&f, file.data, file.size, false));
		assert_int_equal(f.ctx.warning_count, 1);
		assert_int_equal(f.map.textures[0].miptex.size, 0);
		bspt_end_reading(&f);
		free(file.data);
	}
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

static const char *value(const bspscene_scene *scene, uint32_t entity, const char *key)
{
	const char *found = bspscene_entity_value(scene, entity, key);
	return found ? found : "(none)";
}

static void entities_become_text(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspscene_scene *scene = load(&parts);
	assert_int_equal(scene->entity_count, 6);
	assert_string_equal(scene->entities[0]->classname, "worldspawn");
	assert_string_equal(value(scene, 0, "SkyTop"), "sky");
	assert_string_equal(value(scene, 1, "model"), "*1");
	assert_string_equal(value(scene, 1, "origin"), "(none)");
	assert_string_equal(value(scene, 1, "pivot"), "124 -64 32");
	assert_string_equal(value(scene, 2, "Model"), "door1");
	assert_string_equal(value(scene, 2, "origin"), "124 -64.5 32");
	assert_string_equal(value(scene, 3, "origin"), "64 32 96");
	assert_string_equal(value(scene, 4, "origin"), "64 0.000 0");
	assert_string_equal(value(scene, 4, "%name%"), "a 'start'");
	assert_string_equal(value(scene, 5, "origin"), "point");
	assert_int_equal(scene->camera_count, 1);
	assert_int_equal(scene->light_count, 1);
	/* The vertices of a brush model are in world coordinates, so its node has no translation. */
	const bspscene_node *door = scene->nodes[scene->entities[1]->node];
	assert_int_equal(door->mesh, face_of(scene, DOOR)->mesh);
	assert_true(door->transform[3] == 0 && door->transform[7] == 0 && door->transform[11] == 0);
	bspscene_scene_free(scene);
}

static void a_map_may_have_no_entities(void **state)
{
	(void)state;
	bspt_parts parts = room();
	parts.raw[ENTITIES] = BSPI_NO_BYTES;
	bspscene_scene *scene = load(&parts);
	assert_int_equal(scene->entity_count, 0);
	assert_true(scene->face_count > 0);
	bspscene_scene_free(scene);
}

static void entities_end_where_their_bytes_do(void **state)
{
	static const struct { size_t at; uint32_t value; uint32_t entities; } cases[] = {
		{ 0, 0xffffffff, 0 }, { 0, 7, 6 }, { 0, 0x7fffffff, 6 }, { 4, 0xffffffff, 0 }, { 4, 0x7fffffff, 0 },
		{ 8, 0xffffffff, 0 }, { 8, 0x7fffffff, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parts parts = room();
		uint8_t bytes[1024];
		bspt_reading f;
		memcpy(bytes, parts.raw[ENTITIES].data, parts.raw[ENTITIES].size);
		bspt_store_u32(bytes + cases[i].at, cases[i].value);
		parts.raw[ENTITIES] = bspi_bytes_of(bytes, parts.raw[ENTITIES].size);
		bspt_bytes file = bspt_encode_parts(variant(), &parts);
		assert_true(bspt_read_bytes(&f, file.data, file.size, false));
		assert_int_equal(f.ctx.warning_count, 1);
		uint32_t found = 0;
		for (size_t k = 0; k < f.map.entities.size; k++) found += f.map.entities.data[k] == '{';
		assert_int_equal(found, cases[i].entities);
		bspt_end_reading(&f);
		free(file.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_stand_upright),
		cmocka_unit_test(chunks_that_lie_are_refused),
		cmocka_unit_test(luxels_follow_the_byte_before_them),
		cmocka_unit_test(sizes_are_the_files),
		cmocka_unit_test(rectangles_begin_before_their_corners),
		cmocka_unit_test(what_has_no_light_is_black_unless_it_never_has),
		cmocka_unit_test(ledges_are_lit_by_their_corners),
		cmocka_unit_test(pictures_are_the_maps),
		cmocka_unit_test(skies_are_turned_as_boxes_are),
		cmocka_unit_test(pictures_that_are_not_there_are_told),
		cmocka_unit_test(entities_become_text),
		cmocka_unit_test(a_map_may_have_no_entities),
		cmocka_unit_test(entities_end_where_their_bytes_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
