/* source_game.c - see source_game.h. */
#include "support/source/source_game.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/build_texture.h"

const char bspt_solid[] = "";

/* ---- One material in words -------------------------------------------------------------------------------- */

static void say(bspt_words *out, const char *format, ...) BSPT_PRINTF(2, 3);
static void say(bspt_words *out, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (out->size) out->text[out->size++] = ' ';
	out->size += (size_t)vsnprintf(out->text + out->size, sizeof out->text - out->size, format, arguments);
	va_end(arguments);
}

static void say_image(bspt_words *out, const bspt_game *g, const char *what, uint32_t image)
{
	if (image == BSPSCENE_NO_INDEX) return;
	bool missing = g->scene.images[image]->format == BSPSCENE_IMAGE_MISSING;
	say(out, "%s=%s%s", what, bspt_game_image(g, image), missing ? "?" : "");
}

void bspt_source_describe(bspt_words *out, const bspt_game *g, const bspscene_material *m)
{
	static const char *const kinds[] = { "", "sky", "liquid", "tool", "fog", "flare", "portal" };
	static const char *const modes[] = { "", "mask", "blend", "add", "modulate" };
	if (m->kind) say(out, "%s", kinds[m->kind]);
	if (m->surface_kind) say(out, "hidden:0x%x", (unsigned)m->surface_kind);
	say_image(out, g, "base", m->base_image);
	say_image(out, g, "second", m->second_image);
	say_image(out, g, "glow", m->emissive_image);
	say_image(out, g, "normal", m->normal_image);
	if (m->normal_green_down) say(out, "down");
	for (int i = 0; m->sky && i < 6; i++) say_image(out, g, "side", m->sky->box[i]);
	if (m->alpha_mode) say(out, "%s", modes[m->alpha_mode]);
	if (m->added_by_alpha) say(out, "by alpha");
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MASK) say(out, "%g", (double)m->alpha_cutoff);
	const float *c = m->color, *s = m->uv_scale;
	if (c[0] != 1 || c[1] != 1 || c[2] != 1) say(out, "color %.2f %.2f %.2f", (double)c[0], (double)c[1], (double)c[2]);
	if (m->color[3] != 1) say(out, "opacity %g", (double)m->color[3]);
	if (m->unlit) say(out, "unlit");
	if (m->cull == BSPSCENE_CULL_NONE) say(out, "both sides");
	if (m->polygon_offset) say(out, "decal");
	if (m->clamp) say(out, "clamp");
	if (s[0] != 1 || s[1] != 1) say(out, "scale %g %g", (double)s[0], (double)s[1]);
	/* Rounds the offset, because the sine of 180 degrees is not exactly 0. */
	double offset[2] = { round(m->uv_offset[0] * 1e6) / 1e6, round(m->uv_offset[1] * 1e6) / 1e6 };
	if (offset[0] != 0 || offset[1] != 0) say(out, "offset %g %g", offset[0], offset[1]);
	if (m->uv_rotation_radians != 0) say(out, "turned %.4f", (double)m->uv_rotation_radians);
	if (m->blend_mask) {
		const float *scale = m->blend_mask->uv_scale, *moved = m->blend_mask->uv_offset;
		say_image(out, g, "mask", m->blend_mask->image);
		say(out, "%g %g %g %g", (double)scale[0], (double)scale[1], (double)moved[0], (double)moved[1]);
		if (m->blend_mask->masked) say(out, "alone");
	}
	const bspscene_detail_texture *d = m->detail_texture;
	if (d) {
		const float *scale = d->uv_scale, *color = d->color;
		say_image(out, g, "detail", d->image);
		say(out, "%d %g %g by %g", (int)d->mode, (double)scale[0], (double)scale[1], (double)d->factor);
		if (color[0] != 1 || color[1] != 1 || color[2] != 1) {
			say(out, "tint %g %g %g", (double)color[0], (double)color[1], (double)color[2]);
		}
	}
	const float *scroll = m->scroll;
	if (scroll[0] != 0 || scroll[1] != 0) say(out, "scroll %.3f %.3f", (double)scroll[0], (double)scroll[1]);
	for (uint32_t i = 0; i < m->layer_count; i++) {
		const bspscene_layer *l = m->layers[i];
		say_image(out, g, "layer", l->image);
		say(out, "scale %g %g", (double)l->uv_scale[0], (double)l->uv_scale[1]);
		say(out, "luminance %g %g", (double)l->luminance[0], (double)l->luminance[1]);
		say(out, "share %g blend %g %g", (double)l->luminance_share, (double)l->blend[0], (double)l->blend[1]);
		if (l->doubled) say(out, "doubled");
	}
	assert_int_equal(m->pass_count, 0);
}

/* ---- A game ----------------------------------------------------------------------------------------------- */

static bspt_bytes small_texture, solid_texture;

int bspt_source_make_textures(void **state)
{
	(void)state;
	static const uint8_t pixels[16];
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 2, .picture = pixels, .size = sizeof pixels };
	small_texture = bspt_encode_vtf(&vtf);
	vtf.format = 2; /* VTF's number of RGB888 */
	vtf.size = 12;
	solid_texture = bspt_encode_vtf(&vtf);
	return 0;
}

int bspt_source_free_textures(void **state)
{
	(void)state;
	free(small_texture.data);
	free(solid_texture.data);
	return 0;
}

bspt_bytes bspt_source_texture(void)
{
	return small_texture;
}

void bspt_source_start(bspt_game *g, const bspt_source_file *files, size_t count)
{
	bspt_game_start(g);
	g->map.rules.materials = BSPI_MATERIALS_SOURCE;
	for (size_t i = 0; i < count && files[i].path; i++) {
		if (files[i].text == bspt_solid) bspt_game_add(g, files[i].path, solid_texture.data, solid_texture.size);
		else if (files[i].text) bspt_game_add(g, files[i].path, files[i].text, strlen(files[i].text));
		else bspt_game_add(g, files[i].path, small_texture.data, small_texture.size);
	}
}

void bspt_source_expect(const char *texture, uint32_t flags, bool displaced, const bspt_source_file *files,
                        size_t count, const char *want)
{
	bspt_game g;
	bspt_words out = { .size = 0 };
	bspt_source_start(&g, files, count);
	bspt_game_use(&g, texture, flags, 0);
	if (displaced) g.faces[0].kind = BSPI_FACE_DISPLACEMENT;
	bspt_game_make(&g);
	bspt_source_describe(&out, &g, bspt_game_material(&g, 0));
	const char *what = files[0].text ? files[0].text : texture;
	if (strcmp(out.text, want)) fail_msg("%s:\n\"%s\" instead of\n\"%s\"", what, out.text, want);
	bspt_game_end(&g);
}
