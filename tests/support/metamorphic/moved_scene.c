/* moved_scene.c - see moved_scene.h. */
#include "support/metamorphic/moved_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/material.h>

const bspt_motion bspt_unmoved = { .name = "unmoved", .scale = 1 };

static bool are_near(const float *a, const float *b, int count, float most)
{
	for (int i = 0; i < count; i++) {
		if (!(fabsf(a[i] - b[i]) <= most)) return false;
	}
	return true;
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

/* One face of a scene with its corners. */
typedef struct view {
	const bspscene_scene *scene;
	const bspscene_face *face;
	const bspscene_mesh *mesh;
	float transform[12];
} view;

static view view_of(const bspscene_scene *scene, uint32_t index)
{
	const bspscene_face *face = &scene->faces[index];
	view out = { scene, face, scene->meshes[face->mesh], { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } };
	for (uint32_t i = 0; i < scene->node_count; i++) {
		bspscene_node_kind kind = scene->nodes[i]->kind;
		if (scene->nodes[i]->mesh != face->mesh || kind == BSPSCENE_NODE_SKY) continue;
		bspscene_node_world_transform(scene, i, out.transform);
		break;
	}
	return out;
}

static void transform_point(const float m[12], const float in[3], float w, float out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = m[4 * i] * in[0] + m[4 * i + 1] * in[1] + m[4 * i + 2] * in[2] + m[4 * i + 3] * w;
}

typedef struct corner {
	float position[3], normal[3], uv[2], luxel[2];
	uint8_t color[4];
	float blend;
} corner;

static corner corner_of(const view *v, uint32_t vertex)
{
	corner out = { .color = { 255, 255, 255, 255 } };
	const bspscene_mesh *mesh = v->mesh;
	transform_point(v->transform, mesh->positions + 3 * (size_t)vertex, 1, out.position);
	transform_point(v->transform, mesh->normals + 3 * (size_t)vertex, 0, out.normal);
	memcpy(out.uv, mesh->uvs + 2 * (size_t)vertex, sizeof out.uv);
	if (mesh->colors) memcpy(out.color, mesh->colors + 4 * (size_t)vertex, 4);
	if (mesh->blend_alphas) out.blend = mesh->blend_alphas[vertex];
	if (!mesh->lightmap_uvs || v->face->lightmap_page == BSPSCENE_NO_INDEX) return out;
	const bspscene_lightmap_page *page = &v->scene->lightmap_sets[0].pages[v->face->lightmap_page];
	out.luxel[0] = mesh->lightmap_uvs[2 * (size_t)vertex] * (float)page->width - (float)v->face->lightmap_x;
	out.luxel[1] = mesh->lightmap_uvs[2 * (size_t)vertex + 1] * (float)page->height - (float)v->face->lightmap_y;
	return out;
}

static bool are_same_corner(const corner *wanted, const corner *got)
{
	return are_near(wanted->position, got->position, 3, 0.02f) && are_near(wanted->normal, got->normal, 3, 2e-3f) &&
	       are_near(wanted->uv, got->uv, 2, 1e-3f) && are_near(wanted->luxel, got->luxel, 2, 0.01f) &&
	       !memcmp(wanted->color, got->color, 4) && fabsf(wanted->blend - got->blend) < 1e-3f;
}

static corner move_corner(const bspt_motion *motion, const corner *in)
{
	corner out = *in;
	bspt_move_point(motion, in->position, out.position);
	bspt_turn_vector(motion, in->normal, out.normal);
	return out;
}

/* Computes the area of a face. *agreeing becomes the area of its triangles that face the same way as the normal of
 * their first corner. */
static void measure(const view *v, float *area, float *agreeing)
{
	*area = *agreeing = 0;
	for (uint32_t i = 0; i + 2 < v->face->index_count; i += 3) {
		corner c[3];
		float u[3], w[3], n[3], along = 0, length = 0;
		for (uint32_t k = 0; k < 3; k++) c[k] = corner_of(v, v->mesh->indices[v->face->first_index + i + k]);
		for (int k = 0; k < 3; k++) {
			u[k] = c[1].position[k] - c[0].position[k];
			w[k] = c[2].position[k] - c[0].position[k];
		}
		for (int k = 0; k < 3; k++) {
			n[k] = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
			along += n[k] * c[0].normal[k];
			length += n[k] * n[k];
		}
		*area += sqrtf(length) / 2;
		*agreeing += along > 0 ? sqrtf(length) / 2 : 0;
	}
}

static const uint8_t *luxel_at(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, size_t *size)
{
	static const uint8_t black[8];
	*size = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 3 : page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F ? 6 : 4;
	return page->data ? (const uint8_t *)page->data + ((size_t)y * page->width + x) * *size : black;
}

/* True if the luxels of both faces are equal in all sets. */
static bool have_same_luxels(const view *a, const view *b)
{
	const bspscene_face *f = a->face, *g = b->face;
	if (f->lightmap_page == BSPSCENE_NO_INDEX || g->lightmap_page == BSPSCENE_NO_INDEX) {
		return f->lightmap_page == g->lightmap_page;
	}
	if (f->lightmap_width != g->lightmap_width || f->lightmap_height != g->lightmap_height) return false;
	for (uint32_t set = 0; set < a->scene->lightmap_set_count; set++) {
		const bspscene_lightmap_page *p = &a->scene->lightmap_sets[set].pages[f->lightmap_page];
		const bspscene_lightmap_page *q = &b->scene->lightmap_sets[set].pages[g->lightmap_page];
		for (uint32_t y = 0; y < f->lightmap_height; y++) {
			for (uint32_t x = 0; x < f->lightmap_width; x++) {
				size_t size;
				const uint8_t *one = luxel_at(p, f->lightmap_x + x, f->lightmap_y + y, &size);
				const uint8_t *other = luxel_at(q, g->lightmap_x + x, g->lightmap_y + y, &size);
				if (memcmp(one, other, size)) return false;
			}
		}
	}
	return true;
}

/* Returns NULL if every corner of one face is a corner of the other, else what differs. */
static const char *difference_of_corners(const view *a, const view *b, const bspt_motion *motion)
{
	/* Engines project decals along the axes of the world, in texels of fixed size. */
	bool is_decal =
		!strncmp(a->mesh->name, "decal:", 6) && (motion->quarters || motion->mirrored || motion->scale != 1);
	/* Overlays are lifted by a fixed distance. */
	bool is_lifted = strstr(a->mesh->name, "overlay:") && motion->scale != 1;
	if (is_decal || is_lifted) return NULL;
	if (a->face->vertex_count != b->face->vertex_count) return "another number of corners";
	bool *taken = calloc((size_t)b->face->vertex_count + 1, sizeof *taken);
	const char *why = NULL;
	if (!taken) bspt_die("allocate", "corners");
	for (uint32_t i = 0; i < a->face->vertex_count && !why; i++) {
		corner here = corner_of(a, a->face->first_vertex + i), wanted = move_corner(motion, &here);
		why = "a corner is missing";
		for (uint32_t k = 0; k < b->face->vertex_count && why; k++) {
			corner got = corner_of(b, b->face->first_vertex + k);
			if (taken[k] || !are_same_corner(&wanted, &got)) continue;
			taken[k] = true;
			why = NULL;
		}
	}
	free(taken);
	return why;
}

/* Names of decals end with the number of their entity. */
static bool is_same_mesh(const bspscene_mesh *a, const bspscene_mesh *b, int other)
{
	bool by_number = other & BSPT_OTHER_ENTITY_ORDER && !strncmp(a->name, "decal:", 6);
	return !strncmp(a->name, b->name, by_number ? 6 : strlen(a->name) + 1);
}

static const char *difference_of_faces(const view *a, const view *b, const bspt_motion *motion, int other)
{
	const bspscene_face *f = a->face, *g = b->face;
	const bspscene_section *s = a->mesh->sections[f->section], *t = b->mesh->sections[g->section];
	float area[2], agreeing[2];
	if (!is_same_mesh(a->mesh, b->mesh, other)) return "another mesh";
	if (!(other & BSPT_OTHER_RECORDS) && f->record != g->record) return "another record";
	if (f->surface_flags != g->surface_flags || f->content_flags != g->content_flags) return "other flags";
	if (!(other & BSPT_OTHER_TREE) && (f->leaf != g->leaf || f->cluster != g->cluster || f->area != g->area)) {
		return "another leaf";
	}
	if (memcmp(f->styles, g->styles, sizeof f->styles)) return "other styles";
	if (s->lighting != t->lighting || s->surface_kind != t->surface_kind) return "another kind of surface";
	if (strcmp(a->scene->materials[s->material]->name, b->scene->materials[t->material]->name))
		return "another material";
	if ((s->fog == BSPSCENE_NO_INDEX) != (t->fog == BSPSCENE_NO_INDEX)) return "another fog";
	if (!(other & BSPT_OTHER_LUXELS) && !have_same_luxels(a, b)) return "other luxels";
	measure(a, &area[0], &agreeing[0]);
	measure(b, &area[1], &agreeing[1]);
	float wanted = area[0] * motion->scale * motion->scale,
		  wanted_agreeing = agreeing[0] * motion->scale * motion->scale;
	bool is_scaled = !strncmp(a->mesh->name, "decal:", 6) && motion->scale != 1;
	if (is_scaled) return NULL;
	if (fabsf(wanted - area[1]) > 1e-3f * wanted + 0.01f) return "another area";
	if (fabsf(wanted_agreeing - agreeing[1]) > 1e-3f * wanted + 0.01f) return "another side";
	return difference_of_corners(a, b, motion);
}

static void check_faces(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion, int other,
                        bspt_report *report)
{
	BSPT_EXPECT(report, before->face_count == after->face_count, "%u faces, not %u", after->face_count,
	            before->face_count);
	bool *taken = calloc((size_t)after->face_count + 1, sizeof *taken);
	if (!taken) bspt_die("allocate", "faces");
	for (uint32_t i = 0; i < before->face_count; i++) {
		view a = view_of(before, i);
		const char *why = "missing";
		for (uint32_t k = 0; k < after->face_count && why; k++) {
			view b = view_of(after, k);
			if (taken[k] || (!(other & BSPT_OTHER_RECORDS) && a.face->record != b.face->record)) continue;
			if (!is_same_mesh(a.mesh, b.mesh, other)) continue;
			why = difference_of_faces(&a, &b, motion, other);
			if (!why) taken[k] = true;
		}
		BSPT_EXPECT(report, !why, "face %u of %s: %s", a.face->record, a.mesh->name, why);
	}
	free(taken);
}

/* ---- Entities and lamps ----------------------------------------------------------------------------------- */

static const bspscene_entity *entity_like(const bspscene_scene *before, uint32_t i, const bspscene_scene *after,
                                          const bspt_motion *motion, int other)
{
	if (!(other & BSPT_OTHER_ENTITY_ORDER)) return i < after->entity_count ? after->entities[i] : NULL;
	const bspscene_entity *e = before->entities[i];
	float wanted[3];
	bspt_move_point(motion, e->origin, wanted);
	for (uint32_t k = 0; k < after->entity_count; k++) {
		const bspscene_entity *one = after->entities[k];
		if (!strcmp(one->classname, e->classname) && one->model == e->model &&
		    are_near(one->origin, wanted, 3, 0.01f)) {
			return one;
		}
	}
	return NULL;
}

static void place_of(const bspscene_scene *scene, uint32_t node, float place[3], float forward[3])
{
	float m[12];
	bspscene_node_world_transform(scene, node, m);
	for (int i = 0; i < 3; i++) {
		place[i] = m[4 * i + 3];
		forward[i] = m[4 * i];
	}
}

static void check_node(const bspscene_scene *before, uint32_t node, const bspscene_scene *after, uint32_t other_node,
                       const bspt_motion *motion, bool is_turned, bspt_report *report)
{
	float place[3], forward[3], wanted[3], wanted_forward[3];
	const char *name = before->nodes[node]->name;
	place_of(before, node, place, forward);
	bspt_move_point(motion, place, wanted);
	memcpy(wanted_forward, forward, sizeof forward);
	if (is_turned) bspt_turn_vector(motion, forward, wanted_forward);
	place_of(after, other_node, place, forward);
	BSPT_EXPECT(report, are_near(wanted, place, 3, 0.02f), "%s is at %g %g %g, not %g %g %g", name, (double)place[0],
	            (double)place[1], (double)place[2], (double)wanted[0], (double)wanted[1], (double)wanted[2]);
	BSPT_EXPECT(report, are_near(wanted_forward, forward, 3, 2e-3f), "%s looks along %g %g %g, not %g %g %g", name,
	            (double)forward[0], (double)forward[1], (double)forward[2], (double)wanted_forward[0],
	            (double)wanted_forward[1], (double)wanted_forward[2]);
}

static bool has_key(const bspscene_scene *scene, const bspscene_entity *e, const char *key)
{
	for (uint32_t i = 0; i < e->pair_count; i++) {
		if (!strcmp(scene->pairs[e->first_pair + i].key, key)) return true;
	}
	return false;
}

/* True if the node is in the 3D skybox. The position of such a node depends on the camera of the skybox. */
static bool is_in_skybox(const bspscene_scene *scene, const bspscene_node *node)
{
	return node->parent != BSPSCENE_NO_INDEX && scene->nodes[node->parent]->kind == BSPSCENE_NODE_SKY;
}

static void check_entities(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion,
                           int other, bspt_report *report)
{
	BSPT_EXPECT(report, before->entity_count == after->entity_count, "%u entities, not %u", after->entity_count,
	            before->entity_count);
	for (uint32_t i = 1; i < before->entity_count; i++) {
		const bspscene_entity *e = before->entities[i], *f = entity_like(before, i, after, motion, other);
		BSPT_EXPECT(report, f, "entity %u, %s, is missing", i, e->classname);
		if (!f) continue;
		const bspscene_node *node = before->nodes[e->node], *moved = after->nodes[f->node];
		BSPT_EXPECT(report,
		            !strcmp(e->classname, f->classname) && node->kind == moved->kind &&
		                e->pair_count == f->pair_count && node->hidden == moved->hidden,
		            "entity %u is another", i);
		bool has_target = e->target_entity != BSPSCENE_NO_INDEX;
		BSPT_EXPECT(report, has_target == (f->target_entity != BSPSCENE_NO_INDEX), "entity %u has no target", i);
		bool is_aimed = has_key(before, e, "angle") || has_key(before, e, "angles") ||
		                (has_target && node->kind == BSPSCENE_NODE_LIGHT);
		/* The camera of a player start is above it by a fixed eye height, which does not grow with the map. */
		bool stays = node->kind == BSPSCENE_NODE_BRUSH_ENTITY || is_in_skybox(before, node) ||
		             (node->kind == BSPSCENE_NODE_CAMERA && motion->scale != 1);
		if (!stays && has_key(before, e, "origin"))
			check_node(before, e->node, after, f->node, motion, is_aimed, report);
	}
}

static void check_lamps(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion, int other,
                        bspt_report *report)
{
	BSPT_EXPECT(report, before->light_count == after->light_count, "%u lamps, not %u", after->light_count,
	            before->light_count);
	for (uint32_t i = 0; i < before->light_count && i < after->light_count; i++) {
		const bspscene_light *a = before->lights[i], *b = after->lights[i];
		if (other & BSPT_OTHER_ENTITY_ORDER || a->entity == BSPSCENE_NO_INDEX || !a->entity) continue;
		bool same = a->kind == b->kind && a->style == b->style && are_near(a->color, b->color, 3, 1e-4f) &&
		            a->falloff == b->falloff && fabsf(a->intensity - b->intensity) <= 1e-3f * fabsf(a->intensity) &&
		            fabsf(a->radius - b->radius) <= 1e-3f * a->radius;
		BSPT_EXPECT(report, same, "lamp %u is another", i);
		/* A key may give the radius of a lamp's cone at its target. It is not scaled, so scaling changes the angle. */
		bool cone = fabsf(a->outer_angle_degrees - b->outer_angle_degrees) < 0.01f &&
		            fabsf(a->inner_angle_degrees - b->inner_angle_degrees) < 0.01f;
		BSPT_EXPECT(report, cone || motion->scale != 1, "lamp %u has another cone", i);
	}
}

/* ---- The map's tree --------------------------------------------------------------------------------------- */

enum { STEPS = 5 };

static bool grid_point(const bspscene_scene *scene, uint32_t index, float out[3])
{
	const uint32_t at[3] = { index % STEPS, index / STEPS % STEPS, index / STEPS / STEPS };
	for (int i = 0; i < 3; i++) {
		float size = scene->bounds.max[i] - scene->bounds.min[i];
		out[i] = scene->bounds.min[i] + size * ((float)at[i] + 0.37f) / STEPS;
	}
	return index < STEPS * STEPS * STEPS;
}

static int32_t leaf_at(const bspscene_tree *tree, const float point[3])
{
	int32_t at = 0;
	while (at >= 0 && (uint32_t)at < tree->node_count) {
		const float *plane = tree->planes + 4 * (size_t)at;
		bool behind = plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] < plane[3];
		at = tree->children[2 * (size_t)at + behind];
	}
	return at;
}

static void check_tree(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion,
                       bspt_report *report)
{
	float point[3], moved[3];
	BSPT_EXPECT(report, !before->tree == !after->tree, "one has no tree");
	for (uint32_t i = 0; before->tree && after->tree && grid_point(before, i, point); i++) {
		bspt_move_point(motion, point, moved);
		int32_t wanted = leaf_at(before->tree, point), got = leaf_at(after->tree, moved);
		BSPT_EXPECT(report, wanted == got, "%g %g %g is in leaf %d, not %d", (double)moved[0], (double)moved[1],
		            (double)moved[2], (int)(-1 - got), (int)(-1 - wanted));
	}
}

static void check_bounds(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion,
                         bspt_report *report)
{
	float a[3], b[3];
	bspt_move_point(motion, before->bounds.min, a);
	bspt_move_point(motion, before->bounds.max, b);
	for (int i = 0; i < 3; i++) {
		bool same = fabsf(fminf(a[i], b[i]) - after->bounds.min[i]) < 0.1f &&
		            fabsf(fmaxf(a[i], b[i]) - after->bounds.max[i]) < 0.1f;
		BSPT_EXPECT(report, same, "bounds along axis %d are %g to %g", i, (double)after->bounds.min[i],
		            (double)after->bounds.max[i]);
	}
}

void bspt_check_moved(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion, int other,
                      bspt_report *report)
{
	check_faces(before, after, motion, other, report);
	check_entities(before, after, motion, other, report);
	check_lamps(before, after, motion, other, report);
	if (!(other & BSPT_OTHER_TREE)) check_tree(before, after, motion, report);
	check_bounds(before, after, motion, report);
	float camera[3];
	bspt_move_point(motion, before->sky_camera_origin, camera);
	BSPT_EXPECT(report, !before->sky_camera_scale || are_near(camera, after->sky_camera_origin, 3, 0.01f),
	            "the 3D skybox has another middle");
}

void bspt_check_moved_samples(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion,
                              bspt_report *report)
{
	float point[3], moved[3];
	for (uint32_t i = 0; grid_point(before, i, point); i++) {
		bspscene_light_sample a, b;
		bspt_move_point(motion, point, moved);
		bool known = bspscene_sample_light(before, point, &a), known_after = bspscene_sample_light(after, moved, &b);
		bool same = known == known_after && (!known || (are_near(&a.sides[0][0], &b.sides[0][0], 18, 0.01f) &&
		                                                are_near(a.directed, b.directed, 3, 0.01f)));
		BSPT_EXPECT(report, same, "other light at %g %g %g", (double)point[0], (double)point[1], (double)point[2]);
	}
}
