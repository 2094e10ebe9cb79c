/* shade.c - see shade.h. One surface at one point: its stages in order, blended over what is behind. Texture
 * coordinates, environment maps and specular alpha are computed at the triangle's corners and interpolated, as the
 * engine does. */
#include "shade.h"

#include <math.h>
#include <string.h>

#define SORT_OPAQUE 3.0f
/* How a glow fades (xash3d gl_sprite.c R_SpriteGlowBlend): beyond 138 units. */
#define GLOW_REACH 19000.0f
#define LEAST_GLOW 0.05f

static float dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static float clamp01(float value) { return value > 0 ? fminf(value, 1) : 0; }

static void interpolate(const float *values, uint32_t size, const bspr_surface *s, float *out)
{
	for (uint32_t i = 0; i < size; i++) {
		out[i] = 0;
		for (int k = 0; k < 3; k++) out[i] += values[s->corners[k] * size + i] * s->weights[k];
	}
}

/* ---- Light -------------------------------------------------------------------------------------------------- */

/* Page light at the surface. Style < 0: of all styles together. */
static void page_light(const bspr_shading *shading, const bspr_surface *s, int32_t style, float out[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	float uv[2];
	interpolate(s->instance->mesh->lightmap_uvs, 2, s, uv);
	out[0] = out[1] = out[2] = 0;
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		const bspscene_page_set *set = &scene->page_sets[i];
		const bspscene_page *page = &set->pages[s->section->lightmap_page];
		if (set->kind != BSPSCENE_PAGES_LIGHT || !page->data || (style >= 0 && set->style != (uint32_t)style)) continue;
		float intensity = shading->options->intensity > 0 ? shading->options->intensity : set->intensity;
		if (shading->options->mode == BSPSCENE_RENDER_LIGHTMAP) intensity = 1;
		float scale = intensity * shading->light_styles[set->style & 0xff], value[3];
		bspr_page_sample(page, uv, value);
		for (int k = 0; k < 3; k++) out[k] += value[k] * scale;
	}
	float limit = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP ? 1 : scene->light_limit;
	for (int k = 0; k < 3 && scene->light_limit > 0; k++) out[k] = fminf(out[k], limit);
}

static void vertex_color(const bspr_surface *s, float out[4])
{
	const uint8_t *colors = s->instance->colors ? s->instance->colors : s->instance->mesh->colors;
	for (int i = 0; i < 4; i++) {
		out[i] = 0;
		for (int k = 0; k < 3; k++) {
			out[i] += (colors ? (float)colors[s->corners[k] * 4 + (uint32_t)i] : 255) * s->weights[k];
		}
		out[i] *= 1 / 255.0f;
	}
}

/* Vertex colours are light like the pages', as many times as bright (bspscene_page_set). */
static float vertex_intensity(const bspr_shading *shading)
{
	const bspscene_scene *scene = shading->renderer->scene;
	if (shading->options->mode != BSPSCENE_RENDER_FULL) return 1;
	if (shading->options->intensity > 0) return shading->options->intensity;
	return scene->page_set_count ? scene->page_sets[0].intensity : 1;
}

static void vertex_light(const bspr_shading *shading, const bspr_surface *s, float out[3])
{
	float color[4];
	vertex_color(s, color);
	for (int i = 0; i < 3; i++) out[i] = color[i] * vertex_intensity(shading);
}

/* What lights the section, whatever that is. */
static void section_light(const bspr_shading *shading, const bspr_surface *s, int32_t style, float out[3])
{
	out[0] = out[1] = out[2] = 1;
	if (shading->options->mode == BSPSCENE_RENDER_TEXTURE) return;
	switch (s->section->lighting) {
	case BSPSCENE_LIGHTING_LIGHTMAP:
		if (s->section->lightmap_page != BSPSCENE_NO_INDEX && s->instance->mesh->lightmap_uvs) {
			page_light(shading, s, style, out);
		}
		break;
	case BSPSCENE_LIGHTING_VERTEX: vertex_light(shading, s, out); break;
	case BSPSCENE_LIGHTING_BLACK: out[0] = out[1] = out[2] = 0; break;
	default: break;
	}
}

/* ---- Texture coordinates ------------------------------------------------------------------------------------ */

static void environment_uv(const bspr_shading *shading, const float position[3], const float normal[3], float uv[2])
{
	float viewer[3];
	for (int i = 0; i < 3; i++) viewer[i] = shading->view->origin[i] - position[i];
	float length = sqrtf(dot(viewer, viewer));
	for (int i = 0; i < 3; i++) viewer[i] /= fmaxf(length, 1e-6f);
	float d = dot(normal, viewer);
	uv[0] = 0.5f + (normal[1] * 2 * d - viewer[1]) * 0.5f;
	uv[1] = 0.5f - (normal[2] * 2 * d - viewer[2]) * 0.5f;
}

/* A stage that shows another place of its surface's page, see bspscene_stage_source. */
static bool looks_elsewhere(const bspscene_stage *stage)
{
	return stage->source == BSPSCENE_STAGE_LIGHTMAP &&
	       (stage->tc_gen != BSPSCENE_TC_LIGHTMAP || stage->tc_mod_count);
}

static void corner_uv(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s, int corner,
                      float uv[2])
{
	const bspscene_mesh *mesh = s->instance->mesh;
	uint32_t vertex = s->corners[corner];
	const float *position = s->instance->positions + vertex * 3;
	switch (stage->tc_gen) {
	case BSPSCENE_TC_LIGHTMAP:
		memset(uv, 0, 2 * sizeof *uv);
		const float *stored = looks_elsewhere(stage) ? mesh->page_uvs : mesh->lightmap_uvs;
		if (stored) memcpy(uv, stored + vertex * 2, 2 * sizeof *uv);
		break;
	case BSPSCENE_TC_ENVIRONMENT: environment_uv(shading, position, mesh->normals + vertex * 3, uv); break;
	case BSPSCENE_TC_VECTOR:
		for (int i = 0; i < 2; i++) uv[i] = dot(position, stage->tc_vectors[i]) + stage->tc_vectors[i][3];
		break;
	default: memcpy(uv, mesh->uvs + vertex * 2, 2 * sizeof *uv); break;
	}
	bspr_modify_uv(stage, shading->options->time, position, uv);
}

/* Where an image is looked up, and how that changes from pixel to pixel. */
typedef struct lookup {
	float uv[2], dx[2], dy[2];
} lookup;

static lookup find_lookup(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s)
{
	lookup out = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
	for (int k = 0; k < 3; k++) {
		float corner[2];
		corner_uv(shading, stage, s, k, corner);
		for (int i = 0; i < 2; i++) {
			out.uv[i] += corner[i] * s->weights[k];
			out.dx[i] += corner[i] * s->weights_dx[k];
			out.dy[i] += corner[i] * s->weights_dy[k];
		}
	}
	return out;
}

static void image_value(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s, float out[4])
{
	if (stage->tc_gen == BSPSCENE_TC_REFLECTION || stage->tc_gen == BSPSCENE_TC_SURROUND) {
		bspr_cube_value(shading, stage, s, out);
		return;
	}
	uint32_t image = bspr_stage_image(shading->renderer->scene, stage, shading->options->time);
	out[0] = out[1] = out[2] = out[3] = 1;
	if (image == BSPSCENE_NO_INDEX) return;
	const bspr_texture *texture = &shading->renderer->textures[image];
	lookup at = find_lookup(shading, stage, s);
	bspr_texture_sample(texture, at.uv, bspr_texture_lod(texture, at.dx, at.dy), stage->clamp, out);
}

/* Engines give lightmap pages no smaller levels, and do not repeat them. */
static void whole_page_value(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s,
                             float out[4])
{
	out[0] = out[1] = out[2] = out[3] = 1;
	if (s->section->page_image == BSPSCENE_NO_INDEX || shading->options->mode == BSPSCENE_RENDER_TEXTURE) return;
	lookup at = find_lookup(shading, stage, s);
	bspr_texture_sample(&shading->renderer->textures[s->section->page_image], at.uv, 0, true, out);
}

/* ---- Colour and alpha generators ---------------------------------------------------------------------------- */

static void stage_color(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s, float out[3])
{
	float vertex[4];
	out[0] = out[1] = out[2] = 1;
	switch (stage->color_gen) {
	case BSPSCENE_COLOR_CONST: memcpy(out, stage->color, 3 * sizeof *out); break;
	case BSPSCENE_COLOR_WAVE:
		out[0] = out[1] = out[2] = clamp01(bspr_wave(&stage->color_wave, shading->options->time));
		break;
	case BSPSCENE_COLOR_VERTEX:
	case BSPSCENE_COLOR_ONE_MINUS_VERTEX:
		if (shading->options->mode == BSPSCENE_RENDER_TEXTURE) break;
		vertex_color(s, vertex);
		for (int i = 0; i < 3; i++) out[i] = stage->color_gen == BSPSCENE_COLOR_VERTEX ? vertex[i] : 1 - vertex[i];
		break;
	case BSPSCENE_COLOR_ENTITY:
	case BSPSCENE_COLOR_ONE_MINUS_ENTITY:
		for (int i = 0; i < 3; i++) {
			float color = s->instance->node->color[i];
			out[i] = stage->color_gen == BSPSCENE_COLOR_ENTITY ? color : 1 - color;
		}
		break;
	case BSPSCENE_COLOR_LIGHT:
		section_light(shading, s, -1, out);
		break;
	case BSPSCENE_COLOR_DIFFUSE:
		/* Of models; the world has no light of its own for it. */
		if (s->section->lighting == BSPSCENE_LIGHTING_VERTEX && s->instance->colors) section_light(shading, s, -1, out);
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
		const float *position = s->instance->positions + s->corners[k] * 3,
		            *normal = s->instance->mesh->normals + s->corners[k] * 3;
		float to_light[3], viewer[3], reflected[3];
		for (int i = 0; i < 3; i++) to_light[i] = light[i] - position[i];
		float length = fmaxf(sqrtf(dot(to_light, to_light)), 1e-6f), d = dot(normal, to_light) / length;
		for (int i = 0; i < 3; i++) {
			reflected[i] = normal[i] * 2 * d - to_light[i] / length;
			viewer[i] = shading->view->origin[i] - position[i];
		}
		float l = dot(reflected, viewer) / fmaxf(sqrtf(dot(viewer, viewer)), 1e-6f);
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
	return fminf(fmaxf(GLOW_REACH / dot(way, way), LEAST_GLOW), 1);
}

static float stage_alpha(const bspr_shading *shading, const bspscene_stage *stage, const bspr_surface *s)
{
	float vertex[4];
	switch (stage->alpha_gen) {
	case BSPSCENE_ALPHA_GEN_CONST: return stage->alpha;
	case BSPSCENE_ALPHA_GEN_WAVE: return clamp01(bspr_wave(&stage->alpha_wave, shading->options->time));
	case BSPSCENE_ALPHA_GEN_VERTEX:
	case BSPSCENE_ALPHA_GEN_TERRAIN: vertex_color(s, vertex); return vertex[3];
	case BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX: vertex_color(s, vertex); return 1 - vertex[3];
	case BSPSCENE_ALPHA_GEN_ENTITY: return s->instance->node->color_alpha;
	case BSPSCENE_ALPHA_GEN_GLOW: return s->instance->node->color_alpha * glow_strength(shading, s);
	case BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY: return 1 - s->instance->node->color_alpha;
	case BSPSCENE_ALPHA_GEN_SPECULAR: return specular(shading, s);
	case BSPSCENE_ALPHA_GEN_PORTAL: return stage->alpha_range > 0 ? clamp01(s->distance / stage->alpha_range) : 1;
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
	else if (stage->source == BSPSCENE_STAGE_LIGHT) section_light(shading, s, style, out);
	else if (looks_elsewhere(stage)) whole_page_value(shading, stage, s, out);
	else if (stage->source == BSPSCENE_STAGE_LIGHTMAP && s->section->lightmap_page != BSPSCENE_NO_INDEX) {
		section_light(shading, s, style, out);
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
	const bspscene_stage *stages = shading->renderer->scene->stages + s->material->first_stage, *stage = &stages[index];
	bool lightmap_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP;
	const bspscene_stage *partner = lightmap_only && index == 0 && s->material->stage_count > 1 &&
	                                        collapses(stage, &stages[1]) && !is_vertex_light(stage, s) &&
	                                        !is_vertex_light(&stages[1], s)
	                                    ? &stages[1]
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
		if (in_one_pass) out->value[i] = clamp01(out->value[i]);
	}
	out->value[3] *= stage_alpha(shading, stage, s);
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_TERRAIN) out->value[3] = clamp01(2 * out->value[3] - 0.5f);
	return 1;
}

/* ---- Materials without stages: their reading as one texture is all there is ---------------------------------- */

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
	float cosine = (float)cos(place->rotation), sine = (float)sin(place->rotation);
	for (int k = 0; k < 3; k++) {
		float corner[2];
		corner_uv(shading, &stage, s, k, corner);
		float u = corner[0] * place->scale[0], v = corner[1] * place->scale[1];
		const float at[2] = { cosine * u - sine * v, sine * u + cosine * v };
		for (int i = 0; i < 2; i++) {
			uv[i] += (at[i] + place->offset[i]) * s->weights[k];
			dx[i] += at[i] * s->weights_dx[k];
			dy[i] += at[i] * s->weights_dy[k];
		}
	}
	const bspr_texture *texture = &shading->renderer->textures[image];
	bspr_texture_sample(texture, uv, bspr_texture_lod(texture, dx, dy), s->material->clamp, out);
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
		interpolate(weights, 1, s, &weight);
		return weight;
	}
	vertex_color(s, color);
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
	return bspr_base_image(shading->renderer->scene, m, shading->options->time);
}

/* The lowest layer's alpha stays. */
static void lay_layers(const bspr_shading *shading, const bspr_surface *s, float out[4])
{
	const bspscene_material *m = s->material;
	bspr_layers layers;
	for (uint32_t i = 0; i < m->layer_count; i++) {
		placing place = base_placing(shading, m, m->layers[i].uv_scale);
		placed_texel(shading, s, i ? m->layers[i].image : base_image(shading, m), &place, layers.colors[i]);
	}
	interpolate(s->instance->mesh->blend_weights, 4, s, layers.weights);
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

static bool shade_simple(const bspr_shading *shading, const bspr_surface *s, float haze, float color[3], float limit)
{
	const bspscene_material *m = s->material;
	float texel[4], light[3], glow[4] = { 0, 0, 0, 0 };
	simple_texture(shading, s, texel);
	section_light(shading, s, -1, light);
	bool light_only = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP &&
	                  s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	if (m->emissive_image != BSPSCENE_NO_INDEX && !light_only) {
		simple_texel(shading, s, bspr_glow_image(shading->renderer->scene, m, shading->options->time), glow);
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
	bspr_map_fog_pass(shading, src, dst, haze, texel);
	bspr_blend(src, dst, texel, color, limit);
	return m->alpha_mode == BSPSCENE_ALPHA_OPAQUE || m->alpha_mode == BSPSCENE_ALPHA_MASK;
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

/* How much fog there is, and whether the volume's is drawn over the surface as a pass of its own. */
typedef struct fogs {
	float volume, map;
	bool volume_pass, map_pass;
} fogs;

static bool shade_stages(const bspr_shading *shading, const bspr_surface *s, const fogs *fog, float color[3],
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
		if (!fog->map_pass) bspr_map_fog_pass(shading, p.stage->src_blend, p.stage->dst_blend, fog->map, p.value);
		bspr_blend(p.stage->src_blend, p.stage->dst_blend, p.value, color, limit);
		depth = depth || p.stage->depth_write;
		if (p.ends) break;
	}
	return depth;
}

bool bspr_is_white(const bspr_shading *shading, const bspr_surface *s)
{
	bool shown_so = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP &&
	                shading->renderer->scene->lightmaps_alone_white;
	bool liquid = s->material->kind == BSPSCENE_MATERIAL_LIQUID && s->section->lighting != BSPSCENE_LIGHTING_LIGHTMAP;
	return shown_so && (liquid || s->material->kind == BSPSCENE_MATERIAL_SKY);
}

static bool is_covering(const bspr_shading *shading, const bspscene_material *m)
{
	if (!m->stage_count) return m->alpha_mode == BSPSCENE_ALPHA_OPAQUE || m->alpha_mode == BSPSCENE_ALPHA_MASK;
	const bspscene_stage *first = &shading->renderer->scene->stages[m->first_stage];
	return first->src_blend == BSPSCENE_BLEND_ONE && first->dst_blend == BSPSCENE_BLEND_ZERO;
}

static fogs find_fogs(const bspr_shading *shading, const bspr_surface *s)
{
	const bspscene_fog *volume = bspr_find_fog(shading, s->section->fog);
	return (fogs){
		.volume = volume ? bspr_fog_factor(shading, volume, s) : 0,
		.map = bspr_map_fog_share(shading, s),
		.volume_pass = s->material->sort <= SORT_OPAQUE || s->material->kind == BSPSCENE_MATERIAL_FOG,
		.map_pass = is_covering(shading, s->material),
	};
}

bool bspr_shade(const bspr_shading *shading, const bspr_surface *s, float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	fogs fog = find_fogs(shading, s);
	/* Light may be brighter than white until it meets the texture; a frame buffer clamps after every pass. */
	float limit = 1;
	for (uint32_t i = 0; i < scene->page_set_count; i++) limit = fmaxf(limit, scene->page_sets[i].intensity);
	limit = fmaxf(limit, shading->options->intensity);
	bool white = bspr_is_white(shading, s), depth = white;
	if (white) color[0] = color[1] = color[2] = 1;
	else if (s->material->stage_count) depth = shade_stages(shading, s, &fog, color, limit);
	else if (s->material->kind != BSPSCENE_MATERIAL_FOG) depth = shade_simple(shading, s, fog.map, color, limit);
	for (int i = 0; i < 3; i++) color[i] = clamp01(color[i]);
	if (fog.volume > 0 && fog.volume_pass) {
		const float *fog_color = bspr_fog_color(shading, &scene->fogs[s->section->fog]);
		for (int i = 0; i < 3; i++) color[i] += (fog_color[i] - color[i]) * fog.volume;
	}
	if (depth && (fog.map_pass || white)) bspr_map_fog_over(shading, fog.map, color);
	return depth;
}
