/* sky_color.c - see sky_color.h. Texture coordinates follow the engines' tr_sky.c and gl_warp.c. */
#include "drawing/sky_color.h"

#include <math.h>
#include <string.h>

#include "drawing/fog_volume.h"
#include "drawing/numbers.h"
#include "drawing/stage.h"

/* Half the size of the world; radiusWorld in tr_sky.c. */
#define CLOUD_RADIUS 4096.0f

/* Computes texture coordinates at a corner. Like the engine, sky_color.c divides each side of the sky box into 8 x 8
 * squares and computes coordinates only at their corners. `d` points from the box's center to the corner. */
typedef void corner_function(const float d[3], const void *user, float out[2]);

static void at_corner(int side, int s, int t, corner_function *function, const void *user, float out[2])
{
	const float middle = BSPI_SKY_SQUARES / 2.0f;
	float d[3];
	bspi_side_direction(side, ((float)s - middle) / middle, ((float)t - middle) / middle, d);
	function(d, user, out);
}

static bspi_sky_spot spot_in(const float direction[3])
{
	float on_side[2];
	int side = bspi_box_side(direction, on_side);
	return bspi_sky_spot_of(side, on_side);
}

static bspi_cloud_triangle triangle_of(const float *const corners[3])
{
	bspi_cloud_triangle out;
	for (int i = 0; i < 2; i++) {
		out.first[i] = corners[0][i];
		for (int k = 0; k < 2; k++) out.more[k][i] = corners[k + 1][i] - corners[0][i];
	}
	return out;
}

static void between(const bspi_cloud_triangle *triangle, const bspi_sky_spot *at, float out[2])
{
	for (int i = 0; i < 2; i++) {
		out[i] = triangle->first[i] + triangle->more[0][i] * at->share[0] + triangle->more[1][i] * at->share[1];
	}
}

static void between_corners(const float direction[3], corner_function *function, const void *user, float out[2])
{
	float corners[3][2];
	const float *const of[3] = { corners[0], corners[1], corners[2] };
	const bspi_sky_spot at = spot_in(direction);
	for (int i = 0; i < 3; i++) {
		int numbers[2], side = bspi_sky_corner(at.triangle, i, numbers);
		at_corner(side, numbers[0], numbers[1], function, user, corners[i]);
	}
	const bspi_cloud_triangle triangle = triangle_of(of);
	between(&triangle, &at, out);
}

static void box_position(const bspi_sky_view *view, const float d[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = view->origin[i] + d[i] * view->box;
}

/* Arguments of corner_uv, for one pass of the clouds. */
typedef struct clouds {
	const bspi_sky_view *view;
	const bspscene_material_pass *stage;
	float height;
	const bspi_cloud_corners *corners; /* coordinates of the pass at all corners; NULL: they are computed for each
	                                    * ray */
} clouds;

/* Computes the texture coordinates of clouds at a corner. The eye is on top of a sphere, the world. A ray in the
 * direction `d` meets a larger sphere with the same center, the clouds. The coordinates are the angles between the X
 * and Y axes and the line from the center to this point. */
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
	const bspi_sky_spot at = spot_in(direction);
	between(&c->corners->triangles[at.triangle], &at, uv);
}

void bspi_find_cloud_corners(const bspi_sky_view *view, const bspscene_material *material,
                             const bspscene_material_pass *stage, bspi_cloud_corners *out)
{
	const clouds c = { view, stage, material->sky->cloud_height, NULL };
	float uvs[BSPI_SKY_SIDES][BSPI_SKY_SQUARES + 1][BSPI_SKY_SQUARES + 1][2];
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		for (int t = 0; t <= BSPI_SKY_SQUARES; t++) {
			for (int s = 0; s <= BSPI_SKY_SQUARES; s++) at_corner(side, s, t, corner_uv, &c, uvs[side][t][s]);
		}
	}
	for (uint32_t i = 0; i < BSPI_SKY_TRIANGLES; i++) {
		const float *corners[3];
		for (int k = 0; k < 3; k++) {
			int at[2], side = bspi_sky_corner(i, k, at);
			corners[k] = uvs[side][at[1]][at[0]];
		}
		out->triangles[i] = triangle_of(corners);
	}
}

/* Arguments of corner_fog: the engine's fog pass over the clouds, drawn where sky surfaces reach into a fog volume. */
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

static void draw_fog(const foggy *f, const float direction[3], float color[3])
{
	float at[2];
	between_corners(direction, corner_fog, f, at);
	float share = bspi_fog_share(f->parms, at);
	for (int i = 0; i < 3; i++) color[i] += (f->parms->color[i] - color[i]) * share;
}

/* Computes texture coordinates on a flattened dome (gl_warp.c EmitSkyPolys), without scrolling. bspi_sky_layer_scroll
 * returns what to add for scrolling. */
void bspi_sky_layer_uv(const float d[3], float uv[2])
{
	float flattened[3] = { d[0], d[1], d[2] * 3 };
	float length = sqrtf(flattened[0] * flattened[0] + flattened[1] * flattened[1] + flattened[2] * flattened[2]);
	for (int i = 0; i < 2; i++) uv[i] = flattened[i] * (6 * 63 / length) / 128;
}

float bspi_sky_layer_scroll(int layer, float time)
{
	return fmodf(time * (layer ? 16 : 8), 128) / 128;
}

/* ---- One direction, and its neighbors --------------------------------------------------------------------- */

typedef void uv_function(const float direction[3], const void *user, float uv[2]);

/* Texture coordinates in the directions of three pixels: this one, the one to its right and the one below it. Their
 * differences determine the mipmap level. */
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

static inline float lod_of(const bspi_mips *texture, const footprint *at)
{
	return bspi_mips_lod_between(texture, at->uv, at->right, at->below);
}

static void map_box(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	bspi_box_side(direction, uv);
}

static void map_layer(const float direction[3], const void *user, float uv[2])
{
	(void)user;
	bspi_sky_layer_uv(direction, uv);
}

float bspi_sky_side_stretch(const bspi_mips *texture)
{
	uint32_t width = texture->levels[0].width, height = texture->levels[0].height;
	return width > height ? (float)width / (float)height : 1;
}

static void sample_side(const bspi_mips *texture, footprint on_side, float out[4])
{
	float lod = lod_of(texture, &on_side);
	on_side.uv[1] *= bspi_sky_side_stretch(texture);
	bspi_mips_sample(texture, on_side.uv, lod, true, out);
}

void bspi_sample_box(const bspi_mips *textures, const uint32_t box[BSPSCENE_CUBE_SIDES], const bspi_ray *ray,
                     float out[4])
{
	float unused[2];
	uint32_t image = box[bspi_box_side(ray->direction, unused)];
	if (image != BSPSCENE_NO_INDEX) sample_side(&textures[image], footprint_of(ray, map_box, NULL), out);
}

void bspi_sky_add_layer(int layer, const float texel[4], float color[3])
{
	for (int k = 0; k < 3; k++) color[k] += (texel[k] - color[k]) * (layer ? texel[3] : 1);
}

static void draw_layers(const bspi_sky_view *view, const bspscene_sky *sky, const footprint *still, float color[3])
{
	for (int i = 0; i < 2; i++) {
		if (sky->layers[i] == BSPSCENE_NO_INDEX) continue;
		const bspi_mips *texture = &view->textures[sky->layers[i]];
		float scroll = bspi_sky_layer_scroll(i, view->time), texel[4];
		const float uv[2] = { scroll + still->uv[0], scroll + still->uv[1] };
		bspi_mips_sample(texture, uv, lod_of(texture, still), false, texel);
		bspi_sky_add_layer(i, texel, color);
	}
}

bool bspi_sky_has_layers(const bspscene_sky *sky)
{
	return sky->layers[0] != BSPSCENE_NO_INDEX || sky->layers[1] != BSPSCENE_NO_INDEX;
}

void bspi_sky_draw_fogs(const bspi_sky_view *view, const float direction[3], float color[3])
{
	for (uint32_t i = 0; i < view->scene->fog_count; i++) {
		const foggy f = { view, view->scene->fogs[i], bspi_fog_parms_of(view->scene, view->scene->fogs[i]) };
		if (f.parms && bspi_is_covered(&view->covers[i], direction)) draw_fog(&f, direction, color);
	}
}

bool bspi_sky_has_fogs(const bspi_sky_view *view, const bspscene_material *material)
{
	return material->sky->cloud_height > 0 && material->pass_count && view->covers && view->fogs;
}

bspi_cloud_pass bspi_cloud_pass_of(const bspi_sky_view *view, const bspscene_material *material, uint32_t number)
{
	const bspscene_material_pass *stage = view->scene->material_passes[material->first_pass + number];
	bspi_cloud_pass out = { .stage = stage, .factors = { 1, 1, 1, 1 } };
	if (stage->input == BSPSCENE_PASS_INPUT_IMAGE) {
		uint32_t image = bspi_pass_image(view->scene, stage, view->time);
		if (image != BSPSCENE_NO_INDEX) out.texture = &view->textures[image];
	}
	float gray = stage->color_gen == BSPSCENE_COLOR_GEN_WAVE
	                 ? fminf(fmaxf(bspi_wave_at(&stage->color_wave, view->time), 0), 1)
	                 : 1;
	for (int k = 0; k < 3; k++) {
		out.factors[k] = stage->color_gen == BSPSCENE_COLOR_GEN_CONST ? stage->color[k] : gray;
	}
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_CONST) out.factors[3] = stage->alpha;
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_WAVE) {
		out.factors[3] = fminf(fmaxf(bspi_wave_at(&stage->alpha_wave, view->time), 0), 1);
	}
	return out;
}

static void draw_pass(const bspi_cloud_pass *p, const footprint *on_dome, float color[3])
{
	float texel[4] = { 1, 1, 1, 1 };
	if (p->texture) bspi_mips_sample(p->texture, on_dome->uv, lod_of(p->texture, on_dome), p->stage->clamp, texel);
	for (int k = 0; k < 4; k++) texel[k] *= p->factors[k];
	bspi_blend_pass(p->stage->src_blend, p->stage->dst_blend, texel, color, 1);
}

/* Adds the passes of the clouds. The engine draws them on all sides of the box except the bottom. */
static void draw_clouds(const bspi_sky_view *view, const bspscene_material *material, const bspi_ray *ray,
                        float color[3])
{
	float unused[2];
	if (bspi_box_side(ray->direction, unused) == BSPI_SKY_DOWN) return;
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspi_cloud_pass p = bspi_cloud_pass_of(view, material, i);
		const bspi_cloud_corners *corners = view->corners ? &view->corners[i] : NULL;
		const clouds mapping = { view, p.stage, material->sky->cloud_height, corners };
		footprint on_dome = { .uv = { 0, 0 } };
		if (p.texture) on_dome = footprint_of(ray, cloud_uv, &mapping);
		draw_pass(&p, &on_dome, color);
	}
	if (bspi_sky_has_fogs(view, material)) bspi_sky_draw_fogs(view, ray->direction, color);
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

void bspi_sky_draw_map_fog(const bspi_sky_view *view, float color[3])
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
	if (bspi_sky_has_layers(sky)) {
		const footprint still = footprint_of(ray, map_layer, NULL);
		draw_layers(view, sky, &still, color);
	}
	if (sky->cloud_height > 0) draw_clouds(view, material, ray, color);
	bspi_sky_draw_map_fog(view, color);
}
