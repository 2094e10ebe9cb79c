/* pixels.c - rays to pixels: the camera, the order in which a ray's surfaces are drawn, samples, threads. */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "moment.h"
#include "processors.h"
#include "shade.h"
#include "take_options.h"
#include "vector.h"

#define LARGEST_SAMPLES 64u
#define LARGEST_THREADS 256u
#define DEGREES (6.283185307179586f / 360)

/* Real maps' rays meet a handful of surfaces each; thousands that lie upon each other would take for ever. */
#define MET_BASE UINT64_C(10000000)
#define MET_PER_RAY 24u

typedef struct picture {
	const bspscene_renderer *renderer;
	bspr_moment moment;
	const bspscene_render_options *options;
	const bspscene_view *view;
	uint32_t width, height, grid;      /* grid * grid samples per pixel */
	float forward[3], right[3], up[3]; /* right and up are as long as the picture is from its middle to its edge */
	uint8_t *rgb;
	atomic_uint next_row;
	uint32_t stride;                   /* from one row to the next: find_stride */
	atomic_bool cancelled, too_deep;
	atomic_ullong rays, met;
	uint64_t most_met;                 /* surfaces that all rays together may meet */
} picture;

static void aim(picture *p, bspr_axes *axes)
{
	const bspscene_view *v = p->view;
	float sp = (float)sin(v->pitch * DEGREES), cp = (float)cos(v->pitch * DEGREES);
	float sy = (float)sin(v->yaw * DEGREES), cy = (float)cos(v->yaw * DEGREES);
	float sr = (float)sin(v->roll * DEGREES), cr = (float)cos(v->roll * DEGREES);
	float forward[3] = { cp * cy, cp * sy, -sp };
	float left[3] = { sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp };
	float up[3] = { cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp };
	float wide = (float)tan(v->fov_degrees * DEGREES / 2), high = wide * (float)p->height / (float)p->width;
	for (int i = 0; i < 3; i++) {
		p->forward[i] = axes->forward[i] = forward[i];
		axes->left[i] = left[i];
		axes->upright[i] = i == 2;
		axes->eye[i] = v->origin[i];
		axes->up[i] = up[i];
		p->right[i] = -left[i] * wide;
		p->up[i] = up[i] * high;
	}
}

static void make_ray(const picture *p, float x, float y, bspr_ray *ray)
{
	float sx = 2 * x / (float)p->width - 1, sy = 1 - 2 * y / (float)p->height;
	for (int i = 0; i < 3; i++) {
		ray->origin[i] = p->view->origin[i];
		ray->direction[i] = p->forward[i] + p->right[i] * sx + p->up[i] * sy;
		ray->dx[i] = p->right[i] * 2 / (float)p->width;
		ray->dy[i] = -p->up[i] * 2 / (float)p->height;
	}
}

/* Weights of the second and third corner where a ray of this direction meets the triangle's plane. */
static bool plane_weights(const float origin_to_a[3], const float ab[3], const float ac[3], const float direction[3],
                          float out[2])
{
	float p[3] = { direction[1] * ac[2] - direction[2] * ac[1], direction[2] * ac[0] - direction[0] * ac[2],
	               direction[0] * ac[1] - direction[1] * ac[0] };
	float determinant = bspr_dot(ab, p);
	if (fabsf(determinant) < 1e-12f) return false;
	float q[3] = { origin_to_a[1] * ab[2] - origin_to_a[2] * ab[1], origin_to_a[2] * ab[0] - origin_to_a[0] * ab[2],
	               origin_to_a[0] * ab[1] - origin_to_a[1] * ab[0] };
	out[0] = bspr_dot(origin_to_a, p) / determinant;
	out[1] = bspr_dot(direction, q) / determinant;
	return true;
}

static void describe(const bspscene_renderer *r, const bspr_ray *ray, const bspr_hit *hit, bspr_surface *out)
{
	const bspr_instance *instance = hit->instance;
	out->instance = instance;
	out->section = &instance->mesh->sections[hit->section];
	out->material = &r->scene->materials[out->section->material];
	const uint32_t *corners = instance->mesh->indices + (size_t)hit->triangle * 3;
	memcpy(out->corners, corners, sizeof out->corners);
	const float *a = instance->positions + corners[0] * 3, *b = instance->positions + corners[1] * 3,
	            *c = instance->positions + corners[2] * 3;
	float ab[3], ac[3], to_a[3], right[3], down[3], here[2] = { 0, 0 }, x[2], y[2];
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
		to_a[i] = ray->origin[i] - a[i];
		right[i] = ray->direction[i] + ray->dx[i];
		down[i] = ray->direction[i] + ray->dy[i];
		out->position[i] = ray->origin[i] + ray->direction[i] * hit->distance;
	}
	plane_weights(to_a, ab, ac, ray->direction, here);
	if (!plane_weights(to_a, ab, ac, right, x)) memcpy(x, here, sizeof x);
	if (!plane_weights(to_a, ab, ac, down, y)) memcpy(y, here, sizeof y);
	for (int i = 0; i < 2; i++) {
		here[i] = fminf(fmaxf(here[i], 0), 1);
		out->weights[i + 1] = here[i];
		out->weights_dx[i + 1] = x[i] - here[i];
		out->weights_dy[i + 1] = y[i] - here[i];
	}
	out->weights[0] = 1 - here[0] - here[1];
	out->weights_dx[0] = -out->weights_dx[1] - out->weights_dx[2];
	out->weights_dy[0] = -out->weights_dy[1] - out->weights_dy[2];
	out->distance = hit->distance * sqrtf(bspr_dot(ray->direction, ray->direction));
}

/* The order the engine draws in: by sort, then (it does not sort further) from far to near. */
static bool comes_before(const bspscene_renderer *r, const bspr_hit *a, const bspr_hit *b)
{
	float sort_a = r->scene->materials[a->instance->mesh->sections[a->section].material].sort;
	float sort_b = r->scene->materials[b->instance->mesh->sections[b->section].material].sort;
	return sort_a != sort_b ? sort_a < sort_b : a->distance > b->distance;
}

static void order(const bspscene_renderer *r, bspr_hits *hits)
{
	for (uint32_t i = 1; i < hits->count; i++) {
		bspr_hit hit = hits->hits[i];
		uint32_t at = i;
		for (; at && comes_before(r, &hit, &hits->hits[at - 1]); at--) hits->hits[at] = hits->hits[at - 1];
		hits->hits[at] = hit;
	}
}

/* What lies along a ray, over `color`; `moment` may be NULL. Sky surfaces show `sky`, or what their material says
 * without one. */
static void shade_hits(bspr_shading *shading, const bspr_tracer *standing, const bspr_moment *moment,
                       const bspr_ray *ray, const float *sky, float color[3])
{
	bspr_hits hits = { .end = INFINITY, .both_sides = shading->options->both_sides };
	if (moment && moment->hidden) {
		hits.part = shading->renderer->instances;
		hits.hidden = moment->hidden;
	}
	float depth = INFINITY;
	bspr_trace(standing, ray->origin, ray->direction, &hits);
	if (moment && moment->tracer) bspr_trace(moment->tracer, ray->origin, ray->direction, &hits);
	shading->met += hits.met;
	order(shading->renderer, &hits);
	for (uint32_t i = 0; i < hits.count; i++) {
		if (hits.hits[i].distance > depth) continue;
		bspr_surface surface;
		describe(shading->renderer, ray, &hits.hits[i], &surface);
		if (surface.material->kind != BSPSCENE_MATERIAL_SKY || bspr_is_white(shading, &surface)) {
			if (bspr_shade(shading, &surface, color)) depth = hits.hits[i].distance;
		} else if (sky) {
			memcpy(color, sky, 3 * sizeof *color);
		} else {
			bspr_shade_sky(shading, surface.material, ray, color);
		}
	}
}

/* The engine draws the 3D skybox first, over the sky, and clears the depth before the world: so it is seen through the
 * world's sky surfaces and never before anything, although it may reach into the world at its enlarged size. */
static void shade_ray(bspr_shading *shading, const bspr_moment *moment, const bspr_ray *ray, float color[3])
{
	const bspscene_renderer *r = shading->renderer;
	float sky[3];
	memcpy(color, shading->options->background, 3 * sizeof *color);
	if (r->skybox) {
		memcpy(sky, color, sizeof sky);
		if (r->scene->sky_material != BSPSCENE_NO_INDEX) {
			bspr_shade_sky(shading, &r->scene->materials[r->scene->sky_material], ray, sky);
		}
		shade_hits(shading, r->skybox, NULL, ray, NULL, sky);
	}
	shade_hits(shading, r->tracer, moment, ray, r->skybox ? sky : NULL, color);
}

static void draw_row(picture *p, bspr_shading *shading, uint32_t row)
{
	float step = 1 / (float)p->grid, share = step * step;
	for (uint32_t x = 0; x < p->width && !atomic_load(&p->too_deep); x++) {
		float sum[3] = { 0, 0, 0 };
		uint64_t before = shading->met;
		for (uint32_t i = 0; i < p->grid * p->grid; i++) {
			float color[3];
			bspr_ray ray;
			uint32_t right = i % p->grid, down = i / p->grid;
			make_ray(p, (float)x + ((float)right + 0.5f) * step, (float)row + ((float)down + 0.5f) * step, &ray);
			shade_ray(shading, &p->moment, &ray, color);
			for (int k = 0; k < 3; k++) sum[k] += fminf(fmaxf(color[k], 0), 1);
		}
		uint64_t met = shading->met - before;
		if (atomic_fetch_add(&p->met, met) + met > p->most_met) atomic_store(&p->too_deep, true);
		for (int k = 0; k < 3; k++) {
			p->rgb[((size_t)row * p->width + x) * 3 + (size_t)k] = (uint8_t)(sum[k] * share * 255 + 0.5f);
		}
	}
	atomic_fetch_add(&p->rays, (unsigned long long)p->width * p->grid * p->grid);
}

static bool is_over(picture *p)
{
	return atomic_load(&p->cancelled) || atomic_load(&p->too_deep);
}

static bool keep_going(picture *p, uint32_t row)
{
	const bspscene_render_options *o = p->options;
	if (is_over(p)) return false;
	double done = (double)row / p->height;
	if (!o->progress || o->progress(o->progress_user, "picture", done) == BSPSCENE_CONTINUE) return true;
	atomic_store(&p->cancelled, true);
	return false;
}

/* The far plane is at the farthest corner of the map, and the box's corners just before it (tr_sky.c MakeSkyVec). */
static float sky_box(const picture *p)
{
	const float to_corner = 1.75f, smallest = 64;
	const bspscene_bounds *bounds = &p->renderer->scene->bounds;
	float square = 0;
	for (int i = 0; i < 3; i++) {
		float low = fabsf(bounds->min[i] - p->view->origin[i]), high = fabsf(bounds->max[i] - p->view->origin[i]);
		square += fmaxf(low, high) * fmaxf(low, high);
	}
	return fmaxf(sqrtf(square) / to_corner, smallest);
}

static bspr_shading make_shading(const picture *p)
{
	bspr_shading shading = { .renderer = p->renderer, .options = p->options, .view = p->view };
	memcpy(shading.forward, p->forward, sizeof shading.forward);
	shading.sky_box = sky_box(p);
	shading.sky_covers = p->moment.sky_covers;
	bspscene_start_styles(p->renderer->scene, shading.light_styles);
	const float *given = p->options->light_styles;
	for (int i = 0; given && i < 256; i++) {
		if (given[i] >= 0) shading.light_styles[i] = given[i];
	}
	return shading;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Rows far from each other, one after the other: of each part of the picture as much is drawn at any time, so that what
 * is told of the progress goes with the time although skies are quick and floors are slow. */
static uint32_t find_stride(uint32_t height)
{
	uint32_t stride = (uint32_t)((double)height * 0.618);
	while (stride > 1 && common_divisor(stride, height) != 1) stride--;
	return stride ? stride : 1;
}

static uint32_t row_at(const picture *p, uint32_t number)
{
	return (uint32_t)((uint64_t)number * p->stride % p->height);
}

static void *draw_rows(void *user)
{
	picture *p = user;
	bspr_shading shading = make_shading(p);
	for (uint32_t number; (number = atomic_fetch_add(&p->next_row, 1)) < p->height && !is_over(p);) {
		draw_row(p, &shading, row_at(p, number));
	}
	return NULL;
}

/* The calling thread draws too, and is the only one that reports progress. */
static void draw(picture *p, uint32_t threads)
{
	pthread_t others[LARGEST_THREADS];
	uint32_t started = 0;
	if (!keep_going(p, 0)) return;
	while (started + 1 < threads && !pthread_create(&others[started], NULL, draw_rows, p)) started++;
	bspr_shading shading = make_shading(p);
	for (uint32_t number; (number = atomic_fetch_add(&p->next_row, 1)) < p->height;) {
		if (number && !keep_going(p, number)) break;
		draw_row(p, &shading, row_at(p, number));
	}
	for (uint32_t i = 0; i < started; i++) pthread_join(others[i], NULL);
	/* The others may have drawn all that was left to be told. */
	keep_going(p, p->height);
}

bool bspscene_render(const bspscene_renderer *renderer, const bspscene_view *view,
                     const bspscene_render_options *options, uint8_t *rgb, bspscene_error *error)
{
	assert(renderer && view && options && rgb);
	bspscene_render_options known;
	if (!bspr_take_options(options, &known, error)) return false;
	uint32_t grid = 1;
	while (grid * grid < known.samples && grid * grid < LARGEST_SAMPLES) grid++;
	picture p = { .renderer = renderer, .options = &known, .view = view, .grid = grid, .rgb = rgb,
	              .width = known.width, .height = known.height, .stride = find_stride(known.height) };
	if (!(view->fov_degrees >= 1 && view->fov_degrees <= 170)) {
		return bspr_fail(error, BSPSCENE_ERROR_BAD_OPTIONS, "the field of view is 1 to 170 degrees");
	}
	bspr_axes axes;
	aim(&p, &axes);
	if (!bspr_moment_make(renderer, &known, &axes, &p.moment)) {
		bspr_moment_free(&p.moment);
		return bspr_fail_memory(&renderer->memory, error);
	}
	p.most_met = MET_BASE + MET_PER_RAY * (uint64_t)p.width * p.height * grid * grid;
	uint32_t threads = known.threads ? known.threads : bspr_processors();
	draw(&p, threads < LARGEST_THREADS ? threads : LARGEST_THREADS);
	bspr_moment_free(&p.moment);
	((bspscene_renderer *)renderer)->rays = atomic_load(&p.rays);
	if (atomic_load(&p.too_deep)) {
		return bspr_fail(error, BSPSCENE_ERROR_LIMIT, "too many surfaces lie behind each other");
	}
	return atomic_load(&p.cancelled) ? bspr_fail(error, BSPSCENE_ERROR_CANCELLED, "cancelled") : true;
}
