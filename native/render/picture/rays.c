/* rays.c - see rays.h. */
#include "picture/rays.h"

#include <math.h>
#include <string.h>

#include "take_options.h"
#include "vector.h"

#define MET_BASE UINT64_C(10000000)
#define MET_PER_RAY 24u

uint64_t bspr_most_met(uint64_t rays)
{
	return MET_BASE + MET_PER_RAY * rays;
}

bool bspr_fail_depth(bspscene_error *error)
{
	return bspr_fail(error, BSPSCENE_ERROR_LIMIT,
	                 "rays meet too many surfaces one after the other; draw a smaller picture");
}

static void describe(const bspscene_renderer *r, bspr_packet *packet, uint32_t ray, const bspr_hit *hit,
                     bspr_surface *out)
{
	const bspr_facet *facet = bspr_find_facet(&packet->facets, hit);
	const float *eye = packet->like.origin, *direction = packet->directions[ray];
	out->facet = facet;
	out->instance = facet->instance;
	out->section = hit->section;
	out->material = r->scene->materials[hit->section->material];
	out->corners = facet->corners;
	out->places = facet->places;
	for (int i = 0; i < 3; i++) out->position[i] = eye[i] + direction[i] * hit->distance;
	bspr_find_weights(facet, direction, out->weights, out->weights_dx, out->weights_dy);
	out->distance = hit->distance * sqrtf(bspr_dot(direction, direction));
}

/* True if the engine draws hit `a` before `b`: it sorts by sort key, then from far to near. */
static bool comes_before(const bspscene_renderer *r, const bspr_hit *a, const bspr_hit *b)
{
	float sort_a = r->scene->materials[a->section->material]->sort;
	float sort_b = r->scene->materials[b->section->material]->sort;
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

/* Iterates over the hits of a ray in drawing order. */
typedef struct walk {
	const bspr_hits *hits;
	uint32_t at;
	float depth;                       /* distance of the nearest surface that wrote depth; farther ones are not drawn
	                                    * any more */
} walk;

/* Returns the next hit, or NULL. */
static const bspr_hit *next_hit(walk *w)
{
	while (w->at < w->hits->count && w->hits->hits[w->at].distance > w->depth) w->at++;
	return w->at < w->hits->count ? &w->hits->hits[w->at] : NULL;
}

/* Hits of several rays in one section, which are shaded together. */
typedef struct run {
	uint32_t count, rays[BSPR_PACKET]; /* indices in the packet */
	bspr_surface surfaces[BSPR_PACKET];
	float colors[BSPR_PACKET][4];      /* the colors that the hits are blended over */
	float distances[BSPR_PACKET];
} run;

/* Collects the next hits of all rays that are in the same section as the next hit of ray `first`. Returns the index of
 * the first ray that has more hits. */
static void gather(const bspscene_renderer *r, bspr_packet *packet, walk *walks, uint32_t first,
                   float (*colors)[4], run *out)
{
	const bspscene_section *section = next_hit(&walks[first])->section;
	out->count = 0;
	bspr_begin_run(&packet->facets);
	for (uint32_t i = first; i < packet->count; i++) {
		const bspr_hit *hit = next_hit(&walks[i]);
		if (!hit || hit->section != section) continue;
		uint32_t at = out->count++;
		out->rays[at] = i;
		out->distances[at] = hit->distance;
		memcpy(out->colors[at], colors[i], sizeof out->colors[at]);
		describe(r, packet, i, hit, &out->surfaces[at]);
		walks[i].at++;
	}
}

static void sky_color(const bspi_sky_view *view, const bspscene_material *material, const bspr_packet *packet,
                      uint32_t ray, float color[3])
{
	bspi_ray whole = packet->like;
	memcpy(whole.direction, packet->directions[ray], sizeof whole.direction);
	bspi_sky_color(view, material, &whole, color);
}

/* Returns how this picture shows the sky of a material, by the material's index. */
static bspi_sky_view sky_view(const bspr_shading *shading, uint32_t material)
{
	bspi_sky_view view = shading->sky;
	if (shading->cloud_corners) view.corners = shading->cloud_corners[material];
	return view;
}

/* Draws sky surfaces. Each shows the color of the 3D skybox in `skies` or, if `skies` is NULL, its own material. */
static void draw_sky(const bspr_shading *shading, const bspr_packet *packet, const float (*skies)[4], run *of)
{
	const bspscene_material *material = of->surfaces[0].material;
	const bspi_sky_view view = sky_view(shading, of->surfaces[0].section->material);
	for (uint32_t i = 0; i < of->count; i++) {
		const uint32_t ray = of->rays[i];
		if (skies) memcpy(of->colors[i], skies[ray], sizeof of->colors[i]);
		else sky_color(&view, material, packet, ray, of->colors[i]);
	}
}

/* Blends the hits along the rays over their colors. Rays without hits are not changed. */
static void shade_hits(bspr_shading *shading, bspr_packet *packet, bspr_hits *hits, const float (*skies)[4],
                       float (*colors)[4])
{
	walk walks[BSPR_PACKET];
	run next;
	for (uint32_t i = 0; i < packet->count; i++) {
		shading->met += hits[i].met;
		shading->too_deep |= hits[i].met >= BSPR_MOST_MET;
		if (hits[i].count > 1) order(shading->renderer, &hits[i]);
		walks[i] = (walk){ .hits = &hits[i], .depth = INFINITY };
	}
	for (uint32_t first = 0; first < packet->count; ) {
		if (!next_hit(&walks[first])) {
			first++;
			continue;
		}
		bool depths[BSPR_PACKET] = { false };
		gather(shading->renderer, packet, walks, first, colors, &next);
		bool sky = next.surfaces[0].material->kind == BSPSCENE_MATERIAL_SKY;
		if (sky && !bspr_is_plain(shading, next.surfaces)) draw_sky(shading, packet, skies, &next);
		else bspr_shade(shading, next.surfaces, next.count, next.colors, depths);
		for (uint32_t i = 0; i < next.count; i++) {
			memcpy(colors[next.rays[i]], next.colors[i], sizeof next.colors[i]);
			if (depths[i]) walks[next.rays[i]].depth = next.distances[i];
		}
	}
}

/* True if the ray leaves a map whose sky has no surfaces. */
static bool leaves_map(const bspr_shading *shading, const bspr_hits *hits)
{
	return shading->renderer->open_sky && !shading->options->transparent_sky && hits->end == INFINITY;
}

/* If a ray leaves the map, sets its color to that of the map's sky. Engines draw this sky before all surfaces. */
static void draw_open_sky(const bspr_shading *shading, const float (*skies)[4], bspr_packet *packet)
{
	const bspscene_scene *scene = shading->renderer->scene;
	const bspi_sky_view view = sky_view(shading, scene->sky_material);
	for (uint32_t i = 0; i < packet->count; i++) {
		float *color = packet->colors[i];
		if (!leaves_map(shading, &packet->hits[i]) || bspr_is_sky_plain(shading, color)) continue;
		if (skies) memcpy(color, skies[i], sizeof packet->colors[i]);
		else sky_color(&view, scene->materials[scene->sky_material], packet, i, color);
	}
}

static bool meets_sky(const bspscene_scene *scene, const bspr_hits *hits)
{
	for (uint32_t i = 0; i < hits->count; i++) {
		if (scene->materials[hits->hits[i].section->material]->kind == BSPSCENE_MATERIAL_SKY) return true;
	}
	return false;
}

/* Draws the 3D skybox into `skies`. The engine draws it first, over the sky, and clears the depth before the world. So
 * it is visible only through sky surfaces of the world, and never hides anything, although it may reach into the world
 * when enlarged. Only rays that meet a sky surface, or leave a map without any, are traced in it. */
static void shade_skybox(bspr_shading *shading, bspr_packet *packet, float skies[BSPR_PACKET][4])
{
	const bspscene_renderer *r = shading->renderer;
	const bspr_hits like = { .both_sides = shading->options->show_back_faces,
		                     .no_sky = shading->options->transparent_sky };
	bool wanted[BSPR_PACKET], any = false;
	for (uint32_t i = 0; i < packet->count; i++) {
		wanted[i] = leaves_map(shading, &packet->hits[i]) || meets_sky(r->scene, &packet->hits[i]);
		any |= wanted[i];
		bspr_begin_hits(&packet->behind[i], &like);
	}
	if (!any) return;
	bspr_trace_packet(r->skybox, packet->like.origin, (const float (*)[3])packet->directions, wanted, packet->count,
	                  packet->behind);
	bool has_sky = r->scene->sky_material != BSPSCENE_NO_INDEX;
	const bspi_sky_view view = has_sky ? sky_view(shading, r->scene->sky_material) : shading->sky;
	for (uint32_t i = 0; i < packet->count; i++) {
		memcpy(skies[i], shading->options->background, 3 * sizeof *skies[i]);
		if (!wanted[i] || !has_sky) continue;
		sky_color(&view, r->scene->materials[r->scene->sky_material], packet, i, skies[i]);
	}
	shade_hits(shading, packet, packet->behind, NULL, skies);
}

void bspr_meet(const bspscene_renderer *r, const bspscene_render_options *options, const bspr_moment *moment,
               bspr_packet *packet)
{
	const float (*directions)[3] = (const float (*)[3])packet->directions;
	const float *eye = packet->like.origin;
	bspr_hits like = { .both_sides = options->show_back_faces, .no_sky = options->transparent_sky };
	bool wanted[BSPR_PACKET];
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
}

void bspr_shade_packet(bspr_shading *shading, const bspr_moment *moment, bspr_packet *packet)
{
	const bspscene_renderer *r = shading->renderer;
	float skies[BSPR_PACKET][4];
	for (uint32_t i = 0; i < packet->count; i++) {
		memcpy(packet->colors[i], shading->options->background, 3 * sizeof *packet->colors[i]);
	}
	bspr_meet(r, shading->options, moment, packet);
	if (r->skybox) shade_skybox(shading, packet, skies);
	const float (*behind)[4] = r->skybox ? (const float (*)[4])skies : NULL;
	if (r->open_sky) draw_open_sky(shading, behind, packet);
	shade_hits(shading, packet, packet->hits, behind, packet->colors);
}
