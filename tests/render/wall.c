/* wall.c - see wall.h. */
#include "wall.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SIDE = 9 };

void bspt_make_wall(bspt_wall *w, const bspscene_image *images, uint32_t image_count)
{
	static const float corners[4][2] = { { 32, -32 }, { -32, -32 }, { -32, 32 }, { 32, 32 } };
	static const float none[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	assert_in_range(image_count, 0, BSPT_WALL_IMAGES);
	memset(w, 0, sizeof *w);
	for (uint32_t i = 0; i < image_count; i++) w->image_table[i] = &images[i];
	for (int i = 0; i < BSPT_WALL_STAGES; i++) w->stage_table[i] = &w->stages[i];
	for (int i = 0; i < 2; i++) w->node_table[i] = &w->nodes[i];
	w->mesh_table[0] = &w->mesh;
	w->section_table[0] = &w->section;
	w->material_table[0] = &w->material;
	for (int i = 0; i < 4; i++) {
		memcpy(w->positions + 3 * i, (float[3]){ 64, corners[i][0], corners[i][1] }, 3 * sizeof(float));
		memcpy(w->normals + 3 * i, (float[3]){ -1, 0, 0 }, 3 * sizeof(float));
		memset(w->colors + 4 * i, 128, 4);
	}
	memcpy(w->indices, (uint32_t[6]){ 0, 1, 2, 0, 2, 3 }, sizeof w->indices);
	for (int i = 0; i < 2; i++) {
		w->nodes[i] = (bspscene_node){
			.name = "", .parent = i ? 0 : BSPSCENE_NO_INDEX, .mesh = i ? 0 : BSPSCENE_NO_INDEX,
			.color = { 1, 1, 1 }, .color_alpha = 1, .light = BSPSCENE_NO_INDEX, .camera = BSPSCENE_NO_INDEX,
			.prop = BSPSCENE_NO_INDEX, .entity = BSPSCENE_NO_INDEX, .material = BSPSCENE_NO_INDEX,
		};
		memcpy(w->nodes[i].transform, none, sizeof none);
	}
	w->section = (bspscene_section){
		.lightmap_page = BSPSCENE_NO_INDEX, .lighting = BSPSCENE_LIGHTING_VERTEX, .fog = BSPSCENE_NO_INDEX,
		.map_page_image = BSPSCENE_NO_INDEX, .vertex_count = 4, .index_count = 6, .face_count = 1,
	};
	w->mesh = (bspscene_mesh){
		.name = "", .vertex_count = 4, .index_count = 6, .section_count = 1,
		.positions = w->positions, .normals = w->normals, .uvs = w->uvs, .colors = w->colors,
		.indices = w->indices, .sections = w->section_table,
	};
	w->face = (bspscene_face){ .vertex_count = 4, .index_count = 6 };
	w->material = (bspscene_material){
		.name = "", .base_image = 0, .second_image = BSPSCENE_NO_INDEX, .emissive_image = BSPSCENE_NO_INDEX,
		.normal_image = BSPSCENE_NO_INDEX, .color = { 1, 1, 1, 1 }, .uv_scale = { 1, 1 }, .sort = 3,
	};
	w->scene = (bspscene_scene){
		.name = "", .nodes = w->node_table, .node_count = 2, .meshes = w->mesh_table, .mesh_count = 1,
		.materials = w->material_table, .material_count = 1, .images = w->image_table, .image_count = image_count,
		.material_passes = w->stage_table, .material_pass_count = BSPT_WALL_STAGES, .faces = &w->face, .face_count = 1,
		.counts = &w->counts, .light_grid = &w->light_grid, .map_fog = &w->map_fog, .tree = &w->tree, .vis = &w->vis,
	};
}

void bspt_draw_wall(const bspt_wall *w, const bspscene_render_options *given, float pitch, uint8_t out[3])
{
	bspscene_render_options options;
	bspscene_error error;
	uint8_t rgb[SIDE * SIDE * 3];
	bspscene_render_options_init(&options);
	if (given) options = *given;
	options.width = options.height = SIDE;
	options.background[2] = 1;
	options.threads = 1;
	bspscene_renderer *renderer = bspscene_renderer_create(&w->scene, &options, &error);
	if (!renderer) fail_msg("%s", error.message);
	/* The eye avoids the edge between both triangles. */
	bspscene_view view = { { 0, 5, 2 }, pitch, 0, 0, 30 };
	assert_true(bspscene_render(renderer, &view, &options, rgb, &error));
	bspscene_renderer_free(renderer);
	memcpy(out, rgb + 3 * (SIDE * (SIDE / 2) + SIDE / 2), 3);
}

void bspt_expect_color(const char *what, const uint8_t got[3], const uint8_t want[3])
{
	for (int i = 0; i < 3; i++) {
		if (abs(got[i] - want[i]) <= 2) continue;
		fail_msg("%s: %u %u %u instead of %u %u %u", what, got[0], got[1], got[2], want[0], want[1], want[2]);
	}
}
