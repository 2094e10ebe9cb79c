/* sky.c - skies: boxes of six images, Quake III's cloud dome, Quake's two scrolling layers. Directions to texture
 * coordinates as the engines' tr_sky.c and gl_warp.c. */
#include "shade.h"

#include <math.h>
#include <string.h>

/* tr_sky.c: radiusWorld and SKY_SUBDIVISIONS. The box is as large as what is in view; this is a guess. */
#define CLOUD_RADIUS 4096.0f
#define CLOUD_SQUARES 8
#define CLOUD_BOX 4096.0f

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

/* The reverse: a point of a side, s and t from -1 to 1. */
static void side_direction(int side, float s, float t, float out[3])
{
	/* 1 is s, 2 is t, 3 the way to the side. */
	static const int axes[6][3] = {
		[RIGHT] = { 3, -1, 2 }, [LEFT] = { -3, 1, 2 }, [BACK] = { 1, 3, 2 }, [FRONT] = { -1, -3, 2 },
		[UP] = { -2, -1, 3 }, [DOWN] = { 2, -1, -3 },
	};
	const float values[3] = { s, t, 1 };
	for (int i = 0; i < 3; i++) out[i] = axes[side][i] < 0 ? -values[-axes[side][i] - 1] : values[axes[side][i] - 1];
}

/* A stage of the clouds, whose coordinates the engine knows at the corners of 8 x 8 squares of each side. */
typedef struct clouds {
	const bspscene_stage *stage;
	const float *eye;
	float height, time;
} clouds;

/* Where the direction of a corner leaves a sphere of the clouds' height over the world's: angles of that point are the
 * coordinates. */
static void corner_uv(const clouds *c, int side, int s, int t, float uv[2])
{
	const float middle = CLOUD_SQUARES / 2.0f, r = CLOUD_RADIUS;
	float d[3], position[3], v[3];
	side_direction(side, ((float)s - middle) / middle, ((float)t - middle) / middle, d);
	float all = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
	float root = d[2] * d[2] * r * r + all * (2 * r * c->height + c->height * c->height);
	float p = (-d[2] * r + sqrtf(fmaxf(root, 0))) / all;
	for (int i = 0; i < 3; i++) {
		v[i] = d[i] * p + (i == 2 ? r : 0);
		position[i] = c->eye[i] + d[i] * CLOUD_BOX;
	}
	float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int i = 0; i < 2; i++) uv[i] = acosf(fminf(fmaxf(v[i] / length, -1), 1));
	bspr_modify_uv(c->stage, c->time, position, uv);
}

/* Interpolated as in the square's two triangles (tr_sky.c FillCloudySkySide). */
static void cloud_uv(const float direction[3], const void *user, float uv[2])
{
	const clouds *c = user;
	float on_side[2], corners[3][2];
	int side = box_side(direction, on_side);
	float s = on_side[0] * CLOUD_SQUARES, t = (1 - on_side[1]) * CLOUD_SQUARES;
	int at_s = (int)fminf(fmaxf(s, 0), CLOUD_SQUARES - 1), at_t = (int)fminf(fmaxf(t, 0), CLOUD_SQUARES - 1);
	float in_s = s - (float)at_s, in_t = t - (float)at_t;
	bool far_half = in_s + in_t > 1;
	corner_uv(c, side, at_s + far_half, at_t + far_half, corners[0]);
	corner_uv(c, side, at_s + !far_half, at_t + far_half, corners[1]);
	corner_uv(c, side, at_s + far_half, at_t + !far_half, corners[2]);
	if (far_half) {
		in_s = 1 - in_s;
		in_t = 1 - in_t;
	}
	for (int i = 0; i < 2; i++) {
		uv[i] = corners[0][i] + (corners[1][i] - corners[0][i]) * in_s + (corners[2][i] - corners[0][i]) * in_t;
	}
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

static void sample_cloud(const bspr_shading *shading, const bspscene_sky *sky, const bspscene_stage *stage,
                         const bspr_ray *ray, float texel[4])
{
	uint32_t image = bspr_stage_image(shading->renderer->scene, stage, shading->options->time);
	if (image == BSPSCENE_NO_INDEX) return;
	const bspr_texture *texture = &shading->renderer->textures[image];
	const clouds c = { stage, shading->view->origin, sky->cloud_height, shading->options->time };
	float uv[2];
	cloud_uv(ray->direction, &c, uv);
	bspr_texture_sample(texture, uv, lod_of(texture, ray, cloud_uv, &c, uv), stage->clamp, texel);
}

static void draw_clouds(const bspr_shading *shading, const bspscene_material *material, const bspr_ray *ray,
                        float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	float unused[2];
	/* The engine draws clouds on all sides of the box but its floor. */
	if (box_side(ray->direction, unused) == DOWN) return;
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const bspscene_stage *stage = &scene->stages[material->first_stage + i];
		float texel[4] = { 1, 1, 1, 1 };
		if (stage->source == BSPSCENE_STAGE_IMAGE) sample_cloud(shading, material->sky, stage, ray, texel);
		float grey = stage->color_gen == BSPSCENE_COLOR_WAVE
		                 ? fminf(fmaxf(bspr_wave(&stage->color_wave, shading->options->time), 0), 1)
		                 : 1;
		for (int k = 0; k < 3; k++) texel[k] *= stage->color_gen == BSPSCENE_COLOR_CONST ? stage->color[k] : grey;
		if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_CONST) texel[3] *= stage->alpha;
		if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_WAVE) {
			texel[3] *= fminf(fmaxf(bspr_wave(&stage->alpha_wave, shading->options->time), 0), 1);
		}
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
