/* shade.c - see shade.h. One surface at one point, and the fogs between it and the eye. */
#include "shade/shade.h"

#include "vector.h"

#define SORT_OPAQUE 3.0f

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
	const bspscene_stage *first = shading->renderer->scene->stages[m->first_stage];
	return first->src_blend == BSPSCENE_BLEND_ONE && first->dst_blend == BSPSCENE_BLEND_ZERO;
}

static bspr_fogs find_fogs(const bspr_shading *shading, const bspr_surface *s)
{
	const bspscene_fog *volume = bspr_find_fog(shading, s->section->fog);
	return (bspr_fogs) {
		.volume = volume ? bspr_fog_factor(shading, volume, s) : 0,
		.map = bspr_map_fog_share(shading, s),
		.volume_pass = s->material->sort <= SORT_OPAQUE || s->material->kind == BSPSCENE_MATERIAL_FOG,
		.map_pass = is_covering(shading, s->material),
	};
}

bool bspr_shade(const bspr_shading *shading, const bspr_surface *s, float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	bspr_fogs fog = { 0 };
	if (s->section->fog != BSPSCENE_NO_INDEX || scene->map_fog->density > 0) fog = find_fogs(shading, s);
	float limit = shading->limit;
	bool white = bspr_is_white(shading, s), depth = white;
	if (white) color[0] = color[1] = color[2] = 1;
	else if (s->material->stage_count) depth = bspr_shade_stages(shading, s, &fog, color, limit);
	else if (s->material->kind != BSPSCENE_MATERIAL_FOG) {
		depth = bspr_shade_simple(shading, s, fog.map, color, limit);
	}
	for (int i = 0; i < 3; i++) color[i] = bspr_clamp01(color[i]);
	if (fog.volume > 0 && fog.volume_pass) {
		const float *fog_color = bspr_fog_color(shading, scene->fogs[s->section->fog]);
		for (int i = 0; i < 3; i++) color[i] += (fog_color[i] - color[i]) * fog.volume;
	}
	if (fog.map > 0 && depth && (fog.map_pass || white)) bspr_map_fog_over(shading, fog.map, color);
	return depth;
}
