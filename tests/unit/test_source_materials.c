/* test_source_materials.c - VMT files become the materials that the engine draws: patches, fallback blocks,
 * names that the compilers made, everything that a key says about a surface; and what is missing or broken
 * is named and counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "materials/vmt.h"
#include "support/build_texture.h"
#include "support/made_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MOST_FILES 12

typedef struct file {
	const char *path, *text;           /* a VTF of 2 x 2 pixels when `text` is NULL, without alpha when it is SOLID */
} file;

static const char SOLID[] = "";

/* ---- One material in words -------------------------------------------------------------------------------- */

typedef struct words {
	char text[512];
	size_t size;
} words;

static void say(words *out, const char *format, ...) BSPT_PRINTF(2, 3);
static void say(words *out, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (out->size) out->text[out->size++] = ' ';
	out->size += (size_t)vsnprintf(out->text + out->size, sizeof out->text - out->size, format, arguments);
	va_end(arguments);
}

static void say_image(words *out, const bspt_game *g, const char *what, uint32_t image)
{
	if (image == BSPSCENE_NO_INDEX) return;
	bool missing = g->scene.images[image].format == BSPSCENE_IMAGE_MISSING;
	say(out, "%s=%s%s", what, bspt_game_image(g, image), missing ? "?" : "");
}

/* All that is not as in a plain wall. */
static void describe(words *out, const bspt_game *g, const bspscene_material *m)
{
	static const char *const kinds[] = { "", "sky", "liquid", "tool", "fog", "flare", "portal" };
	static const char *const modes[] = { "", "mask", "blend", "add", "modulate" };
	if (m->kind) say(out, "%s", kinds[m->kind]);
	if (m->include) say(out, "hidden:0x%x", (unsigned)m->include);
	say_image(out, g, "base", m->base_image);
	say_image(out, g, "second", m->second_image);
	say_image(out, g, "glow", m->emissive_image);
	say_image(out, g, "normal", m->normal_image);
	if (m->normal_green_down) say(out, "down");
	for (int i = 0; i < 6; i++) say_image(out, g, "side", m->sky.box[i]);
	if (m->alpha_mode) say(out, "%s", modes[m->alpha_mode]);
	if (m->alpha_mode == BSPSCENE_ALPHA_MASK) say(out, "%g", (double)m->alpha_cutoff);
	const float *c = m->color, *s = m->uv_scale;
	if (c[0] != 1 || c[1] != 1 || c[2] != 1) say(out, "color %.2f %.2f %.2f", (double)c[0], (double)c[1], (double)c[2]);
	if (m->color[3] != 1) say(out, "opacity %g", (double)m->color[3]);
	if (m->unlit) say(out, "unlit");
	if (m->cull == BSPSCENE_CULL_NONE) say(out, "both sides");
	if (m->polygon_offset) say(out, "decal");
	if (m->clamp) say(out, "clamp");
	if (s[0] != 1 || s[1] != 1) say(out, "scale %g %g", (double)s[0], (double)s[1]);
	/* Sines of right angles are not quite 0. */
	double offset[2] = { round(m->uv_offset[0] * 1e6) / 1e6, round(m->uv_offset[1] * 1e6) / 1e6 };
	if (offset[0] != 0 || offset[1] != 0) say(out, "offset %g %g", offset[0], offset[1]);
	if (m->uv_rotation != 0) say(out, "turned %.4f", (double)m->uv_rotation);
	say_image(out, g, "mask", m->blend_image);
	if (m->blend_image != BSPSCENE_NO_INDEX) {
		const float *scale = m->blend_uv_scale, *moved = m->blend_uv_offset;
		say(out, "%g %g %g %g", (double)scale[0], (double)scale[1], (double)moved[0], (double)moved[1]);
		if (m->blend_masked) say(out, "alone");
	}
	say_image(out, g, "detail", m->detail_image);
	if (m->detail_image != BSPSCENE_NO_INDEX) {
		const float *scale = m->detail_uv_scale, *color = m->detail_color;
		say(out, "%d %g %g by %g", (int)m->detail_mode, (double)scale[0], (double)scale[1], (double)m->detail_factor);
		if (color[0] != 1 || color[1] != 1 || color[2] != 1) {
			say(out, "tint %g %g %g", (double)color[0], (double)color[1], (double)color[2]);
		}
	}
	const float *scroll = m->scroll;
	if (scroll[0] != 0 || scroll[1] != 0) say(out, "scroll %.3f %.3f", (double)scroll[0], (double)scroll[1]);
	for (uint32_t i = 0; i < m->layer_count; i++) {
		const bspscene_layer *l = &m->layers[i];
		say_image(out, g, "layer", l->image);
		say(out, "scale %g %g", (double)l->uv_scale[0], (double)l->uv_scale[1]);
		say(out, "luminance %g %g", (double)l->luminance[0], (double)l->luminance[1]);
		say(out, "share %g blend %g %g", (double)l->luminance_share, (double)l->blend[0], (double)l->blend[1]);
		if (l->doubled) say(out, "doubled");
	}
	assert_int_equal(m->stage_count, 0);
}

/* ---- A game ----------------------------------------------------------------------------------------------- */

static bspt_bytes small_texture, solid_texture;

static int make_texture(void **state)
{
	(void)state;
	static const uint8_t pixels[16];
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 2, .picture = pixels, .size = sizeof pixels };
	small_texture = bspt_encode_vtf(&vtf);
	vtf.format = 2; /* RGB888 */
	vtf.size = 12;
	solid_texture = bspt_encode_vtf(&vtf);
	return 0;
}

static int free_texture(void **state)
{
	(void)state;
	free(small_texture.data);
	free(solid_texture.data);
	return 0;
}

static void start(bspt_game *g, const file *files, size_t count)
{
	bspt_game_start(g);
	g->map.rules.materials = &bspi_material_rules_source;
	for (size_t i = 0; i < count && files[i].path; i++) {
		if (files[i].text == SOLID) bspt_game_add(g, files[i].path, solid_texture.data, solid_texture.size);
		else if (files[i].text) bspt_game_add(g, files[i].path, files[i].text, strlen(files[i].text));
		else bspt_game_add(g, files[i].path, small_texture.data, small_texture.size);
	}
}

static void expect(const char *texture, uint32_t flags, bool displaced, const file *files, size_t count,
                   const char *want)
{
	bspt_game g;
	words out = { .size = 0 };
	start(&g, files, count);
	bspt_game_use(&g, texture, flags, 0);
	if (displaced) g.faces[0].kind = BSPI_FACE_DISPLACEMENT;
	bspt_game_make(&g);
	describe(&out, &g, bspt_game_material(&g, 0));
	const char *what = files[0].text ? files[0].text : texture;
	if (strcmp(out.text, want)) fail_msg("%s:\n\"%s\" instead of\n\"%s\"", what, out.text, want);
	bspt_game_end(&g);
}

/* ---- Keys ------------------------------------------------------------------------------------------------- */

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
		{ "X { $basetexture a/wall $additive 1 $translucent 1 }", WALL " add" },
		{ "X { $basetexture a/wall $alpha 0.5 }", WALL " blend opacity 0.5" },
		{ "X { $basetexture a/wall $alpha 7 }", WALL },
		{ "Modulate { $basetexture a/wall }", WALL " modulate unlit" },
		{ "X { $basetexture a/wall $alphatest 1 $basealphaenvmapmask 1 }", WALL },
		{ "X { $basetexture a/solid $alphatest 1 $basealphaenvmapmask 1 }", "base=materials/a/solid mask 0.7" },
		{ "X { $basetexture a/wall $alphatest 1 $selfillum 1 }", WALL " glow=materials/a/wall_glow" },
		/* Colour */
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
		/* Normals, but not those of what has no light */
		{ "X { $basetexture a/wall $bumpmap a/bumps }", WALL " normal=materials/a/bumps down" },
		{ "X { $basetexture a/wall $normalmap a/bumps }", WALL " normal=materials/a/bumps down" },
		{ "X { $basetexture a/wall $bumpmap a/bumps $ssbump 1 }", WALL },
		{ "X { $basetexture a/wall $bumpmap a/bumps $ssbump 0 }", WALL " normal=materials/a/bumps down" },
		{ "X { $basetexture a/wall $bumpmap a/gone }", WALL },
		{ "UnlitGeneric { $basetexture a/wall $bumpmap a/bumps }", WALL " unlit" },
		/* The rest */
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
		{ "Water { $basetexture a/wall }", "liquid " WALL " unlit" },
		{ "X { $basetexture a/wall %compilewater 1 }", "liquid " WALL },
		{ "Refract { $refracttint \"[1 .5 .5]\" }", "blend color 1.00 0.50 0.50 opacity 0.1 unlit" },
		/* Tools */
		{ "X { $basetexture a/wall %compilenodraw 1 }", "tool hidden:0x2" },
		{ "X { $basetexture a/wall %compilenodraw 0 }", WALL },
		{ "X { $basetexture a/wall $no_draw 1 }", "tool hidden:0x2" },
		{ "X { $basetexture a/wall %compiletrigger 1 %compilenodraw 1 }", "tool hidden:0x20" },
		{ "X { $basetexture a/wall %compilesky 1 }", "sky hidden:0x1 unlit" },
		{ "X { $basetexture a/wall %playerclip 1 }", "tool hidden:0x10" },
		/* Blocks for other machines */
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
		/* No displacement: no second texture */
		{ "WorldVertexTransition { $basetexture a/wall $basetexture2 a/bumps }", WALL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL },
			{ "materials/a/bumps.vtf", NULL }, { "materials/a/solid.vtf", SOLID },
		};
		expect("A/b", 0, false, files, COUNT(files), cases[i].want);
	}
}

static void two_textures_on_displacements(void **state)
{
	(void)state;
	static const file files[] = {
		{ "materials/a/b.vmt", "WorldVertexTransition { $basetexture a/wall $basetexture2 a/grass }" },
		{ "materials/a/wall.vtf", NULL }, { "materials/a/grass.vtf", NULL },
	};
	expect("a/b", 0, true, files, COUNT(files), WALL " second=materials/a/grass");
	expect("a/b", 0, true, files, 2, WALL " second=materials/a/grass.vtf?");
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
		file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/mask.vtf", NULL },
		};
		expect("a/b", 0, cases[i].displaced, files, COUNT(files), cases[i].want);
	}
}

/* A detail texture that is light along three directions says so itself; with bumps it changes nothing that is seen. */
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
		file files[] = { { "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL } };
		bspt_game g;
		start(&g, files, COUNT(files));
		bspt_game_add(&g, "materials/a/rough.vtf", bytes.data, bytes.size);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		assert_int_equal(m->detail_image != BSPSCENE_NO_INDEX, cases[i].shown);
		if (cases[i].shown) assert_int_equal(m->detail_mode, BSPSCENE_DETAIL_MODE_SELF_SHADOWED);
		bspt_game_end(&g);
		free(bytes.data);
	}
}

#define LAYERS "base=materials/a/wall second=materials/a/grass "
#define PLAIN_LAYER " scale 1 1 luminance 0 1 share 1 blend 0 1"

/* Those of Lightmapped_4WayBlend, up to the first that has no texture. */
static void up_to_four_layers_on_displacements(void **state)
{
	(void)state;
	static const struct { const char *vmt; bool displaced; const char *want; } cases[] = {
		{ "Lightmapped_4WayBlend { $basetexture a/wall $basetexture2 a/grass $basetexture3 a/wall\n"
		  "$basetexture4 a/grass $texture1_lumstart .1 $texture1_lumend .2 $texture1_uvscale 5\n"
		  "$texture2_uvscale \"[2 4]\" $texture2_lumend .5\n"
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
		file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/grass.vtf", NULL },
		};
		expect("a/b", 0, cases[i].displaced, files, COUNT(files), cases[i].want);
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
		start(&g, NULL, 0);
		bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/b}", 19);
		bspt_game_add(&g, "materials/a/b.vtf", bytes.data, bytes.size);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		assert_int_equal(bspt_game_material(&g, 0)->clamp, cases[i].clamp);
		bspt_game_end(&g);
		free(bytes.data);
	}
}

/* The texture's own flag says too that it is light along three directions. */
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
		static const file files[] = { { "materials/a/b.vmt", "X { $bumpmap a/bumps }" } };
		bspt_game g;
		start(&g, files, COUNT(files));
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
	static const file files[] = {
		{ "materials/a/b.vmt", "X { $bumpmap a/bumps }" }, { "materials/a/bumps.vtf", NULL },
	};
	bspt_game g;
	start(&g, files, COUNT(files));
	g.ctx.options.no_normal_maps = true;
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_make(&g);
	assert_int_equal(bspt_game_material(&g, 0)->normal_image, BSPSCENE_NO_INDEX);
	assert_int_equal(g.scene.image_count, 0);
	bspt_game_end(&g);
}

static void what_shines_is_a_picture_of_its_own(void **state)
{
	(void)state;
	/* Two texels: half and all of the first and second colour shine. */
	static const uint8_t pixels[8] = { 200, 100, 0, 128, 10, 20, 30, 255 };
	static const uint8_t want[8] = { 100, 50, 0, 255, 10, 20, 30, 255 };
	static const uint8_t mask_pixels[4] = { 51, 0, 0, 0 }, want_masked[8] = { 40, 20, 0, 255, 2, 4, 6, 255 };
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 1, .picture = pixels, .size = sizeof pixels };
	bspt_vtf mask_vtf = { .minor = 2, .width = 1, .height = 1, .picture = mask_pixels, .size = sizeof mask_pixels };
	bspt_bytes wall = bspt_encode_vtf(&vtf), mask = bspt_encode_vtf(&mask_vtf);
	bspt_game g;
	static const file files[] = {
		{ "materials/a/b.vmt", "X { $basetexture a/wall $selfillum 1 $selfillumtint \"[1 .5 0]\" }" },
		{ "materials/a/c.vmt", "X { $basetexture a/wall $selfillum 1 }" },
		{ "materials/a/d.vmt", "X { $basetexture a/wall $selfillum 1 $selfillummask a/mask }" },
	};
	start(&g, files, COUNT(files));
	bspt_game_add(&g, "materials/a/wall.vtf", wall.data, wall.size);
	bspt_game_add(&g, "materials/a/mask.vtf", mask.data, mask.size);
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_use(&g, "a/c", 0, 0);
	bspt_game_use(&g, "a/d", 0, 0);
	bspt_game_make(&g);
	const bspscene_material *m = bspt_game_material(&g, 0), *same = bspt_game_material(&g, 1);
	const bspscene_material *masked = bspt_game_material(&g, 2);
	const bspscene_image *image = &g.scene.images[m->emissive_image];
	assert_int_equal(image->size, sizeof want);
	assert_memory_equal(image->data, want, sizeof want);
	assert_float_equal(m->emissive[1], 0.5f, 1e-6f);
	assert_int_equal(same->emissive_image, m->emissive_image);
	assert_memory_equal(g.scene.images[masked->emissive_image].data, want_masked, sizeof want_masked);
	bspt_game_end(&g);
	free(wall.data);
	free(mask.data);
}

/* ---- Patches and names ------------------------------------------------------------------------------------ */

static void patches(void **state)
{
	(void)state;
	static const file older = { "materials/a/older.vmt", "X { $basetexture a/gone >=DX90 { $basetexture a/wall } }" };
	static const file base = { "materials/a/base.vmt", "X { $basetexture a/wall $envmap env_cubemap }" };
	static const struct { const char *vmt, *want; } cases[] = {
		{ "patch { include \"materials/a/base.vmt\" }", WALL },
		{ "Patch { include \"Materials\\a\\base\" insert { $nocull 1 } }", WALL " both sides" },
		{ "patch { include a/base.vmt insert { $basetexture a/bumps } }", "base=materials/a/bumps" },
		{ "patch { include a/base.vmt replace { $basetexture a/bumps } }", "base=materials/a/bumps" },
		{ "patch { include a/base.vmt replace { $basetexture a/bumps } insert { $basetexture a/gone } }",
		  "base=materials/a/bumps" },
		/* Blocks for some cards are patched by themselves. */
		{ "patch { include a/older.vmt insert { $basetexture a/bumps } }", WALL },
		{ "patch { include a/older.vmt insert { >=dx90 { $basetexture a/bumps } } }", "base=materials/a/bumps" },
		{ "patch { include a/older.vmt replace { >=dx90 { $basetexture a/bumps $nocull 1 } } }",
		  "base=materials/a/bumps" },
		/* What is not there is not replaced. */
		{ "patch { include a/base.vmt replace { $nocull 1 } }", WALL },
		{ "patch { include a/base.vmt insert { Proxies { TextureScroll { texturescrollvar $basetexturetransform "
		  "texturescrollrate 2 } } } }",
		  WALL " scroll 2.000 0.000" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, base, older, { "materials/a/wall.vtf", NULL },
			{ "materials/a/bumps.vtf", NULL },
		};
		expect("a/b", 0, false, files, COUNT(files), cases[i].want);
	}
	const file nested[] = {
		{ "materials/a/b.vmt", "patch { include a/c.vmt replace { $alpha .5 } }" },
		{ "materials/a/c.vmt", "patch { include a/base.vmt insert { $alpha .25 $nocull 1 } }" },
		base, { "materials/a/wall.vtf", NULL },
	};
	expect("a/b", 0, false, nested, COUNT(nested), WALL " blend opacity 0.5 both sides");
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
	static const file files[] = {
		{ "materials/a/b.vmt", "X { $basetexture a/wall }" }, { "materials/a/wall.vtf", NULL },
		/* Never cut when the file itself is there. */
		{ "materials/maps/town/a/own_1_2_3.vmt", "X { $basetexture own }" }, { "materials/own.vtf", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_game g;
		words out = { .size = 0 };
		start(&g, files, COUNT(files));
		bspt_game_use(&g, cases[i].texture, 0, 0);
		bspt_game_make(&g);
		describe(&out, &g, bspt_game_material(&g, 0));
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
		const char *vmt, *other;       /* materials/a/b.vmt and c.vmt; NULL: not there */
		const char *want;
		bspscene_warning_code code;
		const char *words;
	} cases[] = {
		{ NULL, NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_TEXTURE_MISSING,
		  "materials/a/b.vtf: its material (VMT) is missing, and there is no picture" },
		{ "X { $basetexture a/gone }", NULL, "base=materials/a/gone.vtf?", BSPSCENE_WARNING_TEXTURE_MISSING,
		  "materials/a/gone.vtf: its texture is missing (tried vtf, tth, tga" },
		{ "patch { include a/gone.vmt }", NULL, "base=materials/a/gone.vtf?", BSPSCENE_WARNING_TEXTURE_MISSING,
		  "materials/a/gone.vtf: its material (VMT) is missing" },
		{ "patch { include a/c.vmt }", "patch { include a/b.vmt }", "base=materials/a/b.vtf?",
		  BSPSCENE_WARNING_SHADER_BAD, "go round in a circle" },
		{ "patch { }", NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_SHADER_BAD,
		  "materials/a/b.vmt: patches nothing" },
		{ "", NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_SHADER_BAD,
		  "materials/a/b.vmt: there is no material in it" },
		{ "patch { include ../../b.vmt }", NULL, "base=materials/a/b.vtf?", BSPSCENE_WARNING_NAME_UNSAFE,
		  "not a path inside the game" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_game g;
		words out = { .size = 0 };
		start(&g, NULL, 0);
		if (cases[i].vmt) bspt_game_add(&g, "materials/a/b.vmt", cases[i].vmt, strlen(cases[i].vmt));
		if (cases[i].other) bspt_game_add(&g, "materials/a/c.vmt", cases[i].other, strlen(cases[i].other));
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const char *message = bspt_game_warning(&g, cases[i].code, NULL);
		if (!strstr(message, cases[i].words)) fail_msg("%zu: \"%s\" instead of \"%s\"", i, message, cases[i].words);
		describe(&out, &g, bspt_game_material(&g, 0));
		if (strncmp(out.text, "base=materials/", 15) || out.text[out.size - 1] != '?') fail_msg("%zu: %s", i, out.text);
		bspt_game_end(&g);
	}
}

static void flags_count_without_a_material(void **state)
{
	(void)state;
	static const file picture[] = { { "materials/a/b.vtf", NULL } };
	expect("a/b", 0, false, picture, 1, "base=materials/a/b");
	expect("a/b", 0x10, false, picture, 1, "base=materials/a/b blend");
	expect("a/b", 0x8, false, picture, 1, "liquid base=materials/a/b");
	expect("a/b", 0x80, false, picture, 1, "tool hidden:0x2");
}

static void pictures_of_other_formats_stand_in(void **state)
{
	(void)state;
	bspt_game g;
	start(&g, NULL, 0);
	bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/wall}", 22);
	bspt_game_picture(&g, "materials/a/wall.tga");
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_make(&g);
	uint32_t image = bspt_game_material(&g, 0)->base_image;
	assert_int_equal(g.scene.images[image].format, BSPSCENE_IMAGE_TGA);
	bspt_game_end(&g);
}

static void the_text_and_its_file_are_kept(void **state)
{
	(void)state;
	static const file files[] = {
		{ "materials/a/b.vmt", "patch { include a/c.vmt }" }, { "materials/a/c.vmt", "X { $surfaceprop dirt }" },
	};
	bspt_game g;
	start(&g, files, COUNT(files));
	bspt_game_use(&g, "a/b", 0, 0);
	bspt_game_make(&g);
	assert_string_equal(bspt_game_material(&g, 0)->source_file, "materials/a/c.vmt");
	assert_string_equal(bspt_game_material(&g, 0)->source_text, files[1].text);
	bspt_game_end(&g);
}

/* ---- Textures in two parts -------------------------------------------------------------------------------- */

static void put_u32(uint8_t *p, size_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* The first `head_size` bytes of a texture behind the table of `levels`, the rest deflated. */
static size_t split_texture(uint8_t *tth, uint8_t *ttz, size_t *ttz_size, uint8_t levels, size_t head_size)
{
	size_t at = 12 + 8u * levels;
	memset(tth, 0, at);
	memcpy(tth, "TTH\0\1\0", 6);
	tth[6] = levels;
	put_u32(tth + 8, head_size);
	put_u32(tth + at, small_texture.size);
	memcpy(tth + at + 8, small_texture.data, head_size);
	uLongf size = 256;
	compress(ttz, &size, small_texture.data + head_size, small_texture.size - head_size);
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
		{ 64, 1, 0, "is no TTH file, or is cut off" },
		{ 64, 70, 0, "is no TTH file, or is cut off" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t tth[512], ttz[256];
		size_t ttz_size, size = split_texture(tth, ttz, &ttz_size, 3, cases[i].head) - cases[i].cut_head;
		bspt_game g;
		start(&g, NULL, 0);
		bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/wall}", 22);
		bspt_game_add(&g, "materials/a/wall.tth", tth, size);
		if (cases[i].cut_rest < ttz_size) bspt_game_add(&g, "materials/a/wall.ttz", ttz, ttz_size - cases[i].cut_rest);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_image *image = &g.scene.images[bspt_game_material(&g, 0)->base_image];
		const char *message = bspt_game_warning(&g, BSPSCENE_WARNING_IMAGE_BAD, NULL);
		if (*cases[i].words) {
			assert_int_equal(image->format, BSPSCENE_IMAGE_MISSING);
			if (!strstr(message, cases[i].words)) fail_msg("%zu: \"%s\" instead of \"%s\"", i, message, cases[i].words);
		} else {
			assert_string_equal(message, "");
			assert_int_equal(image->format, BSPSCENE_IMAGE_VTF);
			assert_string_equal(image->path, "materials/a/wall.tth");
			assert_int_equal(image->size, small_texture.size);
			assert_memory_equal(image->data, small_texture.data, small_texture.size);
		}
		bspt_game_end(&g);
	}
}

/* ---- Sky -------------------------------------------------------------------------------------------------- */

static const bspscene_pair sky_pairs[] = { { "classname", "worldspawn" }, { "skyname", "Sky_Day" } };
static const bspscene_entity sky_entity = { .classname = "worldspawn", .targetname = "", .pair_count = 2 };

static void use_sky(bspt_game *g)
{
	g->scene.entities = &sky_entity;
	g->scene.entity_count = 1;
	g->scene.pairs = sky_pairs;
	g->scene.pair_count = 2;
	bspt_game_use(g, "tools/toolsskybox", 0x4, 0);
	bspt_game_make(g);
}

static void skies(void **state)
{
	(void)state;
	static const file files[] = {
		{ "materials/skybox/sky_dayrt.vmt", "sky { $basetexture skybox/other }" },
		{ "materials/skybox/other.vtf", NULL },
		{ "materials/skybox/sky_daybk.vmt", "UnlitGeneric { $hdrbasetexture skybox/bright }" },
		{ "materials/skybox/bright.vtf", NULL },
		{ "materials/skybox/sky_daylf.vtf", NULL },
		{ "materials/skybox/sky_dayup.vmt", "sky { $basetexture skybox/gone }" },
	};
	bspt_game g;
	start(&g, files, COUNT(files));
	use_sky(&g);
	const bspscene_sky *sky = &bspt_game_material(&g, 0)->sky;
	assert_string_equal(sky->name, "skybox/Sky_Day");
	static const char *const want[6] = {
		"materials/skybox/other", "materials/skybox/bright", "materials/skybox/Sky_Daylf", "", "", "",
	};
	for (int i = 0; i < 6; i++) assert_string_equal(bspt_game_image(&g, sky->box[i]), want[i]);
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_FILE_MISSING, NULL), "");
	bspt_game_end(&g);

	start(&g, NULL, 0);
	use_sky(&g);
	const char *missing = bspt_game_warning(&g, BSPSCENE_WARNING_FILE_MISSING, NULL);
	assert_non_null(strstr(missing, "materials/skybox/Sky_Day with rt, bk"));
	bspt_game_end(&g);
}

/* Linear light is colour * alpha * 8: 255 * 32 is just beyond white, 128 * 16 a quarter of it. */
static void packed_light_of_skies(void **state)
{
	(void)state;
	static const uint8_t pixels[8] = { 255, 128, 0, 32, 128, 255, 255, 16 };
	static const uint8_t want[8] = { 255, 187, 0, 255, 136, 186, 186, 255 };
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 1, .picture = pixels, .size = sizeof pixels };
	bspt_bytes packed = bspt_encode_vtf(&vtf);
	static const file files[] = {
		{ "materials/skybox/sky_dayrt.vmt", "sky { $hdrcompressedtexture skybox/packed }" },
		{ "materials/skybox/sky_daybk.vmt", "sky { $basetexture skybox/gone $hdrcompressedtexture skybox/packed }" },
		{ "materials/skybox/sky_daylf.vmt", "sky { $hdrcompressedtexture skybox/packed $basetexture skybox/plain }" },
		{ "materials/skybox/plain.vtf", NULL },
	};
	bspt_game g;
	start(&g, files, COUNT(files));
	bspt_game_add(&g, "materials/skybox/packed.vtf", packed.data, packed.size);
	use_sky(&g);
	const bspscene_sky *sky = &bspt_game_material(&g, 0)->sky;
	const bspscene_image *image = &g.scene.images[sky->box[0]];
	assert_int_equal(image->format, BSPSCENE_IMAGE_RGBA);
	assert_int_equal(image->size, sizeof want);
	assert_memory_equal(image->data, want, sizeof want);
	assert_int_equal(sky->box[1], sky->box[0]);
	assert_string_equal(bspt_game_image(&g, sky->box[2]), "materials/skybox/plain");
	bspt_game_end(&g);
	free(packed.data);
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
		cmocka_unit_test(patches),
		cmocka_unit_test(names_that_compilers_made),
		cmocka_unit_test(trouble_is_named),
		cmocka_unit_test(flags_count_without_a_material),
		cmocka_unit_test(pictures_of_other_formats_stand_in),
		cmocka_unit_test(the_text_and_its_file_are_kept),
		cmocka_unit_test(textures_in_two_parts),
		cmocka_unit_test(skies),
		cmocka_unit_test(packed_light_of_skies),
	};
	return cmocka_run_group_tests(tests, make_texture, free_texture);
}
