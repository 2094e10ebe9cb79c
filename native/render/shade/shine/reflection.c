/* reflection.c - reflections of the surroundings (bspscene_reflection), sampled from cube maps like graphics
 * hardware. */
#include <math.h>
#include <string.h>

#include "shade/shine/shine.h"
#include "vector.h"

#define GAMMA 2.2f

/* ---- Cube maps ---------------------------------------------------------------------------------------------- */

static int face_of(const float d[3])
{
	float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
	if (x >= y && x >= z) return d[0] > 0 ? 0 : 1;
	if (y >= z) return d[1] > 0 ? 2 : 3;
	return d[2] > 0 ? 4 : 5;
}

/* Computes texture coordinates on a face of a cube map (OpenGL's table of major axes). */
static void face_uv(int face, const float d[3], float uv[2])
{
	static const struct { int s, t; float s_sign, t_sign; } along[BSPSCENE_CUBE_SIDES] = {
		{ 2, 1, -1, -1 }, { 2, 1, 1, -1 }, { 0, 2, 1, 1 }, { 0, 2, 1, -1 }, { 0, 1, 1, -1 }, { 0, 1, -1, -1 },
	};
	float over = fmaxf(fabsf(d[face / 2]), 1e-12f);
	uv[0] = (along[face].s_sign * d[along[face].s] / over + 1) * 0.5f;
	uv[1] = (along[face].t_sign * d[along[face].t] / over + 1) * 0.5f;
}

static void sample_cube(const bspr_shading *shading, uint32_t first_frame, float (*directions)[3], float out[4])
{
	const float farthest = 2;
	float uv[3][2], change[2][2];
	int face = face_of(directions[0]);
	uint32_t image = shading->renderer->scene->frame_images[first_frame + (uint32_t)face];
	for (int i = 0; i < 3; i++) face_uv(face, directions[i], uv[i]);
	for (int i = 0; i < 4; i++) {
		float by = uv[1 + i / 2][i % 2] - uv[0][i % 2];
		change[i / 2][i % 2] = fminf(fmaxf(by, -farthest), farthest);
	}
	const bspi_mips *texture = &shading->renderer->textures[image];
	bspi_mips_sample(texture, uv[0], bspi_mips_lod(texture, change[0], change[1]), true, out);
}

/* Like the engine, returns the cube map nearest to the origin of a model or, for other surfaces, to the point. NO_INDEX
 * if there is no cube map. */
static uint32_t find_nearest(const bspscene_scene *scene, const bspr_surface *s)
{
	const float *m = s->instance->transform, origin[3] = { m[3], m[7], m[11] };
	const float *point = s->instance->node->prop == BSPSCENE_NO_INDEX ? s->position : origin;
	uint32_t nearest = BSPSCENE_NO_INDEX;
	float least = INFINITY;
	for (uint32_t i = 0; i < scene->cubemap_count; i++) {
		const bspscene_cubemap *cubemap = scene->cubemaps[i];
		float way[3];
		for (int k = 0; k < 3; k++) way[k] = cubemap->origin[k] - point[k];
		if (cubemap->first_frame_image == BSPSCENE_NO_INDEX || !(bspr_dot(way, way) < least)) continue;
		least = bspr_dot(way, way);
		nearest = cubemap->first_frame_image;
	}
	return nearest;
}

/* ---- Reflection --------------------------------------------------------------------------------------------- */

static void mirrored(const float normal[3], const float to_eye[3], float out[3])
{
	float along = 2 * bspr_dot(normal, to_eye), square = bspr_dot(normal, normal);
	for (int i = 0; i < 3; i++) out[i] = along * normal[i] - square * to_eye[i];
}

/* Computes the reflected directions at this pixel and at the pixels to the right and below. */
static void find_directions(const bspr_shading *shading, const bspr_surface *s, const float normal[3],
                            float directions[3][3], float to_eye[3])
{
	for (int step = 2; step >= 0; step--) {
		const float *weights = step == 0 ? NULL : step == 1 ? s->weights_dx : s->weights_dy;
		for (int i = 0; i < 3; i++) {
			to_eye[i] = shading->view->origin[i] - s->position[i];
			for (int k = 0; k < 3 && weights; k++) to_eye[i] -= s->places[k][i] * weights[k];
		}
		mirrored(normal, to_eye, directions[step]);
	}
}

static float mask_of(const bspscene_reflection *r, const float texels[2][4], float base_alpha, int channel)
{
	switch (r->mask) {
	case BSPSCENE_REFLECTION_MASK_IMAGE: return texels[0][channel];
	case BSPSCENE_REFLECTION_MASK_BASE_ALPHA: return 1 - base_alpha;
	case BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA: return texels[1][3];
	default: return 1;
	}
}

/* Samples the mask of the reflection and the normal map. The alpha of the normal map may be a mask too. An image that
 * does not exist counts as white. */
static void find_texels(const bspr_shading *shading, const bspr_surface *s, float texels[2][4])
{
	static const float unscaled[2] = { 1, 1 };
	const bspscene_reflection *r = s->material->reflection;
	bspr_placing base = bspr_base_placing(shading, s->material, unscaled), plain = { .scale = { 1, 1 } }, own = plain;
	memcpy(own.scale, r->uv_scale, sizeof own.scale);
	memcpy(own.offset, r->uv_offset, sizeof own.offset);
	own.rotation = r->uv_rotation_radians;
	for (int i = 0; i < 4; i++) texels[0][i] = texels[1][i] = 1;
	if (r->mask_image != BSPSCENE_NO_INDEX) {
		bspr_placed_texels(shading, s, 1, r->mask_image, r->with_base ? &base : &own, &texels[0]);
	}
	if (s->material->bump_light) {
		bspr_bump_texel(shading, s, texels[1]);
	} else if (r->normal_image != BSPSCENE_NO_INDEX) {
		bspr_placed_texels(shading, s, 1, r->normal_image, r->with_base ? &base : &plain, &texels[1]);
	}
}

static float fresnel_of(const bspscene_material *m, float facing)
{
	const bspscene_reflection *r = m->reflection;
	bool liquid = m->kind == BSPSCENE_MATERIAL_LIQUID;
	float away = 1 - (liquid ? fmaxf(facing, 0) : facing);
	if (m->phong) return 1 + (bspr_phong_fresnel(m->phong, facing) - 1) * m->phong->reflection_share;
	return r->share + (1 - r->share) * away * away * away * away * away;
}

/* Samples the surroundings in display space. False if there are none. */
static bool look_around(const bspr_shading *shading, const bspr_surface *s, float directions[3][3], float out[4])
{
	const bspscene_renderer *r = shading->renderer;
	uint32_t first_frame = s->material->reflection->first_frame_image;
	if (first_frame == BSPSCENE_NO_INDEX) first_frame = find_nearest(r->scene, s);
	bool cube = first_frame != BSPSCENE_NO_INDEX;
	if (cube) sample_cube(shading, first_frame, directions, out);
	if (cube || s->material->kind != BSPSCENE_MATERIAL_LIQUID || r->sky_material == BSPSCENE_NO_INDEX) return cube;
	bspi_ray ray;
	for (int i = 0; i < 3; i++) {
		ray.origin[i] = s->position[i];
		ray.direction[i] = directions[0][i];
		ray.dx[i] = directions[1][i] - directions[0][i];
		ray.dy[i] = directions[2][i] - directions[0][i];
	}
	bspi_sky_color(&shading->sky, r->scene->materials[r->sky_material], &ray, out);
	return true;
}

/* Blends the reflection over the liquid and its background. */
static void cover(const float light[3], float share, float color[4])
{
	float part = bspr_clamp01(share), alpha = 1 - (1 - color[3]) * (1 - part);
	for (int i = 0; i < 3 && alpha > 0; i++) {
		float own = (float)pow(fmaxf(color[i], 0), GAMMA) * color[3] * (1 - part);
		color[i] = (float)pow((own + light[i] * part) / alpha, 1 / GAMMA);
	}
	color[3] = alpha;
}

void bspr_reflect(const bspr_shading *shading, const bspr_surface *s, float base_alpha, float color[4])
{
	static const float luminance[3] = { 0.299f, 0.587f, 0.114f };
	const bspscene_reflection *r = s->material->reflection;
	float texels[2][4], normal[3], directions[3][3], to_eye[3], around[4], light[3], gray = 0;
	find_texels(shading, s, texels);
	bspr_world_normal(s, normal);
	if (s->material->bump_light || r->normal_image != BSPSCENE_NO_INDEX) bspr_bend_normal(s, texels[1], normal);
	if (s->material->phong) bspr_normalize(normal);
	find_directions(shading, s, normal, directions, to_eye);
	if (!look_around(shading, s, directions, around)) return;
	bspr_normalize(to_eye);
	float fresnel = fresnel_of(s->material, bspr_dot(normal, to_eye));
	for (int i = 0; i < 3; i++) {
		float mask = mask_of(r, (const float (*)[4])texels, base_alpha, i);
		if (r->inverted) mask = 1 - mask;
		float value = (float)pow(around[i], GAMMA) * mask * r->color[i];
		light[i] = value + (value * value - value) * r->contrast;
		gray += light[i] * luminance[i];
	}
	bool liquid = s->material->kind == BSPSCENE_MATERIAL_LIQUID;
	for (int i = 0; i < 3; i++) {
		float value = gray + (light[i] - gray) * r->saturation;
		light[i] = liquid ? fmaxf(value, 0) : (float)pow(fmaxf(value * fresnel, 0), 1 / GAMMA);
	}
	for (int i = 0; i < 3 && r->alone; i++) color[i] = 0;
	if (liquid) cover(light, fresnel, color);
	else bspr_add_light(light, color);
}
