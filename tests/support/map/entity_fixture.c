#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "support/map/entity_fixture.h"

static const bspi_camera_rule cameras[] = {
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", NULL };

static const bspi_light_rules *lights_of(bspt_dialect which)
{
	const bspi_family *const families[] = {
		[BSPT_QUAKE] = &bspi_family_quake,   [BSPT_QUAKE2] = &bspi_family_quake2,
		[BSPT_QUAKE3] = &bspi_family_quake3, [BSPT_GOLDSRC] = &bspi_family_goldsrc,
		[BSPT_SOURCE] = &bspi_family_vbsp,
	};
	return families[which]->variants[0].rules->entities->lights;
}

void bspt_build_entities_of(bspt_entity_fixture *f, bspt_dialect whose, int says, const char *text)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	f->rules = (bspi_entity_rules) {
		.lights = lights_of(whose),
		.cameras = cameras,
		.hidden = hidden,
		.render_modes = true,
		.first_switchable_style = 32,
		.starts_off = 1,
		.angle_is_yaw = (says & BSPT_ANGLE_IS_YAW) != 0,
	};
	f->map.rules.entities = &f->rules;
	f->map.rules.eye_height = 26;
	f->map.rules.intensity = 1.375f;
	f->map.rules.scanned_numbers = f->map.rules.first_value_wins = whose == BSPT_SOURCE;
	f->map.hdr_lights = (says & BSPT_HDR_LIGHTS) != 0;
	f->map.models = f->models;
	f->map.models_count = 4;
	f->map.entities = bspi_bytes_of(text, strlen(text));
	bspi_set_parts(&f->scene, &f->parts);
	f->build = (bspi_build) { .ctx = &f->ctx, .map = &f->map, .scene = &f->scene, .parts = &f->parts };
	f->scene.name = "test";
	static const uint32_t mesh_of_part[] = {
		BSPSCENE_NO_INDEX,
		BSPSCENE_NO_INDEX,
		BSPSCENE_NO_INDEX,
		BSPSCENE_NO_INDEX,
	};
	f->build.mesh_of_part = mesh_of_part;
	assert_true(bspi_build_entities(&f->build));
	assert_true(bspi_build_nodes(&f->build));
}

void bspt_build_entities(bspt_entity_fixture *f, bspt_dialect whose, const char *text)
{
	bspt_build_entities_of(f, whose, 0, text);
}

void bspt_release_entities(bspt_entity_fixture *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
}
