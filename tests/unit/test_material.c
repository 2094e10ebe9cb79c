/* Promise: every texture that a face uses becomes a material that says what the game shows, with or without a script, with
 * or without images; what is missing is counted by name, and equal things are there once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/text.h"
#include "images/images.h"
#include "materials/materials.h"
#include "stages/stages.h"
#include "support/build_picture.h"

#define MAX_FILES 16
#define MAX_TEXTURES 8
#define MAX_FACES 8

/* A game of a few files in memory. */
typedef struct game_file {
	const char *path;
	const void *data;
	size_t size;
} game_file;

typedef struct fixture {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_build build;
	bspi_texture textures[MAX_TEXTURES];
	bspi_face faces[MAX_FACES];
	bspi_fog fogs[4];
	bspi_draw_vertex vertices[4];
	game_file files[MAX_FILES];
	uint32_t file_count, opened;
} fixture;

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	fixture *f = user;
	(void)kind;
	for (uint32_t i = 0; i < f->file_count; i++) {
		if (!bspi_text_equal(f->files[i].path, path)) continue;
		*stream = (bspscene_stream){ .data = f->files[i].data, .size = f->files[i].size, .origin = "memory.pk3" };
		f->opened++;
		return true;
	}
	return false;
}

static void list_files(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found, void *found_user)
{
	fixture *f = user;
	for (uint32_t i = 0; i < f->file_count; i++) {
		if (bspi_text_starts(f->files[i].path, prefix) && bspi_text_ends(f->files[i].path, suffix)) found(found_user, f->files[i].path);
	}
}

static void start(fixture *f)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.name = "test";
	f->ctx.budget.limit = 64u << 20;
	f->ctx.options.open_file = open_file;
	f->ctx.options.list_files = list_files;
	f->ctx.options.file_user = f;
	bspi_arena_init(&f->ctx.scratch, &f->ctx.budget);
	bspi_arena_init(&f->ctx.result, &f->ctx.budget);
	f->map.rules.materials = &bspi_material_rules_quake3;
	f->map.textures = f->textures;
	f->map.faces = f->faces;
	f->map.fogs = f->fogs;
	f->map.draw_vertices = f->vertices;
	f->map.draw_vertices_count = 4;
	f->build = (bspi_build){ .ctx = &f->ctx, .map = &f->map, .scene = &f->scene };
}

static void release(fixture *f)
{
	bspi_arena_reset(&f->ctx.scratch);
	bspi_arena_reset(&f->ctx.result);
	assert_int_equal(f->ctx.budget.used, 0);
}

static void add_file(fixture *f, const char *path, const void *data, size_t size)
{
	assert_true(f->file_count < MAX_FILES);
	f->files[f->file_count++] = (game_file){ path, data, size };
}

static void add_script(fixture *f, const char *text) { add_file(f, "scripts/test.shader", text, strlen(text)); }

/* 2 x 2 pixels, 24 or 32 bits. */
static const uint8_t tga24[18 + 12] = { [2] = 2, [12] = 2, [14] = 2, [16] = 24 };
static const uint8_t tga32[18 + 16] = { [2] = 2, [12] = 2, [14] = 2, [16] = 32, [17] = 8 };

static void add_image(fixture *f, const char *path) { add_file(f, path, tga24, sizeof tga24); }

/* A texture and a face of four vertices that shows it. */
static void use(fixture *f, const char *name, uint32_t surface_flags, uint32_t content_flags)
{
	uint32_t number = f->map.textures_count++;
	assert_true(number < MAX_TEXTURES && f->map.faces_count < MAX_FACES);
	snprintf(f->textures[number].name, sizeof f->textures[number].name, "%s", name);
	f->textures[number].surface_flags = surface_flags;
	f->textures[number].content_flags = content_flags;
	f->faces[f->map.faces_count++] = (bspi_face){
		.kind = BSPI_FACE_TRIANGLES, .texture = (int32_t)number, .vertex_count = 4, .lightmap = { 0, -3, -3, -3 }, .styles = { 0, 255, 255, 255 },
	};
}

static void make(fixture *f)
{
	assert_true(bspi_build_materials(&f->build));
	assert_int_equal(f->ctx.error.status, BSPSCENE_OK);
}

static const bspscene_material *material(const fixture *f, uint32_t texture)
{
	assert_true(f->textures[texture].material < f->scene.material_count);
	return &f->scene.materials[f->textures[texture].material];
}

static const bspscene_stage *stage(const fixture *f, const bspscene_material *m, uint32_t number)
{
	assert_true(number < m->stage_count);
	return &f->scene.stages[m->first_stage + number];
}

/* "" for none. */
static const char *image_name(const fixture *f, uint32_t image)
{
	if (image == BSPSCENE_NO_INDEX) return "";
	assert_true(image < f->scene.image_count);
	return f->scene.images[image].name;
}

static const char *warning(const fixture *f, bspscene_warning_code code, uint32_t *count)
{
	for (uint32_t i = 0; i < f->ctx.warning_count; i++) {
		if (f->ctx.warnings[i].code != code) continue;
		if (count) *count = f->ctx.warnings[i].count;
		return f->ctx.warnings[i].message;
	}
	if (count) *count = 0;
	return "";
}

/* ---- Images ----------------------------------------------------------------------------------------------- */

static void an_image_without_script_is_lit(void **state)
{
	fixture f;
	(void)state;
	start(&f);
	add_image(&f, "textures/Brick.TGA");
	use(&f, "textures/brick", 0, 1);
	make(&f);
	const bspscene_material *m = material(&f, 0);
	assert_string_equal(m->name, "textures/brick");
	assert_int_equal(m->stage_count, 2);
	assert_int_equal(stage(&f, m, 0)->source, BSPSCENE_STAGE_LIGHT);
	assert_int_equal(stage(&f, m, 1)->source, BSPSCENE_STAGE_IMAGE);
	assert_int_equal(stage(&f, m, 1)->src_blend, BSPSCENE_BLEND_DST_COLOR);
	assert_true(m->sort == 3 && m->alpha_mode == BSPSCENE_ALPHA_OPAQUE && !m->unlit && !m->vertex_lit);
	const bspscene_image *image = &f.scene.images[m->base_image];
	assert_string_equal(image->name, "textures/brick");
	assert_string_equal(image->archive, "memory.pk3");
	assert_true(image->format == BSPSCENE_IMAGE_TGA && image->width == 2 && image->height == 2 && !image->has_alpha);
	assert_true(image->size == sizeof tga24 && !memcmp(image->data, tga24, sizeof tga24));
	assert_true(f.scene.counts.textures_found == 1 && f.scene.counts.textures_missing == 0);
	assert_string_equal(m->source_text, "");
	release(&f);
}

/* tr_image.c R_LoadImage: the ending in the name first, then tga, jpg, jpeg, png, pcx, bmp; content decides the format. */
static void endings_are_tried_in_the_engines_order(void **state)
{
	static const struct { const char *files[3]; const char *asked, *found; } cases[] = {
		{ { "textures/a.jpg", "textures/a.tga" }, "textures/a", "textures/a.tga" },
		{ { "textures/a.jpg", "textures/a.tga" }, "textures/a.jpg", "textures/a.jpg" },
		{ { "textures/a.png", "textures/a.jpg" }, "textures/a.tga", "textures/a.jpg" },
		{ { "textures/a.bmp", "textures/a.png" }, "textures/a.tga", "textures/a.png" },
		{ { "textures/a.dds" }, "textures/a.jpeg", "textures/a.dds" },
		{ { "textures/a.v2.tga", "textures/a.tga" }, "textures/a.v2", "textures/a.v2.tga" },
		{ { "textures/a.tga" }, "\\Textures\\\\A.TGA", "Textures/A.TGA" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		uint32_t index;
		start(&f);
		bspi_materials m = { .ctx = &f.ctx, .map = &f.map };
		for (size_t k = 0; k < 3 && cases[i].files[k]; k++) add_image(&f, cases[i].files[k]);
		assert_true(bspi_find_image(&m, cases[i].asked, "missing", &index));
		assert_int_equal(m.images[index].format, BSPSCENE_IMAGE_TGA);
		assert_true(bspi_text_equal(m.images[index].path, cases[i].found));
		release(&f);
	}
}

static void one_file_is_one_image(void **state)
{
	static const char *const names[] = { "textures/a", "textures/a.tga", "TEXTURES/A.jpg", "textures\\a", "./textures//a.tga" };
	fixture f;
	(void)state;
	start(&f);
	bspi_materials m = { .ctx = &f.ctx, .map = &f.map };
	add_image(&f, "textures/a.tga");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t index;
		assert_true(bspi_find_image(&m, names[i], "missing", &index));
		assert_int_equal(index, 0);
	}
	assert_int_equal(m.image_count, 1);
	release(&f);
}

static void missing_images_are_counted_by_name(void **state)
{
	static const uint8_t huge[18 + 12] = { [2] = 2, [12] = 255, [13] = 255, [14] = 255, [15] = 255, [16] = 24 };
	fixture f;
	uint32_t count;
	(void)state;
	start(&f);
	add_file(&f, "textures/broken.tga", "not a picture at all, whatever its name says", 44);
	add_file(&f, "textures/huge.tga", huge, sizeof huge);
	add_script(&f, "textures/b { { map textures/gone.tga } { map textures/GONE.jpg\nblendfunc add } }");
	use(&f, "textures/a", 0, 0);
	use(&f, "textures/b", 0, 0);
	use(&f, "textures/broken", 0, 0);
	use(&f, "textures/../../secret", 0, 0);
	use(&f, "textures/huge", 0, 0);
	make(&f);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(f.scene.images[material(&f, i)->base_image].format, BSPSCENE_IMAGE_MISSING);
		assert_null(f.scene.images[material(&f, i)->base_image].data);
	}
	assert_string_equal(warning(&f, BSPSCENE_WARNING_TEXTURE_MISSING, &count),
	                    "textures: textures/a: no shader and no such image (tried tga, jpg, jpeg, png, pcx, bmp, dds)");
	assert_int_equal(count, 6);            /* gone.tga and gone.jpg are two names */
	assert_string_equal(warning(&f, BSPSCENE_WARNING_IMAGE_BAD, NULL), "textures: textures/broken.tga (memory.pk3): no picture format that is known");
	assert_string_equal(warning(&f, BSPSCENE_WARNING_NAME_UNSAFE, NULL), "textures: 'textures/../../secret' is no image's path");
	assert_int_equal(f.scene.counts.textures_missing, 6);
	release(&f);
}

/* A TGA without all of its pixels is no picture, as in the engine; of a JPEG there is the part that came. */
static void pictures_that_end_early_are_told_at_load(void **state)
{
	static const uint8_t cut[18 + 5] = { [2] = 2, [12] = 2, [14] = 1, [16] = 24 }, rgb[8 * 8 * 3];
	bspt_bytes jpeg = bspt_encode_jpeg(8, 8, BSPT_JPEG_COLOR, rgb);
	fixture f;
	uint32_t count;
	(void)state;
	start(&f);
	add_file(&f, "textures/cut.tga", cut, sizeof cut);
	add_file(&f, "textures/part.jpg", jpeg.data, jpeg.size - 2);
	use(&f, "textures/cut", 0, 0);
	use(&f, "textures/part", 0, 0);
	make(&f);
	assert_int_equal(f.scene.images[material(&f, 0)->base_image].format, BSPSCENE_IMAGE_MISSING);
	assert_int_equal(f.scene.images[material(&f, 1)->base_image].format, BSPSCENE_IMAGE_JPEG);
	assert_string_equal(warning(&f, BSPSCENE_WARNING_IMAGE_BAD, &count),
	                    "textures: textures/cut.tga (memory.pk3): TGA: 2 x 1 pixels, but the file ends after 1 of them");
	assert_int_equal(count, 2);
	release(&f);
	free(jpeg.data);
}

/* Two names that are missing and differ by a mark only: fuzz_shader found that one took the other's place. */
static void missing_names_do_not_collide(void **state)
{
	static const char *const names[] = { "a", "?a", "??a", "a", "?a" };
	fixture f;
	(void)state;
	start(&f);
	bspi_materials m = { .ctx = &f.ctx, .map = &f.map };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t index;
		assert_true(bspi_find_image(&m, names[i], "missing", &index));
		assert_int_equal(index, i % 3);
		assert_string_equal(m.images[index].name, names[i]);
	}
	release(&f);
}

static void names_can_be_asked_for_without_bytes(void **state)
{
	fixture f;
	(void)state;
	start(&f);
	f.ctx.options.textures = BSPSCENE_TEXTURES_NAMES;
	add_image(&f, "textures/a.jpg");
	use(&f, "textures/a", 0, 0);
	make(&f);
	const bspscene_image *image = &f.scene.images[material(&f, 0)->base_image];
	assert_true(image->format == BSPSCENE_IMAGE_JPEG && !image->data && !image->size);
	release(&f);

	start(&f);
	f.ctx.options.textures = BSPSCENE_TEXTURES_NONE;
	add_script(&f, "textures/a { surfaceparm nodraw\n { map x } }");
	use(&f, "textures/a", 0x4, 0);
	use(&f, "textures/b", 0, 0);
	make(&f);
	assert_true(f.opened == 0 && f.scene.image_count == 0 && f.ctx.warning_count == 0);
	assert_int_equal(material(&f, 0)->kind, BSPSCENE_MATERIAL_SKY);
	assert_int_equal(material(&f, 1)->base_image, BSPSCENE_NO_INDEX);
	assert_int_equal(stage(&f, material(&f, 1), 0)->source, BSPSCENE_STAGE_LIGHT);
	release(&f);
}

/* ---- What surfaces are for -------------------------------------------------------------------------------- */

static void kinds_follow_bits_names_and_scripts(void **state)
{
	enum { SKY = 0x4, NODRAW = 0x80, HINT = 0x100, SKIP = 0x200, WATER = 0x20, LAVA = 0x8, FOG = 0x40, CLIP = 0x10000, TRIGGER = 0x40000000 };
	static const char script[] =
		"textures/sky { skyparms - 512 - }\n"
		"textures/wall { { map $lightmap } }\n"
		"textures/paper_sky { surfaceparm sky\n { map a } }\n"
		"textures/mirror { portal\n { map a } }\n"
		"textures/fog { surfaceparm fog\n fogparms ( 1 0 0 ) 100 }\n"
		"textures/pond { surfaceparm water\n { map a } }\n"
		"textures/common/invisible { { map a } }\n"
		"textures/mine/wall { surfaceparm nodraw }\n"
		"textures/mine/block { surfaceparm nodraw\n surfaceparm playerclip }\n"
		"textures/mine/pane { surfaceparm nodraw\n { map a } }\n";
	static const struct { const char *name; uint32_t surface, contents; bspscene_include include; bspscene_material_kind kind; } cases[] = {
		{ "textures/wall", 0, 1, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },
		{ "textures/wall", NODRAW, 1, BSPSCENE_INCLUDE_NODRAW, BSPSCENE_MATERIAL_TOOL },      /* patchmeta's duplicate */
		{ "textures/wall", HINT, 1, BSPSCENE_INCLUDE_HINT, BSPSCENE_MATERIAL_TOOL },
		{ "textures/wall", SKIP, 1, BSPSCENE_INCLUDE_SKIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/wall", 0, WATER, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_LIQUID },
		{ "textures/wall", 0, LAVA, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_LIQUID },
		{ "textures/pond", 0, 0, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_LIQUID },
		{ "textures/sky", SKY, 1, BSPSCENE_INCLUDE_SKY, BSPSCENE_MATERIAL_SKY },
		{ "textures/sky", 0, 1, BSPSCENE_INCLUDE_SKY, BSPSCENE_MATERIAL_SKY },
		{ "textures/none", SKY, 1, BSPSCENE_INCLUDE_SKY, BSPSCENE_MATERIAL_SKY },
		{ "textures/paper_sky", SKY, 1, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },         /* no skyparms: a wall to the engine */
		{ "textures/mirror", 0, 1, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_PORTAL },
		{ "textures/fog", 0, FOG, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_FOG },
		{ "textures/common/caulk", NODRAW, 1, BSPSCENE_INCLUDE_CAULK, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/caulk", 0, 1, BSPSCENE_INCLUDE_CAULK, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/weapclip", NODRAW, CLIP, BSPSCENE_INCLUDE_CLIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/block", NODRAW, CLIP, BSPSCENE_INCLUDE_CLIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/block", 0, 0, BSPSCENE_INCLUDE_CLIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/wall", 0, 0, BSPSCENE_INCLUDE_NODRAW, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/pane", 0, 0, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },
		{ "textures/common/trigger", NODRAW, TRIGGER, BSPSCENE_INCLUDE_TRIGGER, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/hintskip", 0, 0, BSPSCENE_INCLUDE_HINT, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/areaportal", NODRAW, 0x8000, BSPSCENE_INCLUDE_TOOL, BSPSCENE_MATERIAL_TOOL },
		{ "noshader", 0, 0, BSPSCENE_INCLUDE_TOOL, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/invisible", 0, 0, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },    /* has stages, has no bit: is drawn */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		start(&f);
		add_script(&f, script);
		add_image(&f, "a.tga");
		use(&f, cases[i].name, cases[i].surface, cases[i].contents);
		make(&f);
		assert_int_equal(material(&f, 0)->include, cases[i].include);
		assert_int_equal(material(&f, 0)->kind, cases[i].kind);
		assert_int_equal(f.ctx.warning_count, 0);
		release(&f);
	}
}

static void raven_has_other_bits_and_another_folder(void **state)
{
	fixture f;
	(void)state;
	start(&f);
	f.map.rules.materials = &bspi_material_rules_raven;
	add_script(&f, "textures/a { portal }");
	add_file(&f, "shaders/a.shader", "textures/a { cull none }", 24);
	add_image(&f, "textures/a.tga");
	use(&f, "textures/a", 0x80, 0x20);
	use(&f, "textures/a", 0x200000, 0);
	use(&f, "textures/a", 0x2000, 0);
	use(&f, "textures/a", 0, 0x4);
	make(&f);
	assert_int_equal(material(&f, 0)->kind, BSPSCENE_MATERIAL_NORMAL);
	assert_int_equal(material(&f, 1)->include, BSPSCENE_INCLUDE_NODRAW);
	assert_int_equal(material(&f, 2)->kind, BSPSCENE_MATERIAL_SKY);
	assert_int_equal(material(&f, 3)->kind, BSPSCENE_MATERIAL_LIQUID);
	assert_int_equal(material(&f, 0)->cull, BSPSCENE_CULL_NONE);
	release(&f);
}

static void hidden_surfaces_cost_no_images_unless_asked_for(void **state)
{
	fixture f;
	(void)state;
	for (int asked = 0; asked < 2; asked++) {
		start(&f);
		if (asked) f.ctx.options.include = BSPSCENE_INCLUDE_CAULK;
		add_script(&f, "textures/common/caulk { qer_editorimage textures/editor/caulk.tga\n surfaceparm nodraw }");
		add_image(&f, "textures/editor/caulk.tga");
		use(&f, "textures/common/caulk", 0x80, 1);
		make(&f);
		assert_int_equal(f.scene.image_count, asked);
		assert_string_equal(image_name(&f, material(&f, 0)->base_image), asked ? "textures/editor/caulk" : "");
		assert_int_equal(f.ctx.warning_count, 0);
		release(&f);
	}
}

static void equal_textures_share_a_material(void **state)
{
	fixture f;
	(void)state;
	start(&f);
	add_script(&f, "textures/a { { map a } { map $lightmap\nblendfunc filter } }");
	add_image(&f, "a.tga");
	use(&f, "textures/a", 0, 1);
	use(&f, "textures/b", 0, 1);
	use(&f, "TEXTURES\\A", 0, 1);
	use(&f, "textures/a", 0x20, 1);
	f.faces[1].kind = BSPI_FACE_DROPPED;
	make(&f);
	assert_int_equal(f.scene.material_count, 2);
	assert_int_equal(f.textures[0].material, f.textures[2].material);
	assert_int_equal(f.textures[1].material, BSPSCENE_NO_INDEX);
	assert_int_not_equal(f.textures[0].material, f.textures[3].material);
	assert_string_equal(material(&f, 2)->name, "textures/a");
	assert_int_equal(f.scene.stage_count, 2);  /* of both */
	assert_int_equal(material(&f, 3)->first_stage, material(&f, 0)->first_stage);
	release(&f);
}

static void flares_are_told_apart(void **state)
{
	fixture f;
	(void)state;
	start(&f);
	add_image(&f, "a.tga");
	use(&f, "a", 0, 0);
	use(&f, "a", 1, 0);
	f.faces[0].kind = BSPI_FACE_FLARE;
	make(&f);
	assert_int_equal(material(&f, 0)->kind, BSPSCENE_MATERIAL_FLARE);
	assert_int_equal(material(&f, 1)->kind, BSPSCENE_MATERIAL_NORMAL);
	release(&f);
}

/* ---- One texture ------------------------------------------------------------------------------------------ */

typedef struct reading {
	const char *what, *text, *base, *second, *emissive;
	bspscene_alpha_mode mode;
	float opacity, cutoff;
	bool unlit, vertex_lit;
	float sort;
} reading;

static const reading readings[] = {
	{ "light, then texture", "{ map $lightmap } { map a\nblendfunc filter }", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "texture, then light", "{ map a } { map $lightmap\nblendfunc gl_dst_color gl_zero }", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "no light at all", "{ map a }", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, true, false, 3 },
	{ "light at vertices", "{ map a\nrgbgen exactVertex }", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, true, 3 },
	{ "environment first", "{ map env\ntcgen environment } { map a\nblendfunc blend } { map $lightmap\nblendfunc filter }", "a", "", "",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "environment behind", "{ map a } { map env\nblendfunc add\ntcgen environment } { map $lightmap\nblendfunc filter }", "a", "", "",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "glow", "{ map $lightmap } { map a\nblendfunc filter } { map glow\nblendfunc add\nrgbgen const ( .5 .5 .5 ) }", "a", "", "glow",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "glow that is lit", "{ map a } { map glow\nblendfunc add } { map $lightmap\nblendfunc filter }", "a", "", "",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "glow first", "{ map glow\ntcmod scroll 1 1 } { map a\nblendfunc blend } { map $lightmap\nblendfunc filter }", "a", "", "",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "terrain", "{ map rock } { map grass\nblendfunc blend\nalphagen vertex } { map $lightmap\nblendfunc filter }", "rock", "grass", "",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "terrain upside down", "{ map rock } { map grass\nblendfunc blend\nalphagen oneMinusVertex } { map $lightmap\nblendfunc filter }", "grass", "rock",
	  "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "grate", "{ map a\nalphafunc GE128\ndepthwrite } { map $lightmap\nblendfunc filter\ndepthfunc equal }", "a", "", "", BSPSCENE_ALPHA_MASK, 1,
	  0.5f, false, false, 3 },
	{ "soft grate", "{ map a\nblendfunc blend\nalphafunc GE128\ndepthwrite } { map $lightmap\nblendfunc filter\ndepthfunc equal }", "a", "", "",
	  BSPSCENE_ALPHA_MASK, 1, 0.5f, false, false, 5 },
	{ "glass", "cull disable\n{ map a\nblendfunc blend\nrgbgen vertex }", "a", "", "", BSPSCENE_ALPHA_BLEND, 1, 0, false, true, 9 },
	{ "thin glass", "{ map a\nblendfunc blend\nalphagen const .25 }", "a", "", "", BSPSCENE_ALPHA_BLEND, 0.25f, 0, true, false, 9 },
	{ "flame", "{ animmap 10 a b c\nblendfunc add }", "a", "", "", BSPSCENE_ALPHA_ADD, 1, 0, true, false, 9 },
	{ "shadow", "polygonoffset\n{ map a\nblendfunc gl_zero gl_one_minus_src_color }", "a", "", "", BSPSCENE_ALPHA_MODULATE, 1, 0, true, false, 4 },
	{ "water", "{ map a\nblendfunc gl_one gl_src_color } { map $lightmap\nblendfunc filter }", "a", "", "", BSPSCENE_ALPHA_BLEND, 0.5f, 0, false, false, 9 },
	{ "missing first", "{ map gone } { map a\nblendfunc add }", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, true, false, 3 },
	{ "nothing but light", "{ map $lightmap }", "", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "detail", "{ map a } { map grass\nblendfunc gl_dst_color gl_src_color\ndetail } { map $lightmap\nblendfunc filter }", "a", "", "",
	  BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "editor image", "qer_editorimage grass.tga\n{ map gone }", "grass", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, true, false, 3 },
	{ "white on purpose", "qer_editorimage grass.tga\n{ map $whiteimage }", "", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, true, false, 3 },
	{ "no stages", "surfaceparm metalsteps\n qer_editorimage a", "textures/test", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "implicit", "implicitMap a.tga", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, false, false, 3 },
	{ "implicit mask", "implicitMask a.tga", "a", "", "", BSPSCENE_ALPHA_MASK, 1, 0.5f, false, false, 3 },
	{ "implicit blend", "implicitBlend -", "textures/test", "", "", BSPSCENE_ALPHA_BLEND, 1, 0, false, false, 5 },
	{ "sort by number", "sort 12\n{ map a }", "a", "", "", BSPSCENE_ALPHA_OPAQUE, 1, 0, true, false, 12 },
};

static void stages_read_as_one_texture(void **state)
{
	static const char *const images[] = { "a.tga", "b.tga", "c.tga", "env.tga", "glow.tga", "rock.tga", "grass.tga", "textures/test.tga" };
	(void)state;
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
		const reading *r = &readings[i];
		fixture f;
		char text[512];
		start(&f);
		for (size_t k = 0; k < sizeof images / sizeof *images; k++) add_file(&f, images[k], tga32, sizeof tga32);
		snprintf(text, sizeof text, "textures/test {\n%s\n}", r->text);
		add_script(&f, text);
		use(&f, "textures/test", 0, 0);
		make(&f);
		const bspscene_material *m = material(&f, 0);
		char found[256], wanted[256];
		snprintf(found, sizeof found, "%s: %s|%s|%s mode %d opacity %g cutoff %g unlit %d vertex %d sort %g", r->what,
		         image_name(&f, m->base_image), image_name(&f, m->second_image), image_name(&f, m->emissive_image), (int)m->alpha_mode,
		         (double)m->color[3], (double)m->alpha_cutoff, m->unlit, m->vertex_lit, (double)m->sort);
		snprintf(wanted, sizeof wanted, "%s: %s|%s|%s mode %d opacity %g cutoff %g unlit %d vertex %d sort %g", r->what,
		         r->base, r->second, r->emissive, (int)r->mode, (double)r->opacity, (double)r->cutoff, r->unlit, r->vertex_lit, (double)r->sort);
		assert_string_equal(found, wanted);
		release(&f);
	}
}

static void coordinates_are_read_at_time_zero(void **state)
{
	static const struct { const char *text; float scale[2], offset[2], scroll[2]; } cases[] = {
		{ "tcmod scale 2 3\n tcmod scroll 1 -1", { 2, 3 }, { 0, 0 }, { 1, -1 } },
		{ "tcmod scroll 1 -1\n tcmod scale 2 3", { 2, 3 }, { 0, 0 }, { 2, -3 } },
		{ "tcmod transform 2 0 0 4 .5 .25", { 2, 4 }, { 0.5f, 0.25f }, { 0, 0 } },
		{ "tcmod stretch sin 2 0 0 1", { 0.5f, 0.5f }, { 0.25f, 0.25f }, { 0, 0 } },
		{ "tcmod stretch sin 0 0 0 1", { 1, 1 }, { 0, 0 }, { 0, 0 } },       /* never infinite */
		{ "tcmod scale 3e38 1\n tcmod scale 3e38 1", { 1, 1 }, { 0, 0 }, { 0, 0 } },
		{ "tcmod rotate 90\n tcmod turb 0 1 0 1", { 1, 1 }, { 0, 0 }, { 0, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		char text[256];
		start(&f);
		add_image(&f, "a.tga");
		snprintf(text, sizeof text, "textures/test { { map a\n %s\n } }", cases[i].text);
		add_script(&f, text);
		use(&f, "textures/test", 0, 0);
		make(&f);
		const bspscene_material *m = material(&f, 0);
		for (int k = 0; k < 2; k++) {
			assert_true(m->uv_scale[k] == cases[i].scale[k] && m->uv_offset[k] == cases[i].offset[k] && m->scroll[k] == cases[i].scroll[k]);
		}
		release(&f);
	}
}

static void waves_have_the_engines_shapes(void **state)
{
	static const struct { bspscene_wave_func func; float at[4]; } cases[] = {
		{ BSPSCENE_WAVE_SIN, { 0, 1, 0, -1 } }, { BSPSCENE_WAVE_SQUARE, { 1, 1, -1, -1 } }, { BSPSCENE_WAVE_TRIANGLE, { 0, 1, 0, -1 } },
		{ BSPSCENE_WAVE_SAWTOOTH, { 0, 0.25f, 0.5f, 0.75f } }, { BSPSCENE_WAVE_INVERSE_SAWTOOTH, { 1, 0.75f, 0.5f, 0.25f } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int k = 0; k < 4; k++) {
			bspscene_wave wave = { cases[i].func, 1, 2, 0.25f * (float)k, 1 };
			assert_float_equal(bspi_wave_value(&wave, 0), 1 + 2 * cases[i].at[k], 1e-5);
			assert_float_equal(bspi_wave_value(&wave, 3), 1 + 2 * cases[i].at[k], 1e-5);
		}
	}
}

/* ---- Sky and fog ------------------------------------------------------------------------------------------ */

static void skies(void **state)
{
	static const char *const sides[6] = { "env/a_rt.tga", "env/a_bk.tga", "env/a_lf.tga", "env/a_ft.tga", "env/a_up.tga", "env/a_dn.tga" };
	static const char script[] =
		"box { skyparms env/a 256 -\n q3map_sun 1 .5 .5 100 0 90 }\n"
		"clouds { skyparms full 300 -\n { map cloud\n tcmod scroll .1 0 } }\n"
		"gone { skyparms env/gone 512 - }\n";
	fixture f;
	(void)state;
	start(&f);
	add_script(&f, script);
	for (int i = 0; i < 6; i++) add_image(&f, sides[i]);
	add_image(&f, "cloud.tga");
	use(&f, "box", 4, 0);
	use(&f, "clouds", 4, 0);
	use(&f, "gone", 4, 0);
	use(&f, "cloud", 4, 0);
	make(&f);
	assert_string_equal(image_name(&f, material(&f, 3)->base_image), "cloud");
	const bspscene_material *box = material(&f, 0), *clouds = material(&f, 1), *gone = material(&f, 2);
	for (int i = 0; i < 6; i++) assert_string_equal(f.scene.images[box->sky.box[i]].path, sides[i]);
	assert_string_equal(box->sky.name, "env/a");
	assert_true(box->sky.cloud_height == 0 && box->stage_count == 0 && box->sort == 2 && box->unlit);
	assert_true(box->sky.has_sun && box->sky.sun_direction[2] > 0.999f && box->sky.sun_intensity == 100);
	assert_true(clouds->sky.box[0] == BSPSCENE_NO_INDEX && clouds->sky.cloud_height == 300 && clouds->stage_count == 1);
	assert_string_equal(image_name(&f, clouds->base_image), "cloud");
	assert_true(gone->sky.box[0] == BSPSCENE_NO_INDEX && !strcmp(gone->sky.name, ""));
	uint32_t count;
	assert_string_equal(warning(&f, BSPSCENE_WARNING_TEXTURE_MISSING, &count),
	                    "textures: env/gone_rt: no such side of the sky (tried tga, jpg, jpeg, png, pcx, bmp, dds)");
	assert_int_equal(count, 1);                /* "full" is how old scripts say that there is no box */
	release(&f);
}

static void fogs_share_the_material_of_their_surfaces(void **state)
{
	static const char script[] =
		"textures/haze { surfaceparm fog\n fogparms ( .25 .5 1 ) 400 }\n"
		"textures/smoke { surfaceparm fog\n fogparms ( 1 0 0 ) 0 }\n";
	fixture f;
	(void)state;
	start(&f);
	add_script(&f, script);
	use(&f, "textures/haze", 0, 0x40);
	f.map.fogs_count = 3;
	snprintf(f.fogs[0].shader, sizeof f.fogs[0].shader, "textures/smoke");
	snprintf(f.fogs[1].shader, sizeof f.fogs[1].shader, "TEXTURES/haze");
	snprintf(f.fogs[2].shader, sizeof f.fogs[2].shader, "textures/smoke");
	make(&f);
	assert_int_equal(f.scene.material_count, 2);
	assert_int_equal(f.fogs[1].material, f.textures[0].material);
	assert_int_equal(f.fogs[0].material, f.fogs[2].material);
	const bspscene_material *haze = material(&f, 0), *smoke = &f.scene.materials[f.fogs[0].material];
	assert_true(haze->fog_depth == 400 && haze->fog_color[2] == 1 && haze->kind == BSPSCENE_MATERIAL_FOG && haze->stage_count == 0);
	assert_true(haze->alpha_mode == BSPSCENE_ALPHA_BLEND && haze->color[0] == 0.25f && haze->unlit && haze->sort == 7);
	assert_true(smoke->fog_depth == 1 && smoke->kind == BSPSCENE_MATERIAL_FOG);
	assert_int_equal(f.ctx.warning_count, 0);
	release(&f);
}

/* ---- Where it came from ----------------------------------------------------------------------------------- */

static void the_text_is_kept_with_its_place(void **state)
{
	static const char script[] = "// \xe9 comment\n\ntextures/a\n{\n\tcull none // \xe9\n\twobble 3\n}\ntextures/b { }";
	fixture f;
	(void)state;
	start(&f);
	add_script(&f, script);
	add_image(&f, "textures/a.tga");
	use(&f, "textures/a.tga", 0, 0);
	make(&f);
	const bspscene_material *m = material(&f, 0);
	assert_string_equal(m->source_file, "scripts/test.shader");
	assert_int_equal(m->source_line, 3);
	assert_string_equal(m->source_text, "textures/a\n{\n\tcull none // \xc3\xa9\n\twobble 3\n}");
	assert_int_equal(m->cull, BSPSCENE_CULL_NONE);
	assert_string_equal(warning(&f, BSPSCENE_WARNING_UNSUPPORTED, NULL), "scripts: scripts/test.shader:6: unknown keyword 'wobble' in textures/a");
	release(&f);
}

static void stages_are_bounded(void **state)
{
	fixture f;
	char text[2048] = "textures/a {";
	(void)state;
	start(&f);
	for (int i = 0; i < 40; i++) strcat(text, " { map a\n blendfunc add }");
	add_script(&f, strcat(text, "}"));
	add_image(&f, "a.tga");
	use(&f, "textures/a", 0, 0);
	make(&f);
	assert_int_equal(material(&f, 0)->stage_count, BSPI_MAX_STAGES);
	assert_string_equal(warning(&f, BSPSCENE_WARNING_LIMIT, NULL), "scripts: scripts/test.shader:1: textures/a has more than 16 stages");
	release(&f);
}

/* ---- Light that shaders bring ----------------------------------------------------------------------------- */

static void styled_pages_become_slots(void **state)
{
	static const char script[] =
		"m/moved { { map $lightmap\nrgbgen identity } { map $lightmap\nblendfunc gl_src_alpha gl_one\nrgbgen wave noise .5 1 0 5 // style 3\n"
		"tcgen lightmap\ntcmod transform 1 0 0 1 .25 -.5\n} { map a\nblendfunc filter } }\n"
		"m/picture { { map $lightmap } { map maps/m/lm_0001.tga\nblendfunc gl_src_alpha gl_one\nrgbgen identity // style 4\ntcgen lightmap } }\n"
		"m/own { { map maps/m/lm_0001.tga\ntcgen lightmap } { map a\nblendfunc filter } }\n"
		"m/gone { { map maps/m/lm_0009.tga\ntcgen lightmap } }\n"
		"m/flare { { map maps/m/lm_0001.tga } }\n";
	fixture f;
	(void)state;
	start(&f);
	add_script(&f, script);
	add_image(&f, "maps/m/lm_0001.tga");
	add_image(&f, "a.tga");
	use(&f, "m/moved", 0, 0);
	use(&f, "m/picture", 0, 0);
	use(&f, "m/own", 0, 0);
	use(&f, "m/gone", 0, 0);
	use(&f, "m/flare", 0, 0);
	f.faces[0].lightmap[0] = 7;
	f.faces[2].lightmap[0] = BSPI_PAGE_BY_VERTEX;
	for (int i = 0; i < 4; i++) f.vertices[i].lightmap[0] = f.vertices[i].lightmap[1] = 0.5f;
	make(&f);

	assert_true(f.faces[0].lightmap[0] == 7 && f.faces[0].lightmap[1] == 7 && f.faces[0].styles[1] == 3 && f.faces[0].styles[2] == 255);
	assert_int_equal(f.map.draw_vertex_styles_count, 4);
	/* The faces of this test share their vertices, so the second one's uvs stand in slot 1: not moved. */
	assert_true(f.map.draw_vertex_styles[2].lightmap[0][0] == 0.5f);
	const bspscene_stage *moved = stage(&f, material(&f, 0), 1);
	assert_true(moved->source == BSPSCENE_STAGE_LIGHTMAP && moved->light_style == 3 && moved->tc_mod_count == 0);
	assert_true(moved->color_gen == BSPSCENE_COLOR_WAVE && moved->dst_blend == BSPSCENE_BLEND_ONE);
	assert_int_equal(stage(&f, material(&f, 0), 0)->light_style, 0);
	assert_true(!material(&f, 0)->unlit && !strcmp(image_name(&f, material(&f, 0)->base_image), "a"));

	assert_true(f.faces[1].lightmap[1] == BSPI_FIRST_PICTURE_PAGE && f.faces[1].styles[1] == 4);
	assert_true(f.faces[2].lightmap[0] == BSPI_FIRST_PICTURE_PAGE && f.faces[2].styles[1] == 255);
	assert_true(f.faces[3].lightmap[0] == 0);
	assert_true(f.map.picture_page_count == 1 && f.map.picture_pages[0].width == 2 && f.map.picture_pages[0].overbright == 1);
	assert_int_equal(stage(&f, material(&f, 4), 0)->source, BSPSCENE_STAGE_IMAGE);  /* no tcGen lightmap: a texture */
	assert_string_equal(warning(&f, BSPSCENE_WARNING_FILE_MISSING, NULL), "lightmaps: maps/m/lm_0009.tga");
	release(&f);
}

static void offsets_move_the_stored_uvs(void **state)
{
	fixture f;
	(void)state;
	start(&f);
	add_script(&f, "m/a { { map $lightmap } { map $lightmap\nrgbgen identity // style 3\ntcgen lightmap\ntcmod transform 1 0 0 1 .25 -.5\n} }");
	use(&f, "m/a", 0, 0);
	for (int i = 0; i < 4; i++) f.vertices[i].lightmap[0] = f.vertices[i].lightmap[1] = 0.5f;
	make(&f);
	for (int i = 0; i < 4; i++) {
		assert_true(f.map.draw_vertex_styles[i].lightmap[0][0] == 0.75f && f.map.draw_vertex_styles[i].lightmap[0][1] == 0);
	}
	release(&f);
}

/* ---- Real files ------------------------------------------------------------------------------------------- */

typedef struct loaded {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspscene_files *files;
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
	l->ctx.options.open_file = bspscene_files_open;
	l->ctx.options.list_files = bspscene_files_list;
	l->ctx.options.file_user = l->files;
	bspi_arena_init(&l->ctx.scratch, &l->ctx.budget);
	bspi_arena_init(&l->ctx.result, &l->ctx.budget);
	assert_true(bspi_read_map(&l->ctx, bspi_bytes_of(l->bytes.data, l->bytes.size), &l->map));
	bspi_build build = { .ctx = &l->ctx, .map = &l->map, .scene = &l->scene };
	assert_true(bspi_build_materials(&build));
	l->ctx.file = "";
}

static void unload(loaded *l)
{
	bspi_arena_reset(&l->ctx.scratch);
	bspi_arena_reset(&l->ctx.result);
	bspscene_files_free(l->files);
	free(l->bytes.data);
}

static const bspscene_material *find(const loaded *l, const char *name)
{
	for (uint32_t i = 0; i < l->scene.material_count; i++) {
		if (!strcmp(l->scene.materials[i].name, name)) return &l->scene.materials[i];
	}
	fail_msg("no material %s", name);
	return NULL;
}

static void the_atrium_is_complete(void **state)
{
	loaded l;
	(void)state;
	load(&l, "atrium");
	assert_int_equal(l.scene.counts.textures_missing, 0);
	assert_int_equal(l.ctx.warning_count, 0);
	for (uint32_t i = 0; i < l.scene.image_count; i++) {
		bspscene_pixels pixels;
		assert_true(bspi_image_decode(l.scene.images[i].format, bspi_bytes_of(l.scene.images[i].data, l.scene.images[i].size), &pixels, NULL));
		bspscene_pixels_free(&pixels);
	}
	const bspscene_material *terrain = find(&l, "textures/sample/terrain"), *screen = find(&l, "textures/sample/screen");
	assert_string_equal(l.scene.images[terrain->base_image].name, "textures/sample/rock");
	assert_string_equal(l.scene.images[terrain->second_image].name, "textures/sample/grass");
	const bspscene_stage *animated = &l.scene.stages[screen->first_stage];
	assert_true(animated->frame_count == 2 && animated->frames_per_second == 2 && screen->unlit);
	const bspscene_material *panel = find(&l, "textures/sample/panel");
	assert_true(panel->surface_light == 1500 && panel->emissive_image == panel->base_image && panel->emissive[0] == 0.5f);
	assert_int_equal(find(&l, "textures/sample/metal")->stage_count, 3);
	assert_string_equal(l.scene.images[find(&l, "textures/sample/metal")->base_image].name, "textures/sample/metal");
	const bspscene_material *sky = find(&l, "textures/sample/sky");
	assert_string_equal(sky->sky.name, "env/sample");
	assert_string_equal(l.scene.images[sky->sky.box[5]].path, "env/sample_dn.tga");
	assert_int_equal(find(&l, "textures/sample/water")->kind, BSPSCENE_MATERIAL_LIQUID);
	assert_int_equal(find(&l, "textures/sample/flare")->kind, BSPSCENE_MATERIAL_FLARE);
	assert_int_equal(find(&l, "textures/sample/grate")->alpha_mode, BSPSCENE_ALPHA_MASK);
	assert_string_equal(find(&l, "textures/sample/brick")->source_text, "");
	unload(&l);
}

/* One style besides the normal one, on the page itself at another place or on the page that lm_0001.tga holds. */
static void the_styled_atrium_has_slots(void **state)
{
	loaded l;
	uint32_t moved = 0, pictures = 0;
	(void)state;
	load(&l, "atrium_styles");
	for (uint32_t i = 0; i < l.map.faces_count; i++) {
		const bspi_face *face = &l.map.faces[i];
		if (face->styles[1] == 255 || face->kind == BSPI_FACE_DROPPED) continue;
		assert_int_equal(face->styles[1], 1);
		if (face->lightmap[1] >= BSPI_FIRST_PICTURE_PAGE) pictures++;
		else assert_int_equal(face->lightmap[1], face->lightmap[0]);
		moved += face->lightmap[1] == face->lightmap[0];
	}
	assert_true(moved == 39 && pictures == 39);
	assert_int_equal(l.map.picture_page_count, 1);
	assert_true(l.map.picture_pages[0].width == 128 && l.map.picture_pages[0].height == 128);
	assert_memory_equal(l.map.picture_pages[0].rgb, l.map.lighting.data + 128 * 128 * 3, 128 * 128 * 3);
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
		if (l.scene.materials[l.map.textures[l.map.faces[i].texture].material].include == BSPSCENE_INCLUDE_NODRAW) hidden++;
		else shown++;
	}
	assert_true(hidden == 10 && shown == 0);
	unload(&l);
}

static void every_allocation_may_fail(void **state)
{
	static const char script[] =
		"box { skyparms env/a 256 - }\ntextures/a { { map a } { map maps/m/lm_0000.tga\ntcgen lightmap } { videomap x } implicitmap - }\nb { wobble }";
	(void)state;
	for (uint64_t limit = 1; ; limit++) {
		fixture f;
		start(&f);
		add_script(&f, script);
		add_image(&f, "a.tga");
		add_image(&f, "maps/m/lm_0000.tga");
		use(&f, "box", 4, 0);
		use(&f, "textures/a", 0, 0);
		use(&f, "b", 0, 0);
		f.ctx.budget.allocation_limit = limit;
		bool made = bspi_build_materials(&f.build);
		assert_true(made == !f.ctx.error.status);
		release(&f);
		if (made) return;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_without_script_is_lit),
		cmocka_unit_test(endings_are_tried_in_the_engines_order),
		cmocka_unit_test(one_file_is_one_image),
		cmocka_unit_test(missing_images_are_counted_by_name),
		cmocka_unit_test(pictures_that_end_early_are_told_at_load),
		cmocka_unit_test(missing_names_do_not_collide),
		cmocka_unit_test(names_can_be_asked_for_without_bytes),
		cmocka_unit_test(kinds_follow_bits_names_and_scripts),
		cmocka_unit_test(raven_has_other_bits_and_another_folder),
		cmocka_unit_test(hidden_surfaces_cost_no_images_unless_asked_for),
		cmocka_unit_test(equal_textures_share_a_material),
		cmocka_unit_test(flares_are_told_apart),
		cmocka_unit_test(stages_read_as_one_texture),
		cmocka_unit_test(coordinates_are_read_at_time_zero),
		cmocka_unit_test(waves_have_the_engines_shapes),
		cmocka_unit_test(skies),
		cmocka_unit_test(fogs_share_the_material_of_their_surfaces),
		cmocka_unit_test(the_text_is_kept_with_its_place),
		cmocka_unit_test(stages_are_bounded),
		cmocka_unit_test(styled_pages_become_slots),
		cmocka_unit_test(offsets_move_the_stored_uvs),
		cmocka_unit_test(the_atrium_is_complete),
		cmocka_unit_test(the_styled_atrium_has_slots),
		cmocka_unit_test(patches_that_are_triangles_too_are_hidden),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
