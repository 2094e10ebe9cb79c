/* bench_exr.c - measures the processor time of writing an HDR page of 4096 x 4096 luxels as EXR, with typical smooth
 * and noisy light: bench_exr [ROUNDS] */
#define _POSIX_C_SOURCE 199309L /* declares clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "images/images.h"
#include "support/bspt.h"

enum { SIDE = 4096, TILE = 32 };

static double processor_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Makes a block for each face with a brightness that falls off across it, and noise of one percent. */
static uint16_t *make_page(void)
{
	uint16_t *page = malloc((size_t)SIDE * SIDE * 3 * sizeof *page);
	if (!page) bspt_die("allocate", "a page");
	uint32_t seed = 1;
	for (uint32_t y = 0; y < SIDE; y++) {
		for (uint32_t x = 0; x < SIDE; x++) {
			uint32_t block = y / TILE * 7919 + x / TILE * 104729;
			float brightness = (float)(block % 97) / 24;
			float dx = (float)(x % TILE) / TILE - 0.4f, dy = (float)(y % TILE) / TILE - 0.3f;
			for (uint32_t k = 0; k < 3; k++) {
				seed = seed * 1664525u + 1013904223u;
				float grain = 1 + (float)(seed >> 24) / 25600;
				page[3 * ((size_t)y * SIDE + x) + k] =
					bspi_half_from_float(brightness * grain * (1 - 0.1f * (float)k) / (1 + 4 * (dx * dx + dy * dy)));
			}
		}
	}
	return page;
}

static bool swallow(void *user, const void *data, size_t size)
{
	size_t *total = user;
	(void)data;
	*total += size;
	return true;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	uint16_t *pixels = make_page();
	bspscene_lightmap_page page = { SIDE, SIDE, BSPSCENE_LIGHTMAP_PAGE_RGB16F, pixels, NULL };
	double best = INFINITY;
	size_t total = 0;
	for (int i = 0; i < rounds; i++) {
		bspscene_error error;
		total = 0;
		double start = processor_seconds();
		if (!bspscene_write_lightmap_page(&page, swallow, &total, &error)) bspt_die("write", error.message);
		best = fmin(best, processor_seconds() - start);
	}
	printf("EXR of %d x %d: %.3f s (at most 0.6), %.1f MB\n", SIDE, SIDE, best, (double)total * 1e-6);
	free(pixels);
	return 0;
}
