/* distances.c - measures the distance to the first solid surface along each ray. */
#include <assert.h>
#include <math.h>

#include "picture/camera.h"
#include "picture/rays.h"
#include "take_options.h"
#include "vector.h"

typedef struct sight {
	const bspscene_renderer *renderer;
	bspr_moment moment;
	const bspscene_render_options *options;
	bspr_camera camera;
	bspr_packet packet;
	uint64_t met;
	bool too_deep;                     /* a ray met BSPR_MOST_MET surfaces */
} sight;

/* Returns the distance to the solid surface that ended the ray, or INFINITY for sky or nothing. That surface is the
 * last hit, unless the list of hits was full without it. */
static float distance_of(const bspscene_scene *scene, const bspr_hits *hits, const float direction[3])
{
	if (hits->end == INFINITY) return INFINITY;
	const bspr_hit *last = hits->count ? &hits->hits[hits->count - 1] : NULL;
	bool sky = last && last->distance == hits->end &&
	           scene->materials[last->section->material]->kind == BSPSCENE_MATERIAL_SKY;
	return sky ? INFINITY : hits->end * sqrtf(bspr_dot(direction, direction));
}

/* Traces the pixels of a row from x on, as many as fit in a packet. */
static void measure(sight *s, uint32_t x, uint32_t y, float *out)
{
	const float down = 1 - 2 * ((float)y + 0.5f) / (float)s->options->height;
	for (uint32_t i = 0; i < s->packet.count; i++) {
		float across = 2 * ((float)(x + i) + 0.5f) / (float)s->options->width - 1;
		bspr_look(&s->camera, across, down, s->packet.directions[i]);
	}
	bspr_meet(s->renderer, s->options, &s->moment, &s->packet);
	for (uint32_t i = 0; i < s->packet.count; i++) {
		out[i] = distance_of(s->renderer->scene, &s->packet.hits[i], s->packet.directions[i]);
		s->met += s->packet.hits[i].met;
		s->too_deep |= s->packet.hits[i].met >= BSPR_MOST_MET;
	}
}

static bool measure_all(sight *s, float *distances, bspscene_error *error)
{
	const uint32_t width = s->options->width, height = s->options->height;
	const uint64_t most = bspr_most_met((uint64_t)width * height);
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x += s->packet.count) {
			s->packet.count = width - x < BSPR_PACKET ? width - x : BSPR_PACKET;
			measure(s, x, y, distances + (size_t)y * width + x);
			if (s->met > most || s->too_deep) return bspr_fail_depth(error);
		}
	}
	return true;
}

bool bspscene_render_distances(const bspscene_renderer *renderer, const bspscene_view *view,
                               const bspscene_render_options *options, float *distances, bspscene_error *error)
{
	assert(renderer && view && distances);
	bspscene_render_options known;
	if (!bspr_take_options(options, &known, error)) return false;
	sight s = { .renderer = renderer, .options = &known };
	if (!bspr_aim(view, known.width, known.height, &s.camera, error)) return false;
	for (int i = 0; i < 3; i++) s.packet.like.origin[i] = view->origin[i];
	bool made = bspr_moment_make(renderer, &known, &s.camera.axes, &s.moment);
	bool ok = made ? measure_all(&s, distances, error) : bspr_fail_memory(&renderer->memory, error);
	bspr_moment_free(&s.moment);
	return ok;
}
