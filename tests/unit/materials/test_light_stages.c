/* Promise: q3map2 generates shader stages for light styles and for lightmaps of other sizes. These stages become light
 * styles of the faces. The styled atrium is read completely, with its scripts and images. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "images/images.h"
#include "materials/materials.h"
#include "support/bspt.h"
#include "support/make/build_map.h"
#include "support/make/made_game.h"

extern const bspi_family bspi_family_quake3;

/* ---- Light that shaders bring ----------------------------------------------------------------------------- */

static void styled_pages_become_slots(void **state)
{
	static const char script[] =
		"m/moved { { map $lightmap\nrgbgen identity } { map $lightmap\nblendfunc gl_src_alpha gl_one\n"
		"rgbgen wave noise .5 1 0 5 // style 3\ntcgen lightmap\ntcmod transform 1 0 0 1 .25 -.5\n}\n"
		"{ map a\nblendfunc filter } }\n"
		"m/picture { { map $lightmap } { map maps/m/lm_0001.tga\nblendfunc gl_src_alpha gl_one\n"
		"rgbgen identity // style 4\ntcgen lightmap } }\n"
		"m/own { { map maps/m/lm_0001.tga\ntcgen lightmap } { map a\nblendfunc filter } }\n"
		"m/gone { { map maps/m/lm_0009.tga\ntcgen lightmap } }\n"
		"m/flare { { map maps/m/lm_0001.tga } }\n";
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspt_game_picture(&g, "maps/m/lm_0001.tga");
	bspt_game_picture(&g, "a.tga");
	bspt_game_use(&g, "m/moved", 0, 0);
	bspt_game_use(&g, "m/picture", 0, 0);
	bspt_game_use(&g, "m/own", 0, 0);
	bspt_game_use(&g, "m/gone", 0, 0);
	bspt_game_use(&g, "m/flare", 0, 0);
	g.faces[0].lightmap[0] = 7;
	g.faces[2].lightmap[0] = BSPI_PAGE_BY_VERTEX;
	for (int i = 0; i < 4; i++) g.vertices[i].lightmap[0] = g.vertices[i].lightmap[1] = 0.5f;
	bspt_game_make(&g);

	const bspi_shader_light *light = g.build.shader_light;
	const bspi_face_pages *faces = light->faces;
	assert_true(faces[0].pages[0] == 7 && faces[0].pages[1] == 7 && faces[0].styles[1] == 3 &&
	            faces[0].styles[2] == 255);
	/* The validated map does not change. */
	assert_true(g.faces[0].styles[1] == 255 && !g.map.draw_vertex_styles);
	/* Both faces use the same vertices. The second face is processed last, so its uvs replace those of the first face
	 * in slot 1. */
	assert_true(light->uvs[2][1][0] == 0.5f);
	const bspscene_material_pass *moved = bspt_game_stage(&g, 0, 1);
	assert_true(moved->input == BSPSCENE_PASS_INPUT_LIGHTMAP && moved->light_style == 3 && moved->tc_mod_count == 0);
	assert_true(moved->color_gen == BSPSCENE_COLOR_GEN_WAVE && moved->dst_blend == BSPSCENE_BLEND_ONE);
	assert_int_equal(bspt_game_stage(&g, 0, 0)->light_style, 0);
	assert_true(!bspt_game_material(&g, 0)->unlit && !strcmp(bspt_game_image(&g, bspt_game_material(&g, 0)->base_image),
	                                                         "a"));

	assert_true(faces[1].pages[1] == BSPI_FIRST_PICTURE_PAGE && faces[1].styles[1] == 4);
	assert_true(faces[2].pages[0] == BSPI_FIRST_PICTURE_PAGE && faces[2].styles[1] == 255);
	assert_true(faces[3].pages[0] == 0);
	assert_true(light->picture_count == 1 && light->pictures[0].width == 2 &&
	            light->pictures[0].overbright == 1);
	/* This stage has no `tcGen lightmap`, so its picture is not light. */
	assert_int_equal(bspt_game_stage(&g, 4, 0)->input, BSPSCENE_PASS_INPUT_IMAGE);
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_FILE_MISSING, NULL),
	                    "lightmaps: maps/m/lm_0009.tga was not found: the light of shaders that name it is missing");
	bspt_game_end(&g);
}

static void offsets_move_the_stored_uvs(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, "m/a { { map $lightmap } { map $lightmap\nrgbgen identity // style 3\ntcgen lightmap\n"
	               "tcmod transform 1 0 0 1 .25 -.5\n} }");
	bspt_game_use(&g, "m/a", 0, 0);
	for (int i = 0; i < 4; i++) g.vertices[i].lightmap[0] = g.vertices[i].lightmap[1] = 0.5f;
	bspt_game_make(&g);
	for (int i = 0; i < 4; i++) {
		assert_true(g.build.shader_light->uvs[i][1][0] == 0.75f && g.build.shader_light->uvs[i][1][1] == 0);
	}
	bspt_game_end(&g);
}

/* ---- Light that stages look up elsewhere ------------------------------------------------------------------- */

/* Loads the room with this shader for textures/test/wall. */
static bspscene_scene *load_room(const char *script, bspscene_lightmap_encoding encoding)
{
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "quake3");
	bspt_bytes file = bspt_build_room(&bspi_family_quake3, variant);
	bspscene_load_options options;
	bspscene_error error;
	bspt_game g;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspscene_load_options_init(&options);
	options.open_file = g.ctx.options.open_file;
	options.list_files = g.ctx.options.list_files;
	options.file_user = g.ctx.options.file_user;
	options.lightmap_encoding = encoding;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	free(file.data);
	bspt_game_end(&g);
	return scene;
}

static uint32_t luxel_at(uint32_t width, uint32_t height, const float uv[2])
{
	return (uint32_t)(uv[1] * (float)height) * width + (uint32_t)(uv[0] * (float)width);
}

/* Each vertex has coordinates in the lightmap atlas, and in the image that shows the map's whole page. Checks that both
 * lead to the same luxel. */
static void check_whole_page(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_section *section)
{
	const bspscene_image *image = scene->images[section->map_page_image];
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[section->lightmap_page];
	assert_true(image->is_generated && image->format == BSPSCENE_IMAGE_RGBA && image->width == 128 &&
	            image->height == 128);
	for (uint32_t i = section->first_vertex; i < section->first_vertex + section->vertex_count; i++) {
		uint32_t there = luxel_at(image->width, image->height, mesh->map_page_uvs + 2 * i);
		uint32_t here = luxel_at(page->width, page->height, mesh->lightmap_uvs + 2 * i);
		const uint8_t *texel = (const uint8_t *)image->data + 4 * there;
		assert_memory_equal(texel, (const uint8_t *)page->data + 3 * here, 3);
		assert_int_equal(texel[3], 255);
	}
}

static void pages_become_images(void **state)
{
	static const char moved[] = "textures/test/wall { { map $lightmap\ntcmod scroll 1 0\n} }";
	uint32_t sections[2] = { 0, 0 }, unlit = 0;
	(void)state;
	bspscene_scene *scene = load_room(moved, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (uint32_t i = 0; i < 2 * scene->meshes[0]->section_count; i++) {
		const bspscene_mesh *mesh = scene->meshes[i % 2];
		if (i / 2 >= mesh->section_count) continue;
		const bspscene_section *section = mesh->sections[i / 2];
		if (strcmp(scene->materials[section->material]->name, "textures/test/wall") != 0) continue;
		if (section->map_page_image == BSPSCENE_NO_INDEX) {
			unlit++;
			continue;
		}
		const char *name = scene->images[section->map_page_image]->name;
		assert_true(!strcmp(name, "lightmap page 0") || !strcmp(name, "lightmap page 1"));
		sections[name[14] - '0']++;
		check_whole_page(scene, mesh, section);
	}
	/* The floor (in fog) and the patch are on page 0, the door is on page 1, and the triangle soup has no page. */
	assert_true(sections[0] == 2 && sections[1] == 1 && unlit == 1);
	bspscene_scene_free(scene);
}

/* A lightmap page becomes an image of the scene only if a stage uses the page as an ordinary image. */
static void few_pages_become_images(void **state)
{
	static const struct {
		const char *script;
		bspscene_lightmap_encoding encoding;
		uint32_t images;
		bool uvs;
	} cases[] = {
		{ "textures/test/wall { { map $lightmap } }", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0, false },
		{ "textures/test/wall { { map $lightmap\ntcgen environment\n} }", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 2,
		  false },
		{ "textures/test/wall { { map $lightmap\ntcgen environment\n} }", BSPSCENE_LIGHTMAP_ENCODING_HDR, 2, false },
		{ "textures/test/wall { { map $lightmap\ntcgen base\n} }", BSPSCENE_LIGHTMAP_ENCODING_RAW, 2, false },
		{ "textures/test/wall { { map $lightmap\ntcmod scroll 1 0\n} }", BSPSCENE_LIGHTMAP_ENCODING_NONE, 0, false },
		{ "textures/test/wall { { map $whiteimage\ntcgen environment\n} }", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0,
		  false },
		{ "textures/test/wall { { map $lightmap\ntcmod scroll 1 0\n} }", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 2, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(cases[i].script, cases[i].encoding);
		uint32_t images = 0;
		for (uint32_t k = 0; k < scene->image_count; k++) {
			images += !strncmp(scene->images[k]->name, "lightmap page", 13);
		}
		if (images != cases[i].images || !scene->meshes[0]->map_page_uvs == cases[i].uvs) {
			fail_msg("%s, encoding %d: %u images", cases[i].script, (int)cases[i].encoding, images);
		}
		bspscene_scene_free(scene);
	}
}

/* ---- Real files ------------------------------------------------------------------------------------------- */

typedef struct loaded {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_scene_parts parts;
	bspi_build build;
	bspscene_file_system *files;
	bspt_bytes bytes;
} loaded;

static void load(loaded *l, const char *map)
{
	char path[64];
	memset(l, 0, sizeof *l);
	snprintf(path, sizeof path, "atrium/quake3/maps/%s.bsp", map);
	l->bytes = bspt_read_fixture(path);
	l->files = bspt_mount_fixtures("atrium/quake3", NULL);
	l->ctx.file = path;
	l->ctx.name = map;
	l->ctx.budget.limit = 256u << 20;
	bspt_use_files(&l->ctx.options, l->files);
	bspi_begin_memory(&l->ctx);
	assert_true(bspi_read_map(&l->ctx, bspi_bytes_of(l->bytes.data, l->bytes.size), &l->map));
	bspi_set_parts(&l->scene, &l->parts);
	l->build = (bspi_build){ .ctx = &l->ctx, .map = &l->map, .scene = &l->scene, .parts = &l->parts };
	assert_true(bspi_build_materials(&l->build));
	l->ctx.file = "";
}

static void unload(loaded *l)
{
	bspi_end_memory(&l->ctx);
	bspscene_file_system_free(l->files);
	free(l->bytes.data);
}

static const bspscene_material *find(const loaded *l, const char *name)
{
	for (uint32_t i = 0; i < l->scene.material_count; i++) {
		if (!strcmp(l->scene.materials[i]->name, name)) return l->scene.materials[i];
	}
	fail_msg("no material %s", name);
	return NULL;
}

static void the_atrium_is_complete(void **state)
{
	loaded l;
	(void)state;
	load(&l, "atrium");
	assert_int_equal(l.scene.counts->textures_missing, 0);
	assert_int_equal(l.ctx.warning_count, 0);
	for (uint32_t i = 0; i < l.scene.image_count; i++) {
		bspscene_pixels pixels;
		assert_true(bspi_image_decode(&bspi_system_heap, l.scene.images[i]->format,
		                              bspi_bytes_of(l.scene.images[i]->data, l.scene.images[i]->size), &pixels, NULL));
		bspscene_pixels_free(&pixels);
	}
	const bspscene_material *terrain = find(&l, "textures/sample/terrain"),
	                        *screen = find(&l, "textures/sample/screen");
	assert_string_equal(l.scene.images[terrain->base_image]->name, "textures/sample/rock");
	assert_string_equal(l.scene.images[terrain->second_image]->name, "textures/sample/grass");
	const bspscene_material_pass *animated = l.scene.material_passes[screen->first_pass];
	assert_true(animated->frame_image_count == 2 && animated->frames_per_second == 2 && screen->unlit);
	const bspscene_material *panel = find(&l, "textures/sample/panel");
	assert_true(panel->surface_light == 1500 && panel->emissive_image == panel->base_image &&
	            panel->emissive[0] == 0.5f);
	assert_int_equal(find(&l, "textures/sample/metal")->pass_count, 3);
	assert_string_equal(l.scene.images[find(&l, "textures/sample/metal")->base_image]->name, "textures/sample/metal");
	const bspscene_material *sky = find(&l, "textures/sample/sky");
	assert_string_equal(sky->sky->name, "env/sample");
	assert_string_equal(l.scene.images[sky->sky->box[5]]->path, "env/sample_dn.tga");
	assert_int_equal(find(&l, "textures/sample/water")->kind, BSPSCENE_MATERIAL_LIQUID);
	assert_int_equal(find(&l, "textures/sample/flare")->kind, BSPSCENE_MATERIAL_FLARE);
	assert_int_equal(find(&l, "textures/sample/grate")->alpha_mode, BSPSCENE_ALPHA_MODE_MASK);
	assert_string_equal(find(&l, "textures/sample/brick")->script_text, "");
	unload(&l);
}

/* Faces have one style in addition to the steady light. Its luxels are elsewhere on the same page, or in the picture
 * lm_0001.tga. */
static void the_styled_atrium_has_slots(void **state)
{
	loaded l;
	uint32_t moved = 0, pictures = 0;
	(void)state;
	load(&l, "atrium_styles");
	const bspi_shader_light *light = l.build.shader_light;
	for (uint32_t i = 0; i < l.map.faces_count; i++) {
		const bspi_face_pages *face = &light->faces[i];
		if (face->styles[1] == 255 || l.map.faces[i].kind == BSPI_FACE_DROPPED) continue;
		assert_int_equal(face->styles[1], 1);
		if (face->pages[1] >= BSPI_FIRST_PICTURE_PAGE) pictures++;
		else assert_int_equal(face->pages[1], face->pages[0]);
		moved += face->pages[1] == face->pages[0];
	}
	assert_true(moved == 39 && pictures == 39);
	assert_int_equal(light->picture_count, 1);
	assert_true(light->pictures[0].width == 128 && light->pictures[0].height == 128);
	assert_memory_equal(light->pictures[0].rgb, l.map.lighting.data + 128 * 128 * 3, 128 * 128 * 3);
	assert_int_equal(l.ctx.warning_count, 0);
	unload(&l);
}

static void patches_that_are_triangles_too_are_hidden(void **state)
{
	loaded l;
	uint32_t hidden = 0, shown = 0;
	(void)state;
	load(&l, "atrium_patchmeta");
	for (uint32_t i = 0; i < l.map.faces_count; i++) {
		if (l.map.faces[i].kind != BSPI_FACE_PATCH) continue;
		if (l.scene.materials[bspi_face_material(&l.build, &l.map.faces[i])]->surface_kind == BSPSCENE_SURFACE_NODRAW) {
			hidden++;
		}
		else shown++;
	}
	assert_true(hidden == 10 && shown == 0);
	unload(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(styled_pages_become_slots),
		cmocka_unit_test(offsets_move_the_stored_uvs),
		cmocka_unit_test(pages_become_images),
		cmocka_unit_test(few_pages_become_images),
		cmocka_unit_test(the_atrium_is_complete),
		cmocka_unit_test(the_styled_atrium_has_slots),
		cmocka_unit_test(patches_that_are_triangles_too_are_hidden),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
