/* test_source_materials.c - every key of a VMT, and every flag of its textures, makes the material look as in the
 * engine: blending, light, normals, details, layers, water, tools, conditional blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/build_texture.h"
#include "support/source/source_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define WALL "base=materials/a/wall"

static void keys(void **state)
{
	(void)state;
	static const struct { const char *vmt, *want; } cases[] = {
		{ "LightmappedGeneric { $basetexture a/wall }", WALL },
		{ "\"LIGHTMAPPEDGENERIC\"\n{\n\"$BaseTexture\" \"A\\WALL\"\n}", "base=materials/A/WALL" },
		{ "X { $basetexture \"Materials/a/wall.VTF\" }", WALL },
		{ "X { $basetexture \"/a/wall\" }", WALL },
		{ "X { $basetexture a/gone }", "base=materials/a/gone.vtf?" },
		{ "X { $basetexture env_cubemap }", "" },
		{ "X { $basetexture _rt_Camera }", "" },
		{ "X { $basetexture \"../../a/wall\" }", "" },
		{ "X { }", "" },
		/* Blending */
		{ "X { $basetexture a/wall $translucent 1 }", WALL " blend" },
		{ "X { $basetexture a/wall $translucent 0 }", WALL },
		{ "X { $basetexture a/solid $translucent 1 }", "base=materials/a/solid" },
		{ "X { $basetexture a/solid $vertexalpha 1 }", "base=materials/a/solid blend" },
		{ "X { $basetexture a/wall $alphatest 1 }", WALL " mask 0.7" },
		{ "X { $basetexture a/wall $alphatest 1 $alphatestreference .25 }", WALL " mask 0.25" },
		{ "X { $basetexture a/wall $alphatest 1 $translucent 1 }", WALL " mask 0.7" },
		{ "X { $basetexture a/wall $additive 1 }", WALL " add" },
		{ "X { $basetexture a/wall $additive 1 $translucent 1 }", WALL " add by alpha" },
		{ "X { $basetexture a/wall $additive 1 $alphatest 1 }", WALL " add by alpha" },
		{ "X { $basetexture a/solid $additive 1 $vertexalpha 1 }", "base=materials/a/solid add by alpha" },
		{ "X { $basetexture a/wall $additive 1 $alpha .5 }", WALL " add by alpha opacity 0.5" },
		{ "X { $basetexture a/solid $additive 1 $translucent 1 }", "base=materials/a/solid add" },
		{ "X { $basetexture a/wall $alpha 0.5 }", WALL " blend opacity 0.5" },
		{ "X { $basetexture a/wall $alpha 7 }", WALL },
		{ "Modulate { $basetexture a/wall }", WALL " modulate unlit" },
		{ "X { $basetexture a/wall $alphatest 1 $basealphaenvmapmask 1 }", WALL },
		{ "X { $basetexture a/solid $alphatest 1 $basealphaenvmapmask 1 }", "base=materials/a/solid mask 0.7" },
		{ "X { $basetexture a/wall $alphatest 1 $selfillum 1 }", WALL " glow=materials/a/wall_glow" },
		/* Color */
		{ "X { $basetexture a/wall $color \"[.5 .25 1]\" }", WALL " color 0.50 0.25 1.00" },
		{ "X { $basetexture a/wall $color \"{255 51 0}\" }", WALL " color 1.00 0.20 0.00" },
		{ "X { $basetexture a/wall $color .5 $color2 \"[1 .5 -1]\" }", WALL " color 0.50 0.25 0.00" },
		{ "X { $basetexture a/wall $color junk }", WALL },
		/* Light */
		{ "UnlitGeneric { $basetexture a/wall }", WALL " unlit" },
		{ "SDK_UnlitGeneric { $basetexture a/wall }", WALL " unlit" },
		{ "X { $basetexture a/wall $selfillum 1 }", WALL " glow=materials/a/wall_glow" },
		{ "X { $basetexture a/solid $selfillum 1 }", "base=materials/a/solid" },
		{ "X { $basetexture a/solid $selfillum 1 $selfillummask a/bumps }",
		  "base=materials/a/solid glow=materials/a/solid_glow_by_materials/a/bumps" },
		{ "X { $basetexture a/wall $selfillum 1 $selfillummask a/gone }", WALL " glow=materials/a/wall_glow" },
		{ "X { $basetexture a/wall $selfillum 1 $selfillummask a/bumps }",
		  WALL " glow=materials/a/wall_glow_by_materials/a/bumps" },
		{ "X { $basetexture a/gone $selfillum 1 }", "base=materials/a/gone.vtf?" },
		{ "X { $basetexture a/wall $selfillum 1 $translucent 1 }", WALL " blend" },
		/* Normals; unlit materials have none */
		{ "X { $basetexture a/wall $bumpmap a/bumps }", WALL " normal=materials/a/bumps down" },
		{ "X { $basetexture a/wall $normalmap a/bumps }", WALL " normal=materials/a/bumps down" },
		{ "X { $basetexture a/wall $bumpmap a/bumps $ssbump 1 }", WALL },
		{ "X { $basetexture a/wall $bumpmap a/bumps $ssbump 0 }", WALL " normal=materials/a/bumps down" },
		{ "X { $basetexture a/wall $bumpmap a/gone }", WALL },
		{ "UnlitGeneric { $basetexture a/wall $bumpmap a/bumps }", WALL " unlit" },
		/* Other keys */
		{ "X { $basetexture a/wall $nocull 1 }", WALL " both sides" },
		{ "X { $basetexture a/wall $decal 1 }", WALL " decal" },
		{ "X { $basetexture a/wall $basetexturetransform \"center .5 .5 scale 2 4 rotate 0 translate 0 0\" }",
		  WALL " scale 2 4 offset -0.5 -1.5" },
		{ "X { $basetexture a/wall $basetexturetransform \"center 0 0 scale 1 1 rotate 0 translate .25 .75\" }",
		  WALL " offset 0.25 0.75" },
		{ "X { $basetexture a/wall $basetexturetransform \"scale 3.4e38 1 center 3.4e38 0\" }", WALL },
		{ "X { $basetexture a/wall Proxies { TextureScroll { texturescrollvar $basetexturetransform "
		  "texturescrollrate .5 texturescrollangle 90 } } }",
		  WALL " scroll -0.000 0.500" },
		{ "X { $basetexture a/wall Proxies { TextureScroll { texturescrollvar $bumptransform "
		  "texturescrollrate .5 } } }", WALL },
		/* uv' = R (uv - center) + center + translation: (0, 0) about (.5, .5) goes to (1, 0) by 90 degrees. */
		{ "X { $basetexture a/wall $basetexturetransform \"center .5 .5 scale 1 1 rotate 90 translate 0 0\" }",
		  WALL " offset 1 0 turned 1.5708" },
		{ "X { $basetexture a/wall $basetexturetransform \"center 0 0 scale 2 3 rotate -450 translate .25 0\" }",
		  WALL " scale 2 3 offset 0.25 0 turned -1.5708" },
		{ "X { $basetexture a/wall $basetexturetransform \"center 0 0 scale 1 1 rotate junk translate 0 0\" }", WALL },
		/* Detail */
		{ "X { $basetexture a/wall $detail a/bumps }", WALL " detail=materials/a/bumps 0 4 4 by 1" },
		{ "X { $basetexture a/wall $detail a/bumps $detailscale 7.5 $detailblendfactor .5 $detailblendmode 1 }",
		  WALL " detail=materials/a/bumps 1 7.5 7.5 by 0.5" },
		{ "X { $basetexture a/wall $detail a/bumps $detailscale \"[2 3]\" $detailtint \"[1 .5 .25]\" }",
		  WALL " detail=materials/a/bumps 0 2 3 by 1 tint 1 0.5 0.25" },
		{ "X { $basetexture a/wall $detail a/gone }", WALL },
		{ "X { $basetexture a/wall $detail a/bumps $detailblendmode 5 }", WALL },
		{ "X { $basetexture a/wall $detail a/bumps $detailblendmode -1 }", WALL },
		{ "X { $basetexture a/wall $detail a/bumps $detailblendmode 99999999999 }", WALL },
		{ "X { $detail a/bumps }", "" },
		/* Water */
		{ "Water { $normalmap a/bumps $fogcolor \"{0 51 102}\" }",
		  "liquid blend color 0.00 0.20 0.40 opacity 0.5 unlit" },
		{ "Water { $fogcolor \"{0 51 102}\" $forcecheap 1 }", "liquid color 0.00 0.20 0.40 unlit" },
		{ "Water { $basetexture a/wall }", "liquid " WALL " unlit" },
		{ "X { $basetexture a/wall %compilewater 1 }", "liquid " WALL },
		{ "Refract { $refracttint \"[1 .5 .5]\" }", "blend color 1.00 0.50 0.50 opacity 0.1 unlit" },
		{ "Refract { $refracttint \"[1 .5 .5]\" $refracttinttexture a/wall }",
		  WALL " modulate color 1.00 0.50 0.50 unlit" },
		{ "Refract { $refracttinttexture a/gone }", "blend color 0.00 0.00 0.00 opacity 0.5 unlit" },
		/* Tools */
		{ "X { $basetexture a/wall %compilenodraw 1 }", "tool hidden:0x2" },
		{ "X { $basetexture a/wall %compilenodraw 0 }", WALL },
		{ "X { $basetexture a/wall $no_draw 1 }", "tool hidden:0x2" },
		{ "X { $basetexture a/wall %compiletrigger 1 %compilenodraw 1 }", "tool hidden:0x20" },
		{ "X { $basetexture a/wall %compilesky 1 }",
		  "sky hidden:0x1 side=plain sky side=plain sky side=plain sky side=plain sky "
		  "side=plain sky above side=plain sky below unlit" },
		{ "X { $basetexture a/wall %playerclip 1 }", "tool hidden:0x10" },
		/* Blocks that count only for certain hardware */
		{ "X { $basetexture a/gone >=DX90 { $basetexture a/wall $nocull 1 } }", WALL " both sides" },
		{ "X { $basetexture a/wall <DX90 { $basetexture a/gone } }", WALL },
		{ "X { $basetexture a/wall X_DX8 { $basetexture a/gone } X_HDR_DX9 { $nocull 1 } }", WALL " both sides" },
		{ "X { $basetexture a/gone [$X360] $basetexture a/wall [!$X360] }", WALL },
		{ "X { hdr?$basetexture a/gone ldr?$basetexture a/wall }", WALL },
		{ "X { $basetexture a/gone ldr?$basetexture a/wall }", WALL },
		{ "X { ldr?$basetexture a/wall $basetexture a/gone }", WALL },
		{ "X { $basetexture a/wall $basetexture a/gone }", WALL },
		{ "X { $basetexture a/wall X_DX9 { $decal 1 } >=DX90 { $nocull 1 } }", WALL " both sides" },
		{ "X { $basetexture a/wall dx9 { $nocull 1 } ps3 { $decal 1 } }", WALL " both sides" },
		{ "X { gpu>=2?$basetexture a/wall gpu<2?$nocull 1 }", WALL },
		/* A surface that is not a displacement has no second texture */
		{ "WorldVertexTransition { $basetexture a/wall $basetexture2 a/bumps }", WALL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_source_file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL },
			{ "materials/a/bumps.vtf", NULL }, { "materials/a/solid.vtf", bspt_solid },
		};
		bspt_source_expect("A/b", 0, false, files, COUNT(files), cases[i].want);
	}
}

static void two_textures_on_displacements(void **state)
{
	(void)state;
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "WorldVertexTransition { $basetexture a/wall $basetexture2 a/grass }" },
		{ "materials/a/wall.vtf", NULL }, { "materials/a/grass.vtf", NULL },
	};
	bspt_source_expect("a/b", 0, true, files, COUNT(files), WALL " second=materials/a/grass");
	bspt_source_expect("a/b", 0, true, files, 2, WALL " second=materials/a/grass.vtf?");
}

static void masks_for_two_textures(void **state)
{
	(void)state;
#define BLENDED "X { $basetexture a/wall $basetexture2 a/wall $blendmodulatetexture a/mask "
	static const struct { const char *vmt; bool displaced; const char *want; } cases[] = {
		{ BLENDED "}", true, WALL " second=materials/a/wall mask=materials/a/mask 1 1 0 0" },
		{ BLENDED "$maskedblending 1 $blendmasktransform \"center 0 0 scale 2 3 rotate 0 translate .25 0\" }", true,
		  WALL " second=materials/a/wall mask=materials/a/mask 2 3 0.25 0 alone" },
		{ BLENDED "}", false, WALL },
		{ BLENDED "$selfillum 1 }", true, WALL " second=materials/a/wall glow=materials/a/wall_glow" },
		{ BLENDED "$normalmapalphaenvmapmask 1 }", true, WALL " second=materials/a/wall" },
		{ "X { $basetexture a/wall $basetexture2 a/wall $blendmodulatetexture a/gone }", true,
		  WALL " second=materials/a/wall" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_source_file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/mask.vtf", NULL },
		};
		bspt_source_expect("a/b", 0, cases[i].displaced, files, COUNT(files), cases[i].want);
	}
}

/* A flag marks detail textures that store light along three directions. With a bump map, such a detail texture changes
 * nothing visible. */
static void self_shadowing_details(void **state)
{
	(void)state;
	static const uint8_t pixels[16];
	static const struct { const char *vmt; bool shown; } cases[] = {
		{ "X { $basetexture a/wall $detail a/rough }", true },
		{ "X { $basetexture a/wall $detail a/rough $bumpmap a/bumps }", false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_vtf vtf = {
			.minor = 2, .flags = 0x8000000, .width = 2, .height = 2, .picture = pixels, .size = sizeof pixels,
		};
		bspt_bytes bytes = bspt_encode_vtf(&vtf);
		bspt_source_file files[] = { { "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL } };
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		bspt_game_add(&g, "materials/a/rough.vtf", bytes.data, bytes.size);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		assert_int_equal(m->detail_texture != NULL, cases[i].shown);
		if (cases[i].shown) assert_int_equal(m->detail_texture->mode, BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED);
		bspt_game_end(&g);
		free(bytes.data);
	}
}

#define LAYERS "base=materials/a/wall second=materials/a/grass "
#define PLAIN_LAYER " scale 1 1 luminance 0 1 share 1 blend 0 1"

/* Lightmapped_4WayBlend has the keys $basetexture and $basetexture2 to 4. Keys after a missing key are ignored. */
static void up_to_four_layers_on_displacements(void **state)
{
	(void)state;
	static const struct { const char *vmt; bool displaced; const char *want; } cases[] = {
		{ "Lightmapped_4WayBlend { $basetexture a/wall $basetexture2 a/grass $basetexture3 a/wall\n"
		  "$basetexture4 a/grass $texture1_lumstart .1 $texture1_lumend .2 $texture1_uvscale 5\n"
		  "$texture2_uvscale \"[2 4]\" $texture2_lumend .5 $texture2_blendmode 1\n"
		  "$texture3_uvscale 3 $texture3_blendstart .25 $texture3_blendend .75 $texture3_blendmode 1\n"
		  "$lumblendfactor4 .5 $texture4_blendmode 0 }", true,
		  LAYERS "layer=materials/a/wall scale 1 1 luminance 0.1 0.2 share 1 blend 0 1 "
		  "layer=materials/a/grass scale 2 4 luminance 0 0.5 share 1 blend 0 1 "
		  "layer=materials/a/wall scale 3 3 luminance 0 1 share 1 blend 0.25 0.75 doubled "
		  "layer=materials/a/grass scale 1 1 luminance 0 1 share 0.5 blend 0 1" },
		{ "sdk_Lightmapped_4WayBlend { $basetexture a/wall $basetexture2 a/grass }", true,
		  LAYERS "layer=materials/a/wall" PLAIN_LAYER " layer=materials/a/grass" PLAIN_LAYER },
		{ "Lightmapped_4WayBlend { $basetexture a/wall $basetexture2 a/grass $basetexture4 a/wall }", true,
		  LAYERS "layer=materials/a/wall" PLAIN_LAYER " layer=materials/a/grass" PLAIN_LAYER },
		{ "Lightmapped_4WayBlend { $basetexture a/wall $basetexture2 a/grass $basetexture3 a/gone }", true,
		  LAYERS "layer=materials/a/wall" PLAIN_LAYER " layer=materials/a/grass" PLAIN_LAYER
		  " layer=materials/a/gone.vtf?" PLAIN_LAYER },
		{ "Lightmapped_4WayBlend { $basetexture a/wall $basetexture3 a/grass }", true, WALL },
		{ "Lightmapped_4WayBlend { $basetexture a/wall $basetexture2 a/grass }", false, WALL },
		{ "WorldVertexTransition { $basetexture a/wall $basetexture2 a/grass $basetexture3 a/wall }", true,
		  "base=materials/a/wall second=materials/a/grass" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_source_file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/grass.vtf", NULL },
		};
		bspt_source_expect("a/b", 0, cases[i].displaced, files, COUNT(files), cases[i].want);
	}
}

static void textures_that_do_not_repeat(void **state)
{
	(void)state;
	static const uint8_t pixels[16];
	static const struct { uint32_t flags; bool clamp; } cases[] = { { 0xc, true }, { 0x4, false }, { 0x8, false } };
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_vtf vtf = {
			.minor = 2, .flags = cases[i].flags, .width = 2, .height = 2, .picture = pixels, .size = sizeof pixels,
		};
		bspt_bytes bytes = bspt_encode_vtf(&vtf);
		bspt_game g;
		bspt_source_start(&g, NULL, 0);
		bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/b}", 19);
		bspt_game_add(&g, "materials/a/b.vtf", bytes.data, bytes.size);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		assert_int_equal(bspt_game_material(&g, 0)->clamp, cases[i].clamp);
		bspt_game_end(&g);
		free(bytes.data);
	}
}

/* A flag of a bump texture tells that it stores light along three directions instead of normals. */
static void self_shadowing_bumps_are_no_normals(void **state)
{
	(void)state;
	static const uint8_t pixels[16];
	static const struct { uint32_t flags; bool normals; } cases[] = {
		{ 0x80, true }, { 0x8000000, false }, { 0x8000080, false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_vtf vtf = {
			.minor = 2, .flags = cases[i].flags, .width = 2, .height = 2, .picture = pixels, .size = sizeof pixels,
		};
		bspt_bytes bytes = bspt_encode_vtf(&vtf);
		static const bspt_source_file files[] = { { "materials/a/b.vmt", "X { $bumpmap a/bumps }" } };
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		bspt_game_add(&g, "materials/a/bumps.vtf", bytes.data, bytes.size);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		assert_int_equal(m->normal_image != BSPSCENE_NO_INDEX, cases[i].normals);
		assert_int_equal(m->normal_green_down, cases[i].normals);
		bspt_game_end(&g);
		free(bytes.data);
	}
}

static void normal_maps_can_stay_where_they_are(void **state)
{
	(void)state;
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "X { $bumpmap a/bumps }" }, { "materials/a/bumps.vtf", NULL },
	};
	bspt_game g;
	bspt_source_start(&g, files, COUNT(files));
	g.ctx.options.skip_normal_maps = true;
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_make(&g);
	assert_int_equal(bspt_game_material(&g, 0)->normal_image, BSPSCENE_NO_INDEX);
	assert_int_equal(g.scene.image_count, 0);
	bspt_game_end(&g);
}

static void what_shines_is_a_picture_of_its_own(void **state)
{
	(void)state;
	/* The picture has two texels. The first one emits half of its light, and the second one all of it. With the mask, a
	 * fifth of red and green is emitted. */
	static const uint8_t pixels[8] = { 200, 100, 0, 128, 10, 20, 30, 255 };
	static const uint8_t want[8] = { 146, 73, 0, 255, 10, 20, 30, 255 };
	static const uint8_t mask_pixels[4] = { 51, 51, 0, 0 }, want_masked[8] = { 96, 48, 0, 255, 5, 10, 0, 255 };
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 1, .picture = pixels, .size = sizeof pixels };
	bspt_vtf mask_vtf = { .minor = 2, .width = 1, .height = 1, .picture = mask_pixels, .size = sizeof mask_pixels };
	bspt_bytes wall = bspt_encode_vtf(&vtf), mask = bspt_encode_vtf(&mask_vtf);
	bspt_game g;
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "X { $basetexture a/wall $selfillum 1 $selfillumtint \"[1 .5 0]\" }" },
		{ "materials/a/c.vmt", "X { $basetexture a/wall $selfillum 1 }" },
		{ "materials/a/d.vmt", "X { $basetexture a/wall $selfillum 1 $selfillummask a/mask }" },
	};
	bspt_source_start(&g, files, COUNT(files));
	bspt_game_add(&g, "materials/a/wall.vtf", wall.data, wall.size);
	bspt_game_add(&g, "materials/a/mask.vtf", mask.data, mask.size);
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_use(&g, "a/c", 0, 0);
	bspt_game_use(&g, "a/d", 0, 0);
	bspt_game_make(&g);
	const bspscene_material *m = bspt_game_material(&g, 0), *same = bspt_game_material(&g, 1);
	const bspscene_material *masked = bspt_game_material(&g, 2);
	const bspscene_image *image = g.scene.images[m->emissive_image];
	assert_int_equal(image->size, sizeof want);
	assert_memory_equal(image->data, want, sizeof want);
	assert_float_equal(m->emission_mask->color[1], 0.5f, 1e-6f);
	assert_float_equal(m->emissive[1], 0.72974f, 1e-4f); /* the expected value, as displayed */
	assert_int_equal(same->emissive_image, m->emissive_image);
	assert_memory_equal(g.scene.images[masked->emissive_image]->data, want_masked, sizeof want_masked);
	bspt_game_end(&g);
	free(wall.data);
	free(mask.data);
}

/* Six complete faces are a cube map, if the load requests reflections; a truncated one only gives a warning. */
static void surroundings_are_six_faces(void **state)
{
	(void)state;
	enum { ENVIRONMENT = 0x4000, NO_FRAME = 0xffff, TEXEL = 4, FACES = 6 };
	static const uint8_t pixel[TEXEL] = { 1, 2, 3, 255 };
	static const struct { bool asked; uint32_t faces; bool reflects; } cases[] = {
		{ true, FACES, true }, { false, FACES, false }, { true, FACES - 1, false },
	};
	static const bspt_source_file files[] = {
		{ "materials/a/b.vmt", "LightmappedGeneric { $basetexture a/wall $envmap a/cube $fresnelreflection .5 }" },
		{ "materials/a/wall.vtf", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_vtf vtf = { .minor = 4, .width = 1, .height = 1, .flags = ENVIRONMENT, .first_frame = NO_FRAME,
		                 .picture = pixel, .size = TEXEL, .pictures_behind = TEXEL * (cases[i].faces - 1) };
		bspt_bytes cube = bspt_encode_vtf(&vtf);
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		g.ctx.options.reflections = cases[i].asked;
		bspt_game_add(&g, "materials/a/cube.vtf", cube.data, cube.size);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_reflection *reflection = bspt_game_material(&g, 0)->reflection;
		assert_int_equal(reflection != NULL, cases[i].reflects);
		assert_int_equal(g.ctx.warning_count, cases[i].faces < FACES);
		for (uint32_t face = 0; reflection && face < FACES; face++) {
			assert_int_equal(g.scene.images[g.scene.frame_images[reflection->first_frame_image + face]]->cube_face,
			                 face);
		}
		if (reflection) assert_float_equal(reflection->share, 0.5f, 1e-6f);
		bspt_game_end(&g);
		free(cube.data);
	}
}

/* Missing keys of $phong are 0; without a normal map or the base alpha as mask there is no gloss. */
static void lamps_are_thrown_back(void **state)
{
	(void)state;
	enum { NONE, HAS_GLOSS };
	static const struct { const char *keys; int has; float exponent[2], boost, middle, color; bool base; } cases[] = {
		{ "$phong 1 $bumpmap a/bumps", HAS_GLOSS, { 1, 149 }, 0, 0, 1, false },
		{ "$phong 1 $bumpmap a/bumps $phongexponent 20 $phongboost 3", HAS_GLOSS, { 20, 0 }, 3, 0, 1, false },
		{ "$phong 1 $bumpmap a/bumps $phongfresnelranges \"[0 .5 1]\" $phongtint .25", HAS_GLOSS, { 1, 149 }, 0, 0.5f,
		  0.25f, false },
		{ "$phong 1 $bumpmap a/bumps $phongexponent 20 $phongexponentfactor 9", HAS_GLOSS, { 1, 9 }, 0, 0, 1, false },
		{ "$phong 1 $basemapalphaphongmask 1", HAS_GLOSS, { 0, 0 }, 0, 0, 1, false },
		{ "$phong 1 $lightwarptexture a/solid", HAS_GLOSS, { 1, 149 }, 0, 0, 1, false },
		{ "$phong 1 $bumpmap a/bumps $phongexponenttexture a/solid $phongalbedotint 1", HAS_GLOSS, { 1, 149 }, 0, 0, 1,
		  true },
		{ "$phong 1", NONE, { 0 }, 0, 0, 0, false },
		{ "$phong 0 $bumpmap a/bumps", NONE, { 0 }, 0, 0, 0, false },
		{ "$phong 1 $bumpmap a/gone", NONE, { 0 }, 0, 0, 0, false },
	};
	for (size_t i = 0; i < 2 * COUNT(cases); i++) {
		char vmt[256];
		bool asked = i < COUNT(cases), has = asked && cases[i].has == HAS_GLOSS;
		snprintf(vmt, sizeof vmt, "VertexLitGeneric { $basetexture a/wall %s }", cases[i % COUNT(cases)].keys);
		const bspt_source_file files[] = {
			{ "materials/a/b.vmt", vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/bumps.vtf", NULL },
			{ "materials/a/solid.vtf", NULL },
		};
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		g.ctx.options.reflections = asked;
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_phong *gloss = bspt_game_material(&g, 0)->phong;
		assert_int_equal(gloss != NULL, has);
		if (gloss) {
			for (int k = 0; k < 2; k++) assert_float_equal(gloss->exponent[k], cases[i].exponent[k], 0);
			assert_float_equal(gloss->boost, cases[i].boost, 0);
			assert_float_equal(gloss->fresnel[1], cases[i].middle, 0);
			assert_float_equal(gloss->color[2], cases[i].color, 0);
			assert_int_equal(gloss->base_color, cases[i].base);
		}
		bspt_game_end(&g);
	}
}

static void water_shows_what_is_around(void **state)
{
	(void)state;
	static const struct { const char *vmt; bool shows; float green, scale; } cases[] = {
		{ "Water { $normalmap a/bumps }", true, 1, 1 },
		{ "Water { $normalmap a/bumps $reflecttint \"[1 .5 1]\" }", true, 0.2176f, 1 },
		{ "Water { $reflecttint \"[1 .5 1]\" $forcecheap 1 $bumptransform \"scale 4 2\" }", true, 0.5f, 4 },
		{ "Water { $nofresnel 1 }", false, 0, 0 }, { "Water { $basetexture a/wall }", false, 0, 0 },
		{ "X { %compilewater 1 }", false, 0, 0 },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		const bspt_source_file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/bumps.vtf", NULL },
		};
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		g.ctx.options.reflections = true;
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		assert_int_equal(m->reflection != NULL, cases[i].shows);
		if (m->reflection) {
			assert_int_equal(m->reflection->first_frame_image, BSPSCENE_NO_INDEX);
			assert_float_equal(m->reflection->share, 0, 0);
			assert_float_equal(m->reflection->color[1], cases[i].green, 1e-3f);
			assert_float_equal(m->uv_scale[0], cases[i].scale, 0);
		}
		bspt_game_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys),
		cmocka_unit_test(two_textures_on_displacements),
		cmocka_unit_test(up_to_four_layers_on_displacements),
		cmocka_unit_test(masks_for_two_textures),
		cmocka_unit_test(self_shadowing_details),
		cmocka_unit_test(textures_that_do_not_repeat),
		cmocka_unit_test(self_shadowing_bumps_are_no_normals),
		cmocka_unit_test(normal_maps_can_stay_where_they_are),
		cmocka_unit_test(what_shines_is_a_picture_of_its_own),
		cmocka_unit_test(surroundings_are_six_faces),
		cmocka_unit_test(lamps_are_thrown_back),
		cmocka_unit_test(water_shows_what_is_around),
	};
	return cmocka_run_group_tests(tests, bspt_source_make_textures, bspt_source_free_textures);
}
