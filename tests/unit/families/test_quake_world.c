/* Promise: fog and liquids follow worldspawn's keys, and textures have the palette, as in QuakeSpasm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/quake_common.h"
#include "materials/indexed/indexed.h"
#include "support/make/build_map.h"
#include "support/check/scene_find.h"

enum { WALL = 1, WATER = 3, TEXTURE_NAMES = 4, NAME = 16 };

/* Loads the room with these keys in worldspawn and this name for its liquid (the third texture). */
static bspscene_scene *load_room(const char *keys, const char *liquid, const bspscene_load_options *options)
{
	static uint8_t textures[16384];
	static char text[512];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake, "quake");
	bspt_parts parts;
	bspt_room_parts(&bspi_family_quake, variant, &parts);
	snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" %s }", keys);
	parts.raw[QUAKE_ENTITIES] = bspi_bytes_of(text, strlen(text));
	bspi_bytes lump = parts.raw[QUAKE_TEXTURES];
	assert_true(lump.size <= sizeof textures && strlen(liquid) < NAME);
	memcpy(textures, lump.data, lump.size);
	uint8_t *name = textures + bspi_load_u32(textures + TEXTURE_NAMES + 8);
	memset(name, 0, NAME);
	memcpy(name, liquid, strlen(liquid));
	parts.raw[QUAKE_TEXTURES] = bspi_bytes_of(textures, lump.size);
	return bspt_load_parts(variant, &parts, options);
}

static const bspscene_material *material_of(const bspscene_scene *scene, uint32_t source)
{
	const bspscene_mesh *world = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *face = bspt_find_face(scene, world, source);
	assert_non_null(face);
	return scene->materials[world->sections[face->section]->material];
}

/* The density in the key `fog` is divided by 64. If the key has no color, fog is gray. Fog covers half of the sky
 * unless the key `skyfog` states another share. */
static void fog_is_worldspawns(void **state)
{
	static const struct { const char *keys; float density, color[3], sky; } cases[] = {
		{ "", 0, { 0, 0, 0 }, 0 },
		{ "\"fog\" \"0.05 1 0.5 0\"", 0.05f / 64, { 1, 0.5f, 0 }, 0.5f },
		{ "\"_fog\" \"0.02 1 0.5 2\"", 0.02f / 64, { 1, 0.5f, 1 }, 0.5f },
		{ "\"fog\" \"0.05\"", 0.05f / 64, { 0.3f, 0.3f, 0.3f }, 0.5f },
		{ "\"fog\" \"0.05 0 0 0 0.1 9\"", 0.05f / 64, { 0, 0, 0 }, 0.5f },
		{ "\"fog\" \"0.05 0 0 0\" \"skyfog\" \"0.25\"", 0.05f / 64, { 0, 0, 0 }, 0.25f },
		{ "\"fog\" \"0.05 0 0 0\" \"_skyfog\" \"7\"", 0.05f / 64, { 0, 0, 0 }, 1 },
		{ "\"fog\" \"0 1 1 1\"", 0, { 0, 0, 0 }, 0 }, { "\"fog\" \"-1 1 1 1\"", 0, { 0, 0, 0 }, 0 },
		{ "\"fog\" \"none\"", 0, { 0, 0, 0 }, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(cases[i].keys, "*water", NULL);
		const bspscene_map_fog *fog = scene->map_fog;
		if (fabsf(fog->density - cases[i].density) > 1e-8f || fabsf(fog->sky - cases[i].sky) > 1e-5f ||
		    memcmp(fog->color, cases[i].color, sizeof fog->color)) {
			fail_msg("case %zu: %g, sky %g", i, (double)fog->density, (double)fog->sky);
		}
		assert_int_equal(fog->over_lightmaps, cases[i].density > 0);
		bspscene_scene_free(scene);
	}
}

/* Each kind of liquid has its own key. */
static void liquids_are_as_clear_as_worldspawn_says(void **state)
{
	static const struct { const char *keys, *texture; float opacity; } cases[] = {
		{ "", "*water", 1 }, { "\"wateralpha\" \"0.5\"", "*water", 0.5f },
		{ "\"_wateralpha\" \"0.5\"", "*blood", 0.5f },
		{ "\"wateralpha\" \"0.5\"", "*lava1", 1 }, { "\"lavaalpha\" \"0.5\"", "*LAVA1", 0.5f },
		{ "\"slimealpha\" \"0.25\"", "*slime0", 0.25f }, { "\"telealpha\" \"0.75\"", "*teleport", 0.75f },
		{ "\"wateralpha\" \"2\"", "*water", 1 }, { "\"wateralpha\" \"-2\"", "*water", 0 },
		{ "\"wateralpha\" \"x\"", "*water", 1 }, { "\"lavaalpha\" \"0\"", "*lava1", 1 },
		{ "\"wateralpha\" \"0.5\" \"_wateralpha\" \"0.25\"", "*water", 0.25f },
		{ "\"_wateralpha\" \"0.25\" \"wateralpha\" \"0.5\"", "*water", 0.5f },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(cases[i].keys, cases[i].texture, NULL);
		const bspscene_material *material = material_of(scene, WATER);
		const bspscene_material_pass *stage = scene->material_passes[material->first_pass];
		assert_true(material->color[3] == cases[i].opacity);
		assert_int_equal(material->alpha_mode,
		                 cases[i].opacity < 1 ? BSPSCENE_ALPHA_MODE_BLEND : BSPSCENE_ALPHA_MODE_OPAQUE);
		assert_true(cases[i].opacity == 1 || stage->alpha == cases[i].opacity);
		bspscene_scene_free(scene);
	}
}

/* Returns the material of a brush model whose entity has these keys, or NULL if the model is not drawn. */
static const bspscene_material *brush_material(const char *game, const char *keys, bspscene_scene **scene)
{
	static char text[512];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake, game);
	bspt_parts parts;
	bspt_room_parts(&bspi_family_quake, variant, &parts);
	snprintf(text, sizeof text,
	         "{ \"classname\" \"worldspawn\" \"wateralpha\" \"0.25\" } { \"model\" \"*1\" %s }", keys);
	parts.raw[QUAKE_ENTITIES] = bspi_bytes_of(text, strlen(text));
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	*scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
	free(file.data);
	assert_non_null(*scene);
	for (uint32_t i = 0; i < (*scene)->mesh_count; i++) {
		const bspscene_mesh *mesh = (*scene)->meshes[i];
		if (mesh->model == 1) return (*scene)->materials[mesh->sections[0]->material];
	}
	return NULL;
}

/* The opacity of a brush model is the `alpha` of its entity, in steps of 1/254. If `alpha` is 0, the model is opaque.
 * If it is negative or nearly 0, the model is invisible. Hexen II's spawn flag 1 makes the model translucent and unlit
 * unless `alpha` is set. */
static void brush_models_are_as_thin_as_they_say(void **state)
{
	static const char *const wall = "\"classname\" \"func_wall\"";
	static const struct { const char *game, *keys; float opacity; bool unlit; } cases[] = {
		{ "quake", "", 1, false }, { "quake", "\"alpha\" \"0.5\"", 0.5f, false },
		{ "quake", "\"alpha\" \"0.3\"", 76 / 254.0f, false }, { "quake", "\"alpha\" \"0\"", 1, false },
		{ "quake", "\"alpha\" \"1\"", 1, false }, { "quake", "\"alpha\" \"9\"", 1, false },
		{ "quake", "\"alpha\" \"-1\"", 0, false }, { "quake", "\"alpha\" \"0.001\"", 0, false },
		{ "quake", "\"spawnflags\" \"1\"", 1, false }, { "hexen2", "\"spawnflags\" \"1\"", 0.4f, true },
		{ "hexen2", "\"spawnflags\" \"2\"", 1, false },
		{ "hexen2", "\"spawnflags\" \"1\" \"alpha\" \"0.5\"", 0.5f, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char keys[256];
		bspscene_scene *scene;
		snprintf(keys, sizeof keys, "%s %s", wall, cases[i].keys);
		const bspscene_material *material = brush_material(cases[i].game, keys, &scene);
		bool drawn = cases[i].opacity > 0;
		if ((material != NULL) != drawn) fail_msg("%s: %s", cases[i].keys, material ? "drawn" : "not drawn");
		if (material && fabsf(material->color[3] - cases[i].opacity) > 1e-6f) {
			fail_msg("%s: %g", cases[i].keys, (double)material->color[3]);
		}
		bool thin = cases[i].opacity < 1;
		assert_true(!material || material->unlit == cases[i].unlit);
		assert_true(!material || (material->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND) == thin);
		const bspscene_material_pass *pass = material ? scene->material_passes[material->first_pass] : NULL;
		if (pass && thin) assert_int_equal(pass->color_gen == BSPSCENE_COLOR_GEN_LIGHT, !cases[i].unlit);
		bspscene_scene_free(scene);
	}
}

/* If the game's palette is missing, textures get the colors of LibreQuake's palette. Once, their palette indices were
 * shown as gray values, which look like noise. A palette from the caller takes precedence. */
static void textures_have_librequakes_colors(void **state)
{
	(void)state;
	uint8_t palette[BSPI_PALETTE_SIZE];
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	for (size_t i = 0; i < sizeof palette; i++) palette[i] = (uint8_t)(255 - i / 3);
	for (int own = 0; own < 2; own++) {
		options.palette = own ? palette : NULL;
		bspscene_scene *scene = load_room("", "*water", &options);
		const bspscene_image *image = scene->images[material_of(scene, WALL)->base_image];
		const uint8_t *texel = image->data;
		/* The first texel has the palette index 8, so its color begins at byte 24 of a palette. */
		assert_memory_equal(texel, own ? palette + 24 : bspi_librequake_palette + 24, 3);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_FILE_MISSING), !own);
		bspscene_scene_free(scene);
	}
	/* These are two well-known colors of Quake's palette. */
	static const uint8_t brown[] = { 15, 11, 7 }, last[] = { 159, 91, 83 };
	assert_memory_equal(bspi_librequake_palette + 3 * 16, brown, 3);
	assert_memory_equal(bspi_librequake_palette + 3 * 255, last, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fog_is_worldspawns), cmocka_unit_test(liquids_are_as_clear_as_worldspawn_says),
		cmocka_unit_test(brush_models_are_as_thin_as_they_say),
		cmocka_unit_test(textures_have_librequakes_colors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
