/* shade.c - see shade.h. One surface at one point, and the fogs between it and the eye. */
#include "shade/surface.h"

#include "vector.h"

#define SORT_OPAQUE 3.0f

bool bspr_is_plain(const bspr_shading *shading, const bspr_surface *s, float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	const float white = 1, grey = 128 / 255.0f;
	bool lit = s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP, sky = s->material->kind == BSPSCENE_MATERIAL_SKY;
	bool whitened = scene->lightmaps_alone_white && (sky || (s->material->kind == BSPSCENE_MATERIAL_LIQUID && !lit));
	bool plain = whitened || scene->lightmaps_alone_opaque;
	if (shading->options->mode != BSPSCENE_RENDER_LIGHTMAP || !plain) return false;
	color[0] = color[1] = color[2] = whitened ? white : grey;
	bool unlit = sky || s->section->lighting == BSPSCENE_LIGHTING_FULLBRIGHT;
	if (!whitened && !unlit) bspr_section_light(shading, s, -1, color);
	return true;
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
	bool plain = bspr_is_plain(shading, s, color), depth = plain;
	if (s->material->stage_count && !plain) depth = bspr_shade_stages(shading, s, &fog, color, limit);
	else if (s->material->kind != BSPSCENE_MATERIAL_FOG && !plain) {
		depth = bspr_shade_simple(shading, s, fog.map, color, limit);
	}
	for (int i = 0; i < 3; i++) color[i] = bspr_clamp01(color[i]);
	if (fog.volume > 0 && fog.volume_pass) {
		const float *fog_color = bspr_fog_color(shading, scene->fogs[s->section->fog]);
		for (int i = 0; i < 3; i++) color[i] += (fog_color[i] - color[i]) * fog.volume;
	}
	if (fog.map > 0 && depth && (fog.map_pass || plain)) bspr_map_fog_over(shading, fog.map, color);
	return depth;
}
