/* test_pakfile.c - the archive inside a Source map is searched before the game, is listed completely on request, and
 * does no harm if it is damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "base/text.h"
#include "support/make/build_archive.h"
#include "support/make/build_map.h"
#include "support/check/check_scene.h"

extern const bspi_family bspi_family_vbsp;
enum { PAKFILE = 40, VARIANT = 4 }; /* lump number of the pakfile; variant VBSP 20 */

/* Builds the room with this archive as its pakfile. */
static bspt_bytes build(bspi_bytes archive)
{
	const bspi_variant *variant = &bspi_family_vbsp.variants[VARIANT];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	parts.raw[PAKFILE] = archive;
	return bspt_encode_parts(variant, &parts);
}

/* A file system outside of the map. It has one material and one texture, and counts in `asked` how often other names
 * are requested. */
typedef struct outer {
	uint32_t asked;
} outer;

static const uint8_t tga[18 + 12] = { [2] = 2, [12] = 2, [14] = 2, [16] = 24 };

static bool open_outer(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	static const char vmt[] = "LightmappedGeneric { $basetexture outer/wall }";
	outer *o = user;
	(void)kind;
	o->asked++;
	*stream = (bspscene_stream){ .origin = "outer.vpk" };
	if (bspi_text_equal(path, "materials/test/wall.vmt")) {
		stream->data = vmt;
		stream->size = strlen(vmt);
	} else if (bspi_text_equal(path, "materials/outer/wall.tga")) {
		stream->data = tga;
		stream->size = sizeof tga;
	}
	return stream->data != NULL;
}

static bspscene_scene *load(bspt_bytes file, bspscene_load_options *options, outer *o)
{
	bspscene_error error;
	options->open_file = open_outer;
	options->file_user = o;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, options, &error);
	if (!scene) fail_msg("%s", error.message);
	bspt_report report = { 0 };
	bspt_check_scene(scene, options, &report);
	bspt_assert_clean(&report);
	return scene;
}

static const bspscene_image *wall_image(const bspscene_scene *scene)
{
	for (uint32_t i = 0; i < scene->material_count; i++) {
		const bspscene_material *m = scene->materials[i];
		bool is_wall = bspi_text_equal(m->name, "test/wall");
		if (is_wall && m->base_image != BSPSCENE_NO_INDEX) return scene->images[m->base_image];
	}
	fail_msg("the wall has no image");
	return NULL;
}

static const char *warning(const bspscene_scene *scene, bspscene_warning_code code)
{
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		if (scene->warnings[i]->code == code) return scene->warnings[i]->message;
	}
	return "";
}

static void files_inside_come_first(void **state)
{
	(void)state;
	static const struct { const char *vmt_name, *want_path, *want_archive; } cases[] = {
		{ "materials/test/wall.vmt", "materials/inner/wall.tga", "" },
		{ "MATERIALS\\Test\\Wall.VMT", "materials/inner/wall.tga", "" },
		{ "materials/test/other.vmt", "materials/outer/wall.tga", "outer.vpk" },
		{ "../materials/test/wall.vmt", "materials/outer/wall.tga", "outer.vpk" },
	};
	static const uint16_t methods[] = { 0, 8, 14 };
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 3; k++) {
			bspt_bytes picture = { (uint8_t *)(uintptr_t)tga, sizeof tga };
			bspt_member members[] = {
				{ .name = cases[i].vmt_name, .method = methods[k],
				  .text = "LightmappedGeneric { $basetexture inner/wall }" },
				{ .name = "materials/inner/wall.tga", .packed = picture },
			};
			bspt_bytes zip = bspt_zip(members, 2), file = build(bspi_bytes_of(zip.data, zip.size));
			bspscene_load_options options;
			outer o = { 0 };
			bspscene_load_options_init(&options);
			bspscene_scene *scene = load(file, &options, &o);
			assert_string_equal(wall_image(scene)->path, cases[i].want_path);
			assert_string_equal(wall_image(scene)->archive, cases[i].want_archive);
			assert_null(scene->pakfile);
			bspscene_scene_free(scene);
			free(zip.data);
			free(file.data);
		}
	}
}

/* Valve's end record with a comment is accepted; invalid archives are not. */
static void odd_archives(void **state)
{
	(void)state;
	static const uint8_t empty[22] = "PK\5\6";
	static const uint8_t with_comment[54] = { 'P', 'K', 5, 6, [20] = 32, [22] = 'X', 'Z', 'P', '1', ' ', '0' };
	static const uint8_t junk[] = "This is no archive at all, only text.";
	static const uint8_t cut[] = "PK\3\4 and then nothing that would be one";
	static const struct { bspi_bytes bytes; const char *words; } cases[] = {
		{ { empty, sizeof empty }, "" }, { { with_comment, sizeof with_comment }, "" }, { { junk, 3 }, "" },
		{ { junk, sizeof junk }, "pakfile: the files inside the map are left out: its files: is neither" },
		{ { cut, sizeof cut },
		  "pakfile: the files inside the map are left out: its files: the zip archive cannot be read" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes file = build(cases[i].bytes);
		bspscene_load_options options;
		outer o = { 0 };
		bspscene_load_options_init(&options);
		bspscene_scene *scene = load(file, &options, &o);
		const char *message = warning(scene, BSPSCENE_WARNING_LUMP_BAD);
		if (!*cases[i].words != !*message || !strstr(message, cases[i].words)) fail_msg("%zu: \"%s\"", i, message);
		assert_string_equal(wall_image(scene)->archive, "outer.vpk");
		bspscene_scene_free(scene);
		free(file.data);
	}
}

static void nothing_is_opened_without_textures_and_models(void **state)
{
	(void)state;
	bspt_bytes file = bspt_build_room(&bspi_family_vbsp, &bspi_family_vbsp.variants[VARIANT]);
	bspscene_load_options options;
	outer o = { 0 };
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NONE;
	options.models = BSPSCENE_MODELS_NONE;
	options.entity_source = BSPSCENE_ENTITY_SOURCE_MAP;
	bspscene_scene *scene = load(file, &options, &o);
	assert_int_equal(o.asked, 0);
	bspscene_scene_free(scene);
	free(file.data);
}

static void the_archive_is_given_out(void **state)
{
	(void)state;
	bspt_bytes zip = bspt_zip(&(bspt_member){ .name = "cfg/a.txt", .text = "hello" }, 1);
	bspt_bytes file = build(bspi_bytes_of(zip.data, zip.size));
	bspscene_load_options options;
	outer o = { 0 };
	bspscene_load_options_init(&options);
	options.keep_pakfile = true;
	bspscene_scene *scene = load(file, &options, &o);
	assert_int_equal(scene->pakfile_size, zip.size);
	assert_memory_equal(scene->pakfile, zip.data, zip.size);
	bspscene_scene_free(scene);
	free(zip.data);
	free(file.data);
}

static void a_room_of_its_own_has_all_that_it_needs(void **state)
{
	(void)state;
	bspt_bytes file = bspt_build_room(&bspi_family_vbsp, &bspi_family_vbsp.variants[VARIANT]);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	const bspscene_image *image = wall_image(scene);
	assert_int_equal(image->format, BSPSCENE_IMAGE_VTF);
	assert_string_equal(image->archive, "");
	bspscene_pixels pixels;
	assert_true(bspscene_image_decode(image, &pixels, NULL));
	assert_int_equal(pixels.data[0], 200);
	bspscene_pixels_free(&pixels);
	bspscene_scene_free(scene);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_inside_come_first),
		cmocka_unit_test(odd_archives),
		cmocka_unit_test(nothing_is_opened_without_textures_and_models),
		cmocka_unit_test(the_archive_is_given_out),
		cmocka_unit_test(a_room_of_its_own_has_all_that_it_needs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
