/* Promise: every stage declares which results it reads and which it makes, and the order of the stages fits this. No
 * stage reads or changes results that it did not declare, and none changes the validated map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "load_stages.h"
#include "options.h"
#include "support/bspt.h"
#include "support/make/build_map.h"
#include "support/models/furnished.h"

#define HAS(result) (1u << BSPI_MAKES_##result)
#define ALL_RESULTS ((1u << BSPI_RESULT_COUNT) - 1)
#define IN_BUILD(member) WHOLE_BUILD, offsetof(bspi_build, member), sizeof ((bspi_build *)0)->member
#define IN_SCENE(member) WHOLE_SCENE, offsetof(bspscene_scene, member), sizeof ((bspscene_scene *)0)->member
#define IN_PARTS(member) WHOLE_PARTS, offsetof(bspi_scene_parts, member), sizeof ((bspi_scene_parts *)0)->member

enum { WHOLE_BUILD, WHOLE_SCENE, WHOLE_PARTS };

/* The member of bspi_build that holds each result. A row with several results is a member that one stage sets for all
 * of them. */
static const struct {
	int whole;
	size_t offset, size;
	uint32_t results;
} members[] = {
	{ IN_SCENE(entities), HAS(ENTITIES) },
	{ IN_SCENE(entity_count), HAS(ENTITIES) },
	{ IN_SCENE(pairs), HAS(ENTITIES) },
	{ IN_SCENE(pair_count), HAS(ENTITIES) },
	{ IN_BUILD(parents), HAS(ENTITIES) },
	{ IN_BUILD(models), HAS(MODELS) },
	{ IN_BUILD(textures), HAS(FACE_TEXTURES) | HAS(DECALS) },
	{ IN_BUILD(texture_count), HAS(FACE_TEXTURES) | HAS(DECALS) },
	{ IN_BUILD(face_textures), HAS(FACE_TEXTURES) },
	{ IN_BUILD(decals), HAS(DECALS) | HAS(DECAL_FACES) },
	{ IN_BUILD(decal_count), HAS(DECALS) | HAS(DECAL_FACES) },
	{ IN_BUILD(texture_materials), HAS(MATERIALS) },
	{ IN_BUILD(fog_materials), HAS(MATERIALS) },
	{ IN_BUILD(shader_light), HAS(MATERIALS) },
	{ IN_SCENE(materials), HAS(MATERIALS) | HAS(COLLISION) },
	{ IN_SCENE(material_count), HAS(MATERIALS) | HAS(COLLISION) },
	{ IN_SCENE(material_passes), HAS(MATERIALS) },
	{ IN_SCENE(material_pass_count), HAS(MATERIALS) },
	{ IN_SCENE(frame_images), HAS(MATERIALS) },
	{ IN_SCENE(frame_image_count), HAS(MATERIALS) },
	{ IN_SCENE(images), HAS(MATERIALS) | HAS(SURFACES) },
	{ IN_SCENE(image_count), HAS(MATERIALS) | HAS(SURFACES) },
	{ IN_BUILD(light), HAS(LIGHT) },
	{ IN_BUILD(disp_positions), HAS(DISPLACEMENTS) },
	{ IN_BUILD(disp_normals), HAS(DISPLACEMENTS) },
	{ IN_BUILD(skybox_area), HAS(SKYBOX) },
	{ IN_SCENE(sky_camera_origin), HAS(SKYBOX) },
	{ IN_SCENE(sky_camera_scale), HAS(SKYBOX) },
	{ IN_BUILD(plan), HAS(SURFACES) },
	{ IN_BUILD(overlays), HAS(SURFACES) },
	{ IN_BUILD(overlay_count), HAS(SURFACES) },
	{ IN_BUILD(overlay_buffers), HAS(SURFACES) },
	{ IN_SCENE(lightmap_sets), HAS(PAGES) },
	{ IN_SCENE(lightmap_set_count), HAS(PAGES) },
	{ IN_SCENE(lightmap_page_count), HAS(PAGES) },
	{ IN_SCENE(lightmap_encoding), HAS(PAGES) },
	{ IN_SCENE(lightmap_mode_white), HAS(PAGES) },
	{ IN_SCENE(lightmap_mode_opaque), HAS(PAGES) },
	{ IN_SCENE(light_clamp), HAS(PAGES) },
	{ IN_SCENE(has_hdr_light), HAS(PAGES) },
	{ IN_SCENE(meshes), HAS(MESHES) | HAS(COLLISION) | HAS(MODEL_MESHES) },
	{ IN_SCENE(mesh_count), HAS(MESHES) | HAS(COLLISION) | HAS(MODEL_MESHES) },
	{ IN_SCENE(faces), HAS(MESHES) | HAS(COLLISION) },
	{ IN_SCENE(face_count), HAS(MESHES) | HAS(COLLISION) },
	{ IN_BUILD(mesh_of_part), HAS(MESHES) },
	{ IN_SCENE(map_light), HAS(STORED_LIGHT) },
	{ IN_BUILD(collision), HAS(COLLISION) },
	{ IN_SCENE(nodes), HAS(NODES) },
	{ IN_SCENE(node_count), HAS(NODES) },
	{ IN_SCENE(lights), HAS(NODES) },
	{ IN_SCENE(light_count), HAS(NODES) },
	{ IN_SCENE(cameras), HAS(NODES) },
	{ IN_SCENE(camera_count), HAS(NODES) },
	{ IN_SCENE(props), HAS(NODES) },
	{ IN_SCENE(prop_count), HAS(NODES) },
	{ IN_SCENE(overlays), HAS(NODES) },
	{ IN_SCENE(overlay_count), HAS(NODES) },
	{ IN_SCENE(light_styles), HAS(NODES) },
	{ IN_SCENE(light_style_count), HAS(NODES) },
	{ IN_SCENE(bounds), HAS(NODES) },
	{ IN_PARTS(tree), HAS(WORLD) },
	{ IN_PARTS(vis), HAS(WORLD) },
	{ IN_SCENE(area_count), HAS(WORLD) },
	{ IN_SCENE(area_portals), HAS(WORLD) },
	{ IN_SCENE(area_portal_count), HAS(WORLD) },
	{ IN_SCENE(fogs), HAS(WORLD) },
	{ IN_SCENE(fog_count), HAS(WORLD) },
	{ IN_PARTS(map_fog), HAS(WORLD) },
	{ IN_PARTS(light_grid), HAS(WORLD) },
	{ IN_SCENE(sky_material), HAS(WORLD) },
	{ IN_SCENE(overbright), HAS(PAGES) },
	{ IN_SCENE(detail_props), HAS(PLACED) },
	{ IN_SCENE(detail_prop_count), HAS(PLACED) },
	{ IN_SCENE(ambients), HAS(PLACED) },
	{ IN_SCENE(ambient_count), HAS(PLACED) },
	{ IN_SCENE(cubemaps), HAS(PLACED) },
	{ IN_SCENE(cubemap_count), HAS(PLACED) },
	{ IN_SCENE(prop_leafs), HAS(PLACED) },
	{ IN_SCENE(prop_leaf_count), HAS(PLACED) },
};
enum { MEMBER_COUNT = sizeof members / sizeof *members, MOST_STAGES = 32 };

/* ---- The order -------------------------------------------------------------------------------------------- */

/* Returns the first stage that reads a result before it is made, or makes one a second time; `count` if there is
 * none. */
static uint32_t first_out_of_order(const bspi_stage *stages, uint32_t count)
{
	uint32_t made = 0;
	for (uint32_t i = 0; i < count; i++) {
		if ((stages[i].reads & ~made) || (stages[i].makes & made) || !stages[i].makes) return i;
		made |= stages[i].makes;
	}
	return count;
}

static void every_read_is_made_before(void **state)
{
	uint32_t made = 0;
	(void)state;
	assert_int_equal(first_out_of_order(bspi_stages, bspi_stage_count), bspi_stage_count);
	for (uint32_t i = 0; i < bspi_stage_count; i++) made |= bspi_stages[i].makes;
	assert_int_equal(made, ALL_RESULTS);
}

/* Moving a stage before one that it depends on must be found. */
static void wrong_orders_are_found(void **state)
{
	(void)state;
	assert_true(bspi_stage_count <= MOST_STAGES);
	uint32_t swapped = 0;
	for (uint32_t i = 0; i < bspi_stage_count; i++) {
		for (uint32_t k = i + 1; k < bspi_stage_count; k++) {
			bspi_stage stages[MOST_STAGES];
			if (!(bspi_stages[k].reads & bspi_stages[i].makes)) continue;
			memcpy(stages, bspi_stages, bspi_stage_count * sizeof *stages);
			stages[i] = bspi_stages[k];
			stages[k] = bspi_stages[i];
			if (first_out_of_order(stages, bspi_stage_count) > k) fail_msg("stages %u and %u may change places", i, k);
			swapped++;
		}
	}
	assert_true(swapped >= bspi_stage_count);
}

/* ---- What stages see -------------------------------------------------------------------------------------- */

static unsigned char *member_at(const bspi_build *build, size_t member)
{
	unsigned char *const wholes[] = {
		[WHOLE_BUILD] = (unsigned char *)build, [WHOLE_SCENE] = (unsigned char *)build->scene,
		[WHOLE_PARTS] = (unsigned char *)build->parts,
	};
	return wholes[members[member].whole] + members[member].offset;
}

/* Saves all members of the build. Members whose results are not in `visible` are then reset to the values that they had
 * before the load. */
static void show(bspi_build *build, uint32_t visible, unsigned char *kept)
{
	for (size_t i = 0; i < MEMBER_COUNT; i++) {
		memcpy(kept, member_at(build, i), members[i].size);
		if (!(members[i].results & visible)) memset(member_at(build, i), 0, members[i].size);
		kept += members[i].size;
	}
}

/* Restores the hidden members. The stage must not have changed them. */
static void show_again(bspi_build *build, const bspi_stage *stage, const unsigned char *kept)
{
	static const unsigned char nothing[sizeof(bspscene_scene)];
	for (size_t i = 0; i < MEMBER_COUNT; i++) {
		bool hidden = !(members[i].results & (stage->reads | stage->makes));
		if (!(members[i].results & stage->makes)) {
			if (memcmp(member_at(build, i), hidden ? nothing : kept, members[i].size)) {
				fail_msg("stage %zu changes member %zu, which it does not make", (size_t)(stage - bspi_stages), i);
			}
			memcpy(member_at(build, i), kept, members[i].size);
		}
		kept += members[i].size;
	}
}

static void hash_map(const bspi_map *map, uint8_t out[32])
{
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	bspi_sha256_add(&hash, map, sizeof *map);
	for (int id = 0; id < BSPI_ARRAY_COUNT; id++) {
		const unsigned char *whole = (const unsigned char *)map;
		const void *records;
		uint32_t count;
		memcpy(&records, whole + bspi_array_infos[id].data_offset, sizeof records);
		memcpy(&count, whole + bspi_array_infos[id].count_offset, sizeof count);
		if (count) bspi_sha256_add(&hash, records, count * bspi_array_infos[id].size);
	}
	bspi_sha256_end(&hash, out);
}

static uint64_t run(const char *name, bspi_bytes file, const bspscene_load_options *options, bool hide)
{
	bspi_ctx ctx = { .file = name, .name = "map" };
	bspscene_scene scene = { .name = "map", .meters_per_unit = options->meters_per_unit };
	bspi_map map;
	bspi_scene_parts parts = { .counts = { 0 } };
	unsigned char kept[sizeof scene + sizeof parts + sizeof(bspi_build)];
	uint8_t before[32], after[32];
	assert_true(bspi_complete_options(options, &ctx.options, NULL));
	ctx.budget.limit = (uint64_t)1 << 30;
	bspi_begin_memory(&ctx);
	if (!bspi_read_map(&ctx, file, &map)) fail_msg("%s: %s", name, ctx.error.message);
	scene.family = map.family;
	scene.variant = map.variant;
	hash_map(&map, before);
	bspi_set_parts(&scene, &parts);
	bspi_build build = { .ctx = &ctx, .map = &map, .scene = &scene, .parts = &parts };
	for (uint32_t i = 0; i < bspi_stage_count; i++) {
		const bspi_stage *stage = &bspi_stages[i];
		show(&build, hide ? stage->reads | stage->makes : ALL_RESULTS, kept);
		if (!stage->run(&build)) fail_msg("%s: stage %u: %s", name, i, ctx.error.message);
		if (hide) show_again(&build, stage, kept);
		bspi_arena_reset(&ctx.stage);
		hash_map(&map, after);
		if (memcmp(before, after, sizeof before)) fail_msg("%s: stage %u changes the map", name, i);
	}
	uint64_t hash = bspt_scene_hash(&scene);
	bspi_end_memory(&ctx);
	return hash;
}

static void compare(const char *name, bspi_bytes file, const bspscene_load_options *options)
{
	if (run(name, file, options, false) != run(name, file, options, true)) {
		fail_msg("%s: a stage reads more than it says", name);
	}
}

static void fixtures_see_what_they_declare(void **state)
{
	static const struct {
		const char *map, *game;        /* paths relative to fixtures/ */
	} cases[] = {
		{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3" },
		{ "atrium/quake3/maps/atrium_styles.bsp", "atrium/quake3" },
		{ "atrium/jediacademy/maps/atrium.bsp", "atrium/quake3" },
		{ "atrium/quake/maps/atrium.bsp", "atrium/quake" },
		{ "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc" },
		{ "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_q2map" },
		{ "nightfire/maps/room.bsp", "nightfire" },
		{ "mohaa/maps/room.bsp", "mohaa" },
		{ "ufoai/maps/room.bsp", "ufoai" },
		{ "callofduty/maps/room.bsp", "callofduty" },
		{ "genesis3d/maps/room.bsp", "genesis3d" },
		{ "respawn/maps/room.bsp", "respawn" },
		{ "source/maps/room.bsp", "source" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].game, NULL);
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		bspt_use_files(&options, files);
		options.include_mask = BSPSCENE_SURFACE_ALL;
		options.keep_map_light = true;
		bspt_bytes file = bspt_read_fixture(cases[i].map);
		compare(cases[i].map, bspi_bytes_of(file.data, file.size), &options);
		free(file.data);
		bspscene_file_system_free(files);
	}
}

/* The room has models, an entity with a render mode of its own, and a decal. */
static void furnished_rooms_see_what_they_declare(void **state)
{
	static const char entities[] =
		"{ \"classname\" \"worldspawn\" }"
		"{ \"classname\" \"misc_thing\" \"model\" \"models/crate.md3\" \"origin\" \"64 64 32\" }"
		"{ \"classname\" \"misc_thing\" \"model\" \"progs/crate.mdl\" \"origin\" \"32 64 32\" }"
		"{ \"classname\" \"misc_thing\" \"model\" \"sprites/glow.spr\" \"origin\" \"32 32 32\" }"
		"{ \"classname\" \"func_wall\" \"model\" \"*1\" \"rendermode\" \"2\" \"renderamt\" \"99\" }"
		"{ \"classname\" \"infodecal\" \"texture\" \"stain\" \"origin\" \"64 64 0\" }";
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		bspt_furnished g;
		bspt_furnished_begin(&g);
		bspt_furnished_add_model(&g, "md3", "models/crate.md3");
		bspt_furnished_add_model(&g, "quake_mdl", "progs/crate.mdl");
		bspt_furnished_add_model(&g, "sprite", "sprites/glow.spr");
		bspt_furnished_load(&g, bspi_families[f], entities);
		compare(bspi_families[f]->about.name, bspi_bytes_of(g.map.data, g.map.size), &g.options);
		bspt_furnished_end(&g);
	}
}

static void rooms_see_what_they_declare(void **state)
{
	bspscene_load_options options;
	(void)state;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		for (uint32_t v = 0; v < family->variant_count; v++) {
			bspt_bytes file = bspt_build_room(family, &family->variants[v]);
			compare(bspt_variant_name(family, &family->variants[v]), bspi_bytes_of(file.data, file.size), &options);
			free(file.data);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_read_is_made_before),
		cmocka_unit_test(wrong_orders_are_found),
		cmocka_unit_test(fixtures_see_what_they_declare),
		cmocka_unit_test(furnished_rooms_see_what_they_declare),
		cmocka_unit_test(rooms_see_what_they_declare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
