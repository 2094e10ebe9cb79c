/* sky_color.c - see sky_color.h. Directions to texture coordinates as the engines' tr_sky.c and gl_warp.c. */
#include "drawing/sky_color.h"

#include <math.h>
#include <string.h>

#include "drawing/fog_volume.h"
#include "drawing/numbers.h"
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

static square square_on(int side, const float on_side[2])
{
	square out = { .side = side };
	const float last = BSPI_SKY_SQUARES - 1;
	float s = on_side[0] * BSPI_SKY_SQUARES, t = (1 - on_side[1]) * BSPI_SKY_SQUARES;
	int at_s = (int)bspi_smaller(bspi_larger(s, 0), last), at_t = (int)bspi_smaller(bspi_larger(t, 0), last);
	float in_s = s - (float)at_s, in_t = t - (float)at_t;
	bool far_half = in_s + in_t > 1;
	out.s[0] = at_s + far_half, out.t[0] = at_t + far_half;
	out.s[1] = at_s + !far_half, out.t[1] = at_t + far_half;
	out.s[2] = at_s + far_half, out.t[2] = at_t + !far_half;
	out.share[0] = far_half ? 1 - in_s : in_s;
	out.share[1] = far_half ? 1 - in_t : in_t;
	return out;
}

static square square_of(const float direction[3])
{
	float on_side[2];
	int side = bspi_box_side(direction, on_side);
	return square_on(side, on_side);
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

static void between_known(const bspi_cloud_corners *known, const square *at, float uv[2])
{
	const float *corners[3];
	for (int i = 0; i < 3; i++) corners[i] = known->uvs[at->side][at->t[i]][at->s[i]];
	between(at, corners, uv);
}

static void cloud_uv(const float direction[3], const void *user, float uv[2])
{
	const clouds *c = user;
	if (!c->corners) {
		between_corners(direction, corner_uv, user, uv);
		return;
	}
	const square at = square_of(direction);
	between_known(c->corners, &at, uv);
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

/* ---- One direction, and its neighbours --------------------------------------------------------------------- */

typedef void uv_function(const float direction[3], const void *user, float uv[2]);

/* Coordinates in a direction, and right of it and below. */
typedef struct footprint {
	float uv[2], right[2], below[2];
} footprint;

static footprint footprint_of(const bspi_ray *ray, uv_function *map, const void *user)
{
	footprint out;
	const float *d = ray->direction, *dx = ray->dx, *dy = ray->dy;
	map(d, user, out.uv);
	map((const float[3]){ d[0] + dx[0], d[1] + dx[1], d[2] + dx[2] }, user, out.right);
	map((const float[3]){ d[0] + dy[0], d[1] + dy[1], d[2] + dy[2] }, user, out.below);
	return out;
}

/* By differences: the mapping is smooth, and a jump at a seam only blurs a pixel. */
static inline float lod_of(const bspi_mips *texture, const footprint *at)
{
	float right[2], below[2];
	for (int i = 0; i < 2; i++) {
		right[i] = at->right[i] - at->uv[i];
		below[i] = at->below[i] - at->uv[i];
		if (fabsf(right[i]) > 0.5f || fabsf(below[i]) > 0.5f) return 0;
	}
	return bspi_mips_lod(texture, right, below);
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

static void sample_side(const bspi_mips *texture, footprint on_side, float out[4])
{
	float lod = lod_of(texture, &on_side);
	/* Half as high as wide is the upper half; below, its last row goes on (Source). */
	if (texture->levels[0].width > texture->levels[0].height) {
		on_side.uv[1] *= (float)texture->levels[0].width / (float)texture->levels[0].height;
	}
	bspi_mips_sample(texture, on_side.uv, lod, true, out);
}

void bspi_sample_box(const bspi_mips *textures, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspi_ray *ray,
                     float out[4])
{
	float unused[2];
	uint32_t image = box[bspi_box_side(ray->direction, unused)];
	if (image != BSPSCENE_NO_INDEX) sample_side(&textures[image], footprint_of(ray, map_box, NULL), out);
}

/* The lower layer hides what is behind it. */
static void draw_layers(const bspi_sky_view *view, const bspscene_sky *sky, const float direction[3],
                        const footprint *still, float color[3])
{
	static const float speeds[2] = { 8, 16 };
	for (int i = 0; i < 2; i++) {
		if (sky->layers[i] == BSPSCENE_NO_INDEX) continue;
		float uv[2], texel[4];
		const bspi_mips *texture = &view->textures[sky->layers[i]];
		layer_uv(direction, speeds[i], view->time, uv);
		bspi_mips_sample(texture, uv, lod_of(texture, still), false, texel);
		for (int k = 0; k < 3; k++) color[k] += (texel[k] - color[k]) * (i ? texel[3] : 1);
	}
}

static bool has_layers(const bspscene_sky *sky)
{
	return sky->layers[0] != BSPSCENE_NO_INDEX || sky->layers[1] != BSPSCENE_NO_INDEX;
}

static void draw_fogs(const bspi_sky_view *view, const bspi_ray *ray, float color[3])
{
	for (uint32_t i = 0; i < view->scene->fog_count; i++) {
		const foggy f = { view, view->scene->fogs[i], bspi_fog_parms_of(view->scene, view->scene->fogs[i]) };
		if (f.parms && bspi_is_covered(&view->covers[i], ray->direction)) draw_fog(&f, ray, color);
	}
}

static bool has_fogs(const bspi_sky_view *view, const bspscene_material *material)
{
	return material->sky->cloud_height > 0 && material->stage_count && view->covers && view->fogs;
}

/* A stage of the clouds, as it is in all directions. */
typedef struct pass {
	clouds mapping;
	const bspi_mips *texture;          /* or NULL */
	const bspscene_stage *stage;
	float factors[4];
} pass;

static pass pass_of(const bspi_sky_view *view, const bspscene_material *material, uint32_t number)
{
	const bspscene_stage *stage = view->scene->stages[material->first_stage + number];
	const bspi_cloud_corners *corners = view->corners ? &view->corners[number] : NULL;
	pass out = { .mapping = { view, stage, material->sky->cloud_height, corners }, .stage = stage,
	             .factors = { 1, 1, 1, 1 } };
	if (stage->source == BSPSCENE_STAGE_IMAGE) {
		uint32_t image = bspi_stage_image(view->scene, stage, view->time);
		if (image != BSPSCENE_NO_INDEX) out.texture = &view->textures[image];
	}
	float grey = stage->color_gen == BSPSCENE_COLOR_WAVE
	                 ? fminf(fmaxf(bspi_wave_at(&stage->color_wave, view->time), 0), 1)
	                 : 1;
	for (int k = 0; k < 3; k++) {
		out.factors[k] = stage->color_gen == BSPSCENE_COLOR_CONST ? stage->color[k] : grey;
	}
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_CONST) out.factors[3] = stage->alpha;
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_WAVE) {
		out.factors[3] = fminf(fmaxf(bspi_wave_at(&stage->alpha_wave, view->time), 0), 1);
	}
	return out;
}

static void draw_pass(const pass *p, const footprint *on_dome, float color[3])
{
	float texel[4] = { 1, 1, 1, 1 };
	if (p->texture) bspi_mips_sample(p->texture, on_dome->uv, lod_of(p->texture, on_dome), p->stage->clamp, texel);
	for (int k = 0; k < 4; k++) texel[k] *= p->factors[k];
	bspi_blend_pass(p->stage->src_blend, p->stage->dst_blend, texel, color, 1);
}

/* The engine draws clouds on all sides of the box but its floor. */
static void draw_clouds(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                        float color[3])
{
	float unused[2];
	if (bspi_box_side(ray->direction, unused) == BSPI_SKY_DOWN) return;
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const pass p = pass_of(view, material, i);
		footprint on_dome = { .uv = { 0, 0 } };
		if (p.texture) on_dome = footprint_of(ray, cloud_uv, &p.mapping);
		draw_pass(&p, &on_dome, color);
	}
	if (has_fogs(view, material)) draw_fogs(view, ray, color);
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

static void draw_map_fog(const bspi_sky_view *view, float color[3])
{
	const bspscene_map_fog *fog = view->scene->map_fog;
	for (int i = 0; view->map_fog && i < 3; i++) color[i] += (fog->color[i] - color[i]) * fog->sky;
}

void bspi_sky_color(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                    float color[3])
{
	const bspscene_sky *sky = material->sky;
	float texel[4] = { 0, 0, 0, 1 };
	color[0] = color[1] = color[2] = 0;
	if (!sky) return;
	bspi_sample_box(view->textures, sky->box, ray, texel);
	memcpy(color, texel, 3 * sizeof *color);
	if (has_layers(sky)) {
		const footprint still = footprint_of(ray, map_layer, NULL);
		draw_layers(view, sky, ray->direction, &still, color);
	}
	if (sky->cloud_height > 0) draw_clouds(view, material, ray, color);
	draw_map_fog(view, color);
}

/* ---- Rows of directions ------------------------------------------------------------------------------------ */

/* What bspi_sky_row holds coordinates of. */
enum { ON_BOX, ON_LAYERS, ON_CLOUDS };

uint32_t bspi_sky_row_kinds(const bspscene_material *material)
{
	return ON_CLOUDS + (material->sky->cloud_height > 0 ? material->stage_count : 0);
}

void bspi_sky_find_row(const bspi_sky_view *view, const bspscene_material *material, bspi_sky_row *row)
{
	const bspscene_sky *sky = material->sky;
	bool layers = has_layers(sky);
	uint32_t count = row->count, stage_count = bspi_sky_row_kinds(material) - ON_CLOUDS;
	for (uint32_t x = 0; x < count; x++) {
		const float *direction = row->directions[x];
		row->sides[x] = (uint8_t)bspi_box_side(direction, row->uvs[x]);
		if (layers) map_layer(direction, NULL, row->uvs[(size_t)ON_LAYERS * count + x]);
		if (!stage_count) continue;
		const square at = square_on(row->sides[x], row->uvs[x]);
		for (uint32_t i = 0; i < stage_count; i++) {
			float *uv = row->uvs[(size_t)(ON_CLOUDS + i) * count + x];
			const clouds c = { view, view->scene->stages[material->first_stage + i], sky->cloud_height, NULL };
			if (view->corners) between_known(&view->corners[i], &at, uv);
			else cloud_uv(direction, &c, uv);
		}
	}
}

static inline footprint footprint_in(const bspi_sky_row *row, const bspi_sky_row *below, uint32_t kind, uint32_t x)
{
	const float (*own)[2] = (const float (*)[2])row->uvs + (size_t)kind * row->count + x;
	const float *under = below->uvs[(size_t)kind * row->count + x];
	return (footprint){ { own[0][0], own[0][1] }, { own[1][0], own[1][1] }, { under[0], under[1] } };
}

bspi_ray bspi_sky_ray_in(const bspi_sky_row *row, const bspi_sky_row *below, uint32_t x)
{
	bspi_ray ray = { .origin = { 0 } };
	for (int i = 0; i < 3; i++) {
		ray.direction[i] = row->directions[x][i];
		ray.dx[i] = row->directions[x + 1][i] - ray.direction[i];
		ray.dy[i] = below->directions[x][i] - ray.direction[i];
	}
	return ray;
}

static void draw_cloud_row(const bspi_sky_view *view, const bspscene_material *material, const bspi_sky_row *row,
                           const bspi_sky_row *below, float (*colors)[4])
{
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const pass p = pass_of(view, material, i);
		for (uint32_t x = 0; x + 1 < row->count; x++) {
			if (row->sides[x] == BSPI_SKY_DOWN) continue;
			const footprint on_dome = footprint_in(row, below, ON_CLOUDS + i, x);
			draw_pass(&p, &on_dome, colors[x]);
		}
	}
	for (uint32_t x = 0; has_fogs(view, material) && x + 1 < row->count; x++) {
		const bspi_ray ray = bspi_sky_ray_in(row, below, x);
		if (row->sides[x] != BSPI_SKY_DOWN) draw_fogs(view, &ray, colors[x]);
	}
}

void bspi_sky_draw_row(const bspi_sky_view *view, const bspscene_material *material, const bspi_sky_row *row,
                       const bspi_sky_row *below, float (*colors)[4])
{
	const bspscene_sky *sky = material->sky;
	const uint32_t count = row->count - 1;
	bool layers = has_layers(sky);
	memset(colors, 0, count * sizeof *colors);
	for (uint32_t x = 0; x < count; x++) {
		uint32_t image = sky->box[row->sides[x]];
		if (image != BSPSCENE_NO_INDEX) {
			sample_side(&view->textures[image], footprint_in(row, below, ON_BOX, x), colors[x]);
		}
		if (!layers) continue;
		const footprint still = footprint_in(row, below, ON_LAYERS, x);
		draw_layers(view, sky, row->directions[x], &still, colors[x]);
	}
	if (sky->cloud_height > 0) draw_cloud_row(view, material, row, below, colors);
	for (uint32_t x = 0; x < count; x++) draw_map_fog(view, colors[x]);
}
