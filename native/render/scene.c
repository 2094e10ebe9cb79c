/* scene.c - prepares a scene for pictures: decodes textures, places instances, classifies surfaces, builds the ray
 * structure. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/render_binding.h>

#include "drawing/add_light.h"
#include "shade/shade.h"
#include "take_options.h"

/* Surfaces with polygon offset and translucent surfaces are raised by this many game units. The engine does not raise
 * them: it uses glPolygonOffset, and draws coplanar surfaces in order. */
#define OFFSET_LIFT 0.2f
#define TRANSLUCENT_LIFT 0.02f

static bool is_opaque_stage(const bspscene_material_pass *stage)
{
	return stage->src_blend == BSPSCENE_BLEND_ONE && stage->dst_blend == BSPSCENE_BLEND_ZERO &&
	       stage->alpha_test == BSPSCENE_ALPHA_MODE_OPAQUE && stage->depth_write;
}

bspr_surface_class bspr_classify(const bspscene_scene *scene, const bspscene_section *section)
{
	const bspscene_material *m = scene->materials[section->material];
	bspr_surface_class out = { BSPR_TRANSLUCENT, m->cull, m->kind == BSPSCENE_MATERIAL_SKY };
	if (out.sky) {
		/* The engine draws skies first and without depth, so what is behind a sky surface stays visible. So the class
		 * stays TRANSLUCENT: a ray does not end at a sky surface. */
		out.cull = BSPSCENE_CULL_BACK;
	} else if (section->surface_kind != BSPSCENE_SURFACE_VISIBLE || m->kind == BSPSCENE_MATERIAL_FLARE) {
		out.solidity = BSPR_INVISIBLE;
	} else if (m->pass_count) {
		if (is_opaque_stage(scene->material_passes[m->first_pass])) out.solidity = BSPR_SOLID;
	} else if (m->kind == BSPSCENE_MATERIAL_FOG) {
		out.solidity = BSPR_TRANSLUCENT;
	} else if (m->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE) {
		out.solidity = BSPR_SOLID;
	}
	return out;
}

void bspr_place(const bspscene_scene *scene, const bspr_instance *instance, const bspr_surface_class *classes)
{
	const bspscene_mesh *mesh = instance->mesh;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *section = mesh->sections[i];
		float lift = scene->materials[section->material]->polygon_offset ? OFFSET_LIFT
		             : classes[i].solidity == BSPR_TRANSLUCENT ? TRANSLUCENT_LIFT : 0;
		for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
			float lifted[3];
			for (int k = 0; k < 3; k++) {
				lifted[k] = mesh->positions[v * 3 + (uint32_t)k] + mesh->normals[v * 3 + (uint32_t)k] * lift;
			}
			float *at = instance->positions + (size_t)v * 3;
			if (bspr_is_shared(instance)) memcpy(at, lifted, sizeof lifted);
			else bspr_transform(instance->transform, lifted, at);
		}
		for (uint32_t t = section->first_index / 3; t < (section->first_index + section->index_count) / 3; t++) {
			instance->sections[t] = i;
		}
	}
}

static bool is_drawn(const bspscene_scene *scene, const bspscene_node *node, const bspscene_render_options *options)
{
	if (node->mesh == BSPSCENE_NO_INDEX || !scene->meshes[node->mesh]->index_count || node->hidden) return false;
	if (options->level && node->levels && !(node->levels >> (options->level - 1) & 1)) return false;
	/* The decals on an entity belong to it, so they are left out with it. */
	const bspscene_node *parent = node->parent == BSPSCENE_NO_INDEX ? NULL : scene->nodes[node->parent];
	bool on_entity = parent && parent->kind == BSPSCENE_NODE_BRUSH_ENTITY;
	bool model = node->prop != BSPSCENE_NO_INDEX && !scene->props[node->prop]->is_static;
	return !options->world_only || (node->kind != BSPSCENE_NODE_BRUSH_ENTITY && !on_entity && !model);
}

/* Hides sections that deform, because moment.c builds them for each picture. */
static void leave_to_moments(bspscene_renderer *r, const bspscene_mesh *mesh, bspr_surface_class *classes)
{
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		if (!r->scene->materials[mesh->sections[i]->material]->deform_count) continue;
		r->deforms |= classes[i].solidity != BSPR_INVISIBLE;
		classes[i].solidity = BSPR_INVISIBLE;
	}
}

/* Allocates the arrays of an instance that owns them. Other instances of a shared mesh use the arrays of the first
 * one. */
static bool add_arrays(bspscene_renderer *r, bspr_instance *instance)
{
	const bspscene_scene *scene = r->scene;
	bspr_surface_class *classes = bspr_allocate(&r->memory, instance->mesh->section_count, sizeof *classes);
	r->classes[instance - r->instances] = classes;
	instance->positions = bspr_allocate(&r->memory, instance->mesh->vertex_count, 3 * sizeof(float));
	instance->sections = bspr_allocate(&r->memory, instance->mesh->index_count / 3, sizeof(uint32_t));
	if (!classes || !instance->positions || !instance->sections) return false;
	for (uint32_t i = 0; i < instance->mesh->section_count; i++) {
		const bspscene_section *section = instance->mesh->sections[i];
		classes[i] = bspr_classify(scene, section);
	}
	bspr_place(scene, instance, classes);
	leave_to_moments(r, instance->mesh, classes);
	return true;
}

/* Counts for a mesh while instances are added: the number of nodes that show it, and the index of the instance that
 * owns the shared arrays. */
typedef struct shared_mesh {
	uint32_t uses, shape;
} shared_mesh;

/* True if instances that share the mesh save enough vertices. A mesh that deforms is not shared, because bspr_moment
 * builds it for each instance. */
static bool is_worth_sharing(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t uses)
{
	const uint64_t least_saved = 1024;
	if (uses < 2 || (uint64_t)(uses - 1) * mesh->vertex_count < least_saved) return false;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_material *material = scene->materials[mesh->sections[i]->material];
		if (material->deform_count || material->kind == BSPSCENE_MATERIAL_SKY) return false;
	}
	return true;
}

static float determinant_of(const float m[12])
{
	return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
	       m[2] * (m[4] * m[9] - m[5] * m[8]);
}

static bool add_instance(bspscene_renderer *r, uint32_t node, float time, shared_mesh *meshes)
{
	const bspscene_scene *scene = r->scene;
	const float flat = 1e-6f;
	uint32_t number = r->instance_count++;
	bspr_instance *instance = &r->instances[number];
	shared_mesh *shared = &meshes[scene->nodes[node]->mesh];
	instance->number = number;
	instance->node = scene->nodes[node];
	instance->mesh = scene->meshes[instance->node->mesh];
	instance->shape = BSPSCENE_NO_INDEX;
	bspscene_node_world_transform(scene, node, instance->transform);
	bspr_move_item(scene, instance->node, time, instance->transform);
	float determinant = determinant_of(instance->transform);
	instance->mirrored = determinant < 0;
	/* Rays are transformed to the space of a shared mesh by the inverse of the instance's transform. A transform that
	 * flattens the mesh has no inverse, so the mesh is not shared then. */
	if (is_worth_sharing(scene, instance->mesh, shared->uses) && fabsf(determinant) > flat) {
		if (shared->shape == BSPSCENE_NO_INDEX) shared->shape = number;
		instance->shape = shared->shape;
	}
	if (bspr_is_shared(instance) && instance->shape != number) {
		instance->positions = r->instances[instance->shape].positions;
		instance->sections = r->instances[instance->shape].sections;
		r->classes[number] = r->classes[instance->shape];
	} else if (!add_arrays(r, instance)) {
		return false;
	}
	return bspr_light_model(r, instance);
}

/* Adds the instances of the world or of the 3D skybox, which has a separate ray structure. */
static bool add_part(bspscene_renderer *r, const bool *in_skybox, bool skybox, const bspscene_render_options *options)
{
	const bspscene_scene *scene = r->scene;
	shared_mesh *meshes = bspr_take(&r->memory.allocator, scene->mesh_count, sizeof *meshes);
	bool ok = meshes != NULL;
	for (uint32_t i = 0; ok && i < scene->mesh_count; i++) meshes[i].shape = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; ok && i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (in_skybox[i] == skybox && is_drawn(scene, node, options)) meshes[node->mesh].uses++;
	}
	for (uint32_t i = 0; ok && i < scene->node_count; i++) {
		if (in_skybox[i] == skybox && is_drawn(scene, scene->nodes[i], options)) {
			ok = add_instance(r, i, options->time, meshes);
		}
	}
	bspr_release(&r->memory.allocator, meshes);
	return ok;
}

/* Adds the world's instances, then those below the 3D skybox's node. */
static bool add_instances(bspscene_renderer *r, const bspscene_render_options *options)
{
	const bspscene_scene *scene = r->scene;
	const bspscene_allocator *allocator = &r->memory.allocator;
	bool *in_skybox = bspr_take(allocator, scene->node_count, sizeof *in_skybox), ok = in_skybox != NULL;
	r->instances = bspr_allocate(&r->memory, scene->node_count, sizeof *r->instances);
	r->classes = bspr_allocate(&r->memory, scene->node_count, sizeof *r->classes);
	ok = ok && r->instances && r->classes;
	for (uint32_t i = 0; ok && i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		bool has_parent = node->parent != BSPSCENE_NO_INDEX;
		in_skybox[i] = node->kind == BSPSCENE_NODE_SKY || (has_parent && in_skybox[node->parent]);
	}
	ok = ok && add_part(r, in_skybox, false, options);
	r->skybox_first = r->instance_count;
	ok = ok && add_part(r, in_skybox, true, options);
	bspr_release(allocator, in_skybox);
	return ok;
}

static bool add_tracers(bspscene_renderer *r)
{
	const bspr_surface_class *const *classes = (const bspr_surface_class *const *)r->classes;
	uint32_t world = r->skybox_first, skybox = r->instance_count - world;
	r->tracer = bspr_tracer_create(&r->memory, r->instances, classes, 0, world);
	if (skybox) r->skybox = bspr_tracer_create(&r->memory, r->instances, classes, world, skybox);
	return r->tracer && (!skybox || r->skybox);
}

/* Marks an image as needed. The scripts of a map may name many images that no picture shows. */
static void mark(const bspscene_scene *scene, bool *used, uint32_t image)
{
	if (image < scene->image_count) used[image] = true;
}

/* Limit for the bytes of all textures together, because maps could otherwise use up a machine's memory. If it is
 * exceeded, the largest textures lose their largest mipmaps. */
#define MOST_TEXTURE_BYTES ((uint64_t)1 << 30)

/* Returns the largest texture side that fits in `room`. */
static uint32_t largest_side(const bspscene_scene *scene, const bool *used, uint64_t room)
{
	const uint64_t most = room < MOST_TEXTURE_BYTES ? room : MOST_TEXTURE_BYTES;
	const uint32_t least = 64;
	uint32_t side = 8192;
	for (; side > least; side /= 2) {
		uint64_t size = 0;
		for (uint32_t i = 0; i < scene->image_count; i++) {
			uint64_t width = scene->images[i]->width, height = scene->images[i]->height;
			for (; width > side || height > side; width /= 2) height /= 2;
			if (used[i]) size += width * height * 4 * 4 / 3;
		}
		if (size <= most) break;
	}
	return side;
}

/* Returns how many bytes are left for textures, after reserving what decoding the largest one takes. */
static uint64_t texture_room(const bspscene_renderer *r, const bool *used)
{
	uint64_t left = bspr_memory_left(&r->memory), largest = 0;
	for (uint32_t i = 0; i < r->scene->image_count; i++) {
		uint64_t size = used[i] ? bspscene_image_decode_size(r->scene->images[i], UINT32_MAX) : 0;
		if (size > largest) largest = size;
	}
	return largest < left ? left - largest : 0;
}

/* Adds a texture. If its width or height exceeds `side`, it is reduced. To reduce it, two of its mipmaps are in memory
 * for a short time. */
static bool add_texture(bspscene_renderer *r, uint32_t image, uint32_t side)
{
	bspi_mips *texture = &r->textures[image];
	uint64_t size = bspscene_image_decode_size(r->scene->images[image], side), kept = 0;
	size += size / 2;
	if (!bspr_memory_decode(&r->memory, size)) return false;
	bool loaded = bspr_texture_load(&r->memory.allocator, texture, r->scene->images[image], side);
	for (uint32_t i = 0; i < texture->level_count; i++) {
		kept += (uint64_t)texture->levels[i].width * texture->levels[i].height * 4;
	}
	bspr_memory_give(&r->memory, size);
	return loaded && bspr_memory_take(&r->memory, kept);
}

/* Estimated costs in microseconds (tests/bench/bench_progress.c): of the ray structure for each triangle, and of
 * decoding for each pixel. */
#define PER_TRIANGLE 0.7
#define PER_PIXEL 0.04
#define PER_DECODED_PIXEL 0.008

static double cost_of_texture(const bspscene_image *image)
{
	double decoded = image->format == BSPSCENE_IMAGE_RGBA ? PER_DECODED_PIXEL : PER_PIXEL;
	return 1 + decoded * image->width * image->height;
}

/* Reports progress. False if the caller cancels; `canceled` is then set. */
static bool keep_going(bspscene_renderer *r, const bspscene_render_options *options, double fraction)
{
	if (!options->progress) return true;
	r->canceled = options->progress(options->progress_user, "textures", fraction) != BSPSCENE_PROGRESS_CONTINUE;
	return !r->canceled;
}

static void mark_animation(const bspscene_scene *scene, bool *used, const bspscene_animation *animation)
{
	for (uint32_t i = 0; i < animation->frame_image_count; i++) {
		mark(scene, used, scene->frame_images[animation->first_frame_image + i]);
		if (animation->first_emissive_image != BSPSCENE_NO_INDEX)
			mark(scene, used, scene->frame_images[animation->first_emissive_image + i]);
	}
}

static void mark_cube(const bspscene_scene *scene, bool *used, uint32_t first_frame)
{
	if (first_frame == BSPSCENE_NO_INDEX) return;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) mark(scene, used, scene->frame_images[first_frame + i]);
}

static void mark_reflection(const bspscene_scene *scene, bool *used, const bspscene_reflection *reflection)
{
	mark(scene, used, reflection->mask_image);
	mark(scene, used, reflection->normal_image);
	mark_cube(scene, used, reflection->first_frame_image);
	for (uint32_t i = 0; reflection->first_frame_image == BSPSCENE_NO_INDEX && i < scene->cubemap_count; i++) {
		mark_cube(scene, used, scene->cubemaps[i]->first_frame_image);
	}
}

static void mark_bumps(const bspscene_scene *scene, bool *used, const bspscene_bump_light *bumps)
{
	mark(scene, used, bumps->image);
	mark(scene, used, bumps->second_image);
}

static void mark_gloss(const bspscene_scene *scene, bool *used, const bspscene_phong *gloss)
{
	mark(scene, used, gloss->normal_image);
	mark(scene, used, gloss->exponent_image);
	mark(scene, used, gloss->light_ramp);
	mark(scene, used, gloss->gloss_ramp);
}

/* Computes the tables that convert half floats to display values, and bytes to linear light. */
static bool add_displays(bspscene_renderer *r)
{
	bspi_fill_linears(r->linears);
	if (!bspi_needs_displays(r->scene)) return true;
	r->displays = bspr_allocate(&r->memory, BSPI_HALFS, sizeof *r->displays);
	if (r->displays) bspi_fill_displays(r->displays);
	return r->displays != NULL;
}

/* True if the map has a sky but no surfaces that show it. By default, loads leave out sky surfaces. */
static bool has_open_sky(const bspscene_scene *scene)
{
	const uint32_t sky = scene->sky_material;
	if (sky == BSPSCENE_NO_INDEX || scene->materials[sky]->kind != BSPSCENE_MATERIAL_SKY) return false;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const bspscene_mesh *mesh = scene->meshes[i];
		for (uint32_t k = 0; k < mesh->section_count; k++) {
			if (scene->materials[mesh->sections[k]->material]->kind == BSPSCENE_MATERIAL_SKY) return false;
		}
	}
	return true;
}

static bool add_textures(bspscene_renderer *r, const bspscene_render_options *options)
{
	const bspscene_scene *scene = r->scene;
	const bspscene_allocator *allocator = &r->memory.allocator;
	bool *used = bspr_take(allocator, (size_t)scene->image_count + 1, sizeof *used);
	bool ok = used != NULL;
	r->sky_material = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; ok && i < scene->material_count; i++) {
		const bspscene_material *m = scene->materials[i];
		if (m->sky && r->sky_material == BSPSCENE_NO_INDEX) r->sky_material = i;
		mark(scene, used, m->base_image);
		mark(scene, used, m->second_image);
		mark(scene, used, m->emissive_image);
		if (m->blend_mask) mark(scene, used, m->blend_mask->image);
		if (m->detail_texture) mark(scene, used, m->detail_texture->image);
		if (m->emission_mask) mark(scene, used, m->emission_mask->mask_image);
		if (m->phong) mark_gloss(scene, used, m->phong);
		if (m->reflection) mark_reflection(scene, used, m->reflection);
		if (m->bump_light) mark_bumps(scene, used, m->bump_light);
		if (m->animation) mark_animation(scene, used, m->animation);
		for (uint32_t k = 0; k < m->layer_count; k++) mark(scene, used, m->layers[k]->image);
		for (int k = 0; m->sky && k < 6; k++) mark(scene, used, m->sky->box[k]);
		for (int k = 0; m->sky && k < 2; k++) mark(scene, used, m->sky->layers[k]);
		for (uint32_t k = 0; k < m->pass_count; k++) {
			const bspscene_material_pass *stage = scene->material_passes[m->first_pass + k];
			for (uint32_t f = 0; f < stage->frame_image_count; f++)
				mark(scene, used, scene->frame_images[stage->first_frame_image + f]);
			if (stage->light_style) r->styled[i] = true;
		}
	}
	for (uint32_t i = 0; ok && i < scene->mesh_count; i++) {
		const bspscene_mesh *mesh = scene->meshes[i];
		for (uint32_t k = 0; k < mesh->section_count; k++) mark(scene, used, mesh->sections[k]->map_page_image);
	}
	uint32_t side = ok ? largest_side(scene, used, texture_room(r, used)) : 0;
	double done = 1 + PER_TRIANGLE * scene->counts->triangles, all = done;
	for (uint32_t i = 0; ok && i < scene->image_count; i++) all += used[i] ? cost_of_texture(scene->images[i]) : 0;
	for (uint32_t i = 0; ok && i < scene->image_count; i++) {
		if (!used[i]) continue;
		ok = keep_going(r, options, done / all) && add_texture(r, i, side);
		done += cost_of_texture(scene->images[i]);
	}
	bspr_release(allocator, used);
	return ok;
}

bspscene_renderer *bspscene_renderer_create(const bspscene_scene *scene, const bspscene_render_options *options,
                                            bspscene_error *error)
{
	assert(scene);
	bspscene_render_options known;
	if (!bspr_take_options(options, &known, error)) return NULL;
	const bspscene_allocator system = { .allocate = NULL };
	bspscene_renderer *r = bspr_take(known.allocator ? known.allocator : &system, 1, sizeof *r);
	bool ok = false;
	if (r) {
		r->scene = scene;
		r->open_sky = has_open_sky(scene);
		bspr_memory_begin(&r->memory, scene, &known);
		r->textures = bspr_allocate(&r->memory, scene->image_count, sizeof *r->textures);
		r->styled = bspr_allocate(&r->memory, scene->material_count, sizeof *r->styled);
		/* Textures are loaded last, because they can be reduced if little memory is left. */
		ok = r->textures && r->styled && keep_going(r, &known, 0) && add_instances(r, &known) && add_tracers(r) &&
		     add_displays(r) && bspr_find_lit_pages(r) && add_textures(r, &known) && keep_going(r, &known, 1);
		if (ok) r->bare = bspr_is_bare(r);
	}
	if (ok) return r;
	if (r && r->canceled) bspr_fail(error, BSPSCENE_ERROR_CANCELED, "canceled");
	else if (r) bspr_fail_memory(&r->memory, error);
	else bspr_fail(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory for the picture");
	bspscene_renderer_free(r);
	return NULL;
}

void bspscene_renderer_free(bspscene_renderer *r)
{
	if (!r) return;
	const bspscene_allocator allocator = r->memory.allocator;
	bspr_tracer_free(r->tracer);
	bspr_tracer_free(r->skybox);
	bspr_free_lit_pages(r);
	for (uint32_t i = 0; r->instances && i < r->instance_count; i++) {
		bspr_release(&allocator, r->instances[i].colors);
		bspr_release(&allocator, r->instances[i].light);
		if (bspr_is_shared(&r->instances[i]) && r->instances[i].shape != i) continue;
		bspr_release(&allocator, r->instances[i].positions);
		bspr_release(&allocator, r->instances[i].sections);
		bspr_release(&allocator, r->classes[i]);
	}
	for (uint32_t i = 0; r->textures && i < r->scene->image_count; i++) bspr_texture_free(&allocator, &r->textures[i]);
	bspr_release(&allocator, r->instances);
	bspr_release(&allocator, r->classes);
	bspr_release(&allocator, r->textures);
	bspr_release(&allocator, r->styled);
	bspr_release(&allocator, r->displays);
	bspr_release(&allocator, r);
}

uint64_t bspscene_renderer_rays(const bspscene_renderer *r)
{
	return r->rays;
}
