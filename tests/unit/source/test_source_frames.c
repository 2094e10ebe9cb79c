/* test_source_frames.c - a material shows the frame of a texture that $frame selects, or animates the frames by a
 * proxy. Headers that claim too many frames are counted, and only complete frames are used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/build_texture.h"
#include "support/source/source_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PLAY "AnimatedTexture { animatedTextureVar $basetexture animatedTextureFrameNumVar $frame "
#define BUMPS "AnimatedTexture { animatedTextureVar $bumpmap animatedTextureFrameNumVar $bumpframe "

/* Makes a texture with `there` frames of one RGBA pixel, whose header claims `claimed` frames. The red value is 10 plus
 * the number of the frame, and half of the light is emitted. */
static bspt_bytes make_texture(uint32_t there, uint32_t claimed)
{
	uint8_t *pixels = malloc((size_t)4 * there);
	for (uint32_t i = 0; i < there; i++) {
		const uint8_t pixel[4] = { (uint8_t)(10 + i), 0, 0, 128 };
		memcpy(pixels + (size_t)4 * i, pixel, sizeof pixel);
	}
	bspt_vtf vtf = {
		.minor = 2, .width = 1, .height = 1, .frames = claimed, .picture = pixels, .size = (size_t)4 * there
	};
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	free(pixels);
	return bytes;
}

/* Makes a game with materials a/0, a/1 and so on, which use that texture. */
static void make_game(bspt_game *g, bspt_bytes texture, const char *const *vmts, uint32_t count)
{
	static char paths[BSPT_GAME_TEXTURES][32], names[BSPT_GAME_TEXTURES][16];
	bspt_source_start(g, NULL, 0);
	bspt_game_add(g, "materials/screen.vtf", texture.data, texture.size);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(paths[i], sizeof paths[i], "materials/a/%u.vmt", (unsigned)i);
		snprintf(names[i], sizeof names[i], "a/%u", (unsigned)i);
		bspt_game_add(g, paths[i], vmts[i], strlen(vmts[i]));
		bspt_game_use(g, names[i], 0, 0);
	}
	bspt_game_make(g);
}

static unsigned red_of(const bspt_game *g, uint32_t image)
{
	bspscene_pixels pixels;
	assert_true(bspscene_image_decode(g->scene.images[image], &pixels, NULL));
	unsigned red = pixels.data[0];
	bspscene_pixels_free(&pixels);
	return red;
}

/* ---- What is shown ---------------------------------------------------------------------------------------- */

/* A proxy that animates the bump map does not animate the base texture. If a second proxy animates the base texture,
 * the base texture is animated. */
static void materials_say_which_frames(void **state)
{
	(void)state;
	static const struct {
		const char *vmt;
		unsigned red; /* red value of the base image */
		uint32_t plays; /* number of frames in the animation, 0 for none */
		float rate;
		bool once;
	} cases[] = {
		{ "X { $basetexture screen }", 10, 0, 0, false },
		{ "X { $basetexture screen $frame 2 }", 12, 0, 0, false },
		{ "X { $basetexture screen $frame 1.9 }", 11, 0, 0, false },
		{ "X { $basetexture screen $frame 3 }", 10, 0, 0, false },
		{ "X { $basetexture screen $frame -1 }", 10, 0, 0, false },
		{ "X { $basetexture screen Proxies { " PLAY "animatedTextureFrameRate 4 } } }", 10, 3, 4, false },
		{ "X { $basetexture screen $frame 2 Proxies { " PLAY "} } }", 10, 3, 15, false },
		{ "X { $basetexture screen Proxies { " PLAY "animationNoWrap 1 } } }", 10, 3, 15, true },
		{ "X { $basetexture screen Proxies { " PLAY "animatedTextureFrameRate 0 } } }", 10, 0, 0, false },
		{ "X { $basetexture screen Proxies { " PLAY "animatedTextureFrameRate -3 } } }", 10, 0, 0, false },
		{ "X { $basetexture screen Proxies { AnimatedOffsetTexture { animatedtexturevar $basetexture "
		  "animatedtextureframenumvar $frame animatedtextureframerate 2 } } }",
		  10, 3, 2, false },
		{ "X { $basetexture screen $frame 1 Proxies { " BUMPS "animatedTextureFrameRate 4 } } }", 11, 0, 0, false },
		{ "X { $basetexture screen Proxies { " BUMPS "animatedTextureFrameRate 4 } " PLAY
		  "animatedTextureFrameRate 8 } } }",
		  10, 3, 8, false },
		{ "X { $basetexture screen Proxies { AnimatedTexture { animatedTextureVar $basetexture "
		  "animatedTextureFrameNumVar $other } } }",
		  10, 0, 0, false },
	};
	bspt_bytes texture = make_texture(3, 3);
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_game g;
		make_game(&g, texture, &cases[i].vmt, 1);
		const bspscene_material *m = bspt_game_material(&g, 0);
		const bspscene_animation *played = m->animation;
		unsigned red = red_of(&g, m->base_image);
		if (red != cases[i].red) fail_msg("%s: red %u instead of %u", cases[i].vmt, red, cases[i].red);
		uint32_t plays = played ? played->frame_image_count : 0;
		if (plays != cases[i].plays) fail_msg("%s: %u frames instead of %u", cases[i].vmt, plays, cases[i].plays);
		for (uint32_t k = 0; k < cases[i].plays; k++) {
			assert_int_equal(red_of(&g, g.scene.frame_images[played->first_frame_image + k]), 10 + k);
		}
		if (played) {
			assert_true(played->frames_per_second == cases[i].rate && played->once == cases[i].once);
			assert_int_equal(played->first_emissive_image, BSPSCENE_NO_INDEX);
			assert_int_equal(g.scene.frame_images[played->first_frame_image], m->base_image);
		}
		assert_int_equal(g.scene.warning_count, 0);
		assert_int_equal(g.scene.counts->textures_found, 1);
		bspt_game_end(&g);
	}
	free(texture.data);
}

static void what_shines_plays_too(void **state)
{
	const float half = 0.73104f; /* half of the linear light, as displayed */
	(void)state;
	static const char *const vmts[] = { "X { $basetexture screen $selfillum 1 Proxies { " PLAY "} } }" };
	bspt_bytes texture = make_texture(3, 3);
	bspt_game g;
	make_game(&g, texture, vmts, 1);
	const bspscene_animation *played = bspt_game_material(&g, 0)->animation;
	assert_int_equal(g.scene.frame_images[played->first_emissive_image], bspt_game_material(&g, 0)->emissive_image);
	for (uint32_t k = 0; k < 3; k++) {
		assert_int_equal(red_of(&g, g.scene.frame_images[played->first_emissive_image + k]),
		                 (uint32_t)((float)(10 + k) * half + 0.5f));
	}
	bspt_game_end(&g);
	free(texture.data);
}

/* Each frame is one image, which shares the file's bytes and has its own name. */
static void frames_are_shared(void **state)
{
	(void)state;
	static const char *const vmts[] = {
		"X { $basetexture screen Proxies { " PLAY "} } }",
		"X { $basetexture screen Proxies { " PLAY "} } $nocull 1 }",
		"X { $basetexture screen $frame 1 }",
	};
	bspt_bytes texture = make_texture(3, 3);
	bspt_game g;
	make_game(&g, texture, vmts, COUNT(vmts));
	assert_int_equal(g.scene.image_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(g.scene.images[i]->frame, i);
		assert_ptr_equal(g.scene.images[i]->data, g.scene.images[0]->data);
	}
	assert_string_equal(g.scene.images[0]->name, "materials/screen");
	assert_string_equal(g.scene.images[2]->name, "materials/screen_frame2");
	assert_int_equal(bspt_game_material(&g, 2)->base_image, 1);
	bspt_game_end(&g);
	free(texture.data);
}

/* ---- Lies ------------------------------------------------------------------------------------------------- */

static void promises_are_counted(void **state)
{
	(void)state;
	static const struct {
		uint32_t there, claimed, plays;
		bspscene_warning_code code;
		const char *words;
	} cases[] = {
		{ 17000, 65535, 64, BSPSCENE_WARNING_LIMIT,
		  "materials/screen.vtf: it has 65535 frames; the first 64 are shown" },
		{ 64, 64, 64, BSPSCENE_WARNING_LIMIT, "" },
		{ 65, 65, 64, BSPSCENE_WARNING_LIMIT, "it has 65 frames; the first 64 are shown" },
		{ 5, 9, 5, BSPSCENE_WARNING_IMAGE_BAD, "materials/screen.vtf: it should have 9 frames, but 5 are in the file" },
		{ 1, 9, 0, BSPSCENE_WARNING_IMAGE_BAD, "it should have 9 frames, but 1 are in the file" },
		{ 5, 65535, 0, BSPSCENE_WARNING_IMAGE_BAD, "the file ends before its largest mip level" },
	};
	static const char *const vmts[] = { "X { $basetexture screen Proxies { " PLAY "} } }" };
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_bytes texture = make_texture(cases[i].there, cases[i].claimed);
		bspt_game g;
		make_game(&g, texture, vmts, 1);
		const bspscene_animation *played = bspt_game_material(&g, 0)->animation;
		const char *message = bspt_game_warning(&g, cases[i].code, NULL);
		assert_int_equal(played ? played->frame_image_count : 0, cases[i].plays);
		bool right = *cases[i].words ? strstr(message, cases[i].words) != NULL : !*message;
		if (!right) fail_msg("\"%s\" instead of \"%s\"", message, cases[i].words);
		bspt_game_end(&g);
		free(texture.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(materials_say_which_frames),
		cmocka_unit_test(what_shines_plays_too),
		cmocka_unit_test(frames_are_shared),
		cmocka_unit_test(promises_are_counted),
	};
	return cmocka_run_group_tests(tests, bspt_source_make_textures, bspt_source_free_textures);
}
