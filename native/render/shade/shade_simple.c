/* shade_simple.c - a surface whose material has no stages: its reading as textures, light and glow is all there is. */
#include <math.h>

#include "shade/surface.h"

/* Where a texture lies upon the mesh's own coordinates. */
typedef struct placing {
	float scale[2], offset[2], rotation;
} placing;

/* Of the base image at the picture's time; `scale` is one more factor of its coordinates. */
static placing base_placing(const bspr_shading *shading, const bspscene_material *m, const float scale[2])
{
	placing out = { .rotation = m->uv_rotation };
	for (int i = 0; i < 2; i++) {
		out.scale[i] = m->uv_scale[i] * scale[i];
		out.offset[i] = (m->uv_offset[i] + m->scroll[i] * shading->options->time) * scale[i];
	}
	return out;
}

static void placed_texel(const bspr_shading *shading, const bspr_surface *s, uint32_t image, const placing *place,
                         float out[4])
{
	bspscene_stage stage = { .source = BSPSCENE_STAGE_IMAGE };
	float uv[2] = { 0, 0 }, dx[2] = { 0, 0 }, dy[2] = { 0, 0 };
	float cosine = 1, sine = 0;
	if (place->rotation != 0) {
		cosine = (float)cos(place->rotation);
		sine = (float)sin(place->rotation);
	}
	for (int k = 0; k < 3; k++) {
		float corner[2];
		bspr_corner_uv(shading, &stage, s, k, corner);
		float u = corner[0] * place->scale[0], v = corner[1] * place->scale[1];
		const float at[2] = { cosine * u - sine * v, sine * u + cosine * v };
		for (int i = 0; i < 2; i++) {
			uv[i] += (at[i] + place->offset[i]) * s->weights[k];
			dx[i] += at[i] * s->weights_dx[k];
			dy[i] += at[i] * s->weights_dy[k];
		}
	}
	const bspi_mips *texture = &shading->renderer->textures[image];
	bspi_mips_sample(texture, uv, bspi_mips_lod(texture, dx, dy), s->material->clamp, out);
}

static void simple_texel(const bspr_shading *shading, const bspr_surface *s, uint32_t image, float out[4])
{
	static const float unscaled[2] = { 1, 1 };
	placing place = base_placing(shading, s->material, unscaled);
	placed_texel(shading, s, image, &place, out);
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
		const placing place = { { scale[0], scale[1] }, { offset[0], offset[1] }, 0 };
		float mask[4];
		placed_texel(shading, s, border->image, &place, mask);
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
		placing place = base_placing(shading, m, m->layers[i]->uv_scale);
		placed_texel(shading, s, i ? m->layers[i]->image : base_image(shading, m), &place, layers.colors[i]);
	}
	bspr_interpolate(s->instance->mesh->blend_weights, 4, s, layers.weights);
	bspr_blend_layers(m, &layers, out);
	out[3] = layers.colors[0][3];
}

static void add_detail(const bspr_shading *shading, const bspr_surface *s, float color[4])
{
	const bspscene_detail_texture *detail = s->material->detail;
	placing place = base_placing(shading, s->material, detail->uv_scale);
	float texel[4];
	placed_texel(shading, s, detail->image, &place, texel);
	bspr_apply_detail(detail, texel, color);
}

static void simple_texture(const bspr_shading *shading, const bspr_surface *s, float out[4])
{
	const bspscene_material *m = s->material;
	out[0] = out[1] = out[2] = out[3] = 1;
	bool layered = m->layer_count && s->instance->mesh->blend_weights;
	if (layered) lay_layers(shading, s, out);
	else if (m->base_image != BSPSCENE_NO_INDEX) simple_texel(shading, s, base_image(shading, m), out);
	if (m->second_image != BSPSCENE_NO_INDEX && !layered) cover_with_second(shading, s, out);
	if (m->detail) add_detail(shading, s, out);
	for (int i = 0; i < 4; i++) out[i] *= m->color[i];
}

bool bspr_shade_simple(const bspr_shading *shading, const bspr_surface *s, float haze, float color[3], float limit)
{
	const bspscene_material *m = s->material;
	float texel[4], light[3], glow[4] = { 0, 0, 0, 0 };
	simple_texture(shading, s, texel);
	bspr_section_light(shading, s, -1, light);
	bool light_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP &&
	                  s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	if (m->emissive_image != BSPSCENE_NO_INDEX && !light_only) {
		simple_texel(shading, s, bspi_glow_image(shading->renderer->scene, m, shading->options->time), glow);
	}
	for (int i = 0; i < 3; i++) texel[i] = (light_only ? 1 : texel[i]) * (m->unlit ? 1 : light[i]);
	for (int i = 0; i < 3; i++) glow[i] *= m->emissive[i];
	bspr_add_light(glow, texel);
	if (m->alpha_mode == BSPSCENE_ALPHA_MASK && texel[3] < m->alpha_cutoff) return false;
	static const struct { bspscene_blend src, dst; } blends[] = {
		[BSPSCENE_ALPHA_OPAQUE] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_MASK] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_BLEND] = { BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
		[BSPSCENE_ALPHA_ADD] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE },
		[BSPSCENE_ALPHA_MODULATE] = { BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO },
	};
	bspscene_blend src = blends[m->alpha_mode].src, dst = blends[m->alpha_mode].dst;
	if (m->alpha_mode == BSPSCENE_ALPHA_ADD && m->added_by_alpha) src = BSPSCENE_BLEND_SRC_ALPHA;
	if (haze > 0) bspr_map_fog_pass(shading, src, dst, haze, texel);
	bspi_blend_pass(src, dst, texel, color, limit);
	return m->alpha_mode == BSPSCENE_ALPHA_OPAQUE || m->alpha_mode == BSPSCENE_ALPHA_MASK;
}
