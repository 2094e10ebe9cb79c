/* test_source_material_files.c - the name of a texture leads to its material and pictures, through patches, names made
 * by compilers, other formats and textures in two parts. Missing and invalid files are named and counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include <bspscene/material.h>

#include "support/source/source_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define WALL "base=materials/a/wall"

/* ---- Patches and names ------------------------------------------------------------------------------------ */

static void patches(void **state)
{
	(void)state;
	static const bspt_source_file older = {
		"materials/a/older.vmt", "X { $basetexture a/gone >=DX90 { $basetexture a/wall } }",
	};
	static const bspt_source_file base = { "materials/a/base.vmt", "X { $basetexture a/wall $envmap env_cubemap }" };
	static const struct { const char *vmt, *want; } cases[] = {
		{ "patch { include \"materials/a/base.vmt\" }", WALL },
		{ "Patch { include \"Materials\\a\\base\" insert { $nocull 1 } }", WALL " both sides" },
		{ "patch { include a/base.vmt insert { $basetexture a/bumps } }", "base=materials/a/bumps" },
		{ "patch { include a/base.vmt replace { $basetexture a/bumps } }", "base=materials/a/bumps" },
		{ "patch { include a/base.vmt replace { $basetexture a/bumps } insert { $basetexture a/gone } }",
		  "base=materials/a/bumps" },
		/* A block for a DirectX level is patched only by the block of that level in the patch. */
		{ "patch { include a/older.vmt insert { $basetexture a/bumps } }", WALL },
		{ "patch { include a/older.vmt insert { >=dx90 { $basetexture a/bumps } } }", "base=materials/a/bumps" },
		{ "patch { include a/older.vmt replace { >=dx90 { $basetexture a/bumps $nocull 1 } } }",
		  "base=materials/a/bumps" },
		/* A patch replaces only keys that exist. */
		{ "patch { include a/base.vmt replace { $nocull 1 } }", WALL },
		{ "patch { include a/base.vmt insert { Proxies { TextureScroll { texturescrollvar $basetexturetransform "
		  "texturescrollrate 2 } } } }",
		  WALL " scroll 2.000 0.000" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_source_file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, base, older, { "materials/a/wall.vtf", NULL },
			{ "materials/a/bumps.vtf", NULL },
		};
		bspt_source_expect("a/b", 0, false, files, COUNT(files), cases[i].want);
	}
	const bspt_source_file nested[] = {
		{ "materials/a/b.vmt", "patch { include a/c.vmt replace { $alpha .5 } }" },
		{ "materials/a/c.vmt", "patch { include a/base.vmt insert { $alpha .25 $nocull 1 } }" },
		base, { "materials/a/wall.vtf", NULL },
	};
	bspt_source_expect("a/b", 0, false, nested, COUNT(nested), WALL " blend opacity 0.5 both sides");
}

static void names_that_compilers_made(void **state)
{
	(void)state;
	static const struct { const char *texture, *want; } cases[] = {
		{ "maps/town/a/b_12_-34_56", WALL },
		{ "maps/town/A/B_0_0_0", WALL },
		{ "maps/town/a/b_wvt_patch", WALL },
		{ "maps/town/a/b_depth_12", WALL },
		{ "maps/town/A/B_DEPTH_12", WALL }, { "maps/town/A/B_WVT_PATCH", WALL },
		{ "maps/town/a/b_depth_12_1_2_3", WALL },
		{ "maps/town/a/b_wvt_patch_1_2_-3", WALL },
		{ "maps/town/a/b", "base=materials/maps/town/a/b.vtf?" },
		{ "maps/town/a/own_1_2_3", "base=materials/own" },
		{ "a/b_1_2_3", "base=materials/a/b_1_2_3.vtf?" },
		{ "maps/x", "base=materials/maps/x.vtf?" },
		{ "maps/town/_1_2_3", "base=materials/maps/town/_1_2_3.vtf?" },
	};
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "X { $basetexture a/wall }" }, { "materials/a/wall.vtf", NULL },
		/* This name is not shortened, because a file with the full name exists. */
		{ "materials/maps/town/a/own_1_2_3.vmt", "X { $basetexture own }" }, { "materials/own.vtf", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_game g;
		bspt_words out = { .size = 0 };
		bspt_source_start(&g, files, COUNT(files));
		bspt_game_use(&g, cases[i].texture, 0, 0);
		bspt_game_make(&g);
		bspt_source_describe(&out, &g, bspt_game_material(&g, 0));
		const char *want = cases[i].want;
		if (strcmp(out.text, want)) fail_msg("%s: \"%s\" instead of \"%s\"", cases[i].texture, out.text, want);
		bspt_game_end(&g);
	}
}

/* ---- What is missing or broken ---------------------------------------------------------------------------- */

static void trouble_is_named(void **state)
{
	(void)state;
	static const struct {
		const char *vmt, *other;       /* texts of materials/a/b.vmt and c.vmt, NULL if missing */
		const char *want;
		bspscene_warning_code code;
		const char *words;
	} cases[] = {
		{ NULL, NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_TEXTURE_MISSING,
		  "materials/a/b.vtf: neither the material's .vmt nor a picture" },
		{ "X { $basetexture a/gone }", NULL, "base=materials/a/gone.vtf?", BSPSCENE_WARNING_TEXTURE_MISSING,
		  "materials/a/gone.vtf: its texture is missing (tried vtf, tth, tga" },
		{ "patch { include a/gone.vmt }", NULL, "base=materials/a/gone.vtf?", BSPSCENE_WARNING_TEXTURE_MISSING,
		  "materials/a/gone.vtf: neither the material's .vmt nor a picture" },
		{ "patch { include a/c.vmt }", "patch { include a/b.vmt }", "base=materials/a/b.vtf?",
		  BSPSCENE_WARNING_SHADER_BAD, "include each other in a circle" },
		{ "patch { }", NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_SHADER_BAD,
		  "materials/a/b.vmt: is a patch without an include" },
		{ "", NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_SHADER_BAD,
		  "materials/a/b.vmt: it is not a material (VMT), or is damaged" },
		{ "patch { include ../../b.vmt }", NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_NAME_UNSAFE,
		  "not a path inside the game" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_game g;
		bspt_words out = { .size = 0 };
		bspt_source_start(&g, NULL, 0);
		if (cases[i].vmt) bspt_game_add(&g, "materials/a/b.vmt", cases[i].vmt, strlen(cases[i].vmt));
		if (cases[i].other) bspt_game_add(&g, "materials/a/c.vmt", cases[i].other, strlen(cases[i].other));
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const char *message = bspt_game_warning(&g, cases[i].code, NULL);
		if (!strstr(message, cases[i].words)) fail_msg("%zu: \"%s\" instead of \"%s\"", i, message, cases[i].words);
		bspt_source_describe(&out, &g, bspt_game_material(&g, 0));
		if (strncmp(out.text, "base=materials/", 15) || out.text[out.size - 1] != '?') fail_msg("%zu: %s", i, out.text);
		bspt_game_end(&g);
	}
}

static void flags_count_without_a_material(void **state)
{
	(void)state;
	static const bspt_source_file picture[] = { { "materials/a/b.vtf", NULL } };
	static const bspt_source_file other[] = { { "materials/a/other.vtf", NULL } };
	bspt_source_expect("a/b", 0, false, picture, 1, "base=materials/a/b");
	bspt_source_expect("a/b", 0x10, false, picture, 1, "base=materials/a/b blend");
	/* The picture is missing. The surface is still translucent, by its surface flag. */
	bspt_source_expect("a/b", 0x10, false, other, 1, "base=materials/a/b.vtf? blend opacity 0.5");
	bspt_source_expect("a/b", 0, false, other, 1, "base=materials/a/b.vtf?");
	bspt_source_expect("a/b", 0x8, false, picture, 1, "liquid base=materials/a/b");
	bspt_source_expect("a/b", 0x80, false, picture, 1, "tool hidden:0x2");
}

static void pictures_of_other_formats_stand_in(void **state)
{
	(void)state;
	bspt_game g;
	bspt_source_start(&g, NULL, 0);
	bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/wall}", 22);
	bspt_game_picture(&g, "materials/a/wall.tga");
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_make(&g);
	uint32_t image = bspt_game_material(&g, 0)->base_image;
	assert_int_equal(g.scene.images[image]->format, BSPSCENE_IMAGE_TGA);
	bspt_game_end(&g);
}

static void the_text_and_its_file_are_kept(void **state)
{
	(void)state;
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "patch { include a/c.vmt }" }, { "materials/a/c.vmt", "X { $surfaceprop dirt }" },
	};
	bspt_game g;
	bspt_source_start(&g, files, COUNT(files));
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_make(&g);
	assert_string_equal(bspt_game_material(&g, 0)->script_file, "materials/a/c.vmt");
	assert_string_equal(bspt_game_material(&g, 0)->script_text, files[1].text);
	bspt_game_end(&g);
}

/* ---- Textures in two parts -------------------------------------------------------------------------------- */

static void put_u32(uint8_t *p, size_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* Splits a texture: the TTH has the table of `levels` and the first `head_size` bytes, the TTZ has the rest,
 * deflated. */
static size_t split_texture(uint8_t *tth, uint8_t *ttz, size_t *ttz_size, uint8_t levels, size_t head_size)
{
	bspt_bytes whole = bspt_source_texture();
	size_t at = 12 + 8u * levels;
	memset(tth, 0, at);
	memcpy(tth, "TTH\0\1\0", 6);
	tth[6] = levels;
	put_u32(tth + 8, head_size);
	put_u32(tth + at, whole.size);
	memcpy(tth + at + 8, whole.data, head_size);
	uLongf size = 256;
	compress(ttz, &size, whole.data + head_size, whole.size - head_size);
	put_u32(tth + at + 4, size);
	*ttz_size = size;
	return at + 8 + head_size;
}

static void textures_in_two_parts(void **state)
{
	(void)state;
	static const struct { size_t head, cut_head, cut_rest; const char *words; } cases[] = {
		{ 64, 0, 0, "" },
		{ 80, 0, 0, "" },
		{ 64, 0, 1, "the .ttz file is damaged" },
		{ 64, 0, 1000, "the .ttz file that belongs to it is missing" },
		{ 64, 1, 0, "is not a TTH file, or is cut off" },
		{ 64, 70, 0, "is not a TTH file, or is cut off" },
	};
	bspt_bytes whole = bspt_source_texture();
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t tth[512], ttz[256];
		size_t ttz_size, size = split_texture(tth, ttz, &ttz_size, 3, cases[i].head) - cases[i].cut_head;
		bspt_game g;
		bspt_source_start(&g, NULL, 0);
		bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/wall}", 22);
		bspt_game_add(&g, "materials/a/wall.tth", tth, size);
		if (cases[i].cut_rest < ttz_size) bspt_game_add(&g, "materials/a/wall.ttz", ttz, ttz_size - cases[i].cut_rest);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_image *image = g.scene.images[bspt_game_material(&g, 0)->base_image];
		const char *message = bspt_game_warning(&g, BSPSCENE_WARNING_IMAGE_BAD, NULL);
		if (*cases[i].words) {
			assert_int_equal(image->format, BSPSCENE_IMAGE_MISSING);
			if (!strstr(message, cases[i].words)) fail_msg("%zu: \"%s\" instead of \"%s\"", i, message, cases[i].words);
		} else {
			assert_string_equal(message, "");
			assert_int_equal(image->format, BSPSCENE_IMAGE_VTF);
			assert_string_equal(image->path, "materials/a/wall.tth");
			assert_int_equal(image->size, whole.size);
			assert_memory_equal(image->data, whole.data, whole.size);
		}
		bspt_game_end(&g);
	}
}

/* The last part of a name, or the compiler's flags, tell that a texture is a tool. Of several flags, those for
 * invisible surfaces come first. */
static void tools_are_told_by_flags_and_last_names(void **state)
{
	enum { SKY = 0x4, TRIGGER = 0x40, NODRAW = 0x80, HINT = 0x100, SKIP = 0x200 };
	static const struct {
		const char *name;
		uint32_t flags;
		bspscene_surface_kind want;
	} cases[] = {
		{ "a/wall", 0, BSPSCENE_SURFACE_VISIBLE },
		{ "a/wall", NODRAW | HINT, BSPSCENE_SURFACE_NODRAW },
		{ "a/wall", HINT | SKIP, BSPSCENE_SURFACE_HINT },
		{ "a/wall", SKIP | TRIGGER, BSPSCENE_SURFACE_SKIP },
		{ "a/wall", TRIGGER, BSPSCENE_SURFACE_TRIGGER },
		{ "tools/toolstrigger", 0, BSPSCENE_SURFACE_TRIGGER },
		{ "maps/room/tools/toolsclip_wood_1_2_3", 0, BSPSCENE_SURFACE_CLIP },
		{ "tools/toolsskyfog", 0, BSPSCENE_SURFACE_TOOL },
		{ "tools/toolsblack", 0, BSPSCENE_SURFACE_VISIBLE },
		{ "tools/trigger", 0, BSPSCENE_SURFACE_TRIGGER },
		{ "mod/tools/trigger_red", 0, BSPSCENE_SURFACE_TRIGGER },
		{ "a/trigger_red", 0, BSPSCENE_SURFACE_VISIBLE },
		{ "toolstrigger/wall", 0, BSPSCENE_SURFACE_VISIBLE },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_game g;
		bspt_source_start(&g, NULL, 0);
		bspt_game_use(&g, cases[i].name, cases[i].flags, 0);
		bspt_game_make(&g);
		bspscene_surface_kind got = bspt_game_material(&g, 0)->surface_kind;
		if (got != cases[i].want) fail_msg("%s with flags %x: %d", cases[i].name, cases[i].flags, (int)got);
		bspt_game_end(&g);
	}
}

/* Texture coordinates are divided by the texture's size in the map, if the map states it. Otherwise they are divided by
 * the size of the picture. */
static void sizes_are_the_maps(void **state)
{
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "X { $basetexture a/wall }" },
		{ "materials/a/wall.vtf", NULL },
	};
	(void)state;
	for (uint32_t side = 0; side <= 640; side += 640) {
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		bspt_game_use(&g, "a/b", 0, 0);
		g.textures[0].width = side;
		g.textures[0].height = side / 2;
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		const bspscene_image *image = g.scene.images[m->base_image];
		assert_true(image->width && image->height);
		assert_int_equal(m->width, side ? side : image->width);
		assert_int_equal(m->height, side ? side / 2 : image->height);
		bspt_game_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patches),
		cmocka_unit_test(names_that_compilers_made),
		cmocka_unit_test(trouble_is_named),
		cmocka_unit_test(flags_count_without_a_material),
		cmocka_unit_test(pictures_of_other_formats_stand_in),
		cmocka_unit_test(the_text_and_its_file_are_kept),
		cmocka_unit_test(textures_in_two_parts),
		cmocka_unit_test(tools_are_told_by_flags_and_last_names),
		cmocka_unit_test(sizes_are_the_maps),
	};
	return cmocka_run_group_tests(tests, bspt_source_make_textures, bspt_source_free_textures);
}
