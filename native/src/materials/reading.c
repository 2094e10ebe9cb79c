/* reading.c - summarizes the stages of a material as a single texture: base image, blending, glow, movement of
 * coordinates. Stages are ranked to find the base image. The ranking begins with the rules that the engine has for
 * drawing only one stage (tr_shader.c VertexLightingCollapse). */
#include "materials/materials.h"

#include <math.h>

#include "base/text.h"

#define PI 3.14159265358979f

typedef enum blend_class { CLASS_OPAQUE, CLASS_BLEND, CLASS_ADD, CLASS_MODULATE } blend_class;

static blend_class class_of(const bspscene_material_pass *stage)
{
	bspscene_blend src = stage->src_blend, dst = stage->dst_blend;
	if (dst == BSPSCENE_BLEND_ZERO && src != BSPSCENE_BLEND_DST_COLOR) return CLASS_OPAQUE;
	if (dst == BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA || dst == BSPSCENE_BLEND_SRC_ALPHA) return CLASS_BLEND;
	if (src == BSPSCENE_BLEND_DST_COLOR) return CLASS_MODULATE;
	if (src == BSPSCENE_BLEND_ZERO && dst != BSPSCENE_BLEND_ONE) return CLASS_MODULATE;
	/* This blending gives source + destination * source. That is brighter than an alpha blend, but the background shows
	 * through too. */
	if (dst == BSPSCENE_BLEND_SRC_COLOR) return CLASS_BLEND;
	return CLASS_ADD;
}

static bool is_light(const bspscene_material_pass *stage)
{
	return stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP || stage->input == BSPSCENE_PASS_INPUT_LIGHT;
}

static bool takes_vertex_light(const bspscene_material_pass *stage)
{
	return stage->color_gen == BSPSCENE_COLOR_GEN_VERTEX || stage->color_gen == BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX ||
	       stage->color_gen == BSPSCENE_COLOR_GEN_DIFFUSE;
}

static bool takes_light(const bspscene_material_pass *stage)
{
	return is_light(stage) || stage->color_gen == BSPSCENE_COLOR_GEN_LIGHT;
}

bool bspi_is_cube(const bspscene_material_pass *stage)
{
	return stage->tc_gen == BSPSCENE_TC_GEN_REFLECTION || stage->tc_gen == BSPSCENE_TC_GEN_SURROUND;
}

static const bspscene_image *image_of(const bspi_materials *m, const bspscene_material_pass *stage)
{
	if (stage->input != BSPSCENE_PASS_INPUT_IMAGE || !stage->frame_image_count) return NULL;
	return &m->images[m->frames[stage->first_frame_image]];
}

static bool same_name(const char *a, const char *b)
{
	size_t length = strcspn(b, ".");
	return strlen(a) == length && bspi_text_starts(b, a);
}

/* Returns points for how well a stage represents the surface as a single texture. INT32_MIN: the stage has no image. */
static int32_t rank(const bspi_materials *m, const bspscene_material_pass *stages, uint32_t i, const char *hint,
                    const char *name)
{
	const bspscene_material_pass *stage = &stages[i];
	const bspscene_image *image = image_of(m, stage);
	int32_t points = 0;
	if (!image) return INT32_MIN;
	if (image->format == BSPSCENE_IMAGE_MISSING) points -= 1000;
	if (stage->tc_gen == BSPSCENE_TC_GEN_ENVIRONMENT || stage->tc_gen == BSPSCENE_TC_GEN_SIGHT) points -= 100;
	if (bspi_is_cube(stage)) points -= 150;
	if (stage->tc_gen == BSPSCENE_TC_GEN_LIGHTMAP || stage->tc_gen == BSPSCENE_TC_GEN_VECTOR) points -= 20;
	if (stage->is_detail) points -= 50;
	if (stage->tc_mod_count) points -= 5;
	if (stage->color_gen == BSPSCENE_COLOR_GEN_WAVE || stage->color_gen == BSPSCENE_COLOR_GEN_CONST) points -= 3;
	if (i && class_of(stage) == CLASS_ADD) points -= 10;
	if ((hint && same_name(image->name, hint)) || same_name(image->name, name)) points += 8;
	return points;
}

static uint32_t best_stage(const bspi_materials *m, const char *hint, const bspscene_material *material)
{
	const bspscene_material_pass *stages = m->stages + material->first_pass;
	uint32_t best = BSPSCENE_NO_INDEX;
	int32_t best_rank = INT32_MIN;
	for (uint32_t i = 0; i < material->pass_count; i++) {
		int32_t points = rank(m, stages, i, hint, material->name);
		if (points > best_rank) {
			best_rank = points;
			best = i;
		}
	}
	return best;
}

float bspi_wave_value(const bspscene_wave *wave, float time)
{
	float x = wave->phase + time * wave->frequency, value = 0;
	x -= floorf(x);
	switch (wave->func) {
	case BSPSCENE_WAVE_SIN: value = (float)sin(2 * PI * x); break;
	case BSPSCENE_WAVE_SQUARE: value = x < 0.5f ? 1 : -1; break;
	case BSPSCENE_WAVE_TRIANGLE: value = x < 0.25f ? 4 * x : x < 0.75f ? 2 - 4 * x : 4 * x - 4; break;
	case BSPSCENE_WAVE_SAWTOOTH: value = x; break;
	case BSPSCENE_WAVE_INVERSE_SAWTOOTH: value = 1 - x; break;
	default: break;
	}
	value = wave->base + wave->amplitude * value;
	return isfinite(value) ? value : 0;
}

static float clamp_unit(float value) { return fminf(fmaxf(value, 0), 1); }

static float wave_at_start(const bspscene_wave *wave) { return clamp_unit(bspi_wave_value(wave, 0)); }

static void stage_color(const bspscene_material_pass *stage, float out[3])
{
	float gray = stage->color_gen == BSPSCENE_COLOR_GEN_WAVE ? wave_at_start(&stage->color_wave) : 1;
	for (int i = 0; i < 3; i++) out[i] = stage->color_gen == BSPSCENE_COLOR_GEN_CONST ? stage->color[i] : gray;
}

/* Sets the coordinates at time 0, and the speed with which they scroll. Turbulence and rotation are left out, because a
 * scale and an offset cannot express them. */
static void read_coordinates(const bspscene_material_pass *stage, bspscene_material *material)
{
	float *scale = material->uv_scale, *offset = material->uv_offset, *scroll = material->scroll;
	for (uint32_t i = 0; i < stage->tc_mod_count; i++) {
		const bspscene_tc_mod *mod = &stage->tc_mods[i];
		float s[2] = { 1, 1 }, o[2] = { 0, 0 };
		for (int k = 0; k < 2; k++) {
			float stretch = 1;
			if (mod->kind == BSPSCENE_TC_MOD_STRETCH) stretch = bspi_wave_value(&mod->wave, 0);
			if (mod->kind == BSPSCENE_TC_MOD_SCALE) s[k] = mod->values[k];
			if (mod->kind == BSPSCENE_TC_MOD_OFFSET) o[k] = mod->values[k];
			if (mod->kind == BSPSCENE_TC_MOD_TRANSFORM) s[k] = mod->values[3 * k];
			if (mod->kind == BSPSCENE_TC_MOD_TRANSFORM) o[k] = mod->values[4 + k];
			if (fabsf(stretch) > 1e-3f) s[k] /= stretch;
			if (mod->kind == BSPSCENE_TC_MOD_STRETCH) o[k] = 0.5f - 0.5f * s[k];
			scale[k] *= s[k];
			offset[k] = offset[k] * s[k] + o[k];
			scroll[k] = scroll[k] * s[k] + (mod->kind == BSPSCENE_TC_MOD_SCROLL ? mod->values[k] : 0);
		}
	}
	for (int k = 0; k < 2; k++) {
		if (!isfinite(scale[k]) || !isfinite(offset[k]) || !isfinite(scroll[k])) {
			scale[k] = 1;
			offset[k] = scroll[k] = 0;
		}
	}
}

/* Sets how the surface blends with the background, from its first pass. */
static void read_alpha(const bspscene_material_pass *first, const bspscene_material_pass *base,
                       bspscene_material *material)
{
	static const bspscene_alpha_mode modes[] = {
		[CLASS_OPAQUE] = BSPSCENE_ALPHA_MODE_OPAQUE, [CLASS_BLEND] = BSPSCENE_ALPHA_MODE_BLEND,
		[CLASS_ADD] = BSPSCENE_ALPHA_MODE_ADD, [CLASS_MODULATE] = BSPSCENE_ALPHA_MODE_MODULATE,
	};
	const float half_through = 0.5f;
	const bspscene_material_pass *tested = base->alpha_test == BSPSCENE_ALPHA_MODE_MASK ? base : first;
	material->alpha_mode = modes[class_of(first)];
	bool cut = tested->alpha_test == BSPSCENE_ALPHA_MODE_MASK && first->alpha_test == BSPSCENE_ALPHA_MODE_MASK;
	bool solid = material->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE ||
	             (material->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND && first->depth_write);
	if (cut && solid) {
		material->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		material->alpha_cutoff = tested->alpha_cutoff;
	}
	if (material->alpha_mode != BSPSCENE_ALPHA_MODE_BLEND) return;
	if (first->dst_blend == BSPSCENE_BLEND_SRC_COLOR) material->color[3] = half_through;
	if (base->alpha_gen == BSPSCENE_ALPHA_GEN_CONST) material->color[3] = base->alpha;
	if (base->alpha_gen == BSPSCENE_ALPHA_GEN_WAVE) material->color[3] = wave_at_start(&base->alpha_wave);
}

/* Finds two images that are blended with each other by vertex alpha (terrain). */
static void read_layers(const bspi_materials *m, bspscene_material *material)
{
	const bspscene_material_pass *stages = m->stages + material->first_pass;
	if (class_of(&stages[0]) != CLASS_OPAQUE) return;
	for (uint32_t i = 1; i < material->pass_count; i++) {
		const bspscene_material_pass *stage = &stages[i];
		bool over = stage->alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX || stage->alpha_gen == BSPSCENE_ALPHA_GEN_TERRAIN;
		bool by_vertex = over || stage->alpha_gen == BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX;
		bool blends = stage->src_blend == BSPSCENE_BLEND_SRC_ALPHA &&
		              stage->dst_blend == BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
		if (!by_vertex || !blends || bspi_is_cube(stage) || !image_of(m, stage) || !image_of(m, &stages[0])) continue;
		uint32_t below = m->frames[stages[0].first_frame_image], above = m->frames[stage->first_frame_image];
		material->base_image = over ? below : above;
		material->second_image = over ? above : below;
		return;
	}
}

/* Finds emission: the last image that is added after the passes that multiply by light. */
static void read_glow(const bspi_materials *m, bool unlit, bspscene_material *material)
{
	const bspscene_material_pass *stages = m->stages + material->first_pass;
	if (unlit || class_of(&stages[0]) != CLASS_OPAQUE) return;
	for (uint32_t i = material->pass_count; i-- > 1 && !is_light(&stages[i]); ) {
		const bspscene_image *image = image_of(m, &stages[i]);
		bool added = class_of(&stages[i]) == CLASS_ADD && stages[i].tc_gen == BSPSCENE_TC_GEN_TEXTURE;
		if (!added || takes_vertex_light(&stages[i]) || !image || image->format == BSPSCENE_IMAGE_MISSING) continue;
		material->emissive_image = m->frames[stages[i].first_frame_image];
		stage_color(&stages[i], material->emissive);
		return;
	}
}

void bspi_read_as_one_texture(const bspi_materials *m, const char *hint, bspscene_material *material)
{
	if (!material->pass_count) return;
	const bspscene_material_pass *stages = m->stages + material->first_pass;
	bool lit = false, unlit;
	for (uint32_t i = 0; i < material->pass_count; i++) lit |= takes_light(&stages[i]) && !stages[i].light_style;
	uint32_t best = best_stage(m, hint, material);
	const bspscene_material_pass *base = best == BSPSCENE_NO_INDEX ? &stages[0] : &stages[best];
	if (best != BSPSCENE_NO_INDEX) material->base_image = m->frames[base->first_frame_image];
	material->vertex_lit = takes_vertex_light(base);
	unlit = !lit && !material->vertex_lit;
	material->unlit = unlit;
	material->clamp = base->clamp;
	stage_color(base, material->color);
	read_coordinates(base, material);
	read_alpha(&stages[0], base, material);
	read_layers(m, material);
	read_glow(m, unlit, material);
}
