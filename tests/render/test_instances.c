/* Promise: instances of a model (rotated, mirrored, scaled) look as if each had its own triangles. In memory the
 * triangles exist only once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/hostile/counted_memory.h"
#include "wall.h"

enum { SIDE = 64, VERTICES = SIDE * SIDE, INDICES = (SIDE - 1) * (SIDE - 1) * 6, MOST = 2000, WIDTH = 200 };

static const uint8_t texels[16] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255 };

/* A sheet with a dent. Only its front, which faces +X, is drawn. */
typedef struct sheet {
	bspt_wall wall;
	bspscene_mesh meshes[MOST];
	const bspscene_mesh *mesh_table[MOST];
	bspscene_node nodes[MOST + 1];
	const bspscene_node *node_table[MOST + 1];
	float positions[VERTICES * 3], normals[VERTICES * 3], uvs[VERTICES * 2];
	uint8_t colors[VERTICES * 4];
	uint32_t indices[INDICES];
} sheet;

static void fill_sheet(sheet *s)
{
	for (uint32_t v = 0; v < VERTICES; v++) {
		float y = (float)(v % SIDE) / (SIDE - 1) - 0.5f, z = (float)(v / SIDE) / (SIDE - 1) - 0.5f;
		memcpy(s->positions + 3 * v, (float[3]){ 0.4f * (float)cos(6 * y) * z, y, z }, 3 * sizeof(float));
		memcpy(s->normals + 3 * v, (float[3]){ 1, 0, 0 }, 3 * sizeof(float));
		memcpy(s->uvs + 2 * v, (float[2]){ 2 * y, 2 * z }, 2 * sizeof(float));
		memset(s->colors + 4 * v, (int)(100 + v % 100), 4);
	}
	uint32_t *index = s->indices;
	for (uint32_t v = 0; v < VERTICES - SIDE; v++) {
		if (v % SIDE == SIDE - 1) continue;
		const uint32_t corners[6] = { v, v + 1, v + SIDE, v + 1, v + SIDE + 1, v + SIDE };
		memcpy(index, corners, sizeof corners);
		index += 6;
	}
}

/* Places instances in front of the eye, which looks along +X from the origin. Every second one is mirrored, and half of
 * each kind are rotated by 180 degrees. */
static void place(bspscene_node *node, uint32_t number)
{
	float turn = (float)number * 0.7f, size = 6 + (float)(number % 3) * 3, side = number % 2 ? 1.0f : -1.0f;
	float c = (float)cos(turn), s = (float)sin(turn), back = number / 2 % 2 ? 1.0f : -1.0f;
	const float transform[12] = {
		-size * side * back * 0.9f, 0.2f * size * back, 0, 40 + (float)(number % 50) * 4,
		0, size * c * back, -size * s * back, ((float)(number % 7) - 3) * 9,
		0, size * s, size * c, ((float)(number / 7 % 7) - 3) * 9,
	};
	memcpy(node->transform, transform, sizeof transform);
}

/* Makes instances. If `shared`, all nodes have the same mesh; otherwise each has its own. */
static sheet *make_sheets(uint32_t count, bool shared, const bspscene_image *image)
{
	sheet *s = calloc(1, sizeof *s);
	assert_non_null(s);
	bspt_make_wall(&s->wall, image, 1);
	fill_sheet(s);
	s->wall.section.vertex_count = VERTICES;
	s->wall.section.index_count = INDICES;
	s->wall.section.face_count = 0;
	s->nodes[0] = s->wall.nodes[0];
	for (uint32_t i = 0; i < count; i++) {
		bspscene_mesh *mesh = &s->meshes[i];
		*mesh = s->wall.mesh;
		mesh->vertex_count = VERTICES;
		mesh->index_count = INDICES;
		mesh->positions = s->positions;
		mesh->normals = s->normals;
		mesh->uvs = s->uvs;
		mesh->colors = s->colors;
		mesh->indices = s->indices;
		s->nodes[i + 1] = s->wall.nodes[1];
		s->nodes[i + 1].mesh = shared ? 0 : i;
		place(&s->nodes[i + 1], i);
	}
	for (uint32_t i = 0; i <= count; i++) s->node_table[i] = &s->nodes[i];
	for (uint32_t i = 0; i < count; i++) s->mesh_table[i] = &s->meshes[i];
	s->wall.scene.nodes = s->node_table;
	s->wall.scene.node_count = count + 1;
	s->wall.scene.meshes = s->mesh_table;
	s->wall.scene.mesh_count = shared ? 1 : count;
	s->wall.scene.faces = NULL;
	s->wall.scene.face_count = 0;
	return s;
}

static bspscene_status draw_with(const sheet *s, uint64_t memory_limit, const bspscene_allocator *allocator,
                                 uint8_t *rgb)
{
	const bspscene_view view = { .fov_degrees = 60 };
	bspscene_render_options options;
	bspscene_error error = { .status = BSPSCENE_OK };
	bspscene_render_options_init(&options);
	options.width = options.height = WIDTH;
	options.samples = 1;
	options.threads = 1;
	options.memory_limit = memory_limit;
	options.allocator = allocator;
	bspscene_renderer *renderer = bspscene_renderer_create(&s->wall.scene, &options, &error);
	if (!renderer) return error.status;
	bool drawn = bspscene_render(renderer, &view, &options, rgb, &error);
	bspscene_renderer_free(renderer);
	return drawn ? BSPSCENE_OK : error.status;
}

static bspscene_status draw(const sheet *s, uint64_t memory_limit, uint8_t *rgb)
{
	return draw_with(s, memory_limit, NULL, rgb);
}

static void test_as_if_each_were_alone(void **state)
{
	(void)state;
	const bspscene_image image = BSPT_WALL_IMAGE(2, 2, texels);
	static uint8_t one[WIDTH * WIDTH * 3], own[WIDTH * WIDTH * 3];
	for (int cull = BSPSCENE_CULL_BACK; cull <= BSPSCENE_CULL_NONE; cull++) {
		sheet *shared = make_sheets(49, true, &image), *flat = make_sheets(49, false, &image);
		shared->wall.material.cull = flat->wall.material.cull = (bspscene_cull)cull;
		assert_int_equal(draw(shared, 0, one), BSPSCENE_OK);
		assert_int_equal(draw(flat, 0, own), BSPSCENE_OK);
		uint32_t differ = 0, shown = 0;
		for (uint32_t i = 0; i < WIDTH * WIDTH; i++) {
			int most = 0;
			for (uint32_t k = 0; k < 3; k++) {
				int step = abs(one[3 * i + k] - own[3 * i + k]);
				if (step > most) most = step;
			}
			differ += most > 1;
			shown += one[3 * i] || one[3 * i + 1] || one[3 * i + 2];
		}
		assert_in_range(shown, WIDTH * WIDTH / 10, WIDTH * WIDTH - 1);
		/* Rays that hit an edge may pass on either side. */
		assert_true(differ <= WIDTH * WIDTH / 1000);
		free(shared);
		free(flat);
	}
}

static void test_in_the_memory_of_one(void **state)
{
	(void)state;
	const bspscene_image image = BSPT_WALL_IMAGE(2, 2, texels);
	const uint64_t limit = 16 << 20;
	static uint8_t rgb[WIDTH * WIDTH * 3];
	sheet *shared = make_sheets(MOST, true, &image), *flat = make_sheets(MOST, false, &image);
	assert_int_equal(draw(shared, limit, rgb), BSPSCENE_OK);
	assert_int_equal(draw(flat, limit, rgb), BSPSCENE_ERROR_MEMORY_LIMIT);
	free(shared);
	free(flat);
}

/* Embree's structures need more than 16 bytes for each triangle. Their memory counts toward the limit like ours. */
static void test_embree_counts(void **state)
{
	enum { SHEETS = 20 };
	(void)state;
	const bspscene_image image = BSPT_WALL_IMAGE(2, 2, texels);
	static uint8_t rgb[WIDTH * WIDTH * 3];
	sheet *flat = make_sheets(SHEETS, false, &image);
	bspt_counted counted = { .fail_at = 0 };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	assert_int_equal(draw_with(flat, 0, &allocator, rgb), BSPSCENE_OK);
	uint64_t least = counted.most_bytes + SHEETS * (uint64_t)INDICES / 3 * 16;
	assert_int_equal(draw(flat, least, rgb), BSPSCENE_ERROR_MEMORY_LIMIT);
	assert_int_equal(draw(flat, 16 * least, rgb), BSPSCENE_OK);
	free(flat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_if_each_were_alone), cmocka_unit_test(test_in_the_memory_of_one),
		cmocka_unit_test(test_embree_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
