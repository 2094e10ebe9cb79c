/* Promise: GoldSrc's textures, liquids, tools and entities' models look as the engine draws them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"

enum { FLOOR, WALL, DOOR = 4 };

/* Loads the room with another name for its first texture, and with an entity of these keys for the door. The floor, the
 * wall and the door use this texture. */
static bspscene_scene *load_room(const char *texture, const char *keys, uint32_t include)
{
	enum { NAME = 16, FIRST_OFFSET = 4 };
	static uint8_t textures[16384];
	static char text[1024];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	bspt_parts parts;
	bspi_model models[2];
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = include;
	bspt_room_parts(&bspi_family_goldsrc, variant, &parts);
	/* Lowers the bottom of the model to -64. The engine draws a liquid only if the distance of its plane is greater
	 * than the height of the model's bottom. */
	memcpy(models, parts.map.models, sizeof models);
	models[1].mins[2] = -64;
	parts.map.models = models;
	bspi_bytes lump = parts.raw[QUAKE_TEXTURES];
	assert_true(lump.size <= sizeof textures && strlen(texture) < NAME);
	memcpy(textures, lump.data, lump.size);
	uint8_t *name = textures + bspi_load_u32(textures + FIRST_OFFSET);
	memset(name, 0, NAME);
	memcpy(name, texture, strlen(texture));
	parts.raw[QUAKE_TEXTURES] = bspi_bytes_of(textures, lump.size);
	snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" } { \"classname\" \"func_wall\" \"model\" \"*1\" %s }",
	         keys);
	parts.raw[QUAKE_ENTITIES] = bspi_bytes_of(text, strlen(text));
	return bspt_load_parts(variant, &parts, &options);
}

static const bspscene_face *find_face(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == source) return &scene->faces[i];
	}
	return NULL;
}

static const bspscene_section *section_of(const bspscene_scene *scene, uint32_t source)
{
	const bspscene_face *face = find_face(scene, source);
	assert_non_null(face);
	return scene->meshes[face->mesh]->sections[face->section];
}

static const bspscene_material *material_of(const bspscene_scene *scene, uint32_t source)
{
	return scene->materials[section_of(scene, source)->material];
}

/* Index 8 of the palette is 24, 25, 26. The engine raises texels to the power of 0.8, but not those of cut-out
 * textures. */
static void texels_have_the_engines_gamma(void **state)
{
	static const struct { const char *texture; uint8_t texel[3]; float cutoff; } cases[] = {
		{ "wall", { 39, 40, 41 }, 0 }, { "!water", { 39, 40, 41 }, 0 }, { "{fence", { 24, 25, 26 }, 0.25f },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(cases[i].texture, "", 0);
		const bspscene_material *material = material_of(scene, FLOOR);
		const uint8_t *pixels = scene->images[material->base_image]->data;
		assert_memory_equal(pixels, cases[i].texel, 3);
		assert_true(material->alpha_cutoff == cases[i].cutoff);
		bspscene_scene_free(scene);
	}
}

/* Names beginning with "water", or with "laser" in any letter case, are liquids like those with "!" or "*": unlit and
 * warped. */
static void names_tell_liquids(void **state)
{
	static const struct { const char *texture; bool liquid; } cases[] = {
		{ "water4b", true }, { "laser1", true }, { "LASER", true }, { "*lava", true }, { "WATER4B", false },
		{ "wet_water", false }, { "wall", false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(cases[i].texture, "", 0);
		const bspscene_material *material = material_of(scene, FLOOR);
		bool liquid = material->kind == BSPSCENE_MATERIAL_LIQUID;
		if (liquid != cases[i].liquid) fail_msg("%s: %d", cases[i].texture, liquid);
		assert_int_equal(material->unlit, liquid);
		assert_int_equal(section_of(scene, FLOOR)->lighting == BSPSCENE_LIGHTING_LIGHTMAP, !liquid);
		bspscene_scene_free(scene);
	}
}

/* If an entity makes a texture emit light, the surfaces with this texture emit that light in the scene. Such entities
 * are not lamps. */
static void textures_shine_as_entities_say(void **state)
{
	static const struct { const char *entity; float light; uint32_t lamps; } cases[] = {
		{ "\"classname\" \"light\" \"_light\" \"255 255 255 200\"", 0, 1 },
		{ "\"classname\" \"info_texlights\" \"WALL\" \"255 128 0 5000\"", 5000, 0 },
		{ "\"classname\" \"info_texlights\" \"wall#2\" \"51 0 0 5000\"", 1000, 0 },
		{ "\"classname\" \"info_texlights\" \"wall\" \"300\"", 300, 0 },
		{ "\"classname\" \"info_texlights\" \"walls\" \"300\"", 0, 0 },
		{ "\"classname\" \"info_texlights\" \"wall\" \"300\" } "
		  "{ \"classname\" \"info_texlights\" \"WALL\" \"700\"", 300, 0 },
		{ "\"classname\" \"light\" \"_tex\" \"wall\" \"_light\" \"255 255 255 700\"", 700, 0 },
		{ "\"classname\" \"light_surface\" \"_tex\" \"other\" \"_light\" \"255 255 255 700\"", 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char keys[256];
		snprintf(keys, sizeof keys, "} { %s", cases[i].entity);
		bspscene_scene *scene = load_room("wall", keys, 0);
		float light = material_of(scene, FLOOR)->surface_light;
		if (light != cases[i].light || scene->light_count != cases[i].lamps) {
			fail_msg("%s: %g, %u lamps", cases[i].entity, (double)light, scene->light_count);
		}
		bspscene_scene_free(scene);
	}
}

/* Texels that are cut out have the colors of those around them, so that filters mix no black into the edges. */
static void holes_have_the_colors_of_their_edges(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room("{fence", "", 0);
	const bspscene_image *image = scene->images[material_of(scene, FLOOR)->base_image];
	const uint8_t *texel = image->data;
	uint32_t holes = 0;
	for (size_t i = 0; i < (size_t)image->width * image->height; i++, texel += 4) {
		holes += texel[3] == 0;
		if (!texel[3] && !texel[0] && !texel[1] && !texel[2]) fail_msg("texel %zu is black", i);
	}
	assert_true(holes > 0 && image->has_alpha);
	bspscene_scene_free(scene);
}

/* Surfaces in a render mode that blends have no lightmap. Those in the first such mode (color) have no texture either.
 * Surfaces in the fourth mode (alpha test) keep their lightmap. */
static void models_look_as_their_entities_say(void **state)
{
	static const struct {
		const char *keys;
		bspscene_alpha_mode alpha;
		bspscene_lighting lighting;
		bool textured;
		float color[4];
	} cases[] = {
		{ "\"renderamt\" \"0\" \"rendercolor\" \"255 0 0\"",
		  BSPSCENE_ALPHA_MODE_OPAQUE,
		  BSPSCENE_LIGHTING_LIGHTMAP,
		  true,
		  { 1, 1, 1, 1 } },
		{ "\"rendermode\" \"1\" \"renderamt\" \"51\" \"rendercolor\" \"255 0 102\"",
		  BSPSCENE_ALPHA_MODE_BLEND,
		  BSPSCENE_LIGHTING_FULLBRIGHT,
		  false,
		  { 1, 0, 0.4f, 0.2f } },
		{ "\"rendermode\" \"2\" \"renderamt\" \"51\" \"rendercolor\" \"255 0 102\"",
		  BSPSCENE_ALPHA_MODE_BLEND,
		  BSPSCENE_LIGHTING_FULLBRIGHT,
		  true,
		  { 1, 1, 1, 0.2f } },
		{ "\"rendermode\" \"3\"", BSPSCENE_ALPHA_MODE_BLEND, BSPSCENE_LIGHTING_FULLBRIGHT, true, { 1, 1, 1, 1 } },
		{ "\"rendermode\" \"4\" \"renderamt\" \"0\"",
		  BSPSCENE_ALPHA_MODE_OPAQUE,
		  BSPSCENE_LIGHTING_LIGHTMAP,
		  true,
		  { 1, 1, 1, 1 } },
		{ "\"rendermode\" \"5\" \"renderamt\" \"102\"",
		  BSPSCENE_ALPHA_MODE_ADD,
		  BSPSCENE_LIGHTING_FULLBRIGHT,
		  true,
		  { 1, 1, 1, 0.4f } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room("wall", cases[i].keys, 0);
		const bspscene_material *material = material_of(scene, DOOR);
		assert_int_equal(material->alpha_mode, cases[i].alpha);
		assert_int_equal(section_of(scene, DOOR)->lighting, cases[i].lighting);
		assert_int_equal(material->base_image != BSPSCENE_NO_INDEX, cases[i].textured);
		assert_int_equal(scene->material_passes[material->first_pass]->input,
		                 cases[i].textured ? BSPSCENE_PASS_INPUT_IMAGE : BSPSCENE_PASS_INPUT_WHITE);
		for (int k = 0; k < 4; k++) assert_true(material->color[k] == cases[i].color[k]);
		/* Faces of the world with the same texture do not change. */
		assert_int_equal(section_of(scene, WALL)->lighting, BSPSCENE_LIGHTING_LIGHTMAP);
		bspscene_scene_free(scene);
	}
}

/* True if the floor and the door share a material. They have the same texture, but belong to two entities with these
 * keys. */
static bool share_a_material(const char *floor_keys, const char *door_keys)
{
	char text[512];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	bspt_parts parts;
	bspt_room_parts(&bspi_family_goldsrc, variant, &parts);
	bspi_model models[3] = { parts.map.models[0], parts.map.models[1], parts.map.models[1] };
	models[0].first_face++;
	models[0].face_count--;
	models[2].first_face = FLOOR;
	models[2].face_count = 1;
	parts.map.models = models;
	parts.map.models_count = 3;
	snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" } { \"classname\" \"func_wall\" \"model\" \"*2\" %s }"
	         "{ \"classname\" \"func_wall\" \"model\" \"*1\" %s }", floor_keys, door_keys);
	parts.raw[QUAKE_ENTITIES] = bspi_bytes_of(text, strlen(text));
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	bool same = material_of(scene, FLOOR) == material_of(scene, DOOR);
	bspscene_scene_free(scene);
	return same;
}

static void what_is_drawn_alike_is_one_material(void **state)
{
#define KEYS(mode, amount, color) \
	"\"rendermode\" \"" mode "\" \"renderamt\" \"" amount "\" \"rendercolor\" \"" color "\""
	(void)state;
	assert_true(share_a_material(KEYS("2", "51", "0 0 0"), KEYS("2", "51", "0 0 0")));
	/* Only render mode 1 uses the color. */
	assert_true(share_a_material(KEYS("2", "51", "0 0 0"), KEYS("2", "51", "255 0 0")));
	assert_false(share_a_material(KEYS("2", "51", "0 0 0"), KEYS("2", "102", "0 0 0")));
	assert_false(share_a_material(KEYS("2", "51", "0 0 0"), KEYS("5", "51", "0 0 0")));
	assert_false(share_a_material(KEYS("1", "51", "0 0 0"), KEYS("1", "51", "255 0 0")));
	assert_false(share_a_material("", KEYS("2", "51", "0 0 0")));
	/* Unknown modes are drawn normally. */
	assert_true(share_a_material("", KEYS("11", "51", "0 0 0")));
	assert_true(share_a_material("", KEYS("-1", "51", "0 0 0")));
#undef KEYS
}

/* The door is a vertical face. Vertical faces of liquids are drawn only if the entity requests it. Then they are
 * visible from both sides. */
static void liquids_are_unlit_and_have_no_sides(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room("!wall", "", 0);
	assert_null(find_face(scene, DOOR));
	assert_int_equal(section_of(scene, WALL)->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
	assert_int_equal(material_of(scene, WALL)->cull, BSPSCENE_CULL_BACK);
	bspscene_scene_free(scene);
	scene = load_room("!wall", "", BSPSCENE_SURFACE_NODRAW);
	assert_int_equal(section_of(scene, DOOR)->surface_kind, BSPSCENE_SURFACE_NODRAW);
	bspscene_scene_free(scene);
	scene = load_room("!wall", "\"effects\" \"67108864\"", 0);
	assert_int_equal(section_of(scene, DOOR)->surface_kind, BSPSCENE_SURFACE_VISIBLE);
	assert_int_equal(material_of(scene, DOOR)->cull, BSPSCENE_CULL_NONE);
	bspscene_scene_free(scene);
}

static void tools_are_not_drawn(void **state)
{
	static const struct { const char *texture; bspscene_surface_kind include; } cases[] = {
		{ "trigger", BSPSCENE_SURFACE_TRIGGER }, { "AAATRIGGER", BSPSCENE_SURFACE_TRIGGER },
		{ "special/trigger", BSPSCENE_SURFACE_TRIGGER }, { "special/clip", BSPSCENE_SURFACE_CLIP },
		{ "special/nodraw", BSPSCENE_SURFACE_NODRAW }, { "special/other", BSPSCENE_SURFACE_TOOL },
		{ "special/sky", BSPSCENE_SURFACE_SKY }, { "triggers", BSPSCENE_SURFACE_VISIBLE },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(cases[i].texture, "", 0);
		assert_int_equal(find_face(scene, WALL) == NULL, cases[i].include != BSPSCENE_SURFACE_VISIBLE);
		bspscene_scene_free(scene);
		scene = load_room(cases[i].texture, "", (uint32_t)cases[i].include);
		assert_int_equal(section_of(scene, WALL)->surface_kind, cases[i].include);
		bspscene_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texels_have_the_engines_gamma),
		cmocka_unit_test(models_look_as_their_entities_say),
		cmocka_unit_test(what_is_drawn_alike_is_one_material),
		cmocka_unit_test(liquids_are_unlit_and_have_no_sides),
		cmocka_unit_test(names_tell_liquids),
		cmocka_unit_test(textures_shine_as_entities_say),
		cmocka_unit_test(holes_have_the_colors_of_their_edges),
		cmocka_unit_test(tools_are_not_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
