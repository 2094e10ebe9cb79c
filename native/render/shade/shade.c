/* shade.c - see shade.h. Shades several points of a surface, and the fog between them and the eye. */
#include "shade/surface.h"

#include "drawing/four.h"
#include "vector.h"

#define SORT_OPAQUE 3.0f

static bool is_whitened(const bspr_shading *shading, const bspr_surface *s)
{
	bool lit = s->section->lighting == BSPSCENE_LIGHTING_LIGHTMAP, sky = s->material->kind == BSPSCENE_MATERIAL_SKY;
	bool liquid = s->material->kind == BSPSCENE_MATERIAL_LIQUID;
	return shading->renderer->scene->lightmap_mode_white && (sky || (liquid && !lit));
}

bool bspr_is_plain(const bspr_shading *shading, const bspr_surface *s)
{
	if (shading->options->mode != BSPSCENE_RENDER_LIGHTMAP) return false;
	return shading->renderer->scene->lightmap_mode_opaque || is_whitened(shading, s);
}

#define PLAIN_GRAY (128 / 255.0f)

bool bspr_is_sky_plain(const bspr_shading *shading, float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	if (shading->options->mode != BSPSCENE_RENDER_LIGHTMAP) return false;
	if (!scene->lightmap_mode_white && !scene->lightmap_mode_opaque) return false;
	for (int k = 0; k < 3; k++) color[k] = scene->lightmap_mode_white ? 1 : PLAIN_GRAY;
	return true;
}

static void shade_plain(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*colors)[4],
                        bool *depths)
{
	const float white = 1, gray = PLAIN_GRAY;
	bool whitened = is_whitened(shading, s), sky = s->material->kind == BSPSCENE_MATERIAL_SKY;
	bool unlit = sky || s->section->lighting == BSPSCENE_LIGHTING_FULLBRIGHT;
	if (!whitened && !unlit) bspr_section_lights(shading, s, count, -1, colors);
	for (uint32_t i = 0; i < count; i++) {
		depths[i] = true;
		for (int k = 0; k < 3 && (whitened || unlit); k++) colors[i][k] = whitened ? white : gray;
	}
}

static bool is_covering(const bspr_shading *shading, const bspscene_material *m)
{
	if (!m->pass_count) return m->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE || m->alpha_mode == BSPSCENE_ALPHA_MODE_MASK;
	const bspscene_material_pass *first = shading->renderer->scene->material_passes[m->first_pass];
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

static void lay_fog(const bspr_shading *shading, const bspr_surface *s, const bspr_fogs *fog, bool over,
                    float color[3])
{
	if (fog->volume > 0 && fog->volume_pass) {
		const float *fog_color = bspr_fog_color(shading, shading->renderer->scene->fogs[s->section->fog]);
		for (int i = 0; i < 3; i++) color[i] += (fog_color[i] - color[i]) * fog->volume;
	}
	if (fog->map > 0 && over) bspr_map_fog_over(shading, fog->map, color);
}

void bspr_shade(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*colors)[4], bool *depths)
{
	const bspscene_scene *scene = shading->renderer->scene;
	bool foggy = s->section->fog != BSPSCENE_NO_INDEX || scene->map_fog->density > 0;
	bool plain = bspr_is_plain(shading, s);
	bspr_fogs fogs[BSPR_PACKET];
	for (uint32_t i = 0; foggy && i < count; i++) fogs[i] = find_fogs(shading, &s[i]);
	const bspr_fogs *given = foggy ? fogs : NULL;
	if (plain) shade_plain(shading, s, count, colors, depths);
	else if (s->material->pass_count) bspr_shade_passes(shading, s, count, given, colors, depths);
	else if (s->material->kind != BSPSCENE_MATERIAL_FOG) bspr_shade_simple(shading, s, count, given, colors, depths);
	for (uint32_t i = 0; i < count; i++) {
		bspi_four_store(colors[i], bspi_four_within(bspi_four_load(colors[i]), 1));
		if (foggy) lay_fog(shading, &s[i], &fogs[i], depths[i] && (fogs[i].map_pass || plain), colors[i]);
	}
}
