/* Promise: items that turn and bob are at the position that the game's code gives them at the picture's time. At time
 * 0, this is their position in the scene. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

static const uint8_t texel[4] = { 200, 100, 50, 255 };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(1, 1, texel) };

/* The wall faces the eye. It turns about a vertical axis at x = `middle`: in the wall (64) or near the eye (0). */
typedef struct motion_case {
	const char *what;
	float middle, degrees_per_second, bob_height, phase, time;
	bool is_seen;
} motion_case;

static const motion_case cases[] = {
	{ "time 0", 64, 180, 500, 0, 0, true },
	{ "half a turn shows the back", 64, 180, 0, 0, 1, false },
	{ "a whole turn", 64, 180, 0, 0, 2, true },
	{ "half a turn about the eye", 0, 180, 0, 0, 1, false },
	{ "a sixth of a turn shows the front", 64, 60, 0, 0, 1, true },
	{ "above the view", 64, 0, 500, 0, 1, false },
	{ "at the mean height", 64, 0, 500, 1.5707963f, 1, true },
};

static void items_move(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		bspscene_entity entity = { .origin = { cases[i].middle, 0, 0 } };
		const bspscene_entity *entities[] = { &entity };
		bspscene_prop prop = { .model = "", .turn_degrees_per_second = cases[i].degrees_per_second,
			                   .bob_height = cases[i].bob_height, .bob_phase_radians = cases[i].phase,
			                   .color = { 1, 1, 1, 1 } };
		bspscene_render_options options;
		uint8_t got[3];
		bspt_make_wall(&w, images, 1);
		w.prop_table[0] = &prop;
		w.scene.props = w.prop_table;
		w.scene.prop_count = 1;
		w.scene.entities = entities;
		w.scene.entity_count = 1;
		w.nodes[1].prop = 0;
		w.nodes[1].kind = BSPSCENE_NODE_PROP;
		prop.node = 1;
		bspscene_render_options_init(&options);
		options.time = cases[i].time;
		bspt_draw_wall(&w, &options, 0, got);
		if ((got[0] > got[2]) != cases[i].is_seen) fail_msg("%s: %u %u %u", cases[i].what, got[0], got[1], got[2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(items_move) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
