/* moment.c - see moment.h. Copies sections whose materials deform, deforms them face by face, and transforms them. */
#include "draft.h"

#include "pvs.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A block of memory that is freed with the moment. */
typedef struct bspr_block {
	struct bspr_block *next;
	max_align_t data[];
} bspr_block;

void *bspr_moment_take(bspr_moment *moment, size_t count, size_t size)
{
	if (count > (SIZE_MAX - sizeof(bspr_block)) / size) return NULL;
	size_t whole = sizeof(bspr_block) + count * size;
	bspr_block *block = bspr_allocate(moment->memory, 1, whole);
	if (!block) return NULL;
	block->next = moment->blocks;
	moment->blocks = block;
	moment->size += whole;
	return block->data;
}

/* The deformation of a section, for the callback of bspr_draft_section. */
typedef struct deforming {
	const bspscene_material *material;
	const bspr_axes *axes;
	float time;
	const bspr_draft *draft;
} deforming;

static void deform_range(void *user, const bspr_range *range)
{
	const deforming *how = user;
	const bspr_draft *d = how->draft;
	const bspr_piece piece = {
		.positions = d->positions, .normals = d->normals, .uvs = d->uvs, .lightmap_uvs = d->lightmap_uvs,
		.colors = d->colors, .first_vertex = range->first_vertex, .vertex_count = range->vertex_count,
		.indices = d->indices + range->first_index, .index_count = range->index_count,
	};
	for (uint32_t k = 0; k < how->material->deform_count; k++) {
		bspr_deform(how->material->deforms[k], how->axes, how->time, &piece);
	}
}

/* ---- Instances ---------------------------------------------------------------------------------------------- */

/* Rotates a direction from the world to the space of a mesh (tr_main.c R_RotateForEntity). The translation and scale of
 * the transform have no effect. */
static void turn_back(const float transform[12], const float axis[3], float out[3])
{
	for (int i = 0; i < 3; i++) {
		const float column[3] = { transform[i], transform[4 + i], transform[8 + i] };
		float size = sqrtf(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]);
		out[i] = (axis[0] * column[0] + axis[1] * column[1] + axis[2] * column[2]) / fmaxf(size, 1e-6f);
	}
}

static void see_from(const float transform[12], const bspr_axes *view, bspr_axes *out)
{
	float to_eye[3];
	for (int i = 0; i < 3; i++) to_eye[i] = view->eye[i] - transform[4 * i + 3];
	turn_back(transform, view->forward, out->forward);
	turn_back(transform, view->left, out->left);
	turn_back(transform, view->up, out->up);
	turn_back(transform, view->upright, out->upright);
	turn_back(transform, to_eye, out->eye);
	out->from_above = view->from_above;
}

/* ---- Glows, as in xash3d's gl_sprite.c (R_SpriteGlowBlend, R_DrawSpriteModel) --------------------------------- */

static bool glows(const bspscene_scene *scene, const bspscene_section *section)
{
	const bspscene_material *material = scene->materials[section->material];
	for (uint32_t i = 0; i < material->deform_count; i++) {
		if (material->deforms[i]->kind == BSPSCENE_DEFORM_GLOW) return true;
	}
	return false;
}

/* A glow is visible unless its center is at least this many game units behind a surface. */
static bool is_glow_hidden(const bspscene_renderer *r, const bspr_instance *glow, const float eye[3])
{
	const float depth = 8;
	float way[3];
	bspr_hits hits = { .end = INFINITY };
	for (int i = 0; i < 3; i++) way[i] = glow->transform[4 * i + 3] - eye[i];
	bspr_trace(r->tracer, eye, way, &hits);
	return (1 - hits.end) * sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) > depth;
}

/* Moves a glow close to the eye and shrinks it in proportion. It looks the same, but nothing hides it, because the
 * engine draws glows without a depth test. */
static void bring_to_front(const bspscene_section *section, const bspr_instance *glow, const float eye[3])
{
	const float nearest = 1;
	float square = 0;
	for (int i = 0; i < 3; i++) {
		float way = glow->transform[4 * i + 3] - eye[i];
		square += way * way;
	}
	if (square <= nearest * nearest) return;
	float share = nearest / sqrtf(square);
	for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
		float *position = glow->positions + (size_t)v * 3;
		for (int i = 0; i < 3; i++) position[i] = eye[i] + (position[i] - eye[i]) * share;
	}
}

/* ---- Building the moment ------------------------------------------------------------------------------------ */

/* Adds an instance to the moment. It shows the draft in place of the mesh of the instance `from`. */
static bool keep_draft(bspr_moment *moment, const bspscene_renderer *r, const bspr_instance *from, const bspr_draft *d,
                       const float eye[3])
{
	bspr_instance *instance = &moment->instances[moment->instance_count];
	bspscene_mesh *mesh = bspr_moment_take(moment, 1, sizeof *mesh);
	bspr_surface_class *classes = bspr_moment_take(moment, d->mesh.section_count, sizeof *classes);
	*instance = (bspr_instance){ .mesh = mesh, .node = from->node };
	instance->number = r->instance_count + moment->instance_count;
	memcpy(instance->transform, from->transform, sizeof instance->transform);
	instance->shape = BSPSCENE_NO_INDEX;
	instance->positions = bspr_moment_take(moment, d->mesh.vertex_count, 3 * sizeof(float));
	instance->sections = bspr_moment_take(moment, d->mesh.index_count / 3, sizeof(uint32_t));
	if (!mesh || !classes || !instance->positions || !instance->sections) return false;
	*mesh = d->mesh;
	moment->classes[moment->instance_count++] = classes;
	for (uint32_t i = 0; i < mesh->section_count; i++) classes[i] = bspr_classify(r->scene, mesh->sections[i]);
	bspr_place(r->scene, instance, classes);
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		if (glows(r->scene, mesh->sections[i])) bring_to_front(mesh->sections[i], instance, eye);
	}
	return true;
}

static bool add_instance(bspr_moment *moment, const bspscene_renderer *r, const bspr_instance *from,
                         const bspr_axes *axes, float time)
{
	bspr_draft d;
	bspr_axes here;
	bool ok = bspr_begin_draft(moment, r->scene, from->mesh, &d);
	see_from(from->transform, axes, &here);
	for (uint32_t i = 0; ok && d.sections && i < from->mesh->section_count; i++) {
		const bspscene_section *section = from->mesh->sections[i];
		if (!bspr_section_deforms(r->scene, section)) continue;
		if (glows(r->scene, section) && is_glow_hidden(r, from, axes->eye)) continue;
		deforming how = { r->scene->materials[section->material], &here, time, &d };
		bspr_draft_section(r->scene, from->mesh, section, &d, deform_range, &how);
	}
	return ok && (!d.mesh.section_count || keep_draft(moment, r, from, &d, axes->eye));
}

static bool add_instances(bspr_moment *moment, const bspscene_renderer *r, const bspr_axes *axes, float time)
{
	moment->instances = bspr_moment_take(moment, r->skybox_first, sizeof *moment->instances);
	moment->classes = bspr_moment_take(moment, r->skybox_first, sizeof *moment->classes);
	bool ok = moment->instances && moment->classes;
	for (uint32_t i = 0; ok && i < r->skybox_first; i++) ok = add_instance(moment, r, &r->instances[i], axes, time);
	if (!ok || !moment->instance_count) return ok;
	const bspr_surface_class *const *classes = (const bspr_surface_class *const *)moment->classes;
	moment->tracer = bspr_tracer_create(moment->memory, moment->instances, classes, 0, moment->instance_count);
	return moment->tracer != NULL;
}

/* Marks the triangles of the world that the engine would not draw, seen from `eye`. The world, if it is drawn, is the
 * first instance. */
static bool hide_unseen(bspr_moment *moment, const bspscene_renderer *r, const float eye[3])
{
	const bspr_instance *world = r->instances;
	if (!r->skybox_first || world->node->kind != BSPSCENE_NODE_WORLD) return true;
	moment->hidden = bspr_moment_take(moment, world->mesh->index_count / 3, sizeof *moment->hidden);
	if (moment->hidden) bspr_hide_unseen(r->scene, world->mesh, eye, moment->hidden);
	return moment->hidden != NULL;
}

static bool has_clouds(const bspscene_material *material)
{
	return material->sky && material->sky->cloud_height > 0 && material->pass_count;
}

/* Computes texture coordinates of clouds at the corners of a grid on the sky box. Computing them for each ray would
 * take many more trigonometric functions. */
static bool find_cloud_corners(bspr_moment *moment, const bspscene_renderer *r, const float eye[3], float time)
{
	const bspscene_scene *scene = r->scene;
	bspi_sky_view view = { .scene = scene, .time = time, .box = bspi_sky_box(&scene->bounds, eye) };
	memcpy(view.origin, eye, sizeof view.origin);
	for (uint32_t i = 0; i < scene->material_count; i++) {
		const bspscene_material *material = scene->materials[i];
		if (!has_clouds(material)) continue;
		if (!moment->cloud_corners) {
			moment->cloud_corners = bspr_moment_take(moment, scene->material_count, sizeof *moment->cloud_corners);
		}
		bspi_cloud_corners *corners = bspr_moment_take(moment, material->pass_count, sizeof *corners);
		if (!moment->cloud_corners || !corners) return false;
		moment->cloud_corners[i] = corners;
		for (uint32_t k = 0; k < material->pass_count; k++) {
			bspi_find_cloud_corners(&view, material, scene->material_passes[material->first_pass + k], &corners[k]);
		}
	}
	return true;
}

bool bspr_moment_make(const bspscene_renderer *r, const bspscene_render_options *options, const bspr_axes *axes,
                      bspr_moment *out)
{
	*out = (bspr_moment){ .memory = &((bspscene_renderer *)r)->memory };
	if (r->scene->fog_count) {
		out->sky_covers = bspr_moment_take(out, r->scene->fog_count, sizeof *out->sky_covers);
		if (!out->sky_covers) return false;
		bspr_cover_sky(r->scene, r->instances, r->skybox_first, axes->eye, out->sky_covers);
	}
	if (options->use_pvs && !hide_unseen(out, r, axes->eye)) return false;
	if (!find_cloud_corners(out, r, axes->eye, options->time)) return false;
	return !r->deforms || add_instances(out, r, axes, options->time);
}

void bspr_moment_free(bspr_moment *moment)
{
	bspr_tracer_free(moment->tracer);
	for (bspr_block *block = moment->blocks, *next; block; block = next) {
		next = block->next;
		bspr_release(&moment->memory->allocator, block);
	}
	bspr_memory_give(moment->memory, moment->size);
}
