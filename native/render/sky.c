/* sky.c - skies: boxes of six images, Quake III's cloud dome, Quake's two scrolling layers. Directions to texture
 * coordinates as the engines' tr_sky.c and gl_warp.c. */
#include "shade.h"

#include <math.h>
#include <string.h>

#define CLOUD_RADIUS 4096.0f           /* tr_sky.c: radiusWorld */

enum { RIGHT, BACK, LEFT, FRONT, UP, DOWN };

/* Right is +X, left -X, back +Y, front -Y. */
static int box_side(const float d[3], float uv[2])
{
	float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]), s, t;
	int side;
	if (x >= y && x >= z) {
		side = d[0] > 0 ? RIGHT : LEFT;
		s = (d[0] > 0 ? -d[1] : d[1]) / x;
		t = d[2] / x;
	} else if (y >= z) {
		side = d[1] > 0 ? BACK : FRONT;
		s = (d[1] > 0 ? d[0] : -d[0]) / y;
		t = d[2] / y;
	} else {
		side = d[2] > 0 ? UP : DOWN;
		s = -d[1] / z;
		t = (d[2] > 0 ? -d[0] : d[0]) / z;
	}
	uv[0] = (s + 1) * 0.5f;
	uv[1] = 1 - (t + 1) * 0.5f;
	return side;
}

/* Where the direction leaves a sphere of the clouds' height over the world's; angles of that point are the
 * coordinates. */
static void cloud_uv(const float d[3], float height, float uv[2])
{
	float flat = d[0] * d[0] + d[1] * d[1], all = flat + d[2] * d[2], r = CLOUD_RADIUS;
	float root = d[2] * d[2] * r * r + all * (2 * r * height + height * height);
	float p = (-d[2] * r + sqrtf(fmaxf(root, 0))) / all;
	float v[3] = { d[0] * p, d[1] * p, d[2] * p + r };
	float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int i = 0; i < 2; i++) uv[i] = acosf(fminf(fmaxf(v[i] / length, -1), 1));
}

/* gl_warp.c EmitSkyPolys: a flattened dome, 8 and 16 texels per second. */
static void layer_uv(const float d[3], float speed, float time, float uv[2])
{
	float flattened[3] = { d[0], d[1], d[2] * 3 };
	float length = sqrtf(flattened[0] * flattened[0] + flattened[1] * flattened[1] + flattened[2] * flattened[2]);
	float scroll = fmodf(time * speed, 128);
	for (int i = 0; i < 2; i++) uv[i] = (scroll + flattened[i] * (6 * 63 / length)) / 128;
}

typedef void uv_function(const float direction[3], const void *user, float uv[2]);

/* Footprint by differences: the mapping is smooth, and a jump at a seam only blurs a pixel. */
static float lod_of(const bspr_texture *texture, const bspr_ray *ray, uv_function *map, const void *user,
                    const float uv[2])
{
	float right[3], down[3], uv_right[2], uv_down[2];
	for (int i = 0; i < 3; i++) {
		right[i] = ray->direction[i] + ray->dx[i];
		down[i] = ray->direction[i] + ray->dy[i];
	}
	map(right, user, uv_right);
	map(down, user, uv_down);
	for (int i = 0; i < 2; i++) {
		uv_right[i] -= uv[i];
		uv_down[i] -= uv[i];
		if (fabsf(uv_right[i]) > 0.5f || fabsf(uv_down[i]) > 0.5f) return 0;
	}
	return bspr_texture_lod(texture, uv_right, uv_down);
}

static void map_box(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	box_side(direction, uv);
}

static void map_cloud(const float direction[3], const void *user, float uv[2])
{
	cloud_uv(direction, *(const float *)user, uv);
}

static void map_layer(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	layer_uv(direction, 0, 0, uv);
}

static void draw_box(const bspr_shading *shading, const bspscene_sky *sky, const bspr_ray *ray, float color[3])
{
	float uv[2], texel[4];
	uint32_t image = sky->box[box_side(ray->direction, uv)];
	if (image == BSPSCENE_NO_INDEX) return;
	const bspr_texture *texture = &shading->renderer->textures[image];
	float lod = lod_of(texture, ray, map_box, NULL, uv);
	/* Half as high as wide is the upper half; below, its last row goes on (Source). */
	if (texture->levels[0].width > texture->levels[0].height) {
		uv[1] *= (float)texture->levels[0].width / (float)texture->levels[0].height;
	}
	bspr_texture_sample(texture, uv, lod, true, texel);
	for (int i = 0; i < 3; i++) color[i] = texel[i];
}

static void draw_layers(const bspr_shading *shading, const bspscene_sky *sky, const bspr_ray *ray, float color[3])
{
	static const float speeds[2] = { 8, 16 };
	for (int i = 0; i < 2; i++) {
		if (sky->layers[i] == BSPSCENE_NO_INDEX) continue;
		float uv[2], still[2], texel[4];
		const bspr_texture *texture = &shading->renderer->textures[sky->layers[i]];
		layer_uv(ray->direction, speeds[i], shading->options->time, uv);
		map_layer(ray->direction, NULL, still);
		bspr_texture_sample(texture, uv, lod_of(texture, ray, map_layer, NULL, still), false, texel);
		for (int k = 0; k < 3; k++) color[k] += (texel[k] - color[k]) * (i ? texel[3] : 1);
	}
}

static void sample_cloud(const bspr_shading *shading, float height, const bspscene_stage *stage, const bspr_ray *ray,
                         const float point[3], float texel[4])
{
	uint32_t image = bspr_stage_image(shading->renderer->scene, stage, shading->options->time);
	if (image == BSPSCENE_NO_INDEX) return;
	const bspr_texture *texture = &shading->renderer->textures[image];
	float uv[2], scaled[2], beside[2];
	cloud_uv(ray->direction, height, uv);
	memcpy(scaled, uv, sizeof scaled);
	memcpy(beside, uv, sizeof beside);
	beside[0] += 1;
	bspr_modify_uv(stage, shading->options->time, point, scaled);
	bspr_modify_uv(stage, shading->options->time, point, beside);
	float zoom = sqrtf((beside[0] - scaled[0]) * (beside[0] - scaled[0]) +
	                   (beside[1] - scaled[1]) * (beside[1] - scaled[1]));
	float lod = lod_of(texture, ray, map_cloud, &height, uv);
	bspr_texture_sample(texture, scaled, lod + log2f(fmaxf(zoom, 1e-3f)), stage->clamp, texel);
}

static void draw_clouds(const bspr_shading *shading, const bspscene_material *material, const bspr_ray *ray,
                        float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	float length = sqrtf(ray->direction[0] * ray->direction[0] + ray->direction[1] * ray->direction[1] +
	                     ray->direction[2] * ray->direction[2]);
	/* The engine's clouds end one eighth of a box side below the horizon. */
	float largest = fmaxf(fabsf(ray->direction[0]), fabsf(ray->direction[1]));
	if (ray->direction[2] < 0 && -ray->direction[2] > largest / 4) return;
	float point[3], height = material->sky->cloud_height;
	for (int i = 0; i < 3; i++) point[i] = ray->direction[i] / length * CLOUD_RADIUS;
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const bspscene_stage *stage = &scene->stages[material->first_stage + i];
		float texel[4] = { 1, 1, 1, 1 };
		if (stage->source == BSPSCENE_STAGE_IMAGE) sample_cloud(shading, height, stage, ray, point, texel);
		float grey = stage->color_gen == BSPSCENE_COLOR_WAVE
		                 ? fminf(fmaxf(bspr_wave(&stage->color_wave, shading->options->time), 0), 1)
		                 : 1;
		for (int k = 0; k < 3; k++) texel[k] *= stage->color_gen == BSPSCENE_COLOR_CONST ? stage->color[k] : grey;
		if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_CONST) texel[3] *= stage->alpha;
		bspr_blend(stage->src_blend, stage->dst_blend, texel, color, 1);
	}
}

void bspr_shade_sky(const bspr_shading *shading, const bspscene_material *material, const bspr_ray *ray, float color[3])
{
	const bspscene_sky *sky = material->sky;
	color[0] = color[1] = color[2] = 0;
	if (!sky) return;
	draw_box(shading, sky, ray, color);
	draw_layers(shading, sky, ray, color);
	if (sky->cloud_height > 0) draw_clouds(shading, material, ray, color);
	if (shading->options->mode == BSPSCENE_RENDER_FULL) {
		bspr_map_fog_over(shading, shading->renderer->scene->map_fog.sky, color);
	}
}
