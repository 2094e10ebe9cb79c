/* pixels.c - draws pixels: samples, packets of rays, threads. */
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "picture/camera.h"
#include "picture/rays.h"
#include "processors.h"
#include "take_options.h"
#include "vector.h"

#define LARGEST_GRID 8u
#define LARGEST_SAMPLES (LARGEST_GRID * LARGEST_GRID)
#define LARGEST_THREADS 256u
#define TILE_ROWS 4u

typedef struct picture {
	const bspscene_renderer *renderer;
	bspr_moment moment;
	const bspscene_render_options *options;
	const bspscene_view *view;
	uint32_t width, height, grid;      /* size in pixels; each pixel has grid * grid samples */
	bspr_camera camera;
	uint8_t *rgb;
	uint32_t bands;                    /* number of bands; each has TILE_ROWS rows of pixels */
	atomic_uint next_band;
	uint32_t stride;                   /* number of bands from each drawn band to the next one, from find_stride */
	atomic_bool canceled, too_deep;
	atomic_ullong rays, met;
	uint64_t most_met;                 /* limit for the number of surfaces that all rays meet, from bspr_most_met */
} picture;

static void begin_packets(const picture *p, bspr_packet *packet)
{
	bspi_ray *like = &packet->like;
	for (int i = 0; i < 3; i++) {
		like->origin[i] = p->view->origin[i];
		like->dx[i] = p->camera.right[i] * 2 / (float)p->width;
		like->dy[i] = -p->camera.up[i] * 2 / (float)p->height;
	}
	bspr_begin_facets(&packet->facets, like->origin, like->dx, like->dy);
}

/* A rectangle of pixels that are drawn together. */
typedef struct tile {
	uint32_t x, y, width, height;
	float sums[TILE_ROWS * TILE_ROWS][3];
} tile;

/* Shades the rays of a packet. Adds each ray's color to its pixel, pixels[i], of the tile. */
static void add_packet(const picture *p, bspr_shading *shading, bspr_packet *packet, const uint32_t *pixels, tile *t)
{
	bspr_shade_packet(shading, &p->moment, packet);
	for (uint32_t i = 0; i < packet->count; i++) {
		for (int k = 0; k < 3; k++) t->sums[pixels[i]][k] += bspr_clamp01(packet->colors[i][k]);
	}
	packet->count = 0;
}

/* Computes the sample positions of a tile's columns or rows, in pixels. */
static void find_places(uint32_t first, uint32_t count, uint32_t grid, float *places)
{
	const float step = 1 / (float)grid;
	for (uint32_t pixel = 0; pixel < count; pixel++) {
		for (uint32_t i = 0; i < grid; i++) *places++ = (float)(first + pixel) + ((float)i + 0.5f) * step;
	}
}

/* Adds the rays of all samples of a pixel to the packet. Whenever the packet is full, it is shaded and emptied. */
static void add_pixel(const picture *p, bspr_shading *shading, bspr_packet *packet, uint32_t *pixels, uint32_t pixel,
                      const float *across, const float *down, tile *t)
{
	for (uint32_t i = 0; i < p->grid; i++) {
		for (uint32_t k = 0; k < p->grid; k++) {
			uint32_t at = packet->count++;
			float *direction = packet->directions[at];
			bspr_look(&p->camera, across[k], down[i], direction);
			pixels[at] = pixel;
			if (packet->count == BSPR_PACKET) add_packet(p, shading, packet, pixels, t);
		}
	}
}

static void draw_tile(picture *p, bspr_shading *shading, bspr_packet *packet, tile *t)
{
	const float step = 1 / (float)p->grid, share = step * step;
	const uint64_t before = shading->met;
	uint32_t pixels[BSPR_PACKET];
	float across[TILE_ROWS * LARGEST_GRID], down[TILE_ROWS * LARGEST_GRID];
	memset(t->sums, 0, sizeof t->sums);
	packet->count = 0;
	find_places(t->x, t->width, p->grid, across);
	find_places(t->y, t->height, p->grid, down);
	for (uint32_t i = 0; i < t->width * p->grid; i++) across[i] = 2 * across[i] / (float)p->width - 1;
	for (uint32_t i = 0; i < t->height * p->grid; i++) down[i] = 1 - 2 * down[i] / (float)p->height;
	for (uint32_t row = 0, pixel = 0; row < t->height; row++) {
		for (uint32_t column = 0; column < t->width; column++) {
			const float *x = across + (size_t)column * p->grid, *y = down + (size_t)row * p->grid;
			add_pixel(p, shading, packet, pixels, pixel++, x, y, t);
		}
	}
	if (packet->count) add_packet(p, shading, packet, pixels, t);
	for (uint32_t row = 0; row < t->height; row++) {
		uint8_t *out = p->rgb + ((size_t)(t->y + row) * p->width + t->x) * 3;
		const float *sums = t->sums[row * t->width];
		for (uint32_t i = 0; i < t->width * 3; i++) out[i] = (uint8_t)(sums[i] * share * 255 + 0.5f);
	}
	uint64_t met = shading->met - before;
	if (atomic_fetch_add(&p->met, met) + met > p->most_met || shading->too_deep) atomic_store(&p->too_deep, true);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Draws a band in tiles. A tile is nearly square and has as many pixels as a packet has rays. */
static void draw_band(picture *p, bspr_shading *shading, bspr_packet *packet, uint32_t band)
{
	const uint32_t side = p->grid == 2 ? TILE_ROWS / 2 : TILE_ROWS, first = band * TILE_ROWS;
	const uint32_t end = least(first + TILE_ROWS, p->height);
	for (uint32_t y = first; y < end; y += side) {
		for (uint32_t x = 0; x < p->width && !atomic_load(&p->too_deep); x += side) {
			tile t = { .x = x, .y = y, .width = least(side, p->width - x), .height = least(side, end - y) };
			draw_tile(p, shading, packet, &t);
		}
	}
	atomic_fetch_add(&p->rays, (unsigned long long)p->width * (end - first) * p->grid * p->grid);
}

static bool is_over(picture *p)
{
	return atomic_load(&p->canceled) || atomic_load(&p->too_deep);
}

static bool keep_going(picture *p, uint32_t band)
{
	const bspscene_render_options *o = p->options;
	if (is_over(p)) return false;
	double done = (double)band / p->bands;
	if (!o->progress || o->progress(o->progress_user, "picture", done) == BSPSCENE_PROGRESS_CONTINUE) return true;
	atomic_store(&p->canceled, true);
	return false;
}

static bspi_sky_view make_sky_view(const picture *p)
{
	const bspscene_render_options *options = p->options;
	bspi_sky_view sky = {
		.scene = p->renderer->scene, .textures = p->renderer->textures, .time = options->time,
		.box = bspi_sky_box(&p->renderer->scene->bounds, p->view->origin), .covers = p->moment.sky_covers,
		.fogs = options->mode != BSPSCENE_RENDER_TEXTURE,
		.map_fog = options->mode == BSPSCENE_RENDER_FULL && !options->omit_map_fog,
	};
	memcpy(sky.origin, p->view->origin, sizeof sky.origin);
	memcpy(sky.forward, p->camera.forward, sizeof sky.forward);
	return sky;
}

static bspr_shading make_shading(const picture *p)
{
	bspr_shading shading = { .renderer = p->renderer, .options = p->options, .view = p->view };
	shading.cloud_corners = p->moment.cloud_corners;
	memcpy(shading.forward, p->camera.forward, sizeof shading.forward);
	shading.sky = make_sky_view(p);
	/* After each pass the color is clamped to `limit`, as in a frame buffer. The limit is above 1 (white) if lightmaps
	 * have a larger intensity, because a pass of light may exceed white before the texture darkens it. */
	const bspscene_scene *scene = p->renderer->scene;
	shading.limit = bspi_larger(1, p->options->intensity);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		shading.limit = bspi_larger(shading.limit, scene->lightmap_sets[i].intensity);
	}
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

/* Returns the distance between bands that are drawn one after the other. They are far apart, so that fast ones with sky
 * and slow ones with floor alternate. Progress is then proportional to time. */
static uint32_t find_stride(uint32_t count)
{
	uint32_t stride = (uint32_t)((double)count * 0.618);
	while (stride > 1 && common_divisor(stride, count) != 1) stride--;
	return stride ? stride : 1;
}

static uint32_t band_at(const picture *p, uint32_t number)
{
	return (uint32_t)((uint64_t)number * p->stride % p->bands);
}

static void *draw_bands(void *user)
{
	picture *p = user;
	bspr_shading shading = make_shading(p);
	bspr_packet packet;
	begin_packets(p, &packet);
	for (uint32_t number; (number = atomic_fetch_add(&p->next_band, 1)) < p->bands && !is_over(p);) {
		draw_band(p, &shading, &packet, band_at(p, number));
	}
	return NULL;
}

/* Draws with several threads, including the calling one, which alone reports progress. */
static void draw(picture *p, uint32_t threads)
{
	pthread_t others[LARGEST_THREADS];
	uint32_t started = 0;
	if (!keep_going(p, 0)) return;
	while (started + 1 < threads && !pthread_create(&others[started], NULL, draw_bands, p)) started++;
	bspr_shading shading = make_shading(p);
	bspr_packet packet;
	begin_packets(p, &packet);
	for (uint32_t number; (number = atomic_fetch_add(&p->next_band, 1)) < p->bands;) {
		if (number && !keep_going(p, number)) break;
		draw_band(p, &shading, &packet, band_at(p, number));
	}
	for (uint32_t i = 0; i < started; i++) pthread_join(others[i], NULL);
	/* Reports the end. Until here, the calling thread reported only before each of its own bands. */
	keep_going(p, p->bands);
}

bool bspscene_render(const bspscene_renderer *renderer, const bspscene_view *view,
                     const bspscene_render_options *options, uint8_t *rgb, bspscene_error *error)
{
	assert(renderer && view && rgb);
	bspscene_render_options known;
	if (!bspr_take_options(options, &known, error)) return false;
	uint32_t grid = 1;
	while (grid * grid < known.samples && grid * grid < LARGEST_SAMPLES) grid++;
	picture p = { .renderer = renderer, .options = &known, .view = view, .grid = grid, .rgb = rgb,
	              .width = known.width, .height = known.height };
	p.bands = (p.height + TILE_ROWS - 1) / TILE_ROWS;
	p.stride = find_stride(p.bands);
	if (!bspr_aim(view, p.width, p.height, &p.camera, error)) return false;
	p.camera.axes.from_above = known.transparent_sky;
	if (!bspr_moment_make(renderer, &known, &p.camera.axes, &p.moment)) {
		bspr_moment_free(&p.moment);
		return bspr_fail_memory(&renderer->memory, error);
	}
	p.most_met = bspr_most_met((uint64_t)p.width * p.height * grid * grid);
	uint32_t threads = known.threads ? known.threads : bspr_processors();
	draw(&p, threads < LARGEST_THREADS ? threads : LARGEST_THREADS);
	bspr_moment_free(&p.moment);
	((bspscene_renderer *)renderer)->rays = atomic_load(&p.rays);
	if (atomic_load(&p.too_deep)) return bspr_fail_depth(error);
	return atomic_load(&p.canceled) ? bspr_fail(error, BSPSCENE_ERROR_CANCELED, "canceled") : true;
}
