/* fog.c - computes fog volumes, which the engine computes at the corners of triangles, and the fog over the whole
 * map. */
#include "shade/shade.h"

#include <math.h>

#include "drawing/fog_volume.h"
#include "vector.h"

const float *bspr_fog_color(const bspr_shading *shading, const bspscene_fog *fog)
{
	return shading->renderer->scene->materials[fog->material]->fog->color;
}

const bspscene_fog *bspr_find_fog(const bspr_shading *shading, uint32_t index)
{
	const bspscene_scene *scene = shading->renderer->scene;
	if (index == BSPSCENE_NO_INDEX || shading->options->mode == BSPSCENE_RENDER_TEXTURE) return NULL;
	const bspscene_fog *fog = scene->fogs[index];
	return bspi_fog_parms_of(scene, fog) ? fog : NULL;
}

float bspr_fog_factor(const bspr_shading *shading, const bspscene_fog *fog, const bspr_surface *surface)
{
	const bspscene_fog_parms *parms = bspi_fog_parms_of(shading->renderer->scene, fog);
	float at[2] = { 0, 0 };
	for (int k = 0; k < 3; k++) {
		float corner[2], position[3];
		bspr_vertex_position(surface->instance, surface->corners[k], position);
		bspi_fog_coordinates(parms, fog, shading->view->origin, shading->forward, position, corner);
		for (int i = 0; i < 2; i++) at[i] += corner[i] * surface->weights[k];
	}
	return bspi_fog_share(parms, at);
}

float bspr_map_fog_share(const bspr_shading *shading, const bspr_surface *surface)
{
	const bspscene_map_fog *fog = shading->renderer->scene->map_fog;
	bspscene_render_mode mode = shading->options->mode;
	bool shown = mode == BSPSCENE_RENDER_FULL || (mode == BSPSCENE_RENDER_LIGHTMAP && fog->over_lightmaps);
	if (!(fog->density > 0) || !shown || shading->options->omit_map_fog) return 0;
	float offset[3], distance = surface->distance;
	for (int i = 0; i < 3; i++) offset[i] = surface->position[i] - shading->view->origin[i];
	if (fog->along_view) distance = bspr_dot(offset, shading->forward);
	float depth = fog->density * fmaxf(fminf(distance, fog->end) - fog->start, 0);
	return fog->opacity * (1 - (float)exp(-(float)pow(depth, fog->power)));
}

void bspr_map_fog_over(const bspr_shading *shading, float share, float color[3])
{
	const float *fog = shading->renderer->scene->map_fog->color;
	for (int i = 0; i < 3; i++) color[i] += (fog[i] - color[i]) * share;
}

/* Follows gl_rmain.c R_BlendFuncFlags. Fog changes the value of a pass only if the pass is alpha-blended or
 * additive. */
void bspr_map_fog_pass(const bspr_shading *shading, bspscene_blend src, bspscene_blend dst, float share, float value[4])
{
	if (src == BSPSCENE_BLEND_SRC_ALPHA && dst == BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA) {
		bspr_map_fog_over(shading, share, value);
	} else if (dst == BSPSCENE_BLEND_ONE) {
		for (int i = 0; i < 3; i++) value[i] *= 1 - share;
	}
}
