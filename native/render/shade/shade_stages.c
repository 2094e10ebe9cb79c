/* shade_stages.c - a surface whose material has stages: each in order, blended over what is behind. Texture
 * coordinates, environment maps and specular alpha are computed at the triangle's corners and interpolated, as the
 * engine does. */
#include <math.h>
#include <string.h>

#include "shade/surface.h"
#include "vector.h"

/* How a glow fades (xash3d gl_sprite.c R_SpriteGlowBlend): beyond 138 units. */
#define GLOW_REACH 19000.0f
#define LEAST_GLOW 0.05f

/* ---- Images ------------------------------------------------------------------------------------------------- */

/* Where an image is looked up, and how that changes from pixel to pixel. */
typedef struct lookup {
	float uv[2], dx[2], dy[2];
} lookup;

/* Does it warp each point by itself? */
static bool warps_points(const bspr_surface *s, const bspscene_stage *stage)
{
	return stage->tc_mod_count && stage->tc_mods[0].kind == BSPSCENE_TC_MOD_WARP &&
	       stage->tc_gen == BSPSCENE_TC_TEXTURE && !s->material->deform_count;
}

static lookup find_lookup(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s)
{
	lookup out = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
	const float *uvs = s->instance->mesh->uvs;
	bool points = warps_points(s, stage);
	bool as_they_are = points || (stage->tc_gen == BSPSCENE_TC_TEXTURE && !stage->tc_mod_count);
	for (int k = 0; k < 3; k++) {
		float corner[2];
		if (as_they_are) memcpy(corner, uvs + (size_t)s->corners[k] * 2, sizeof corner);
		else bspr_corner_uv(shading, stage, s, k, corner);
		for (int i = 0; i < 2; i++) {
			out.uv[i] += corner[i] * s->weights[k];
			out.dx[i] += corner[i] * s->weights_dx[k];
			out.dy[i] += corner[i] * s->weights_dy[k];
		}
	}
	if (points) bspi_modify_uv(stage, shading->options->time, s->position, out.uv);
	return out;
}

static void image_value(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s, float out[4])
{
	if (stage->tc_gen == BSPSCENE_TC_REFLECTION || stage->tc_gen == BSPSCENE_TC_SURROUND) {
		bspr_cube_value(shading, stage, s, out);
		return;
	}
	uint32_t image = bspi_stage_image(shading->renderer->scene, stage, shading->options->time);
	out[0] = out[1] = out[2] = out[3] = 1;
	if (image == BSPSCENE_NO_INDEX) return;
	const bspi_mips *texture = &shading->renderer->textures[image];
	lookup at = find_lookup(shading, stage, s);
	bspi_mips_sample(texture, at.uv, bspi_mips_lod(texture, at.dx, at.dy), stage->clamp, out);
}

/* Engines give lightmap pages no smaller levels, and do not repeat them. */
static void whole_page_value(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s,
                             float out[4])
{
	out[0] = out[1] = out[2] = out[3] = 1;
	if (s->section->page_image == BSPSCENE_NO_INDEX || shading->options->mode == BSPSCENE_RENDER_TEXTURE) return;
	lookup at = find_lookup(shading, stage, s);
	bspi_mips_sample(&shading->renderer->textures[s->section->page_image], at.uv, 0, true, out);
}

/* ---- Colour and alpha generators ---------------------------------------------------------------------------- */

static void stage_color(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s, float out[3])
{
	float vertex[4];
	out[0] = out[1] = out[2] = 1;
	switch (stage->color_gen) {
	case BSPSCENE_COLOR_CONST: memcpy(out, stage->color, 3 * sizeof *out); break;
	case BSPSCENE_COLOR_WAVE:
		out[0] = out[1] = out[2] = bspr_clamp01(bspi_wave_at(&stage->color_wave, shading->options->time));
		break;
	case BSPSCENE_COLOR_VERTEX:
	case BSPSCENE_COLOR_ONE_MINUS_VERTEX:
		if (shading->options->mode == BSPSCENE_RENDER_TEXTURE) break;
		bspr_vertex_color(s, vertex);
		for (int i = 0; i < 3; i++) out[i] = stage->color_gen == BSPSCENE_COLOR_VERTEX ? vertex[i] : 1 - vertex[i];
		break;
	case BSPSCENE_COLOR_ENTITY:
	case BSPSCENE_COLOR_ONE_MINUS_ENTITY:
		for (int i = 0; i < 3; i++) {
			float color = s->instance->node->color[i];
			out[i] = stage->color_gen == BSPSCENE_COLOR_ENTITY ? color : 1 - color;
		}
		break;
	case BSPSCENE_COLOR_LIGHT: bspr_section_light(shading, s, -1, out); break;
	case BSPSCENE_COLOR_DIFFUSE:
		/* Of models; the world has no light of its own for it. */
		if (s->section->lighting != BSPSCENE_LIGHTING_VERTEX || !(s->instance->colors || s->instance->light)) break;
		bspr_section_light(shading, s, -1, out);
		break;
	default: break;                    /* identity */
	}
}

/* RB_CalcSpecularAlpha: one light for all. */
static float specular(const bspr_shading *shading, const bspr_surface *s)
{
	static const float light[3] = { -960, 1980, 96 };
	float alpha = 0;
	for (int k = 0; k < 3; k++) {
		const float *normal = s->instance->mesh->normals + s->corners[k] * 3;
		float position[3];
		bspr_vertex_position(s->instance, s->corners[k], position);
		float to_light[3], viewer[3], reflected[3];
		for (int i = 0; i < 3; i++) to_light[i] = light[i] - position[i];
		float length = fmaxf(sqrtf(bspr_dot(to_light, to_light)), 1e-6f), d = bspr_dot(normal, to_light) / length;
		for (int i = 0; i < 3; i++) {
			reflected[i] = normal[i] * 2 * d - to_light[i] / length;
			viewer[i] = shading->view->origin[i] - position[i];
		}
		float l = bspr_dot(reflected, viewer) / fmaxf(sqrtf(bspr_dot(viewer, viewer)), 1e-6f);
		l = l > 0 ? l * l : 0;
		alpha += fminf(l * l, 1) * s->weights[k];
	}
	return alpha;
}

/* By the distance of the glow itself: what is drawn of it is nearer (moment.c). */
static float glow_strength(const bspr_shading *shading, const bspr_surface *s)
{
	float way[3];
	for (int i = 0; i < 3; i++) way[i] = s->instance->transform[4 * i + 3] - shading->view->origin[i];
	return fminf(fmaxf(GLOW_REACH / bspr_dot(way, way), LEAST_GLOW), 1);
}

static float stage_alpha(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s)
{
	float vertex[4];
	switch (stage->alpha_gen) {
	case BSPSCENE_ALPHA_GEN_CONST: return stage->alpha;
	case BSPSCENE_ALPHA_GEN_WAVE: return bspr_clamp01(bspi_wave_at(&stage->alpha_wave, shading->options->time));
	case BSPSCENE_ALPHA_GEN_VERTEX:
	case BSPSCENE_ALPHA_GEN_TERRAIN: bspr_vertex_color(s, vertex); return vertex[3];
	case BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX: bspr_vertex_color(s, vertex); return 1 - vertex[3];
	case BSPSCENE_ALPHA_GEN_ENTITY: return s->instance->node->color_alpha;
	case BSPSCENE_ALPHA_GEN_GLOW: return s->instance->node->color_alpha * glow_strength(shading, s);
	case BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY: return 1 - s->instance->node->color_alpha;
	case BSPSCENE_ALPHA_GEN_SPECULAR: return specular(shading, s);
	case BSPSCENE_ALPHA_GEN_PORTAL: return stage->alpha_range > 0 ? bspr_clamp01(s->distance / stage->alpha_range) : 1;
	default: return 1;
	}
}

/* ---- Stages ------------------------------------------------------------------------------------------------- */

/* Does the stage show a page here? LIGHT may be vertex light instead, which the lightmap-only switch does not know. */
static bool is_page(const bspscene_stage *stage, const bspr_surface *s)
{
	bool lit = stage->source == BSPSCENE_STAGE_LIGHT || stage->color_gen == BSPSCENE_COLOR_LIGHT;
	return stage->source == BSPSCENE_STAGE_LIGHTMAP ||
	       (lit && s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP);
}

/* In the engine such materials are one stage: texture x vertex colour. */
static bool is_vertex_light(const bspscene_stage *stage, const bspr_surface *s)
{
	return stage->source == BSPSCENE_STAGE_LIGHT && s->section->lighting != BSPSCENE_LIGHTING_LIGHTMAP;
}

/* What the stage's texture unit gives, before its colour. */
static void source_value(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s, float out[4])
{
	int32_t style = shading->renderer->styled[s->section->material] ? (int32_t)stage->light_style : -1;
	out[0] = out[1] = out[2] = out[3] = 1;
	if (stage->source == BSPSCENE_STAGE_IMAGE) image_value(shading, stage, s, out);
	else if (stage->source == BSPSCENE_STAGE_LIGHT) bspr_section_light(shading, s, style, out);
	else if (bspr_looks_elsewhere(stage)) whole_page_value(shading, stage, s, out);
	else if (stage->source == BSPSCENE_STAGE_LIGHTMAP && s->section->lightmap_page != BSPSCENE_NO_INDEX) {
		bspr_section_light(shading, s, style, out);
	}
}

/* The engine draws two stages in one pass when their blending allows (tr_shader.c CollapseMultitexture). */
static bool collapses(const bspscene_stage *a, const bspscene_stage *b)
{
	bool same_colors = a->color_gen == b->color_gen && a->alpha_gen == b->alpha_gen &&
	                   !memcmp(a->color, b->color, sizeof a->color) &&
	                   !memcmp(&a->color_wave, &b->color_wave, sizeof a->color_wave);
	bool b_modulates = (b->src_blend == BSPSCENE_BLEND_DST_COLOR && b->dst_blend == BSPSCENE_BLEND_ZERO) ||
	                   (b->src_blend == BSPSCENE_BLEND_ZERO && b->dst_blend == BSPSCENE_BLEND_SRC_COLOR);
	bool b_adds = b->src_blend == BSPSCENE_BLEND_ONE && b->dst_blend == BSPSCENE_BLEND_ONE;
	bool a_opaque = a->src_blend == BSPSCENE_BLEND_ONE && a->dst_blend == BSPSCENE_BLEND_ZERO;
	bool a_modulates = (a->src_blend == BSPSCENE_BLEND_DST_COLOR && a->dst_blend == BSPSCENE_BLEND_ZERO) ||
	                   (a->src_blend == BSPSCENE_BLEND_ZERO && a->dst_blend == BSPSCENE_BLEND_SRC_COLOR);
	bool a_adds = a->src_blend == BSPSCENE_BLEND_ONE && a->dst_blend == BSPSCENE_BLEND_ONE;
	bool same_state = a->alpha_test == b->alpha_test && a->alpha_cutoff == b->alpha_cutoff &&
	                  a->depth_equal == b->depth_equal;
	if (!same_colors || !same_state) return false;
	return (b_modulates && (a_opaque || a_modulates)) || (b_adds && (a_opaque || a_adds));
}

static bool alpha_passes(const bspscene_stage *stage, float alpha)
{
	if (stage->alpha_test == BSPSCENE_ALPHA_OPAQUE) return true;
	return stage->alpha_test_less ? alpha < stage->alpha_cutoff : alpha >= stage->alpha_cutoff;
}

/* Translucent stages fade with the fog; opaque surfaces get a pass of fog on top (tr_shader.c, adjustColorsForFog). */
static void fade_in_fog(const bspscene_stage *stage, float fog, float value[4])
{
	bspscene_blend src = stage->src_blend, dst = stage->dst_blend;
	bool adds = src == BSPSCENE_BLEND_ONE && dst == BSPSCENE_BLEND_ONE;
	bool darkens = src == BSPSCENE_BLEND_ZERO && dst == BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR;
	bool premultiplied = src == BSPSCENE_BLEND_ONE && dst == BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
	bool blends = src == BSPSCENE_BLEND_SRC_ALPHA && dst == BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
	if (adds || darkens || premultiplied) for (int i = 0; i < 3; i++) value[i] *= 1 - fog;
	if (blends || premultiplied) value[3] *= 1 - fog;
}

typedef struct pass {
	const bspscene_stage *stage;
	float value[4];
	bool ends;                         /* lightmap-only mode shows nothing after this one */
} pass;

/* The value of stage `index` (with its partner, when they collapse); returns how many stages that were. */
static uint32_t evaluate(const bspr_shading *shading, const bspr_surface *s, uint32_t index, pass *out)
{
	const bspscene_stage *const *stages = shading->renderer->scene->stages + s->material->first_stage;
	const bspscene_stage *stage = stages[index];
	bool lightmap_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP;
	const bspscene_stage *partner = lightmap_only && index == 0 && s->material->stage_count > 1 &&
	                                        collapses(stage, stages[1]) && !is_vertex_light(stage, s) &&
	                                        !is_vertex_light(stages[1], s)
	                                    ? stages[1]
	                                    : NULL;
	float color[3];
	out->stage = stage;
	out->ends = lightmap_only && (is_page(stage, s) || (partner && is_page(partner, s)));
	if (partner) {
		/* The second unit replaces the first, and lightmaps are always on the second. */
		source_value(shading, is_page(stage, s) && !is_page(partner, s) ? stage : partner, s, out->value);
		return 2;
	}
	source_value(shading, stage, s, out->value);
	stage_color(shading, stage, s, color);
	bool in_one_pass = stage->color_gen == BSPSCENE_COLOR_LIGHT, light_alone = out->ends && in_one_pass;
	for (int i = 0; i < 3; i++) {
		out->value[i] = (light_alone ? 1 : out->value[i]) * color[i];
		if (in_one_pass) out->value[i] = bspr_clamp01(out->value[i]);
	}
	out->value[3] *= stage_alpha(shading, stage, s);
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_TERRAIN) out->value[3] = bspr_clamp01(2 * out->value[3] - 0.5f);
	return 1;
}

bool bspr_shade_stages(const bspr_shading *shading, const bspr_surface *s, const bspr_fogs *fog, float color[3],
                       float limit)
{
	bool depth = false;
	for (uint32_t i = 0; i < s->material->stage_count; ) {
		pass p;
		i += evaluate(shading, s, i, &p);
		if (!alpha_passes(p.stage, p.value[3]) || (p.stage->depth_equal && !depth)) {
			if (p.ends) break;
			continue;
		}
		if (!fog->volume_pass && fog->volume > 0) fade_in_fog(p.stage, fog->volume, p.value);
		if (!fog->map_pass && fog->map > 0) {
			bspr_map_fog_pass(shading, p.stage->src_blend, p.stage->dst_blend, fog->map, p.value);
		}
		bspi_blend_pass(p.stage->src_blend, p.stage->dst_blend, p.value, color, limit);
		depth = depth || p.stage->depth_write;
		if (p.ends) break;
	}
	return depth;
}
