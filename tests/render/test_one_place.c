/* Promise: if surfaces are in the same plane, the last one in the map covers the others in all pixels. It does not
 * matter how they are divided into triangles and meshes. Deforming surfaces are above all others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

enum { SIDE = 32, MOST_LAYERS = 60, MOST_SQUARES = 5 * 40 * 40, MOST_VERTICES = MOST_SQUARES * 4 };
/* The renderer draws at most this many coinciding surfaces along a ray, the nearest ones. */
enum { MOST_HITS = 48 };

/* Colors, which are half transparent. */
static const uint8_t red[4] = { 255, 0, 0, 128 }, green[4] = { 0, 255, 0, 128 };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(1, 1, red), BSPT_WALL_IMAGE(1, 1, green) };

/* Coplanar walls, each with `along` squares along both sides. */
typedef struct layers {
	bspt_wall wall;
	uint32_t count, along, deforming, vertex_count, index_count;
	float positions[MOST_VERTICES * 3], normals[MOST_VERTICES * 3], uvs[MOST_VERTICES * 2];
	uint32_t indices[MOST_VERTICES / 4 * 6];
	bspscene_section sections[MOST_LAYERS];
	bspscene_material materials[MOST_LAYERS];
	bspscene_mesh meshes[MOST_LAYERS];
	bspscene_node nodes[1 + MOST_LAYERS];
	const bspscene_section *section_table[MOST_LAYERS];
	const bspscene_material *material_table[MOST_LAYERS];
	const bspscene_mesh *mesh_table[MOST_LAYERS];
	const bspscene_node *node_table[1 + MOST_LAYERS];
} layers;

static void add_square(layers *l, uint32_t number)
{
	static const uint32_t quad[6] = { 0, 1, 2, 0, 2, 3 };
	const float width = 64.0f / (float)l->along;
	for (uint32_t i = 0; i < 6; i++) l->indices[l->index_count++] = l->vertex_count + quad[i];
	for (uint32_t k = 0; k < 4; k++, l->vertex_count++) {
		float *position = l->positions + 3 * (size_t)l->vertex_count;
		position[0] = 64;
		position[1] = 32 - width * (float)(number % l->along + (k == 1 || k == 2));
		position[2] = width * (float)(number / l->along + (k >= 2)) - 32;
		l->normals[3 * (size_t)l->vertex_count] = -1;
	}
}

/* Adds a wall. The first `deforming` walls have a deformation that moves nothing. The top one has another color. */
static void add_layer(layers *l, uint32_t layer, uint32_t top_color)
{
	static const bspscene_deform still = { .kind = BSPSCENE_DEFORM_MOVE };
	static const bspscene_deform *const deforms[1] = { &still };
	const uint32_t above = l->deforming ? l->deforming : l->count, top = (above < MOST_HITS ? above : MOST_HITS) - 1;
	bspscene_section *section = &l->sections[layer];
	*section = l->wall.section;
	section->material = layer;
	section->face_count = 0;
	section->first_vertex = l->vertex_count;
	section->first_index = l->index_count;
	for (uint32_t i = 0; i < l->along * l->along; i++) add_square(l, i);
	section->vertex_count = l->vertex_count - section->first_vertex;
	section->index_count = l->index_count - section->first_index;
	l->materials[layer] = l->wall.material;
	l->materials[layer].unlit = true;
	l->materials[layer].alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	l->materials[layer].base_image = layer == top ? top_color : 1 - top_color;
	l->materials[layer].deforms = deforms;
	l->materials[layer].deform_count = layer < l->deforming;
}

/* Makes walls in one mesh or, if `apart`, each in its own. */
static void make_layers(layers *l, uint32_t count, uint32_t along, bool apart, uint32_t deforming, uint32_t top_color)
{
	memset(l, 0, sizeof *l);
	l->count = count;
	l->along = along;
	l->deforming = deforming;
	bspt_make_wall(&l->wall, images, 2);
	bspscene_mesh all = l->wall.mesh;
	all.positions = l->positions;
	all.normals = l->normals;
	all.uvs = l->uvs;
	all.colors = NULL;
	all.indices = l->indices;
	for (uint32_t i = 0; i < count; i++) {
		add_layer(l, i, top_color);
		l->section_table[i] = &l->sections[i];
		l->material_table[i] = &l->materials[i];
	}
	all.vertex_count = l->vertex_count;
	all.index_count = l->index_count;
	l->nodes[0] = l->wall.nodes[0];
	l->node_table[0] = &l->nodes[0];
	uint32_t mesh_count = apart ? count : 1;
	for (uint32_t i = 0; i < mesh_count; i++) {
		l->meshes[i] = all;
		l->meshes[i].sections = l->section_table + i;
		l->meshes[i].section_count = apart ? 1 : count;
		/* In separate meshes, indices of triangles begin at 0. */
		if (apart) {
			l->meshes[i].indices += l->sections[i].first_index;
			l->meshes[i].index_count = l->sections[i].index_count;
			l->sections[i].first_index = 0;
		}
		l->mesh_table[i] = &l->meshes[i];
		l->nodes[1 + i] = l->wall.nodes[1];
		l->nodes[1 + i].mesh = i;
		l->node_table[1 + i] = &l->nodes[1 + i];
	}
	bspscene_scene *scene = &l->wall.scene;
	scene->materials = l->material_table;
	scene->material_count = count;
	scene->meshes = l->mesh_table;
	scene->mesh_count = mesh_count;
	scene->nodes = l->node_table;
	scene->node_count = 1 + mesh_count;
}

static void draw(const layers *l, uint8_t *rgb)
{
	const bspscene_view view = { { 0, 5, 2 }, 0, 0, 0, 40 };
	bspscene_render_options options;
	bspscene_error error;
	bspscene_render_options_init(&options);
	options.width = options.height = SIDE;
	options.threads = options.samples = 1;
	bspscene_renderer *renderer = bspscene_renderer_create(&l->wall.scene, &options, &error);
	if (!renderer) fail_msg("%s", error.message);
	assert_true(bspscene_render(renderer, &view, &options, rgb, &error));
	bspscene_renderer_free(renderer);
}

static void the_later_one_is_on_top(void **state)
{
	static layers l;
	static const struct { uint32_t count, along; bool apart; uint32_t deforming; } cases[] = {
		{ 2, 1, false, 0 }, { 2, 14, false, 0 }, { 3, 14, false, 0 }, { 4, 27, false, 0 }, { 5, 40, false, 0 },
		{ 2, 1, true, 0 }, { 2, 3, true, 0 }, { 3, 4, true, 0 }, { 5, 5, true, 0 },
		{ 3, 4, false, 1 }, { 3, 4, true, 1 }, { 4, 4, true, 2 }, { 3, 4, true, 3 },
		{ MOST_HITS, 1, false, 0 }, { MOST_LAYERS, 1, false, 0 }, { MOST_LAYERS, 1, true, 0 },
	};
	(void)state;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		uint32_t top_color = i % 2, count = cases[i / 2].count;
		uint8_t rgb[SIDE * SIDE * 3];
		make_layers(&l, count, cases[i / 2].along, cases[i / 2].apart, cases[i / 2].deforming, top_color);
		draw(&l, rgb);
		/* The top wall is half transparent, so half of the picture's color is its own. The other walls and the
		 * background have the other half. */
		const int others = 128 - (count < 8 ? 256 >> count : 0);
		for (uint32_t p = 0; p < SIDE * SIDE; p++) {
			int top = rgb[3 * p + top_color], other = rgb[3 * p + 1 - top_color];
			if (abs(top - 128) <= 2 && abs(other - others) <= 2) continue;
			fail_msg("case %zu, pixel %u: %d over %d", i / 2, p, top, other);
		}
	}
}

/* An earlier version followed each ray of a picture through all of 300,000 walls. */
static void a_ray_through_too_many_is_refused(void **state)
{
	enum { WALLS = 300000, CORNERS = 6 };
	static bspt_wall wall;
	bspscene_render_options options;
	bspscene_error error;
	uint8_t rgb[3];
	float distance;
	(void)state;
	bspt_make_wall(&wall, images, 1);
	uint32_t *indices = malloc(sizeof *indices * WALLS * CORNERS);
	assert_non_null(indices);
	for (uint32_t i = 0; i < WALLS * CORNERS; i++) indices[i] = wall.indices[i % CORNERS];
	wall.mesh.indices = indices;
	wall.mesh.index_count = wall.section.index_count = WALLS * CORNERS;
	wall.section.face_count = 0;
	wall.material.alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	bspscene_render_options_init(&options);
	options.width = options.height = options.threads = options.samples = 1;
	options.memory_limit = UINT64_MAX;
	const bspscene_view view = { { 0, 5, 2 }, 0, 0, 0, 40 };
	bspscene_renderer *renderer = bspscene_renderer_create(&wall.scene, &options, &error);
	if (!renderer) fail_msg("%s", error.message);
	assert_false(bspscene_render(renderer, &view, &options, rgb, &error));
	assert_string_equal(error.message, "rays meet too many surfaces one after the other; draw a smaller picture");
	assert_false(bspscene_render_distances(renderer, &view, &options, &distance, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_LIMIT);
	bspscene_renderer_free(renderer);
	free(indices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_later_one_is_on_top), cmocka_unit_test(a_ray_through_too_many_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
