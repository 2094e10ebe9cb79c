/* Promise: a lamp in a file lights a surface 100 game units away as in the game. Its values are in candela, meters and
 * radians, as the format requires. This also holds if the 3D skybox enlarges the lamp's node. A sun has the same light
 * at any distance. Texture coordinates and vertex colors are those of the game, and contain light only once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "writers/light/lamp.h"
#include "writers/light/place_uv.h"
#include "writers/light/vertex_color.h"

#define PI 3.14159265358979
#define METERS 0.025f

static void near(double got, double want)
{
	if (fabs(got - want) > 1e-4 * fmax(fabs(want), 1e-3)) fail_msg("%g, wanted %g", got, want);
}

/* A node that is three times as large, rotated about z, below a root. */
static const bspscene_node root = { .parent = BSPSCENE_NO_INDEX, .transform = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } };
static const bspscene_node enlarged = { .transform = { 0, -3, 0, 9, 3, 0, 0, 8, 0, 0, 3, 7 } };

static bspi_lamp lamp_at(uint32_t node, bspscene_light light)
{
	const bspscene_node *nodes[] = { &root, &enlarged };
	const bspscene_scene scene = { .nodes = nodes, .node_count = 2, .meters_per_unit = METERS };
	light.node = node;
	return bspi_lamp_of(&scene, &light);
}

static void lamps_are_as_bright_as_in_the_game(void **state)
{
	const bspscene_light point = {
		.kind = BSPSCENE_LIGHT_POINT, .illuminance_at_100_units = 0.5f, .radius = 400, .color = { 1, 0.5f, 0 }
	};
	(void)state;
	for (uint32_t node = 0; node < 2; node++) {
		double scale = node ? 3 : 1, away = 100 * (double)METERS * scale;
		bspi_lamp lamp = lamp_at(node, point);
		assert_false(lamp.is_spot || lamp.is_sun);
		near((double)lamp.intensity, PI * 0.5 * away * away);
		near((double)lamp.range, 400 * (double)METERS * scale);
		near((double)bspi_lamp_watts(&lamp), PI * 0.5 * away * away * 4 * PI);
		near((double)lamp.color[0], 1);
		near((double)lamp.color[2], 0);
		assert_true(lamp.color[1] > 0.2f && lamp.color[1] < 0.22f); /* the color is linear */
		bspscene_light sun = point;
		sun.kind = BSPSCENE_LIGHT_SUN;
		lamp = lamp_at(node, sun);
		assert_true(lamp.is_sun && lamp.range == 0);
		near((double)lamp.intensity, PI * 0.5);
		near((double)bspi_lamp_watts(&lamp), PI * 0.5);
	}
}

static void cones_are_half_angles(void **state)
{
	static const struct {
		float inner, outer;
		double in, out;
	} cases[] = {
		{ 20, 45, PI / 9, PI / 4 },
		{ 45, 20, 0.999 * PI / 9, PI / 9 },
		{ 0, 120, 0, PI / 2 },
		{ -5, 0, 0, 0.1 * PI / 180 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_lamp lamp = lamp_at(0, (bspscene_light) { .kind = BSPSCENE_LIGHT_SPOT,
		                                               .inner_angle_degrees = cases[i].inner,
		                                               .outer_angle_degrees = cases[i].outer });
		assert_true(lamp.is_spot && lamp.inner_angle < lamp.outer_angle);
		near((double)lamp.inner_angle, cases[i].in);
		near((double)lamp.outer_angle, cases[i].out);
	}
}

/* Coordinates are scaled, then turned, then moved. A quarter turn brings u to v, and v to -u. */
static void textures_are_scaled_turned_and_moved(void **state)
{
	const bspscene_material material = { .uv_scale = { 2, 3 },
		                                 .uv_offset = { 0.25f, 0.5f },
		                                 .uv_rotation_radians = (float)(PI / 2) };
	static const float along_u[2] = { 1, 0 }, along_v[2] = { 0, 1 };
	float out[2];
	(void)state;
	bspi_place_uv(&material, along_u, out);
	near((double)out[0], 0.25);
	near((double)out[1], 2.5);
	bspi_place_uv(&material, along_v, out);
	near((double)out[0], -2.75);
	near((double)out[1], 0.5);
}

/* ---- Colors of vertices ------------------------------------------------------------------------------------ */

/* If light is baked into vertices, it replaces the vertex light of the map. Surfaces that are fullbright stay white. */
static void colors_are_the_light_once(void **state)
{
	enum { VERTICES = 2 };
	static const uint8_t colors[4 * VERTICES] = { 255, 0, 128, 64, 0, 255, 51, 204 };
	static const float baked[3 * VERTICES] = { 0.1f, 0.2f, 0.3f, 1.5f, 0.5f, 0.25f };
	bspscene_mesh mesh = { .colors = colors, .baked_light = baked, .vertex_count = VERTICES };
	bspscene_material material = { .alpha_mode = BSPSCENE_ALPHA_MODE_OPAQUE };
	const bspscene_material *materials[] = { &material };
	const bspscene_scene scene = { .materials = materials, .material_count = 1 };
	static const bspscene_lighting lightings[] = {
		BSPSCENE_LIGHTING_LIGHTMAP,
		BSPSCENE_LIGHTING_VERTEX,
		BSPSCENE_LIGHTING_BLACK,
		BSPSCENE_LIGHTING_FULLBRIGHT,
	};
	(void)state;
	for (size_t i = 0; i < sizeof lightings / sizeof *lightings; i++) {
		bspscene_section section = { .lighting = lightings[i] };
		bool fullbright = lightings[i] == BSPSCENE_LIGHTING_FULLBRIGHT;
		for (uint32_t v = 0; v < VERTICES; v++) {
			float out[4];
			bspi_vertex_color rule = bspi_vertex_color_of(&scene, BSPSCENE_WRITE_LIGHTING_VERTEX, &mesh, &section);
			bspi_vertex_color_at(&rule, v, out);
			for (uint32_t k = 0; k < 3; k++) near((double)out[k], fullbright ? 1 : (double)baked[3 * v + k]);
			near((double)out[3], 1);
			rule = bspi_vertex_color_of(&scene, BSPSCENE_WRITE_LIGHTING_NONE, &mesh, &section);
			assert_true(bspi_vertex_color_is_white(&rule));
		}
	}
}

/* If a stage shows the base image, alone or as one frame of an animation, that stage decides whether alpha comes from
 * the vertices. */
static void alpha_is_that_of_the_stage_with_the_base_image(void **state)
{
	static const uint8_t colors[4] = { 10, 20, 30, 51 };
	static const uint32_t frames[] = { 8, 5, 6, 7 };
	bspscene_material_pass stages[2] = {
		{ .input = BSPSCENE_PASS_INPUT_IMAGE, .first_frame_image = 0, .frame_image_count = 1 },
		{ .input = BSPSCENE_PASS_INPUT_IMAGE, .first_frame_image = 1, .frame_image_count = 3 },
	};
	const bspscene_material_pass *passes[] = { &stages[0], &stages[1] };
	bspscene_material material = { .alpha_mode = BSPSCENE_ALPHA_MODE_BLEND, .pass_count = 2 };
	const bspscene_material *materials[] = { &material };
	const bspscene_scene scene = { .materials = materials,
		                           .material_count = 1,
		                           .material_passes = passes,
		                           .material_pass_count = 2,
		                           .frame_images = frames,
		                           .frame_image_count = 4 };
	bspscene_mesh mesh = { .colors = colors, .vertex_count = 1 };
	bspscene_section section = { .lighting = BSPSCENE_LIGHTING_FULLBRIGHT };
	(void)state;
	for (uint32_t image = 5; image <= 8; image++) {
		for (int of_second = 0; of_second < 2; of_second++) {
			float out[4];
			stages[0].alpha_gen = of_second ? BSPSCENE_ALPHA_GEN_IDENTITY : BSPSCENE_ALPHA_GEN_VERTEX;
			stages[1].alpha_gen = of_second ? BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX : BSPSCENE_ALPHA_GEN_IDENTITY;
			material.base_image = image;
			bspi_vertex_color rule = bspi_vertex_color_of(&scene, BSPSCENE_WRITE_LIGHTING_NONE, &mesh, &section);
			bspi_vertex_color_at(&rule, 0, out);
			bool takes = (image == 8) != of_second;
			near((double)out[3], !takes ? 1 : of_second ? 0.8 : 0.2);
			near((double)out[0], 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lamps_are_as_bright_as_in_the_game),
		cmocka_unit_test(cones_are_half_angles),
		cmocka_unit_test(textures_are_scaled_turned_and_moved),
		cmocka_unit_test(colors_are_the_light_once),
		cmocka_unit_test(alpha_is_that_of_the_stage_with_the_base_image),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
