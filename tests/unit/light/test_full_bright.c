/* test_full_bright.c - a map without any light is fullbright in every family, as in its engine. Once, such maps of
 * Source were black if they had no list of lamps. If textures are missing, too, shading by direction keeps walls and
 * floors distinct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/bspt.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LIGHTING = 8, WORLD_LIGHTS = 15, LIGHTING_HDR = 53, WORLD_LIGHTS_HDR = 54, NO_LUMP = -1 };

/* A fixture, the layout of its directory, and the lumps to empty. */
typedef struct unlit_case {
	const char *map;
	size_t directory, entry, size_at;
	int lumps[2];
} unlit_case;

static const unlit_case unlit[] = {
	{ "atrium/quake/maps/atrium.bsp", 4, 8, 4, { 8, NO_LUMP } },
	{ "atrium/hexen2/maps/atrium.bsp", 4, 8, 4, { 8, NO_LUMP } },
	{ "atrium/goldsrc/maps/atrium_wad.bsp", 4, 8, 4, { 8, NO_LUMP } },
	{ "atrium/quake2_q2map/maps/atrium.bsp", 8, 8, 4, { 7, NO_LUMP } },
	{ "source/maps/room.bsp", 8, 16, 4, { LIGHTING, LIGHTING_HDR } },
	{ "source/maps/room.bsp", 8, 16, 4, { WORLD_LIGHTS, WORLD_LIGHTS_HDR } },
};

static bspscene_scene *load(const unlit_case *c, const char *name, bool dark)
{
	bspt_bytes map = bspt_read_fixture(c->map);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = name;
	for (size_t i = 0; dark && i < COUNT(c->lumps); i++) {
		size_t at = c->directory + c->entry * (size_t)c->lumps[i] + c->size_at;
		if (c->lumps[i] != NO_LUMP) memset(map.data + at, 0, 4);
	}
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, &error);
	if (!scene) fail_msg("%s: %s", c->map, error.message);
	free(map.data);
	return scene;
}

static bool is_white(const bspscene_mesh *mesh, const bspscene_section *section)
{
	uint32_t last = section->first_vertex + section->vertex_count;
	for (uint32_t i = section->first_vertex; mesh->colors && i < last; i++) {
		if (memcmp(mesh->colors + 4 * (size_t)i, "\377\377\377", 3) != 0) return false;
	}
	return true;
}

/* Checks that no section is black or lit by a lightmap page. Sections whose texture is missing must be shaded by vertex
 * colors that follow their normals (floors are white). All other sections must be white. */
static void check_sections(const char *map, const bspscene_scene *scene)
{
	uint32_t shaded = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		for (uint32_t s = 0; s < mesh->section_count; s++) {
			const bspscene_section *section = mesh->sections[s];
			const bspscene_material *material = scene->materials[section->material];
			bool missing = material->base_image != BSPSCENE_NO_INDEX && !material->unlit &&
			               scene->images[material->base_image]->format == BSPSCENE_IMAGE_MISSING;
			if (section->lighting == BSPSCENE_LIGHTING_LIGHTMAP) fail_msg("%s: lit by a page", map);
			if (section->lighting == BSPSCENE_LIGHTING_BLACK) fail_msg("%s: black", map);
			if (!missing && !is_white(mesh, section)) fail_msg("%s: %s is shaded", map, material->name);
			bool shaded_here = section->lighting == BSPSCENE_LIGHTING_VERTEX;
			if (missing && !shaded_here) fail_msg("%s: %s is flat", map, material->name);
			shaded += missing && !is_white(mesh, section);
		}
	}
	if (!shaded && strstr(map, "goldsrc")) fail_msg("%s: nothing was shaded", map);
}

static void maps_without_light(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(unlit); i++) {
		bspscene_scene *scene = load(&unlit[i], "map", true);
		bspscene_light_sample sample;
		const float point[3] = { 0, 0, 32 };
		if (!scene->is_full_bright) fail_msg("%s: not full bright", unlit[i].map);
		check_sections(unlit[i].map, scene);
		assert_false(bspscene_sample_light(scene, point, &sample));
		bspscene_scene_free(scene);
	}
}

static void maps_with_light(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(unlit); i++) {
		bspscene_scene *scene = load(&unlit[i], "map", false);
		if (scene->is_full_bright) fail_msg("%s: full bright", unlit[i].map);
		bspscene_scene_free(scene);
	}
}

/* A fullbright map keeps the lightmap pages of its luxels, so that light can be written into the map. */
static void luxels_stay(void **state)
{
	(void)state;
	bspscene_scene *scene = load(&unlit[COUNT(unlit) - 1], "map", true);
	assert_true(scene->is_full_bright && scene->lightmap_page_count > 0 && scene->counts->lightmap_faces > 0);
	bspscene_scene_free(scene);
}

/* Alien Swarm lights maps at run time, so its maps are never fullbright. They are recognized by the name of the
 * directory that has the folder "maps". */
static void a_game_of_moving_lamps(void **state)
{
	static const struct { const char *name; bool bright; } cases[] = {
		{ "games/swarm/maps/a.bsp", false }, { "Swarm/maps/a.bsp", false }, { "infested/maps/a.bsp", false },
		{ "games/beeswarm/maps/a.bsp", true }, { "swarm/hl2/maps/a.bsp", true }, { "swarm.bsp", true },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_scene *scene = load(&unlit[COUNT(unlit) - 1], cases[i].name, true);
		if (scene->is_full_bright != cases[i].bright) fail_msg("%s: %d", cases[i].name, scene->is_full_bright);
		bspscene_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_without_light),
		cmocka_unit_test(maps_with_light),
		cmocka_unit_test(luxels_stay),
		cmocka_unit_test(a_game_of_moving_lamps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
