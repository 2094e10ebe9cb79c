/* Promise: what stands in a map is in the scene as often as in the map, and its mesh once for each look; items stand
 * where the game puts them; what is missing or broken stays an empty node and is counted once for each file. */
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
#include "support/bspt.h"
#include "support/build_map.h"
#include "support/build_model.h"
#include "support/build_texture.h"
#include "support/captured.h"
#include "support/check_scene.h"
#include "support/scene_find.h"

enum { ENTITIES = 0, MOST_FILES = 24 };

typedef struct game {
	struct {
		const char *path;
		bspt_bytes bytes;
	} files[MOST_FILES];
	uint32_t file_count;
	bspscene_load_options options;
	bspscene_scene *scene;
	bspt_bytes map;
} game;

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const game *g = user;
	(void)kind;
	for (uint32_t i = 0; i < g->file_count; i++) {
		if (strcmp(g->files[i].path, path) != 0) continue;
		stream->data = g->files[i].bytes.data;
		stream->size = g->files[i].bytes.size;
		return true;
	}
	return false;
}

static void add_file(game *g, const char *path, const void *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	assert_true(copy && g->file_count < MOST_FILES);
	memcpy(copy, data, size);
	g->files[g->file_count].path = path;
	g->files[g->file_count++].bytes = (bspt_bytes) { copy, size };
}

static void add_model(game *g, const char *format, const char *path)
{
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (!strcmp(file.format, format)) {
			add_file(g, path, file.bytes.data, file.bytes.size);
			return;
		}
	}
	fail_msg("no model of format %s", format);
}

static void begin(game *g)
{
	memset(g, 0, sizeof *g);
	bspscene_load_options_init(&g->options);
	g->options.open_file = open_file;
	g->options.file_user = g;
}

/* A room, its floor at z = 0 from 0,0 to 128,128, with these entities. */
static void load_room(game *g, const bspi_family *family, const bspi_variant *variant, const char *entities)
{
	bspt_parts parts;
	bspscene_error error;
	bspt_report report = { 0 };
	assert_true(bspt_room_parts(family, variant, &parts));
	parts.raw[ENTITIES] = bspi_bytes_of(entities, strlen(entities));
	g->map = bspt_encode_parts(variant, &parts);
	g->scene = bspscene_load_memory(g->map.data, g->map.size, &g->options, &error);
	if (!g->scene) fail_msg("%s", error.message);
	bspt_check_scene(g->scene, &g->options, &report);
	bspt_assert_clean(&report);
}

/* The same of the family's plain variant. */
static void load(game *g, const bspi_family *family, const char *entities)
{
	load_room(g, family, &family->variants[0], entities);
}

static void end(game *g)
{
	bspscene_scene_free(g->scene);
	free(g->map.data);
	for (uint32_t i = 0; i < g->file_count; i++) free(g->files[i].bytes.data);
}

#define WORLD "{ \"classname\" \"worldspawn\" }"
#define AT(x, y, z) "\"origin\" \"" #x " " #y " " #z "\""
#define ITEM(name, place) "{ \"classname\" \"" name "\" " place " }"
#define MODEL(path, place) "{ \"classname\" \"misc_thing\" \"model\" \"" path "\" " place " }"

static uint32_t mesh_of(const game *g, const char *node)
{
	return bspt_find_node(g->scene, node)->mesh;
}

static void instances_share_one_mesh(void **state)
{
	(void)state;
	game g;
	begin(&g);
	add_model(&g, "md3", "models/crate.md3");
	add_model(&g, "quake_mdl", "progs/crate.mdl");
	load(&g, &bspi_family_quake3,
	     WORLD MODEL("models/crate.md3", AT(10, 20, 30)) MODEL("models\\CRATE.md3", "")
	         MODEL("progs/crate.mdl", "\"skin\" \"7\"") "{ \"classname\" \"door\" \"model2\" \"models/crate.md3\" }");
	uint32_t mesh = mesh_of(&g, "misc_thing:1");
	assert_true(mesh < g.scene->mesh_count);
	assert_int_equal(mesh_of(&g, "misc_thing:2"), mesh);
	assert_int_equal(mesh_of(&g, "door:4:model2"), mesh);
	assert_true(mesh_of(&g, "misc_thing:3") < g.scene->mesh_count && mesh_of(&g, "misc_thing:3") != mesh);
	assert_string_equal(g.scene->meshes[mesh].name, "models/crate.md3");
	assert_int_equal(g.scene->meshes[mesh].index_count, 3 * BSPT_MODEL_TRIANGLES);
	const bspscene_node *node = bspt_find_node(g.scene, "misc_thing:1");
	assert_int_equal(node->kind, BSPSCENE_NODE_PROP);
	assert_true(node->transform[3] == 10 && node->transform[7] == 20 && node->transform[11] == 30);
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_MODEL_BAD), 0);
	end(&g);
}

/* Quake's own picture in LibreQuake's colours, with what glows in it. */
static void pictures_come_out_of_models(void **state)
{
	(void)state;
	game g;
	begin(&g);
	add_model(&g, "quake_mdl", "progs/crate.mdl");
	add_model(&g, "sprite", "sprites/glow.spr");
	load(&g, &bspi_family_quake, WORLD MODEL("progs/crate.mdl", "") MODEL("sprites/glow.spr", "\"scale\" \"2\""));
	const bspscene_mesh *mesh = &g.scene->meshes[mesh_of(&g, "misc_thing:1")];
	const bspscene_material *material = &g.scene->materials[mesh->sections[0].material];
	assert_true(material->base_image < g.scene->image_count);
	assert_int_equal(g.scene->images[material->base_image].width, 8);
	assert_non_null(g.scene->images[material->base_image].data);
	mesh = &g.scene->meshes[mesh_of(&g, "misc_thing:2")];
	material = &g.scene->materials[mesh->sections[0].material];
	assert_int_equal(material->alpha_mode, BSPSCENE_ALPHA_ADD);
	assert_int_equal(material->cull, BSPSCENE_CULL_NONE);
	assert_true(material->unlit);
	assert_true(material->deform_count == 1 && material->deforms[0].kind == BSPSCENE_DEFORM_SPRITE);
	assert_int_equal(g.scene->stages[material->first_stage].color_gen, BSPSCENE_COLOR_ENTITY);
	assert_int_equal(g.scene->stages[material->first_stage].alpha_gen, BSPSCENE_ALPHA_GEN_ENTITY);
	assert_true(bspt_find_node(g.scene, "misc_thing:2")->transform[0] == 2);
	end(&g);
}

/* GoldSrc: the entity chooses how its sprite is drawn, whatever the file says; each way is a material of its own. */
static void render_modes_draw_sprites(void **state)
{
	(void)state;
	static const struct {
		const char *mode;
		bspscene_alpha_mode drawn;
		uint32_t deforms;
	} cases[] = {
		{ "0", BSPSCENE_ALPHA_OPAQUE, 1 }, { "2", BSPSCENE_ALPHA_BLEND, 1 }, { "3", BSPSCENE_ALPHA_ADD, 2 },
		{ "5", BSPSCENE_ALPHA_ADD, 1 },    { "9", BSPSCENE_ALPHA_ADD, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		game g;
		char text[256];
		begin(&g);
		add_model(&g, "sprite", "sprites/glow.spr");
		snprintf(text, sizeof text,
		         WORLD MODEL("sprites/glow.spr", "\"renderamt\" \"51\" \"rendermode\" \"%s\""), cases[i].mode);
		load(&g, &bspi_family_goldsrc, text);
		const bspscene_mesh *mesh = &g.scene->meshes[mesh_of(&g, "misc_thing:1")];
		const bspscene_material *material = &g.scene->materials[mesh->sections[0].material];
		if (material->alpha_mode != cases[i].drawn || material->deform_count != cases[i].deforms) {
			fail_msg("rendermode %s: %d, %u deforms", cases[i].mode, (int)material->alpha_mode, material->deform_count);
		}
		bspscene_alpha_gen alpha = cases[i].deforms > 1 ? BSPSCENE_ALPHA_GEN_GLOW : BSPSCENE_ALPHA_GEN_ENTITY;
		assert_int_equal(g.scene->stages[material->first_stage].alpha_gen, alpha);
		float opaque = i ? 0.2f : 1;
		assert_true(fabsf(bspt_find_node(g.scene, "misc_thing:1")->color_alpha - opaque) < 1e-6f);
		end(&g);
	}
}

/* Source: a sprite is a material, as large as its texture and put where the material says, also under the name .spr. */
static void materials_are_sprites(void **state)
{
	(void)state;
	static const char vmt[] = "Sprite { $basetexture sprites/glow $spriteorigin \"[0.25 0.5]\" "
							  "$spriteorientation vp_parallel $translucent 1 }";
	static const uint8_t pixels[32 * 16 * 4];
	const bspt_vtf vtf = { .minor = 2, .width = 32, .height = 16, .picture = pixels, .size = sizeof pixels };
	game g;
	bspt_bytes texture = bspt_encode_vtf(&vtf);
	begin(&g);
	add_file(&g, "materials/sprites/glow.vmt", vmt, sizeof vmt - 1);
	add_file(&g, "materials/sprites/glow.vtf", texture.data, texture.size);
	load(&g, &bspi_family_vbsp,
	     WORLD MODEL("sprites/glow.vmt", "\"scale\" \"2\" \"rendermode\" \"9\" \"renderamt\" \"51\"")
	         MODEL("sprites/glow.spr", "\"rendermode\" \"9\"") MODEL("sprites/none.vmt", "")
	         "{ \"classname\" \"env_sprite\" \"targetname\" \"later\" \"model\" \"sprites/glow.vmt\" }");
	free(texture.data);
	const bspscene_node *node = bspt_find_node(g.scene, "misc_thing:1");
	const bspscene_mesh *mesh = &g.scene->meshes[node->mesh];
	const bspscene_material *material = &g.scene->materials[mesh->sections[0].material];
	assert_int_equal(material->alpha_mode, BSPSCENE_ALPHA_ADD);
	assert_true(material->unlit && material->base_image != BSPSCENE_NO_INDEX);
	assert_true(material->deform_count == 1 && material->deforms[0].kind == BSPSCENE_DEFORM_SPRITE);
	assert_true(mesh->positions[1] == 8 && mesh->positions[2] == 8);
	assert_true(mesh->bounds.min[1] == -24 && mesh->bounds.max[2] == 8 && mesh->bounds.min[2] == -8);
	assert_true(node->transform[0] == 2 && fabsf(node->color_alpha - 0.2f) < 1e-6f);
	assert_true(mesh_of(&g, "misc_thing:2") < g.scene->mesh_count);
	assert_int_equal(mesh_of(&g, "misc_thing:3"), BSPSCENE_NO_INDEX);
	assert_true(bspt_find_node(g.scene, "env_sprite:4")->hidden);
	end(&g);
}

/* The studio model with the files beside it, where the room's static props have theirs. */
static void add_barrel(game *g)
{
	static const char *const paths[] = { "models/test/barrel.vvd", "models/test/barrel.dx90.vtx" };
	add_model(g, "source_mdl", "models/test/barrel.mdl");
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (strcmp(file.format, "source_mdl") != 0) continue;
		for (uint32_t k = 0; k < 2; k++) add_file(g, paths[k], file.mates[k].bytes.data, file.mates[k].bytes.size);
	}
}

/* Source: light that the compiler stored for a static prop is its own, in the order of the model's strip groups, and
 * the mesh has the mean of what its props have; light for another model is counted and left out. */
static void static_props_have_stored_light(void **state)
{
	enum { COLORS = 68, CHECKSUM = 0x1234567 };
	const bspi_variant *variant = bspi_family_vbsp.variants;
	(void)state;
	while (strcmp(variant->name, "source20") != 0) variant++;
	for (uint32_t stale = 0; stale < 2; stale++) {
		game g;
		bspt_writer light = { .size = 0 };
		const uint32_t header[] = { 2, CHECKSUM + stale, 4, 4, BSPT_MODEL_VERTICES, 1, 0, 0, 0, 0, 0,
			                        BSPT_MODEL_VERTICES, COLORS, 0, 0, 0, 0 };
		for (size_t i = 0; i < sizeof header / sizeof *header; i++) bspt_put_u32(&light, header[i]);
		for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_u32(&light, 10 * i | 20 << 8 | 30 << 16);
		begin(&g);
		add_barrel(&g);
		add_file(&g, "sp_0.vhv", light.data, light.size);
		load_room(&g, &bspi_family_vbsp, variant, WORLD);
		const bspscene_node *first = bspt_find_node(g.scene, "prop_static:0");
		const bspscene_node *second = bspt_find_node(g.scene, "prop_static:1");
		const bspscene_mesh *mesh = &g.scene->meshes[first->mesh];
		assert_true(first->mesh < g.scene->mesh_count && first->mesh == second->mesh);
		assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_FILE_STALE), stale);
		assert_null(g.scene->props[second->prop].colors);
		const uint8_t *colors = g.scene->props[first->prop].colors;
		assert_true((colors == NULL) == (stale == 1));
		float gain = g.scene->page_sets[0].intensity;
		for (uint32_t i = 0; colors && i < mesh->vertex_count; i++) {
			const float want[3] = { 60 / gain, 40 / gain, 20 * (float)i / gain };
			for (uint32_t k = 0; k < 3; k++) assert_true(fabsf((float)colors[4 * i + k] - want[k]) <= 1);
		}
		if (colors) assert_memory_equal(mesh->colors, colors, 4 * (size_t)mesh->vertex_count);
		end(&g);
	}
}

/* Source: vertices or triangles of another compilation of the model are shown, and counted. */
static void files_that_do_not_belong_together_are_counted(void **state)
{
	static const struct { const char *ending; size_t checksum_at; } mates[] = { { ".vvd", 8 }, { ".dx90.vtx", 16 } };
	const bspi_variant *variant = bspi_family_vbsp.variants;
	(void)state;
	while (strcmp(variant->name, "source20") != 0) variant++;
	for (size_t i = 0; i < sizeof mates / sizeof *mates; i++) {
		game g;
		begin(&g);
		add_barrel(&g);
		for (uint32_t k = 0; k < g.file_count; k++) {
			if (strstr(g.files[k].path, mates[i].ending)) g.files[k].bytes.data[mates[i].checksum_at] ^= 1;
		}
		load_room(&g, &bspi_family_vbsp, variant, WORLD);
		assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_FILE_STALE), 1);
		assert_true(mesh_of(&g, "prop_static:0") < g.scene->mesh_count);
		end(&g);
	}
}

/* Source: the pictures of detail props are one mesh, of the sheet's material, lit as the compiler said; without the
 * sheet there is none, and one line. */
static void details_are_one_mesh(void **state)
{
	static const char vmt[] = "UnlitGeneric { $basetexture detail/sheet $translucent 1 $vertexcolor 1 }";
	const bspi_variant *variant = bspi_family_vbsp.variants;
	(void)state;
	while (strcmp(variant->name, "source20") != 0) variant++;
	for (int sheet = 0; sheet < 2; sheet++) {
		game g;
		begin(&g);
		if (sheet) add_file(&g, "materials/detail/detailsprites.vmt", vmt, sizeof vmt - 1);
		load_room(&g, &bspi_family_vbsp, variant, WORLD);
		uint32_t shown = 0;
		for (uint32_t i = 0; i < g.scene->node_count; i++) shown += !strcmp(g.scene->nodes[i].name, "details");
		assert_int_equal(shown, sheet);
		if (!sheet) {
			end(&g);
			continue;
		}
		const bspscene_node *node = bspt_find_node(g.scene, "details");
		const bspscene_mesh *mesh = &g.scene->meshes[node->mesh];
		const bspscene_material *material = &g.scene->materials[mesh->sections[0].material];
		/* One picture, 16 wide on the axis of its place at 64 0 0, 16 high. */
		assert_int_equal(mesh->index_count, 6);
		assert_true(bspi_distance_squared(mesh->bounds.min, (float[3]) { 64, -8, 0 }) < 1e-6f);
		assert_true(bspi_distance_squared(mesh->bounds.max, (float[3]) { 64, 8, 16 }) < 1e-6f);
		/* Its left side is on the left of who looks along +X, and has the left side of the picture. */
		assert_true(mesh->positions[1] == 8 && mesh->positions[2] == 16);
		assert_true(mesh->uvs[0] == 0 && mesh->uvs[1] == 0 && mesh->uvs[4] == 0.5f && mesh->uvs[5] == 0.5f);
		assert_int_equal(material->cull, BSPSCENE_CULL_NONE);
		assert_true(!material->unlit && mesh->sections[0].lighting == BSPSCENE_LIGHTING_VERTEX);
		float want = (float)pow(0.5, 1 / 2.2) / g.scene->page_sets[0].intensity * 255;
		assert_true(fabsf((float)mesh->colors[0] - want) <= 1);
		assert_ptr_equal(g.scene->props[node->prop].colors, mesh->colors);
		end(&g);
	}
}

static void shaders_of_models_are_the_maps(void **state)
{
	(void)state;
	static const uint8_t tga[18 + 12] = { [2] = 2, [12] = 2, [14] = 2, [16] = 24 };
	game g;
	begin(&g);
	add_model(&g, "md3", "models/crate.md3");
	add_file(&g, "models/crate.tga", tga, sizeof tga);
	load(&g, &bspi_family_quake3, WORLD MODEL("models/crate.md3", ""));
	const bspscene_mesh *mesh = &g.scene->meshes[mesh_of(&g, "misc_thing:1")];
	const bspscene_material *material = &g.scene->materials[mesh->sections[0].material];
	assert_string_equal(g.scene->images[material->base_image].path, "models/crate.tga");
	end(&g);
}

/* An item falls until its box meets the floor, 15 below its origin, and hovers 4 above. */
static void items_stand_on_the_floor(void **state)
{
	(void)state;
	game g;
	begin(&g);
	add_model(&g, "md3", "models/powerups/armor/armor_red.md3");
	add_model(&g, "md3", "models/weapons2/shotgun/shotgun.md3");
	load(&g, &bspi_family_quake3,
	     WORLD ITEM("item_armor_body", AT(64, 64, 60) "\"angle\" \"90\"")
	         ITEM("item_armor_body", AT(64, 64, 60) "\"spawnflags\" \"1\"") ITEM("weapon_shotgun", AT(64, 64, 60))
	             ITEM("item_quad", AT(64, 64, 60)));
	const float *place = bspt_find_node(g.scene, "item_armor_body:1")->transform;
	if (fabsf(place[11] - 19) > 1e-3f) fail_msg("%g", (double)place[11]);
	assert_true(place[0] == 1);
	place = bspt_find_node(g.scene, "item_armor_body:2")->transform;
	assert_true(place[11] == 64);
	/* Half as large again about its middle, 4, 0, 0, and 8 higher. */
	place = bspt_find_node(g.scene, "weapon_shotgun:3")->transform;
	assert_true(fabsf(place[3] - 60) < 1e-3f && fabsf(place[11] - 27) < 1e-3f && place[0] == 1.5f);
	const bspscene_node *quad = bspt_find_node(g.scene, "item_quad:4");
	assert_int_equal(quad->mesh, BSPSCENE_NO_INDEX);
	assert_true(g.scene->props[quad->prop].by_class && g.scene->props[quad->prop].at_run_time);
	assert_true(quad->transform[11] == 60);
	assert_true(bspt_find_node(g.scene, "item_quad:4:with")->transform[11] == 12);
	end(&g);
}

/* Quake's boxes are maps: they fall beside their corner, have the textures of maps and keep the light that they were
 * compiled with, wherever they stand. */
static void boxes_are_maps_with_their_own_light(void **state)
{
	(void)state;
	game g;
	begin(&g);
	add_model(&g, "box_map", "maps/b_bh100.bsp");
	add_model(&g, "quake_mdl", "progs/armor.mdl");
	load(&g, &bspi_family_quake,
	     WORLD ITEM("item_health", AT(64, 64, 60) "\"spawnflags\" \"2\"") ITEM("item_health", AT(-20, 64, 60)
	         "\"spawnflags\" \"2\"") ITEM("item_armor1", AT(-20, 64, 60)));
	const bspscene_node *node = bspt_find_node(g.scene, "item_health:1");
	assert_true(node->mesh < g.scene->mesh_count);
	const bspscene_mesh *mesh = &g.scene->meshes[node->mesh];
	assert_int_equal(mesh->index_count, 3 * BSPT_MODEL_TRIANGLES);
	assert_string_equal(g.scene->materials[mesh->sections[0].material].name, "crate");
	assert_true(g.scene->materials[mesh->sections[0].material].base_image < g.scene->image_count);
	assert_int_equal(mesh->sections[0].lighting, BSPSCENE_LIGHTING_VERTEX);
	assert_ptr_equal(g.scene->props[node->prop].colors, mesh->colors);
	for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++) {
		assert_int_equal(mesh->colors[i], i % 4 == 3 ? 255 : BSPT_BOX_LIGHT);
	}
	assert_true(fabsf(node->transform[11]) < 1e-3f);
	/* The floor begins at x = 0: the box reaches it, and what stands about its middle does not. */
	assert_true(fabsf(bspt_find_node(g.scene, "item_health:2")->transform[11]) < 1e-3f);
	assert_true(bspt_find_node(g.scene, "item_armor1:3")->transform[11] > 60);
	end(&g);
}

/* Positive pitch of a model is nose up in Quake, down in Quake III. */
static void pitch_is_the_games(void **state)
{
	(void)state;
	const bspi_family *const families[] = { &bspi_family_quake, &bspi_family_quake3 };
	for (int i = 0; i < 2; i++) {
		game g;
		begin(&g);
		add_model(&g, "md3", "models/crate.md3");
		load(&g, families[i], WORLD MODEL("models/crate.md3", "\"angles\" \"90 0 0\""));
		assert_true(fabsf(bspt_find_node(g.scene, "misc_thing:1")->transform[8] - (i ? -1 : 1)) < 1e-6f);
		end(&g);
	}
}

static void missing_and_broken_files_are_listed(void **state)
{
	(void)state;
	game g;
	begin(&g);
	add_file(&g, "models/broken.md3", "IDP3\17\0\0\0", 8);
	add_file(&g, "maps/b_box.bsp", "IBSP\56\0\0\0", 8);
	load(&g, &bspi_family_quake3,
	     WORLD MODEL("models/none.md3", "") MODEL("models/none.md3", "") MODEL("models/broken.md3", "")
	         MODEL("../out.md3", "") MODEL("maps/b_box.bsp", ""));
	assert_int_equal(mesh_of(&g, "misc_thing:1"), BSPSCENE_NO_INDEX);
	bool missing = false, broken = false;
	for (uint32_t i = 0; i < g.scene->warning_count; i++) {
		const bspscene_warning *warning = &g.scene->warnings[i];
		if (strcmp(warning->lump, "models") != 0) continue;
		missing |= strstr(warning->message, "models/none.md3: it was not found; 2 nodes stay empty") != NULL;
		broken |= strstr(warning->message, "models/broken.md3: header: 108 bytes at offset 0 of a file of 8") != NULL;
	}
	assert_true(missing && broken);
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_MODEL_BAD), 2);
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_NAME_UNSAFE), 1);
	end(&g);
}

static void models_are_left_out_when_asked(void **state)
{
	(void)state;
	for (uint32_t kind = BSPSCENE_MODELS_ALL; kind <= BSPSCENE_MODELS_NONE; kind++) {
		game g;
		begin(&g);
		add_model(&g, "md3", "models/crate.md3");
		add_model(&g, "md3", "models/powerups/armor/armor_red.md3");
		g.options.models = (bspscene_models)kind;
		load(&g, &bspi_family_quake3, WORLD MODEL("models/crate.md3", "") ITEM("item_armor_body", AT(64, 64, 60)));
		bool crate = mesh_of(&g, "misc_thing:1") != BSPSCENE_NO_INDEX;
		bool armor = mesh_of(&g, "item_armor_body:2") != BSPSCENE_NO_INDEX;
		assert_true(crate == (kind != BSPSCENE_MODELS_NONE) && armor == (kind == BSPSCENE_MODELS_ALL));
		end(&g);
	}
}

/* 500 props of 20 models are 20 meshes more in a GLB, each of which 25 nodes show, lit. */
static void written_props_share_their_meshes(void **state)
{
	(void)state;
	enum { MODELS = 20, EACH = 25, LINE = 96 };
	static char paths[MODELS][16], text[MODELS * EACH * LINE + LINE];
	game g;
	begin(&g);
	for (int i = 0; i < MODELS; i++) {
		snprintf(paths[i], sizeof paths[i], "m%d.md3", i);
		add_model(&g, "md3", paths[i]);
	}
	char *at = text + sprintf(text, WORLD);
	for (int i = 0; i < MODELS * EACH; i++) {
		at +=
			sprintf(at, "{ \"classname\" \"prop\" \"model\" \"m%d.md3\" \"origin\" \"%d 64 32\" }", i % MODELS, i / 4);
	}
	load(&g, &bspi_family_quake3, text);
	bspscene_write_options options;
	bspt_captured captured;
	bspt_report report = { 0 };
	bspscene_write_options_init(&options);
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
	const bspscene_mesh *mesh = &g.scene->meshes[mesh_of(&g, "prop:1")];
	assert_non_null(mesh->colors);
	assert_int_equal(mesh->sections[0].lighting, BSPSCENE_LIGHTING_VERTEX);
	bspt_gltf_close(&gltf);
	bspt_captured_free(&captured);
	end(&g);
}

/* A few bytes of a map cannot ask for hundreds of millions of triangles. */
static void crowds_are_limited(void **state)
{
	(void)state;
	enum { CROWD = 400000, LINE = 64 };
	game g;
	char *text = malloc((size_t)CROWD * LINE + LINE), *at = text;
	assert_non_null(text);
	begin(&g);
	add_model(&g, "md3", "m.md3");
	at += sprintf(at, WORLD);
	for (int i = 0; i < CROWD; i++) at += sprintf(at, "{\"model\"\"m.md3\"}");
	g.options.memory_limit = (uint64_t)2 << 30;
	load(&g, &bspi_family_quake3, text);
	free(text);
	bool drawn = mesh_of(&g, "entity:1") != BSPSCENE_NO_INDEX;
	uint64_t least = 4194304, allowed = least + 16 * g.scene->source_size;
	assert_int_equal(drawn, (uint64_t)CROWD * (BSPT_MODEL_TRIANGLES + 1) <= allowed);
	end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instances_share_one_mesh),
		cmocka_unit_test(pictures_come_out_of_models),
		cmocka_unit_test(render_modes_draw_sprites),
		cmocka_unit_test(materials_are_sprites),
		cmocka_unit_test(static_props_have_stored_light),
		cmocka_unit_test(files_that_do_not_belong_together_are_counted),
		cmocka_unit_test(details_are_one_mesh),
		cmocka_unit_test(shaders_of_models_are_the_maps),
		cmocka_unit_test(items_stand_on_the_floor),
		cmocka_unit_test(boxes_are_maps_with_their_own_light),
		cmocka_unit_test(pitch_is_the_games),
		cmocka_unit_test(missing_and_broken_files_are_listed),
		cmocka_unit_test(models_are_left_out_when_asked),
		cmocka_unit_test(written_props_share_their_meshes),
		cmocka_unit_test(crowds_are_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
