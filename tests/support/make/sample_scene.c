/* sample_scene.c - see sample_scene.h. */
#include "support/make/sample_scene.h"

#include <stdlib.h>
#include <string.h>

#include <bspscene/material.h>

/* 8 x 8 pixels, gray, baseline JPEG. */
static const uint8_t gray_jpeg[] = {
	0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01, 0x01, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00,
	0x00, 0xff, 0xdb, 0x00, 0x43, 0x00, 0x1b, 0x12, 0x14, 0x17, 0x14, 0x11, 0x1b, 0x17, 0x16, 0x17, 0x1e, 0x1c, 0x1b,
	0x20, 0x28, 0x42, 0x2b, 0x28, 0x25, 0x25, 0x28, 0x51, 0x3a, 0x3d, 0x30, 0x42, 0x60, 0x55, 0x65, 0x64, 0x5f, 0x55,
	0x5d, 0x5b, 0x6a, 0x78, 0x99, 0x81, 0x6a, 0x71, 0x90, 0x73, 0x5b, 0x5d, 0x85, 0xb5, 0x86, 0x90, 0x9e, 0xa3, 0xab,
	0xad, 0xab, 0x67, 0x80, 0xbc, 0xc9, 0xba, 0xa6, 0xc7, 0x99, 0xa8, 0xab, 0xa4, 0xff, 0xc0, 0x00, 0x0b, 0x08, 0x00,
	0x08, 0x00, 0x08, 0x01, 0x01, 0x11, 0x00, 0xff, 0xc4, 0x00, 0x14, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xff, 0xc4, 0x00, 0x18, 0x10, 0x00, 0x02, 0x03, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x05, 0x21, 0x31, 0xff, 0xda,
	0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x15, 0xa3, 0xf2, 0x8f, 0xff, 0xd9,
};

static const uint8_t cmyk_jpeg[] = {
	0xff, 0xd8, 0xff, 0xee, 0x00, 0x0e, 0x41, 0x64, 0x6f, 0x62, 0x65, 0x00, 0x64, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff,
	0xdb, 0x00, 0x43, 0x00, 0x1b, 0x12, 0x14, 0x17, 0x14, 0x11, 0x1b, 0x17, 0x16, 0x17, 0x1e, 0x1c, 0x1b, 0x20, 0x28,
	0x42, 0x2b, 0x28, 0x25, 0x25, 0x28, 0x51, 0x3a, 0x3d, 0x30, 0x42, 0x60, 0x55, 0x65, 0x64, 0x5f, 0x55, 0x5d, 0x5b,
	0x6a, 0x78, 0x99, 0x81, 0x6a, 0x71, 0x90, 0x73, 0x5b, 0x5d, 0x85, 0xb5, 0x86, 0x90, 0x9e, 0xa3, 0xab, 0xad, 0xab,
	0x67, 0x80, 0xbc, 0xc9, 0xba, 0xa6, 0xc7, 0x99, 0xa8, 0xab, 0xa4, 0xff, 0xc0, 0x00, 0x14, 0x08, 0x00, 0x08, 0x00,
	0x08, 0x04, 0x43, 0x11, 0x00, 0x4d, 0x11, 0x00, 0x59, 0x11, 0x00, 0x4b, 0x11, 0x00, 0xff, 0xc4, 0x00, 0x16, 0x00,
	0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x06,
	0xff, 0xc4, 0x00, 0x18, 0x10, 0x01, 0x00, 0x03, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x05, 0x15, 0x42, 0x62, 0xff, 0xda, 0x00, 0x0e, 0x04, 0x43, 0x00, 0x4d, 0x00, 0x59, 0x00, 0x4b,
	0x00, 0x00, 0x3f, 0x00, 0x08, 0x1c, 0x82, 0x93, 0x94, 0xd3, 0x3f, 0xff, 0xd9,
};

static const bspscene_pair pairs[] = {
	{ "classname", "worldspawn" },
	{ "message", "first \"line\"\nand second" },
	{ "message", "again" },
	{ "message", "and again" },
	{ "_gr\xc3\xb6\xc3\x9f" "e", "12" },
	{ "classname", "func_door" },
	{ "model", "*1" },
	{ "angle", "90" },
	{ "classname", "light" },
	{ "light", "300" },
	{ "classname", "misc_model" },
	{ "classname", "info_player_intermission" },
};

static const bspscene_entity entities[] = {
	{ "worldspawn", "", 0, 5, BSPT_SAMPLE_NODE_WORLD, 0, BSPSCENE_NO_INDEX, { 0, 0, 0 } },
	{ "func_door", "", 5, 3, BSPT_SAMPLE_NODE_DOOR, 1, 2, { 10, 20, 30 } },
	{ "light", "", 8, 2, BSPT_SAMPLE_NODE_LAMP, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, { 100, 200, 300 } },
	{ "misc_model", "", 10, 1, BSPT_SAMPLE_NODE_PROP, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, { 0, 0, 0 } },
	{ "info_player_intermission", "", 11, 1, BSPT_SAMPLE_NODE_CAMERA, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX,
	  { 0, 0, 64 } },
};

static const struct { const char *name; bspscene_node_kind kind; } nodes[BSPT_SAMPLE_NODES] = {
	{ "root", BSPSCENE_NODE_ROOT },
	{ "worldspawn", BSPSCENE_NODE_WORLD },
	{ "func_door:1", BSPSCENE_NODE_BRUSH_ENTITY },
	{ "light:2", BSPSCENE_NODE_LIGHT },
	{ "light_spot", BSPSCENE_NODE_LIGHT },
	{ "sun", BSPSCENE_NODE_LIGHT },
	{ "surface_light", BSPSCENE_NODE_LIGHT },
	{ "info_player_intermission:4", BSPSCENE_NODE_CAMERA },
	{ "misc_model:3", BSPSCENE_NODE_PROP },
	{ "flare:0", BSPSCENE_NODE_FLARE },
	{ "child", BSPSCENE_NODE_POINT_ENTITY },
	{ "empty", BSPSCENE_NODE_BRUSH_ENTITY },
};

enum { BRICK, LAMP, GRATE, SKY, GLOW, FILTER, TERRAIN, INSIDE, UNUSED };

static const struct {
	uint32_t material, page;
	bspscene_lighting lighting;
	bspscene_surface_kind kind;
} sections[BSPT_SAMPLE_SECTIONS] = {
	{ BRICK, 0, BSPSCENE_LIGHTING_LIGHTMAP, BSPSCENE_SURFACE_VISIBLE },
	{ BRICK, 1, BSPSCENE_LIGHTING_LIGHTMAP, BSPSCENE_SURFACE_VISIBLE },
	{ LAMP, 0, BSPSCENE_LIGHTING_LIGHTMAP, BSPSCENE_SURFACE_VISIBLE },
	{ GRATE, BSPSCENE_NO_INDEX, BSPSCENE_LIGHTING_VERTEX, BSPSCENE_SURFACE_VISIBLE },
	{ SKY, BSPSCENE_NO_INDEX, BSPSCENE_LIGHTING_FULLBRIGHT, BSPSCENE_SURFACE_SKY },
	{ BRICK, BSPSCENE_NO_INDEX, BSPSCENE_LIGHTING_BLACK, BSPSCENE_SURFACE_VISIBLE },
	{ GLOW, BSPSCENE_NO_INDEX, BSPSCENE_LIGHTING_FULLBRIGHT, BSPSCENE_SURFACE_VISIBLE },
	{ FILTER, BSPSCENE_NO_INDEX, BSPSCENE_LIGHTING_FULLBRIGHT, BSPSCENE_SURFACE_VISIBLE },
	{ TERRAIN, 0, BSPSCENE_LIGHTING_LIGHTMAP, BSPSCENE_SURFACE_VISIBLE },
	{ INSIDE, 1, BSPSCENE_LIGHTING_LIGHTMAP, BSPSCENE_SURFACE_VISIBLE },
};

static const bspscene_material plain_material = {
	.name = "", .base_image = BSPSCENE_NO_INDEX, .second_image = BSPSCENE_NO_INDEX,
	.emissive_image = BSPSCENE_NO_INDEX, .normal_image = BSPSCENE_NO_INDEX, .color = { 1, 1, 1, 1 },
	.uv_scale = { 1, 1 }, .alpha_cutoff = 0.5f, .script_file = "", .script_text = "",
};

static void make_materials(bspt_sample *s)
{
	static const char *const names[BSPT_SAMPLE_MATERIALS] = {
		"textures/sample/brick", "textures/sample/lamp", "textures/sample/grate", "textures/sample/sky",
		"textures/sample/glow", "textures/sample/filter", "textures/sample/terrain",
		"textures/sample/inside", "textures/sample/unused",
	};
	static const uint32_t images[BSPT_SAMPLE_MATERIALS] = {
		BSPT_SAMPLE_IMAGE_PNG, BSPT_SAMPLE_IMAGE_JPEG, BSPT_SAMPLE_IMAGE_RGBA, BSPT_SAMPLE_IMAGE_MISSING,
		BSPT_SAMPLE_IMAGE_RGBA, BSPT_SAMPLE_IMAGE_RGBA, BSPT_SAMPLE_IMAGE_MISSING_2,
		BSPT_SAMPLE_IMAGE_CMYK, BSPT_SAMPLE_IMAGE_UNUSED,
	};
	bspscene_material *m = s->materials;
	for (int i = 0; i < BSPT_SAMPLE_MATERIALS; i++) {
		m[i] = plain_material;
		m[i].name = names[i];
		m[i].base_image = images[i];
	}
	m[BRICK].surface_flags = 0x1000;
	m[BRICK].content_flags = 1;
	m[BRICK].script_file = "scripts/sample.shader";
	m[BRICK].script_line = 12;
	m[LAMP].emissive_image = BSPT_SAMPLE_IMAGE_RGBA;
	m[LAMP].emissive[0] = m[LAMP].emissive[1] = m[LAMP].emissive[2] = 2;
	m[LAMP].surface_light = 1500;
	m[GRATE].alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
	m[GRATE].alpha_cutoff = 0.25f;
	m[GRATE].cull = BSPSCENE_CULL_NONE;
	m[SKY].kind = BSPSCENE_MATERIAL_SKY;
	m[SKY].unlit = true;
	m[GLOW].alpha_mode = BSPSCENE_ALPHA_MODE_ADD;
	m[GLOW].scroll[0] = 0.5f;
	m[FILTER].alpha_mode = BSPSCENE_ALPHA_MODE_MODULATE;
	m[TERRAIN].alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	m[TERRAIN].first_pass = 0;
	m[TERRAIN].pass_count = 2;
	m[INSIDE].cull = BSPSCENE_CULL_FRONT;
	m[INSIDE].clamp = true;
	m[INSIDE].color[0] = m[INSIDE].color[3] = 0.5f;
	m[INSIDE].uv_scale[0] = 2;
	m[INSIDE].uv_offset[1] = 0.25f;

	s->frames[0] = BSPT_SAMPLE_IMAGE_RGBA;
	s->frames[1] = BSPT_SAMPLE_IMAGE_JPEG;
	s->frames[2] = BSPT_SAMPLE_IMAGE_MISSING_2;
	s->stages[0] = (bspscene_material_pass) {
		.input = BSPSCENE_PASS_INPUT_IMAGE,
		.first_frame_image = 0,
		.frame_image_count = 2,
		.frames_per_second = 4,
		.video = "",
	};
	s->stages[1] = (bspscene_material_pass) { .input = BSPSCENE_PASS_INPUT_IMAGE,
		                                      .first_frame_image = 2,
		                                      .frame_image_count = 1,
		                                      .video = "",
		                                      .alpha_gen = BSPSCENE_ALPHA_GEN_VERTEX };
}

static void make_images(bspt_sample *s)
{
	static const uint8_t pixels[16] = { 255, 0, 0, 255, 0, 128, 0, 128, 0, 0, 0, 0, 64, 64, 255, 255 };
	s->png = bspt_read_fixture("atrium/quake3/textures/sample/floor.png");
	memcpy(s->pixels, pixels, sizeof pixels);
	for (int i = 0; i < BSPT_SAMPLE_IMAGES; i++) {
		s->images[i] = (bspscene_image){
			.name = "textures/sample/missing", .path = "", .archive = "", .format = BSPSCENE_IMAGE_MISSING,
			.is_checkerboard = true,
		};
	}
	s->images[BSPT_SAMPLE_IMAGE_PNG] = (bspscene_image){
		.name = "textures/sample/floor", .path = "textures/sample/floor.png", .archive = "pak0.pk3",
		.format = BSPSCENE_IMAGE_PNG,
		.width = 64, .height = 64, .data = s->png.data, .size = s->png.size,
	};
	s->images[BSPT_SAMPLE_IMAGE_JPEG] = (bspscene_image){
		.name = "textures/sample/lamp", .path = "textures/sample/lamp.jpg", .archive = "pak0.pk3",
		.format = BSPSCENE_IMAGE_JPEG,
		.width = 8, .height = 8, .data = gray_jpeg, .size = sizeof gray_jpeg,
	};
	s->images[BSPT_SAMPLE_IMAGE_RGBA] = (bspscene_image){
		.name = "Textures/Sample/floor", .path = "", .archive = "",
		.format = BSPSCENE_IMAGE_RGBA,
		.width = 2, .height = 2, .data = s->pixels, .size = 16, .has_alpha = true,
	};
	s->images[BSPT_SAMPLE_IMAGE_UNUSED] = s->images[BSPT_SAMPLE_IMAGE_JPEG];
	s->images[BSPT_SAMPLE_IMAGE_CMYK] = (bspscene_image){
		.name = "../textures sample:inside", .path = "textures/inside.jpg", .archive = "pak0.pk3",
		.format = BSPSCENE_IMAGE_JPEG,
		.width = 8, .height = 8, .data = cmyk_jpeg, .size = sizeof cmyk_jpeg,
	};
}

static void make_square(bspt_sample *s, uint32_t section)
{
	static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	static const uint32_t triangles[6] = { 0, 1, 2, 0, 2, 3 };
	for (uint32_t c = 0; c < 4; c++) {
		uint32_t v = 4 * section + c;
		float *p = &s->positions[3 * v];
		p[0] = 64 * ((float)section + corners[c][0]);
		p[1] = 64 * corners[c][1];
		p[2] = 8 * (float)section;
		s->normals[3 * v + 2] = 1;
		/* The page has 4 x 4 luxels. The corners of the square are at the centers of its four middle luxels. */
		for (int i = 0; i < 2; i++) {
			s->uvs[2 * v + (uint32_t)i] = corners[c][i];
			s->lightmap_uvs[2 * v + (uint32_t)i] = (1.5f + corners[c][i]) / 4;
		}
		s->colors[4 * v] = (uint8_t)(60 * c);
		s->colors[4 * v + 1] = s->colors[4 * v + 2] = 128;
		s->colors[4 * v + 3] = (uint8_t)(85 * c);
	}
	for (uint32_t i = 0; i < 6; i++) s->indices[6 * section + i] = 4 * section + triangles[i];
	s->sections[section] = (bspscene_section) {
		.material = sections[section].material,
		.lightmap_page = sections[section].page,
		.lighting = sections[section].lighting,
		.surface_kind = sections[section].kind,
		.fog = section ? BSPSCENE_NO_INDEX : 0,
		.map_page_image = BSPSCENE_NO_INDEX,
		.first_vertex = 4 * section,
		.vertex_count = 4,
		.first_index = 6 * section,
		.index_count = 6,
		.first_face = section,
		.face_count = 1,
	};
	s->faces[section] = (bspscene_face){
		.record = section, .section = section, .first_index = 6 * section, .index_count = 6,
		.first_vertex = 4 * section, .vertex_count = 4, .leaf = BSPSCENE_NO_INDEX, .cluster = BSPSCENE_NO_INDEX,
		.area = BSPSCENE_NO_INDEX, .lightmap_page = sections[section].page, .styles = { 0, 255, 255, 255 },
	};
}

/* Makes the meshes. Mesh 1 shares the vertices of mesh 0 and has a triangle without area. No node uses mesh 2. Mesh 3
 * is empty. */
static void make_meshes(bspt_sample *s)
{
	static const uint32_t door_indices[9] = { 0, 1, 2, 2, 2, 3, 0, 2, 3 };
	for (uint32_t i = 0; i < BSPT_SAMPLE_SECTIONS; i++) make_square(s, i);
	memcpy(s->door_indices, door_indices, sizeof door_indices);
	s->sections[BSPT_SAMPLE_SECTIONS] = (bspscene_section){ .material = BRICK, .lightmap_page = BSPSCENE_NO_INDEX,
		.lighting = BSPSCENE_LIGHTING_VERTEX, .fog = BSPSCENE_NO_INDEX, .map_page_image = BSPSCENE_NO_INDEX,
		.vertex_count = 4, .index_count = 9,
	};
	s->sections[BSPT_SAMPLE_SECTIONS + 1] = s->sections[BSPT_SAMPLE_SECTIONS];
	s->sections[BSPT_SAMPLE_SECTIONS + 1].material = UNUSED;
	s->meshes[0] = (bspscene_mesh){ .name = "worldspawn", .vertex_count = BSPT_SAMPLE_VERTICES,
		.index_count = 6 * BSPT_SAMPLE_SECTIONS, .section_count = BSPT_SAMPLE_SECTIONS, .positions = s->positions,
		.normals = s->normals, .uvs = s->uvs, .lightmap_uvs = s->lightmap_uvs, .colors = s->colors,
		.indices = s->indices, .sections = s->tables.sections, .bounds = { { 0, 0, 0 }, { 640, 64, 72 } } };
	s->meshes[1] = s->meshes[0];
	s->meshes[1].name = "*1";
	s->meshes[1].model = 1;
	s->meshes[1].vertex_count = 4;
	s->meshes[1].index_count = 9;
	s->meshes[1].indices = s->door_indices;
	s->meshes[1].section_count = 1;
	s->meshes[1].sections = &s->tables.sections[BSPT_SAMPLE_SECTIONS];
	s->meshes[2] = s->meshes[1];
	s->meshes[2].name = "unseen";
	s->meshes[2].sections = &s->tables.sections[BSPT_SAMPLE_SECTIONS + 1];
	s->meshes[3] = (bspscene_mesh){
		.name = "empty", .model = BSPSCENE_NO_INDEX, .bounds = { { 1, 1, 1 }, { -1, -1, -1 } },
	};
}

static void make_nodes(bspt_sample *s)
{
	for (uint32_t i = 0; i < BSPT_SAMPLE_NODES; i++) {
		s->nodes[i] = (bspscene_node){
			.name = nodes[i].name, .kind = nodes[i].kind, .parent = i ? 0 : BSPSCENE_NO_INDEX,
			.transform = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, .mesh = BSPSCENE_NO_INDEX, .light = BSPSCENE_NO_INDEX,
			.camera = BSPSCENE_NO_INDEX, .prop = BSPSCENE_NO_INDEX, .entity = BSPSCENE_NO_INDEX, .color = { 1, 1, 1 },
			.color_alpha = 1, .material = BSPSCENE_NO_INDEX,
		};
	}
	/* Rotates by 90 degrees to the left, doubles the height, and moves. */
	static const float door[12] = { 0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 2, 30 };
	memcpy(s->nodes[BSPT_SAMPLE_NODE_DOOR].transform, door, sizeof door);
	/* Turns the forward axis down. */
	static const float down[12] = { 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 128 };
	memcpy(s->nodes[BSPT_SAMPLE_NODE_SPOT].transform, down, sizeof down);
	memcpy(s->nodes[BSPT_SAMPLE_NODE_SUN].transform, down, sizeof down);
	static const float camera[12] = { 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 64 };
	memcpy(s->nodes[BSPT_SAMPLE_NODE_CAMERA].transform, camera, sizeof camera);
	static const float lamp[12] = { 1, 0, 0, 100, 0, 1, 0, 200, 0, 0, 1, 300 };
	memcpy(s->nodes[BSPT_SAMPLE_NODE_LAMP].transform, lamp, sizeof lamp);

	s->nodes[BSPT_SAMPLE_NODE_WORLD].mesh = 0;
	s->nodes[BSPT_SAMPLE_NODE_WORLD].entity = 0;
	s->nodes[BSPT_SAMPLE_NODE_DOOR].mesh = 1;
	s->nodes[BSPT_SAMPLE_NODE_DOOR].entity = 1;
	s->nodes[BSPT_SAMPLE_NODE_LAMP].light = 0;
	s->nodes[BSPT_SAMPLE_NODE_LAMP].entity = 2;
	s->nodes[BSPT_SAMPLE_NODE_SPOT].light = 1;
	s->nodes[BSPT_SAMPLE_NODE_SUN].light = 2;
	s->nodes[BSPT_SAMPLE_NODE_SURFACE].light = 3;
	s->nodes[BSPT_SAMPLE_NODE_CAMERA].camera = 0;
	s->nodes[BSPT_SAMPLE_NODE_CAMERA].entity = 4;
	s->nodes[BSPT_SAMPLE_NODE_PROP].prop = 0;
	s->nodes[BSPT_SAMPLE_NODE_PROP].entity = 3;
	s->nodes[BSPT_SAMPLE_NODE_FLARE].hidden = true;
	s->nodes[BSPT_SAMPLE_NODE_FLARE].material = GLOW;
	s->nodes[BSPT_SAMPLE_NODE_CHILD].parent = BSPT_SAMPLE_NODE_SPOT;
	s->nodes[BSPT_SAMPLE_NODE_EMPTY].mesh = 3;
}

static void make_light(bspt_sample *s)
{
	for (uint32_t p = 0; p < BSPT_SAMPLE_PAGES; p++) {
		for (uint32_t i = 0; i < 16; i++) {
			uint8_t *luxel = &s->luxels[p][3 * i];
			luxel[0] = (uint8_t)(17 * i);
			luxel[1] = (uint8_t)(255 - 17 * i);
			luxel[2] = p ? 255 : 0;
		}
		s->pages[p] = (bspscene_lightmap_page){ 4, 4, BSPSCENE_LIGHTMAP_PAGE_RGB8, s->luxels[p], NULL };
	}
	s->page_sets[0] = (bspscene_lightmap_set){ .kind = BSPSCENE_LIGHTMAP_SET_LIGHT, .intensity = 2, .pages = s->pages };
	s->styles[0] = (bspscene_light_style){ .name = "normal", .pattern = "m", .entity = BSPSCENE_NO_INDEX, .start = 1 };
	s->lights[0] = (bspscene_light){
		.kind = BSPSCENE_LIGHT_POINT, .node = BSPT_SAMPLE_NODE_LAMP, .entity = 2, .color = { 1, 0.5f, 0 },
		.intensity = 300, .falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE, .illuminance_at_100_units = 3.5f,
	};
	s->lights[1] = (bspscene_light){
		.kind = BSPSCENE_LIGHT_SPOT, .node = BSPT_SAMPLE_NODE_SPOT, .entity = BSPSCENE_NO_INDEX,
		.color = { 1, 1, 1 }, .intensity = 200, .falloff = BSPSCENE_FALLOFF_LINEAR, .inner_angle_degrees = 30,
		.outer_angle_degrees = 30, .radius = 400, .illuminance_at_100_units = 0.5f,
	};
	s->lights[2] = (bspscene_light){
		.kind = BSPSCENE_LIGHT_SUN, .node = BSPT_SAMPLE_NODE_SUN, .entity = BSPSCENE_NO_INDEX,
		.color = { 1, 1, 1 }, .intensity = 255, .falloff = BSPSCENE_FALLOFF_NONE, .illuminance_at_100_units = 21,
	};
	s->lights[3] = (bspscene_light){
		.kind = BSPSCENE_LIGHT_SURFACE, .node = BSPT_SAMPLE_NODE_SURFACE, .entity = BSPSCENE_NO_INDEX,
		.color = { 1, 1, 1 }, .intensity = 1500, .illuminance_at_100_units = 4,
	};
}

static void make_tables(bspt_sample *s)
{
	BSPT_POINT(s->tables.nodes, s->nodes);
	BSPT_POINT(s->tables.entities, s->entities);
	BSPT_POINT(s->tables.meshes, s->meshes);
	BSPT_POINT(s->tables.sections, s->sections);
	BSPT_POINT(s->tables.materials, s->materials);
	BSPT_POINT(s->tables.stages, s->stages);
	BSPT_POINT(s->tables.images, s->images);
	BSPT_POINT(s->tables.styles, s->styles);
	BSPT_POINT(s->tables.lights, s->lights);
	BSPT_POINT(s->tables.cameras, s->cameras);
	BSPT_POINT(s->tables.props, s->props);
	BSPT_POINT(s->tables.fogs, s->fogs);
	BSPT_POINT(s->tables.warnings, s->warnings);
}

bspt_sample *bspt_sample_make(void)
{
	bspt_sample *s = calloc(1, sizeof *s);
	if (!s) bspt_die("sample scene", "out of memory");
	make_tables(s);
	make_materials(s);
	make_images(s);
	make_meshes(s);
	make_nodes(s);
	make_light(s);
	memcpy(s->pairs, pairs, sizeof pairs);
	memcpy(s->entities, entities, sizeof entities);
	s->cameras[0] = (bspscene_camera){ BSPSCENE_CAMERA_INTERMISSION, BSPT_SAMPLE_NODE_CAMERA, 4, 90 };
	s->props[0] = (bspscene_prop){
		.model = "models/barrel.md3", .node = BSPT_SAMPLE_NODE_PROP, .entity = 3, .is_static = true,
		.color = { 1, 0.5f, 1, 1 }, .solid = 6, .flags = BSPSCENE_PROP_FADES | BSPSCENE_PROP_LIGHTING_ORIGIN,
		.fade_near = 100, .fade_far = 200, .fade_scale = 0.5f, .lighting_origin = { 1, 2, 3 }, .dx_levels = { 0, 90 },
	};
	s->fogs[0] = (bspscene_fog){
		.material = BRICK, .brush = BSPSCENE_NO_INDEX, .bounds = { { 1, 1, 1 }, { -1, -1, -1 } },
	};
	static const bspscene_occurrence once = {
		"textures: textures/sample/missing", UINT64_MAX, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX,
	};
	static const bspscene_occurrence *const occurrences[] = { &once };
	s->warnings[0] = (bspscene_warning){
		BSPSCENE_WARNING_TEXTURE_MISSING, 2, "textures", once.message, occurrences, 1,
	};

	s->scene = (bspscene_scene) {
		.name = "sample",
		.family = "quake3",
		.variant = "quake3",
		.version = 46,
		.meters_per_unit = 0.0254f,
		.bounds = { { 0, 0, 0 }, { 640, 64, 72 } },
		.nodes = s->tables.nodes,
		.node_count = BSPT_SAMPLE_NODES,
		.entities = s->tables.entities,
		.entity_count = 5,
		.pairs = s->pairs,
		.pair_count = 12,
		.meshes = s->tables.meshes,
		.mesh_count = BSPT_SAMPLE_MESHES,
		.faces = s->faces,
		.face_count = BSPT_SAMPLE_SECTIONS,
		.materials = s->tables.materials,
		.material_count = BSPT_SAMPLE_MATERIALS,
		.material_passes = s->tables.stages,
		.material_pass_count = 2,
		.frame_images = s->frames,
		.frame_image_count = 3,
		.images = s->tables.images,
		.image_count = BSPT_SAMPLE_IMAGES,
		.lightmap_sets = s->page_sets,
		.lightmap_set_count = 1,
		.lightmap_page_count = BSPT_SAMPLE_PAGES,
		.light_styles = s->tables.styles,
		.light_style_count = 1,
		.lights = s->tables.lights,
		.light_count = 4,
		.cameras = s->tables.cameras,
		.camera_count = 1,
		.props = s->tables.props,
		.prop_count = 1,
		.fogs = s->tables.fogs,
		.fog_count = 1,
		.warnings = s->tables.warnings,
		.warning_count = 1,
		.sky_material = SKY,
		.overbright = 4,
		.first_key_wins = true,
		.counts = &s->counts,
		.light_grid = &s->light_grid,
		.map_fog = &s->map_fog,
		.tree = &s->tree,
		.vis = &s->vis,
	};
	return s;
}

void bspt_sample_free(bspt_sample *sample)
{
	free(sample->png.data);
	free(sample);
}
