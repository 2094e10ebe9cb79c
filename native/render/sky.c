/* sky.c - skies: boxes of six images, Quake III's cloud dome, Quake's two scrolling layers. Directions to texture
 * coordinates as the engines' tr_sky.c and gl_warp.c. */
#include "shade.h"
#include "sky_sides.h"

#include <math.h>
#include <string.h>

/* tr_sky.c radiusWorld */
#define CLOUD_RADIUS 4096.0f

/* What the engine knows at the corners of each side's 8 x 8 squares; `d` is the way to one from the box's middle. */
typedef void corner_function(const float d[3], const void *user, float out[2]);

static void at_corner(int side, int s, int t, corner_function *function, const void *user, float out[2])
{
	const float middle = BSPR_SKY_SQUARES / 2.0f;
	float d[3];
	bspr_side_direction(side, ((float)s - middle) / middle, ((float)t - middle) / middle, d);
	function(d, user, out);
}

/* Interpolated as in the square's two triangles (tr_sky.c FillCloudySkySide). */
static void between_corners(const float direction[3], corner_function *function, const void *user, float out[2])
{
	float on_side[2], corners[3][2];
	int side = bspr_box_side(direction, on_side);
	float s = on_side[0] * BSPR_SKY_SQUARES, t = (1 - on_side[1]) * BSPR_SKY_SQUARES;
	int at_s = (int)fminf(fmaxf(s, 0), BSPR_SKY_SQUARES - 1), at_t = (int)fminf(fmaxf(t, 0), BSPR_SKY_SQUARES - 1);
	float in_s = s - (float)at_s, in_t = t - (float)at_t;
	bool far_half = in_s + in_t > 1;
	at_corner(side, at_s + far_half, at_t + far_half, function, user, corners[0]);
	at_corner(side, at_s + !far_half, at_t + far_half, function, user, corners[1]);
	at_corner(side, at_s + far_half, at_t + !far_half, function, user, corners[2]);
	if (far_half) {
		in_s = 1 - in_s;
		in_t = 1 - in_t;
	}
	for (int i = 0; i < 2; i++) {
		out[i] = corners[0][i] + (corners[1][i] - corners[0][i]) * in_s + (corners[2][i] - corners[0][i]) * in_t;
	}
}

static void box_position(const bspr_shading *shading, const float d[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = shading->view->origin[i] + d[i] * shading->sky_box;
}

/* A stage of the clouds. */
typedef struct clouds {
	const bspr_shading *shading;
	const bspscene_stage *stage;
	float height;
} clouds;

/* Where the direction of a corner leaves a sphere of the clouds' height over the world's: angles of that point are the
 * coordinates. */
static void corner_uv(const float d[3], const void *user, float uv[2])
{
	const clouds *c = user;
	const float r = CLOUD_RADIUS;
	float position[3], v[3];
	float all = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
	float root = d[2] * d[2] * r * r + all * (2 * r * c->height + c->height * c->height);
	float p = (-d[2] * r + sqrtf(fmaxf(root, 0))) / all;
	for (int i = 0; i < 3; i++) v[i] = d[i] * p + (i == 2 ? r : 0);
	float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int i = 0; i < 2; i++) uv[i] = (float)acos(fminf(fmaxf(v[i] / length, -1), 1));
	box_position(c->shading, d, position);
	bspr_modify_uv(c->stage, c->shading->options->time, position, uv);
}

static void cloud_uv(const float direction[3], const void *user, float uv[2])
{
	between_corners(direction, corner_uv, user, uv);
}

/* The engine's pass of fog over the clouds, where surfaces of the sky reach into a fog volume. */
typedef struct foggy {
	const bspr_shading *shading;
	const bspscene_fog *fog;
} foggy;

static void corner_fog(const float d[3], const void *user, float out[2])
{
	const foggy *f = user;
	float position[3];
	box_position(f->shading, d, position);
	bspr_fog_coordinates(f->shading, f->fog, position, out);
}

static void draw_fog(const bspr_shading *shading, const bspscene_fog *fog, const bspr_ray *ray, float color[3])
{
	const foggy f = { shading, fog };
	const float *fog_color = bspr_fog_color(shading, fog);
	float at[2];
	between_corners(ray->direction, corner_fog, &f, at);
	float share = bspr_fog_table(at);
	for (int i = 0; i < 3; i++) color[i] += (fog_color[i] - color[i]) * share;
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
	bspr_box_side(direction, uv);
}

static void map_layer(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	layer_uv(direction, 0, 0, uv);
}

void bspr_sample_box(const bspr_shading *shading, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspr_ray *ray,
                     float out[4])
{
	float uv[2];
	uint32_t image = box[bspr_box_side(ray->direction, uv)];
	if (image == BSPSCENE_NO_INDEX) return;
	const bspr_texture *texture = &shading->renderer->textures[image];
	float lod = lod_of(texture, ray, map_box, NULL, uv);
	/* Half as high as wide is the upper half; below, its last row goes on (Source). */
	if (texture->levels[0].width > texture->levels[0].height) {
		uv[1] *= (float)texture->levels[0].width / (float)texture->levels[0].height;
	}
	bspr_texture_sample(texture, uv, lod, true, out);
}

static void draw_box(const bspr_shading *shading, const bspscene_sky *sky, const bspr_ray *ray, float color[3])
{
	float texel[4] = { color[0], color[1], color[2], 1 };
	bspr_sample_box(shading, sky->box, ray, texel);
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
	const clouds c = { shading, stage, sky->cloud_height };
	float uv[2];
	cloud_uv(ray->direction, &c, uv);
	bspr_texture_sample(texture, uv, lod_of(texture, ray, cloud_uv, &c, uv), stage->clamp, texel);
}

static void draw_fogs(const bspr_shading *shading, const bspr_ray *ray, float color[3])
{
	for (uint32_t i = 0; shading->sky_covers && i < shading->renderer->scene->fog_count; i++) {
		const bspscene_fog *fog = bspr_find_fog(shading, i);
		if (fog && bspr_is_covered(&shading->sky_covers[i], ray->direction)) draw_fog(shading, fog, ray, color);
	}
}

static void draw_clouds(const bspr_shading *shading, const bspscene_material *material, const bspr_ray *ray,
                        float color[3])
{
	const bspscene_scene *scene = shading->renderer->scene;
	float unused[2];
	/* The engine draws clouds on all sides of the box but its floor. */
	if (bspr_box_side(ray->direction, unused) == BSPR_DOWN) return;
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
	if (material->stage_count) draw_fogs(shading, ray, color);
}

void bspr_shade_sky(const bspr_shading *shading, const bspscene_material *material, const bspr_ray *ray, float color[3])
{
	const bspscene_sky *sky = material->sky;
	color[0] = color[1] = color[2] = 0;
	if (!sky) return;
	draw_box(shading, sky, ray, color);
	draw_layers(shading, sky, ray, color);
	if (sky->cloud_height > 0) draw_clouds(shading, material, ray, color);
	if (shading->options->mode == BSPSCENE_RENDER_FULL && !shading->options->without_fog) {
		bspr_map_fog_over(shading, shading->renderer->scene->map_fog.sky, color);
	}
}
