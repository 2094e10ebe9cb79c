/* shader_deform.c - parses deformVertexes lines like ioquake3's tr_shader.c ParseDeform. */
#include "materials/shader/shader.h"

#include <math.h>

/* A script states the divisor 1 / spread. If its magnitude is at most NOTHING, the spread is SPREAD_OF_NOTHING. */
#define SPREAD_OF_NOTHING 100.0f
#define NOTHING 1e-6f

static void read_wave(bspi_shader_parser *p, bspscene_deform *deform)
{
	float divisor = bspi_script_number(p->script);
	deform->spread = fabsf(divisor) > NOTHING ? 1 / divisor : SPREAD_OF_NOTHING;
	deform->wave = bspi_read_wave(p);
}

static void read_bulge(bspi_shader_parser *p, bspscene_deform *deform)
{
	deform->width = bspi_script_number(p->script);
	deform->height = bspi_script_number(p->script);
	deform->speed = bspi_script_number(p->script);
}

static void read_move(bspi_shader_parser *p, bspscene_deform *deform)
{
	for (int i = 0; i < 3; i++) deform->vector[i] = bspi_script_number(p->script);
	deform->wave = bspi_read_wave(p);
}

static void read_normal(bspi_shader_parser *p, bspscene_deform *deform)
{
	deform->wave.func = BSPSCENE_WAVE_NOISE;
	deform->wave.amplitude = bspi_script_number(p->script);
	deform->wave.frequency = bspi_script_number(p->script);
}

/* Deformations for shadows and for texts on screens are ignored, because maps have neither. */
void bspi_read_deform(bspi_shader_parser *p)
{
	static const struct {
		const char *name;
		bspscene_deform_kind kind;
		void (*read)(bspi_shader_parser *parser, bspscene_deform *deform);
	} kinds[] = {
		{ "wave", BSPSCENE_DEFORM_WAVE, read_wave }, { "bulge", BSPSCENE_DEFORM_BULGE, read_bulge },
		{ "move", BSPSCENE_DEFORM_MOVE, read_move }, { "normal", BSPSCENE_DEFORM_NORMAL, read_normal },
		{ "autosprite", BSPSCENE_DEFORM_AUTOSPRITE, NULL }, { "autosprite2", BSPSCENE_DEFORM_AUTOSPRITE2, NULL },
	};
	bspi_shader *shader = p->shader;
	bool named = bspi_script_argument(p->script);
	size_t i = 0;
	while (i < sizeof kinds / sizeof *kinds && !bspi_script_is(p->script, kinds[i].name)) i++;
	if (named && i < sizeof kinds / sizeof *kinds && shader->deform_count < BSPI_MAX_DEFORMS) {
		bspscene_deform *deform = &shader->deforms[shader->deform_count++];
		*deform = (bspscene_deform){ .kind = kinds[i].kind };
		if (kinds[i].read) kinds[i].read(p, deform);
	}
	bspi_script_skip_line(p->script);
}
