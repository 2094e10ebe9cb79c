/* shade_stages.c - shades materials with passes, each blended over the color so far. Like in the engine, texture
 * coordinates, environment maps and specular alpha are computed at the triangle's corners and interpolated. */
#include <math.h>
#include <string.h>

#include "drawing/four.h"
#include "shade/surface.h"
#include "vector.h"

/* The brightness of a glow is GLOW_REACH divided by the square of its distance, at most 1 and at least LEAST_GLOW
 * (xash3d gl_sprite.c R_SpriteGlowBlend). So it fades from a distance of 138 game units on. */
#define GLOW_REACH 19000.0f
#define LEAST_GLOW 0.05f

/* ---- Images ------------------------------------------------------------------------------------------------- */

/* True if the pass warps texture coordinates for each point rather than at the corners. */
static bool warps_points(const bspr_surface *s, const bspscene_material_pass *stage)
{
	return stage->tc_mod_count && stage->tc_mods[0].kind == BSPSCENE_TC_MOD_WARP &&
	       stage->tc_gen == BSPSCENE_TC_GEN_TEXTURE && !s->material->deform_count;
}

static void find_lookups(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                         uint32_t count, bspr_lookups *out)
{
	bool points = warps_points(s, stage);
	bool as_they_are = points || (stage->tc_gen == BSPSCENE_TC_GEN_TEXTURE && !stage->tc_mod_count);
	float corners[3][2];
	const float (*at)[2] = (const float (*)[2])corners;
	for (uint32_t i = 0; i < count; i++) {
		bool known = i && s[i].facet == s[i - 1].facet;
		for (int k = 0; k < 3 && !known; k++) {
			const float *uv = s[i].instance->mesh->uvs + (size_t)s[i].corners[k] * 2;
			if (as_they_are) memcpy(corners[k], uv, sizeof corners[k]);
			else bspr_corner_uv(shading, stage, &s[i], k, corners[k]);
		}
		bspr_look_up(at, at, &s[i], out->uvs[i], out->changes[i]);
		if (points) bspi_modify_uv(stage, shading->options->time, s[i].position, out->uvs[i]);
	}
}

static void whiten(float (*out)[4], uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) bspi_four_store(out[i], bspi_four_same(1));
}

static void image_values(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                         uint32_t count, float (*out)[4])
{
	bool cube = stage->tc_gen == BSPSCENE_TC_GEN_REFLECTION || stage->tc_gen == BSPSCENE_TC_GEN_SURROUND;
	uint32_t image = cube ? BSPSCENE_NO_INDEX
	                      : bspi_pass_image(shading->renderer->scene, stage, shading->options->time);
	if (image == BSPSCENE_NO_INDEX) {
		whiten(out, count);
		for (uint32_t i = 0; cube && i < count; i++) bspr_cube_value(shading, stage, &s[i], out[i]);
		return;
	}
	bspr_lookups at;
	find_lookups(shading, stage, s, count, &at);
	bspr_sample(&shading->renderer->textures[image], &at, count, stage->clamp, out);
}

/* Samples lightmap pages that a pass uses as a texture: without mipmaps and clamped, as the engines do. */
static void whole_page_values(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                              uint32_t count, float (*out)[4])
{
	if (s->section->map_page_image == BSPSCENE_NO_INDEX || shading->options->mode == BSPSCENE_RENDER_TEXTURE) {
		whiten(out, count);
		return;
	}
	static const float lods[BSPR_PACKET] = { 0 };
	bspr_lookups at;
	find_lookups(shading, stage, s, count, &at);
	bspi_mips_sample_row(&shading->renderer->textures[s->section->map_page_image], (const float (*)[2])at.uvs, lods,
	                     count, true, out);
}

/* ---- Color and alpha generators ---------------------------------------------------------------------------- */

static void fill_colors(const float color[3], uint32_t count, float (*out)[4])
{
	for (uint32_t i = 0; i < count; i++) memcpy(out[i], color, 3 * sizeof *color);
}

static void vertex_colors(const bspscene_material_pass *stage, const bspr_surface *s, uint32_t count, float (*out)[4])
{
	bspr_vertex_colors(s, count, out);
	for (uint32_t i = 0; i < count && stage->color_gen == BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX; i++) {
		for (int k = 0; k < 3; k++) out[i][k] = 1 - out[i][k];
	}
}

static void entity_colors(const bspscene_material_pass *stage, const bspr_surface *s, uint32_t count, float (*out)[4])
{
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			float color = s[i].instance->node->color[k];
			out[i][k] = stage->color_gen == BSPSCENE_COLOR_GEN_ENTITY ? color : 1 - color;
		}
	}
}

/* Computes the colors of a pass. The fourth component is undefined. */
static void stage_colors(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                         uint32_t count, float (*out)[4])
{
	static const float white[3] = { 1, 1, 1 };
	float gray;
	switch (stage->color_gen) {
	case BSPSCENE_COLOR_GEN_CONST: fill_colors(stage->color, count, out); return;
	case BSPSCENE_COLOR_GEN_WAVE:
		gray = bspr_clamp01(bspi_wave_at(&stage->color_wave, shading->options->time));
		fill_colors((const float[3]){ gray, gray, gray }, count, out);
		return;
	case BSPSCENE_COLOR_GEN_VERTEX:
	case BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX:
		if (shading->options->mode == BSPSCENE_RENDER_TEXTURE) break;
		vertex_colors(stage, s, count, out);
		return;
	case BSPSCENE_COLOR_GEN_ENTITY:
	case BSPSCENE_COLOR_GEN_ONE_MINUS_ENTITY: entity_colors(stage, s, count, out); return;
	case BSPSCENE_COLOR_GEN_LIGHT: bspr_section_lights(shading, s, count, -1, out); return;
	case BSPSCENE_COLOR_GEN_DIFFUSE:
		/* The engine computes this light only for models. Surfaces of the world are white. */
		fill_colors(white, count, out);
		for (uint32_t i = 0; i < count && s->section->lighting == BSPSCENE_LIGHTING_VERTEX; i++) {
			bool lit = s[i].instance->colors || s[i].instance->light;
			if (lit) bspr_section_lights(shading, &s[i], 1, -1, &out[i]);
		}
		return;
	default: break;                    /* identity */
	}
	fill_colors(white, count, out);
}

/* Computes a highlight from a fixed light position, as RB_CalcSpecularAlpha does. */
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

/* Returns the brightness of a glow at its true distance, which is the distance of its origin from the eye. The
 * distance of its vertices is smaller, because moment.c moves them closer to the eye. */
static float glow_strength(const bspr_shading *shading, const bspr_surface *s)
{
	float way[3];
	for (int i = 0; i < 3; i++) way[i] = s->instance->transform[4 * i + 3] - shading->view->origin[i];
	return fminf(fmaxf(GLOW_REACH / bspr_dot(way, way), LEAST_GLOW), 1);
}

/* Interpolates the pass's "dirt" alpha between the corners. */
static float dirt(const bspr_surface *s)
{
	float weight = 0;
	for (int k = 0; k < 3; k++) {
		float position[3];
		bspr_vertex_position(s->instance, s->corners[k], position);
		weight += s->weights[k] * bspi_dirt_at(position);
	}
	return weight;
}

/* Returns an alpha value that is computed for each point rather than at the corners. */
static float point_alpha(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s)
{
	float vertex[1][4];
	switch (stage->alpha_gen) {
	case BSPSCENE_ALPHA_GEN_VERTEX:
	case BSPSCENE_ALPHA_GEN_TERRAIN: bspr_vertex_colors(s, 1, vertex); return vertex[0][3];
	case BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX: bspr_vertex_colors(s, 1, vertex); return 1 - vertex[0][3];
	case BSPSCENE_ALPHA_GEN_ENTITY: return s->instance->node->color_alpha;
	case BSPSCENE_ALPHA_GEN_GLOW: return s->instance->node->color_alpha * glow_strength(shading, s);
	case BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY: return 1 - s->instance->node->color_alpha;
	case BSPSCENE_ALPHA_GEN_SPECULAR: return specular(shading, s);
	case BSPSCENE_ALPHA_GEN_HEIGHT:
		return stage->alpha_range > 0 ? bspr_clamp01((s->position[2] - stage->alpha) / stage->alpha_range) : 1;
	case BSPSCENE_ALPHA_GEN_DIRT: return stage->alpha * dirt(s);
	case BSPSCENE_ALPHA_GEN_PORTAL: return stage->alpha_range > 0 ? bspr_clamp01(s->distance / stage->alpha_range) : 1;
	default: return 1;
	}
}

static void multiply_alphas(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                            uint32_t count, float (*values)[4])
{
	float all = 1;
	switch (stage->alpha_gen) {
	case BSPSCENE_ALPHA_GEN_IDENTITY: return;
	case BSPSCENE_ALPHA_GEN_CONST: all = stage->alpha; break;
	case BSPSCENE_ALPHA_GEN_WAVE: all = bspr_clamp01(bspi_wave_at(&stage->alpha_wave, shading->options->time)); break;
	default:
		for (uint32_t i = 0; i < count; i++) values[i][3] *= point_alpha(shading, stage, &s[i]);
		break;
	}
	bool terrain = stage->alpha_gen == BSPSCENE_ALPHA_GEN_TERRAIN;
	for (uint32_t i = 0; i < count; i++) {
		values[i][3] *= all;
		if (terrain) values[i][3] = bspr_clamp01(2 * values[i][3] - 0.5f);
	}
}

/* ---- Stages ------------------------------------------------------------------------------------------------- */

/* True if the pass shows a lightmap page. A pass with the input LIGHT may instead use vertex light, which the lightmap
 * view does not show. */
static bool is_page(const bspscene_material_pass *stage, const bspr_surface *s)
{
	bool lit = stage->input == BSPSCENE_PASS_INPUT_LIGHT || stage->color_gen == BSPSCENE_COLOR_GEN_LIGHT;
	return stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP ||
	       (lit && s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP);
}

/* True if the pass shows vertex light. The engine draws it in one pass with the texture. */
static bool is_vertex_light(const bspscene_material_pass *stage, const bspr_surface *s)
{
	return stage->input == BSPSCENE_PASS_INPUT_LIGHT && s->section->lighting != BSPSCENE_LIGHTING_LIGHTMAP;
}

/* Samples the texture or light of the pass, without its color. */
static void source_values(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                          uint32_t count, float (*out)[4])
{
	int32_t style = shading->renderer->styled[s->section->material] ? (int32_t)stage->light_style : -1;
	bool page = stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP;
	if (stage->input == BSPSCENE_PASS_INPUT_IMAGE) {
		image_values(shading, stage, s, count, out);
	} else if (page && bspr_looks_elsewhere(stage)) {
		whole_page_values(shading, stage, s, count, out);
	} else {
		whiten(out, count);
		bool has_page = s->section->lightmap_page != BSPSCENE_NO_INDEX;
		bool unlit = shading->options->mode == BSPSCENE_RENDER_TEXTURE && stage->dst_blend == BSPSCENE_BLEND_ONE;
		bool lit = stage->input == BSPSCENE_PASS_INPUT_LIGHT || (page && has_page);
		/* Lightmap passes of light styles above 0 are added to the previous passes. Such a pass must add black, not
		 * white, if the surface has no lightmap page or the picture shows no light. */
		if (page && style > 0 && (unlit || !has_page)) memset(out, 0, count * sizeof *out);
		else if (lit) bspr_section_lights(shading, s, count, style, out);
	}
}

/* True if the engine draws both passes at once (tr_shader.c CollapseMultitexture). */
static bool collapses(const bspscene_material_pass *a, const bspscene_material_pass *b)
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

static bool alpha_passes(const bspscene_material_pass *stage, float alpha)
{
	if (stage->alpha_test == BSPSCENE_ALPHA_MODE_OPAQUE) return true;
	return stage->alpha_test_less ? alpha < stage->alpha_cutoff : alpha >= stage->alpha_cutoff;
}

/* Fades a translucent pass in fog. Opaque surfaces get a fog pass on top instead (tr_shader.c, adjustColorsForFog). */
static void fade_in_fog(const bspscene_material_pass *stage, float fog, float value[4])
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
	const bspscene_material_pass *stage;
	float values[BSPR_PACKET][4];
	bool ends;                         /* true: the lightmap view shows no pass after this one */
} pass;

/* Returns the pass that the engine draws together with pass `index`, or NULL. */
static const bspscene_material_pass *partner_of(const bspscene_material_pass *const *stages, uint32_t index,
                                                const bspr_surface *s)
{
	if (index || s->material->pass_count < 2 || !collapses(stages[0], stages[1])) return NULL;
	return is_vertex_light(stages[0], s) || is_vertex_light(stages[1], s) ? NULL : stages[1];
}

/* Computes the values of pass `index`. In the lightmap view, includes the next pass if the engine draws both together.
 * Returns how many passes were evaluated. */
static uint32_t evaluate(const bspr_shading *shading, const bspr_surface *s, uint32_t count, uint32_t index, pass *out)
{
	const bspscene_material_pass *const *stages = shading->renderer->scene->material_passes + s->material->first_pass;
	const bspscene_material_pass *stage = stages[index];
	bool lightmap_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP;
	const bspscene_material_pass *partner = lightmap_only ? partner_of(stages, index, s) : NULL;
	float colors[BSPR_PACKET][4];
	out->stage = stage;
	out->ends = lightmap_only && (is_page(stage, s) || (partner && is_page(partner, s)));
	if (partner) {
		/* If two passes are drawn together, the lightmap view shows only the pass with the lightmap. If both passes or
		 * neither show a page, that is the second one, because engines draw it with the second texture unit. */
		stage = is_page(stage, s) && !is_page(partner, s) ? stage : partner;
		source_values(shading, stage, s, count, out->values);
		return 2;
	}
	source_values(shading, stage, s, count, out->values);
	stage_colors(shading, stage, s, count, colors);
	bool in_one_pass = stage->color_gen == BSPSCENE_COLOR_GEN_LIGHT, light_alone = out->ends && in_one_pass;
	for (uint32_t i = 0; i < count; i++) {
		float *value = out->values[i], alpha = value[3];
		bspi_four color = bspi_four_load(colors[i]), product = bspi_four_product(bspi_four_load(value), color);
		if (light_alone) product = color;
		if (in_one_pass) product = bspi_four_within(product, 1);
		bspi_four_store(value, product);
		value[3] = alpha;
	}
	multiply_alphas(shading, stage, s, count, out->values);
	return 1;
}

/* Blends the value of a pass, seen through fog, over the color. */
static void blend(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_fogs *fog,
                  float value[4], float color[3])
{
	if (fog && !fog->volume_pass && fog->volume > 0) fade_in_fog(stage, fog->volume, value);
	if (fog && !fog->map_pass && fog->map > 0) {
		bspr_map_fog_pass(shading, stage->src_blend, stage->dst_blend, fog->map, value);
	}
	bspi_blend_pass(stage->src_blend, stage->dst_blend, value, color, shading->limit);
}

void bspr_shade_passes(const bspr_shading *shading, const bspr_surface *s, uint32_t count, const bspr_fogs *fogs,
                       float (*colors)[4], bool *depths)
{
	pass p = { .ends = false };
	for (uint32_t i = 0; i < s->material->pass_count && !p.ends; ) {
		static const float unchanged[4] = { 1, 1, 1, 1 };
		i += evaluate(shading, s, count, i, &p);
		bool all = !fogs && p.stage->alpha_test == BSPSCENE_ALPHA_MODE_OPAQUE && !p.stage->depth_equal;
		if (all) {
			bspi_blend_row(p.stage->src_blend, p.stage->dst_blend, unchanged, count, (const float (*)[4])p.values,
			               colors, shading->limit);
		}
		for (uint32_t k = 0; all && k < count && p.stage->depth_write; k++) depths[k] = true;
		for (uint32_t k = 0; !all && k < count; k++) {
			if (!alpha_passes(p.stage, p.values[k][3]) || (p.stage->depth_equal && !depths[k])) continue;
			blend(shading, p.stage, fogs ? &fogs[k] : NULL, p.values[k], colors[k]);
			depths[k] = depths[k] || p.stage->depth_write;
		}
	}
}
