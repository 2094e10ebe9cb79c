/* skybox_raster.c - see skybox_raster.h. */
#include "sky/skybox_raster.h"

#include <math.h>
#include <stdlib.h>

#include <bspscene/bake.h>
#include <bspscene/material.h>

#include "base/page_luxels.h"
#include "base/vec.h"
#include "drawing/add_light.h"

#define NEAREST 1.0f
#define MOST_PER_SAMPLE 24u
#define FURTHER UINT64_C(10000000)

/* Offsets of the numbers of a projected corner: position (s, t) and depth on the side, texture coordinates, coordinates
 * on the lightmap page, light. */
enum { AT_S, AT_T, AT_DEPTH, AT_UV, AT_PAGE_UV = AT_UV + 2, AT_LIGHT = AT_PAGE_UV + 2, VALUES = AT_LIGHT + 4 };
/* A triangle has three corners. Each of the five planes that clip it can add one. */
enum { MOST_CORNERS = 3 + 5 };

static bool fill_tables(bspi_skybox_raster *raster, bspi_sky_source *source)
{
	bspi_fill_linears(raster->linears);
	if (!bspi_needs_displays(source->scene)) return true;
	raster->displays = bspi_arena_alloc_unset(&source->arena, BSPI_HALFS, sizeof *raster->displays);
	if (raster->displays) bspi_fill_displays(raster->displays);
	return raster->displays || bspi_sky_fail(source);
}

bool bspi_raster_begin(bspi_skybox_raster *raster, bspi_sky_source *source, uint32_t size)
{
	uint64_t samples = (uint64_t)size * size;
	*raster = (bspi_skybox_raster){ .source = source, .size = size };
	raster->nearness = bspi_arena_alloc_unset(&source->arena, (size_t)samples, sizeof *raster->nearness);
	raster->rgb = bspi_arena_alloc_unset(&source->arena, (size_t)samples, 3);
	raster->most_filled = FURTHER + MOST_PER_SAMPLE * samples * BSPI_SKY_SIDES;
	bspscene_start_styles(source->scene, raster->styles);
	return raster->nearness && raster->rgb ? fill_tables(raster, source) : bspi_sky_fail(source);
}

void bspi_raster_start(bspi_skybox_raster *raster, const uint8_t *rgb, uint32_t size)
{
	uint32_t step = raster->size / size;
	for (uint32_t y = 0; y < raster->size; y++) {
		for (uint32_t x = 0; x < raster->size; x++) {
			size_t at = (size_t)y * raster->size + x;
			memcpy(raster->rgb + 3 * at, rgb + 3 * ((size_t)(y / step) * size + x / step), 3);
			raster->nearness[at] = 0;
		}
	}
}

void bspi_raster_finish(const bspi_skybox_raster *raster, uint8_t *rgb, uint32_t size)
{
	uint32_t step = raster->size / size, count = step * step;
	for (uint32_t y = 0; y < size; y++) {
		for (uint32_t x = 0; x < size; x++) {
			for (uint32_t i = 0; i < 3; i++) {
				uint32_t sum = count / 2;
				for (uint32_t k = 0; k < count; k++) {
					size_t row = (size_t)y * step + k / step, column = (size_t)x * step + k % step;
					sum += raster->rgb[3 * (row * raster->size + column) + i];
				}
				rgb[3 * ((size_t)y * size + x) + i] = (uint8_t)(sum / count);
			}
		}
	}
}

/* ---- Clipping --------------------------------------------------------------------------------------------- */

/* Returns the signed distance of a corner from a clipping plane, positive inside. Plane 4 is in front of the eye.
 * Planes 0 to 3 go through the four edges of the side. */
static float inside(const float *corner, int plane)
{
	if (plane == 4) return corner[AT_DEPTH] - NEAREST;
	return corner[AT_DEPTH] + (plane & 1 ? -1.0f : 1.0f) * corner[plane / 2];
}

static uint32_t cut(float (*corners)[VALUES], uint32_t count)
{
	for (int plane = 0; plane < 5 && count; plane++) {
		float kept[MOST_CORNERS][VALUES];
		uint32_t kept_count = 0;
		for (uint32_t i = 0; i < count; i++) {
			const float *a = corners[i], *b = corners[(i + 1) % count];
			float at_a = inside(a, plane), at_b = inside(b, plane);
			if (at_a >= 0 && kept_count < MOST_CORNERS) memcpy(kept[kept_count++], a, sizeof kept[0]);
			if ((at_a >= 0) == (at_b >= 0) || kept_count == MOST_CORNERS) continue;
			/* The new corner is computed from the end that is inside, so that both triangles with this edge get the
			 * same corner. */
			const float *from = at_a >= 0 ? a : b, *to = at_a >= 0 ? b : a;
			float share = fmaxf(at_a, at_b) / fabsf(at_a - at_b);
			for (int k = 0; k < VALUES; k++) kept[kept_count][k] = from[k] + (to[k] - from[k]) * share;
			kept_count++;
		}
		count = kept_count;
		memcpy(corners, kept, count * sizeof kept[0]);
	}
	return count;
}

/* Returns the rotation that turns world axes to the axes of a side. Each row is an axis of the side. */
static void axes_of(int side, float out[3][3])
{
	float middle[3], right[3], up[3];
	bspi_side_direction(side, 0, 0, middle);
	bspi_side_direction(side, 1, 0, right);
	bspi_side_direction(side, 0, 1, up);
	bspi_sub(out[AT_S], right, middle);
	bspi_sub(out[AT_T], up, middle);
	bspi_copy3(out[AT_DEPTH], middle);
}

bool bspi_raster_misses(int side, const bspi_raster_corner corners[3])
{
	float axes[3][3];
	bool out[5] = { true, true, true, true, true };
	axes_of(side, axes);
	for (int k = 0; k < 3; k++) {
		float at[3];
		for (int i = 0; i < 3; i++) at[i] = bspi_dot(axes[i], corners[k].position);
		for (int plane = 0; plane < 5; plane++) out[plane] = out[plane] && inside(at, plane) < 0;
	}
	return out[0] || out[1] || out[2] || out[3] || out[4];
}

/* ---- Shading ---------------------------------------------------------------------------------------------- */

static void page_light(const bspi_skybox_raster *raster, const bspscene_section *section, const float *values,
                       float out[3])
{
	const bspscene_scene *scene = raster->source->scene;
	const bspi_adding_tables tables = { raster->linears, raster->displays };
	const bool linear = scene->linear_luxels;
	float sum[1][4] = { { 0 } };
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[section->lightmap_page];
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !bspi_page_has_light(page)) continue;
		float factor = bspi_style_factor(linear, set->intensity, raster->styles[set->style & 0xff]);
		bspi_add_light_row(&tables, linear, page, (const float (*)[2])(values + AT_PAGE_UV), 1, factor, sum);
	}
	bspi_display_row(&tables, linear, 1, sum);
	for (int k = 0; k < 3; k++) out[k] = scene->light_clamp > 0 ? fminf(sum[0][k], scene->light_clamp) : sum[0][k];
}

static void light_of(const bspi_skybox_raster *raster, const bspscene_section *section, const float *values,
                     float out[3])
{
	out[0] = out[1] = out[2] = 1;
	if (raster->source->scene->materials[section->material]->unlit) return;
	switch (section->lighting) {
	case BSPSCENE_LIGHTING_LIGHTMAP:
		if (section->lightmap_page != BSPSCENE_NO_INDEX) page_light(raster, section, values, out);
		break;
	case BSPSCENE_LIGHTING_VERTEX: memcpy(out, values + AT_LIGHT, 3 * sizeof *out); break;
	case BSPSCENE_LIGHTING_BLACK: out[0] = out[1] = out[2] = 0; break;
	default: break;
	}
}

/* Samples a texture. The mipmap follows from the values at the samples to the right and below (`right`, `down`). */
static void texel_of(const bspi_skybox_raster *raster, uint32_t image, bool clamp, const float *values,
                     const float *right, const float *down, float out[4])
{
	const bspi_mips *mips = image < raster->source->scene->image_count ? &raster->source->textures[image] : NULL;
	out[0] = out[1] = out[2] = out[3] = 1;
	if (!mips || !mips->level_count) return;
	float dx[2], dy[2];
	for (int i = 0; i < 2; i++) {
		dx[i] = right[AT_UV + i] - values[AT_UV + i];
		dy[i] = down[AT_UV + i] - values[AT_UV + i];
	}
	bspi_mips_sample(mips, values + AT_UV, bspi_mips_lod(mips, dx, dy), clamp, out);
}

/* Returns the share that global fog has at a distance, 0 to 1. */
static float haze_at(const bspi_sky_source *source, float distance)
{
	const bspscene_map_fog *fog = source->scene->map_fog;
	if (!(fog->density > 0) || !source->view.map_fog) return 0;
	float depth = fog->density * fmaxf(fminf(distance, fog->end) - fog->start, 0);
	return fog->opacity * (1 - (float)exp(-(float)pow(depth, fog->power)));
}

/* Computes the color of a sample. Returns false if it is a hole of a cut-out texture. */
static bool shade(const bspi_skybox_raster *raster, const bspscene_section *section, const float *values,
                  const float *right, const float *down, float haze, uint8_t *rgb)
{
	static const struct { bspscene_blend src, dst; } blends[] = {
		[BSPSCENE_ALPHA_MODE_OPAQUE] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_MODE_MASK] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		[BSPSCENE_ALPHA_MODE_BLEND] = { BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
		[BSPSCENE_ALPHA_MODE_ADD] = { BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE },
		[BSPSCENE_ALPHA_MODE_MODULATE] = { BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO },
	};
	const bspi_sky_source *source = raster->source;
	const bspscene_material *m = source->scene->materials[section->material];
	const float *fog = source->scene->map_fog->color;
	float texel[4], light[3], glow[4], color[3];
	texel_of(raster, bspi_base_image(source->scene, m, source->view.time), m->clamp, values, right, down, texel);
	for (int i = 0; i < 4; i++) texel[i] *= m->color[i];
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MASK && texel[3] < m->alpha_cutoff) return false;
	light_of(raster, section, values, light);
	for (int i = 0; i < 3; i++) texel[i] *= light[i];
	uint32_t shining = bspi_glow_image(source->scene, m, source->view.time);
	if (shining != BSPSCENE_NO_INDEX) {
		texel_of(raster, shining, m->clamp, values, right, down, glow);
		for (int i = 0; i < 3; i++) texel[i] += glow[i] * m->emissive[i];
	}
	bool opaque = m->alpha_mode <= BSPSCENE_ALPHA_MODE_BLEND;
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE) haze = 0;
	for (int i = 0; i < 3; i++) {
		texel[i] = fminf(fmaxf(texel[i], 0), 1);
		if (haze > 0) texel[i] += ((opaque ? fog[i] : 0) - texel[i]) * haze;
		color[i] = (float)rgb[i] * (1 / 255.0f);
	}
	bool faded = m->alpha_mode == BSPSCENE_ALPHA_MODE_ADD && m->added_by_alpha;
	bspscene_blend src = faded ? BSPSCENE_BLEND_SRC_ALPHA : blends[m->alpha_mode].src;
	bool doubled = m->alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE && m->modulated_twice;
	bspscene_blend dst = doubled ? BSPSCENE_BLEND_SRC_COLOR : blends[m->alpha_mode].dst;
	bspi_blend_pass(src, dst, texel, color, 1);
	for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)(color[i] * 255 + 0.5f);
	return true;
}

/* ---- Rasterizing ------------------------------------------------------------------------------------------ */

/* A triangle projected to the side. `at` are the corners in samples, from the upper left. `near` is 1 / depth. `over`
 * are all numbers of the corners divided by depth, so that they can be interpolated linearly. Edge k goes from corner k
 * to the next one. */
typedef struct flat {
	float at[3][2], over[3][VALUES], near[3];
	double area;                       /* twice the area; negative if the triangle faces away */
	bool covers_edge[3];               /* for each edge: points exactly on it belong to this triangle (by the
	                                    * top-left rule) */
} flat;

static bool flatten(const bspi_skybox_raster *raster, const float (*corners)[VALUES], const uint32_t numbers[3],
                    flat *out)
{
	float half = (float)raster->size / 2;
	for (int k = 0; k < 3; k++) {
		const float *corner = corners[numbers[k]];
		out->near[k] = 1 / corner[AT_DEPTH];
		out->at[k][0] = (corner[AT_S] * out->near[k] + 1) * half;
		out->at[k][1] = (1 - corner[AT_T] * out->near[k]) * half;
		for (int i = 0; i < VALUES; i++) out->over[k][i] = corner[i] * out->near[k];
	}
	out->area = ((double)out->at[1][0] - out->at[0][0]) * ((double)out->at[2][1] - out->at[0][1]) -
	            ((double)out->at[2][0] - out->at[0][0]) * ((double)out->at[1][1] - out->at[0][1]);
	for (int k = 0; k < 3; k++) {
		const float *a = out->at[k], *b = out->at[(k + 1) % 3];
		double facing = out->area > 0 ? 1 : -1;
		double along = facing * ((double)b[0] - a[0]), down = facing * ((double)b[1] - a[1]);
		out->covers_edge[k] = down < 0 || (down == 0 && along > 0);
	}
	return fabs(out->area) > 1e-9;
}

/* Returns a number whose sign tells on which side of the edge from `a` to `b` a point is. For the edge from `b` to `a`
 * it is exactly the negative. */
static double side_of_edge(const float a[2], const float b[2], double x, double y)
{
	bool reversed = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
	const float *from = reversed ? b : a, *to = reversed ? a : b;
	double side = ((double)to[0] - from[0]) * (y - from[1]) - ((double)to[1] - from[1]) * (x - from[0]);
	return reversed ? -side : side;
}

static void weigh(const flat *f, double x, double y, float out[3])
{
	for (int k = 1; k < 3; k++) out[k] = (float)(side_of_edge(f->at[(k + 1) % 3], f->at[(k + 2) % 3], x, y) / f->area);
	out[0] = 1 - out[1] - out[2];
}

/* True if a triangle covers a point. Then sets `weights` to the barycentric weights of the point. If two triangles
 * share an edge, a point on it belongs to only one of them. So blended surfaces are not drawn twice there. */
static bool covers(const flat *f, double x, double y, float weights[3])
{
	for (int k = 0; k < 3; k++) {
		double side = side_of_edge(f->at[k], f->at[(k + 1) % 3], x, y), inside = f->area > 0 ? side : -side;
		if (inside < 0 || (inside == 0 && !f->covers_edge[k])) return false;
		weights[(k + 2) % 3] = (float)(side / f->area);
	}
	weights[0] = 1 - weights[1] - weights[2];
	return true;
}

/* Interpolates the values at a sample. */
static void values_at(const flat *f, const float weights[3], float out[VALUES])
{
	float near = f->near[0] * weights[0] + f->near[1] * weights[1] + f->near[2] * weights[2];
	float depth = fabsf(near) > 1e-12f ? 1 / near : 0;
	for (int i = AT_UV; i < VALUES; i++) {
		out[i] = (f->over[0][i] * weights[0] + f->over[1][i] * weights[1] + f->over[2][i] * weights[2]) * depth;
	}
}

static void fill_sample(bspi_skybox_raster *raster, const bspscene_section *section, const flat *f, uint32_t x,
                        uint32_t y)
{
	float weights[3], aside[3], values[VALUES], right[VALUES], down[VALUES];
	double at_x = (double)x + 0.5, at_y = (double)y + 0.5;
	if (!covers(f, at_x, at_y, weights)) return;
	float near = f->near[0] * weights[0] + f->near[1] * weights[1] + f->near[2] * weights[2];
	size_t at = (size_t)y * raster->size + x;
	if (!(near >= raster->nearness[at])) return;
	values_at(f, weights, values);
	weigh(f, at_x + 1, at_y, aside);
	values_at(f, aside, right);
	weigh(f, at_x, at_y + 1, aside);
	values_at(f, aside, down);
	float s = (float)(at_x / raster->size * 2 - 1), t = (float)(1 - at_y / raster->size * 2);
	float haze = haze_at(raster->source, sqrtf(s * s + t * t + 1) / near);
	bool there = shade(raster, section, values, right, down, haze, raster->rgb + 3 * at);
	bspscene_alpha_mode mode = raster->source->scene->materials[section->material]->alpha_mode;
	if (there && mode <= BSPSCENE_ALPHA_MODE_MASK) raster->nearness[at] = near;
}

/* Returns the number of the first sample whose center is at `least` or later. */
static uint32_t first_of(float least)
{
	float first = ceilf(least - 0.5f);
	return first > 0 ? (uint32_t)first : 0;
}

static uint32_t end_of(float most, uint32_t size)
{
	float end = floorf(most - 0.5f) + 1;
	return end <= 0 ? 0 : end < (float)size ? (uint32_t)end : size;
}

static bool fill(bspi_skybox_raster *raster, const bspscene_section *section, const flat *f)
{
	float least[2], most[2];
	for (int i = 0; i < 2; i++) {
		least[i] = fminf(fminf(f->at[0][i], f->at[1][i]), f->at[2][i]);
		most[i] = fmaxf(fmaxf(f->at[0][i], f->at[1][i]), f->at[2][i]);
	}
	uint32_t left = first_of(least[0]), right = end_of(most[0], raster->size);
	uint32_t top = first_of(least[1]), bottom = end_of(most[1], raster->size);
	if (left >= right || top >= bottom) return true;
	raster->filled += (uint64_t)(right - left) * (bottom - top);
	if (raster->filled > raster->most_filled) return false;
	for (uint32_t y = top; y < bottom; y++) {
		for (uint32_t x = left; x < right; x++) fill_sample(raster, section, f, x, y);
	}
	return true;
}

bool bspi_raster_triangle(bspi_skybox_raster *raster, int side, const bspscene_section *section,
                          const bspi_raster_corner corners[3])
{
	float cut_corners[MOST_CORNERS][VALUES], axes[3][3];
	axes_of(side, axes);
	for (int k = 0; k < 3; k++) {
		float *to = cut_corners[k];
		for (int i = 0; i < 3; i++) to[i] = bspi_dot(axes[i], corners[k].position);
		memcpy(to + AT_UV, corners[k].uv, sizeof corners[k].uv);
		memcpy(to + AT_PAGE_UV, corners[k].page_uv, sizeof corners[k].page_uv);
		memcpy(to + AT_LIGHT, corners[k].light, sizeof corners[k].light);
	}
	uint32_t count = cut(cut_corners, 3);
	for (uint32_t i = 1; i + 1 < count; i++) {
		const uint32_t numbers[3] = { 0, i, i + 1 };
		flat f;
		bool seen = flatten(raster, (const float(*)[VALUES])cut_corners, numbers, &f);
		if (seen && !fill(raster, section, &f)) return false;
	}
	return true;
}
