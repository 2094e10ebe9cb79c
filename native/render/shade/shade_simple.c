/* shade_simple.c - shades materials without passes, from their textures, light and emission. */
#include <math.h>
#include <string.h>

#include "drawing/four.h"
#include "shade/shine/shine.h"
#include "vector.h"

void bspr_base_texels(const bspr_shading *shading, const bspr_surface *s, uint32_t count, uint32_t image,
                      float (*out)[4])
{
	static const float unscaled[2] = { 1, 1 };
	if (s->material->seamless_scale > 0) {
		for (uint32_t i = 0; i < count; i++) bspr_seamless_texel(shading, &s[i], image, out[i]);
		return;
	}
	bspr_placing place = bspr_base_placing(shading, s->material, unscaled);
	bspr_placed_texels(shading, s, count, image, &place, out);
}

/* Returns the mesh's weight for the second image. */
static float blend_weight(const bspr_surface *s)
{
	const float *weights = s->instance->mesh->blend_alphas;
	float color[1][4], weight;
	if (weights) {
		bspr_interpolate(weights, 1, s, &weight);
		return weight;
	}
	bspr_vertex_colors(s, 1, color);
	return color[0][3];
}

void bspr_second_weights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float *out)
{
	const bspscene_blend_mask *border = s->material->blend_mask;
	float masks[BSPR_PACKET][4];
	if (border) {
		const float *scale = border->uv_scale, *offset = border->uv_offset;
		const bspr_placing place = { { scale[0], scale[1] }, { offset[0], offset[1] }, 0 };
		bspr_placed_texels(shading, s, count, border->image, &place, masks);
	}
	for (uint32_t i = 0; i < count; i++) {
		out[i] = blend_weight(&s[i]);
		if (border) out[i] = bspr_blend_amount(border, masks[i], out[i]);
	}
}

static uint32_t base_image(const bspr_shading *shading, const bspscene_material *m)
{
	return bspi_base_image(shading->renderer->scene, m, shading->options->time);
}

/* Blends the layers. Keeps the alpha of the lowest one. */
static void lay_layers(const bspr_shading *shading, const bspr_surface *s, float out[4])
{
	const bspscene_material *m = s->material;
	bspr_layers layers;
	for (uint32_t i = 0; i < m->layer_count; i++) {
		bspr_placing place = bspr_base_placing(shading, m, m->layers[i]->uv_scale);
		uint32_t image = i ? m->layers[i]->image : base_image(shading, m);
		bspr_placed_texels(shading, s, 1, image, &place, &layers.colors[i]);
	}
	bspr_interpolate(s->instance->mesh->blend_weights, 4, s, layers.weights);
	bspr_blend_layers(m, &layers, out);
	out[3] = layers.colors[0][3];
}

static void detail_texels(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*texels)[4])
{
	const bspscene_detail_texture *detail = s->material->detail_texture;
	bspr_placing place = bspr_base_placing(shading, s->material, detail->uv_scale);
	if (detail->own_uv) {
		place.rotation = detail->uv_rotation_radians;
		for (int i = 0; i < 2; i++) {
			place.scale[i] = detail->uv_scale[i];
			place.offset[i] = detail->uv_offset[i] + detail->scroll[i] * shading->options->time;
		}
	}
	bspr_placed_texels(shading, s, count, detail->image, &place, texels);
}

/* Sampled textures of a packet of points. */
typedef struct texels {
	float colors[BSPR_PACKET][4];
	float details[BSPR_PACKET][4];
	float bases[BSPR_PACKET][4];       /* base image with detail, before any factors */
	float masks[BSPR_PACKET];          /* alpha that masks reflections, blended from the base image and the second
	                                    * image */
} texels;

/* Blends the second image over the base image. Keeps the alpha of the base image (lightmappedgeneric_ps2_3_x.h,
 * blendedAlpha). */
static void cover_with_second(const bspr_shading *shading, const bspr_surface *s, uint32_t count, texels *out)
{
	float second[BSPR_PACKET][4], weights[BSPR_PACKET];
	bspr_base_texels(shading, s, count, s->material->second_image, second);
	bspr_second_weights(shading, s, count, weights);
	for (uint32_t i = 0; i < count; i++) {
		out->masks[i] = out->colors[i][3] + (second[i][3] - out->colors[i][3]) * weights[i];
		bspr_cover(second[i], weights[i], out->colors[i]);
	}
}

static void simple_textures(const bspr_shading *shading, const bspr_surface *s, uint32_t count, texels *out)
{
	const bspscene_material *m = s->material;
	bool layered = m->layer_count && s->instance->mesh->blend_weights;
	if (layered) {
		for (uint32_t i = 0; i < count; i++) lay_layers(shading, &s[i], out->colors[i]);
	} else if (m->base_image != BSPSCENE_NO_INDEX) {
		bspr_base_texels(shading, s, count, base_image(shading, m), out->colors);
	} else {
		for (uint32_t i = 0; i < count; i++) bspi_four_store(out->colors[i], bspi_four_same(1));
	}
	const bool covered = m->second_image != BSPSCENE_NO_INDEX && !layered;
	if (covered) cover_with_second(shading, s, count, out);
	if (m->detail_texture) detail_texels(shading, s, count, out->details);
	const bspi_four factors = bspi_four_load(m->color);
	for (uint32_t i = 0; i < count; i++) {
		if (m->detail_texture) bspr_apply_detail(m->detail_texture, out->details[i], out->colors[i]);
		memcpy(out->bases[i], out->colors[i], sizeof out->bases[i]);
		if (!covered) out->masks[i] = out->bases[i][3];
		bspi_four_store(out->colors[i], bspi_four_product(bspi_four_load(out->colors[i]), factors));
	}
}

/* Adds the light that the material emits, as linear light and separately for each channel. */
static void add_own_light(const bspr_shading *shading, const bspr_surface *s, uint32_t count, const texels *texture,
                          float (*lit)[4])
{
	const bspscene_emission_mask *own = s->material->emission_mask;
	bool masked = own->mask_image != BSPSCENE_NO_INDEX;
	float masks[BSPR_PACKET][4];
	if (masked) bspr_base_texels(shading, s, count, own->mask_image, masks);
	for (uint32_t i = 0; i < count; i++) {
		float alpha = texture->bases[i][3], part[3] = { alpha, alpha, alpha };
		bspr_shine(own, texture->colors[i], masked ? masks[i] : part, lit[i]);
	}
}

static void add_glow(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*lit)[4])
{
	const bspscene_material *m = s->material;
	float glow[BSPR_PACKET][4];
	bspr_base_texels(shading, s, count, bspi_glow_image(shading->renderer->scene, m, shading->options->time), glow);
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) glow[i][k] *= m->emissive[k];
		bspr_add_light(glow[i], lit[i]);
	}
}

/* Computes the light of each point. It is phong light if the material has that, 1 if the material is unlit, and
 * otherwise the light of the section. */
static void find_lights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, const texels *texture,
                        float (*lights)[4], float (*thrown)[4], bool *glossy)
{
	const bspscene_material *m = s->material;
	const bspi_four bright = bspi_four_same(1);
	bool any = m->phong != NULL, all = any;
	for (uint32_t i = 0; i < count; i++) glossy[i] = false;
	for (uint32_t i = 0; any && i < count; i++) {
		glossy[i] = bspr_phong(shading, &s[i], texture->bases[i], lights[i], thrown[i]);
		all = all && glossy[i];
	}
	if (!any && !m->unlit) bspr_section_lights(shading, s, count, -1, lights);
	for (uint32_t i = 0; any && !all && i < count; i++) {
		if (!glossy[i]) bspr_section_lights(shading, &s[i], 1, -1, &lights[i]);
	}
	for (uint32_t i = 0; m->unlit && i < count; i++) {
		if (!bspr_fallback_light(shading, &s[i], lights[i])) bspi_four_store(lights[i], bright);
	}
}

/* Multiplies textures by light and adds emission. Keeps the alpha of the textures. */
static void light_textures(const bspr_shading *shading, const bspr_surface *s, uint32_t count, const texels *texture,
                           float (*out)[4])
{
	const bspscene_material *m = s->material;
	float lights[BSPR_PACKET][4], thrown[BSPR_PACKET][4];
	bool glossy[BSPR_PACKET];
	bool light_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP &&
	                  s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	find_lights(shading, s, count, texture, lights, thrown, glossy);
	for (uint32_t i = 0; i < count; i++) {
		bspi_four light = bspi_four_load(lights[i]), color = bspi_four_load(texture->colors[i]);
		bspi_four_store(out[i], light_only ? light : bspi_four_product(color, light));
		out[i][3] = texture->colors[i][3];
	}
	if (light_only) return;
	if (m->emission_mask) add_own_light(shading, s, count, texture, out);
	else if (m->emissive_image != BSPSCENE_NO_INDEX) add_glow(shading, s, count, out);
	for (uint32_t i = 0; i < count && (m->detail_texture || m->phong); i++) {
		if (m->detail_texture) bspr_add_detail_glow(m->detail_texture, texture->details[i], out[i]);
		if (glossy[i]) bspr_add_light(thrown[i], out[i]);
	}
}

/* For a material that multiplies the background by its color. Where alpha is 1 the color stays. Where alpha is lower,
 * the color is moved toward the one that leaves the background unchanged, which it reaches at alpha 0. */
static void whiten(const bspscene_material *m, float color[4])
{
	const float unchanged = m->modulated_twice ? 0.5f : 1;
	if (!m->whitened_by_alpha) return;
	for (int i = 0; i < 3; i++) color[i] = unchanged + (bspr_clamp01(color[i]) - unchanged) * color[3];
}

/* Adds the reflection, and sets the final alpha. */
static void finish(const bspr_shading *shading, const bspr_surface *s, float mask, float lit[4])
{
	const bspscene_material *m = s->material;
	if (m->reflection) {
		if (shading->options->mode == BSPSCENE_RENDER_FULL) bspr_reflect(shading, s, mask, lit);
		bool masked = m->reflection->mask == BSPSCENE_REFLECTION_MASK_BASE_ALPHA && !m->phong;
		if (masked) lit[3] = m->color[3];
	}
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE) whiten(m, lit);
}

typedef struct blending {
	bspscene_blend src, dst;
} blending;

static blending blending_of(const bspscene_material *m)
{
	static const blending blends[] = {
		[BSPSCENE_ALPHA_MODE_OPAQUE] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_MODE_MASK] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_MODE_BLEND] = { BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
		[BSPSCENE_ALPHA_MODE_ADD] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE },
		[BSPSCENE_ALPHA_MODE_MODULATE] = { BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO },
	};
	blending out = blends[m->alpha_mode];
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_ADD && m->added_by_alpha) out.src = BSPSCENE_BLEND_SRC_ALPHA;
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE && m->modulated_twice) out.dst = BSPSCENE_BLEND_SRC_COLOR;
	return out;
}

void bspr_shade_simple(const bspr_shading *shading, const bspr_surface *s, uint32_t count, const bspr_fogs *fogs,
                       float (*colors)[4], bool *depths)
{
	const bspscene_material *m = s->material;
	const blending blend = blending_of(m);
	bool masked = m->alpha_mode == BSPSCENE_ALPHA_MODE_MASK,
		 covers = masked || m->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE;
	texels texture;
	float lit[BSPR_PACKET][4];
	simple_textures(shading, s, count, &texture);
	light_textures(shading, s, count, &texture, lit);
	bool all = !fogs && !masked && !m->reflection && !m->phong && m->alpha_mode != BSPSCENE_ALPHA_MODE_MODULATE;
	if (all) {
		static const float unchanged[4] = { 1, 1, 1, 1 };
		bspi_blend_row(blend.src, blend.dst, unchanged, count, (const float (*)[4])lit, colors, shading->limit);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (m->phong && m->phong->masked_by_base) lit[i][3] = m->color[3];
		if (masked && lit[i][3] < m->alpha_cutoff) continue;
		depths[i] = covers;
		if (all) continue;
		finish(shading, &s[i], texture.masks[i], lit[i]);
		if (fogs && fogs[i].map > 0) bspr_map_fog_pass(shading, blend.src, blend.dst, fogs[i].map, lit[i]);
		bspi_blend_pass(blend.src, blend.dst, lit[i], colors[i], shading->limit);
	}
}
