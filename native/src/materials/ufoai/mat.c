/* mat.c - see mat.h. A text has nested blocks. Each line in them has a keyword and its values. A word that begins with
 * '#' begins a comment to the end of the line. Follows the engine's parser (r_material.cpp). */
#include "materials/ufoai/mat.h"

#include <stdio.h>

#include "materials/shader/script.h"

enum { MOST_MATS = 4096, MOST_HEIGHT = 1 << 20 };

static const struct { const char *word; bspscene_blend blend; } blends[] = {
	{ "GL_ONE", BSPSCENE_BLEND_ONE }, { "GL_ZERO", BSPSCENE_BLEND_ZERO },
	{ "GL_SRC_ALPHA", BSPSCENE_BLEND_SRC_ALPHA },
	{ "GL_ONE_MINUS_SRC_ALPHA", BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
	{ "GL_SRC_COLOR", BSPSCENE_BLEND_SRC_COLOR }, { "GL_DST_COLOR", BSPSCENE_BLEND_DST_COLOR },
	{ "GL_ONE_MINUS_SRC_COLOR", BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR },
	{ "GL_ONE_MINUS_DST_COLOR", BSPSCENE_BLEND_ONE_MINUS_DST_COLOR },
};

/* Reads a blend factor. An unknown one counts as GL_ZERO, like in the engine. */
static bspscene_blend read_blend(bspi_script *script)
{
	bspscene_blend out = BSPSCENE_BLEND_ZERO;
	if (!bspi_script_argument(script)) return out;
	for (size_t i = 0; i < sizeof blends / sizeof *blends; i++) {
		if (bspi_script_is(script, blends[i].word)) out = blends[i].blend;
	}
	return out;
}

static float read_number(bspi_script *script, float least, float most)
{
	float value = bspi_script_number(script);
	return value >= least && value <= most ? value : value > most ? most : least;
}

static void read_name(bspi_script *script, char out[BSPI_MAT_NAME])
{
	size_t size = bspi_script_argument(script) ? strlen(script->word) + 1 : 0;
	*out = 0;
	if (size && size <= BSPI_MAT_NAME) memcpy(out, script->word, size);
}

/* ---- Stages ----------------------------------------------------------------------------------------------- */

static void read_blends(bspi_script *script, bspi_mat_pass *stage)
{
	stage->src_blend = read_blend(script);
	stage->dst_blend = read_blend(script);
}

static void read_color(bspi_script *script, bspi_mat_pass *stage)
{
	for (int i = 0; i < 3; i++) stage->color[i] = read_number(script, 0, 1);
	stage->has_color = true;
}

static void read_frames(bspi_script *script, bspi_mat_pass *stage)
{
	stage->frames = (uint32_t)read_number(script, 0, BSPI_MAX_FRAMES);
	stage->frames_per_second = read_number(script, 0, 1000);
}

/* Reads the name of an environment map, or the number of one of the engine's own. */
static void read_environment(bspi_script *script, bspi_mat_pass *stage)
{
	read_name(script, stage->texture);
	stage->environment = true;
}

static void read_texture(bspi_script *script, bspi_mat_pass *stage) { read_name(script, stage->texture); }
static void read_dirt(bspi_script *script, bspi_mat_pass *stage) { stage->dirt = read_number(script, 0, 1); }
static void read_pulse(bspi_script *script, bspi_mat_pass *stage) { stage->pulses = read_number(script, 0, 100); }
static void read_turns(bspi_script *script, bspi_mat_pass *stage) { stage->turns = read_number(script, -100, 100); }
static void read_scroll_s(bspi_script *script, bspi_mat_pass *s) { s->scroll[0] = read_number(script, -1000, 1000); }
static void read_scroll_t(bspi_script *script, bspi_mat_pass *s) { s->scroll[1] = read_number(script, -1000, 1000); }
static void read_scale_s(bspi_script *script, bspi_mat_pass *s) { s->scale[0] = read_number(script, -1000, 1000); }
static void read_scale_t(bspi_script *script, bspi_mat_pass *s) { s->scale[1] = read_number(script, -1000, 1000); }

static void read_lightmap(bspi_script *script, bspi_mat_pass *stage)
{
	(void)script;
	stage->lightmap = true;
}

static void read_heights(bspi_script *script, bspi_mat_pass *stage)
{
	stage->floor = read_number(script, -MOST_HEIGHT, MOST_HEIGHT);
	stage->ceiling = read_number(script, -MOST_HEIGHT, MOST_HEIGHT);
	stage->by_height = stage->ceiling > stage->floor;
	stage->left_out |= !stage->by_height;
}

static void read_tape(bspi_script *script, bspi_mat_pass *stage)
{
	(void)script;
	stage->left_out = true;
}

static void read_glow(bspi_script *script, bspi_mat_pass *stage)
{
	(void)script;
	stage->glows = true;
}

static const struct { const char *word; void (*read)(bspi_script *script, bspi_mat_pass *stage); } keywords[] = {
	{ "texture", read_texture }, { "envmap", read_environment }, { "blend", read_blends }, { "color", read_color },
	{ "lightmap", read_lightmap }, { "dirtmap", read_dirt }, { "terrain", read_heights }, { "tape", read_tape },
	{ "pulse", read_pulse }, { "rotate", read_turns }, { "scroll.s", read_scroll_s }, { "scroll.t", read_scroll_t },
	{ "scale.s", read_scale_s }, { "scale.t", read_scale_t }, { "anim", read_frames }, { "anima", read_frames },
	{ "animb", read_frames }, { "animr", read_frames }, { "animf", read_frames }, { "glowmaplink", read_glow },
};

/* Reads a stage, from after its opening brace to its closing brace. */
static void read_stage(bspi_script *script, bspi_mat_pass *stage)
{
	*stage = (bspi_mat_pass){
		.src_blend = BSPSCENE_BLEND_SRC_ALPHA, .dst_blend = BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, .scale = { 1, 1 },
	};
	while (bspi_script_next(script) && !bspi_script_is_brace(script, '}')) {
		if (*script->word == '#') bspi_script_skip_line(script);
		for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
			if (bspi_script_is(script, keywords[i].word)) keywords[i].read(script, stage);
		}
	}
}

/* ---- Materials -------------------------------------------------------------------------------------------- */

static void read_mat(bspi_script *script, bspi_mat *mat)
{
	size_t begin = script->word_at;
	*mat = (bspi_mat){ .line = script->word_line };
	while (bspi_script_next(script) && !bspi_script_is_brace(script, '}')) {
		bspi_mat_pass beyond;
		bool room = mat->stage_count < BSPI_MAT_STAGES;
		if (*script->word == '#') bspi_script_skip_line(script);
		else if (bspi_script_is_brace(script, '{')) {
			read_stage(script, room ? &mat->stages[mat->stage_count] : &beyond);
			mat->stage_count += room;
		}
		else if (bspi_script_is(script, "material")) read_name(script, mat->name);
		else if (bspi_script_is(script, "normalmap")) read_name(script, mat->normal_map);
		else if (bspi_script_is(script, "glowmap")) read_name(script, mat->glow_map);
	}
	mat->text = bspi_bytes_of(script->text.data + begin, script->at - begin);
}

bool bspi_read_mats(bspi_ctx *ctx, bspi_bytes text, bspi_mats *out)
{
	bspi_script *script = bspi_push(ctx, &ctx->scratch, bspi_script, 1);
	BSPI_TRY(script);
	*script = bspi_script_open(text);
	while (out->count < MOST_MATS && bspi_script_next(script)) {
		if (*script->word == '#') bspi_script_skip_line(script);
		if (!bspi_script_is_brace(script, '{')) continue;
		BSPI_TRY(bspi_reserve(ctx, (void **)&out->mats, out->count, &out->capacity, sizeof *out->mats));
		read_mat(script, &out->mats[out->count]);
		out->count += out->mats[out->count].name[0] != 0;
	}
	return true;
}

const bspi_mat *bspi_next_mat(const bspi_mats *mats, const char *name, const bspi_mat *after)
{
	for (uint32_t i = after ? (uint32_t)(after - mats->mats) + 1 : 0; i < mats->count; i++) {
		if (bspi_text_equal(mats->mats[i].name, name)) return &mats->mats[i];
	}
	return NULL;
}
