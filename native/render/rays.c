/* rays.c - see rays.h. */
#include "rays.h"

#include <math.h>
#include <string.h>

#include "vector.h"

/* A triangle's plane seen from the eye: the weights of its second and third corner are ratios of functions that are
 * linear in the direction, so those of neighbouring pixels come from the same three vectors. */
static void find_weights(const bspi_ray *ray, const float to_a[3], const float ab[3], const float ac[3],
                         bspr_surface *out)
{
	float normal[3], second[3], third[3], here[2] = { 0, 0 };
	bspr_cross(ac, ab, normal);
	bspr_cross(ac, to_a, second);
	bspr_cross(to_a, ab, third);
	const float over = bspr_dot(ray->direction, normal);
	const float along[2] = { bspr_dot(ray->direction, second), bspr_dot(ray->direction, third) };
	const float least = 1e-12f;
	for (int i = 0; i < 2 && fabsf(over) >= least; i++) here[i] = along[i] / over;
	for (int step = 0; step < 2; step++) {
		const float *change = step ? ray->dy : ray->dx;
		float *to = step ? out->weights_dy : out->weights_dx, next = over + bspr_dot(change, normal);
		bool there = fabsf(next) >= least;
		to[1] = there ? (along[0] + bspr_dot(change, second)) / next - here[0] : 0;
		to[2] = there ? (along[1] + bspr_dot(change, third)) / next - here[1] : 0;
		to[0] = -to[1] - to[2];
	}
	for (int i = 0; i < 2; i++) out->weights[i + 1] = bspr_clamp01(here[i]);
	out->weights[0] = 1 - out->weights[1] - out->weights[2];
}

static void describe(const bspscene_renderer *r, const bspi_ray *ray, const bspr_hit *hit, bspr_surface *out)
{
	const bspr_instance *instance = hit->instance;
	out->instance = instance;
	out->section = instance->mesh->sections[hit->section];
	out->material = r->scene->materials[out->section->material];
	const uint32_t *corners = instance->mesh->indices + (size_t)hit->triangle * 3;
	memcpy(out->corners, corners, sizeof out->corners);
	float ab[3], ac[3], to_a[3];
	for (int k = 0; k < 3; k++) bspr_vertex_position(instance, corners[k], out->places[k]);
	const float *a = out->places[0], *b = out->places[1], *c = out->places[2];
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
		to_a[i] = ray->origin[i] - a[i];
		out->position[i] = ray->origin[i] + ray->direction[i] * hit->distance;
	}
	find_weights(ray, to_a, ab, ac, out);
	out->distance = hit->distance * sqrtf(bspr_dot(ray->direction, ray->direction));
}

/* The order the engine draws in: by sort, then (it does not sort further) from far to near. */
static bool comes_before(const bspscene_renderer *r, const bspr_hit *a, const bspr_hit *b)
{
	float sort_a = r->scene->materials[a->instance->mesh->sections[a->section]->material]->sort;
	float sort_b = r->scene->materials[b->instance->mesh->sections[b->section]->material]->sort;
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

/* What lies along a ray, over `color`. Sky surfaces show `sky`, or what their material says without one. */
static void shade_hits(bspr_shading *shading, bspr_hits *hits, const bspi_ray *ray, const float *sky, float color[3])
{
	float depth = INFINITY;
	shading->met += hits->met;
	order(shading->renderer, hits);
	for (uint32_t i = 0; i < hits->count; i++) {
		if (hits->hits[i].distance > depth) continue;
		bspr_surface surface;
		describe(shading->renderer, ray, &hits->hits[i], &surface);
		float plain[3];
		if (surface.material->kind != BSPSCENE_MATERIAL_SKY || bspr_is_plain(shading, &surface, plain)) {
			if (bspr_shade(shading, &surface, color)) depth = hits->hits[i].distance;
		} else if (sky) {
			memcpy(color, sky, 3 * sizeof *color);
		} else {
			bspi_sky_color(&shading->sky, surface.material, ray, color);
		}
	}
}

static bool meets_sky(const bspscene_scene *scene, const bspr_hits *hits)
{
	for (uint32_t i = 0; i < hits->count; i++) {
		const bspr_hit *hit = &hits->hits[i];
		uint32_t material = hit->instance->mesh->sections[hit->section]->material;
		if (scene->materials[material]->kind == BSPSCENE_MATERIAL_SKY) return true;
	}
	return false;
}

/* The engine draws the 3D skybox first, over the sky, and clears the depth before the world: so it is seen through the
 * world's sky surfaces and never before anything, although it may reach into the world at its enlarged size. Only rays
 * that meet such a surface are followed there. */
static void shade_skybox(bspr_shading *shading, bspr_packet *packet, float skies[BSPR_PACKET][3])
{
	const bspscene_renderer *r = shading->renderer;
	const bspr_hits like = { .both_sides = shading->options->both_sides };
	bool wanted[BSPR_PACKET], any = false;
	for (uint32_t i = 0; i < packet->count; i++) {
		wanted[i] = meets_sky(r->scene, &packet->hits[i]);
		any |= wanted[i];
		bspr_begin_hits(&packet->behind[i], &like);
	}
	if (!any) return;
	bspr_trace_packet(r->skybox, packet->rays[0].origin, (const float (*)[3])packet->directions, wanted, packet->count,
	                  packet->behind);
	for (uint32_t i = 0; i < packet->count; i++) {
		if (!wanted[i]) continue;
		memcpy(skies[i], shading->options->background, sizeof skies[i]);
		if (r->scene->sky_material != BSPSCENE_NO_INDEX) {
			bspi_sky_color(&shading->sky, r->scene->materials[r->scene->sky_material], &packet->rays[i], skies[i]);
		}
		shade_hits(shading, &packet->behind[i], &packet->rays[i], NULL, skies[i]);
	}
}

void bspr_shade_packet(bspr_shading *shading, const bspr_moment *moment, bspr_packet *packet)
{
	const bspscene_renderer *r = shading->renderer;
	const float (*directions)[3] = (const float (*)[3])packet->directions;
	const float *eye = packet->rays[0].origin;
	bspr_hits like = { .both_sides = shading->options->both_sides };
	bool wanted[BSPR_PACKET];
	float skies[BSPR_PACKET][3];
	if (moment->hidden) {
		like.part = r->instances;
		like.hidden = moment->hidden;
	}
	for (uint32_t i = 0; i < packet->count; i++) {
		wanted[i] = true;
		bspr_begin_hits(&packet->hits[i], &like);
	}
	bspr_trace_packet(r->tracer, eye, directions, wanted, packet->count, packet->hits);
	if (moment->tracer) bspr_trace_packet(moment->tracer, eye, directions, wanted, packet->count, packet->hits);
	if (r->skybox) shade_skybox(shading, packet, skies);
	for (uint32_t i = 0; i < packet->count; i++) {
		memcpy(packet->colors[i], shading->options->background, sizeof packet->colors[i]);
		shade_hits(shading, &packet->hits[i], &packet->rays[i], r->skybox ? skies[i] : NULL, packet->colors[i]);
	}
}
