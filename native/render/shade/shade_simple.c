/* shade_simple.c - a surface whose material has no stages: its reading as textures, light and glow is all there is. */
#include <math.h>
#include <string.h>

#include "shade/shine/shine.h"
#include "vector.h"

static void simple_texel(const bspr_shading *shading, const bspr_surface *s, uint32_t image, float out[4])
{
	static const float unscaled[2] = { 1, 1 };
	if (s->material->seamless_scale > 0) {
		bspr_seamless_texel(shading, s, image, out);
		return;
	}
	bspr_placing place = bspr_base_placing(shading, s->material, unscaled);
	bspr_placed_texel(shading, s, image, &place, out);
}

/* The mesh's weight for the second image. */
static float blend_weight(const bspr_surface *s)
{
	const float *weights = s->instance->mesh->blend_alphas;
	float color[4], weight;
	if (weights) {
		bspr_interpolate(weights, 1, s, &weight);
		return weight;
	}
	bspr_vertex_color(s, color);
	return color[3];
}

static void cover_with_second(const bspr_shading *shading, const bspr_surface *s, float color[4])
{
	const bspscene_material *m = s->material;
	float second[4], weight = blend_weight(s);
	simple_texel(shading, s, m->second_image, second);
	const bspscene_blend_mask *border = m->blend_mask;
	if (border) {
		const float *scale = border->uv_scale, *offset = border->uv_offset;
		const bspr_placing place = { { scale[0], scale[1] }, { offset[0], offset[1] }, 0 };
		float mask[4];
		bspr_placed_texel(shading, s, border->image, &place, mask);
		weight = bspr_blend_amount(border, mask, weight);
	}
	bspr_cover(second, weight, color);
}

static uint32_t base_image(const bspr_shading *shading, const bspscene_material *m)
{
	return bspi_base_image(shading->renderer->scene, m, shading->options->time);
}

/* The lowest layer's alpha stays. */
static void lay_layers(const bspr_shading *shading, const bspr_surface *s, float out[4])
{
	const bspscene_material *m = s->material;
	bspr_layers layers;
	for (uint32_t i = 0; i < m->layer_count; i++) {
		bspr_placing place = bspr_base_placing(shading, m, m->layers[i]->uv_scale);
		bspr_placed_texel(shading, s, i ? m->layers[i]->image : base_image(shading, m), &place, layers.colors[i]);
	}
	bspr_interpolate(s->instance->mesh->blend_weights, 4, s, layers.weights);
	bspr_blend_layers(m, &layers, out);
	out[3] = layers.colors[0][3];
}

static void detail_texel(const bspr_shading *shading, const bspr_surface *s, float texel[4])
{
	const bspscene_detail_texture *detail = s->material->detail;
	bspr_placing place = bspr_base_placing(shading, s->material, detail->uv_scale);
	if (detail->own_uv) {
		place.rotation = detail->uv_rotation_radians;
		for (int i = 0; i < 2; i++) {
			place.scale[i] = detail->uv_scale[i];
			place.offset[i] = detail->uv_offset[i] + detail->scroll[i] * shading->options->time;
		}
	}
	bspr_placed_texel(shading, s, detail->image, &place, texel);
}

/* What is looked up once for the texture and again for what lies on it. */
typedef struct texels {
	float color[4];
	float detail[4];
	float base[4];                     /* the base image with its detail, before any factor */
} texels;

static void simple_texture(const bspr_shading *shading, const bspr_surface *s, texels *out)
{
	const bspscene_material *m = s->material;
	float *color = out->color;
	color[0] = color[1] = color[2] = color[3] = 1;
	bool layered = m->layer_count && s->instance->mesh->blend_weights;
	if (layered) lay_layers(shading, s, color);
	else if (m->base_image != BSPSCENE_NO_INDEX) simple_texel(shading, s, base_image(shading, m), color);
	if (m->second_image != BSPSCENE_NO_INDEX && !layered) cover_with_second(shading, s, color);
	if (m->detail) {
		detail_texel(shading, s, out->detail);
		bspr_apply_detail(m->detail, out->detail, color);
	}
	memcpy(out->base, color, sizeof out->base);
	for (int i = 0; i < 4; i++) color[i] *= m->color[i];
}

/* How much of each channel shines by itself, linear: 0 where nothing does. */
static void shining_part(const bspr_shading *shading, const bspr_surface *s, float base_alpha, float out[3])
{
	const bspscene_self_light *own = s->material->self_light;
	float mask[4] = { base_alpha, base_alpha, base_alpha, 1 };
	if (own && own->mask_image != BSPSCENE_NO_INDEX) simple_texel(shading, s, own->mask_image, mask);
	for (int i = 0; i < 3; i++) out[i] = own ? mask[i] : 0;
}

/* The texture in its light, with what shines of it. */
static void light_texture(const bspr_shading *shading, const bspr_surface *s, const texels *texture, float out[3])
{
	const bspscene_material *m = s->material;
	float light[3], part[3], glow[4] = { 0, 0, 0, 0 }, thrown[3] = { 0, 0, 0 };
	bool glossy = bspr_gloss(shading, s, texture->base, light, thrown);
	if (!glossy) bspr_section_light(shading, s, -1, light);
	bool light_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP &&
	                  s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	bool shines = m->unlit && !bspr_stand_in_light(shading, s, light);
	for (int i = 0; i < 3; i++) out[i] = (light_only ? 1 : texture->color[i]) * (shines ? 1 : light[i]);
	if (light_only) return;
	if (m->self_light) {
		shining_part(shading, s, texture->base[3], part);
		bspr_shine(m->self_light, texture->color, part, out);
	} else if (m->emissive_image != BSPSCENE_NO_INDEX) {
		simple_texel(shading, s, bspi_glow_image(shading->renderer->scene, m, shading->options->time), glow);
		for (int i = 0; i < 3; i++) glow[i] *= m->emissive[i];
		bspr_add_light(glow, out);
	}
	if (m->detail) bspr_add_detail_glow(m->detail, texture->detail, out);
	if (glossy) bspr_add_light(thrown, out);
}

/* The factors that multiply the picture, so that what has no alpha changes nothing. */
static void whiten(const bspscene_material *m, float color[4])
{
	const float unchanged = m->modulated_twice ? 0.5f : 1;
	if (!m->whitened_by_alpha) return;
	for (int i = 0; i < 3; i++) color[i] = unchanged + (bspr_clamp01(color[i]) - unchanged) * color[3];
}

bool bspr_shade_simple(const bspr_shading *shading, const bspr_surface *s, float haze, float color[3], float limit)
{
	const bspscene_material *m = s->material;
	texels texture;
	float lit[4];
	simple_texture(shading, s, &texture);
	lit[3] = texture.color[3];
	light_texture(shading, s, &texture, lit);
	if (m->gloss && m->gloss->masked_by_base) lit[3] = m->color[3];
	if (m->alpha_mode == BSPSCENE_ALPHA_MASK && lit[3] < m->alpha_cutoff) return false;
	if (m->reflection) {
		if (shading->options->mode == BSPSCENE_RENDER_FULL) bspr_reflect(shading, s, texture.base[3], lit);
		bool masked = m->reflection->mask == BSPSCENE_REFLECTION_MASK_BASE_ALPHA && !m->gloss;
		if (masked) lit[3] = m->color[3];
	}
	if (m->alpha_mode == BSPSCENE_ALPHA_MODULATE) whiten(m, lit);
	static const struct { bspscene_blend src, dst; } blends[] = {
		[BSPSCENE_ALPHA_OPAQUE] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_MASK] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_BLEND] = { BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
		[BSPSCENE_ALPHA_ADD] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE },
		[BSPSCENE_ALPHA_MODULATE] = { BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO },
	};
	bspscene_blend src = blends[m->alpha_mode].src, dst = blends[m->alpha_mode].dst;
	if (m->alpha_mode == BSPSCENE_ALPHA_ADD && m->added_by_alpha) src = BSPSCENE_BLEND_SRC_ALPHA;
	if (m->alpha_mode == BSPSCENE_ALPHA_MODULATE && m->modulated_twice) dst = BSPSCENE_BLEND_SRC_COLOR;
	if (haze > 0) bspr_map_fog_pass(shading, src, dst, haze, lit);
	bspi_blend_pass(src, dst, lit, color, limit);
	return m->alpha_mode == BSPSCENE_ALPHA_OPAQUE || m->alpha_mode == BSPSCENE_ALPHA_MASK;
}
