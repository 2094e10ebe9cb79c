/* Promise: an OBJ file has the meshes at their positions, with normals on the visible side. Its materials have distinct
 * names. Light, transparency and baked light are in the statements that programs read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/check/written_sample.h"

static char *text_of(const bspt_sample *sample, bspscene_write_lighting lighting, const char *file)
{
	return (char *)bspt_written_file(sample, "obj", lighting, file).data;
}

static void assert_lines(const char *text, const char *const *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strstr(text, lines[i])) fail_msg("no line \"%s\"", lines[i]);
	}
}

static uint32_t count_lines(const char *text, const char *start)
{
	uint32_t count = 0;
	size_t length = strlen(start);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n') line++;
		if (!strncmp(line, start, length)) count++;
	}
	return count;
}

static void obj_places_meshes_in_the_world(void **state)
{
	static const char *const lines[] = {
		"# Y is up, lengths are meters", "mtllib sample.mtl\n", "\no worldspawn\ng worldspawn_0\n# lightmap page 0\n",
		"# hidden in the game: sky\n", "\no func_door:1\n",
		/* The first lines are for the corner (64, 64, 0) of the first square. If some vertices of a mesh have light,
		 * the other vertices are white. */
		"v 1.6256 0 -1.6256 1 1 1\n", "vt 1 0\n", "vn 0 1 0\n",
		"usemtl textures/sample/brick\nf 1/1/1 2/2/2 3/3/3\nf 1/1/1 3/3/3 4/4/4\n",
		/* The door's corner (64, 0, 0) is rotated to (0, 64, 0) and moved to (10, 84, 30). */
		"v 0.254 0.762 -2.1336 ",
		/* These lines are of a face that is seen from below. */
		"f 39/39/39 38/38/38 37/37/37\n", "f 41/41/41 42/42/42 43/43/43\nf 41/41/41 43/43/43 44/44/44\n",
	};
	static const char *const library[] = {
		"\nnewmtl textures/sample/brick\nillum 1\nKd 1 1 1\nKs 0 0 0\nd 1\nmap_Kd sample_textures_sample_floor.png\n",
		("newmtl textures/sample/grate\nillum 1\nKd 1 1 1\nKs 0 0 0\nd 1\n"
		 "map_Kd sample_Textures_Sample_floor_3.png\nmap_d sample_Textures_Sample_floor_3.png\n"),
		"map_Kd sample_textures_sample_lamp.jpg\n", "map_Kd sample____textures_sample_inside.png\n",
		"Ke 2 2 2\n",
	};
	bspt_sample *sample = bspt_sample_make();
	char *obj = text_of(sample, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.obj");
	char *mtl = text_of(sample, BSPSCENE_WRITE_LIGHTING_NONE, "sample.mtl");
	(void)state;
	assert_lines(obj, lines, sizeof lines / sizeof *lines);
	assert_lines(mtl, library, sizeof library / sizeof *library);
	assert_int_equal(count_lines(obj, "v "), 44);
	assert_int_equal(count_lines(obj, "f "), 22);
	assert_null(strstr(mtl, "unused"));
	free(obj);
	free(mtl);
	bspt_sample_free(sample);
}

/* A texture is scaled and shifted, by 2 along u and a quarter along v, as the corner (1, 1) shows. */
static void obj_places_textures(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	char *obj = text_of(sample, BSPSCENE_WRITE_LIGHTING_NONE, "sample.obj");
	(void)state;
	assert_non_null(strstr(obj, "vt 2 -0.25\n"));
	free(obj);
	bspt_sample_free(sample);
}

/* Reads the three numbers after a word on a line. */
static void read_three(const char *line, const char *word, double out[3])
{
	assert_true(!strncmp(line, word, strlen(word)));
	const char *at = line + strlen(word);
	for (int i = 0; i < 3; i++) {
		char *end;
		out[i] = strtod(at, &end);
		assert_true(end != at);
		at = end;
	}
}

/* Returns line `number` of those that begin with a word, in the whole file, counted from 1 as OBJ does. */
static const char *line_of(const char *text, const char *word, unsigned long number)
{
	const char *line = text;
	for (;; line++) {
		if (!strncmp(line, word, strlen(word)) && !--number) return line;
		line = strchr(line, '\n');
		assert_non_null(line);
	}
}

/* Nodes are rotated, mirrored and stretched. Seen from the side of its normals, the corners of each triangle must be
 * counterclockwise. */
static void obj_normals_are_on_the_side_that_is_seen(void **state)
{
	static const float transforms[][12] = {
		{ 1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7 },        { -1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7 },
		{ 1, 0, 0, 5, 0, -3, 0, 6, 0, 0, 1, 7 },       { 1, 0, 0, 5, 0, 1, 0, 6, 0, 0, -2, 7 },
		{ 0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 2, 7 },       { -1, 0, 0, 5, 0, -1, 0, 6, 0, 0, -1, 7 },
		{ 1, 0, 0.5f, 5, 0, 2, 0, 6, -0.5f, 0, 1, 7 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
		bspt_sample *sample = bspt_sample_make();
		memcpy(sample->nodes[BSPT_SAMPLE_NODE_DOOR].transform, transforms[i], sizeof transforms[i]);
		char *obj = text_of(sample, BSPSCENE_WRITE_LIGHTING_NONE, "sample.obj");
		const char *faces = strstr(obj, "\no func_door:1\n");
		assert_non_null(faces);
		for (int face = 0; face < 2; face++) {
			double corners[3][3], normal[3], a[3], b[3], dot = 0;
			faces = strstr(faces + 1, "\nf ");
			assert_non_null(faces);
			const char *at = faces + 3;
			for (int c = 0; c < 3; c++) {
				char *end;
				unsigned long number = strtoul(at, &end, 10);
				read_three(line_of(obj, "v ", number), "v", corners[c]);
				read_three(line_of(obj, "vn ", number), "vn", normal);
				at = end + strcspn(end, " \n");
			}
			for (int k = 0; k < 3; k++) {
				a[k] = corners[1][k] - corners[0][k];
				b[k] = corners[2][k] - corners[0][k];
			}
			for (int k = 0; k < 3; k++)
				dot += normal[k] * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
			if (!(dot > 0)) fail_msg("transform %zu: a normal points inwards", i);
		}
		free(obj);
		bspt_sample_free(sample);
	}
}

/* Vertex colors in OBJ are display values. If the intensity is 1, they equal the colors in the map. */
static void obj_has_colors_of_the_screen(void **state)
{
	static const uint8_t color[4] = { 51, 102, 204, 255 };
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	sample->page_sets[0].intensity = 1;
	for (uint32_t i = 0; i < sizeof sample->colors; i++) sample->colors[i] = color[i % 4];
	char *obj = text_of(sample, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.obj");
	assert_non_null(strstr(obj, " 0.2 0.4 0.8\n"));
	free(obj);
	bspt_sample_free(sample);
}

/* Each corner has its own place on the page. */
static void obj_places_each_corner_on_its_page(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	for (uint32_t v = 0; v < BSPT_SAMPLE_VERTICES; v++) {
		sample->lightmap_uvs[2 * v] = (float)(v + 1) / 64;
		sample->lightmap_uvs[2 * v + 1] = (float)(v + 2) / 128;
	}
	char *obj = text_of(sample, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.obj");
	for (uint32_t v = 0; v < BSPT_SAMPLE_VERTICES; v++) {
		const bspscene_section *section = &sample->sections[v / 4];
		if (section->lightmap_page == BSPSCENE_NO_INDEX) continue;
		double uv[2];
		assert_int_equal(sscanf(line_of(obj, "vt ", v + 1), "vt %lf %lf", &uv[0], &uv[1]), 2);
		bspt_expect_near(uv[0], (double)sample->lightmap_uvs[2 * v]);
		bspt_expect_near(uv[1], 1 - (double)sample->lightmap_uvs[2 * v + 1]);
	}
	free(obj);
	bspt_sample_free(sample);
}

/* With lightmaps, surfaces on a page show it instead of their texture, by the page's coordinates. Once, the file had
 * textures and no light. */
static void obj_shows_lightmap_pages(void **state)
{
	static const char *const library[] = {
		("\nillum 0\nKd 1 1 1\nKs 0 0 0\nd 1\nKe 1 1 1\nmap_Kd sample_lightmap-0.png\n"
		 "map_Ke sample_lightmap-0.png\n"),
		/* Surfaces without a page keep their texture. */
		"\nillum 1\nKd 1 1 1\nKs 0 0 0\nd 1\nmap_Kd sample_textures_sample_floor.png\n",
	};
	bspt_sample *sample = bspt_sample_make();
	char *obj = text_of(sample, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.obj");
	char *mtl = text_of(sample, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.mtl");
	bspt_bytes page = bspt_written_file(sample, "obj", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample_lightmap-0.png");
	(void)state;
	assert_lines(mtl, library, sizeof library / sizeof *library);
	assert_true(page.size > 8 && !memcmp(page.data + 1, "PNG", 3));
	/* The corner (1, 1) of a square on the page lies at 2.5 luxels of 4. */
	assert_non_null(strstr(obj, "vt 0.625 0.375\n"));
	free(page.data);
	free(obj);
	free(mtl);
	bspt_sample_free(sample);
}

/* Additive and multiplied surfaces are transparent where they would change nothing. Once, such surfaces were shown as
 * white or colored squares. */
static void obj_looks_through_what_is_added(void **state)
{
	static const bspscene_alpha_mode modes[] = { BSPSCENE_ALPHA_MODE_ADD, BSPSCENE_ALPHA_MODE_MODULATE };
	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		bspt_sample *sample = bspt_sample_make();
		bspscene_material *grate = &sample->materials[sample->sections[BSPT_SAMPLE_GRATE].material];
		grate->alpha_mode = modes[i];
		char *mtl = text_of(sample, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.mtl");
		char *own = strstr(mtl, "newmtl textures/sample/grate\n");
		assert_non_null(own);
		char *picture = strstr(own, "map_Kd "), *alpha = strstr(own, "map_d "), *end = strstr(own + 1, "newmtl");
		assert_non_null(picture);
		assert_true(alpha && (!end || alpha < end));
		char *name = picture + strlen("map_Kd ");
		size_t length = strcspn(name, "\n");
		assert_memory_equal(name, alpha + strlen("map_d "), length + 1);
		free(mtl);
		bspt_sample_free(sample);
	}
}

/* Blended surfaces and surfaces with light in vertices keep their textures. The baked light is also written as
 * emission, because viewers ignore illum 0. Picture statements have no options: with `-clamp on`, three.js and F3D did
 * not find the picture. */
static void obj_shows_baked_light(void **state)
{
	static const char *const library[] = {
		("\nnewmtl textures/sample/brick\nillum 0\nKd 1 1 1\nKs 0 0 0\nd 1\nKe 1 1 1\nmap_Kd sample_lit.jpg\n"
		 "map_Ke sample_lit.jpg\n"),
		("map_Kd sample_Textures_Sample_floor_3.png\nmap_Ke sample_Textures_Sample_floor_3.png\n"
		 "map_d sample_Textures_Sample_floor_3.png\n"),
	};
	bspt_sample *sample = bspt_sample_make();
	char *mtl = text_of(sample, BSPSCENE_WRITE_LIGHTING_DEFAULT, "sample.mtl");
	(void)state;
	assert_lines(mtl, library, sizeof library / sizeof *library);
	assert_null(strstr(mtl, "illum 1"));
	/* Bricks without any light get a separate material. */
	assert_non_null(strstr(mtl, "newmtl textures/sample/brick_"));
	assert_non_null(strstr(mtl, "Kd 0 0 0\nKs 0 0 0\nd 1\nKe 0 0 0\n"));
	assert_null(strstr(mtl, "clamp"));
	free(mtl);
	bspt_sample_free(sample);
}

static void obj_names_stay_apart(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	sample->materials[0].name = "a b";
	sample->materials[1].name = "a#b";
	sample->materials[2].name = "a_b_1";
	char *mtl = text_of(sample, BSPSCENE_WRITE_LIGHTING_DEFAULT, "sample.mtl");
	assert_int_equal(count_lines(mtl, "newmtl a_b\n"), 1);
	assert_int_equal(count_lines(mtl, "newmtl a_b_1\n"), 1);
	assert_int_equal(count_lines(mtl, "newmtl a_b_1_2\n"), 1);
	free(mtl);
	bspt_sample_free(sample);
}

/* A material with alpha and one without may share a picture. Then the picture is written as two files. */
static void obj_pictures_of_opaque_materials_have_no_alpha(void **state)
{
	static const struct { const char *file; uint8_t alpha; } pictures[] = {
		{ "sample_Textures_Sample_floor.png", 255 }, { "sample_Textures_Sample_floor_3.png", 128 },
	};
	bspt_sample *sample = bspt_sample_make();
	bspt_captured captured;
	(void)state;
	sample->materials[sample->sections[BSPT_SAMPLE_BRICK].material].base_image = BSPT_SAMPLE_IMAGE_RGBA;
	bspscene_output output = bspt_capture(&captured);
	assert_true(bspscene_write(&sample->scene, "obj", NULL, &output, NULL));
	for (int i = 0; i < 2; i++) {
		const bspt_bytes *png = bspt_captured_file(&captured, pictures[i].file);
		assert_non_null(png);
		bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png->data, .size = png->size };
		bspscene_pixels pixels;
		assert_true(bspscene_image_decode(&image, &pixels, NULL));
		assert_int_equal(pixels.data[7], pictures[i].alpha);
		bspscene_pixels_free(&pixels);
	}
	bspt_captured_free(&captured);
	bspt_sample_free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(obj_places_meshes_in_the_world),
		cmocka_unit_test(obj_places_textures),
		cmocka_unit_test(obj_normals_are_on_the_side_that_is_seen),
		cmocka_unit_test(obj_has_colors_of_the_screen),
		cmocka_unit_test(obj_places_each_corner_on_its_page),
		cmocka_unit_test(obj_shows_lightmap_pages),
		cmocka_unit_test(obj_looks_through_what_is_added),
		cmocka_unit_test(obj_shows_baked_light),
		cmocka_unit_test(obj_names_stay_apart),
		cmocka_unit_test(obj_pictures_of_opaque_materials_have_no_alpha),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
