/* shown_meshes.c - see shown_part.h. Finds the meshes to which overviews are fitted, and iterates over their
 * corners. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "overview/shown_part.h"

const bspscene_bounds bspr_nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

bool bspr_in_box(const float p[3], const bspscene_bounds *box)
{
	for (int i = 0; i < 3; i++) {
		if (p[i] < box->min[i] || p[i] > box->max[i]) return false;
	}
	return true;
}

void bspr_add_point(bspscene_bounds *box, const float p[3])
{
	for (int i = 0; i < 3; i++) {
		box->min[i] = fminf(box->min[i], p[i]);
		box->max[i] = fmaxf(box->max[i], p[i]);
	}
}

bool bspr_is_empty(const bspscene_bounds *box)
{
	return !(box->max[0] >= box->min[0]);
}

/* ---- Corners ------------------------------------------------------------------------------------------------ */

static bool is_seen(const bspscene_scene *scene, const bspscene_section *section)
{
	return section->surface_kind == BSPSCENE_SURFACE_VISIBLE &&
	       scene->materials[section->material]->kind != BSPSCENE_MATERIAL_SKY;
}

void bspr_place_corner(const bspr_part *part, uint32_t vertex, float out[3])
{
	const float *p = part->mesh->positions + (size_t)vertex * 3, *m = part->transform;
	memcpy(out, p, 3 * sizeof *out);
	if (!part->moved) return;
	for (int i = 0; i < 3; i++) out[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
}

const bspscene_section *bspr_next_section(bspr_corners *c)
{
	const bspr_parts *all = c->parts;
	for (; c->part < all->count; c->part++, c->section = 0) {
		const bspscene_mesh *mesh = all->parts[c->part].mesh;
		for (; c->section < mesh->section_count; c->section++) {
			const bspscene_section *section = mesh->sections[c->section];
			if (is_seen(all->scene, section)) return section;
		}
	}
	return NULL;
}

bool bspr_next_corner(bspr_corners *c)
{
	for (const bspscene_section *section; (section = bspr_next_section(c)); c->section++, c->vertex = 0) {
		if (c->vertex >= section->vertex_count) continue;
		bspr_place_corner(&c->parts->parts[c->part], section->first_vertex + c->vertex++, c->at);
		return true;
	}
	return false;
}

/* ---- Parts -------------------------------------------------------------------------------------------------- */

static bool in_skybox(const bspscene_scene *scene, uint32_t node)
{
	while (scene->nodes[node]->kind != BSPSCENE_NODE_SKY && scene->nodes[node]->parent != BSPSCENE_NO_INDEX) {
		node = scene->nodes[node]->parent;
	}
	return scene->nodes[node]->kind == BSPSCENE_NODE_SKY;
}

static void add_part(bspr_parts *out, uint32_t node)
{
	static const float unmoved[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	bspr_part *part = &out->parts[out->count++];
	part->mesh = out->scene->meshes[out->scene->nodes[node]->mesh];
	bspscene_node_world_transform(out->scene, node, part->transform);
	part->moved = memcmp(part->transform, unmoved, sizeof unmoved) != 0;
}

static bool is_other(const bspscene_node *node)
{
	return !node->hidden && (node->kind == BSPSCENE_NODE_PROP || node->kind == BSPSCENE_NODE_BRUSH_ENTITY);
}

/* Adds the world. A map may have several world nodes: one for each value of `levels` (UFO: Alien Invasion). */
static void add_world(bspr_parts *out)
{
	const bspscene_scene *scene = out->scene;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->kind == BSPSCENE_NODE_WORLD && node->mesh != BSPSCENE_NO_INDEX && !in_skybox(scene, i)) {
			add_part(out, i);
		}
	}
	if (out->count || !scene->mesh_count) return;
	/* No world node was found. If a node shows mesh 0, which is the world's mesh, adds this mesh, unless the node is in
	 * the 3D skybox. */
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (scene->nodes[i]->mesh != 0) continue;
		if (!in_skybox(scene, i)) out->parts[out->count++] = (bspr_part){ .mesh = scene->meshes[0] };
		return;
	}
}

static void add_others(bspr_parts *out)
{
	for (uint32_t i = 0; i < out->scene->node_count; i++) {
		const bspscene_node *node = out->scene->nodes[i];
		if (is_other(node) && node->mesh != BSPSCENE_NO_INDEX && !in_skybox(out->scene, i)) add_part(out, i);
	}
}

bspscene_bounds bspr_starts(const bspscene_scene *scene, bool with_things)
{
	bspscene_bounds box = bspr_nothing;
	uint32_t cameras = scene->camera_count, count = cameras + (with_things ? scene->prop_count : 0);
	for (uint32_t i = 0; i < count; i++) {
		bool start = i < cameras && scene->cameras[i]->kind == BSPSCENE_CAMERA_SPAWN;
		bool thing = i >= cameras && scene->props[i - cameras]->entity != BSPSCENE_NO_INDEX;
		if (!start && !thing) continue;
		uint32_t node = i < cameras ? scene->cameras[i]->node : scene->props[i - cameras]->node;
		float transform[12];
		if (in_skybox(scene, node)) continue;
		bspscene_node_world_transform(scene, node, transform);
		const float place[3] = { transform[3], transform[7], transform[11] };
		bspr_add_point(&box, place);
	}
	return box;
}

static bspscene_bounds bounds_of(const bspr_parts *parts, uint32_t part)
{
	bspscene_bounds box = bspr_nothing;
	bspr_corners c = { .parts = parts, .part = part };
	while (bspr_next_corner(&c) && c.part == part) bspr_add_point(&box, c.at);
	return box;
}

/* True if the boxes overlap after one of them is enlarged by `reach` on all sides. */
static bool are_near(const bspscene_bounds *a, const bspscene_bounds *b, float reach)
{
	for (int i = 0; i < 3; i++) {
		if (a->min[i] - reach > b->max[i] || a->max[i] + reach < b->min[i]) return false;
	}
	return !bspr_is_empty(a) && !bspr_is_empty(b);
}

/* Keeps the parts near player starts, then the parts near kept ones, and so on. Keeps all parts if there are no
 * starts. */
static void keep_what_is_near(bspr_parts *all, bspscene_bounds box)
{
	const float reach = 1024;
	bspscene_bounds *bounds = malloc((all->count + 1) * sizeof *bounds);
	uint32_t kept = 0;
	for (uint32_t i = 0; bounds && i < all->count; i++) bounds[i] = bounds_of(all, i);
	for (uint32_t before = BSPSCENE_NO_INDEX; bounds && kept != before;) {
		before = kept;
		for (uint32_t i = kept; i < all->count; i++) {
			if (!are_near(&box, &bounds[i], reach)) continue;
			bspr_part part = all->parts[i];
			bspscene_bounds own = bounds[i];
			all->parts[i] = all->parts[kept];
			bounds[i] = bounds[kept];
			all->parts[kept++] = part;
			bspr_add_point(&box, own.min);
			bspr_add_point(&box, own.max);
		}
	}
	if (kept) all->count = kept;
	free(bounds);
}

static float longest_side(const bspscene_bounds *box)
{
	float longest = 0;
	for (int i = 0; i < 3; i++) longest = fmaxf(longest, box->max[i] - box->min[i]);
	return longest;
}

/* True if players are in the world rather than in models placed around it. Some maps consist of models: their world is
 * missing, far from the player starts (a room for the sky), or tiny (a beam below one of 50 platforms). */
static bool is_played_in(const bspr_parts *world)
{
	enum { FEWEST = 8 };
	const float reach = 512, least_share = 1.0f / 16;
	bspscene_bounds box = bspr_nothing, starts = bspr_starts(world->scene, false);
	uint32_t count = 0;
	for (bspr_corners c = { .parts = world }; bspr_next_corner(&c); count++) bspr_add_point(&box, c.at);
	if (count < FEWEST || bspr_is_empty(&starts)) return count >= FEWEST;
	return are_near(&starts, &box, reach) && longest_side(&box) >= longest_side(&starts) * least_share;
}

bspr_parts bspr_find_parts(const bspscene_scene *scene)
{
	bspr_parts out = { .scene = scene, .parts = malloc((2 * (size_t)scene->node_count + 1) * sizeof *out.parts) };
	if (!out.parts) return out;
	add_world(&out);
	if (is_played_in(&out)) return out;
	add_others(&out);
	bspscene_bounds starts = bspr_starts(scene, false);
	if (!bspr_is_empty(&starts)) keep_what_is_near(&out, starts);
	return out;
}

void bspr_free_parts(bspr_parts *parts)
{
	free(parts->parts);
}
