/* sky_color.c - see sky_color.h. Directions to texture coordinates as the engines' tr_sky.c and gl_warp.c. */
#include "drawing/sky_color.h"

#include <math.h>
#include <string.h>

#include "drawing/fog_volume.h"
#include "drawing/stage.h"

/* tr_sky.c radiusWorld */
#define CLOUD_RADIUS 4096.0f

/* What the engine knows at the corners of each side's 8 x 8 squares; `d` is the way to one from the box's middle. */
typedef void corner_function(const float d[3], const void *user, float out[2]);

static void at_corner(int side, int s, int t, corner_function *function, const void *user, float out[2])
{
	const float middle = BSPI_SKY_SQUARES / 2.0f;
	float d[3];
	bspi_side_direction(side, ((float)s - middle) / middle, ((float)t - middle) / middle, d);
	function(d, user, out);
}

/* Where a direction meets a side: a triangle of a square, as the corners' numbers along s and t, and the shares of the
 * second and third (tr_sky.c FillCloudySkySide). */
typedef struct square {
	int side, s[3], t[3];
	float share[2];
} square;

static square square_of(const float direction[3])
{
	square out;
	float on_side[2];
	out.side = bspi_box_side(direction, on_side);
	float s = on_side[0] * BSPI_SKY_SQUARES, t = (1 - on_side[1]) * BSPI_SKY_SQUARES;
	int at_s = (int)fminf(fmaxf(s, 0), BSPI_SKY_SQUARES - 1), at_t = (int)fminf(fmaxf(t, 0), BSPI_SKY_SQUARES - 1);
	float in_s = s - (float)at_s, in_t = t - (float)at_t;
	bool far_half = in_s + in_t > 1;
	out.s[0] = at_s + far_half, out.t[0] = at_t + far_half;
	out.s[1] = at_s + !far_half, out.t[1] = at_t + far_half;
	out.s[2] = at_s + far_half, out.t[2] = at_t + !far_half;
	out.share[0] = far_half ? 1 - in_s : in_s;
	out.share[1] = far_half ? 1 - in_t : in_t;
	return out;
}

static void between(const square *at, const float *const corners[3], float out[2])
{
	for (int i = 0; i < 2; i++) {
		out[i] = corners[0][i] + (corners[1][i] - corners[0][i]) * at->share[0] +
		         (corners[2][i] - corners[0][i]) * at->share[1];
	}
}

static void between_corners(const float direction[3], corner_function *function, const void *user, float out[2])
{
	float corners[3][2];
	const float *const of[3] = { corners[0], corners[1], corners[2] };
	const square at = square_of(direction);
	for (int i = 0; i < 3; i++) at_corner(at.side, at.s[i], at.t[i], function, user, corners[i]);
	between(&at, of, out);
}

static void box_position(const bspi_sky_view *view, const float d[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = view->origin[i] + d[i] * view->box;
}

/* A stage of the clouds. */
typedef struct clouds {
	const bspi_sky_view *view;
	const bspscene_stage *stage;
	float height;
	const bspi_cloud_corners *corners; /* or NULL */
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
	box_position(c->view, d, position);
	bspi_modify_uv(c->stage, c->view->time, position, uv);
}

static void cloud_uv(const float direction[3], const void *user, float uv[2])
{
	const clouds *c = user;
	if (!c->corners) {
		between_corners(direction, corner_uv, user, uv);
		return;
	}
	const float *corners[3];
	const square at = square_of(direction);
	for (int i = 0; i < 3; i++) corners[i] = c->corners->uvs[at.side][at.t[i]][at.s[i]];
	between(&at, corners, uv);
}

void bspi_find_cloud_corners(const bspi_sky_view *view, const bspscene_material *material,
                             const bspscene_stage *stage, bspi_cloud_corners *out)
{
	const clouds c = { view, stage, material->sky->cloud_height, NULL };
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		for (int t = 0; t <= BSPI_SKY_SQUARES; t++) {
			for (int s = 0; s <= BSPI_SKY_SQUARES; s++) at_corner(side, s, t, corner_uv, &c, out->uvs[side][t][s]);
		}
	}
}

/* The engine's pass of fog over the clouds, where surfaces of the sky reach into a fog volume. */
typedef struct foggy {
	const bspi_sky_view *view;
	const bspscene_fog *fog;
	const bspscene_fog_parms *parms;
} foggy;

static void corner_fog(const float d[3], const void *user, float out[2])
{
	const foggy *f = user;
	float position[3];
	box_position(f->view, d, position);
	bspi_fog_coordinates(f->parms, f->fog, f->view->origin, f->view->forward, position, out);
}

static void draw_fog(const foggy *f, const bspi_ray *ray, float color[3])
{
	float at[2];
	between_corners(ray->direction, corner_fog, f, at);
	float share = bspi_fog_table(at);
	for (int i = 0; i < 3; i++) color[i] += (f->parms->color[i] - color[i]) * share;
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
static float lod_of(const bspi_mips *texture, const bspi_ray *ray, uv_function *map, const void *user,
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
	return bspi_mips_lod(texture, uv_right, uv_down);
}

static void map_box(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	bspi_box_side(direction, uv);
}

static void map_layer(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	layer_uv(direction, 0, 0, uv);
}

void bspi_sample_box(const bspi_mips *textures, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspi_ray *ray,
                     float out[4])
{
	float uv[2];
	uint32_t image = box[bspi_box_side(ray->direction, uv)];
	if (image == BSPSCENE_NO_INDEX) return;
	const bspi_mips *texture = &textures[image];
	float lod = lod_of(texture, ray, map_box, NULL, uv);
	/* Half as high as wide is the upper half; below, its last row goes on (Source). */
	if (texture->levels[0].width > texture->levels[0].height) {
		uv[1] *= (float)texture->levels[0].width / (float)texture->levels[0].height;
	}
	bspi_mips_sample(texture, uv, lod, true, out);
}

static void draw_box(const bspi_sky_view *view, const bspscene_sky *sky, const bspi_ray *ray, float color[3])
{
	float texel[4] = { color[0], color[1], color[2], 1 };
	bspi_sample_box(view->textures, sky->box, ray, texel);
	for (int i = 0; i < 3; i++) color[i] = texel[i];
}

static void draw_layers(const bspi_sky_view *view, const bspscene_sky *sky, const bspi_ray *ray, float color[3])
{
	static const float speeds[2] = { 8, 16 };
	for (int i = 0; i < 2; i++) {
		if (sky->layers[i] == BSPSCENE_NO_INDEX) continue;
		float uv[2], still[2], texel[4];
		const bspi_mips *texture = &view->textures[sky->layers[i]];
		layer_uv(ray->direction, speeds[i], view->time, uv);
		map_layer(ray->direction, NULL, still);
		bspi_mips_sample(texture, uv, lod_of(texture, ray, map_layer, NULL, still), false, texel);
		for (int k = 0; k < 3; k++) color[k] += (texel[k] - color[k]) * (i ? texel[3] : 1);
	}
}

static void sample_cloud(const bspi_sky_view *view, const bspscene_sky *sky, const bspscene_stage *stage,
                         const bspi_cloud_corners *corners, const bspi_ray *ray, float texel[4])
{
	uint32_t image = bspi_stage_image(view->scene, stage, view->time);
	if (image == BSPSCENE_NO_INDEX) return;
	const bspi_mips *texture = &view->textures[image];
	const clouds c = { view, stage, sky->cloud_height, corners };
	float uv[2];
	cloud_uv(ray->direction, &c, uv);
	bspi_mips_sample(texture, uv, lod_of(texture, ray, cloud_uv, &c, uv), stage->clamp, texel);
}

static void draw_fogs(const bspi_sky_view *view, const bspi_ray *ray, float color[3])
{
	if (!view->covers || !view->fogs) return;
	for (uint32_t i = 0; i < view->scene->fog_count; i++) {
		const foggy f = { view, view->scene->fogs[i], bspi_fog_parms_of(view->scene, view->scene->fogs[i]) };
		if (f.parms && bspi_is_covered(&view->covers[i], ray->direction)) draw_fog(&f, ray, color);
	}
}

static void draw_clouds(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                        float color[3])
{
	const bspscene_scene *scene = view->scene;
	float unused[2];
	/* The engine draws clouds on all sides of the box but its floor. */
	if (bspi_box_side(ray->direction, unused) == BSPI_SKY_DOWN) return;
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const bspscene_stage *stage = scene->stages[material->first_stage + i];
		float texel[4] = { 1, 1, 1, 1 };
		if (stage->source == BSPSCENE_STAGE_IMAGE) {
			sample_cloud(view, material->sky, stage, view->corners ? &view->corners[i] : NULL, ray, texel);
		}
		float grey = stage->color_gen == BSPSCENE_COLOR_WAVE
		                 ? fminf(fmaxf(bspi_wave_at(&stage->color_wave, view->time), 0), 1)
		                 : 1;
		for (int k = 0; k < 3; k++) texel[k] *= stage->color_gen == BSPSCENE_COLOR_CONST ? stage->color[k] : grey;
		if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_CONST) texel[3] *= stage->alpha;
		if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_WAVE) {
			texel[3] *= fminf(fmaxf(bspi_wave_at(&stage->alpha_wave, view->time), 0), 1);
		}
		bspi_blend_pass(stage->src_blend, stage->dst_blend, texel, color, 1);
	}
	if (material->stage_count) draw_fogs(view, ray, color);
}

float bspi_sky_box(const bspscene_bounds *bounds, const float eye[3])
{
	const float to_corner = 1.75f, smallest = 64;
	float squared = 0;
	for (int i = 0; i < 3; i++) {
		float low = fabsf(bounds->min[i] - eye[i]), high = fabsf(bounds->max[i] - eye[i]);
		squared += fmaxf(low, high) * fmaxf(low, high);
	}
	return fmaxf(sqrtf(squared) / to_corner, smallest);
}

void bspi_sky_color(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                    float color[3])
{
	const bspscene_sky *sky = material->sky;
	color[0] = color[1] = color[2] = 0;
	if (!sky) return;
	draw_box(view, sky, ray, color);
	draw_layers(view, sky, ray, color);
	if (sky->cloud_height > 0) draw_clouds(view, material, ray, color);
	const bspscene_map_fog *fog = view->scene->map_fog;
	for (int i = 0; view->map_fog && i < 3; i++) color[i] += (fog->color[i] - color[i]) * fog->sky;
}
