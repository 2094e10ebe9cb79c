/* Promise: each object of a map has a node. A mesh exists once for each skin and pose of a model. Items are placed as
 * in the game. If a model is missing or invalid, its nodes have no mesh, and there is one warning for its file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "materials/indexed/indexed.h"
#include "support/make/build_map.h"
#include "support/models/build_model.h"
#include "support/make/build_texture.h"
#include "support/captured.h"
#include "support/models/furnished.h"
#include "support/check/scene_find.h"

#define WORLD "{ \"classname\" \"worldspawn\" }"
#define AT(x, y, z) "\"origin\" \"" #x " " #y " " #z "\""
#define ITEM(name, place) "{ \"classname\" \"" name "\" " place " }"
#define MODEL(path, place) "{ \"classname\" \"misc_thing\" \"model\" \"" path "\" " place " }"

static void instances_share_one_mesh(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "md3", "models/crate.md3");
	bspt_furnished_add_model(&g, "quake_mdl", "progs/crate.mdl");
	bspt_furnished_load(&g, &bspi_family_quake3,
	     WORLD MODEL("models/crate.md3", AT(10, 20, 30)) MODEL("models\\CRATE.md3", "")
	         MODEL("progs/crate.mdl", "\"skin\" \"7\"") "{ \"classname\" \"door\" \"model2\" \"models/crate.md3\" }");
	uint32_t mesh = bspt_furnished_mesh(&g, "misc_thing:1");
	assert_true(mesh < g.scene->mesh_count);
	assert_int_equal(bspt_furnished_mesh(&g, "misc_thing:2"), mesh);
	assert_int_equal(bspt_furnished_mesh(&g, "door:4:model2"), mesh);
	uint32_t other = bspt_furnished_mesh(&g, "misc_thing:3");
	assert_true(other < g.scene->mesh_count && other != mesh);
	assert_string_equal(g.scene->meshes[mesh]->name, "models/crate.md3");
	assert_int_equal(g.scene->meshes[mesh]->index_count, 3 * BSPT_MODEL_TRIANGLES);
	const bspscene_node *node = bspt_find_node(g.scene, "misc_thing:1");
	assert_int_equal(node->kind, BSPSCENE_NODE_PROP);
	assert_true(node->transform[3] == 10 && node->transform[7] == 20 && node->transform[11] == 30);
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_MODEL_BAD), 0);
	bspt_furnished_end(&g);
}

/* The skin of Quake's model gets LibreQuake's palette, and a glow picture of its fullbright texels. */
static void pictures_come_out_of_models(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "quake_mdl", "progs/crate.mdl");
	bspt_furnished_add_model(&g, "sprite", "sprites/glow.spr");
	bspt_furnished_load(&g, &bspi_family_quake,
	                    WORLD MODEL("progs/crate.mdl", "") MODEL("sprites/glow.spr", "\"scale\" \"2\""));
	const bspscene_mesh *mesh = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:1")];
	const bspscene_material *material = g.scene->materials[mesh->sections[0]->material];
	assert_true(material->base_image < g.scene->image_count);
	assert_int_equal(g.scene->images[material->base_image]->width, 8);
	bspscene_pixels pixels;
	bspscene_error error;
	assert_true(bspscene_image_decode(g.scene->images[material->base_image], &pixels, &error));
	for (size_t i = 0; i < BSPT_MODEL_SKIN * BSPT_MODEL_SKIN; i++) {
		const uint8_t *color = bspi_librequake_palette + 3 * (16 + i); /* the color that build_model.c uses */
		assert_memory_equal(pixels.data + 4 * i, color, 3);
		assert_int_equal(pixels.data[4 * i + 3], 255);
	}
	bspscene_pixels_free(&pixels);
	mesh = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:2")];
	material = g.scene->materials[mesh->sections[0]->material];
	assert_int_equal(material->alpha_mode, BSPSCENE_ALPHA_MODE_ADD);
	assert_int_equal(material->cull, BSPSCENE_CULL_NONE);
	assert_true(material->unlit);
	assert_true(material->deform_count == 1 && material->deforms[0]->kind == BSPSCENE_DEFORM_SPRITE);
	assert_int_equal(g.scene->material_passes[material->first_pass]->color_gen, BSPSCENE_COLOR_GEN_ENTITY);
	assert_int_equal(g.scene->material_passes[material->first_pass]->alpha_gen, BSPSCENE_ALPHA_GEN_ENTITY);
	assert_true(bspt_find_node(g.scene, "misc_thing:2")->transform[0] == 2);
	bspt_furnished_end(&g);
}

/* In GoldSrc, the entity's render mode decides how a sprite is blended. Each mode is a separate material. */
static void render_modes_draw_sprites(void **state)
{
	(void)state;
	static const struct {
		const char *mode;
		bspscene_alpha_mode drawn;
		uint32_t deforms;
	} cases[] = {
		{ "0", BSPSCENE_ALPHA_MODE_OPAQUE, 1 }, { "2", BSPSCENE_ALPHA_MODE_BLEND, 1 },
		{ "3", BSPSCENE_ALPHA_MODE_ADD, 2 },    { "5", BSPSCENE_ALPHA_MODE_ADD, 1 },
		{ "9", BSPSCENE_ALPHA_MODE_ADD, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_furnished g;
		char text[256];
		bspt_furnished_begin(&g);
		bspt_furnished_add_model(&g, "sprite", "sprites/glow.spr");
		snprintf(text, sizeof text,
		         WORLD MODEL("sprites/glow.spr", "\"renderamt\" \"51\" \"rendermode\" \"%s\""), cases[i].mode);
		bspt_furnished_load(&g, &bspi_family_goldsrc, text);
		const bspscene_mesh *mesh = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:1")];
		const bspscene_material *material = g.scene->materials[mesh->sections[0]->material];
		if (material->alpha_mode != cases[i].drawn || material->deform_count != cases[i].deforms) {
			fail_msg("rendermode %s: %d, %u deforms", cases[i].mode, (int)material->alpha_mode, material->deform_count);
		}
		/* Translucent materials are drawn after opaque ones. */
		assert_true(cases[i].drawn == BSPSCENE_ALPHA_MODE_OPAQUE ? material->sort <= 3 : material->sort >= 9);
		bspscene_alpha_gen alpha = cases[i].deforms > 1 ? BSPSCENE_ALPHA_GEN_GLOW : BSPSCENE_ALPHA_GEN_ENTITY;
		assert_int_equal(g.scene->material_passes[material->first_pass]->alpha_gen, alpha);
		float opaque = i ? 0.2f : 1;
		assert_true(fabsf(bspt_find_node(g.scene, "misc_thing:1")->color_alpha - opaque) < 1e-6f);
		bspt_furnished_end(&g);
	}
}

/* In GoldSrc, render modes can hide a model or make it translucent. Once, they were ignored. */
static void render_modes_blend_models(void **state)
{
	static const struct {
		const char *keys;
		bspscene_alpha_mode drawn;
		bool hidden, lit;
		float alpha;
	} cases[] = {
		{ "\"renderamt\" \"0\"", BSPSCENE_ALPHA_MODE_OPAQUE, false, true, 1 },
		{ "\"rendermode\" \"2\" \"renderamt\" \"0\"", BSPSCENE_ALPHA_MODE_BLEND, true, true, 0 },
		{ "\"rendermode\" \"2\" \"renderamt\" \"51\"", BSPSCENE_ALPHA_MODE_BLEND, false, true, .2f },
		{ "\"rendermode\" \"4\" \"renderamt\" \"51\"", BSPSCENE_ALPHA_MODE_BLEND, false, true, .2f },
		{ "\"rendermode\" \"2\" \"renderamt\" \"255\"", BSPSCENE_ALPHA_MODE_OPAQUE, false, true, 1 },
		{ "\"rendermode\" \"5\" \"renderamt\" \"102\"", BSPSCENE_ALPHA_MODE_ADD, false, false, .4f },
	};
	static const char *const formats[] = { "goldsrc_mdl", "quake_mdl" };
	(void)state;
	for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
		bspt_furnished g;
		char text[512];
		bspt_furnished_begin(&g);
		bspt_furnished_add_model(&g, formats[i % 2], "models/crate.mdl");
		snprintf(text, sizeof text, WORLD MODEL("models/crate.mdl", "%s") MODEL("models/crate.mdl", "%s")
		         MODEL("models/crate.mdl", ""), cases[i / 2].keys, cases[i / 2].keys);
		bspt_furnished_load(&g, &bspi_family_goldsrc, text);
		const bspscene_node *node = bspt_find_node(g.scene, "misc_thing:1");
		uint32_t plain = bspt_furnished_mesh(&g, "misc_thing:3");
		assert_int_equal(bspt_furnished_mesh(&g, "misc_thing:2"), node->mesh);
		assert_int_equal(node->mesh == plain, cases[i / 2].drawn == BSPSCENE_ALPHA_MODE_OPAQUE);
		assert_int_equal(node->hidden, cases[i / 2].hidden);
		const bspscene_material *whole = g.scene->materials[g.scene->meshes[plain]->sections[0]->material];
		const bspscene_material *material = g.scene->materials[g.scene->meshes[node->mesh]->sections[0]->material];
		assert_int_equal(!material->unlit, cases[i / 2].lit);
		assert_int_equal(material->base_image, whole->base_image);
		assert_true(fabsf(material->color[3] - cases[i / 2].alpha) < 1e-6f);
		assert_true(whole->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE || whole->alpha_mode == BSPSCENE_ALPHA_MODE_MASK);
		if (material != whole) {
			assert_int_equal(material->alpha_mode, cases[i / 2].drawn);
			const bspscene_material_pass *stage = g.scene->material_passes[material->first_pass];
			assert_int_equal(material->pass_count, 1);
			assert_int_equal(stage->color_gen,
			                 cases[i / 2].lit ? BSPSCENE_COLOR_GEN_LIGHT : BSPSCENE_COLOR_GEN_IDENTITY);
			assert_true(stage->alpha == material->color[3]);
		}
		bspt_furnished_end(&g);
	}
}

/* In Source, a sprite is a material, even if its name ends in .spr. It has the size of its texture, and the material
 * states its alignment. */
static void materials_are_sprites(void **state)
{
	(void)state;
	static const char vmt[] = "Sprite { $basetexture sprites/glow $spriteorigin \"[0.25 0.5]\" "
							  "$spriteorientation vp_parallel $translucent 1 }";
	static const uint8_t pixels[32 * 16 * 4];
	const bspt_vtf vtf = { .minor = 2, .width = 32, .height = 16, .picture = pixels, .size = sizeof pixels };
	bspt_furnished g;
	bspt_bytes texture = bspt_encode_vtf(&vtf);
	bspt_furnished_begin(&g);
	bspt_furnished_add(&g, "materials/sprites/glow.vmt", vmt, sizeof vmt - 1);
	bspt_furnished_add(&g, "materials/sprites/glow.vtf", texture.data, texture.size);
	bspt_furnished_load(&g, &bspi_family_vbsp,
	     WORLD MODEL("sprites/glow.vmt", "\"scale\" \"2\" \"rendermode\" \"9\" \"renderamt\" \"51\"")
	         MODEL("sprites/glow.spr", "\"rendermode\" \"9\"") MODEL("sprites/none.vmt", "")
	         "{ \"classname\" \"env_sprite\" \"targetname\" \"later\" \"model\" \"sprites/glow.vmt\" }");
	free(texture.data);
	const bspscene_node *node = bspt_find_node(g.scene, "misc_thing:1");
	const bspscene_mesh *mesh = g.scene->meshes[node->mesh];
	const bspscene_material *material = g.scene->materials[mesh->sections[0]->material];
	assert_int_equal(material->alpha_mode, BSPSCENE_ALPHA_MODE_ADD);
	assert_true(material->unlit && material->base_image != BSPSCENE_NO_INDEX);
	assert_true(material->deform_count == 1 && material->deforms[0]->kind == BSPSCENE_DEFORM_SPRITE);
	assert_true(mesh->positions[1] == 8 && mesh->positions[2] == 8);
	assert_true(mesh->bounds.min[1] == -24 && mesh->bounds.max[2] == 8 && mesh->bounds.min[2] == -8);
	assert_true(node->transform[0] == 2 && fabsf(node->color_alpha - 0.2f) < 1e-6f);
	assert_true(bspt_furnished_mesh(&g, "misc_thing:2") < g.scene->mesh_count);
	assert_int_equal(bspt_furnished_mesh(&g, "misc_thing:3"), BSPSCENE_NO_INDEX);
	assert_true(bspt_find_node(g.scene, "env_sprite:4")->hidden);
	bspt_furnished_end(&g);
}

static void shaders_of_models_are_the_maps(void **state)
{
	(void)state;
	static const uint8_t tga[18 + 12] = { [2] = 2, [12] = 2, [14] = 2, [16] = 24 };
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "md3", "models/crate.md3");
	bspt_furnished_add(&g, "models/crate.tga", tga, sizeof tga);
	bspt_furnished_load(&g, &bspi_family_quake3, WORLD MODEL("models/crate.md3", ""));
	const bspscene_mesh *mesh = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:1")];
	const bspscene_material *material = g.scene->materials[mesh->sections[0]->material];
	assert_string_equal(g.scene->images[material->base_image]->path, "models/crate.tga");
	bspt_furnished_end(&g);
}

/* The bounding box of an item ends 15 units below the item's origin. The item drops until this box touches the floor,
 * and its model is raised by 4 units. */
static void items_stand_on_the_floor(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "md3", "models/powerups/armor/armor_red.md3");
	bspt_furnished_add_model(&g, "md3", "models/weapons2/shotgun/shotgun.md3");
	bspt_furnished_load(&g, &bspi_family_quake3,
	     WORLD ITEM("item_armor_body", AT(64, 64, 60) "\"angle\" \"90\"")
	         ITEM("item_armor_body", AT(64, 64, 60) "\"spawnflags\" \"1\"") ITEM("weapon_shotgun", AT(64, 64, 60))
	             ITEM("item_quad", AT(64, 64, 60)));
	const float *place = bspt_find_node(g.scene, "item_armor_body:1")->transform;
	if (fabsf(place[11] - 19) > 1e-3f) fail_msg("%g", (double)place[11]);
	assert_true(place[0] == 1);
	place = bspt_find_node(g.scene, "item_armor_body:2")->transform;
	assert_true(place[11] == 64);
	/* Weapons are scaled by 1.5 about their center, here (4, 0, 0), and raised by 8 units. */
	place = bspt_find_node(g.scene, "weapon_shotgun:3")->transform;
	assert_true(fabsf(place[3] - 60) < 1e-3f && fabsf(place[11] - 27) < 1e-3f && place[0] == 1.5f);
	const bspscene_node *quad = bspt_find_node(g.scene, "item_quad:4");
	assert_int_equal(quad->mesh, BSPSCENE_NO_INDEX);
	assert_int_equal(g.scene->props[quad->prop]->skin_count, 0);
	assert_int_equal(g.scene->props[bspt_find_node(g.scene, "weapon_shotgun:3")->prop]->skin_count, 1);
	assert_true(g.scene->props[quad->prop]->from_classname && g.scene->props[quad->prop]->is_dynamic);
	assert_true(quad->transform[11] == 60);
	assert_true(bspt_find_node(g.scene, "item_quad:4:with")->transform[11] == 12);
	bspt_furnished_end(&g);
}

/* Warfork has item classes of its own. Weapons are raised by 14 units and enlarged by 1.4, and armor is made smaller.
 * While the game runs, all items turn and bob. */
static void items_of_qfusion_are_its_own(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "md3", "models/items/armor/ga/ga.md3");
	bspt_furnished_add_model(&g, "md3", "models/weapons/rlauncher/rlauncher.md3");
	bspt_furnished_add_model(&g, "md3", "models/items/ammo/ammobox/ammobox.md3");
	bspt_furnished_load_room(&g, &bspi_family_quake3, bspt_find_variant(&bspi_family_quake3, "qfusion"),
	     WORLD ITEM("item_armor_ga", AT(64, 64, 60) "\"angle\" \"90\"") ITEM("weapon_rocketlauncher", AT(64, 64, 60))
	         ITEM("ammo_rocketlauncher", AT(64, 64, 60) "\"spawnflags\" \"1\""));
	const float *place = bspt_find_node(g.scene, "item_armor_ga:1")->transform;
	if (fabsf(place[11] - 20) > 1e-3f || place[0] != .85f) fail_msg("%g, %g", (double)place[11], (double)place[0]);
	const bspscene_prop *armor = g.scene->props[bspt_find_node(g.scene, "item_armor_ga:1")->prop];
	assert_true(armor->turn_degrees_per_second == 100 && armor->bob_height == 4);
	assert_true(armor->bob_radians_per_second == 5.01f && armor->bob_phase_radians == 5.01f);
	place = bspt_find_node(g.scene, "weapon_rocketlauncher:2")->transform;
	assert_true(fabsf(place[3] - 64 + 14 * 1.4f) < 1e-3f && fabsf(place[11] - 20) < 1e-3f && place[0] == 1.4f);
	place = bspt_find_node(g.scene, "ammo_rocketlauncher:3")->transform;
	assert_true(place[11] == 64 && place[0] == .9f);
	assert_true(bspt_furnished_mesh(&g, "ammo_rocketlauncher:3") < g.scene->mesh_count);
	bspt_furnished_end(&g);
}

/* Afterburner has item classes of its own, and those of Half-Life. */
static void items_of_afterburner_are_nightfires(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "goldsrc_mdl", "models/weapon_p99/w_p99.mdl");
	bspt_furnished_add_model(&g, "goldsrc_mdl", "models/weapon_p99/w_ammo_p99.mdl");
	bspt_furnished_add_model(&g, "goldsrc_mdl", "models/w_medkit.mdl");
	bspt_furnished_load_room(&g, &bspi_family_goldsrc, bspt_find_variant(&bspi_family_goldsrc, "afterburner"),
	                         WORLD ITEM("weapon_pp9", AT(64, 64, 60)) ITEM("ammo_p99", AT(64, 64, 60))
	                             ITEM("item_healthkit", AT(64, 64, 60)));
	assert_true(bspt_furnished_mesh(&g, "weapon_pp9:1") < g.scene->mesh_count);
	assert_true(bspt_furnished_mesh(&g, "ammo_p99:2") < g.scene->mesh_count);
	assert_true(bspt_furnished_mesh(&g, "item_healthkit:3") < g.scene->mesh_count);
	assert_true(fabsf(bspt_find_node(g.scene, "weapon_pp9:1")->transform[11]) < 1e-3f);
	bspt_furnished_end(&g);
}

/* Quake's ammunition and health boxes are maps. So they have their origin at a corner, textures of maps, and the light
 * that they were compiled with. */
static void boxes_are_maps_with_their_own_light(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "box_map", "maps/b_bh100.bsp");
	bspt_furnished_add_model(&g, "quake_mdl", "progs/armor.mdl");
	bspt_furnished_load(&g, &bspi_family_quake,
	     WORLD ITEM("item_health", AT(64, 64, 60) "\"spawnflags\" \"2\"") ITEM("item_health", AT(-20, 64, 60)
	         "\"spawnflags\" \"2\"") ITEM("item_armor1", AT(-20, 64, 60))
	         ITEM("item_health", AT(64, -20, 60) "\"spawnflags\" \"2\"") ITEM("item_armor1", AT(64, -20, 60)));
	const bspscene_node *node = bspt_find_node(g.scene, "item_health:1");
	assert_true(node->mesh < g.scene->mesh_count);
	const bspscene_mesh *mesh = g.scene->meshes[node->mesh];
	assert_int_equal(mesh->index_count, 3 * BSPT_MODEL_TRIANGLES);
	assert_string_equal(g.scene->materials[mesh->sections[0]->material]->name, "crate");
	assert_true(g.scene->materials[mesh->sections[0]->material]->base_image < g.scene->image_count);
	assert_int_equal(mesh->sections[0]->lighting, BSPSCENE_LIGHTING_VERTEX);
	assert_ptr_equal(g.scene->props[node->prop]->colors, mesh->colors);
	for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++) {
		assert_int_equal(mesh->colors[i], i % 4 == 3 ? 255 : BSPT_BOX_LIGHT);
	}
	assert_true(fabsf(node->transform[11]) < 1e-3f);
	/* At -20, health boxes extend over the floor, which begins at 0, and drop. Centered armor misses it and stays. */
	assert_true(fabsf(bspt_find_node(g.scene, "item_health:2")->transform[11]) < 1e-3f);
	assert_true(bspt_find_node(g.scene, "item_armor1:3")->transform[11] > 60);
	assert_true(fabsf(bspt_find_node(g.scene, "item_health:4")->transform[11]) < 1e-3f);
	assert_true(bspt_find_node(g.scene, "item_armor1:5")->transform[11] > 60);
	bspt_furnished_end(&g);
}

/* A box's colored light is in the .lit next to it, not next to the map. */
static void boxes_have_light_files_of_their_own(void **state)
{
	enum { LIGHTING_SIZE_AT = 4 + 8 * 8 + 4, MOST_LUXELS = 1024 };
	static const uint8_t color[3] = { 40, 80, 160 };
	uint8_t lit[8 + 3 * MOST_LUXELS] = { 'Q', 'L', 'I', 'T', 1 };
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "box_map", "maps/b_bh100.bsp");
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (strcmp(file.format, "box_map") != 0) continue;
		uint32_t luxels = bspi_load_u32(file.bytes.data + LIGHTING_SIZE_AT);
		assert_in_range(luxels, 1, MOST_LUXELS);
		for (uint32_t k = 0; k < luxels; k++) memcpy(lit + 8 + 3 * (size_t)k, color, sizeof color);
		bspt_furnished_add(&g, "maps/b_bh100.lit", lit, 8 + 3 * (size_t)luxels);
	}
	bspt_furnished_load(&g, &bspi_family_quake, WORLD ITEM("item_health", AT(64, 64, 60) "\"spawnflags\" \"2\""));
	const bspscene_mesh *mesh = g.scene->meshes[bspt_find_node(g.scene, "item_health:1")->mesh];
	for (size_t i = 0; i < mesh->vertex_count; i++) assert_memory_equal(mesh->colors + 4 * i, color, sizeof color);
	bspt_furnished_end(&g);
}

/* A positive pitch turns the nose of a model up in Quake, and down in Quake III. */
static void pitch_is_the_games(void **state)
{
	(void)state;
	const bspi_family *const families[] = { &bspi_family_quake, &bspi_family_quake3 };
	for (int i = 0; i < 2; i++) {
		bspt_furnished g;
		bspt_furnished_begin(&g);
		bspt_furnished_add_model(&g, "md3", "models/crate.md3");
		bspt_furnished_load(&g, families[i], WORLD MODEL("models/crate.md3", "\"angles\" \"90 0 0\""));
		assert_true(fabsf(bspt_find_node(g.scene, "misc_thing:1")->transform[8] - (i ? -1 : 1)) < 1e-6f);
		bspt_furnished_end(&g);
	}
}

static void missing_and_broken_files_are_listed(void **state)
{
	(void)state;
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add(&g, "models/broken.md3", "IDP3\17\0\0\0", 8);
	bspt_furnished_add(&g, "maps/b_box.bsp", "IBSP\56\0\0\0", 8);
	bspt_furnished_load(&g, &bspi_family_quake3,
	     WORLD MODEL("models/none.md3", "") MODEL("models/none.md3", "") MODEL("models/broken.md3", "")
	         MODEL("../out.md3", "") MODEL("maps/b_box.bsp", ""));
	assert_int_equal(bspt_furnished_mesh(&g, "misc_thing:1"), BSPSCENE_NO_INDEX);
	bool missing = false, broken = false;
	for (uint32_t i = 0; i < g.scene->warning_count; i++) {
		const bspscene_warning *warning = g.scene->warnings[i];
		if (strcmp(warning->lump, "models") != 0) continue;
		missing |= strstr(warning->message, "models/none.md3: it was not found; 2 places stay empty") != NULL;
		broken |= strstr(warning->message, "models/broken.md3: header: 108 bytes at offset 0 reach past") != NULL;
	}
	assert_true(missing && broken);
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_MODEL_BAD), 2);
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_NAME_UNSAFE), 1);
	bspt_furnished_end(&g);
}

static void models_are_left_out_when_asked(void **state)
{
	(void)state;
	for (uint32_t kind = BSPSCENE_MODELS_ALL; kind <= BSPSCENE_MODELS_NONE; kind++) {
		bspt_furnished g;
		bspt_furnished_begin(&g);
		bspt_furnished_add_model(&g, "md3", "models/crate.md3");
		bspt_furnished_add_model(&g, "md3", "models/powerups/armor/armor_red.md3");
		g.options.models = (bspscene_models)kind;
		bspt_furnished_load(&g, &bspi_family_quake3,
		                    WORLD MODEL("models/crate.md3", "") ITEM("item_armor_body", AT(64, 64, 60)));
		bool crate = bspt_furnished_mesh(&g, "misc_thing:1") != BSPSCENE_NO_INDEX;
		bool armor = bspt_furnished_mesh(&g, "item_armor_body:2") != BSPSCENE_NO_INDEX;
		assert_true(crate == (kind != BSPSCENE_MODELS_NONE) && armor == (kind == BSPSCENE_MODELS_ALL));
		bspt_furnished_end(&g);
	}
}

/* 500 props of 20 models add only 20 meshes to a lit GLB if props of the same model have similar light. */
static void written_props_share_their_meshes(void **state)
{
	(void)state;
	enum { MODELS = 20, EACH = 25, LINE = 96 };
	static char paths[MODELS][16], text[MODELS * EACH * LINE + LINE];
	bspt_furnished g;
	bspt_furnished_begin(&g);
	for (int i = 0; i < MODELS; i++) {
		snprintf(paths[i], sizeof paths[i], "m%d.md3", i);
		bspt_furnished_add_model(&g, "md3", paths[i]);
	}
	char *at = text + sprintf(text, WORLD);
	for (int i = 0; i < MODELS * EACH; i++) {
		at +=
			sprintf(at, "{ \"classname\" \"prop\" \"model\" \"m%d.md3\" \"origin\" \"%d 64 32\" }", i % MODELS, i / 4);
	}
	bspt_furnished_load(&g, &bspi_family_quake3, text);
	bspscene_write_options options;
	bspt_captured captured;
	bspt_report report = { 0 };
	bspscene_write_options_init(&options);
	options.light_error = 255;
	bspscene_output output = bspt_capture(&captured);
	assert_true(bspscene_write(g.scene, "glb", &options, &output, NULL));
	bspt_gltf gltf = bspt_gltf_open(&captured, &report);
	bspt_assert_clean(&report);
	uint32_t of_models = 0, shown = 0;
	for (size_t i = 0; i < json_array_size(bspt_gltf_at(&gltf, "meshes")); i++) {
		bool model = strstr(bspt_gltf_text(&gltf, "meshes/%zu/name", i), ".md3") != NULL;
		of_models += model;
		for (size_t n = 0; model && n < json_array_size(bspt_gltf_at(&gltf, "nodes")); n++) {
			json_t *mesh = bspt_gltf_at(&gltf, "nodes/%zu/mesh", n);
			shown += mesh && (size_t)json_integer_value(mesh) == i;
		}
	}
	assert_int_equal(of_models, MODELS);
	assert_int_equal(shown, MODELS * EACH);
	const bspscene_mesh *mesh = g.scene->meshes[bspt_furnished_mesh(&g, "prop:1")];
	assert_non_null(mesh->colors);
	assert_int_equal(mesh->sections[0]->lighting, BSPSCENE_LIGHTING_VERTEX);
	bspt_gltf_close(&gltf);
	bspt_captured_free(&captured);
	bspt_furnished_end(&g);
}

/* A small map cannot request hundreds of millions of triangles. */
static void crowds_are_limited(void **state)
{
	(void)state;
	enum { CROWD = 400000, LINE = 64 };
	bspt_furnished g;
	char *text = malloc((size_t)CROWD * LINE + LINE), *at = text;
	assert_non_null(text);
	bspt_furnished_begin(&g);
	bspt_furnished_add_model(&g, "md3", "m.md3");
	at += sprintf(at, WORLD);
	for (int i = 0; i < CROWD; i++) at += sprintf(at, "{\"model\"\"m.md3\"}");
	g.options.memory_limit = (uint64_t)2 << 30;
	bspt_furnished_load(&g, &bspi_family_quake3, text);
	free(text);
	bool drawn = bspt_furnished_mesh(&g, "entity:1") != BSPSCENE_NO_INDEX;
	uint64_t least = 4194304, allowed = least + 16 * g.scene->input_size;
	assert_int_equal(drawn, (uint64_t)CROWD * (BSPT_MODEL_TRIANGLES + 1) <= allowed);
	bspt_furnished_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instances_share_one_mesh),
		cmocka_unit_test(pictures_come_out_of_models),
		cmocka_unit_test(render_modes_draw_sprites),
		cmocka_unit_test(render_modes_blend_models),
		cmocka_unit_test(materials_are_sprites),
		cmocka_unit_test(shaders_of_models_are_the_maps),
		cmocka_unit_test(items_stand_on_the_floor),
		cmocka_unit_test(items_of_qfusion_are_its_own),
		cmocka_unit_test(items_of_afterburner_are_nightfires),
		cmocka_unit_test(boxes_are_maps_with_their_own_light),
		cmocka_unit_test(boxes_have_light_files_of_their_own),
		cmocka_unit_test(pitch_is_the_games),
		cmocka_unit_test(missing_and_broken_files_are_listed),
		cmocka_unit_test(models_are_left_out_when_asked),
		cmocka_unit_test(written_props_share_their_meshes),
		cmocka_unit_test(crowds_are_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
